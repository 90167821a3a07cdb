"""The profiles screen: how every profile of the home stands, and opening another one.

Here: the list, filled in one profile after the other, and the keys. Not here: words and columns (``profile_rows``),
reading (``curator.profiles``), changing desks (``leaving``). Looking binds, locks and writes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.geometry import Size

from curator_tui.core.word_filter import meant
from curator_tui.curator.looking import Board, board_or_glance
from curator_tui.curator.profiles import Glance, ProfileOrder, beside, glance_at, in_order
from curator_tui.tui.actions import PROFILES, bindings, key_out
from curator_tui.tui.facts import counted
from curator_tui.tui.page_lines import Page, PageLine
from curator_tui.tui.profile_rows import ProfileRows, in_trouble, opening_words, profile_head, profile_page
from curator_tui.tui.screens.filtering import Filtering
from curator_tui.tui.shown import EMPTY, Line, Shown, own, say, shown_line
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine, Rule
from curator_tui.tui.widgets.panes import Panes
from curator_tui.tui.widgets.reader import Reader
from curator_tui.tui.widgets.row_list import RowList

_LOOK_EVERY = 5  # polls
_ORDERS = {
    ProfileOrder.NAME: "by name",
    ProfileOrder.WAITING: "most waiting first",
    ProfileOrder.AGE: "longest waiting first",
}


class ProfilesScreen(Filtering):
    """All profiles of the home."""

    SCREEN = PROFILES
    hint = "words of a name   !without   enter: list   esc: clears it"
    CSS_PATH = "../styles/profiles.tcss"
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(PROFILES)]

    def __init__(self, size: Size) -> None:
        super().__init__(size)
        self.board: Board | None = None
        self.order = ProfileOrder.NAME
        self.known: dict[str, Glance] = {}
        self._names: Sequence[str] = ()
        self._placed: Sequence[str] = ()
        self._words = ""
        self._wanted = ""
        self._left = 0
        self._listed = False

    def body(self) -> ComposeResult:
        """Put the list above what is said about one."""
        with Panes(self):
            with Container(id="left"):
                yield OneLine(id="head")
                yield RowList(id="rows")
            with Container(id="right"):
                yield Rule(id="gauge")
                yield Reader(id="reader")

    def on_mount(self) -> None:
        """List the profiles, then look at one after the other."""
        self.draw_title(None)
        self.work(self._read, "profiles")
        self.lookout.keep(self._tick, _LOOK_EVERY)

    @property
    def bound(self) -> str:
        """The profile whose desk is open."""
        return self.app.clerk.desk.bound().scope

    # -- reading ---------------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        names = await self.app.clerk.look_beside(beside)
        first = next((name for name in names if name != self.bound), "")
        self._wanted = self._wanted or first  # where somebody comes for: another one
        self._names, self._listed = names, True
        self._put_in_order()
        self.restore_words()
        self.board = await self.app.clerk.ask(board_or_glance)
        await self._look_at(names)
        self._put_in_order()

    async def _look_at(self, names: Sequence[str]) -> None:
        """Look at profiles one after the other; each is shown as soon as it is known, where it stands."""
        self._left = len(names)
        try:
            for name in names:
                glance = await self.app.clerk.look_beside(partial(glance_at, profile=name, environ=os.environ))
                self._left -= 1
                self._take(name, glance)
        finally:  # given up or failed: nothing is being read, and the next look may begin
            self._left = 0
        self.draw_head()

    def _take(self, name: str, glance: Glance) -> None:
        before = self.known.get(name)
        self.known[name] = glance
        if glance == before:
            return
        source = self.queue.source
        place = source.place(name) if isinstance(source, ProfileRows) else None
        if place is not None:
            self.queue.touch(place)
        self.draw_head()
        if name == self._wanted:
            self._draw(keep=True)

    def _tick(self) -> None:
        self.draw_status()
        if not self._left:
            self.lookout.look_again(self._poll)

    async def _poll(self) -> None:
        """Look again at those on screen, and whether a profile came or went; no row moves by itself."""
        names = await self.app.clerk.look_beside(beside)
        if set(names) != set(self._names):
            self._names = names
            self._put_in_order()
        top = self.queue.top
        await self._look_at(self._placed[top : top + self.queue.size.height])

    # -- the list --------------------------------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """What the list is filtered by."""
        return self._words

    def set_words(self, words: str) -> None:
        """Show only profiles whose name holds these words."""
        self._words = words
        self._show_list()

    def _put_in_order(self) -> None:
        """Order the profiles by what is known now."""
        self._placed = in_order(self._names, self.known, self.order)
        self._show_list()

    def _show_list(self) -> None:
        """Show the profiles that are meant; the cursor stays on its own."""
        names = [name for name in self._placed if meant(self._words, (name, self._trouble(name)))]
        rows = ProfileRows(names, self.known, self.bound, self.app.clerk.desk.now())
        place = rows.place(self._wanted)
        self.queue.show(rows, max(self.queue.cursor, 0) if place is None else place)
        self.draw_head()
        self._draw()

    def _trouble(self, name: str) -> str:
        return self.known[name].trouble if name in self.known else ""

    def draw_head(self) -> None:
        """Draw title and column headings."""
        parts: Line = EMPTY
        if self._words:
            parts = (own(" filter: {} ({})", len(self.queue.source), key_out(), role="mark"),)
        if self._left:
            parts = (*parts, own(" reading {} more …", self._left, role="dim"))
        self.query_one("#head", OneLine).show(profile_head(self.queue.row_width), parts, keep_right=bool(parts))
        self.draw_title(self.board, [self._counted()])
        self.draw_status()

    def _counted(self) -> Line:
        signed = sum(map(in_trouble, self.known.values()))
        told = own(", {} with !", signed, role="bad") if signed else own("")
        return (own("{}", counted(len(self._names), "profile"), role="strong"), told) if self._names else EMPTY

    @on(RowList.Moved, "#rows")
    def _moved(self, event: RowList.Moved) -> None:
        event.stop()
        self._wanted = self._under_cursor() or ""
        self._draw()

    def _under_cursor(self) -> str | None:
        """Return the profile under the cursor."""
        source = self.queue.source
        return source.name(self.queue.cursor) if isinstance(source, ProfileRows) else None

    # -- the text --------------------------------------------------------------------------------------------------

    def _draw(self, *, keep: bool = False) -> None:
        name = self._under_cursor()
        self.query_one("#keys", KeyRow).dim(
            frozenset() if self._may_open(name) else frozenset({"profiles.open"}), frozenset({"go.profiles"})
        )
        if name is None:
            none = say("No name holds these words: {} clears the filter.", key_out())
            words = say("A database has no profiles.") if self._listed else say("reading …")
            words = none if self._words else words
            self.reader.show(Page("", "", (PageLine((own("{}", words),), (own("  "),)),)))
            self.query_one("#gauge", Rule).show(EMPTY)
            return
        bound = name == self.bound
        page = profile_page(name, self.known.get(name), self.app.clerk.desk.now(), bound=bound)
        if len(self._names) == 1:
            alone = own("This home has no other profile. Hermes makes one: hermes profile create NAME", role="head")
            page = page._replace(lines=(PageLine((alone,), (own(" "),)), *page.lines))
        self.reader.show(page, keep=keep)
        ways = opening_words(name, bound=bound) if self._may_open(name) else EMPTY
        self.query_one("#gauge", Rule).show((own("{}", shown_line(name, 40), role="head"),), ways)

    def _may_open(self, name: str | None) -> bool:
        return name is not None and (self.app.switch is not None or name == self.bound)

    def standing(self) -> Line:
        """Return what always holds."""
        here = own("Open now: ", role="dim"), own("{}", shown_line(self.bound, 30), role="strong")
        sign = own(" !", role="bad"), own(" not all readable", role="dim")
        signed = sign if any(map(in_trouble, self.known.values())) else EMPTY
        return (*here, own(". Marks, drafts and undo are its own.", role="dim"), *signed)

    def on_resize(self) -> None:
        """Draw the headings for the new size."""
        self.draw_head()

    # -- keys ------------------------------------------------------------------------------------------------------

    def action_profiles_open(self) -> None:
        """Open the profile under the cursor in place of the one that is open, and go to its queue."""
        name = self._under_cursor()
        if name is None:
            return
        if name == self.bound:
            self.action_go_review()
        elif self.app.switch is None:
            self.say((own("only the profile that is open can be worked on here", role="warn"),))
        else:
            self.app.open_profile(name)

    def action_order(self) -> None:
        """Choose the order of the list."""
        from curator_tui.tui.screens.choosing import ChooseScreen

        orders = tuple(ProfileOrder)
        texts = [f"{_ORDERS[order]}{' (now)' if order is self.order else ''}" for order in orders]

        def chosen(at: int | None) -> None:
            if at is not None:
                self.order = orders[at]
                self._put_in_order()
                self.say((own("the list: {}", Shown(_ORDERS[self.order])),))

        self.app.push_screen(ChooseScreen(say("order of the profiles"), texts), chosen)

    def action_refresh(self) -> None:
        """Read everything again."""
        self.work(self._read, "profiles")
