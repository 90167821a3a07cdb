"""A plan of many decisions as it is looked at: rows, what is left out and why, both documents, spot checks.

Here: from marks to decisions, and their joint outcome. Not here: the order and the
rules of a plan (``core.settling``), the gates (``core.review``, ``core.spot_checks``).

Everything of a row comes from one read of its record: what is shown, what the decision is bound to, and the digest by
which the screen knows a row again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from curator_tui.core.changes import NotApplied
from curator_tui.core.documents import TARGETS, Target, size_of
from curator_tui.core.endings import WROTE, Ending
from curator_tui.core.errors import UnknownItem
from curator_tui.core.ledger import digest_of
from curator_tui.core.preflight import DocumentOutcome, Preflight
from curator_tui.core.proposals import Proposal
from curator_tui.core.requests import Decision, Verb
from curator_tui.core.review import ALTERNATIVES, item_part, may_join_plan, plan_problem
from curator_tui.core.settling import Settled, Settlement
from curator_tui.core.spot_checks import SEED_BYTES, Drawn, draw, stands_out
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import DocumentView, document_view, documents_between
from curator_tui.curator.queries import Query
from curator_tui.curator.queue_model import Row


class PlanRow(Struct, frozen=True):
    """One decision of a plan.

    Attributes:
        row: the item.
        decision: what is decided about it.
        ending: how its item ends.
        digest: of what the row does, wherever in the plan it stands: the record, the decision and its conditions, the
            repeats closed with it, and every entry that changes. Whether a row was seen is remembered under this.
        target: the document it changes first, None where it changes none.
        size: that document's size after it, in code points.
        limit: that document's limit.
        found: its preflight where it stands in the plan.
    """

    row: Row
    decision: Decision
    ending: Ending
    digest: str
    target: Target | None
    size: int
    limit: int | None
    found: Preflight

    @property
    def documents(self) -> tuple[DocumentView, ...]:
        """Each document before and after it; compared when it is opened, since hundreds of rows never are."""
        return documents_between(self.found)

    @property
    def id(self) -> str:
        """Item id."""
        return self.row.id

    @property
    def writes(self) -> bool:
        """Whether it writes something."""
        return self.ending in WROTE

    @property
    def stands_out(self) -> bool:
        """Whether there is a finding about what it does, so that it has to be opened."""
        return self.decision.verb is Verb.APPROVE and stands_out(self.found)


class Plan(Struct, frozen=True):
    """What the plan would do.

    Attributes:
        rows: decisions that take effect, in the order they are carried out.
        left: items that were asked for and are left out, each with its reason.
        dropped: items that the person left out and that still wait.
        order: every item of the list, those that were left out by the person in their places.
        decisions: exactly what ``y`` sends.
        digest: what these decisions are bound to.
        documents: both documents before and after the whole plan.
        drawn: what was drawn for spot checks so far.
        checks: rows that have to be opened before ``y``: those with a finding, then those that were drawn.
        opened: rows whose whole change was seen on the review screen, as it still is.
        closed: number of items closed along with these decisions.
    """

    rows: tuple[PlanRow, ...] = ()
    left: tuple[NotApplied, ...] = ()
    dropped: tuple[Row, ...] = ()
    order: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    digest: str = ""
    documents: tuple[DocumentView, ...] = ()
    drawn: Drawn = field(default_factory=Drawn)
    checks: tuple[str, ...] = ()
    opened: frozenset[str] = frozenset()
    closed: int = 0


class Wish(Struct, frozen=True):
    """What a person wants of a plan.

    Attributes:
        names: the marked items; none for everything that is ready.
        marked: digests of the records that were marked: what is another one by now is left out. Items that are named
            and not marked are taken as they are.
        query: of what is ready only what this shows; None for all of it. Marked items are taken wherever they are.
        order: the items of the list as it stood on screen: what becomes of a row moves none of them.
        dropped: items to be left out.
        rejected: items to be rejected instead.
        looked: items whose whole change was seen on the review screen, with the digest of what was seen.
        opened: rows that were opened on the plan screen, with the digest of the row.
        drawn: what was drawn for this plan before.
    """

    names: tuple[str, ...] = ()
    query: Query | None = None
    marked: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    dropped: frozenset[str] = frozenset()
    rejected: frozenset[str] = frozenset()
    looked: Mapping[str, str] = field(default_factory=dict)
    opened: Mapping[str, str] = field(default_factory=dict)
    drawn: Drawn = field(default_factory=Drawn)


def make_plan(desk: Desk, wish: Wish) -> Plan:
    """Work out the plan: what is flagged, lossy or undecided between wordings is never part of it.

    Raises:
        StoreError: something that is needed cannot be read; also where nobody can tell what is deferred.
    """
    desk.refresh()
    desk.queue.deferrals.must_be_known()
    names, left = (wish.names, []) if wish.names else _ready(desk, wish.query)
    wanted, settlement = _settle(desk, _wanted(desk, names, wish, left), wish.marked, left)
    rows = _rows(desk, settlement)
    seen = _seen_before(desk, rows, wish.looked)
    known = {row.id for row in rows if wish.opened.get(row.id) == row.digest} | seen
    # what is rejected writes nothing, so there is nothing in it to be checked
    remarkable = tuple(row.id for row in rows if row.stands_out)
    checkable = {row.id: row.digest for row in rows if row.decision.verb is Verb.APPROVE and row.id not in remarkable}
    drawn = draw(checkable, known, desk.random_bytes(SEED_BYTES), wish.drawn)
    by_lot = drawn.standing(checkable)
    # in the order in which they were settled, which is part of what they are bound to
    bound = {row.id: row.decision for row in rows}
    dropped = _dropped(desk, wish.dropped)
    return Plan(
        rows,
        tuple(left),
        dropped,
        _in_place((*(row.id for row in rows), *(row.id for row in dropped)), wish.order),
        tuple(replace(bound[one.proposal], drawn=one.proposal in by_lot) for one in wanted),
        settlement.digest,
        _documents(desk, settlement),
        drawn,
        (*remarkable, *by_lot),
        seen,
        len(settlement.closed),
    )


def _ready(desk: Desk, query: Query | None) -> tuple[tuple[str, ...], list[NotApplied]]:
    """Return what is ready and what is not, of all that waits or of what a query shows."""
    names = desk.ready()
    left = desk.left_out(names)
    if query is None:
        return names, list(left)
    # a row stands for its group, so whatever waits for the same entry is shown with it
    shown = {member for name in desk.listings.ids(query) for member in desk.queue.group(name)}
    return tuple(name for name in names if name in shown), [one for one in left if one.id in shown]


def _dropped(desk: Desk, names: Iterable[str]) -> tuple[Row, ...]:
    """Return what the person left out, as far as it still waits."""
    found = ((name, desk.queue.proposal(name)) for name in sorted(names))
    return tuple(
        Row(proposal, desk.queue.group(name), desk.queue.conditions(name))
        for name, proposal in found
        if proposal is not None
    )


def _in_place(names: Sequence[str], before: Sequence[str]) -> tuple[str, ...]:
    """Put items where they stood before; what is new comes behind them."""
    there, known = set(names), set(before)
    return (*(name for name in before if name in there), *(name for name in names if name not in known))


def _wanted(desk: Desk, names: Sequence[str], wish: Wish, left: list[NotApplied]) -> list[Decision]:
    wanted: list[Decision] = []
    # whoever leaves a row out leaves its repeats out: none of them takes its place and closes it
    dropped = (name for name in wish.dropped if desk.queue.proposal(name) is not None)
    taken = {member for name in dropped for member in desk.queue.group(name)}
    for name in names:
        if name in wish.dropped or name in taken:
            continue
        decision = _decision(desk, name, left, reject=name in wish.rejected)
        if decision is not None:
            wanted.append(decision)
            taken.update((name, *decision.closes))
    return wanted


def _decision(desk: Desk, name: str, left: list[NotApplied], *, reject: bool) -> Decision | None:
    if desk.queue.proposal(name) is None:
        left.append(_gone(name))
        return None
    members = tuple(member for member in desk.queue.group(name) if member != name)
    if reject:
        return Decision(name, Verb.REJECT, closes=members)
    if desk.has_alternatives(name):
        left.append(NotApplied(name, str(desk.queue.conditions(name)[0]), ALTERNATIVES.code, ALTERNATIVES.message))
        return None
    found = desk.queue.found(name)
    refused = plan_problem(found)
    if refused is not None and not may_join_plan(found.conditions):
        left.append(NotApplied(name, str(refused[0]), refused[1].code, refused[1].message))
        return None
    return Decision(name, Verb.APPROVE, closes=members)


def _settle(
    desk: Desk, wanted: list[Decision], marked: Mapping[str, str], left: list[NotApplied]
) -> tuple[list[Decision], Settlement]:
    """Return the decisions that fit and what they do together; what does not fit, or went meanwhile, is left out."""
    read = desk.read_again(name for decision in wanted for name in (decision.proposal, *decision.closes))
    wanted = _still_marked(_still_waiting(wanted, read, left), read, marked, left)
    settlement = desk.preview(wanted, read)
    while settlement.failed:
        # planned again, so that the digest is of exactly what is shown
        left += [NotApplied(f.decision.proposal, f.state, f.problem.code, f.problem.message) for f in settlement.failed]
        failed = {failure.decision.proposal for failure in settlement.failed}
        wanted = [decision for decision in wanted if decision.proposal not in failed]
        settlement = desk.preview(wanted, read)
    return wanted, settlement


def _still_waiting(wanted: Sequence[Decision], read: Mapping[str, Proposal], left: list[NotApplied]) -> list[Decision]:
    """Return the decisions about what waits, each closing only what waits: the queue was listed before it was read."""
    there = []
    for decision in wanted:
        left += [_gone(name) for name in (decision.proposal, *decision.closes) if name not in read]
        if decision.proposal in read:
            there.append(replace(decision, closes=tuple(name for name in decision.closes if name in read)))
    return there


def _still_marked(
    wanted: Sequence[Decision], read: Mapping[str, Proposal], marked: Mapping[str, str], left: list[NotApplied]
) -> list[Decision]:
    """Return the decisions about records that are the marked ones: what came under the same id nobody marked."""
    exchanged = {one.proposal for one in wanted if marked.get(one.proposal, "") not in {"", read[one.proposal].digest}}
    message = "its record was written again since it was marked: look at it, then mark it anew"
    left += [NotApplied(one.proposal, "changed", "changed-since-marked", message)
             for one in wanted if one.proposal in exchanged]  # fmt: skip
    return [one for one in wanted if one.proposal not in exchanged]


def _gone(name: str) -> NotApplied:
    return NotApplied(name, "unknown", "unknown-item", "it does not wait any more")


def _rows(desk: Desk, settlement: Settlement) -> tuple[PlanRow, ...]:
    members = {along.member.id: along.member.digest for along in settlement.closed}
    rows = []
    for settled in settlement.applied:
        proposal = settled.found.proposal
        row = Row(proposal, desk.queue.group(proposal.id), settled.found.conditions)
        decision = replace(settled.decision, digest=proposal.digest)
        found = settled.found
        does = {"ending": settled.ending, **item_part(decision, found, members), "changes": _changes(found)}
        target, size, limit = _after(settled)
        rows.append(PlanRow(row, decision, settled.ending, digest_of(does), target, size, limit, found))
    return tuple(rows)


def _changes(found: Preflight) -> list[list[str | None]]:
    """Return every entry that changes, without the place where it stands."""
    return [[str(step.operation.target), str(step.result), step.before, step.after] for step in found.steps]


def _seen_before(desk: Desk, rows: Sequence[PlanRow], looked: Mapping[str, str]) -> frozenset[str]:
    """Return the rows that do exactly what was seen of their item on the review screen."""
    seen = set()
    for row in rows:
        if row.id not in looked or row.decision.verb is not Verb.APPROVE:
            continue
        try:
            item = desk.item(row.id)
        except UnknownItem:
            continue
        same = item.found.proposal.digest == row.decision.digest and item.digest == looked[row.id]
        if same and _changes(item.found) == _changes(row.found):
            seen.add(row.id)
    return frozenset(seen)


def _after(settled: Settled) -> tuple[Target | None, int, int | None]:
    for target, part in settled.found.outcome.items():
        return target, part.size_after, part.limit
    return None, 0, None


def _documents(desk: Desk, settlement: Settlement) -> tuple[DocumentView, ...]:
    """Return both documents before and after the plan."""
    snapshot = desk.snapshot()
    views = []
    for target in TARGETS:
        before = snapshot.document(target)
        after = settlement.entries.get(target, before.entries)
        outcome = DocumentOutcome(
            before.entries,
            after,
            before.size,
            size_of(after),
            snapshot.limits.get(target),
            tuple(pair for row in settlement.applied for pair in _replaced(row, target)),
        )
        views.append(document_view(target, outcome, before.presence))
    return tuple(views)


def _replaced(settled: Settled, target: Target) -> tuple[tuple[str, str], ...]:
    part = settled.found.outcome.get(target)
    return part.changed if part is not None else ()
