"""A screen that fills the window: its frame, two panes with a list and the text of its row, places to go to.

Here: what stands around and what moves in the panes. Not here: carrying out actions (``acting``), sharing out the room
(``widgets.panes``), what any screen is for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.geometry import Size

from curator_tui.tui.actions import (
    DOCUMENTS,
    HISTORY,
    LEARNED,
    LEDGER,
    PROFILES,
    REVIEW,
    SKILLS,
)
from curator_tui.tui.places import Tabs, tabs
from curator_tui.tui.screens.acting import HEIGHTS, WIDTHS, Acting, TooSmall
from curator_tui.tui.screens.watching import Lookout
from curator_tui.tui.shown import EMPTY, Line, Shown, own, shown_line, width_of
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine, Said
from curator_tui.tui.widgets.panes import Panes
from curator_tui.tui.widgets.reader import Reader
from curator_tui.tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from curator_tui.curator.looking import Board
    from curator_tui.tui.copying import Copied

_MESSAGE_SECONDS = 12.0
_PATH = 6  # columns of the store's path that everything else gives way for
_NAME: Line = (own(" curator-tui ", role="strong"),)
_TITLES: tuple[tuple[Line, Tabs], ...] = (
    (_NAME, Tabs.NAMES),
    ((own(" "),), Tabs.NAMES),
    (_NAME, Tabs.OPEN),
    ((own(" "),), Tabs.OPEN),
)
"""Forms of the title, the one that says most first: the first that leaves room for what must be seen is taken."""
_LEAST: tuple[Line, Tabs] = ((own(" "),), Tabs.KEYS)
"""The form for a window in which none of these leaves it."""


class DeskScreen(Acting[None]):
    """A screen that fills the window: the frame, in it a list, ``#rows``, and a text, ``#reader``.

    Attributes:
        at: what it shall show first, as who went there named it; empty for whatever it likes.
        busy: whether something is being written.
        lookout: what sees what others do to the store.
    """

    def __init__(self, size: Size) -> None:
        # the classes that Textual would give it after its first look at the window: so nothing is styled twice
        super().__init__(classes=" ".join((_class_for(size.width, WIDTHS), _class_for(size.height, HEIGHTS))))
        self.at = ""
        self.busy = False
        self.lookout = Lookout(self)
        self._banner_of: Board | None = None
        self._message: Line = EMPTY
        self._murmured: Line = EMPTY
        self._until = 0.0

    def compose(self) -> ComposeResult:
        """Put the frame around the body."""
        yield OneLine(ground="bar", id="title")
        yield Said(ground="bar", id="banner")
        yield from self.body()
        yield Said(id="status")
        yield KeyRow(self.SCREEN, id="keys")
        yield TooSmall(id="too-small")

    def body(self) -> ComposeResult:
        """Return what stands between the frame's rows."""
        raise NotImplementedError

    # -- saying ----------------------------------------------------------------------------------------------------

    def say(self, line: Line) -> None:
        """Say something in the status row for a while."""
        self.app.hear(line)
        self._message = line
        self._until = monotonic() + _MESSAGE_SECONDS
        self.draw_status()

    def murmur(self, line: Line) -> None:
        """Show what goes on in the status row, before everything else there."""
        self._murmured = line
        self.draw_status()

    def draw_status(self) -> None:
        """Show what goes on, the message while it is fresh, or what always holds."""
        if monotonic() > self._until:
            self._message = EMPTY
        waits = self.app.is_leaving or self.app.is_falling_asleep
        last = self._message if waits else EMPTY  # who waits for the end is told what it waits for
        for row in self.query("#status").results(OneLine):  # none yet on a screen that is just being opened
            row.show((own(" "), *(last or self._murmured or self._message or self.standing())))

    def standing(self) -> Line:
        """Return what the status row says when there is no message."""
        return EMPTY

    # -- the frame -------------------------------------------------------------------------------------------------

    def draw_title(
        self, board: Board | None, right: Sequence[Line] = (), shorter: Sequence[Sequence[Line]] | None = None
    ) -> None:
        """Show where we are, which store is bound, and what else must be seen.

        What else there is gives way before the places do: so these keep their form whatever is told beside them.

        Args:
            board: what is known of the store.
            right: what else is to be seen, in its order.
            shorter: what is taken where all of it has no room, the longest first; as a rule all but the first of it,
                all but the first two, and so on to the last, which has room in any case.
        """
        width, people = self.app.size.width, self.app.clerk.desk.among is not None
        told = [right, *(shorter if shorter is not None else (right[at:] for at in range(1, len(right))))]
        skills = (board.facts.skills_waiting or 0) if board is not None else 0
        # the bound store and its gate are always in sight: the path gives way from the left, the scope never
        scope = shown_line(board.facts.scope, 20) if board is not None else Shown("")
        gate = _gate(board) if board is not None else EMPTY
        forms = [(some, one) for some in told for one in _TITLES] + [(some, _LEAST) for some in told]
        for some, (name, form) in forms:
            parts: Line = tuple(piece for line in some for piece in (*line, own("  ")))
            left = (*name, *tabs(self.SCREEN, form, {SKILLS: skills}, people=people))
            room = width - width_of((*left, *gate, *parts)) - len(scope) - 4
            if room >= _PATH:
                break
        if board is not None:
            left = (*left, own(" {}:{}", _tail(board.facts.label, max(room, _PATH)), scope, role="note"), *gate)
        self.query_one("#title", OneLine).show(left, parts)
        self._draw_banner(board)

    def draw_banner_again(self) -> None:
        """Show the banner for what was known of the store last."""
        self._draw_banner(self._banner_of)

    def _draw_banner(self, board: Board | None) -> None:
        self._banner_of = board
        words = self._banner(board)
        row = self.query_one("#banner", OneLine)
        if row.display != bool(words):
            row.display = bool(words)  # only then: it means a new layout
        row.show((own(" "), *words))

    def _banner(self, board: Board | None) -> Line:
        if self.app.trouble is not None:
            return self.app.trouble
        if board is not None and board.deferred is None:
            return (own("what is deferred is not known: it is listed as waiting", role="bad"),)
        always = self._always(board)
        if always and self.app.notice:
            return (*always, own("  "), *self.app.notice)
        if not (always or self.app.notice):
            self.app.remembered.hinted |= bool(self.app.hint)
        return always or self.app.notice or self.app.hint

    def _always(self, board: Board | None) -> Line:
        if self.app.read_only:
            return (own("READ ONLY: nothing can be decided here", role="warn"),)
        if board is not None and board.facts.gate is False:
            command = shown_line(board.facts.gate_command)
            return (own("gate OFF: writes go straight in", role="bad"), own(" - {}", command, role="strong"))
        return EMPTY

    def action_palette(self) -> None:
        """Open the palette."""
        self.app.action_command_palette()

    def action_help(self) -> None:
        """Open the help overlay."""
        from curator_tui.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(self.SCREEN, self.why()))

    # -- going -----------------------------------------------------------------------------------------------------

    def action_go_review(self) -> None:
        """Go back to the queue."""
        self.app.go(REVIEW)

    def action_go_documents(self) -> None:
        """Go to the documents."""
        self.app.go(DOCUMENTS)

    def action_go_history(self) -> None:
        """Go to the backups."""
        self.app.go(HISTORY)

    def action_go_backups(self) -> None:
        """Go to the backups by the letter that means history everywhere."""
        self.app.go(HISTORY)

    def action_go_ledger(self) -> None:
        """Go to the record of every decision."""
        self.app.go(LEDGER)

    def action_go_learned(self) -> None:
        """Go to everything that was learned."""
        self.app.go(LEARNED)

    def action_go_skills(self) -> None:
        """Go to the skills."""
        self.app.go(SKILLS)

    def action_go_profiles(self) -> None:
        """Go to the profiles of the home."""
        self.app.go(PROFILES)

    def came_back(self) -> None:
        """Look again at what other places may have changed, after one of them was left."""

    def why(self) -> list[Line]:
        """Return what the help overlay says about the item at hand."""
        return []

    def action_view_theme(self) -> None:
        """Change to the next palette."""
        name = self.app.next_theme()
        why = Shown(": NO_COLOR is set, or the terminal has too few colours" if self.app.only_mono else "")
        self.say((own("theme: {}{}", Shown(name), why),))

    # -- the panes -------------------------------------------------------------------------------------------------

    @property
    def panes(self) -> Panes:
        """The panes."""
        return self.query_one("#panes", Panes)

    def on_mount(self) -> None:
        """Share the room out as it was the last time."""
        self.panes.share_out()

    def on_resize(self) -> None:
        """Keep the shares in the new window."""
        self.panes.share_out()

    def action_view_narrower(self) -> None:
        """Give the list less room."""
        self.panes.widen(-1)

    def action_view_wider(self) -> None:
        """Give the list more room."""
        self.panes.widen(1)

    def action_view_zoom(self) -> None:
        """Show the text alone, then the list alone, then both again."""
        self.panes.zoom()

    def is_free(self) -> bool:
        """Whether nothing is being written; says so where something is."""
        if self.busy:
            self.say((own("still writing the last decision", role="warn"),))
        return not self.busy

    def action_change_next(self) -> None:
        """Go to the next change of the text, then to the next row."""
        if not self.reader.to_change(1):
            self.queue.move(1)

    @property
    def queue(self) -> RowList:
        """The list."""
        return self.query_one("#rows", RowList)

    @property
    def reader(self) -> Reader:
        """The reading pane."""
        return self.query_one("#reader", Reader)

    @property
    def wide(self) -> bool:
        """Whether the panes stand side by side."""
        return self.app.size.width >= 110

    def copied(self) -> Callable[[], Copied] | None:
        """Return what makes a copy of the text."""
        from curator_tui.tui.copying import copy_of_page

        return partial(copy_of_page, self.reader.page)

    def leave_text(self) -> bool:
        """Go back to the list where the text covers it, or to both from one that is zoomed; True when it did."""
        if self.panes.unzoom():
            return True
        if not self.has_class("-reading") or self.query_one("#left").display:
            return False
        self.remove_class("-reading")
        return True

    def action_move_down(self) -> None:
        """Go to the next row."""
        self.queue.move(1)

    def action_move_up(self) -> None:
        """Go to the row before."""
        self.queue.move(-1)

    def action_move_first(self) -> None:
        """Go to the first row."""
        self.queue.go(0)

    def action_move_last(self) -> None:
        """Go to the last row."""
        self.queue.go(max(len(self.queue.source) - 1, 0))

    def action_change_prev(self) -> None:
        """Go to the change before."""
        self.reader.to_change(-1)

    def action_line_down(self) -> None:
        """Scroll the text a line."""
        self.reader.scroll_rows(1)

    def action_line_up(self) -> None:
        """Scroll the text a line up."""
        self.reader.scroll_rows(-1)

    def action_page_down(self) -> None:
        """Scroll the text a page."""
        self.reader.scroll_pages(1)

    def action_page_up(self) -> None:
        """Scroll the text a page up."""
        self.reader.scroll_pages(-1)

    def action_pane_next(self) -> None:
        """Change between list and text where only one of them fits."""
        self.toggle_class("-reading")


def _class_for(size: int, breakpoints: Sequence[tuple[int, str]]) -> str:
    return next(name for least, name in reversed(breakpoints) if size >= least)


def _gate(board: Board) -> Line:
    """Say whether writes wait for review; nothing as long as it was not read."""
    if board.documents is None:
        return EMPTY
    if board.facts.gate is None:
        return (own("  gate ?", role="warn"),)
    return (own("  gate on", role="dim"),) if board.facts.gate else (own("  gate OFF", role="bad"),)


def _tail(text: str, width: int) -> Shown:
    """Return the end of a path that is too long, which tells more than its beginning."""
    whole = shown_line(text)
    return whole if len(whole) <= width else Shown("…" + whole[-(width - 1) :])
