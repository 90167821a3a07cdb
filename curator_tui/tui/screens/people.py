"""The people screen: who waits in a tenant, how long and how full their memories are, and opening the desk of one.

It stands where a home has its profiles. Here: the list, read on as the cursor comes near its end, and the keys. Not
here: words and columns (``people_rows``), reading (``curator.people.among``), changing desks (``leaving``).
"""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.geometry import Size

from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Board, glance
from curator_tui.curator.people.among import Among, PeopleOrder, PeoplePage, PersonRow
from curator_tui.tui.actions import PROFILES, bindings, key_for, key_out
from curator_tui.tui.people_rows import EVERYBODY, PeopleRows, people_head, person_page
from curator_tui.tui.screens.filtering import Filtering
from curator_tui.tui.shown import EMPTY, Line, Shown, own, say, shown_line
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine, Rule
from curator_tui.tui.widgets.panes import Panes
from curator_tui.tui.widgets.reader import Reader
from curator_tui.tui.widgets.row_list import RowList

_NEAR_END = 40
_ORDERS = {PeopleOrder.NAME: "by name", PeopleOrder.WAITING: "most waiting first"}


class PeopleScreen(Filtering):
    """All people of the tenant."""

    SCREEN = PROFILES
    hint = "part of a name   enter: list   esc: clears it"
    CSS_PATH = "../styles/people.tcss"
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(PROFILES)]

    def __init__(self, size: Size) -> None:
        super().__init__(size)
        self.board: Board | None = None
        self.order = PeopleOrder.NAME
        self._words = ""
        self._people: tuple[PersonRow, ...] = ()
        self._after: object = None
        self._read = False

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
        """List the first of them."""
        self.draw_title(None)
        self._show()
        self.work(self._first, "people")

    @property
    def _among(self) -> Among:
        among = self.app.clerk.desk.among
        assert isinstance(among, Among)
        return among

    # -- reading ---------------------------------------------------------------------------------------------------

    async def _first(self) -> None:
        self.restore_words()
        await self._begin()
        self.board = await self.app.clerk.ask(glance)
        self.draw_head()

    async def _begin(self) -> None:
        words, order = self._words, self.order
        page = await self._page(None)
        if (words, order) == (self._words, self.order):
            self._people, self._after, self._read = page.rows, page.after, True
            self._show(first=True)

    async def _go_on(self) -> None:
        before = self._people
        page = await self._page(self._after)
        if self._people is before:
            self._people, self._after = (*before, *page.rows), page.after
            self._show()

    async def _page(self, after: object) -> PeoplePage:
        read = partial(self._among.page, self._words, self.order, after)

        def job(_: Desk) -> PeoplePage:
            return read()

        return await self.app.clerk.look_beside(job)

    # -- the list --------------------------------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """What the list is filtered by."""
        return self._words

    def set_words(self, words: str) -> None:
        """Show only people whose names hold these words."""
        self._words = words
        self.draw_head()
        self.work(self._begin, "people")

    def _show(self, *, first: bool = False) -> None:
        rows = PeopleRows(self._people, self._open_key, self.app.clerk.desk.now())
        place = min(1, len(rows) - 1) if first else max(self.queue.cursor, 0)
        self.queue.show(rows, place, from_top=first)
        self.draw_head()
        self._draw()

    @property
    def _open_key(self) -> str | None:
        return self.app.clerk.desk.person_key

    def draw_head(self) -> None:
        """Draw title and column headings."""
        parts: Line = EMPTY
        if self._words:
            more = Shown("+") if self._after is not None else Shown("")
            parts = (own(" filter: {}{} ({})", len(self._people), more, key_out(), role="mark"),)
        if not self._read:
            parts = (*parts, own(" reading …", role="dim"))
        self.query_one("#head", OneLine).show(people_head(self.queue.row_width), parts, keep_right=bool(parts))
        self.draw_title(self.board)
        self.draw_status()

    @on(RowList.Moved, "#rows")
    def _moved(self, event: RowList.Moved) -> None:
        event.stop()
        if self._after is not None and self.queue.cursor > len(self._people) - _NEAR_END:
            self.work(self._go_on, "people")
        self._draw()

    def _under_cursor(self) -> PersonRow | None:
        source = self.queue.source
        return source.person(self.queue.cursor) if isinstance(source, PeopleRows) else None

    # -- the text --------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        one = self._under_cursor()
        self.query_one("#keys", KeyRow).dim(frozenset(), frozenset({"go.profiles"}))
        self.reader.show(person_page(one, self.app.clerk.desk.now()))
        name = Shown(EVERYBODY) if one is None else shown_line(one.name, 40)
        way = own("{} opens its queue", key_for("profiles.open"), role="head")
        self.query_one("#gauge", Rule).show((own("{}", name, role="head"),), (way,))

    def standing(self) -> Line:
        """Return what always holds."""
        here = shown_line(self.app.clerk.desk.bound().scope, 30)
        return (own("Open now: ", role="dim"), own("{}", here, role="strong"),
                own(". Marks, drafts and undo are its own.", role="dim"))  # fmt: skip

    def on_resize(self) -> None:
        """Draw the headings for the new size."""
        self.draw_head()

    # -- keys ------------------------------------------------------------------------------------------------------

    def action_profiles_open(self) -> None:
        """Open the desk of the person under the cursor in place of the one that is open, and go to its queue."""
        one = self._under_cursor()
        key = None if one is None else one.key
        if key == self._open_key:
            self.action_go_review()
        elif self.app.switch is None:
            self.say((own("only the desk that is open can be worked on here", role="warn"),))
        else:
            self.app.open_profile(key or "", Shown(EVERYBODY) if one is None else shown_line(one.name, 20))

    def action_order(self) -> None:
        """Choose the order of the list."""
        from curator_tui.tui.screens.choosing import ChooseScreen

        orders = tuple(PeopleOrder)
        texts = [f"{_ORDERS[order]}{' (now)' if order is self.order else ''}" for order in orders]

        def chosen(at: int | None) -> None:
            if at is not None:
                self.order = orders[at]
                self.work(self._begin, "people")
                self.say((own("the list: {}", Shown(_ORDERS[self.order])),))

        self.app.push_screen(ChooseScreen(say("order of the people"), texts), chosen)

    def action_refresh(self) -> None:
        """Read everything again."""
        self.work(self._begin, "people")
