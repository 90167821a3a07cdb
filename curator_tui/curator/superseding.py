"""Superseding: which earlier decision took the entry that a waiting item meant.

Here: from recorded changes to the item that asked for them. Not here: that an item is stale (``core.preflight``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from curator_tui.core.changes import Decided, PastChange
from curator_tui.core.documents import DEFAULT_LIMITS, TARGETS, Target, parse
from curator_tui.core.endings import WROTE
from curator_tui.core.preflight import Snapshot
from curator_tui.core.proposals import Proposal
from curator_tui.core.settling import pinned_proposal
from curator_tui.stores.port import Store

# How many recent changes are looked through.
_LOOKED_AT = 200

Place = tuple[Target, str]


class Superseding:
    """Answers which decision took an entry, and looks through the changes again only once the ledger has grown."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._head: tuple[int, str] | None = None
        self._known: dict[frozenset[Place], str] = {}

    def superseders(self, stale: Sequence[Proposal]) -> dict[str, str]:
        """Return by item id which decided item took the entry a stale proposal meant, where that is known.

        The newest change in force that took the entry counts; one that no item asked for names nobody.
        """
        head = self._store.book.head()
        if head != self._head:
            self._known.clear()
            self._head = head
        meant = {proposal.id: frozenset(_pins(proposal)) for proposal in stale}
        fresh = {places for places in meant.values() if places and places not in self._known}
        if fresh:
            takers = _takers(self._store, frozenset().union(*fresh))
            self._known |= {places: _first(takers, places) for places in fresh}
        return {name: by for name, places in meant.items() if (by := self._known.get(places))}


def _pins(proposal: Proposal) -> Iterable[Place]:
    return ((step.target, step.pin) for step in proposal.operations if step.pin is not None)


def _first(takers: Iterable[Mapping[Place, str]], places: frozenset[Place]) -> str:
    return next((taken[place] for taken in takers for place in taken if place in places), "")


def _takers(store: Store, meant: frozenset[Place]) -> list[Mapping[Place, str]]:
    """Return for recent changes in force, newest first, which item took which of these entries."""
    takers: list[Mapping[Place, str]] = []
    for change in store.book.changes(_LOOKED_AT):
        gone = meant & _gone(change) if change.undone_by is None else frozenset()
        if gone:
            takers.append(_by_item(store, change, gone))
    return takers


def _gone(change: PastChange) -> frozenset[Place]:
    """Return the entries a change took from the documents."""
    return frozenset(
        (target, entry)
        for target, raw in change.before.items()
        for entry in set(parse(target, raw).entries) - set(parse(target, change.after.get(target)).entries)
    )


def _by_item(store: Store, change: PastChange, gone: Iterable[Place]) -> dict[Place, str]:
    """Say for each entry a change took which of its items asked for it; empty where nobody can tell."""
    written = [item for item in change.closed if item.ending in WROTE]
    digests = {item.proposal: item.digest for item in written}
    before = Snapshot({target: parse(target, change.before.get(target)) for target in TARGETS}, DEFAULT_LIMITS)
    recorded = store.book.pins(digests) if len(written) > 1 else {}
    took: dict[Place, str] = {}
    for item in written if len(written) > 1 else ():
        if item.raw is not None:
            read = pinned_proposal(store.queue.parse(item.proposal, item.raw), before, recorded.get(item.proposal, {}))
            took |= dict.fromkeys(_pins(read), item.proposal)
    return {place: took.get(place) or _only(written, place[0]) for place in gone}


def _only(written: Sequence[Decided], target: Target) -> str:
    """Return the one item that wrote a document; empty where several did."""
    names = [item.proposal for item in written if not item.targets or target in item.targets]
    return names[0] if len(names) == 1 else ""
