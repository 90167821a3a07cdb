"""The queue as people see it: rows, groups, states computed in the background, counts.

Here: a read model over a store's waiting proposals. Nothing decides on it: a decision is planned anew under the lock.
Not here: what a state means (``core.preflight``), how a row is drawn.

What is painted is always computed; a row whose state is not known yet says so and is never guessed.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from curator_tui.core.preflight import STATES, Preflight, Snapshot, State, conditions_of, preflight
from curator_tui.core.proposals import Proposal
from curator_tui.core.requests import Pinned
from curator_tui.core.settling import pinned_proposal
from curator_tui.curator.calendar import local_day
from curator_tui.curator.deferrals import Deferrals
from curator_tui.stores.port import Store

_RANK = {state: rank for rank, state in enumerate(STATES)}
# The order of the queue on screen: what can be settled at once first, what needs thought last.
DISPLAY_ORDER: tuple[State, ...] = (
    State.READY,
    State.NO_CHANGE,
    State.LOSSY,
    State.FLAGGED,
    State.OVER_LIMIT,
    State.AMBIGUOUS,
    State.STALE,
    State.INVALID,
    State.UNREADABLE,
)


class GivenUp(Exception):
    """A long look was given up half-way: nobody waits for its answer any more."""


class Row(Struct, frozen=True, gc=False):
    """One row of the queue: a proposal, or a group of alternatives for the same entry.

    Attributes:
        proposal: the row's own proposal (the oldest of its group), with pins.
        members: all item ids behind the row, oldest first; one for a proposal that stands alone.
        conditions: its conditions, empty while not computed yet.
        whose: whose memory it is about, where the queue is that of many people; else empty.
        people: how often the same fact waits for all of them; 1 for what waits once.
        digests: of the records behind a row of several, in the order of ``members``.
    """

    proposal: Proposal
    members: tuple[str, ...]
    conditions: tuple[State, ...]
    whose: str = ""
    people: int = 1
    digests: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Item id of the row's own proposal."""
        return self.proposal.id

    @property
    def state(self) -> State | None:
        """The state shown, None while not computed yet."""
        return self.conditions[0] if self.conditions else None

    @property
    def records(self) -> dict[str, str]:
        """The digest of each record behind the row, by item id."""
        return dict(zip(self.members, self.digests or (self.proposal.digest,), strict=False))


