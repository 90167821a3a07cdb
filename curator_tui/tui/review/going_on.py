"""Going on after a decision on the review screen: the queue without what was decided, and the item that is next.

Here: what every decision about the queue has in common, and the way back to the item where nothing was written. Not
here: what is decided (``deciding``, ``deferring``, ``asking``), making the change (``screens.sending``).
"""

from __future__ import annotations

from collections.abc import Callable

from curator_tui.core.changes import Receipt
from curator_tui.core.proposals import Edit
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Board
from curator_tui.tui.review.part import Part
from curator_tui.tui.screens.sending import Done
from curator_tui.tui.shown import own
from curator_tui.tui.words import refusal


class GoingOn(Part):
    """Carries a decision out and shows what comes after it."""

    def send(
        self,
        job: Callable[[Desk], Receipt],
        told: Callable[[Receipt], Done],
        following: Callable[[Board], str | None],
    ) -> None:
        """Carry a decision out, unless another one is under way.

        Args:
            job: carries it out.
            told: says in words what was done.
            following: returns the row to go to in the queue after it.
        """

        async def show(_: Receipt, taken: Board) -> None:
            cursor = following(taken)
            self.model.wanted = ("", Edit())
            self.screen.showing.take_board(taken, cursor)
            await self.screen.moving.open_cursor()

        self.screen.sending.send(job, told, self._refused, show=show)

    async def _refused(self, receipt: Receipt, taken: Board) -> None:
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
