"""What every surface looks at: values made from the desk, complete before they are painted or printed.

Here: :class:`Board` (rows and counts of the queue), :class:`Looked` (one item with the outcome of approving it as it
stands or with an edit), :class:`DocumentView` (a document before and after) and the word diffs they need. Not here:
rules (``core``), words and layout (the surfaces).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from curator_tui.core.asides import Deferral
from curator_tui.core.diffs import EntryDiff, entry_diff
from curator_tui.core.documents import TARGETS, Document, Presence, Target
from curator_tui.core.errors import CuratorError
from curator_tui.core.preflight import DocumentOutcome, Preflight, Snapshot, State
from curator_tui.core.proposals import Edit, Proposal
from curator_tui.core.questions import Question
from curator_tui.core.requests import Decision, Verb
from curator_tui.core.review import needs_second_key, same_outcome
from curator_tui.core.word_diffs import Span, word_diff
from curator_tui.curator.desk import Desk
from curator_tui.curator.items import Item
from curator_tui.curator.listing import Listing
from curator_tui.curator.naming import headings_in
from curator_tui.curator.queries import Query
from curator_tui.curator.queue_model import Row

if TYPE_CHECKING:
    from curator_tui.curator.values import Evidence, Facts

STATES_FIRST = 0.012
"""Seconds spent on states right after a change: enough for a queue of ordinary size, so that no ``…`` shows at all."""

_MANY_ENTRIES, _LONG_TEXTS = 500, 40_000


class Board(NamedTuple):
    """The queue at one moment.

    Attributes:
        listing: one page of it in the order that was asked for, and the headings of all its sections.
        waiting: number of waiting proposals.
        counts: proposals per state, None while some states are not known.
        documents: both documents, None while there is no more than a glance at the queue.
        facts: what is known of the bound store.
        now: clock of the desk.
        questions: the open questions about entries, oldest first.
        deferred: number of deferred proposals, which do not wait; None where nobody can tell, and all are listed.
        version: that of the queue it was made of (:attr:`QueueModel.version`); older than any while only glanced at.
        claims: who else looks at what, by item id.
        only_begun: whether only the beginning of the queue was read, and the counts are about that.
    """

    listing: Listing
    waiting: int
    counts: Mapping[State, int] | None
    documents: Snapshot | None
    facts: Facts
    now: float
    questions: tuple[Question, ...] = ()
    deferred: int | None = 0
    version: int = -1
    claims: Mapping[str, str] = {}
    only_begun: bool = False

    @property
    def snapshot(self) -> Snapshot:
        """Both documents; asked for only by what a person can reach after they were read."""
        assert self.documents is not None
        return self.documents

    @property
    def rows(self) -> Iterator[Row]:
        """The rows of the page, in order."""
        return (row for row in self.listing.rows if row is not None)


def glance(desk: Desk) -> Board:
    """Return what the first frame shows: rows without states, and where the store is; this reads and computes nothing.

    A desk that was opened for a glance holds one screenful by now, any other what it read last.
    """
    return Board(desk.listings.page(Query()), len(desk.queue), None, None, desk.bound(), desk.now())


def board(
    desk: Desk,
    before: Board | None = None,
    *,
    query: Query | None = None,
    around: str | int | None = None,
    facts: Facts | None = None,
    budget: float = 0.0,
) -> Board:
    """Return the queue as last read.

    Args:
        desk: the desk.
        before: the board on screen, whose query and page are used where no others are named.
        query: what is wanted of it.
        around: an item or a position that shall be on the page.
        facts: what is known of the store, when it need not be read again.
        budget: seconds that may be spent on states first.
    """
    queue = desk.queue
    if budget:
        queue.advance(budget)
    if before is not None:
        query = query or before.listing.query
        around = before.listing.middle if around is None else around
    listing = desk.listings.page(query or Query(), around or 0)
    return Board(
        listing,
        len(queue),
        queue.counts(),
        queue.snapshot,
        facts or desk.facts(),
        desk.now(),
        desk.asked(),
        len(queue.deferred()) if queue.deferrals.trouble is None else None,
        queue.version,
        desk.claims.look(),
        not desk.over_one and len(queue.proposals()) < len(queue),
    )


def board_or_glance(desk: Desk) -> Board:
    """Return the queue as it is now for a screen that shows something else; a glance where it cannot be read."""
    try:
        desk.refresh()
        return board(desk, facts=desk.here())
    except CuratorError:
        return glance(desk)


class EntryView(NamedTuple):
    """One entry of an outcome: what happened to it, and its words where it changed."""

    diff: EntryDiff
    spans: tuple[Span, ...] = ()


class DocumentView(NamedTuple):
    """One document before and after.

    Attributes:
        target: which document.
        outcome: its entries and sizes.
        entries: the entries of both, in reading order.
        presence: what stands there now; of one that cannot be read no entry and no size is known.
    """

    target: Target
    outcome: DocumentOutcome
    entries: tuple[EntryView, ...]
    presence: Presence = Presence.PRESENT


def document_view(target: Target, outcome: DocumentOutcome, presence: Presence = Presence.PRESENT) -> DocumentView:
    """Compare a document before and after, down to the words of changed entries."""
    entries = []
    for diff in entry_diff(outcome.before, outcome.after, outcome.changed):
        spans: tuple[Span, ...] = ()
        if diff.kind == "changed":
            assert diff.before is not None
            assert diff.after is not None
            spans = word_diff(diff.before, diff.after)
        entries.append(EntryView(diff, spans))
    return DocumentView(target, outcome, tuple(entries), presence)


def documents_between(found: Preflight) -> tuple[DocumentView, ...]:
    """Return each document of an outcome before and after."""
    return tuple(document_view(target, outcome) for target, outcome in found.outcome.items())


def documents_view(
    before: Mapping[Target, Document], after: Mapping[Target, Document], limits: Mapping[Target, int | None]
) -> tuple[DocumentView, ...]:
    """Compare whole documents, for rollback and undo."""
    views = []
    for target in TARGETS:
        if target in after:
            now, then = before[target], after[target]
            outcome = DocumentOutcome(now.entries, then.entries, now.size, then.size, limits.get(target))
            views.append(document_view(target, outcome, now.presence))
    return tuple(views)


class Looked(NamedTuple):
    """One waiting item and what approving it, as it stands or with an edit, would do.

    Attributes:
        item: everything the desk says of it.
        found: preflight with the edit applied.
        edit: the person's changes; empty for none.
        digest: what an approval of exactly this is bound to.
        override: conditions it would pass knowingly.
        documents: each touched document before and after.
        nearest: for a stale item the words of the nearest entry against those proposed.
        headings: for an entry written by hand as one block, how many headings it holds.
        drifted: documents of this item that were edited by hand.
        deferral: the deferral that holds, or that ended without a person having reopened the item; None for none.
        deferred: whether it holds.
        wordings: for each other outcome that waits for its entry, the members that want it; approving this closes them.
        heavy: whether there is so much to show that a page of it takes longer to make than a key may take.
        watched_by: who else looks at it; empty for nobody that is known of.
        whose: whose memory it is about, where the desk is over many people; else empty.
        people: how often the same fact waits for all of them; 1 for what waits once.
    """

    item: Item
    found: Preflight
    edit: Edit
    digest: str
    override: frozenset[State]
    documents: tuple[DocumentView, ...]
    nearest: tuple[Span, ...] = ()
    headings: int = 0
    drifted: tuple[Target, ...] = ()
    wordings: tuple[tuple[str, ...], ...] = ()
    deferral: Deferral | None = None
    deferred: bool = False
    heavy: bool = False
    watched_by: str = ""
    whose: str = ""
    people: int = 1

    @property
    def id(self) -> str:
        """Item id."""
        return self.item.id

    @property
    def state(self) -> State:
        """The state of the item as it stands, before any edit."""
        return self.item.state

    def is_same(self, other: Looked | None) -> bool:
        """Whether a decision about one is that about the other: item, text, changes by hand and conditions are equal.

        What is looked at is worked out anew now and then; a question about it stands as long as this holds.
        """
        if other is None:
            return False
        return (self.id, self.digest, self.edit, self.override) == (other.id, other.digest, other.edit, other.override)

    @property
    def failed_step(self) -> int:
        """Index of the step that cannot be carried out; 0 when all can."""
        return next((at for at, step in enumerate(self.found.steps) if step.failed), 0)

    @property
    def offers_inside(self) -> bool:
        """Whether there is a variant that changes only the matched words, and nothing is changed by hand yet."""
        return bool(self.item.found.inside) and self.edit.empty

    @property
    def inside_only(self) -> Edit:
        """The edit that changes only the matched words inside the entry, in every step that has such a text."""
        return Edit(contents=dict(self.item.found.inside), inside=frozenset(self.item.found.inside))

    def text_to_edit(self, step: int) -> str:
        """Return what an editor of a step begins with: its own version, the inside-only text, or what was proposed."""
        found = self.item.found
        return self.edit.contents.get(step) or found.inside.get(step) or found.proposal.operations[step].content or ""

    def edited(self, contents: Mapping[int, str]) -> Edit:
        """Return the edit that gives steps these texts; an inside-only text counts as that, whoever typed it."""
        inside = self.item.found.inside
        kept = frozenset(step for step, text in contents.items() if text == inside.get(step))
        return Edit(contents, self.edit.pins, kept)

    def choices(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Return the entries that the failed step may be given, the likeliest first: where several match, only these.

        Empty for a step that takes no entry.
        """
        operations = self.found.proposal.operations
        if self.failed_step >= len(operations) or not operations[self.failed_step].destructive:
            return ()
        first = self.found.candidates or ((self.found.nearest,) if self.found.nearest else ())
        standing = snapshot.document(operations[self.failed_step].target).entries
        return tuple(dict.fromkeys((*first, *(() if self.found.state is State.AMBIGUOUS else standing))))

    def picked(self, entry: str) -> Edit:
        """Return the edit that gives the failed step this entry."""
        return replace(self.edit, pins={**self.edit.pins, self.failed_step: entry})

    def decision(self, verb: Verb, evidence: Evidence | None = None) -> Decision:
        """Return a decision about exactly this record and the group it was painted with.

        Args:
            verb: what is decided.
            evidence: where the claim came from, where that is known; a guess names no source.
        """
        approve = verb is Verb.APPROVE
        return Decision(
            self.id,
            verb,
            digest=self.item.found.proposal.digest,
            override=self.override if approve else frozenset(),
            edit=self.edit if approve else Edit(),
            closes=self.item.others,
            source=evidence.session if evidence is not None and evidence.kind == "found" else "",
        )


