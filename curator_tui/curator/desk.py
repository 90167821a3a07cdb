"""The desk: one bound store and the person who acts on it.

Here: looking at items with everything that belongs to them, building requests, handing them to the store. Not here:
rules (``core``), storage (``stores``), history and checks (``history``, ``ledger_view``, ``doctor`` in this package).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Self

from msgspec.structs import replace

from curator_tui.core.changes import Change, NotApplied, Receipt, Waiting
from curator_tui.core.departing import decided_words
from curator_tui.core.documents import Target
from curator_tui.core.errors import CuratorError, ReadOnly, UnknownItem
from curator_tui.core.operations import Operation
from curator_tui.core.preflight import Preflight, Snapshot, State, preflight
from curator_tui.core.proposals import Edit, Proposal, edited
from curator_tui.core.requests import Actor, Decision, Kind, OverrideCode, Pinned, Request, Stamp, Verb
from curator_tui.core.review import different_outcomes
from curator_tui.core.settling import Settlement, pinned_proposal, settle
from curator_tui.core.text import visible
from curator_tui.curator.calendar import local_day
from curator_tui.curator.claims import DeskClaims
from curator_tui.curator.items import Item
from curator_tui.curator.listing import Listings
from curator_tui.curator.many import Many
from curator_tui.curator.queue_model import QueueModel
from curator_tui.curator.reverting import RevertDesk
from curator_tui.curator.room import room_for
from curator_tui.curator.superseding import Superseding
from curator_tui.evidence.port import EvidenceSource
from curator_tui.stores.port import Facts, Mended, Store


class Desk(RevertDesk):
    """What a curator opens: a store plus the actor bound to it.

    Args:
        store: the bound store.
        actor: who acts.
        evidence: where claims come from, when that is known.
        clock: UTC seconds.
        entropy: random bytes for ids and salts.
        first: only glance at about so many waiting proposals for now (see :class:`QueueModel`).
        read_only: refuse everything that would change the store.

    Attributes:
        over_one: whether it is over one memory, or over many people's.
        operation: id of the request that was handed to the store last, whatever became of it; empty for none.
    """

    over_one = True
    among: object = None
    """The people somebody at this desk may turn to (``people.among``); None for nobody."""
    person_key: str | None = None
    """What names the one whose memory it is among them; None at a desk over all of them."""
    more_fields: tuple[str, ...] = ()
    """Fields that a filter of this desk's queue knows besides those of every queue."""

    def __init__(
        self,
        store: Store,
        actor: Actor,
        *,
        evidence: EvidenceSource | None = None,
        clock: Callable[[], float] = time.time,
        entropy: Callable[[int], bytes] = os.urandom,
        first: int | None = None,
        read_only: bool = False,
    ) -> None:
        self.store = store
        self.actor = actor
        self.evidence = evidence
        self.read_only = read_only
        self.operation = ""
        self._clock = clock
        self._entropy = entropy
        self.claims = DeskClaims(store.claims, lambda: "" if self.read_only else self.actor.name, clock)
        self.queue = self._queue_of(first)
        self.listings = self._listings_of(self.queue)
        self._many = Many(self.queue)
        self._superseding = Superseding(store)

    def with_people(self, among: object, key: str | None = None) -> Self:
        """Return the desk, from which one may turn to other people; ``key`` names the one whose memory it is."""
        self.among, self.person_key = among, key
        return self

    def _queue_of(self, first: int | None) -> QueueModel:
        return QueueModel(self.store, first=first, today=self.today)

    def _listings_of(self, queue: QueueModel) -> Listings:
        return Listings(queue, self._clock)

    def cancel(self) -> None:
        """Give up every change that is not stored yet, from any thread and for good: whoever decided it leaves."""
        self.store.cancel()

    def close(self) -> None:
        """Release what the store holds open."""
        self.claims.release()
        self.store.close()

    def bound(self) -> Facts:
        """Return where the bound store is and whose, without reading anything; the rest is given as not known."""
        return self.store.bound()

    def facts(self) -> Facts:
        """Return what the title line and ``status`` show of the bound store."""
        return self.store.facts()

    def here(self) -> Facts:
        """Return the same for what shows one memory: at a desk over many people whose it is."""
        return self.facts()

    def snapshot(self) -> Snapshot:
        """Return both documents and their limits as last read."""
        return self.queue.snapshot

    def read_documents(self) -> Snapshot:
        """Read both documents and their limits now, without touching the queue."""
        return self.store.snapshot()

    def refresh(self, *, thorough: bool = False) -> bool:
        """Look at the store again; True when something changed.

        Args:
            thorough: look at every waiting record, so that one written again in its place is seen too.
        """
        self.store.refresh()
        return self.queue.refresh(thorough=thorough)

    def random_bytes(self, count: int) -> bytes:
        """Return bytes from the desk's entropy, for what no record's author may foresee."""
        return self._entropy(count)

    def recovery_pending(self) -> bool:
        """Whether an interrupted change waits to be finished."""
        return self.store.book.recovery_pending()

    def now(self) -> float:
        """Return the clock this desk stamps with, UTC seconds."""
        return self._clock()

    # -- looking ---------------------------------------------------------------------------------------------------

    def item(self, name: str, *, with_evidence: bool = False) -> Item:
        """Read the record of one waiting proposal now, and compute everything about it on what was last read.

        Documents, limits and the other members of its group are as of the last :meth:`refresh`.

        Raises:
            UnknownItem: nothing waits under that id.
        """
        waiting = self._waiting(name)
        proposal = self._pinned(waiting)
        members = self.queue.group(name)
        decision = Decision(name, Verb.APPROVE)
        others = {member: other for member in members if (other := self.queue.proposal(member)) is not None}
        proposals = {**others, name: proposal}
        closing = replace(decision, closes=tuple(member for member in members if member != name))
        plain = settle(self.queue.snapshot, [decision], proposals)
        together = settle(self.queue.snapshot, [closing], proposals) if closing.closes else plain
        found = preflight(proposal, self.queue.snapshot)
        return Item(
            found,
            members,
            different_outcomes(proposals.values()),
            together,
            together.digest,
            plain.digest,
            room=room_for(self.queue, found),
            superseded_by=self._superseding.superseders([proposal]).get(name, "") if found.state is State.STALE else "",
            evidence=self.evidence.for_proposal(proposal) if with_evidence and self.evidence else None,
            raw=waiting.raw,
        )

    def _waiting(self, name: str) -> Waiting:
        waiting = self.store.queue.get(name)
        if waiting is None:
            raise self._gone(name)
        return waiting

    def ending_words(self, name: str) -> str:
        """Say how, by whom and when an item that does not wait any more was decided; empty where nobody knows."""
        decided = self.store.book.decided([name]).get(name)
        return "" if decided is None else decided_words(decided, self.actor)

    def _gone(self, name: str) -> UnknownItem:
        shown = visible(name, newlines=False)
        if words := self.ending_words(name):
            return UnknownItem(f"{shown} is {words}.", way_out="The ledger tells more: curator-tui ledger")
        return UnknownItem(f"No waiting item has the id {shown}.", way_out="List them with: curator-tui pending")

    def _pinned(self, waiting: Waiting) -> Proposal:
        known = self.queue.proposal(waiting.proposal.id)
        if known is not None and known.digest == waiting.proposal.digest:
            return replace(known, agent_says=waiting.proposal.agent_says)  # what no listing keeps
        # written again in its place since the queue was read; it may be a record that was seen before
        proposal = waiting.proposal
        recorded = self.store.book.pins({proposal.id: proposal.digest}) if proposal.unpinned else {}
        return pinned_proposal(proposal, self.queue.snapshot, recorded.get(proposal.id, {}))

    def edited(self, name: str, edit: Edit) -> Preflight:
        """Return what would happen if a proposal were approved with an edit."""
        return preflight(edited(self._pinned(self._waiting(name)), edit), self.queue.snapshot)

    def with_edit(self, item: Item, edit: Edit) -> Preflight:
        """Return what would happen if an item, as it was read, were approved with an edit."""
        return preflight(edited(item.found.proposal, edit), self.queue.snapshot)

    def digest_of(self, item: Item, decision: Decision) -> str:
        """Return what a decision about an item, as it was read, is bound to."""
        members = {name: other for name in item.others if (other := self.queue.proposal(name)) is not None}
        return settle(self.queue.snapshot, [decision], {**members, item.id: item.found.proposal}).digest

    def whose(self, name: str) -> str:  # noqa: ARG002 - a desk over many people tells them apart
        """Return whose memory an item is about, in words safe to print; empty at a desk over one."""
        return ""

    def people(self, name: str) -> int:  # noqa: ARG002 - as above
        """Return how often the same fact waits for all people of the desk; 1 for what waits once."""
        return 1

    def superseders(self) -> dict[str, str]:
        """Say for each stale item which earlier decision took the entry it meant, where one did."""
        stale = [p for p in self.queue.proposals() if self.queue.conditions(p.id)[0] is State.STALE]
        return self._superseding.superseders(stale)

    def digest(self, name: str) -> str:
        """Return what an approval of one waiting item alone is bound to, as last read."""
        proposal = self.queue.proposal(name)
        proposals = {} if proposal is None else {name: proposal}
        return settle(self.queue.snapshot, [Decision(held, Verb.APPROVE) for held in proposals], proposals).digest

    def read_again(self, names: Iterable[str]) -> dict[str, Proposal]:
        """Read waiting proposals afresh, by item id; those that left the queue since it was listed are not there."""
        found: dict[str, Waiting | None] = {}
        for name in dict.fromkeys(names):
            self.queue.go_on()
            found[name] = self.store.queue.get(name)
        return {name: self._pinned(waiting) for name, waiting in found.items() if waiting is not None}

    def preview(self, decisions: Sequence[Decision], proposals: Mapping[str, Proposal] | None = None) -> Settlement:
        """Work out what decisions would do together, without storing anything.

        Args:
            decisions: the decisions.
            proposals: what they are about, as read by :meth:`read_again`; read now where nothing is given.

        Raises:
            UnknownItem: one that is decided does not wait. One that would be closed along is left where it went.
        """
        if proposals is None:
            proposals = self.read_again(name for one in decisions for name in (one.proposal, *one.closes))
        gone = next((one.proposal for one in decisions if one.proposal not in proposals), None)
        if gone is not None:
            raise self._gone(gone)
        return settle(self.queue.snapshot, decisions, proposals)

    def ready(self) -> tuple[str, ...]:
        """Return the ids of all waiting items that apply or close without a question (see :meth:`Many.ready`)."""
        return self._many.ready()

    def left_out(self, ready: Sequence[str]) -> tuple[NotApplied, ...]:
        """Return every waiting item that is not among ``ready`` (see :meth:`ready`), each with its own reason."""
        return self._many.left_out(ready, self.superseders())

    def has_alternatives(self, name: str) -> bool:
        """Whether another waiting item wants something else of the same entry, and one of them has to be chosen."""
        return self._many.asks_choice(name)

    # -- deciding --------------------------------------------------------------------------------------------------

    def dry_run(self, request: Request) -> Change:
        """Plan a request on what is there now and store nothing: what :meth:`carry_out` would do at this moment.

        The receipt says what would become of it; it names no change and no backup, since there is none.
        """
        from curator_tui.core.plans import plan

        sighted = replace(request, sighted=self.queue.sighted(), today=local_day(request.stamp.at))
        change = plan(self.store.peek(sighted), sighted)
        return replace(change, receipt=replace(change.receipt, change=None, backup=None))

    def stamp(self) -> Stamp:
        """Return a fresh stamp: ids and salts come from the operating system, the time from the clock."""
        return Stamp(self.actor, self._entropy(16).hex(), self._entropy(8).hex(), self._clock(), self._entropy(32))

    def carry_out(self, request: Request) -> Receipt:
        """Hand a request to the store and look at what became of it; others' doings are seen by :meth:`refresh`.

        Raises:
            ReadOnly: the desk was opened for looking only.
        """
        from curator_tui.core.plans import plan  # with all the rules of taking back; a start that only looks needs none

        if self.read_only:
            raise ReadOnly
        sighted = self.queue.sighted()
        self.operation = request.stamp.operation
        receipt = self.store.transact(replace(request, sighted=sighted, today=local_day(request.stamp.at)), plan)
        # the store has answered: what fails from here on is told beside the answer and never in its place
        return replace(receipt, notes=(*receipt.notes, *self._seen_after(request, receipt, sighted)))

    def _seen_after(self, request: Request, receipt: Receipt, sighted: Sequence[Pinned]) -> tuple[str, ...]:
        """Bring the queue up to what a request made of it; return why that was not possible, as a note."""
        try:
            self.queue.recorded(sighted)
            if request.kind is Kind.DECIDE and receipt.done and not (receipt.notes or receipt.recovered):
                self.queue.closed(item.id for item in (*receipt.applied, *receipt.closed))
            else:
                if receipt.moved:
                    for name in request.proposals:  # a record edited in place shows in no listing
                        self.store.queue.get(name)
                self.queue.refresh()
        except Exception as error:  # noqa: BLE001 - even a defect of ours takes no acknowledged change back
            cause = error.message if isinstance(error, CuratorError) else f"{type(error).__name__}."
            return (f"the queue could not be looked at again: {cause}",)
        return ()

    def decide(self, decisions: Sequence[Decision], *, shown: str | None = None) -> Receipt:
        """Carry out decisions as one change, bound to ``shown`` where a person looked at the outcome first."""
        return self.carry_out(self.deciding(decisions, shown=shown))

    def deciding(self, decisions: Sequence[Decision], *, shown: str | None = None) -> Request:
        """Return the request that :meth:`decide` carries out."""
        return Request(self.stamp(), Kind.DECIDE, decisions=tuple(decisions), shown=shown)

    def correct(
        self,
        operations: Sequence[Operation],
        *,
        order: Mapping[Target, tuple[str, ...]] | None = None,
        tidy: Sequence[Target] = (),
        shown: str | None = None,
        override: frozenset[State] = frozenset(),
        reason: OverrideCode | None = None,
        note: str = "",
    ) -> Receipt:
        """Carry out what a person changes by hand as one change; what passes a finding needs a reason.

        Args:
            operations: add, replace and remove.
            order: how the entries of a document shall stand afterwards.
            tidy: documents to be written in Hermes's own form.
            shown: digest of the outcome where a person looked at it first (``curator.correcting``).
            override: conditions that are passed knowingly.
            reason: why they may pass.
            note: the person's own words.
        """
        return self.carry_out(
            Request(
                self.stamp(),
                Kind.CORRECT,
                corrections=tuple(operations),
                order=order or {},
                tidy=tuple(tidy),
                shown=shown,
                override=override,
                reason=reason,
                note=note,
            )
        )

    def observe(self) -> Receipt:
        """Record what others wrote and the pins of what was first seen; the application does so when it starts."""
        return self.carry_out(Request(self.stamp(), Kind.OBSERVE))

    def recover(self) -> Mended:
        """Finish an interrupted change and remove leftovers; the queue shows it after the next :meth:`refresh`."""
        if self.read_only:
            raise ReadOnly
        return self.store.recover(self.stamp())
