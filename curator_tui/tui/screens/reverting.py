"""Undo and redo on the review and history screens: the newest change of this person, taken back as a new change.

Here: what is asked before, and what comes back onto the screen after. Not here: what a revert does (``core.reverts``).
A change of this run is taken back at once; one from an earlier run says first what it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from curator_tui.core.changes import Receipt
from curator_tui.core.errors import CuratorError
from curator_tui.core.proposals import Edit
from curator_tui.curator.desk import Desk
from curator_tui.curator.history import UndoPreview, undo_preview
from curator_tui.tui.facts import age
from curator_tui.tui.looking import Board, board_after
from curator_tui.tui.screens.deciding import refusal
from curator_tui.tui.screens.moving import Moving
from curator_tui.tui.shown import Line, own, say, shown_line
from curator_tui.tui.words import change_words

Takes = Mapping[int, str | None]


class Reverting(Moving):
    """The keys ``u`` and ``U``."""

    def action_undo(self) -> None:
        """Take back the newest change of this person."""
        self._start(redo=False)

    def action_redo(self) -> None:
        """Take back the newest undo."""
        self._start(redo=True)

    def _start(self, *, redo: bool) -> None:
        if self.busy:
            self.say((own("still writing the last decision", role="warn"),))
            return
        self.busy = True
        self.work(partial(self._look_first, redo=redo), "revert", alone=False)

    async def _look_first(self, *, redo: bool) -> None:
        """See what it would do; ask where that is more than taking back what was just done."""
        try:
            preview = await self.app.clerk.ask(lambda desk: undo_preview(desk, redo=redo))
        except CuratorError as error:
            self.fail(error)
            preview = None
        finally:
            self.busy = False
        if preview is None:
            self.say((own("nothing to do again" if redo else "nothing to take back"),))
        elif preview.reverted.moved_on:
            self._ask_moved(preview, redo=redo)
        elif redo or preview.change.id in self.app.session.made:
            await self._revert(preview, {}, redo=redo)
        else:
            self._ask_older(preview)

    def _ask_older(self, preview: UndoPreview) -> None:
        from curator_tui.tui.screens.second import AskScreen

        ago = age(self.app.clerk.desk.now() - preview.change.at)
        lines: list[Line] = [
            (
                own("This takes back an older change: "),
                own("{}, {} ago", change_words(preview.change), ago, role="strong"),
            ),
            *((own("  {} returns to the queue", shown_line(item.proposal)),) for item in preview.change.closed[:4]),
        ]

        def answered(yes: bool | None) -> None:
            if yes:
                self.work(partial(self._revert, preview, {}, redo=False), "revert", alone=False)

        self.app.push_screen(AskScreen(say("undo"), lines, say("take it back")), answered)

    def _ask_moved(self, preview: UndoPreview, *, redo: bool) -> None:
        from curator_tui.tui.screens.moved import MovedScreen

        def answered(takes: Takes | None) -> None:
            if takes is not None:
                self.work(partial(self._revert, preview, takes, redo=redo), "revert", alone=False)

        self.app.push_screen(MovedScreen(change_words(preview.change), preview.reverted.moved_on), answered)

    async def _revert(self, preview: UndoPreview, takes: Takes, *, redo: bool) -> None:
        def job(desk: Desk) -> Receipt:
            # with choices the digest is another one: what they lead to is bound by a look at the same moment
            again = undo_preview(desk, preview.change.id, takes=takes, redo=redo)
            shown = again.digest if takes and again is not None else preview.digest
            if redo:
                return desk.redo(takes=takes, shown=shown)
            return desk.undo(preview.change.id, takes=takes, shown=shown)

        assert self.board is not None
        self.busy = True
        try:
            receipt = await self.app.clerk.change(job)
            taken = await board_after(self.app.clerk, self.board)
        except CuratorError as error:
            self.fail(error)
            return
        finally:
            self.busy = False
        await self._reverted(preview, receipt, taken, redo=redo)

    async def _reverted(self, preview: UndoPreview, receipt: Receipt, taken: Board, *, redo: bool) -> None:
        if receipt.change is None:
            self.take_board(taken)
            if receipt.moved:
                self.say((own("the documents changed meanwhile; nothing was written. Press again", role="warn"),))
            for failed in receipt.causes[:1]:
                self.say(refusal(failed))
            return
        session = self.app.session
        session.last = None
        session.made.add(receipt.change)
        self.gone = None
        back = receipt.returned[0] if receipt.returned else None
        if back is not None:
            self.wanted = (back, Edit())
        self.take_board(taken, back)
        words = say("done again: {}" if redo else "taken back: {}", change_words(preview.change))
        more = own("; {} back in the queue", len(receipt.returned)) if receipt.returned else own("")
        self.say((own("{}", words, role="good"), more, own("  (U does it again)" if not redo else "  (u)", role="dim")))
        await self.open_cursor()
