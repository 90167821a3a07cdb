"""Becoming: what the waiting items would be, were the documents others than they are.

Here: looking at the queue against documents as they would stand. Not here: what makes the documents so
(``core.rollbacks``), how it is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from time import perf_counter

from msgspec import Struct, field

from curator_tui.core.documents import Target
from curator_tui.core.preflight import Preflight, Snapshot, State, preflight
from curator_tui.curator.desk import Desk


class Becoming(Struct, frozen=True):
    """What becomes of the items that wait.

    Attributes:
        states: number of items per state they would be in, those left out that stay in theirs.
        total: how many go on waiting.
        unknown: how many of them name a document that changes and were not looked at: of a very long queue some are
            not.
        moved: each that changes its state, as it would be.
    """

    states: Mapping[State, int] = field(default_factory=dict)
    total: int = 0
    unknown: int = 0
    moved: tuple[Preflight, ...] = ()


def becoming(
    desk: Desk, after: Snapshot, changing: AbstractSet[Target], seconds: float, leaving: AbstractSet[str] = frozenset()
) -> Becoming:
    """Return what the waiting items would be, those left out that are ``leaving`` the queue.

    Of a queue that takes longer than ``seconds`` only the beginning is looked at.
    """
    waiting = [proposal for proposal in desk.queue.proposals() if proposal.id not in leaving]
    touched = [proposal for proposal in waiting if not changing.isdisjoint(proposal.targets)]
    moved: list[Preflight] = []
    until, looked = perf_counter() + seconds, 0
    for proposal in touched:
        if perf_counter() >= until:
            break
        looked += 1
        found = preflight(proposal, after)
        if found.state is not desk.queue.conditions(proposal.id)[0]:
            moved.append(found)
    return Becoming(Counter(found.state for found in moved), len(waiting), len(touched) - looked, tuple(moved))
