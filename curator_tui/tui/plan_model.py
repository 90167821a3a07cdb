"""A plan of many decisions as the plan screen shows it: rows, what is left out and why, sizes, spot checks.

Here: from marks to decisions, and their joint outcome, worked out in the clerk's thread. Not here: the order and the
rules of a plan (``core.settling``), the gates (``core.review``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from curator_tui.core.changes import Decision, NotApplied, ReasonCode, Verb
from curator_tui.core.documents import TARGETS, Target
from curator_tui.core.errors import UnknownItem
from curator_tui.core.review import plan_problem, spot_checks
from curator_tui.core.settling import Settled, Settlement
from curator_tui.curator.desk import Desk
from curator_tui.curator.queue_model import Row
from curator_tui.tui.looking import DocumentView, documents_between


class PlanRow(Struct, frozen=True):
    """One decision of a plan: the item, how it ends, and the size of its document after it."""

    row: Row
    decision: Decision
    how: str
    target: Target | None
    size: int
    limit: int | None
    documents: tuple[DocumentView, ...] = ()


class Plan(Struct, frozen=True):
    """What the plan would do.

    Attributes:
        rows: decisions that take effect, in the order they are carried out.
        left: items that were asked for and are left out, each with its reason.
        decisions: exactly what ``y`` sends.
        digest: what these decisions are bound to.
        sizes: per document size before, after and limit.
        checks: rows that have to be opened before ``y``.
    """

    rows: tuple[PlanRow, ...] = ()
    left: tuple[NotApplied, ...] = ()
    decisions: tuple[Decision, ...] = ()
    digest: str = ""
    sizes: Mapping[Target, tuple[int, int, int | None]] = field(default_factory=dict)
    checks: tuple[str, ...] = ()


class Wish(Struct, frozen=True):
    """What a person wants of a plan: the marked items (none: all that is ready), without some, rejecting others."""

    names: tuple[str, ...] = ()
    dropped: frozenset[str] = frozenset()
    rejected: frozenset[str] = frozenset()
    opened: frozenset[str] = frozenset()


def make_plan(desk: Desk, wish: Wish) -> Plan:
    """Work out the plan: what is flagged, lossy or undecided between wordings is never part of it."""
    names = wish.names or desk.ready()
    left: list[NotApplied] = [] if wish.names else list(desk.left_out(names))
    wanted: list[Decision] = []
    taken: set[str] = set()
    for name in names:
        if name in wish.dropped or name in taken:
            continue
        decision = _decision(desk, name, left, reject=name in wish.rejected)
        if decision is not None:
            wanted.append(decision)
            taken.update((name, *decision.closes))
    settlement = desk.preview(wanted)
    while settlement.failed:
        # what does not fit is left out, and the rest is planned again so that the digest is of exactly what is shown
        left += [NotApplied(f.decision.proposal, f.state, f.problem.code, f.problem.message) for f in settlement.failed]
        failed = {failure.decision.proposal for failure in settlement.failed}
        wanted = [decision for decision in wanted if decision.proposal not in failed]
        settlement = desk.preview(wanted)
    rows = _rows(desk, settlement)
    ids = [row.row.id for row in rows]
    checks = spot_checks(ids, wish.opened & set(ids), settlement.digest).ids if wanted else ()
    sizes = _sizes(desk, settlement)
    return Plan(rows, tuple(left), tuple(wanted), settlement.digest, sizes, checks)


def _decision(desk: Desk, name: str, left: list[NotApplied], *, reject: bool) -> Decision | None:
    proposal = desk.queue.proposal(name)
    if proposal is None:
        return None
    members = tuple(member for member in desk.queue.group(name) if member != name)
    if reject:
        decision = Decision(name, Verb.REJECT, digest=proposal.digest, closes=members, seen="100%")
        return replace(decision, reason=ReasonCode.NOT_USEFUL)
    if desk.has_alternatives(name):
        words = "several wordings wait for the same entry: choose one by itself"
        left.append(NotApplied(name, "alternatives", "alternatives", words))
        return None
    refused = plan_problem(desk.queue.found(name))
    if refused is not None and str(refused[0]) in {"flagged", "lossy", "unreadable", "invalid", "ambiguous"}:
        left.append(NotApplied(name, str(refused[0]), refused[1].code, refused[1].message))
        return None
    return Decision(name, Verb.APPROVE, digest=proposal.digest, closes=members, seen="100%")


def _rows(desk: Desk, settlement: Settlement) -> tuple[PlanRow, ...]:
    rows = []
    for settled in settlement.applied:
        proposal = desk.queue.proposal(settled.decision.proposal)
        if proposal is None:
            raise UnknownItem("An item of the plan is gone.", way_out="Press R and plan again.")
        row = Row(proposal, desk.queue.group(proposal.id), settled.found.conditions)
        target, size, limit = _after(settled)
        documents = documents_between(settled.found)
        rows.append(PlanRow(row, settled.decision, settled.ending, target, size, limit, documents))
    return tuple(rows)


def _after(settled: Settled) -> tuple[Target | None, int, int | None]:
    for target, part in settled.found.outcome.items():
        return target, part.size_after, part.limit
    return None, 0, None


def _sizes(desk: Desk, settlement: Settlement) -> dict[Target, tuple[int, int, int | None]]:
    snapshot = desk.snapshot()
    after = settlement.sizes()
    return {
        target: (snapshot.document(target).size, after[target], snapshot.limits.get(target))
        for target in TARGETS
        if target in settlement.spliced
    }


def writes(rows: Sequence[PlanRow]) -> int:
    """Return how many rows write something."""
    return sum(row.how in {"approve", "edit"} for row in rows)
