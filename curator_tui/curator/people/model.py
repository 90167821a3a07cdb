"""The queue of all people as a desk sees it: the beginning of it that is wanted now, each state worked out where it is.

Here: rows that say whose they are, states on the documents of their own scope, what is deferred. Not here: reading
(``stores.sql.tenant_queue``), filters (``narrowing``), decisions. Like every queue model it decides nothing.

States are counted for what was read; how many wait in all is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from curator_tui.core.asides import Asides
from curator_tui.core.preflight import Preflight, Snapshot, State, conditions_of, preflight
from curator_tui.core.proposals import Proposal
from curator_tui.core.requests import Pinned
from curator_tui.core.settling import pinned_proposal
from curator_tui.curator.deferrals import Deferrals
from curator_tui.curator.queue_model import QueueModel, Row
from curator_tui.stores.sql.names import name_of
from curator_tui.stores.sql.tenant_store import TenantStore

Marks = Mapping[str, tuple[int, int, int]]


class PeopleDeferrals(Deferrals):
    """What is deferred for any of them; disputes are answered at the desk of the one whose entry it is."""

    def __init__(self, store: TenantStore, today: Callable[[], str]) -> None:
        super().__init__(store, today)
        self._tenant = store

    def _mark(self) -> object:
        return None  # what a few scopes defer is read each time

    def _read(self) -> Asides:
        named = [
            replace(one, proposal=name_of(scope, one.proposal))
            for scope, asides in self._tenant.asides().items()
            for one in asides.latest().values()
        ]
        return Asides(deferrals=tuple(named))


class PeopleQueue(QueueModel):
    """Rows of the queue of all people.

    Args:
        store: their store.
        today: returns the person's day.
        first: only glance at about so many for now.
    """

    def __init__(self, store: TenantStore, today: Callable[[], str], first: int | None) -> None:
        self.store = store
        self._marks: Marks = {}
        super().__init__(store, first=first, today=today)

    def _deferrals_of(self, today: Callable[[], str]) -> Deferrals:
        return PeopleDeferrals(self.store, today)

    # -- reading ---------------------------------------------------------------------------------------------------

    @property
    def snapshot(self) -> Snapshot:
        """Both documents of whoever was looked at last."""
        return self.store.snapshot()

    def _read_documents(self) -> bool:
        """Drop the states of everybody whose memory was changed; True where there are any, and at the first look."""
        scope_of = {proposal.id: self.store.split(proposal.id)[0] for proposal in self.store.queue.proposals()}
        marks = self.store.tenant().marks(scope_of.values())
        changed = {scope for scope, mark in self._marks.items() if marks.get(scope, mark) != mark}
        self._marks = marks
        stale = [name for name in self._hints if scope_of.get(name) in changed]
        for name in stale:
            del self._hints[name]
        return bool(stale) or not self.whole

    def _recorded_pins(self, waiting: Sequence[Proposal]) -> Mapping[str, Mapping[int, str]]:  # noqa: ARG002 - see _pin
        return {}

    def _pin(self, proposal: Proposal, recorded: Mapping[str, Mapping[int, str]]) -> Proposal:  # noqa: ARG002 - nothing is pinned here
        """Leave it as its record is: it is pinned when its state is worked out."""
        return proposal

    def proposal(self, name: str) -> Proposal | None:
        """Return one proposal, also of those that were not read; None when it does not wait."""
        known = super().proposal(name)
        if known is not None:
            return known
        scope, item = self.store.split(name)
        raw = self.store.tenant().bodies([(scope, item)]).get((scope, item)) if scope else None
        return None if raw is None else replace(self.store.queue.parse(item, raw), id=name)

    def closed(self, names: Iterable[str]) -> None:
        """Take out what a change of ours has closed."""
        gone = tuple(names)
        self.store.queue.counted_less(len(gone))
        super().closed(gone)

    def sighted(self) -> tuple[Pinned, ...]:
        """Return nothing: first sights are recorded with the changes of their own scope."""
        return ()

    def __len__(self) -> int:
        """Number of proposals that wait for all people, also of those that were not read."""
        return self.store.queue.total

    # -- states ----------------------------------------------------------------------------------------------------

    def advance(self, budget_s: float) -> bool:
        """Look for what the filter wants, then compute states, for about so many seconds."""
        until = self._clock() + budget_s
        if not self.store.queue.scan(budget_s):
            return False
        if len(self.store.queue.proposals()) != len(self._by_id) + len(self._deferred):
            self._outdated = True
            self.refresh()
        return super().advance(max(until - self._clock(), 0.0))

    def _conditions(self, proposal: Proposal) -> tuple[State, ...]:
        known = self._hints.get(proposal.id)
        return self._know(proposal, self.conditions_there(proposal)) if known is None else known

    def conditions_there(self, proposal: Proposal) -> tuple[State, ...]:
        """Return the conditions of a proposal on the documents of its own scope."""
        pinned, snapshot = self._pinned_there(proposal)
        return conditions_of(pinned, snapshot)

    def found(self, name: str) -> Preflight:
        """Return the full preflight of one waiting or deferred proposal as last read."""
        self.go_on()
        proposal = self._there(name)
        found = preflight(*self._pinned_there(proposal))
        self._know(proposal, found.conditions)
        return found

    def found_there(self, proposal: Proposal) -> Preflight:
        """Return the preflight of a proposal on the documents of its own scope."""
        return preflight(*self._pinned_there(proposal))

    def _pinned_there(self, proposal: Proposal) -> tuple[Proposal, Snapshot]:
        whose = self.store.whose(proposal.id)
        assert whose is not None
        snapshot = self.store.snapshot_of(whose)
        if not proposal.unpinned:
            return proposal, snapshot
        scope, item = self.store.split(proposal.id)
        recorded = self.store.pins_of(scope, {item: proposal.digest})
        return pinned_proposal(proposal, snapshot, recorded.get(item, {})), snapshot

    # -- rows ------------------------------------------------------------------------------------------------------

    def _shared(self, proposal: Proposal) -> tuple[object, ...] | None:
        shared = proposal.shared
        return None if shared is None else (self.store.split(proposal.id)[0], *shared)

    def _row(self, proposal: Proposal, members: tuple[str, ...]) -> Row:
        return replace(super()._row(proposal, members), whose=self.whose(proposal.id), people=self.people(proposal.id))

    def whose(self, name: str) -> str:
        """Return whose an item is, in words safe to print."""
        whose = self.store.whose(name)
        return "" if whose is None else whose.within

    def people(self, name: str) -> int:
        """Return how often the fact of an item is proposed; 1 for once."""
        listed = self.store.queue.listed(name)
        return 1 if listed is None or listed.alike is None else self.store.queue.people.get(listed.alike, 1)
