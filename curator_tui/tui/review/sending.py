"""Sending what was decided on the review screen, and the way back to the screen where nothing was written.

Here: one place for what every decision has in common. Not here: what is decided (``deciding``, ``deferring``,
``asking``), what is said of it when it was done.
"""

from __future__ import annotations

from collections.abc import Callable

from curator_tui.core.changes import Receipt
from curator_tui.core.errors import CuratorError
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Board
from curator_tui.tui.clerk import board_after
from curator_tui.tui.review.part import Part
from curator_tui.tui.shown import own
from curator_tui.tui.words import refusal


class Sending(Part):
    """Carries a decision out."""

    async def carried_out(self, job: Callable[[Desk], Receipt]) -> tuple[Receipt, Board] | None:
        """Carry a decision out, and return what became of it with the queue after it.

        None where nothing was written: then it was said why, and the screen shows what the item would do now.
        """
        assert self.model.board is not None
        try:
            receipt = await self.app.clerk.change(job)
        except CuratorError as error:
            self.screen.fail(error)
            self.screen.busy = False
            await self.screen.moving.open_cursor()
            return None
        taken = await board_after(self.app.clerk, self.model.board)
        self.screen.busy = False
        if receipt.change is None:
            await self._not_done(receipt, taken)
            return None
        return receipt, taken

    async def _not_done(self, receipt: Receipt, taken: Board) -> None:
        """Show why nothing was written, and what the item would do now."""
        self.model.gone = None
        self.screen.showing.take_board(taken)
        if receipt.moved:
            self.screen.say(
                (own("it changed since it was shown; nothing was written. Read it, then press again", role="warn"),)
            )
        for failed in receipt.causes[:1]:
            self.screen.say(refusal(failed))
        await self.screen.moving.open_cursor()
