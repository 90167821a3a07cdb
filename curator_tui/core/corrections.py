"""Corrections: a person's own add, replace and remove, by the rules of a proposal, on what is there now.

Here: from such a request to one change. Not here: decisions about what waits (``plans``), the rules
(``preflight``).
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from curator_tui.core.changes import Applied, Change, Ending, NotApplied, Receipt, Request, View
from curator_tui.core.documents import Target, entry_id, splice
from curator_tui.core.ledger import new_row
from curator_tui.core.operations import Action, Operation, Problem, check_operation, normalise
from curator_tui.core.preflight import Preflight, State, preflight
from curator_tui.core.proposals import Proposal
from curator_tui.core.recording import Recorder, document_notes, receipt_sizes
from curator_tui.core.refused import REFUSED
from curator_tui.core.review import approval_problem


def plan_corrections(view: View, request: Request) -> Change:
    """Plan a person's own add, replace and remove: the rules of a proposal, on what is there now."""
    operations = tuple(_normalised(operation) for operation in request.corrections)
    wrong = [check_operation(operation, own_verb=True) for operation in operations]
    problem = next((problem for problem in wrong if problem is not None), None)
    proposal = Proposal("correction", "", operations, problem=problem)
    found = preflight(proposal, view.snapshot)
    refused = approval_problem(found, request.override)
    if refused is None and found.state is State.NO_CHANGE:
        if all(operation.action is Action.ADD for operation in operations):
            return _nothing_to_add(view, request, operations)
        refused = State.NO_CHANGE, found.reasons[State.NO_CHANGE]
    if refused is not None:
        return _refused_correction(view, request, *refused)
    return _corrected_change(view, request, found)


def _normalised(operation: Operation) -> Operation:
    match = None if operation.match is None else normalise(operation.match)
    content = None if operation.content is None else normalise(operation.content)
    return replace(operation, match=match, content=content)


def _nothing_to_add(view: View, request: Request, operations: Sequence[Operation]) -> Change:
    """Answer an add of what stands there already: it is so, nothing is written, and that is no failure."""
    applied = tuple(Applied(_name(operation), Ending.ALREADY) for operation in operations)
    receipt = Receipt(None, request.kind, applied=applied, sizes=receipt_sizes(view, {}))
    return Change(request.stamp.change, request.kind, receipt)


def _refused_correction(view: View, request: Request, state: State, reason: Problem) -> Change:
    """Say why nothing was written; an attempt to write what a scanner holds back leaves a row."""
    failed = NotApplied("", str(state), reason.code, reason.message)
    receipt = Receipt(None, request.kind, not_applied=(failed,), sizes=receipt_sizes(view, {}))
    change = Change(request.stamp.change, request.kind, receipt)
    if state is not State.FLAGGED:
        return change
    row = new_row(request.stamp, REFUSED, reason=reason.code)
    return Recorder(request.stamp).finish(replace(change, rows=(row,)), view, request, receipt)


def _corrected_change(view: View, request: Request, found: Preflight) -> Change:
    recorder = Recorder(request.stamp)
    changed = {target: part.after for target, part in found.outcome.items() if part.after != part.before}
    spliced = {target: splice(view.snapshot.document(target), entries) for target, entries in changed.items()}
    before = {target: view.snapshot.document(target).raw for target in spliced}
    after: dict[Target, bytes | None] = {target: part.raw for target, part in spliced.items()}
    image = recorder.image(before, view, "before a correction")
    operations = found.proposal.operations
    actions = "+".join(dict.fromkeys(str(operation.action) for operation in operations))
    row = new_row(
        request.stamp,
        actions,
        documents=recorder.documents(before, after),
        backup=image,
        note=recorder.note("correction", request.note),
        reason=str(request.reason) if request.reason is not None else "",
        override=sorted(str(state) for state in request.override & set(found.conditions)),
    )
    change = Change(request.stamp.change, request.kind, Receipt(None, request.kind), documents=after, before=before)
    done = Receipt(
        request.stamp.change,
        request.kind,
        applied=tuple(Applied(_name(operation), Ending(operation.action)) for operation in operations),
        backup=image,
        sizes=receipt_sizes(view, after),
        notes=document_notes(view, spliced),
    )
    return recorder.finish(replace(change, rows=(row,)), view, request, done)


def _name(operation: Operation) -> str:
    return entry_id(operation.content or operation.pin or operation.match or "")
