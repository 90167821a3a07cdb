"""Force: which recorded changes are in force, and which of them a revert takes back together.

Here: what follows from who took back whom. Not here: what a revert does to documents and queue (``reverts``,
``rollbacks``), where takebacks are kept (the stores).

A change is in force as long as no later change in force took it back. What is in force is what documents and queue
show: a change, its undos and its redos are one line, whose members in force always say the same of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heappop, heappush

from msgspec import Struct

from curator_tui.core.changes import NotApplied, PastChange, View
from curator_tui.core.documents import Target


def taken_back(takebacks: Sequence[tuple[str, Sequence[str]]]) -> dict[str, str]:
    """Return the changes that are not in force, each with the change because of which it is not.

    Args:
        takebacks: every change that took others back, oldest first, with their ids.

    A change that is itself taken back takes nothing back any more. Only a later change takes back an earlier
    one, so one walk from the newest to the oldest settles all.
    """
    by: dict[str, str] = {}
    for change, undone in reversed(takebacks):
        if change not in by:
            for name in undone:
                by.setdefault(name, change)
    return by


def standing_for(
    later: Iterable[PastChange],
    find: Callable[[str], PastChange | None],
    takebacks: Sequence[tuple[str, Sequence[str]]],
) -> dict[str, frozenset[Target]]:
    """Return the documents that reverts without an effect on any are about: those of what they took back.

    What was to be brought back may stand there already. The revert decides all the same what is in force of it.

    Args:
        later: changes, reverts among them.
        find: the change of an id, None for an unknown one.
        takebacks: as in :func:`taken_back`.
    """
    taken = dict(takebacks)

    def documents(change: PastChange) -> frozenset[Target]:
        found: set[Target] = set()
        left, seen = list(taken[change.id]), {change.id}
        while left:
            name = left.pop()
            undone = find(name) if name not in seen else None  # a damaged book may run in a circle
            seen.add(name)
            if undone is not None:
                found |= set(undone.after)
                left += () if undone.after else taken.get(name, ())
        return frozenset(found)

    return {change.id: documents(change) for change in later if change.id in taken and not change.after}


def put_out(takebacks: Sequence[tuple[str, Sequence[str]]]) -> dict[str, str]:
    """Return the changes that are not in force, each with the change that put it out of force last, step by step.

    That differs from :func:`taken_back` where something was taken back by several changes, and the newest of these was
    then taken back itself.
    """
    walk = _Walk(takebacks)
    marks: dict[str, str] = {}
    for at, (change, undone) in enumerate(takebacks):
        before = walk.step(at)
        named = set(undone)
        for name in {*before, *named}:
            if not walk.holding.get(name):
                marks.pop(name, None)
            elif name in named or not before.get(name):
                marks[name] = change
    return marks


class _Walk:
    """Who takes back whom while changes are made one after another; each step costs what it turns and no more.

    A change acts unless a later one that acts took it back; what no change that acts takes back is in force.

    Attributes:
        holding: by how many changes that act each one is taken back, so far.
    """

    def __init__(self, takebacks: Sequence[tuple[str, Sequence[str]]]) -> None:
        self.holding: dict[str, int] = {}
        self._undone = [frozenset(undone) for _, undone in takebacks]
        self._place = {change: at for at, (change, _) in enumerate(takebacks)}
        self._acts = [False] * len(takebacks)
        self._later = [0] * len(takebacks)  # of those that take it back and act, how many are later than it

    def step(self, at: int) -> dict[str, int]:
        """Make the next change; return how often each one it turned in any way was taken back before."""
        before: dict[str, int] = {}
        turning = [-at]
        while turning:
            # from the newest on: whatever could turn a change has turned by then
            place = -heappop(turning)
            if self._acts[place] == (not self._later[place]):
                continue
            self._acts[place] = not self._acts[place]
            more = 1 if self._acts[place] else -1
            for name in self._undone[place]:
                held = self.holding.get(name, 0)
                before.setdefault(name, held)
                self.holding[name] = held + more
                earlier = self._place.get(name, place)
                if earlier < place:
                    self._later[earlier] += more
                    heappush(turning, -earlier)
        return before


class ForceAfter(Struct, frozen=True):
    """What becomes of other changes once some are taken back.

    Attributes:
        restores: ids of those that come into force.
        silences: ids of those that go out of it.
    """

    restores: tuple[str, ...] = ()
    silences: tuple[str, ...] = ()


def force_after(view: View, change: str, takebacks: tuple[str, ...]) -> ForceAfter:
    """Return which other changes come into force, and which go out of it, once ``takebacks`` are taken back."""
    before = taken_back(view.takebacks)
    after = taken_back((*view.takebacks, (change, takebacks)))
    return ForceAfter(
        tuple(name for name in before if name not in after),
        tuple(name for name in after if name not in before and name not in takebacks),
    )


def going_along(view: View, change: str) -> tuple[str, ...]:
    """Return what a revert of a change takes back: the change first, then what else is in force of its line.

    After an undo and a redo both the change and the redo are in force and stand for one effect: an undo of either
    one alone would leave the other in force for something that is not there. Where the change itself took others
    back, their later undos go along: the documents show them again.
    """
    out, origin = taken_back(view.takebacks), _origin(view.reverts, change)
    line = (name for name in (origin, *view.reverts) if name != change and _origin(view.reverts, name) == origin)
    going = (change, *(name for name in dict.fromkeys(line) if name not in out))
    return going if origin in out else (*going, *_undone_since(view, origin, going))


def _undone_since(view: View, origin: str, going: tuple[str, ...]) -> tuple[str, ...]:
    """Return the undos that keep out of force what a change took out of it, although that change is taken back."""
    place = next((n for n, (taker, _) in enumerate(view.takebacks) if taker == origin), None)
    if place is None:
        return ()
    before = taken_back(view.takebacks[:place])
    wanted = [name for name in view.takebacks[place][1] if name not in before]
    later = {taker for taker, _ in view.takebacks[place:] if taker in view.reverts}
    more: dict[str, None] = {}
    while True:
        after = taken_back((*view.takebacks, ("", (*going, *more))))
        found = [after[name] for name in wanted if after.get(name) in later]
        if not found:
            return tuple(more)
        more.update(dict.fromkeys(found))


def still_out(view: View, stamped: str, change: PastChange, takebacks: tuple[str, ...]) -> NotApplied | None:
    """Return why a redo would be of no use: what was undone stays out of force because of another change as well."""
    origin = _origin(view.reverts, change.id)
    if origin not in taken_back(view.takebacks):
        return None
    by = taken_back((*view.takebacks, (stamped, takebacks))).get(origin)
    if by is None:
        return None
    message = f"change {origin}, which it undid, is taken back by change {by} as well: undo that first"
    return NotApplied(change.id, "decided", "taken-back-twice", message)


def _origin(reverts: Mapping[str, str], change: str) -> str:
    """Return the change that all undos and redos of a line go back to."""
    seen = {change}
    while (earlier := reverts.get(change)) is not None and earlier not in seen:  # a damaged book may run in a circle
        change = earlier
        seen.add(change)
    return change
