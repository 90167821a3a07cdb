"""Room: which waiting items, decided first, would let one fit that does not.

Here: choosing among what waits. Not here: how many of them it takes (``core.preflight``), that an item does not fit.
"""

from __future__ import annotations

from curator_tui.core.documents import Target
from curator_tui.core.preflight import Preflight, State, room_makers
from curator_tui.curator.queue_model import QueueModel


def room_for(queue: QueueModel, found: Preflight) -> tuple[str, ...]:
    """Return ids of waiting items that would make room for one that is over the limit; none for any other."""
    if State.OVER_LIMIT not in found.conditions:
        return ()
    target, part = next(
        (target, part)
        for target, part in found.outcome.items()
        if part.limit is not None and part.size_after > part.limit
    )
    assert part.limit is not None
    needed = part.size_after - part.limit
    return room_makers(needed, _shrinking(queue, target, needed, besides=found.proposal.id))


def _shrinking(queue: QueueModel, target: Target, needed: int, *, besides: str) -> list[Preflight]:
    """Return items that free room without a question, largest first, no more than it takes: thousands may wait."""
    freed: set[tuple[Target, str | None]] = set()
    chosen: list[Preflight] = []
    for other in queue.shrinking():
        takes = {(step.target, step.pin) for step in other.operations if step.destructive}
        if other.id == besides or target not in other.targets or takes & freed:
            continue
        if queue.conditions(other.id) == (State.READY,):
            chosen.append(queue.found(other.id))
            freed |= takes
            needed += chosen[-1].growth()
        if needed <= 0:
            break
    return chosen