def look(desk: Desk, name: str, edit: Edit | None = None) -> Looked:
    """Read the record of one item, once, and work out what approving it would do to the documents as last read."""
    edit = edit or Edit()
    item = desk.item(name)
    found = item.found if edit.empty else desk.with_edit(item, edit)
    snapshot = desk.snapshot()
    documents = [snapshot.document(target) for target in found.proposal.targets]
    views = documents_between(found)
    looked = Looked(
        item,
        found,
        edit,
        item.digest,
        needs_second_key(found),
        views,
        nearest=_nearest_words(found),
        headings=_headings(found),
        drifted=tuple(document.target for document in documents if document.usable and document.drifted),
        wordings=_other_wordings(desk, item),
        deferral=desk.deferral(name) or desk.rewritten(name) or desk.over(name),
        deferred=desk.deferral(name) is not None,
        heavy=_is_heavy(views, found),
        watched_by=desk.claims.known.get(name, ""),
        whose=desk.whose(name),
        people=desk.people(name),
    )
    if edit.empty and not looked.override:
        return looked
    return looked._replace(digest=desk.digest_of(item, looked.decision(Verb.APPROVE)))


def _is_heavy(views: tuple[DocumentView, ...], found: Preflight) -> bool:
    diffs = [entry.diff for view in views for entry in view.entries]
    texts = [text for diff in diffs if diff.kind != "same" for text in (diff.before, diff.after)]
    texts += [text for step in found.proposal.operations for text in (step.content, step.pin, step.match)]
    return len(diffs) > _MANY_ENTRIES or sum(len(text) for text in texts if text) > _LONG_TEXTS


def _other_wordings(desk: Desk, item: Item) -> tuple[tuple[str, ...], ...]:
    """Group the other members by what they want, those that want the same as the item left out."""
    if item.alternatives < 2:
        return ()
    found: list[tuple[Proposal, list[str]]] = [(item.found.proposal, [])]
    for name in item.others:
        other = desk.queue.proposal(name)
        if other is None:
            continue
        same = next((names for first, names in found if same_outcome(first, other)), None)
        if same is None:
            found.append((other, [name]))
        else:
            same.append(name)
    return tuple(tuple(names) for _, names in found[1:])


def _nearest_words(found: Preflight) -> tuple[Span, ...]:
    if found.nearest is None:
        return ()
    failed = next((step for step in found.steps if step.failed), None)
    wanted = failed.operation.content if failed is not None else None
    return word_diff(found.nearest, wanted) if wanted else ()


def _headings(found: Preflight) -> int:
    """Count headings in the entries the proposal takes apart: two or more say that a person wrote them as one block."""
    texts = [step.before for step in found.steps if step.before is not None]
    most = max((headings_in(text) for text in texts), default=0)
    return most if most > 1 else 0
