"""Many at once: which waiting items may be approved along with others, and why the rest stays out.

Here: groups of different outcomes, the list behind ``--all-ready``. Not here: which conditions keep an item out and
when outcomes differ (``core.review``), what a plan makes of the items (``core.settling``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from curator_tui.core.changes import NotApplied
from curator_tui.core.preflight import State
from curator_tui.core.review import ALTERNATIVES, different_outcomes, may_go_along, plan_problem
from curator_tui.curator.queue_model import QueueModel


class Many:
    """The waiting items of one queue, looked at together.

    Args:
        queue: the queue as last read.
    """

    def __init__(self, queue: QueueModel) -> None:
        self._queue = queue
        # by the first member of a group: its members when they were counted, and how many outcomes they want
        self._counted: dict[str, tuple[tuple[str, ...], int]] = {}

    def alternatives(self, name: str) -> int:
        """Return how many different outcomes wait for the entry of one item; counted once per group."""
        members = self._queue.group(name)
        if len(members) == 1:
            return 1
        known = self._counted.get(members[0])
        if known is None or known[0] is not members:
            waiting = (self._queue.proposal(member) for member in members)
            count = different_outcomes(proposal for proposal in waiting if proposal is not None)
            known = self._counted[members[0]] = members, count
        return known[1]

    def ready(self) -> tuple[str, ...]:
        """Return the ids of all items that apply or close without a question; of different outcomes none.

        Raises:
            Unreadable: nobody can tell what is deferred, and so is not meant.
        """
        self._queue.deferrals.must_be_known()
        return tuple(
            proposal.id
            for proposal in self._queue.proposals()
            if may_go_along(self._queue.conditions(proposal.id)) and not self.asks_choice(proposal.id)
        )

    def asks_choice(self, name: str) -> bool:
        """Whether one of several outcomes has to be chosen before an item is applied; what is done only closes."""
        return State.NO_CHANGE not in self._queue.conditions(name) and self.alternatives(name) > 1

    def left_out(self, ready: Sequence[str], superseders: Mapping[str, str] = {}) -> tuple[NotApplied, ...]:
        """Return every waiting item that is not among ``ready``, each with its own reason.

        Args:
            ready: what is taken.
            superseders: by stale item the decided one that took its entry, where that is known.
        """
        taken = set(ready)
        left = (proposal.id for proposal in self._queue.proposals() if proposal.id not in taken)
        return tuple(self._why_not(name, superseders.get(name)) for name in left)

    def _why_not(self, name: str, by: str | None) -> NotApplied:
        if by is not None:
            return NotApplied(name, str(State.STALE), "superseded", f"superseded by {by}")
        refused = plan_problem(self._queue.found(name))
        if refused is None:
            return NotApplied(name, str(self._queue.conditions(name)[0]), ALTERNATIVES.code, ALTERNATIVES.message)
        state, problem = refused
        return NotApplied(name, str(state), problem.code, problem.message)
