"""What a revert or a rollback does to asides: deferrals and questions; its row names what it takes back, and no more.

Here: that part of the answer. Not here: what moves (``asides``), the rest of a revert (``reverts``, ``rollbacks``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec import Struct

from curator_tui.core.asides import AsideRevert, line_of, revert_asides
from curator_tui.core.changes import Applied, PastChange, Returned, View
from curator_tui.core.deferrals import deferred_notes
from curator_tui.core.endings import Ending
from curator_tui.core.requests import Request


class AsidesReverted(Struct, frozen=True):
    """What becomes of asides when changes go out of force or come into it again.

    Attributes:
        returned: ids that are back in the queue: items that are deferred no more, questions that are open again.
        opened: those of ``returned`` that are questions.
        closed: how those end that leave it again: deferred, answered, withdrawn.
        notes: items that come back with the revert and are deferred again at once.
    """

    returned: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    closed: tuple[Applied, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def moves(self) -> bool:
        """Whether anything moves."""
        return bool(self.returned or self.closed)

    def bound(self) -> list[list[str]]:
        """Return what a digest of the revert holds of it."""
        return [[name, ""] for name in self.returned] + [[one.id, str(one.ending)] for one in self.closed]


def moves_asides(view: View, change: PastChange) -> bool:
    """Whether a change, or one it took back, recorded asides."""
    return not view.asides.of(line_of(view.takebacks, change.id)).empty


def asides_reverted(
    view: View,
    request: Request,
    out: Collection[str],
    restored: Collection[str],
    *,
    returned: Iterable[Returned],
    leaving: Collection[str] = (),
) -> AsidesReverted:
    """Work out what moves.

    Args:
        view: with all asides.
        request: the revert.
        out: ids of the changes that go out of force.
        restored: ids of those that come into it.
        returned: the records that come back with it.
        leaving: ids of those that are closed again.
    """
    if view.asides.empty:
        return AsidesReverted()
    moved = revert_asides(view.asides, out, restored, request.today)
    back = [Applied(one.proposal, Ending.RETURNED) for one in moved.back if _waits(view, one.proposal, one.digest)]
    staying = (one for one in moved.away if one.proposal not in leaving)
    away = [Applied(one.proposal, Ending.DEFER) for one in staying if _waits(view, one.proposal, one.digest)]
    then = view.asides.after(out, restored)
    opened = tuple(one.question for one in moved.opened)
    return AsidesReverted(
        (*(one.id for one in back), *opened),
        opened,
        (*away, *_questions(moved)),
        deferred_notes(then, returned, request.today),
    )


def _waits(view: View, name: str, digest: str) -> bool:
    waiting = view.waiting.get(name)
    return waiting is not None and waiting.proposal.digest == digest


def _questions(moved: AsideRevert) -> tuple[Applied, ...]:
    answered = (Applied(one.question, Ending(str(one.verb))) for one in moved.answered)
    return (*answered, *(Applied(one.question, Ending.WITHDRAWN) for one in moved.withdrawn))
