"""Origins at the desk: for every live entry where it came from, found once per state of the store.

Here: gathering what the store still keeps, remembering the answer, looking up evidence. Not here: what follows from it
(``core.trails``, ``core.origins``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from weakref import WeakKeyDictionary

from msgspec import Struct
from msgspec.structs import replace

from curator_tui.core.changes import Decided
from curator_tui.core.documents import DEFAULT_LIMITS, TARGETS, Target, parse
from curator_tui.core.endings import Ending
from curator_tui.core.force import taken_back
from curator_tui.core.ledger import item_name
from curator_tui.core.named_facts import names_fact
from curator_tui.core.origins import Claim, Origin, Tracer, Written
from curator_tui.core.preflight import Snapshot
from curator_tui.core.proposals import Proposal
from curator_tui.core.requests import ActorKind
from curator_tui.core.row_form import DecisionForm
from curator_tui.core.settling import pinned_proposal
from curator_tui.core.tracing import Trace, steps_of
from curator_tui.core.trails import Trail
from curator_tui.curator.desk import Desk
from curator_tui.evidence.port import Evidence


class _Found(Struct, frozen=True):
    """An answer and the state it was found in: the head of the ledger and the digests of both documents."""

    mark: tuple[object, ...]
    origins: tuple[Origin, ...]


_FOUND: WeakKeyDictionary[Desk, _Found] = WeakKeyDictionary()


def origins(desk: Desk) -> tuple[Origin, ...]:
    """Return the origin of every live entry of both documents, in the order of the documents.

    Of entries of a document that cannot be read there are none. The answer is kept until the ledger or a document
    changes. It reads all rows of the ledger: ask for it off the event loop.

    Raises:
        StoreError: the book cannot be read.
    """
    snapshot = desk.read_documents()
    mark = (desk.store.book.head(), *(snapshot.document(target).digest for target in TARGETS))
    kept = _FOUND.get(desk)
    if kept is None or kept.mark != mark:
        kept = _Found(mark, tuple(_find(desk, snapshot)))
        _FOUND[desk] = kept
    return kept.origins


def origin_of(desk: Desk, target: Target, text: str) -> Origin | None:
    """Return the origin of one live entry, None when it does not stand there."""
    return next((one for one in origins(desk) if (one.target, one.text) == (target, text)), None)


def asked_for(origin: Origin) -> Proposal:
    """Return the proposal that brought an entry as far as evidence is looked for by it."""
    return Proposal(origin.item, "", origin=origin.claimed, created_at=origin.proposed_at)


def with_found(origin: Origin, evidence: Evidence) -> Origin:
    """Return an origin with what evidence tells of it; of another session than the ledger names it tells nothing."""
    return replace(
        origin,
        session=origin.session or evidence.session,
        message=evidence.message_id if evidence.session in {origin.session, ""} or not origin.session else None,
        claim=_claim(evidence, origin),
    )


def _claim(evidence: Evidence, origin: Origin) -> Claim:
    otherwise = origin.claim
    if evidence.kind != "found":
        return Claim.INFERRED if evidence.kind == "guess" else otherwise
    if evidence.quotes and not names_fact(evidence.quote, (origin.text,)):
        return otherwise  # whoever said it did not say this
    said = {"user": Claim.SAID, "tool": Claim.TOOL, "assistant": Claim.INFERRED}
    return said.get(evidence.role, otherwise)


def _find(desk: Desk, snapshot: Snapshot) -> Sequence[Origin]:
    traces = desk.store.traces()
    known = desk.store.book.known()
    gone = taken_back(desk.store.book.takebacks())
    written = _Writings(desk, traces)
    reviewed = _reviewed(desk)
    found: list[Origin] = []
    for target in TARGETS:
        entries = snapshot.document(target).entries
        trail = Trail(steps_of(target, traces, known)) if entries else Trail()
        tracer = Tracer(target, trail, written, _not_in(gone), reviewed.get(target, frozenset()))
        found.extend(tracer.origin(text) for text in entries)
    return found


def _not_in(gone: dict[str, str]) -> Callable[[str], bool]:
    return lambda change: change not in gone


class _Writings:
    """What each change wrote, read when it is asked for."""

    def __init__(self, desk: Desk, traces: Sequence[Trace]) -> None:
        self._desk = desk
        self._parts: dict[str, dict[str, DecisionForm]] = {}
        for trace in traces:
            if trace.row.decisions:
                self._parts[trace.row.change] = {part.proposal: part for part in trace.row.decisions}
        self._known: dict[str, Sequence[Written]] = {}

    def __call__(self, change: str) -> Sequence[Written]:
        if change not in self._known:
            self._known[change] = self._read(change)
        return self._known[change]

    def _read(self, change: str) -> Sequence[Written]:
        past = self._desk.store.book.change(change)
        if past is None:
            return ()
        before = Snapshot({target: parse(target, past.before.get(target)) for target in TARGETS}, DEFAULT_LIMITS)
        parts = self._parts.get(change, {})
        found: list[Written] = []
        for item in past.closed:
            part = parts.get(item_name(item.proposal))
            proposal = self._proposal(item, before)
            seen, session = (part.seen, part.source) if part is not None else ("", "")
            found.append(Written(item.proposal, item.ending, seen, session, proposal, item.targets))
        return found

    def _proposal(self, item: Decided, before: Snapshot) -> Proposal | None:
        if item.raw is None:
            return None
        store = self._desk.store
        pins = store.book.pins({item.proposal: item.digest})
        written = replace(store.queue.parse(item.proposal, item.raw), author=self._authors(item))
        return pinned_proposal(written, before, pins.get(item.proposal, {}))

    def _authors(self, item: Decided) -> str:
        return self._desk.store.queue.author(item.proposal, item.digest)


def _reviewed(desk: Desk) -> dict[Target, frozenset[str]]:
    """Return by document the texts a person approved although they stood there already, where that holds still."""
    found: dict[Target, set[str]] = {}
    for item in desk.store.book.decided().values():
        if item.ending is Ending.ALREADY and item.actor.kind is ActorKind.PERSON and item.raw is not None:
            for step in desk.store.queue.parse(item.proposal, item.raw).operations:
                if step.content is not None:
                    found.setdefault(step.target, set()).add(step.content)
    return {target: frozenset(texts) for target, texts in found.items()}
