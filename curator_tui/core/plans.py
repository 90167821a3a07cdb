"""Plans: from a request and a view to one change.

Here: decisions, reopening, and what is recorded about states others wrote. Not here: what decisions do
together (``settling``), a person's own words (``corrections``), rollback and undo (``reverts``), how a change
is stored.

``plan`` is pure and may be called again by a store after a serialisation failure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from curator_tui.core import corrections, reverts
from curator_tui.core.changes import (
    Applied,
    Change,
    Closed,
    Decision,
    Ending,
    Kind,
    NotApplied,
    Receipt,
    Request,
    Returned,
    Row,
    Verb,
    View,
    Waiting,
)
from curator_tui.core.documents import Target
from curator_tui.core.ledger import committed, item_name, new_row, session_name
from curator_tui.core.preflight import State, short
from curator_tui.core.proposals import Proposal
from curator_tui.core.recording import Recorder, document_notes, receipt_sizes, record_salt
from curator_tui.core.scanning import has_secret, scan
from curator_tui.core.settling import Along, Failed, Settled, Settlement, pinned_proposal, settle
from curator_tui.core.text import visible


def plan(view: View, request: Request) -> Change:
    """Plan any request; where nothing is to be stored the change is ``empty`` and its receipt says why."""
    if request.kind is Kind.DECIDE:
        return plan_decisions(view, request)
    if request.kind is Kind.CORRECT:
        return corrections.plan_corrections(view, request)
    if request.kind is Kind.REOPEN:
        return plan_reopen(view, request)
    if request.kind is Kind.ROLLBACK:
        return reverts.plan_rollback(view, request)
    if request.kind in {Kind.UNDO, Kind.REDO}:
        return reverts.plan_revert(view, request)
    return plan_observe(view, request)


# Ends after which the record's text stands in memory anyway.
_WRITTEN = frozenset({Ending.APPROVE, Ending.EDIT, Ending.ALREADY})


class _Sorted(Struct, frozen=True):
    """The named decisions, split by whether their proposal still waits as it was looked at."""

    open: tuple[Decision, ...]
    proposals: Mapping[str, Proposal]
    gone: tuple[NotApplied, ...]
    moved: bool


def pinned_proposals(view: View, request: Request) -> dict[str, Proposal]:
    """Return the named waiting proposals with their pins.

    A first sight that no change has recorded yet counts like a recorded one: it is what was looked at, and the entry
    may have changed since.
    """
    sighted = {(pinned.proposal, pinned.digest): pinned.pins for pinned in request.sighted}
    found: dict[str, Proposal] = {}
    for name, waiting in view.waiting.items():
        pins = view.pins.get(name) or sighted.get((name, waiting.proposal.digest), {})
        found[name] = pinned_proposal(waiting.proposal, view.snapshot, pins)
    return found


def _sort(view: View, request: Request) -> _Sorted:
    proposals = pinned_proposals(view, request)
    still: list[Decision] = []
    gone: list[NotApplied] = []
    moved = False
    first: dict[str, Decision] = {}
    for decision in request.decisions:
        if decision.proposal in first:
            if decision != first[decision.proposal]:
                gone.append(
                    NotApplied(decision.proposal, "decided", "named-twice", "it was named before, decided otherwise")
                )
            continue
        first[decision.proposal] = decision
        proposal = proposals.get(decision.proposal)
        if proposal is None:
            gone.append(_gone(view, decision.proposal))
        elif decision.digest is not None and decision.digest != proposal.digest:
            moved = True
            gone.append(
                NotApplied(decision.proposal, "moved", "record-changed", "its record changed since it was shown")
            )
        else:
            still.append(decision)
    return _Sorted(tuple(still), proposals, tuple(gone), moved)


def _gone(view: View, name: str) -> NotApplied:
    decided = view.decided.get(name)
    if decided is None:
        return NotApplied(
            name, "unknown", "unknown-item", f"no waiting item has the id {visible(name, newlines=False)}"
        )
    who = visible(decided.actor.name, newlines=False) or str(decided.actor.kind)
    message = f"already decided: {decided.ending} by {who} at {_clock(decided.at)}"
    return NotApplied(name, "decided", "already-decided", message)


def _clock(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def plan_decisions(view: View, request: Request) -> Change:
    """Plan decisions about waiting proposals; what cannot be applied stays waiting with its own reason."""
    named = _sort(view, request)
    settlement = settle(view.snapshot, named.open, named.proposals)
    shown_differs = request.shown is not None and request.shown != settlement.digest
    if shown_differs or (request.shown is not None and named.gone):
        receipt = Receipt(
            None,
            request.kind,
            not_applied=named.gone,
            digest=settlement.digest,
            moved=shown_differs or named.moved,
        )
        return Change(request.stamp.change, request.kind, receipt)
    failed = tuple(_not_applied(failure) for failure in settlement.failed)
    base = Receipt(None, request.kind, not_applied=(*named.gone, *failed), digest=settlement.digest)
    return _decided_change(view, request, settlement, base)


def _not_applied(failure: Failed) -> NotApplied:
    return NotApplied(failure.decision.proposal, failure.state, failure.problem.code, failure.problem.message)


def _decided_change(view: View, request: Request, settlement: Settlement, receipt: Receipt) -> Change:
    recorder = Recorder(request.stamp)
    before = {target: view.snapshot.document(target).raw for target in settlement.spliced}
    after: dict[Target, bytes | None] = {target: part.raw for target, part in settlement.spliced.items()}
    image = recorder.image(before, view, "before a decision") if after else None
    row = _decision_row(view, recorder, settlement, documents=recorder.documents(before, after), backup=image)
    refused = [_refused_part(failure) for failure in settlement.failed if failure.state == State.FLAGGED]
    rows = [] if row is None else [row]
    if refused:
        rows.append(new_row(request.stamp, "refused", decisions=refused))
    closed = tuple(_closed(view, settled.found.proposal, settled.ending) for settled in settlement.applied) + tuple(
        _closed(view, along.member, along.ending) for along in settlement.closed
    )
    change = Change(
        request.stamp.change,
        request.kind,
        receipt,
        documents=after,
        before=before,
        closed=closed,
        rows=tuple(rows),
    )
    done = replace(
        receipt,
        change=None if row is None else request.stamp.change,
        applied=tuple(Applied(settled.decision.proposal, settled.ending) for settled in settlement.applied),
        closed=tuple(_along(part) for part in settlement.closed),
        backup=image,
        sizes=receipt_sizes(view, after),
        notes=document_notes(view, settlement.spliced) + _secret_notes(closed),
    )
    return recorder.finish(change, view, request, done)


def _decision_row(view: View, recorder: Recorder, settlement: Settlement, **parts: Any) -> Row | None:
    """Return the row of the decisions that take effect, or None when none does."""
    decisions = [_decision_part(view, recorder, settled) for settled in settlement.applied]
    decisions += [_closed_part(view, recorder, along) for along in settlement.closed]
    if not decisions:
        return None
    return new_row(recorder.stamp, _action(settlement.applied), decisions=decisions, **parts)


def _action(applied: Sequence[Settled]) -> str:
    endings = {settled.ending for settled in applied}
    if len(endings) > 1:
        return "plan"
    only = next(iter(endings))
    return str(Ending.APPROVE if only is Ending.ALREADY else only)


def _decision_part(view: View, recorder: Recorder, settled: Settled) -> dict[str, Any]:
    decision = settled.decision
    waiting = view.waiting[decision.proposal]
    part: dict[str, Any] = {
        "proposal": item_name(decision.proposal),
        "decision": str(settled.ending),
        "conditions": [str(state) for state in settled.found.conditions],
        "seen": decision.seen,
        "record": _record_part(recorder, waiting, keep=_keeps(waiting, settled.found.proposal, settled.ending)),
    }
    if settled.ending is Ending.ALREADY:
        part["recovered"] = True
    passed = decision.override & set(settled.found.conditions)
    optional = {
        "reason": str(decision.reason) if decision.reason else "",
        "note": recorder.note(decision.proposal, decision.note),
        "override": sorted(str(state) for state in passed) if decision.verb is Verb.APPROVE else [],
        "source": session_name(decision.source),
        "drawn": decision.drawn,
    }
    part.update({name: value for name, value in optional.items() if value})
    return part


def _record_part(recorder: Recorder, waiting: Waiting, *, keep: bool) -> dict[str, Any]:
    if not keep:
        return {"size": len(waiting.raw), "kept": False}
    salt = recorder.salt(record_salt(item_name(waiting.proposal.id)))
    return committed(salt, waiting.raw, len(waiting.raw))


def _closed_part(view: View, recorder: Recorder, along: Along) -> dict[str, Any]:
    waiting = view.waiting[along.member.id]
    return {
        "proposal": item_name(along.member.id),
        "decision": str(along.ending),
        "by": item_name(along.by),
        "record": _record_part(recorder, waiting, keep=_keeps(waiting, along.member, along.ending)),
    }


def _along(along: Along) -> Applied:
    return Applied(along.member.id, along.ending, along.by if along.ending is Ending.SUPERSEDED else "")


def _refused_part(failure: Failed) -> dict[str, Any]:
    return {
        "proposal": item_name(failure.decision.proposal),
        "decision": "refused",
        "reason": failure.problem.code,
    }


def _keeps(waiting: Waiting, proposal: Proposal, ending: Ending) -> bool:
    """Whether the record's bytes are kept for undo: not where a secret would outlive an item nobody wanted.

    The whole record is looked at, because a secret may stand in a field that is no operation.
    """
    if ending in _WRITTEN:
        return True
    contents = [operation.content for operation in proposal.operations if operation.content is not None]
    return not any(has_secret(scan(text)) for text in (*contents, waiting.raw.decode("utf-8", "replace")))


def _closed(view: View, proposal: Proposal, ending: Ending) -> Closed:
    waiting = view.waiting[proposal.id]
    keep = waiting.raw if _keeps(waiting, proposal, ending) else None
    return Closed(proposal.id, waiting.proposal.digest, ending, keep, proposal.targets)


def _secret_notes(closed: Sequence[Closed]) -> tuple[str, ...]:
    return tuple(
        f"{item.proposal} held a secret: nothing of it was kept, so this cannot be undone"
        for item in closed
        if item.keep is None
    )


def plan_reopen(view: View, request: Request) -> Change:
    """Plan the return of decided items to the queue; memory itself is not touched."""
    failed: list[NotApplied] = []
    returned: list[Returned] = []
    for name in request.reopen:
        decided = view.decided.get(name)
        if name in view.waiting or name in view.occupied:
            failed.append(NotApplied(name, "waiting", "still-waiting", "it is waiting already"))
        elif decided is None:
            failed.append(NotApplied(name, "unknown", "unknown-item", f"no decided item has the id {short(name)}"))
        elif decided.raw is None:
            failed.append(NotApplied(name, "decided", "not-kept", "its text was not kept, so it cannot come back"))
        else:
            returned.append(Returned(name, decided.raw, decided))
    recorder = Recorder(request.stamp)
    parts = [{"proposal": item_name(item.proposal), "decision": "returned"} for item in returned]
    note = recorder.note("reopen", request.note) if returned else ""
    rows = (new_row(request.stamp, "reopen", decisions=parts, note=note),) if returned else ()
    change = Change(
        request.stamp.change, request.kind, Receipt(None, request.kind), returned=tuple(returned), rows=rows
    )
    done = Receipt(
        request.stamp.change if returned else None,
        request.kind,
        applied=tuple(Applied(item.proposal, Ending.REOPEN) for item in returned),
        not_applied=tuple(failed),
        returned=tuple(item.proposal for item in returned),
        sizes=receipt_sizes(view, {}),
    )
    return recorder.finish(change, view, request, done)


def plan_observe(view: View, request: Request) -> Change:
    """Record what others wrote and the pins of what was first seen, without deciding anything."""
    recorder = Recorder(request.stamp)
    change = Change(request.stamp.change, request.kind, Receipt(None, request.kind))
    done = Receipt(None, request.kind, sizes=receipt_sizes(view, {}))
    return recorder.finish(change, view, request, done)
