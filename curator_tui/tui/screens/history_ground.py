"""The ground of the history screen: the list of the past, read page by page, its filter, and sizes over time.

Here: which rows stand in the list and how they come there. Not here: the text of a row (``history_preview``), the keys
(``history``). Of a past of any length only an index and the rows near the screen are held.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Size

from curator_tui.core.changes import Receipt
from curator_tui.core.documents import TARGETS
from curator_tui.core.errors import CuratorError, UsageError
from curator_tui.curator import ledger_view
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Board, board
from curator_tui.curator.sizes import Sizes, measuring
from curator_tui.curator.timeline import Moment, Told, place_of, tell, timeline
from curator_tui.curator.timeline_search import Portion, Wanted, search, understood
from curator_tui.tui.actions import HISTORY, key_for, key_out
from curator_tui.tui.facts import counted, size_words
from curator_tui.tui.history_rows import Ground, HistoryRows, head_line
from curator_tui.tui.page_lines import Page
from curator_tui.tui.screens.base import DeskScreen
from curator_tui.tui.shown import EMPTY, Line, message, own, shown_line
from curator_tui.tui.size_chart import chart_lines, chart_rows
from curator_tui.tui.slices import in_slices
from curator_tui.tui.widgets.one_line import OneLine, Rule
from curator_tui.tui.widgets.panes import Panes
from curator_tui.tui.widgets.reader import Reader
from curator_tui.tui.widgets.row_list import RowList

_AHEAD = 40  # rows that shall be known already on either side of those on screen


class Past(NamedTuple):
    """The past as it was read.

    Attributes:
        moments: all rows, newest first.
        board: the queue and the documents.
        head: where the ledger ends.
        troubles: what tells of backups that the book does not know.
    """

    moments: tuple[Moment, ...]
    board: Board
    head: tuple[int, str]
    troubles: tuple[str, ...]


def read_past(desk: Desk) -> Past:
    """Read the index of the past; the ledger's end first, so that what is added meanwhile is seen by the next look."""
    desk.refresh()
    head = ledger_view.head(desk)
    return Past(timeline(desk), board(desk, facts=desk.here()), head, ledger_view.lost_words(desk))


