"""Undo and redo, the same on the review and the history screen: the newest change of this person, as a new change.

Here: what is asked before, and what is said after. Not here: what a revert does (``core.reverts``), how a screen shows
what came back (each does so in :meth:`Reverting.reverted`). A change of this run is undone at once; one from an earlier
run is named first and wants ``y``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from curator_tui.core.changes import Receipt
from curator_tui.core.errors import CuratorError
from curator_tui.core.proposals import Edit
from curator_tui.core.reverts import UndoPreview
from curator_tui.curator.desk import Desk
from curator_tui.curator.history import undo_preview
from curator_tui.tui.facts import age
from curator_tui.tui.looking import Board, board_after
from curator_tui.tui.screens.deciding import noted
from curator_tui.tui.screens.moving import Moving
from curator_tui.tui.screens.panes import TwoPanes
from curator_tui.tui.shown import Line, Shown, message, own, say, shown_line
from curator_tui.tui.words import change_words

Takes = Mapping[int, str | None]
_MOVED = "it changed meanwhile. Press again to see what it would do now"
_NAMED = 2  # items that could not come back and are named
_LISTED = 4  # items that are named in a question


class Reverting(TwoPanes):
    """The keys ``u`` and ``U``.

    Attributes:
        board: the queue as last read; None before it was.
    """

    board: Board | None

    async def reverted(self, receipt: Receipt, taken: Board) -> None:
        """Show what a revert left behind, whether it was made or not.

        Args:
            receipt: what became of it.
            taken: the queue after it.
        """
        raise NotImplementedError

    def action_undo(self) -> None:
        """Undo the newest change of this person."""
        self._start(redo=False)

    def action_redo(self) -> None:
        """Undo the newest undo."""
        self._start(redo=True)

    def _start(self, *, redo: bool) -> None:
        if self.board is not None and self.is_free():
            self.busy = True
            self.work(partial(self._look_first, redo=redo), "revert", alone=False)

    async def _look_first(self, *, redo: bool) -> None:
        """See what it would do; ask where that is more than undoing what was just done."""
        try:
            preview = await self.app.clerk.ask(lambda desk: undo_preview(desk, redo=redo))
        except CuratorError as error:
            self.fail(error)
            return
        finally:
            self.busy = False
        if preview is None:
            self.say((own("nothing to redo" if redo else "nothing to undo"),))
        elif preview.refused is not None:
            self.say((own("nothing was written: {}", message(preview.refused.message), role="warn"),))
        elif preview.reverted.moved_on:
            self._ask_moved(preview, redo=redo)
        elif preview.change.id in self.app.session.made:
            self._go(preview, {}, redo=redo)
        else:
            self._ask_older(preview, redo=redo)

    def _ask_older(self, preview: UndoPreview, *, redo: bool) -> None:
        from curator_tui.tui.screens.second import AskScreen

        ago = age(self.app.clerk.desk.now() - preview.change.at)
        if redo:
            lines: list[Line] = [(own("An undo of an earlier run, {} ago: redo undoes it.", ago),)]
        else:
            change = own("{}, {} ago", change_words(preview.change), ago, role="strong")
            lines = [(own("This is a change of an earlier run: "), change)]
        lines += _queue_lines(preview)
        word = say("redo" if redo else "undo")

        def answered(yes: bool | None) -> None:
            if yes:
                self._go(preview, {}, redo=redo)

        self.app.push_screen(AskScreen(word, lines, say("{} it", word)), answered)

    def _ask_moved(self, preview: UndoPreview, *, redo: bool) -> None:
        from curator_tui.tui.screens.moved import MovedScreen

        def answered(takes: Takes | None) -> None:
            if takes is not None:
                self._go(preview, takes, redo=redo)

        self.app.push_screen(MovedScreen(change_words(preview.change), preview.reverted.moved_on), answered)

    def _go(self, preview: UndoPreview, takes: Takes, *, redo: bool) -> None:
        """Begin to write; a question may have been answered after something else began."""
        if self.is_free():
            self.busy = True
            self.work(partial(self._revert, preview, takes, redo=redo), "revert", alone=False)

    async def _revert(self, preview: UndoPreview, takes: Takes, *, redo: bool) -> None:
        assert self.board is not None
        try:
            receipt = await self.app.clerk.change(lambda desk: _carry_out(desk, preview, takes, redo=redo))
            taken = await board_after(self.app.clerk, self.board)
        except CuratorError as error:
            self.fail(error)
            return
        finally:
            self.busy = False
        if receipt.change is not None:
            self.app.session.last = None
            self.app.session.made.add(receipt.change)
        await self.reverted(receipt, taken)
        self.say(noted(receipt, _told(preview, receipt, redo=redo)))


class RevertingReview(Reverting, Moving):
    """Undo on the review screen: the cursor goes to what came back."""

    async def reverted(self, receipt: Receipt, taken: Board) -> None:
        """Show the queue with what came back in its place, under the cursor."""
        back = receipt.returned[0] if receipt.returned else None
        if receipt.change is not None:
            self.gone = None
            if back is not None:
                self.wanted = (back, Edit())
        self.take_board(taken, back)
        await self.open_cursor()


def _queue_lines(preview: UndoPreview) -> list[Line]:
    """Say which records come back to the queue, which are closed again, and which of either cannot be."""
    names = [own("  {} comes back to the queue", shown_line(item.proposal)) for item in preview.returned]
    names += [own("  {} is closed again", shown_line(part.id)) for part in preview.closing]
    names += [own("  {}", message(failed.message), role="warn") for failed in preview.stuck]
    lines: list[Line] = [(part,) for part in names[:_LISTED]]
    more = len(names) - _LISTED
    return [*lines, (own("  and {} more", more, role="dim"),)] if more > 0 else lines


def _carry_out(desk: Desk, preview: UndoPreview, takes: Takes, *, redo: bool) -> Receipt:
    """Revert as it was previewed; chosen texts count only for the three texts they were chosen from."""
    shown = preview.digest
    if takes:
        now = undo_preview(desk, preview.change.id, redo=redo)
        chosen = undo_preview(desk, preview.change.id, takes=takes, redo=redo)
        if now is not None and chosen is not None and now.digest == preview.digest:
            shown = chosen.digest
    return desk.redo(takes=takes, shown=shown) if redo else desk.undo(preview.change.id, takes=takes, shown=shown)


def _told(preview: UndoPreview, receipt: Receipt, *, redo: bool) -> Line:
    """Say what became of it: made, made in part, or why not."""
    told = receipt.causes if receipt.change is None else receipt.not_applied
    causes = [message(failed.message) for failed in told[:_NAMED]]
    stuck = Shown("; ".join(causes))
    if receipt.change is None:
        return (own("nothing was written: {}", stuck or Shown(_MOVED), role="warn"),)
    words = say("redone") if redo else say("undone: {}", change_words(preview.change))
    back = own("; {} back in the queue", len(receipt.returned)) if receipt.returned else own("")
    if stuck:
        more = len(receipt.not_applied) - _NAMED
        rest = own(" (and {} more)", more, role="warn") if more > 0 else own("")
        return (own("{}", words, role="good"), back, own(". {}", stuck, role="warn"), rest)
    return (own("{}", words, role="good"), back, own("  (u undoes this)" if redo else "  (U redoes it)", role="dim"))