class QueueModel:
    """Rows, counts and pins of one desk; lives in memory for as long as the desk is open.

    Args:
        store: whose queue.
        clock: seconds, for budgets.
        first: only glance at the queue for now: about so many proposals as their records are, without documents,
            pins, groups and states, deferred ones among them. The first :meth:`refresh` reads everything.
        today: returns the person's day, as ``2026-12-24``.

    Attributes:
        deferrals: what is deferred, and is in no row, page, group, plan or count.
        given_up: asked before each item whether the look that goes on has been given up; then :class:`GivenUp` is
            raised. What was computed until then is kept.
    """

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float] = time.perf_counter,
        *,
        first: int | None = None,
        today: Callable[[], str] = lambda: local_day(time.time()),
    ) -> None:
        self._store = store
        self._clock = clock
        self.deferrals = self._deferrals_of(today)
        self.given_up: Callable[[], bool] = never
        self._deferred: dict[str, Proposal] = {}
        self._pinned: dict[str, Proposal] = {}
        self._unrecorded: dict[str, Pinned] = {}
        self._outdated = False
        self._hints: dict[str, tuple[State, ...]] = {}
        self._sets: dict[tuple[State, ...], tuple[State, ...]] = {}
        self._hints_for = ""
        self._order: list[Row] | None = None
        self.version = 0
        """Grows whenever rows, or what is known of all their states, become others."""
        self._by_id: dict[str, Proposal] = {}
        self._groups: dict[str, tuple[str, ...]] = {}
        self._group_of: dict[str, str] = {}
        self._todo: list[Proposal] = []
        self._shrinking: list[Proposal] | None = None
        self._snapshot: Snapshot | None = None
        self._glanced: int | None = None
        if first is None:
            self.refresh()
        else:
            waiting, self._glanced = store.queue.peek(first)
            self._by_id = {proposal.id: proposal for proposal in waiting}

    def _deferrals_of(self, today: Callable[[], str]) -> Deferrals:
        return Deferrals(self._store, today)

    @property
    def whole(self) -> bool:
        """Whether documents and queue were read; before that there is no more than a glance at the queue."""
        return self._glanced is None

    @property
    def snapshot(self) -> Snapshot:
        """Both documents and their limits as last read."""
        if self._snapshot is None:
            self.refresh()
        assert self._snapshot is not None
        return self._snapshot

    def refresh(self, *, thorough: bool = False) -> bool:
        """Look at the store again; True when rows, documents or limits changed."""
        # each look tells a difference once; should the next step fail, the rows are still to be made anew
        self._outdated = self._store.queue.refresh(thorough=thorough) or self._outdated
        self._outdated = self._read_documents() or self._outdated
        self._outdated = self.deferrals.look() or self._outdated
        if len(self._store.queue.proposals()) != len(self._by_id) + len(self._deferred):
            self._outdated = True  # what a change of ours had closed is back, just as the store last saw it
        if not self._outdated:
            return False
        self._rebuild(self._store.queue.proposals())
        self._glanced = None
        return True

    def _read_documents(self) -> bool:
        """Read both documents again; True when they differ, which makes every known state a thing of the past."""
        self._snapshot = self._store.snapshot()
        if self._snapshot.digest == self._hints_for:
            return False
        self._hints.clear()
        self._hints_for = self._snapshot.digest
        return True

    def closed(self, names: Iterable[str]) -> None:
        """Take out what a change of ours has closed, without listing the queue: that takes longer than the change.

        What others did meanwhile is seen by the next :meth:`refresh`.
        """
        for name in names:
            proposal = self._by_id.pop(name, None) or self._deferred.pop(name, None)
            self.deferrals.forget(name)
            if proposal is None:
                continue
            self._pinned.pop(name, None)
            self._hints.pop(name, None)
            self._unrecorded.pop(name, None)
            if (group := self._group_of.pop(name, None)) is not None and group in self._groups:
                left = tuple(member for member in self._groups[group] if member != name)
                if len(left) > 1:
                    self._groups[group] = left
                else:
                    del self._groups[group]
        try:
            self._read_documents()
        finally:
            self._settle()  # also where nothing more can be read now: what was closed is not to be looked for again

    def _settle(self) -> None:
        """Forget what was derived from rows and documents as they were."""
        todo = reversed(self._by_id.values())
        self._todo = [p for p in todo if p.id not in self._hints] if self._hints else list(todo)
        self._order = None
        self.version += 1
        self._shrinking = None

    def _rebuild(self, waiting: Sequence[Proposal]) -> None:
        known = {**self._by_id, **self._deferred}
        fresh = {p.id: p.digest for p in waiting if p.id in known and known[p.id].digest == p.digest}
        self._pinned = {name: one for name, one in self._pinned.items() if fresh.get(name) == one.digest}
        self._hints = {name: found for name, found in self._hints.items() if name in fresh}
        recorded = self._recorded_pins(waiting)
        self._by_id = {}
        shown = self.deferrals.waiting(waiting)
        self._deferred = {p.id: self._pin(p, recorded) for p in waiting if p.id in self.deferrals.deferred}
        for proposal in shown:
            self._by_id[proposal.id] = self._pin(proposal, recorded)
        self._find_groups()
        there = self._by_id.keys() | self._deferred.keys()
        self._unrecorded = {name: pin for name, pin in self._unrecorded.items() if name in there}
        self._settle()
        self._outdated = False

    def _recorded_pins(self, waiting: Sequence[Proposal]) -> Mapping[str, Mapping[int, str]]:
        unseen = {p.id: p.digest for p in waiting if p.id not in self._pinned and p.unpinned}
        return self._store.book.pins(unseen) if unseen else {}

    def _find_groups(self) -> None:
        """Find who waits for the same entry; of the many that stand alone nothing is kept."""
        first: dict[tuple[object, ...], str] = {}
        groups: dict[tuple[object, ...], list[str]] = {}
        for name, proposal in self._by_id.items():
            if (shared := self._shared(proposal)) is not None and (older := first.setdefault(shared, name)) is not name:
                groups.setdefault(shared, [older]).append(name)
        self._groups = {names[0]: tuple(names) for names in groups.values()}
        self._group_of = {name: names[0] for names in self._groups.values() for name in names}

    def _shared(self, proposal: Proposal) -> tuple[object, ...] | None:
        """Return what the members of a group share; None for a proposal that stands alone."""
        return proposal.shared

    def _pin(self, proposal: Proposal, recorded: Mapping[str, Mapping[int, str]]) -> Proposal:
        known = self._pinned.get(proposal.id)
        if known is not None and known.digest == proposal.digest:
            return known
        pins = recorded.get(proposal.id, {})
        pinned = pinned_proposal(proposal, self.snapshot, pins)
        if not pins and pinned.unpinned and pinned.operations == proposal.operations:
            return pinned  # it located nothing, so its first sight is still to come
        if not pins and pinned.operations != proposal.operations:
            first = {
                index: after.pin
                for index, (before, after) in enumerate(zip(proposal.operations, pinned.operations, strict=True))
                if after.pin is not None and before.pin is None
            }
            self._unrecorded[proposal.id] = Pinned(proposal.id, proposal.digest, first)
        self._pinned[proposal.id] = pinned
        return pinned

    def sighted(self) -> tuple[Pinned, ...]:
        """Return first-sight pins that no change has recorded yet."""
        return tuple(self._unrecorded.values())

    def recorded(self, pins: Sequence[Pinned]) -> None:
        """See what a change made of these pins: another desk may have recorded its own first sight before it."""
        found = self._store.book.pins({pin.proposal: pin.digest for pin in pins}) if pins else {}
        for pin in pins:
            known = found.get(pin.proposal)
            if known is None:
                continue  # nothing was stored, so it goes along with the next change
            self._unrecorded.pop(pin.proposal, None)
            if known != pin.pins:
                self._pinned.pop(pin.proposal, None)
                self._outdated = True

    def __len__(self) -> int:
        """Number of waiting proposals (not of rows), also of those that a glance left out."""
        return len(self._by_id) if self._glanced is None else self._glanced

    def proposal(self, name: str) -> Proposal | None:
        """Return one waiting or deferred proposal with its pins, as last read."""
        return self._by_id.get(name) or self._deferred.get(name)

    def deferred(self) -> Sequence[Proposal]:
        """Return all deferred proposals with their pins, oldest first."""
        return tuple(self._deferred.values())

    def proposals(self) -> Sequence[Proposal]:
        """Return all waiting proposals with their pins, oldest first."""
        return tuple(self._by_id.values())

    def group(self, name: str) -> tuple[str, ...]:
        """Return the ids waiting for the same entry as this one, itself included; just itself when there are none."""
        key = self._group_of.get(name)
        return self._groups.get(key, (name,)) if key is not None else (name,)

    def shrinking(self) -> Sequence[Proposal]:
        """Return the waiting proposals whose texts are shorter than what they take away, the shortest first.

        That is a guess at what would make room, by lengths alone; preflight tells.
        """
        if self._shrinking is None:
            changes = {p.id: grows for p in self._by_id.values() if (grows := growth(p)) < 0}
            found = [self._by_id[name] for name in changes]
            self._shrinking = sorted(found, key=lambda p: (changes[p.id], p.order))
        return self._shrinking

    def advance(self, budget_s: float) -> bool:
        """Compute states for at most about ``budget_s`` seconds; True when all are known."""
        if not self.whole:
            self.refresh()
        if not self._todo:
            return True
        until = self._clock() + budget_s
        while self._todo:
            self._conditions(self._todo.pop())
            if self._clock() >= until:
                break
        if not self._todo:
            self._order = None
            self.version += 1
        return not self._todo

    @property
    def complete(self) -> bool:
        """Whether everything was read and every state is known."""
        return self.whole and not self._todo

    def _conditions(self, proposal: Proposal) -> tuple[State, ...]:
        known = self._hints.get(proposal.id)
        return self._know(proposal, conditions_of(proposal, self.snapshot)) if known is None else known

    def _know(self, proposal: Proposal, conditions: tuple[State, ...]) -> tuple[State, ...]:
        """Keep what was computed; there are few different answers, and each is kept once."""
        known = self._hints[proposal.id] = self._sets.setdefault(conditions, conditions)
        return known

    def go_on(self) -> None:
        """Raise :class:`GivenUp` where the look that goes on has been given up."""
        if self.given_up():
            raise GivenUp

    def conditions(self, name: str) -> tuple[State, ...]:
        """Return the conditions of one waiting or deferred proposal, computing them when not known."""
        self.go_on()
        return self._conditions(self._there(name))

    def _there(self, name: str) -> Proposal:
        return self._by_id[name] if name in self._by_id else self._deferred[name]

    def found(self, name: str) -> Preflight:
        """Return the full preflight of one waiting or deferred proposal as last read."""
        self.go_on()
        proposal = self._there(name)
        found = preflight(proposal, self.snapshot)
        self._know(proposal, found.conditions)
        return found

    def counts(self) -> dict[State, int] | None:
        """Return how many proposals wait in each state; None while some are not known."""
        if not self.complete:
            return None
        counted = Counter(self._hints[name][0] for name in self._by_id)
        return {state: counted[state] for state in DISPLAY_ORDER if counted[state]}

    def rows(self) -> Sequence[Row]:
        """Return all rows, oldest first."""
        if self._order is None:
            self._order = []
            for proposal in self._by_id.values():
                members = self.group(proposal.id)
                if members[0] == proposal.id:
                    self._order.append(self._row(proposal, members))
        return self._order

    def _row(self, proposal: Proposal, members: tuple[str, ...]) -> Row:
        several = tuple(self._by_id[name].digest for name in members) if len(members) > 1 else ()
        return Row(proposal, members, self._hints.get(proposal.id, ()), digests=several)


def never() -> bool:
    """Say that a look has not been given up."""
    return False


def growth(proposal: Proposal) -> int:
    """Estimate from lengths alone by how much the documents would grow."""
    return sum(len(step.content or "") - len(step.pin or "") for step in proposal.operations)