class HistoryGround(DeskScreen):
    """State of the history screen, and its list."""

    SCREEN = HISTORY
    hint = "words  action:reject who:you since:7d is:unreviewed  esc: clears it"

    def __init__(self, size: Size) -> None:
        super().__init__(size)
        self.board: Board | None = None
        self.past: Past | None = None
        self.base: Moment | None = None
        self.wanted = Wanted()
        self._typed = ""
        self._problem: UsageError | None = None
        self._sizes = Sizes()
        self._searched: int | None = None

    def body(self) -> ComposeResult:
        """Put the list beside or above the preview, and sizes over time under the list where there is room."""
        with Panes(self):
            with Container(id="left"):
                yield OneLine(id="head")
                yield RowList(id="rows")
                yield Rule(id="chart-title")
                yield Reader(id="chart")
            with Container(id="right"):
                yield Rule(id="gauge")
                yield Reader(id="reader")
                yield Rule(id="divider")
                yield Reader(id="facts")

    @property
    def rows(self) -> HistoryRows | None:
        """The rows in the list; None before they were read."""
        source = self.queue.source
        return source if isinstance(source, HistoryRows) else None

    @property
    def row(self) -> Moment | None:
        """The row under the cursor."""
        return self.rows.moment(self.queue.cursor) if self.rows is not None else None

    @property
    def told(self) -> Told | None:
        """What is known of it."""
        return self.rows.told(self.queue.cursor) if self.rows is not None else None

    def ground(self) -> Ground:
        """Return what rows are held against."""
        assert self.board is not None
        base = self.base.id if self.base is not None else ""
        return Ground(self.board.snapshot, self.app.clerk.desk.actor, self.board.now, self._sizes, base)

    # -- reading ---------------------------------------------------------------------------------------------------

    async def read(self, *, quiet: bool = False) -> None:
        """Read the past anew; the cursor stays on its row, or goes to the one this was opened for.

        Args:
            quiet: whether nobody asked for it: then the text of the row stays as it is, and it is said that it is old.
        """
        before = self.row
        here = self.at or (self.row.id if self.row is not None else "")
        around = max(self.app.size.height, 20)

        def job(desk: Desk) -> tuple[Past, dict[str, Told]]:
            past = read_past(desk)
            place = place_of(past.moments, here) or 0
            return past, tell(desk, past.moments[max(place - around, 0) : place + around])

        try:
            past, known = await self.app.clerk.ask(job)
        except CuratorError as error:
            self.fail(error)
            return
        self.past, self.board = past, past.board
        if self.base is not None and place_of(past.moments, self.base.id) is None:
            self.base = None
        if self.wanted.empty:
            rows = HistoryRows(past.moments, known, self.ground())
            self.queue.show(rows, self._place(rows, here))
            self._draw_all()
            if quiet and self.row == before and before is not None:
                self.say((own("changed meanwhile: {} draws this row anew", key_for("refresh"), role="warn"),))
            else:
                self.open_row()
            self._need_rows()
        else:
            self._draw_all()
            self.work(self._search, "search")
        self._tell_trouble(past)
        self.work(self._measure, "sizes")

    def _place(self, rows: HistoryRows, here: str) -> int:
        """Return where the cursor shall stand: on the row this was opened for, else where it stood."""
        wanted, self.at = self.at, ""
        place = place_of(rows.moments, here) if here else None
        if wanted and place is None:
            self.say((own("there is no backup or change {} any more", shown_line(wanted, 40), role="warn"),))
        return rows.index(place) if place is not None else max(self.queue.cursor, 0)

    def _tell_trouble(self, past: Past) -> None:
        for words in past.troubles[:1]:
            self.say((own("{}", message(words), role="bad"),))

    def open_row(self) -> None:
        """Show the text of the row under the cursor."""
        raise NotImplementedError

    def _need_rows(self) -> None:
        """Have the rows near the screen read, where some are not known yet."""
        if self.rows is None:
            return
        first, last = self.queue.top, self.queue.top + max(self.queue.size.height, 1)
        if self.rows.unknown(first - _AHEAD // 2, last + _AHEAD // 2):
            self.work(partial(self._read_rows, self.rows.unknown(first - _AHEAD, last + _AHEAD)), "rows")

    async def _read_rows(self, moments: Sequence[Moment]) -> None:
        found = await self.app.clerk.ask(lambda desk: tell(desk, moments))
        if self.rows is not None:
            waited = self.told is None
            self.queue.swap(self.rows.having({**self.rows.known, **found}, self.ground()))
            if waited:
                self.open_row()

    async def _measure(self) -> None:
        """Read sizes over time, beside everything else."""
        try:
            self._sizes = await in_slices(self.app.clerk, measuring, lambda _: None)
        except CuratorError:
            return  # the list says what cannot be read; without sizes there is no picture
        if self.rows is not None:
            self.queue.swap(self.rows.having(self.rows.known, self.ground()))
        self.draw_chart()

    # -- what others do --------------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Look whether anything was added, now and then."""
        self.draw_status()
        if self.past is not None:
            self.lookout.look_again(self._poll)

    async def _poll(self) -> None:
        def job(desk: Desk) -> tuple[tuple[int, str], str]:
            desk.refresh()
            return ledger_view.head(desk), desk.snapshot().digest

        now = await self.lookout.ask(job)
        if now is not None and self.past is not None and now != (self.past.head, self.past.board.snapshot.digest):
            await self.read(quiet=True)

    # -- the filter ------------------------------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """What was typed as a filter."""
        return self._typed

    def set_words(self, words: str) -> None:
        """Show only rows that the words mean; as long as they mean nothing, what was shown stays."""
        self._typed = words
        try:
            wanted = understood(self.app.clerk.desk, words)
        except UsageError as error:
            self._problem = error
            self.draw_head()
            return
        self._problem = None
        before, self.wanted = self.wanted, wanted
        if (wanted.words, wanted.without, wanted.keys.terms) != (before.words, before.without, before.keys.terms):
            self.work(self._search, "search")
        self.draw_head()

    async def _search(self) -> None:
        """Look through the past for what is meant."""
        if self.past is None:
            return
        past, wanted, here = self.past, self.wanted, self.row.id if self.row is not None else ""
        if wanted.empty:
            self._searched = None
            self._show(past.moments, here, whole=True)
            return
        found: list[Moment] = []
        self._searched = 0

        def told(portions: Sequence[Portion]) -> None:
            self._searched = (self._searched or 0) + sum(portion.looked for portion in portions)
            found.extend(moment for portion in portions for moment in portion.found)
            self._show(tuple(found), here, whole=False, searching=True)

        try:
            await in_slices(self.app.clerk, partial(search, moments=past.moments, wanted=wanted), told)
        except CuratorError as error:
            self.fail(error)
        self._searched = None
        self._show(tuple(found), here, whole=False)

    def _show(self, moments: Sequence[Moment], here: str, *, whole: bool, searching: bool = False) -> None:
        known = self.rows.known if self.rows is not None else {}
        before = self.row
        rows = HistoryRows(moments, known, self.ground(), whole=whole, searching=searching)
        place = place_of(moments, here) if here else None
        self.queue.show(rows, rows.index(place or 0))
        self.draw_head()
        self._need_rows()
        if self.row != before or self.row is None:
            self.open_row()

    # -- drawing ---------------------------------------------------------------------------------------------------

    def _draw_all(self) -> None:
        self.draw_head()
        self.draw_chart()
        self.draw_status()

    def draw_head(self) -> None:
        """Draw the title and the column headings."""
        parts: list[Line] = [self._found_words()]
        if self.board is not None and self.app.size.width >= 140:
            documents = [self.board.snapshot.document(target) for target in TARGETS]
            now = (own("{} {}  ", one.target, size_words(one.presence, one.size)) for one in documents)
            parts.insert(0, (own("now: ", role="dim"), *now))
        self.draw_title(self.board, parts)
        if self._problem is not None:
            words = message(f"{self._problem.message} {self._problem.way_out}")
            self.query_one("#head", OneLine).show((own(" {}", words, role="warn"),))
        else:
            self.query_one("#head", OneLine).show(head_line(self.queue.row_width or self.app.size.width))

    def _found_words(self) -> Line:
        total = len(self.past.moments) if self.past is not None else 0
        if self._searched is not None:
            return (own("{}% looked at", 100 * self._searched // max(total, 1), role="mark"),)
        if not self.wanted.empty and self.rows is not None:
            return (own("filter: {} of {} ({})", len(self.rows), total, key_out(), role="mark"),)
        return (own("{}", counted(total, "row"), role="strong"),)

    def draw_chart(self) -> None:
        """Draw sizes over time, where there is room for it; the columns of the list say the same in numbers."""
        chart, title = self.query_one("#chart", Reader), self.query_one("#chart-title", Rule)
        title.show((own("size over time", role="head"),), EMPTY)
        rows = chart_rows(chart.size.height) if chart.display else 0
        if self.board is None or not rows:
            chart.show(Page("", "", ()))
            return
        lines = chart_lines(self._sizes, self.board.snapshot, self.board.now, chart.size.width, rows)
        chart.show(Page("", "", tuple(lines)), keep=True)

    @on(RowList.Scrolled, "#rows")
    def _list_scrolled(self, event: RowList.Scrolled) -> None:
        event.stop()
        self._need_rows()

    async def reverted(self, receipt: Receipt, taken: Board) -> None:  # noqa: ARG002 - the queue is not on this screen
        """Read the past again."""
        await self.read()
