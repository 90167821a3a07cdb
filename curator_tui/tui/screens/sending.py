"""Sending what was decided on a screen: what comes before a change and after it, the same wherever it was decided.

Here: one thing at a time, the change, what is remembered of it for this run, what is said of it and whether it can be
undone. Not here: what is decided and in which words (the screens and their parts), how a screen shows what became of
it (:meth:`Reverting.reverted`, ``review.going_on``).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from msgspec import Struct

from curator_tui.core.changes import Receipt
from curator_tui.core.errors import CuratorError
from curator_tui.core.requests import Kind
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Board
from curator_tui.tui.actions import key_for
from curator_tui.tui.clerk import board_after
from curator_tui.tui.shown import EMPTY, Line, Shown, own
from curator_tui.tui.words import noted, refusal
from curator_tui.tui.working import DecidedGroup

if TYPE_CHECKING:
    from curator_tui.tui.app import CuratorApp
    from curator_tui.tui.screens.reverting import Reverting

T = TypeVar("T")
Show = Callable[[Receipt, Board], Awaitable[None]]


class Done(Struct, frozen=True):
    """What is remembered and said of a change that was made.

    Attributes:
        words: what was done; this is what undoing it is called, too.
        more: what only belongs to saying so, right behind these words.
        rest: what is said behind all of it.
        ended: items that left the queue with it for good, unless it is undone.
        away: items that left the list and will be back.
    """

    words: Shown
    more: Shown = Shown("")
    rest: Line = ()
    ended: Sequence[str] = ()
    away: Sequence[str] = ()


class Made(NamedTuple):
    """A change that was made elsewhere than on the screen that shows what became of it.

    Attributes:
        taken: the queue after it.
        line: what is said of it.
    """

    taken: Board
    line: Line


class Sending:
    """Carries out what was decided on one screen."""

    def __init__(self, screen: Reverting) -> None:
        self.screen = screen

    def begin(self, job: Callable[[], Awaitable[T]], then: Callable[[T], Awaitable[None]], group: DecidedGroup) -> None:
        """Do a job while nothing else is decided on this screen, and then what follows from its answer.

        Nothing begins while another one is under way, and it is said so: a question may have been answered after
        something else began.
        """
        if self.screen.is_free():
            self.screen.busy = True
            self.screen.work(partial(self._do, job, then), group, alone=False)

    async def _do(self, job: Callable[[], Awaitable[T]], then: Callable[[T], Awaitable[None]]) -> None:
        try:
            found = await job()
        finally:
            self.screen.busy = False
        await then(found)

    def send(
        self,
        job: Callable[[Desk], Receipt],
        told: Callable[[Receipt], Done],
        refused: Show,
        *,
        show: Show | None = None,
        group: DecidedGroup = "send",
    ) -> None:
        """Make a change; remember it, show what became of it and say so.

        Args:
            job: makes it.
            told: says in words what was done.
            refused: shows and says why nothing was written.
            show: shows what was written, where the screen does not do so as after a revert.
            group: of the jobs it belongs to.
        """

        async def then(receipt: Receipt, taken: Board) -> None:
            if receipt.change is None:
                await refused(receipt, taken)
                return
            line = made_line(self.screen.app, receipt, told(receipt))
            await (show or self.screen.reverted)(receipt, taken)
            self.screen.say(line)

        self._begin_change(job, then, group)

    def revert(self, job: Callable[[Desk], Receipt], reverted: str, words: Callable[[Receipt], Line]) -> None:
        """Undo or redo a change; show what became of it and say so, whether it was made or not.

        Args:
            job: makes it.
            reverted: id of the change that is reverted.
            words: says what became of it.
        """

        async def then(receipt: Receipt, taken: Board) -> None:
            if receipt.change is not None and receipt.applied:
                self.screen.app.session.note_revert(receipt.change, reverted, redo=receipt.kind is Kind.REDO)
            await self.screen.reverted(receipt, taken)
            self.screen.say(noted(receipt, (*_in_part(receipt), *words(receipt))))

        self._begin_change(job, then, "revert")

    def _begin_change(self, job: Callable[[Desk], Receipt], then: Show, group: DecidedGroup) -> None:
        async def known(answer: tuple[Receipt, Board] | None) -> None:
            if answer is not None:
                await then(*answer)

        self.begin(partial(self._change, job), known, group)

    async def _change(self, job: Callable[[Desk], Receipt]) -> tuple[Receipt, Board] | None:
        """Return what became of a change, and the queue after it; None where it failed, and that was said."""
        screen = self.screen
        assert screen.board is not None
        screen.spend()
        try:
            return await change_now(screen.app, job, screen.board)
        except CuratorError as error:
            screen.fail(error)
            await screen.unspend()
            return None


async def change_now(app: CuratorApp, job: Callable[[Desk], Receipt], before: Board) -> tuple[Receipt, Board]:
    """Make a change; return what became of it, and the queue after it."""
    receipt = await app.clerk.change(job)
    return receipt, await board_after(app.clerk, before)


def made_line(app: CuratorApp, receipt: Receipt, told: Done) -> Line:
    """Remember a change of this run, forget what was there for the items that left with it, and return what is said."""
    app.session.put_away(told.away)
    app.session.note(receipt, told.words, app.clerk.desk.now(), told.ended)
    app.hint = EMPTY  # whoever decided knows how; the banner goes with the queue that is shown next
    app.gate.forget(told.ended)
    return done_line(receipt, told)


def done_line(receipt: Receipt, told: Done) -> Line:
    """Say what was done and what was not, that it can be undone where it can, and what else is worth saying of it."""
    rest = (*refusal(receipt.not_applied[0]), *told.rest) if receipt.not_applied else told.rest
    promise = (*undoes(receipt), *((own("; "),) if receipt.undoable and rest else ()), *rest)
    part = _in_part(receipt)
    done = own("{}{}. " if promise else "{}{}", told.words, told.more, role="warn" if part else "good")
    return noted(receipt, (*part, done, *promise))


def _in_part(receipt: Receipt) -> Line:
    """Say first of a change that something was written, and not what was asked for: a document was given up."""
    partly = receipt.change is not None and receipt.not_applied and not receipt.applied
    return (own("only in part, and so not done: ", role="warn"),) if partly else ()


def undoes(receipt: Receipt) -> Line:
    """Promise an undo, where the change has anything in it that could be taken back."""
    return (own("{} undoes it", key_for("undo")),) if receipt.undoable else ()
