"""Holdings: both documents as a person looks through them, entry by entry with everything that is known of each.

Here: gathering it, and the order of a list. Not here: where entries come from (``origins``), which of them say the same
(``core.gains``), the words of a filter (``core.learned``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct, field

from curator_tui.core.documents import TARGETS, Target
from curator_tui.core.gains import Gain, gains
from curator_tui.core.learned import Learned, Source, learned_entry, learned_matches, parse_learned
from curator_tui.core.origins import Origin
from curator_tui.core.preflight import Snapshot, findings_of
from curator_tui.core.proposals import Proposal
from curator_tui.core.questions import Question
from curator_tui.curator.desk import Desk
from curator_tui.curator.naming import entries
from curator_tui.curator.origins import origins


class EntrySort(StrEnum):
    """The order of the list of entries."""

    DOCUMENT = "document"
    LARGEST = "largest"
    NEWEST = "newest"
    OLDEST = "oldest"
    SOURCE = "source"
    UNSEEN = "unseen"


class Held(Struct, frozen=True):
    """One entry of a document.

    Attributes:
        learned: its text, size, findings and origin.
        target: its document.
        number: its place in the document, from 1.
        journey: Hermes's own name of it, a position; empty when Hermes has none for it.
        waiting: the items that wait and would change or remove it.
        questions: open disputes of it.
    """

    learned: Learned
    target: Target
    number: int
    journey: str
    waiting: tuple[Proposal, ...] = ()
    questions: tuple[Question, ...] = ()

    @property
    def text(self) -> str:
        """The whole entry."""
        return self.learned.title

    @property
    def key(self) -> tuple[Target, str]:
        """What tells it from every other one."""
        return self.target, self.text

    @property
    def origin(self) -> Origin:
        """Where it came from; all unknown as long as nobody looked."""
        assert self.learned.origin is not None
        return self.learned.origin


class Holdings(Struct, frozen=True):
    """Both documents at one moment.

    Attributes:
        snapshot: the documents and their limits.
        entries: their entries, in the order of the documents.
        gains: per document the pairs that may make room.
        traced: whether it was looked up where entries come from.
        enabled: per document whether the agent uses it, None when not known.
        now: clock of the desk.
    """

    snapshot: Snapshot
    entries: tuple[Held, ...]
    gains: Mapping[Target, tuple[Gain, ...]] = field(default_factory=dict)
    traced: bool = False
    enabled: Mapping[Target, bool | None] = field(default_factory=dict)
    now: float = 0.0


def holdings(desk: Desk, *, trace: bool) -> Holdings:
    """Return both documents as last read.

    Args:
        desk: the desk.
        trace: look up where entries come from and which say the same; that reads the whole ledger, so it takes longer
            the first time.

    Raises:
        StoreError: the book cannot be read.
    """
    snapshot = desk.snapshot()
    known = {(one.target, one.text): one for one in origins(desk)} if trace else {}
    disputed = desk.disputed()
    waiting = _waiting(desk)
    numbers = dict.fromkeys(TARGETS, 0)
    held: list[Held] = []
    for entry in entries(snapshot):
        numbers[entry.target] += 1
        key = entry.target, entry.text
        learned = learned_entry(known.get(key) or Origin(*key), findings_of(entry.text))
        number = numbers[entry.target]
        held.append(Held(learned, entry.target, number, entry.journey, waiting.get(key, ()), disputed.get(key, ())))
    pairs = {target: gains(snapshot.document(target).entries) for target in TARGETS} if trace else {}
    return Holdings(snapshot, tuple(held), pairs, trace, desk.facts().enabled, desk.now())


def _waiting(desk: Desk) -> dict[tuple[Target, str], tuple[Proposal, ...]]:
    """Return by entry the items that wait for it."""
    found: dict[tuple[Target, str], list[Proposal]] = {}
    for proposal in desk.queue.proposals():
        for target, pin in {(step.target, step.pin) for step in proposal.operations if step.pin is not None}:
            found.setdefault((target, pin), []).append(proposal)
    return {key: tuple(names) for key, names in found.items()}


_KNOWN_FIRST: Mapping[Source, int] = {source: at for at, source in enumerate(Source)}
_ORDERS: Mapping[EntrySort, Callable[[Held], tuple[float, ...]]] = {
    EntrySort.DOCUMENT: lambda _: (),
    EntrySort.LARGEST: lambda one: (-one.learned.size,),
    EntrySort.NEWEST: lambda one: (one.learned.at is None, -(one.learned.at or 0.0)),
    EntrySort.OLDEST: lambda one: (one.learned.at is None, one.learned.at or 0.0),
    EntrySort.SOURCE: lambda one: (_KNOWN_FIRST[one.learned.source],),
    EntrySort.UNSEEN: lambda one: (not one.questions, not one.learned.unseen, not one.learned.flagged),
}


def listed(found: Holdings, words: str, sort: EntrySort) -> tuple[Held, ...]:
    """Return the entries that a typed filter means, in an order; equal ones stand as in their documents.

    Raises:
        UsageError: a part of the filter means nothing.
    """
    terms = parse_learned(words, found.now)
    kept: Sequence[Held] = [one for one in found.entries if learned_matches(one.learned, terms)]
    return tuple(sorted(kept, key=_ORDERS[sort]))
