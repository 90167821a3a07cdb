"""Plans: from a request and a view to one change.

Here: which planner a request goes to, reopening, and what is recorded about states others wrote. Not here: decisions
about what waits (``decisions``), a person's own words (``corrections``), undo (``reverts``), rollback
(``rollbacks``), how a change is stored.

``plan`` is pure and may be called again by a store after a serialisation failure.
"""

from __future__ import annotations

from curator_tui.core import corrections, decisions, reverts, rollbacks
from curator_tui.core.changes import (
    Applied,
    Change,
    Ending,
    Kind,
    NotApplied,
    Receipt,
    Request,
    Returned,
    View,
)
from curator_tui.core.ledger import item_name, new_row
from curator_tui.core.preflight import short
from curator_tui.core.recording import Recorder, receipt_sizes


def plan(view: View, request: Request) -> Change:
    """Plan any request; where nothing is to be stored the change is ``empty`` and its receipt says why."""
    if request.kind is Kind.DECIDE:
        return decisions.plan_decisions(view, request)
    if request.kind is Kind.CORRECT:
        return corrections.plan_corrections(view, request)
    if request.kind is Kind.REOPEN:
        return plan_reopen(view, request)
    if request.kind is Kind.ROLLBACK:
        return rollbacks.plan_rollback(view, request)
    if request.kind in {Kind.UNDO, Kind.REDO}:
        return reverts.plan_revert(view, request)
    return plan_observe(view, request)


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
