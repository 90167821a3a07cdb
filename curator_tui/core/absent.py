"""Absent effects: changes that count as applied although an older state of their document was put back from outside.

Here: finding them in what is recorded of one document, and when a person has settled one. Not here: reading that (the
stores), the words for it (``curator.doctor``).

What another program writes is its own affair and is recorded as such; but where a document stands as it stood before
changes that are in force, the ledger says that these were applied, and agents do not read it. A later decision about
the document does not make that right, so it is known until the change is taken back, its items wait again, or its
effect stands again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from curator_tui.core.changes import PastChange
from curator_tui.core.documents import Target, parse

_Raw = bytes | None
_Entries = frozenset[str]


class Absent(Struct, frozen=True):
    """One change in force whose effect on a document was lost.

    Attributes:
        change: the change.
        items: ids of the items it closed for that document, which can be decided again.
        since: whether the document was changed by one of our own changes since then.
    """

    change: str
    items: tuple[str, ...]
    since: bool


def absent_changes(target: Target, changes: Sequence[PastChange], now: _Raw) -> list[Absent]:
    """Return the changes in force whose effect on a document is absent, oldest first.

    Args:
        target: which document.
        changes: recorded changes, oldest first; what was put back to before the first of them cannot be told.
        now: the bytes of the document as it stands.
    """
    returned = {(one.change, one.proposal) for change in changes for one in change.returned}
    own = [change for change in changes if target in change.after]
    states = _States(target, own, now)
    found: dict[str, Absent] = {}
    for last, first in _put_back(target, own, now):
        for place in range(first, last + 1):
            change = own[place]
            items = [one.proposal for one in change.closed if target in one.targets or not one.targets]
            waits = bool(items) and all((change.id, item) in returned for item in items)
            before, after = change.before.get(target), change.after[target]
            if change.undone_by is None and not waits and not states.shows(before, after, last + 1):
                found.setdefault(change.id, Absent(change.id, tuple(items), last + 1 < len(own)))
    return list(found.values())


def _put_back(target: Target, own: Sequence[PastChange], now: _Raw) -> Iterator[tuple[int, int]]:
    """Yield where an older state was put back: the place of the last change before that, and of the first one lost."""
    stood: dict[_Raw, int] = {}
    for place, change in enumerate(own):
        stood[change.before.get(target)] = place
        following = own[place + 1].before.get(target) if place + 1 < len(own) else now
        if following != change.after[target] and following in stood:
            yield place, stood[following]


class _States:
    """The states in which one document was found or left, each by its entries; None for one that cannot be read."""

    def __init__(self, target: Target, own: Sequence[PastChange], now: _Raw) -> None:
        self._target = target
        self._states = [raw for change in own for raw in (change.before.get(target), change.after[target])]
        self._states.append(now)
        self._known: dict[_Raw, _Entries | None] = {}

    def shows(self, before: _Raw, after: _Raw, place: int) -> bool:
        """Whether part of what a change did stood in a state from the one in front of a place on, or nobody can tell.

        In that one an older state had been put back.
        """
        later = self._states[2 * place :]
        old, new, back = (self._entries(raw) for raw in (before, after, later[0]))
        if old is None or new is None or back is None:
            return True
        if old == new:  # it only changed how the entries are written
            return len(later) > 1
        gained, lost = new - old, old - new
        if gained:
            lost &= back  # what was not put back was replaced by nobody
        readable = (entries for raw in later if (entries := self._entries(raw)) is not None)
        return any(gained & entries or not lost <= entries for entries in readable)

    def _entries(self, raw: _Raw) -> _Entries | None:
        if raw not in self._known:
            document = parse(self._target, raw)
            self._known[raw] = frozenset(document.entries) if document.usable else None
        return self._known[raw]
