"""The ground of the ledger screen: which rows it shows, read page by page, and how they come onto it.

Here: the three views, the filter, the search behind it, the text of the row under the cursor. Not here: the keys
(``ledger``), verifying and saving (``ledger_jobs``), words and columns (``ledger_rows``, ``ledger_pages``). Of a ledger
of any length only the rows near the screen are held.
"""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.geometry import Size

from curator_tui.core.errors import CuratorError, UsageError
from curator_tui.core.ledger_facts import Statistics
from curator_tui.core.ledger_filters import LedgerFilter
from curator_tui.core.origins import Origin
from curator_tui.curator.looking import Board
from curator_tui.tui.actions import LEDGER, key_for, key_out
from curator_tui.tui.facts import counted
from curator_tui.tui.ledger_pages import RowLook, look_at_row, row_page, source_page
from curator_tui.tui.ledger_rows import LedgerRows, SourceRows, ledger_head, source_head
from curator_tui.tui.ledger_words import empty_page, failed_page, source_statistics, statistics_lines
from curator_tui.tui.page_lines import Look, Page
from curator_tui.tui.screens.base import DeskScreen
from curator_tui.tui.shown import EMPTY, Line, Shown, message, own, say, shown_line
from curator_tui.tui.widgets.one_line import OneLine, Rule
from curator_tui.tui.widgets.reader import Reader

if TYPE_CHECKING:
    from curator_tui.core.requests import Actor

_AHEAD = 60  # rows that shall be there already on either side of those on screen
_NOTHING = Page("", "", ())


class LedgerView(StrEnum):
    """What the list holds."""

    ROWS = "rows"
    ENTRIES = "live entries"
    TOMBSTONES = "tombstones"


_ONE = {LedgerView.ROWS: "row", LedgerView.ENTRIES: "live entry", LedgerView.TOMBSTONES: "tombstone"}


