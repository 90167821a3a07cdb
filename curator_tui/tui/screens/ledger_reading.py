"""Reading the ledger for its screen: the search of a filter, the rows near the screen, the sources of live entries.

Here: what is asked of the clerk and when it is given up. Not here: drawing (``ledger_ground``), what a filter means
(``core.ledger_filters``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from textual import on

from curator_tui.core.changes import Receipt
from curator_tui.core.errors import CuratorError, UsageError
from curator_tui.core.ledger_filters import LedgerFilter, origin_matches, parse_filter
from curator_tui.curator import ledger_view
from curator_tui.curator.desk import Desk
from curator_tui.curator.ledger_queries import sources
from curator_tui.curator.ledger_search import Portion, Window, search, window
from curator_tui.curator.looking import Board, board
from curator_tui.tui.ledger_rows import LedgerRows, SourceRows
from curator_tui.tui.ledger_words import failed_page
from curator_tui.tui.screens.ledger_ground import LedgerGround, LedgerView
from curator_tui.tui.slices import in_slices
from curator_tui.tui.widgets.row_list import RowList

_AHEAD = 60  # rows that shall be there already on either side of those on screen


class LedgerReading(LedgerGround):
    """Brings onto the screen what is wanted of a ledger of any length."""

    # -- reading ---------------------------------------------------------------------------------------------------

    async def read(self) -> None:
        """Read where the ledger ends and show what is wanted of it."""

        def job(desk: Desk) -> tuple[Board, tuple[int, str]]:
            desk.refresh()
            return board(desk, facts=desk.here()), ledger_view.head(desk)

        try:
            self.board, self.head = await self.app.clerk.ask(job)
        except CuratorError as error:
            self._fail_whole(error)
            return
        self.failure = None
        self.draw_head()
        self.show_view()

    def _fail_whole(self, error: CuratorError) -> None:
        """Say in the place of everything why the ledger cannot be read, and what can be done."""
        self.failure = error
        self.queue.show(LedgerRows((), Window(), self.you, self.now), 0)
        self._show_page(failed_page(error))
        self.draw_head()
        self.fail(error)

    def show_view(self) -> None:
        """Show the rows that are wanted now; what was looked for before is given up."""
        self.statistics = None
        self.draw_statistics()
        if self.view is LedgerView.ENTRIES:
            self.workers.cancel_group(self, "search")
            self.work(self._read_entries, "entries")
        else:
            self.workers.cancel_group(self, "entries")
            self.work(self._search, "search")

    def all_of_view(self) -> LedgerFilter:
        """Return the filter of the view together with what was typed."""
        if self.view is LedgerView.TOMBSTONES:
            return parse_filter(f"{self.meant.text} is:tombstone", self.now)
        return self.meant

    async def _search(self) -> None:
        """Look through the ledger for what is meant; without a filter all rows are shown before they are counted."""
        wanted = self.all_of_view()
        here = self._first_row() or (self.rows.seq(self.queue.cursor) if self.rows is not None else None)
        seqs: list[int] = []
        self._searched = 0
        if not wanted.terms:
            self._show_rows(range(self.head[0], 0, -1), here)
        else:
            self._show_rows(seqs, None, searching=True)

        def told(portions: Sequence[Portion]) -> None:
            self._searched += sum(portion.looked for portion in portions)
            if wanted.terms:
                seqs.extend(seq for portion in portions for seq in portion.seqs)
                self._show_rows(seqs, here, searching=True)
            else:
                self.draw_head()

        try:
            self.statistics = await in_slices(self.app.clerk, partial(search, wanted=wanted), told)
        except CuratorError as error:
            self._fail_whole(error)
            return
        if wanted.terms:
            self._show_rows(seqs, here)
        self.draw_head()
        self.draw_statistics()

    def _first_row(self) -> int | None:
        """Return the row this was opened for, once; None for none."""
        wanted, self.at = self.at, ""
        return int(wanted) if wanted else None

    def _show_rows(self, seqs: Sequence[int], here: int | None, *, searching: bool = False) -> None:
        """Show rows; the cursor stays on its row, or stands on the first."""
        known = self.rows.known if self.rows is not None else Window()
        rows = LedgerRows(seqs, known, self.you, self.now, searching=searching)
        place = rows.place(here) if here is not None else None
        cursor = self.queue.cursor
        if self.rows is not None and self.rows.seqs is seqs and cursor >= 0:
            self.queue.swap(rows)
        else:
            self.queue.show(rows, cursor if place is None and here is not None else place or 0)
        self.draw_head()
        self._need_rows()
        self.open_row()

    def _need_rows(self) -> None:
        """Read the rows that come into sight, where they are not known yet."""
        rows, queue = self.rows, self.queue
        if rows is not None and not rows.holds(queue.top, queue.top + max(queue.size.height, 1) - 1):
            self.work(partial(self._load, rows, queue.top), "window")

    async def _load(self, rows: LedgerRows, top: int) -> None:
        """Read rows around a place of the list."""
        height = max(self.queue.size.height, 1)
        seqs = tuple(rows.seqs[max(top - _AHEAD, 0) : top + height + _AHEAD])
        try:
            known = await self.app.clerk.ask(lambda desk: window(desk, seqs))
        except CuratorError as error:
            self._fail_whole(error)
            return
        if (now := self.rows) is not None:
            self.queue.swap(now.with_known(known))
            self._need_rows()

    async def _read_entries(self) -> None:
        """Show where every live entry came from, then what the sessions tell of each."""
        try:
            self._all_origins = await self.app.clerk.ask(sources)
        except CuratorError as error:
            self._fail_whole(error)
            return
        self._show_entries()
        for number, origin in enumerate(self._all_origins):
            found, evidence = await self.app.clerk.evidence_of(origin)
            if evidence is not None:
                self._all_origins = (*self._all_origins[:number], found, *self._all_origins[number + 1 :])
                self._show_entries()

    def _show_entries(self) -> None:
        """Show the sources that are meant; the cursor stays where it stands."""
        meant = [one for one in self._all_origins if origin_matches(one, self.meant, self.you)]
        before = self.queue.cursor if isinstance(self.queue.source, SourceRows) else 0
        self.queue.show(SourceRows(meant, self.you, self.now), max(before, 0))
        self.draw_head()
        self.draw_statistics()
        self.open_row()

    # -- the filter ------------------------------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """What was typed as a filter."""
        return self._typed

    def set_words(self, words: str) -> None:
        """Show only what the words mean; as long as they mean nothing, what was shown stays."""
        self._typed = words
        try:
            meant = parse_filter(words, self.now)
        except UsageError as error:
            self._problem = error
            self.draw_head()
            return
        self._problem = None
        if meant.terms != self.meant.terms:
            self.meant = meant
            if self.view is LedgerView.ENTRIES:
                self._show_entries()
            else:
                self.show_view()
        self.meant = meant
        self.draw_head()

    # -- what happens on screen ------------------------------------------------------------------------------------

    @on(RowList.Moved, "#rows")
    def _moved(self, event: RowList.Moved) -> None:
        event.stop()
        self._need_rows()
        self.open_row()

    @on(RowList.Scrolled, "#rows")
    def _scrolled(self, event: RowList.Scrolled) -> None:
        event.stop()
        self._need_rows()

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.draw_head()
        self.draw_row()
        self._need_rows()

    async def reverted(self, receipt: Receipt, taken: Board) -> None:  # noqa: ARG002 - the queue is not on this screen
        """Read the ledger again: what was undone is a row of it."""
        await self.read()
