"""Pages of the queue on the review screen: turning to the one that is needed, in the order that is wanted.

Here: asking the clerk for a page and showing it. Not here: what stands on it (``curator.listing``),
drawing (``showing``).
"""

from __future__ import annotations

from functools import partial

from curator_tui.core.proposals import Edit
from curator_tui.tui.queue_rows import QueueRows
from curator_tui.tui.review.part import Part
from curator_tui.tui.widgets.row_list import RowList

_AHEAD = 60  # rows that shall be there already on either side of those on screen


class Paging(Part):
    """Shows any part of a queue of any length."""

    def put_in_order(self, cursor: str | None = None) -> None:
        """Put the queue in the order that is wanted now, and show the item the cursor comes to stand on."""
        self.screen.work(partial(self.put_in_order_now, cursor), "page")

    async def put_in_order_now(self, cursor: str | None = None) -> None:
        """Put the queue in the order that is wanted now (see :meth:`put_in_order`)."""
        if await self._turn_to(cursor or self.model.wanted[0] or self._listed(self.screen.queue.cursor)):
            await self.open_under_cursor()

    async def open_under_cursor(self) -> None:
        """Show the item under the cursor, where it is not the one that is shown or asked for."""
        row = self.screen.showing.current_row()
        if row is None:
            await self.screen.showing.open_no_row()
        elif (
            self.model.wanted[0] not in row.members
            or self.model.looked is None
            or self.model.looked.id not in row.members
        ):
            await self.screen.showing.open_now(row.id, Edit())

    async def _turn_to(self, around: str | int) -> bool:
        """Show the page that holds an item or a position; False when meanwhile something else was asked for."""
        query = self.app.session.query()
        page = await self.app.clerk.ask(lambda desk: desk.listings.page(query, around))
        before = self.model.board
        if before is None or self.app.session.wants_other_than(query):
            return False
        known = before.listing
        same = not self.app.session.wants_other_than(known.query) and (
            (page.sections, page.lines) == (known.sections, known.lines)
        )
        row, cursor = self.screen.showing.current_row(), self.screen.queue.cursor
        self.model.board = before._replace(listing=page)
        self.model.rows = QueueRows(
            self.model.board,
            self.app.session,
            self.app.gate.mark_of,
            (self.model.gone, cursor) if self.model.gone is not None else None,
            (row, cursor) if row is not None and same else None,
        )
        place = self.model.rows.place(around) if isinstance(around, str) else None
        if place is None and same and isinstance(around, int):
            self.screen.queue.swap(self.model.rows)
        else:
            self.screen.queue.show(self.model.rows, self.screen.queue.cursor if place is None else place)
        self.screen.showing.draw_head()
        return True

    def _listed(self, index: int) -> int:
        """Return the position in the listing of a position on screen."""
        return max(self.model.rows.listed(index), 0) if self.model.rows is not None else 0

    def scrolled(self, event: RowList.Scrolled) -> None:
        """Turn the page before its end comes into sight."""
        if self.model.rows is not None and not self.model.rows.holds(event.first - _AHEAD, event.last + _AHEAD):
            self.screen.work(partial(self._turn_to_place, self._listed((event.first + event.last) // 2)), "turn")

    async def _turn_to_place(self, place: int) -> None:
        """Turn to a page, and show the item under the cursor if it had to wait for that."""
        waited = self.screen.showing.current_row() is None
        if await self._turn_to(place) and waited:
            await self.open_under_cursor()