class LedgerGround(DeskScreen):
    """State of the ledger screen and how it is drawn."""

    SCREEN = LEDGER
    hint = "who:you action: target: seen:<100 since:7d is:   enter: list   esc: clears it"

    def __init__(self, size: Size) -> None:
        super().__init__(size)
        self.board: Board | None = None
        self.view = LedgerView.ROWS
        self.head = (0, "")
        self.meant = LedgerFilter()
        self.look = Look()
        self.statistics: Statistics | None = None
        self.failure: CuratorError | None = None
        self._typed = ""
        self._problem: UsageError | None = None
        self._all_origins: tuple[Origin, ...] = ()
        self._searched = 0
        self._wanted: int | Origin | None = None
        self._looked: RowLook | Origin | None = None

    @property
    def you(self) -> Actor:
        """Who looks."""
        return self.app.clerk.desk.actor

    @property
    def now(self) -> float:
        """The clock of the desk, UTC seconds."""
        return self.app.clerk.desk.now()

    @property
    def rows(self) -> LedgerRows | None:
        """The rows of the ledger, None while sources are shown."""
        source = self.queue.source
        return source if isinstance(source, LedgerRows) else None

    # -- the text of a row -----------------------------------------------------------------------------------------

    def open_row(self) -> None:
        """Show the row under the cursor; where there is none, why, and what to do next."""
        source, cursor = self.queue.source, self.queue.cursor
        if isinstance(source, SourceRows) and (origin := source.origin(cursor)) is not None:
            self._wanted = self._looked = origin
            self.draw_row(keep=False)
        elif isinstance(source, LedgerRows) and (seq := source.seq(cursor)) is not None:
            if self._wanted != seq or not isinstance(self._looked, RowLook):
                self._wanted, self._looked = seq, None
                self.work(partial(self._open, seq), "row")
        else:
            self._wanted = self._looked = None
            searching = isinstance(source, LedgerRows) and source.searching
            self._show_page(empty_page(str(self.view), filtered=bool(self.meant.terms), searching=searching))

    async def _open(self, seq: int) -> None:
        try:
            looked = await self.app.clerk.ask(lambda desk: look_at_row(desk, seq) if self._wanted == seq else None)
        except CuratorError as error:
            if self._wanted == seq:
                self._show_page(failed_page(error))
            return
        if looked is not None and self._wanted == seq:
            self._looked = looked
            self.draw_row(keep=False)

    def draw_row(self, *, keep: bool = True) -> None:
        """Draw the text of the row that was read last."""
        looked = self._looked
        if isinstance(looked, RowLook):
            look = self.look._replace(rows=self.reader.size.height)
            self._show_page(row_page(looked, self.you, self.now, look), keep=keep)
        elif looked is not None:
            self._show_page(source_page(looked, self.you, self.now), keep=keep)

    def at_hand(self) -> RowLook | Origin | None:
        """Return what is shown of the row under the cursor."""
        return self._looked

    def _show_page(self, page: Page, *, keep: bool = False) -> None:
        if not keep:
            self.reader.top = 0  # what a row is comes before what it changed
        self.reader.show(page, keep=True)
        self.draw_rule()

    # -- drawing ---------------------------------------------------------------------------------------------------

    def draw_head(self) -> None:
        """Draw the title, the views and the column headings."""
        wide = self.wide
        parts: list[Line] = [(own("{}", counted(self.head[0], "row"), role="strong"),)] if wide else []
        self.draw_title(self.board, [*parts, self.chain_words()])
        width = self.queue.row_width or self.app.size.width
        entries = self.view is LedgerView.ENTRIES
        self.query_one("#head", OneLine).show(source_head(width) if entries else ledger_head(width))
        left: Line = EMPTY
        for view in LedgerView:
            here = view is self.view
            left = (*left, own(" [{}]" if here else "  {} ", view, role="tab" if here else "dim"))
        right = self._found_words()
        if self._problem is not None:
            left, right = (own(" {}", message(f"{self._problem.message} {self._problem.way_out}"), role="warn"),), EMPTY
        else:
            left = (*left, own("  v", role="dim"))
        self.query_one("#views", OneLine).show(left, right, keep_right=True)

    def chain_words(self) -> Line:
        """Say how the chain stands (see ``ledger_jobs``)."""
        raise NotImplementedError

    def _found_words(self) -> Line:
        """Say how many rows there are, or are meant."""
        source = self.queue.source
        number = len(source.seqs) if isinstance(source, LedgerRows) else len(source)
        if isinstance(source, LedgerRows) and source.searching:
            share = say("{}%", 100 * self._searched // max(self.head[0], 1))
            return (own("{} found, {} looked at ", number, share, role="mark"),)
        if self.meant.terms:
            whole = len(self._all_origins) if self.view is LedgerView.ENTRIES else self.head[0]
            return (own("filter: {} of {} ({}) ", number, whole, key_out(), role="mark"),)
        return (own("{} ", counted(number, _ONE[self.view]), role="dim"),)

    def filter_words(self) -> Shown:
        """Return the filter as it was typed, or that there is none."""
        return shown_line(self.meant.text, 60) if self.meant.terms else say("all")

    def draw_rule(self) -> None:
        """Draw the line between list and text."""
        below = self.reader.below
        title = say("row {}", self._wanted) if isinstance(self._wanted, int) else Shown("")
        if isinstance(self._wanted, Origin):
            title = say("entry {}", Shown(self._wanted.id))
        right: Line = (own("v {} more ({})", below, key_for("page.down"), role="head"),) if below else EMPTY
        self.query_one("#gauge", Rule).show((own("{}", title, role="head"),) if title else EMPTY, right)

    def draw_statistics(self) -> None:
        """Draw what the rows say together, where there is room for it."""
        self.query_one("#facts", Reader).show(self.totals_page())

    def totals_page(self) -> Page:
        """Return what the rows that are meant say together."""
        if self.view is LedgerView.ENTRIES:
            source = self.queue.source
            lines = source_statistics(source.origins) if isinstance(source, SourceRows) else ()
            return Page("", "", tuple(lines))
        if self.statistics is None:
            return _NOTHING
        return Page("", "", tuple(statistics_lines(self.statistics, self.app.clerk.desk.actor)))

    @on(Reader.Scrolled, "#reader")
    def _text_scrolled(self, event: Reader.Scrolled) -> None:
        event.stop()
        self.draw_rule()
