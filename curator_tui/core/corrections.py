"""Corrections: what a person changes by hand, by the rules of a proposal, on what is there now.

Here: what a correction would do, complete and bound by a digest, and from such a request to one change. Besides add,
replace and remove a person may put entries into another order and have a document written in Hermes's own form; all
of one correction is one change. Not here: decisions about what waits (``decisions``), the rules (``preflight``), bytes
(``splicing``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from curator_tui.core.changes import Applied, Change, NotApplied, Receipt, View
from curator_tui.core.documents import FILE_NAMES, TARGETS, Target, entry_id, parse, render
from curator_tui.core.effects import EFFECT
from curator_tui.core.endings import Ending
from curator_tui.core.ledger import new_row
from curator_tui.core.operations import Action, Operation, Problem, check_operation, normalise
from curator_tui.core.preflight import DocumentOutcome, Preflight, Snapshot, State, preflight
from curator_tui.core.proposals import Proposal
from curator_tui.core.recording import MOVED, Recorder, document_notes, receipt_sizes, refused_change
from curator_tui.core.requests import Request
from curator_tui.core.review import BLOCKING, approval_problem, override_parts, shown_digest
from curator_tui.core.splicing import Spliced, has_mark, splice

NAME = "correction"
_NOTHING = Problem("no-change", "its effect is already there")


class Correction(Struct, frozen=True):
    """What a person wants changed, all of it together.

    Attributes:
        operations: add, replace and remove, in order.
        order: how the entries of a document shall stand afterwards, by document: each of them once.
        tidy: documents to be written in Hermes's own form; their entries stay as they are.
        name: what it is called where several are looked at.
    """

    operations: tuple[Operation, ...] = ()
    order: Mapping[Target, tuple[str, ...]] = field(default_factory=dict)
    tidy: tuple[Target, ...] = ()
    name: str = NAME

    @property
    def targets(self) -> tuple[Target, ...]:
        """The documents it is about."""
        named = {*(step.target for step in self.operations), *self.order, *self.tidy}
        return tuple(target for target in TARGETS if target in named)


class Corrected(Struct, frozen=True):
    """What a correction would do.

    Attributes:
        found: its preflight; the outcome stands in the order that was asked for.
        spliced: new bytes of each document that changes.
        digest: what carrying out exactly this is bound to.
    """

    found: Preflight
    spliced: Mapping[Target, Spliced]
    digest: str


def corrected(snapshot: Snapshot, wanted: Correction) -> Corrected:
    """Work out what a correction would do to the documents of a snapshot; pure."""
    operations = tuple(_normalised(operation) for operation in wanted.operations)
    wrong = [check_operation(operation, own_verb=True) for operation in operations]
    problem = next((problem for problem in wrong if problem is not None), None)
    proposal = Proposal(wanted.name, "", operations, problem=problem)
    alone = not operations and (wanted.order or wanted.tidy)
    found = _still(proposal) if alone else preflight(proposal, snapshot)
    if not set(BLOCKING) & set(found.conditions):
        found = _arranged(found, snapshot, wanted)
    spliced = {} if set(BLOCKING) & set(found.conditions) else _bytes(snapshot, found, wanted.tidy)
    if not spliced and State.READY in found.conditions:
        found = _with(found, {State.NO_CHANGE: _NOTHING})
    elif spliced and State.NO_CHANGE in found.conditions:
        found = _with(found, {state: why for state, why in found.reasons.items() if state is not State.NO_CHANGE})
    return Corrected(found, spliced, _digest(snapshot, wanted, found, spliced))


def _normalised(operation: Operation) -> Operation:
    match = None if operation.match is None else normalise(operation.match)
    content = None if operation.content is None else normalise(operation.content)
    return replace(operation, match=match, content=content)


def _still(proposal: Proposal) -> Preflight:
    """Return the answer for no operation at all: by itself nothing changes."""
    return _with(Preflight(proposal, (), {}, {}), {State.NO_CHANGE: _NOTHING})


def _with(found: Preflight, reasons: Mapping[State, Problem]) -> Preflight:
    return replace(found, reasons=reasons, conditions=tuple(s for s in State if s in reasons) or (State.READY,))


def _arranged(found: Preflight, snapshot: Snapshot, wanted: Correction) -> Preflight:
    """Put the outcome into the order that was asked for."""
    outcome = dict(found.outcome)
    for target in TARGETS:
        if target not in wanted.order and target not in wanted.tidy:
            continue
        document = snapshot.document(target)
        if not document.usable:
            trouble = f"the {target} document cannot be read: {document.trouble}"
            return _with(found, {State.UNREADABLE: Problem("document-unreadable", trouble)})
        limit = snapshot.limits.get(target)
        part = outcome.get(target) or DocumentOutcome(
            document.entries, document.entries, document.size, document.size, limit
        )
        order = wanted.order.get(target, part.after)
        if sorted(order) != sorted(part.after):
            others = f"the entries of {FILE_NAMES[target]} are others than those that were put in order"
            return _with(found, {State.STALE: Problem("order-changed", others)})
        outcome[target] = replace(part, after=tuple(order))
    if wanted.order:
        # parts that take the place of a whole: that one of them is short says nothing
        findings = tuple(one for one in found.findings if one.finding.family != EFFECT)
        return replace(found, outcome=outcome, findings=findings)
    return replace(found, outcome=outcome)


def _bytes(snapshot: Snapshot, found: Preflight, tidy: Sequence[Target]) -> dict[Target, Spliced]:
    """Return the new bytes of each document whose bytes differ."""
    spliced: dict[Target, Spliced] = {}
    for target, part in found.outcome.items():
        document = snapshot.document(target)
        if target in tidy and document.raw is not None:
            raw = render(part.after)
            if parse(target, raw).entries == part.after and raw != document.raw:
                spliced[target] = Spliced(raw, canonical=False, dropped_mark=has_mark(document))
                continue
        if part.after != document.entries:
            spliced[target] = splice(document, part.after)
    return spliced


def _digest(snapshot: Snapshot, wanted: Correction, found: Preflight, spliced: Mapping[Target, Spliced]) -> str:
    steps = [[str(s.action), str(s.target), s.match, s.content, s.pin] for s in found.proposal.operations]
    part = {
        "steps": steps,
        "conditions": [str(state) for state in found.conditions],
        "order": {str(target): list(order) for target, order in wanted.order.items()},
        "tidy": [str(target) for target in wanted.tidy],
    }
    documents = {target: snapshot.document(target) for target in wanted.targets}
    results = {target: spliced[target].raw if target in spliced else documents[target].raw for target in documents}
    return shown_digest([part], documents, results)


def plan_corrections(view: View, request: Request) -> Change:
    """Plan what a person changes by hand; where an outcome was shown, only exactly that one."""
    wanted = Correction(request.corrections, request.order, request.tidy)
    done = corrected(view.snapshot, wanted)
    base = Receipt(None, request.kind, sizes=receipt_sizes(view, {}), digest=done.digest)
    if request.shown is not None and request.shown != done.digest:
        moved = NotApplied("", "moved", "moved", MOVED)
        return Change(request.stamp.change, request.kind, replace(base, not_applied=(moved,), moved=True))
    refused = approval_problem(done.found, request.override)
    if refused is None and done.found.state is State.NO_CHANGE:
        operations = done.found.proposal.operations
        if operations and all(operation.action is Action.ADD for operation in operations):
            applied = tuple(Applied(_name(operation), Ending.ALREADY) for operation in operations)
            # it is so, nothing is written, and that is no failure
            return Change(request.stamp.change, request.kind, replace(base, applied=applied))
        refused = State.NO_CHANGE, done.found.reasons[State.NO_CHANGE]
    if refused is not None:
        state, reason = refused
        failed = NotApplied("", str(state), reason.code, reason.message)
        return refused_change(view, request, replace(base, not_applied=(failed,)))
    return _corrected_change(view, request, done, base)


def _corrected_change(view: View, request: Request, done: Corrected, base: Receipt) -> Change:
    recorder = Recorder(request.stamp)
    before = {target: view.snapshot.document(target).raw for target in done.spliced}
    after: dict[Target, bytes | None] = {target: part.raw for target, part in done.spliced.items()}
    image = recorder.image(before, view, "before a correction")
    applied = _applied(request, done)
    row = new_row(
        request.stamp,
        "+".join(dict.fromkeys(str(part.ending) for part in applied)),
        documents=recorder.documents(before, after),
        backup=image,
        note=recorder.note("correction", request.note),
        **override_parts(request.override, done.found.conditions, request.reason),
    )
    change = Change(request.stamp.change, request.kind, base, documents=after, before=before)
    receipt = replace(
        base,
        change=request.stamp.change,
        applied=applied,
        backup=image,
        sizes=receipt_sizes(view, after),
        notes=document_notes(view, done.spliced),
    )
    return recorder.finish(replace(change, rows=(row,)), view, request, receipt)


def _applied(request: Request, done: Corrected) -> tuple[Applied, ...]:
    """Say what took effect: each operation under its entry, what is about a whole document under its target."""
    operations = done.found.proposal.operations
    steps = [Applied(_name(step), Ending(step.action), targets=(step.target,)) for step in operations]
    moves = [_whole(target, Ending.MOVE) for target in request.order if target in done.spliced]
    return (*steps, *moves, *(_whole(target, Ending.TIDY) for target in request.tidy if target in done.spliced))


def _whole(target: Target, ending: Ending) -> Applied:
    return Applied(str(target), ending, targets=(target,))


def _name(operation: Operation) -> str:
    return entry_id(operation.content or operation.pin or operation.match or "")
