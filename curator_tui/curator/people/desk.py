"""The desk over all people of a tenant: one queue, and for each item the desk of the one it is about.

Here: which desk an item belongs to, and the names of items on the way there and back. Not here: looking at an item and
deciding about it, which the desk over one memory does. A decision is one change of one scope; several are several.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from curator_tui.core.asides import Deferral
from curator_tui.core.changes import Change, Receipt
from curator_tui.core.errors import CuratorError, ReadOnly, UnknownItem, UsageError
from curator_tui.core.preflight import Preflight, Snapshot
from curator_tui.core.proposals import Edit, Proposal
from curator_tui.core.requests import Decision, Kind, Request
from curator_tui.core.settling import Settlement
from curator_tui.curator.desk import Desk
from curator_tui.curator.items import Item
from curator_tui.curator.listing import Listings
from curator_tui.curator.people.model import PeopleQueue
from curator_tui.curator.people.names import in_scope, joined, of_all, receipt_of_all, request_in_scope, together
from curator_tui.curator.people.narrowing import PeopleListings
from curator_tui.curator.queue_model import QueueModel
from curator_tui.stores.port import Facts
from curator_tui.stores.sql.names import SHORT
from curator_tui.stores.sql.tenant_store import TenantStore
from curator_tui.stores.sql.tenants import START, key_from
from curator_tui.stores.sql.together import Part, transact_together

_KEPT_OPEN = 8


class PeopleDesk(Desk):
    """What a curator of a tenant opens; made as a desk is, over the store of a tenant."""

    store: TenantStore
    over_one = False
    more_fields = ("user",)

    def _queue_of(self, first: int | None) -> QueueModel:
        self._desks: OrderedDict[str, Desk] = OrderedDict()
        self._scopes_of_changes: dict[str, tuple[str, ...]] = {}
        self._heads: dict[str, tuple[int, int, int]] = {}
        self._undone: frozenset[str] = frozenset()
        return PeopleQueue(self.store, self.today, first)

    def _listings_of(self, queue: QueueModel) -> Listings:
        assert isinstance(queue, PeopleQueue)
        return PeopleListings(queue, self._clock)

    # -- whose -----------------------------------------------------------------------------------------------------

    def desk_of(self, name: str, *, again: bool = True) -> tuple[Desk, str, str]:
        """Return the desk that an item belongs to, its own id there, and what stands in front of it here.

        Args:
            name: the item.
            again: look at that memory again where its desk is open already; else it is as last read.

        Raises:
            UnknownItem: there is no such person.
        """
        store, item, short = self.store.go_to(name)
        desk = self._desks.pop(short, None)
        if desk is None or desk.store is not store:
            desk = Desk(store, self.actor, clock=self._clock, entropy=self._entropy)
        elif again:
            desk.refresh()
        self._desks[short] = desk
        if len(self._desks) > _KEPT_OPEN:
            self._desks.popitem(last=False)
        return desk, item, short

    def whose(self, name: str) -> str:
        """Return whose memory an item is about, in words safe to print."""
        whose = self.store.whose(name)
        return "" if whose is None else whose.within

    def people(self, name: str) -> int:
        """Return how often the same fact waits for all people; 1 for what waits once."""
        assert isinstance(self.queue, PeopleQueue)
        return self.queue.people(name)

    def here(self) -> Facts:
        """Return where it is, and whose memory everything is about that is no queue."""
        facts = self.facts()
        return replace(facts, scope=self.store.here.mine.within) if self.store.here.mine.user else facts

    def turn_to(self, after: str | None, count: int) -> str | None:
        """Turn to the page behind a place; return the place behind which the next one begins, None where it ends.

        Raises:
            ValueError: there is no such place.
        """
        self.store.queue.turn_to(START if after is None else key_from(after), count)
        self.refresh()
        last = self.store.queue.last_key()
        return None if last is None else last.text()

    def oldest_at(self) -> float | None:
        """Return when the oldest item was made; None where nothing waits."""
        first = self.store.tenant().page(START, 1)
        return first[0].key.at if first else None

    # -- looking ---------------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Return both documents of whoever was looked at last, as last read."""
        return self.store.snapshot()

    def item(self, name: str, *, with_evidence: bool = False) -> Item:
        """Read the record of one waiting proposal now, on the documents of its own scope."""
        desk, item, short = self.desk_of(name)
        try:
            return of_all(desk.item(item, with_evidence=with_evidence), short)
        except UnknownItem as error:
            raise self._gone(name) from error

    def edited(self, name: str, edit: Edit) -> Preflight:
        """Return what would happen if a proposal were approved with an edit."""
        desk, item, _ = self.desk_of(name)
        return desk.edited(item, edit)

    def digest_of(self, item: Item, decision: Decision) -> str:
        """Return what a decision about an item, as it was read, is bound to."""
        desk, name, _ = self.desk_of(item.id, again=False)
        own = replace(item, found=replace(item.found, proposal=replace(item.found.proposal, id=name)))
        return desk.digest_of(own, in_scope(decision))

    def digest(self, name: str) -> str:
        """Return what an approval of one waiting item alone is bound to, as last read."""
        desk, item, _ = self.desk_of(name)
        return desk.digest(item)

    def superseders(self) -> dict[str, str]:
        """Return nothing: who took an entry is told on the page of the item."""
        return {}

    def deferral(self, name: str) -> Deferral | None:
        """Return the deferral of an item that is deferred, or None."""
        desk, item, _ = self.desk_of(name, again=False)
        return desk.deferral(item)

    def rewritten(self, name: str) -> Deferral | None:
        """Return the deferral of an item that is back because its record was written again, or None."""
        desk, item, _ = self.desk_of(name, again=False)
        return desk.rewritten(item)

    def over(self, name: str) -> Deferral | None:
        """Return the deferral of an item that is back because its day has come, or None."""
        desk, item, _ = self.desk_of(name, again=False)
        return desk.over(item)

    def ending_words(self, name: str) -> str:
        """Say how, by whom and when an item that does not wait any more was decided; empty where nobody knows."""
        if self.store.whose(name) is None:
            return ""
        desk, item, _ = self.desk_of(name)
        return desk.ending_words(item)

    def read_again(self, names: Iterable[str]) -> dict[str, Proposal]:
        """Read waiting proposals afresh, by item id."""
        found: dict[str, Proposal] = {}
        for name in dict.fromkeys(names):
            desk, item, _ = self.desk_of(name)
            if (one := desk.read_again([item]).get(item)) is not None:
                found[name] = replace(one, id=name)
        return found

    def preview(self, decisions: Sequence[Decision], proposals: Mapping[str, Proposal] | None = None) -> Settlement:
        """Work out what one decision would do; what several do together is shown at the desk of the one they are about.

        Raises:
            UsageError: there are several.
            UnknownItem: what is decided does not wait.
        """
        if len(decisions) != 1 or proposals is not None:
            raise UsageError("A plan is about one person.", way_out="Open the desk of that person first.")
        desk, _, _ = self.desk_of(decisions[0].proposal)
        return desk.preview([in_scope(decisions[0])])

    # -- deciding --------------------------------------------------------------------------------------------------

    def dry_run(self, request: Request) -> Change:
        """Plan a request about one person on what is there now and store nothing."""
        ((short, own),) = self._split(request)
        change = self._desk_at(short).dry_run(own)
        return replace(change, receipt=receipt_of_all(change.receipt, short))

    def carry_out(self, request: Request) -> Receipt:
        """Hand a request to the store of each person it names, one change each, and tell what became of it."""
        if self.read_only:
            raise ReadOnly
        if len(self._scopes_of_changes.get(request.reverts or "", ())) > 1:
            return self._revert_together(request)
        self.operation = request.stamp.operation
        receipts = []
        for short, own in self._split(request):
            if own.kind is Kind.OBSERVE and not short:
                return Receipt(None, Kind.OBSERVE)
            receipt = receipt_of_all(self._desk_at(short).carry_out(own), short)
            if receipt.change is not None:
                self._scopes_of_changes[receipt.change] = (short,)
            receipts.append(receipt)
        whole = joined(receipts)
        return replace(whole, notes=(*whole.notes, *self._after(whole)))

    def _after(self, receipt: Receipt) -> tuple[str, ...]:
        try:
            if receipt.kind is Kind.DECIDE and receipt.change is not None:
                self.queue.closed(item.id for item in (*receipt.applied, *receipt.closed))
            else:
                self.queue.refresh()
        except CuratorError as error:
            return (f"the queue could not be looked at again: {error.message}",)
        return ()

    def _desk_at(self, short: str) -> Desk:
        if short:
            return self.desk_of(f"{short}.")[0]
        return Desk(self.store.here, self.actor, clock=self._clock, entropy=self._entropy)

    def _split(self, request: Request) -> list[tuple[str, Request]]:
        """Return the requests of each person that a request names; of what names no item that of the one here."""
        if not request.proposals:
            known = self._scopes_of_changes.get(request.reverts or "", ())
            return [(known[0] if known else self._here, request)]
        shorts = dict.fromkeys(name.partition(".")[0] if self.store.whose(name) else "" for name in request.proposals)
        if len(shorts) > 1 and request.shown is not None:
            raise UsageError("These items are about several people.", way_out="Decide about one person at a time.")
        parts = []
        for at, short in enumerate(shorts):
            stamp = request.stamp if not at else self.stamp()
            parts.append((short, request_in_scope(request, short, stamp)))
        return parts

    @property
    def _here(self) -> str:
        return next((short for short, desk in self._desks.items() if desk.store is self.store.here), "")

    # -- taking back -----------------------------------------------------------------------------------------------

    def undoing(
        self, change: str | None = None, *, takes: Mapping[int, str | None] | None = None, shown: str | None = None
    ) -> Request:
        """Return the request that undoes a change; without one the newest of this run, else of whoever is here."""
        return super().undoing(self._gone_to(change, redo=False), takes=takes, shown=shown)

    def redoing(
        self, change: str | None = None, *, takes: Mapping[int, str | None] | None = None, shown: str | None = None
    ) -> Request:
        """Return the request that redoes an undo; see :meth:`undoing`."""
        return super().redoing(self._gone_to(change, redo=True), takes=takes, shown=shown)

    def _gone_to(self, change: str | None, *, redo: bool) -> str | None:
        """Go to the person a change is about; without one to whom the newest change of this run that counts is."""
        if change is not None:
            if (shorts := self._scopes_of_changes.get(change)) is not None:
                self.desk_of(f"{shorts[0]}.")
            return change
        for made, shorts in reversed(self._scopes_of_changes.items()):
            book = self.desk_of(f"{shorts[0]}.")[0].store.book
            newest = book.newest_redoable(self.actor) if redo else book.newest_undoable(self.actor)
            if newest == made:
                return made
        return None

    def note_change(self, change: str, shorts: Sequence[str]) -> None:
        """Remember in which scopes a change has a part, so that undoing it undoes all of them."""
        if shorts:
            self._scopes_of_changes[change] = tuple(shorts)

    def _revert_together(self, request: Request) -> Receipt:
        """Undo or redo a change that has a part in several scopes, in all of them, as one change.

        What was shown is what comes of it in one of them, so that it binds none.
        """
        from curator_tui.core.plans import plan  # with all the rules of taking back; a start needs none

        stamp, parts = request.stamp, []
        for short in self._scopes_of_changes[request.reverts or ""]:
            scope, _ = self.store.split(f"{short}.")
            whose = self.store.whose(f"{short}.")
            assert whose is not None
            own = replace(stamp, seed=self.random_bytes(len(stamp.seed)))
            parts.append(Part(scope, whose, replace(request, stamp=own, shown=None, today=self.today())))
        answers = transact_together(self.store.database, self.store.name, parts, plan)
        receipts = [receipt_of_all(one, part.scope[:SHORT]) for part, one in zip(parts, answers, strict=True)]
        self.note_change(
            stamp.change, [part.scope[:SHORT] for part, one in zip(parts, answers, strict=True) if one.change]
        )
        self.queue.refresh()
        return together(receipts, stamp.change, request.kind, ())

    def found_there(self, proposal: Proposal) -> Preflight:
        """Return the preflight of a proposal on the documents of its own scope."""
        assert isinstance(self.queue, PeopleQueue)
        return self.queue.found_there(proposal)

    def undone_since(
        self, changes: Sequence[str], before: tuple[int, str]
    ) -> tuple[tuple[int, str], frozenset[str]] | None:
        """Return what differs once a ledger went on, and which of some changes are not in force; None where none did.

        Raises:
            StoreError: a book cannot be read.
        """
        shorts = {change: self._scopes_of_changes[change][0] for change in changes if change in self._scopes_of_changes}
        scopes = {short: self.store.split(f"{short}.")[0] for short in shorts.values()}
        marks = self.store.tenant().marks(scopes.values())
        now = sum(seq for _, _, seq in marks.values()), ""
        if now == before:
            return None
        for short, scope in scopes.items():
            if self._heads.get(short) != marks.get(scope):
                self._heads[short] = marks[scope]
                names = [change for change, whose in shorts.items() if whose == short]
                self._undone = self._undone - set(names) | self.store.undone_among(scope, names)
        return now, self._undone & frozenset(changes)
