"""Upheld decisions: whether the documents show what a decision did, where its item would be closed by it once more.

Here: which change decided an item first, and which items may not be closed again. Not here: what is closed again
(``reverts``, ``rollbacks``), the search for effects that were lost already (``absent``).

Others may have written over an effect meanwhile, and what only returned items has no entries to bring back. A record
that left the queue as approved while no document shows what it asks for would be lost to everybody. What a later
recorded change took away is another matter: that was decided, and the item was closed all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct, field

from curator_tui.core.changes import Decided, PastChange, View
from curator_tui.core.documents import TARGETS, Document, Target, parse
from curator_tui.core.endings import EFFECTIVE, WROTE, Ending
from curator_tui.core.preflight import Snapshot, State, preflight
from curator_tui.core.proposals import Proposal
from curator_tui.core.requests import REVERTING, Kind
from curator_tui.core.settling import pinned_proposal

_Facts = frozenset[tuple[Target, str]]


def deciders(
    items: Iterable[Decided],
    find: Callable[[str], PastChange | None],
    takebacks: Iterable[tuple[str, Sequence[str]]],
    earlier: Callable[[Decided, str], Iterable[str]],
) -> dict[tuple[str, str], PastChange]:
    """Return the changes that decided items, by item id and the change that closed it last.

    Args:
        items: how they were closed last, by a decision or by a revert of one.
        find: the change of an id, None for an unknown one.
        takebacks: as in ``View.takebacks``.
        earlier: ids of the changes that decided the record of an item before a change did, newest first, no reverts.
    """
    taken = dict(takebacks)
    asked = [item for item in items if item.ending in EFFECTIVE]
    found = {(item.proposal, item.change): _decider(item, find, taken, earlier) for item in asked}
    return {key: change for key, change in found.items() if change is not None}


def _decider(
    item: Decided,
    find: Callable[[str], PastChange | None],
    taken: Mapping[str, Sequence[str]],
    earlier: Callable[[Decided, str], Iterable[str]],
) -> PastChange | None:
    """Go from a revert to the change that had returned the item, which names how it was closed before that.

    A rollback of one document takes back a part of what changed both, and no list names that: then the last decision
    is meant that ended the item so.
    """
    record, seen = (item.proposal, item.digest), {item.change}
    change = find(item.change)
    while change is not None and change.kind in REVERTING:
        names = (*([change.reverts] if change.reverts is not None else ()), *taken.get(change.id, ()))
        back = (one for name in names if (past := find(name)) is not None for one in past.returned)
        before = next((one.change for one in back if (one.proposal, one.digest) == record), None)
        if before is None and change.kind is Kind.ROLLBACK:
            decided = (find(name) for name in earlier(item, change.id))
            return next((one for one in decided if one is not None and _ended_so(one, item)), None)
        if before is None or before in seen:  # a damaged book may run in a circle
            return None
        seen.add(before)
        change = find(before)
    return change


def _ended_so(change: PastChange, item: Decided) -> bool:
    """Whether a change ended the same record in the same way."""
    wanted = (item.proposal, item.digest, item.ending)
    return any((one.proposal, one.digest, one.ending) == wanted for one in change.closed)


def since_deciders(
    deciders: Iterable[PastChange], changes: Callable[[str], Sequence[PastChange]], moving: Iterable[PastChange]
) -> tuple[PastChange, ...]:
    """Return what was decided about documents since the oldest decider and is in force afterwards, oldest first.

    A revert decides nothing anew: what it took back is out of force.

    Args:
        deciders: the changes that decided something.
        changes: a change and all later ones, oldest first, by its id.
        moving: the changes to take back, which are not in force afterwards; what they had put out of force is.
    """
    oldest = min(deciders, key=lambda change: change.seq, default=None)
    if oldest is None:
        return ()
    out = {change.id for change in moving}
    return tuple(
        one
        for one in changes(oldest.id)
        if one.after
        and one.kind not in REVERTING
        and one.id not in out
        and (one.undone_by is None or one.undone_by in out)
    )


def lacking(
    view: View, documents: Mapping[Target, bytes | None], closing: Sequence[Decided]
) -> dict[str, tuple[Target, ...]]:
    """Return the items whose decision the documents would not show, each with the documents that do not.

    Args:
        view: with the records that wait, and their deciders.
        documents: new bytes of the documents that change.
        closing: how the items would be closed again.
    """
    after = {target: view.snapshot.document(target) for target in TARGETS}
    after |= {target: parse(target, raw) for target, raw in documents.items()}
    asked = [item for item in closing if item.ending in EFFECTIVE and item.proposal in view.waiting]
    as_written = [view.waiting[item.proposal].proposal for item in asked if item.ending is Ending.APPROVE]
    claims = frozenset(fact for proposal in as_written for fact in _brought(proposal))
    looked = _Looked(view, after, _facts(after), claims)
    found = {item.proposal: looked.lacking(item) for item in asked}
    return {name: targets for name, targets in found.items() if targets}


class _Effect(Struct, frozen=True):
    """What a change did to the documents it touched: facts it brought, facts it took away, and all it left."""

    gained: _Facts
    lost: _Facts
    left: _Facts


class _Looked(Struct):
    """The documents as they would be, against which decisions are held.

    Attributes:
        view: what there is.
        documents: the documents as they would be.
        standing: their entries.
        claims: texts that items approved as they were bring themselves, so that no edited one is held against them.
        effects: what changes did, as far as they were looked at.
    """

    view: View
    documents: Mapping[Target, Document]
    standing: _Facts
    claims: _Facts
    effects: dict[str, _Effect] = field(default_factory=dict)

    def lacking(self, item: Decided) -> tuple[Target, ...]:
        """Return the documents that would not show how an item was decided."""
        proposal = self.view.waiting[item.proposal].proposal
        decider = self.view.deciders.get((item.proposal, item.change))
        targets = item.targets or proposal.targets
        if decider is None:
            return targets if item.ending is not Ending.SUPERSEDED and not self._in_effect(proposal) else ()
        away, back = self._decided_since(decider)
        if item.ending is Ending.ALREADY and not set(targets) <= set(decider.after):
            there = self._in_effect(proposal) or _brought(proposal) & away or _wrote_beside(decider, targets)
            return () if there else targets
        wanted, gone = self._effect_of(item, proposal, decider, targets)
        wrong = {target for target, _ in (wanted - away - self.standing) | ((gone - back) & self.standing)}
        return tuple(target for target in TARGETS if target in wrong)

    def _effect_of(
        self, item: Decided, proposal: Proposal, decider: PastChange, targets: Sequence[Target]
    ) -> tuple[_Facts, _Facts]:
        """Return the facts that have to stand, and those that may not, of what a change did for one item."""
        effect = self._effect(decider)
        before = Snapshot({target: parse(target, raw) for target, raw in decider.before.items()})
        pinned = pinned_proposal(proposal, before, self.view.pins.get(proposal.id, {}))
        brought, taken = _brought(pinned), _taken(pinned)
        if item.ending is Ending.SUPERSEDED:
            return frozenset(), taken & effect.lost
        if item.ending is Ending.ALREADY:
            return brought & effect.left, taken & effect.lost
        wanted, gone = brought & effect.gained, taken & effect.lost
        if item.ending is Ending.APPROVE and (wanted or gone):
            return wanted, gone
        # edited, or changed again within the same plan: what its texts became only the change as a whole tells
        claims = self.claims if item.ending is Ending.EDIT else frozenset()
        wanted = frozenset(one for one in effect.gained - claims if one[0] in targets)
        return wanted, frozenset(one for one in effect.lost if one[0] in targets)

    def _decided_since(self, decider: PastChange) -> tuple[_Facts, _Facts]:
        """Return the facts that decisions since took away, and those that they brought back."""
        away: _Facts = frozenset()
        back: _Facts = frozenset()
        for change in self.view.since:
            if change.seq > decider.seq:
                effect = self._effect(change)
                away, back = (away | effect.lost) - effect.gained, (back | effect.gained) - effect.lost
        return away, back

    def _in_effect(self, proposal: Proposal) -> bool:
        found = preflight(proposal, Snapshot(self.documents, self.view.snapshot.limits), helped=False)
        return State.NO_CHANGE in found.conditions

    def _effect(self, change: PastChange) -> _Effect:
        if change.id not in self.effects:
            before = _facts({target: parse(target, raw) for target, raw in change.before.items()})
            after = _facts({target: parse(target, raw) for target, raw in change.after.items()})
            self.effects[change.id] = _Effect(after - before, before - after, after)
        return self.effects[change.id]


def _facts(documents: Mapping[Target, Document]) -> _Facts:
    return frozenset((target, entry) for target, document in documents.items() for entry in document.entries)


def _brought(proposal: Proposal) -> _Facts:
    return frozenset((one.target, one.content) for one in proposal.operations if one.content is not None)


def _taken(proposal: Proposal) -> _Facts:
    return frozenset((one.target, one.pin) for one in proposal.operations if one.pin is not None)


def _wrote_beside(change: PastChange, targets: Sequence[Target]) -> bool:
    """Whether a change approved other items of these documents, although it left them as they were."""
    return any(one.ending in WROTE and not set(targets).isdisjoint(one.targets) for one in change.closed)
