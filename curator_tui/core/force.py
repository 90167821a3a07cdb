"""Force: which recorded changes are in force, and which of them a revert takes back together.

Here: what follows from who took back whom. Not here: what a revert does to documents and queue (``reverts``,
``rollbacks``), where takebacks are kept (the stores).

A change is in force as long as no later change in force took it back. What is in force is what documents and queue
show: a change, its undos and its redos are one line, whose members in force always say the same of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from curator_tui.core.changes import NotApplied, PastChange, View


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


def put_out(takebacks: Sequence[tuple[str, Sequence[str]]]) -> dict[str, str]:
    """Return the changes that are not in force, each with the change that put it out of force last, step by step.

    That differs from :func:`taken_back` where something was taken back by several changes, and the newest of these was
    then taken back itself.
    """
    marks: dict[str, str] = {}
    before: dict[str, str] = {}
    for count, (change, undone) in enumerate(takebacks, 1):
        after = taken_back(takebacks[:count])
        marks = {name: mark for name, mark in marks.items() if name in after}
        marks.update({name: change for name in after if name in undone or name not in before})
        before = after
    return marks


def force_after(view: View, change: str, takebacks: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return which other changes come into force, and which go out of it, once ``takebacks`` are taken back."""
    before = taken_back(view.takebacks)
    after = taken_back((*view.takebacks, (change, takebacks)))
    restores = tuple(name for name in before if name not in after)
    silences = tuple(name for name in after if name not in before and name not in takebacks)
    return restores, silences


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
