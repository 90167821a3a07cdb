"""Decisions about what waits: from a request to one change.

Here: which of the named decisions are still open, whether the outcome is the one that was shown, and the rows, images
and closed records of what takes effect. Not here: what the decisions do together (``settling``), what of a record is
kept (``departing``), other kinds of request (``plans``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from curator_tui.core.changes import Applied, Change, Decided, NotApplied, Receipt, Row, View
from curator_tui.core.departing import Departing, decided_words, departing, unkept_ids, unkept_notes
from curator_tui.core.documents import Target
from curator_tui.core.endings import Ending
from curator_tui.core.ledger import digest_of, item_name, new_row, session_name
from curator_tui.core.preflight import State
from curator_tui.core.proposals import Proposal
from curator_tui.core.recording import MOVED, Recorder, document_notes, receipt_sizes
from curator_tui.core.refused import REFUSED
from curator_tui.core.requests import Actor, Decision, Request, Verb
from curator_tui.core.review import override_parts
from curator_tui.core.settling import Along, Failed, Settled, Settlement, pinned_proposal, settle
from curator_tui.core.text import visible


class _Named(Struct, frozen=True):
    """The named decisions, split by whether their proposal still waits as it was looked at."""

    open: tuple[Decision, ...]
    proposals: Mapping[str, Proposal]
    gone: tuple[NotApplied, ...]

    @property
    def moved(self) -> bool:
        """Whether a record is another one than the decision was made about."""
        return any(part.state == "moved" for part in self.gone)


def plan_decisions(view: View, request: Request) -> Change:
    """Plan decisions about waiting proposals; what cannot be applied stays waiting with its own reason."""
    named = _sort(view, request)
    settlement = settle(view.snapshot, named.open, named.proposals)
    digest = _bound(settlement, named.gone)
    if request.shown is not None and (request.shown != digest or named.moved):
        left = (NotApplied(decision.proposal, "moved", "moved", MOVED) for decision in named.open)
        receipt = Receipt(None, request.kind, not_applied=(*named.gone, *left), digest=digest, moved=True)
        return Change(request.stamp.change, request.kind, receipt)
    failed = tuple(_not_applied(failure) for failure in settlement.failed)
    base = Receipt(None, request.kind, not_applied=(*named.gone, *failed), digest=digest)
    return _change(view, request, settlement, base)


def _sort(view: View, request: Request) -> _Named:
    proposals = pinned_proposals(view, request)
    still: list[Decision] = []
    gone: list[NotApplied] = []
    first: dict[str, Decision] = {}
    for decision in request.decisions:
        name = decision.proposal
        if name in first:
            if decision != first[name]:
                gone.append(NotApplied(name, "decided", "named-twice", "it was named before, decided otherwise"))
            continue
        first[name] = decision
        proposal = proposals.get(name)
        if proposal is None:
            gone.append(why_gone(view.decided.get(name), name, request.stamp.actor))
        elif decision.digest is not None and decision.digest != proposal.digest:
            gone.append(NotApplied(name, "moved", "record-changed", "its record changed since it was shown"))
        else:
            still.append(decision)
    return _Named(tuple(still), proposals, tuple(gone))


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


def why_gone(decided: Decided | None, name: str, you: Actor) -> NotApplied:
    """Say why a named item does not wait."""
    if decided is None:
        message = f"no waiting item has the id {visible(name, newlines=False)}"
        return NotApplied(name, "unknown", "unknown-item", message)
    return NotApplied(name, "decided", "already-decided", decided_words(decided, you))


def _bound(settlement: Settlement, gone: Sequence[NotApplied]) -> str:
    """Return what the decisions are bound to: also that some of what was named is not there to be decided."""
    if not gone:
        return settlement.digest
    return digest_of({"plan": settlement.digest, "gone": [[part.id, part.state, part.code] for part in gone]})


def _not_applied(failure: Failed) -> NotApplied:
    return NotApplied(failure.decision.proposal, failure.state, failure.problem.code, failure.problem.message)


def _leaving(view: View, settlement: Settlement) -> dict[str, Departing]:
    entries = (*view.snapshot.entries().values(), *settlement.entries.values())
    standing = tuple(dict.fromkeys(entry for found in entries for entry in found))
    ends = [(part.found.proposal, part.ending) for part in settlement.applied]
    ends += [(part.member, part.ending) for part in settlement.closed]
    return {
        proposal.id: departing(view.waiting[proposal.id], proposal.targets, ending, standing)
        for proposal, ending in ends
    }


def _change(view: View, request: Request, settlement: Settlement, receipt: Receipt) -> Change:
    recorder = Recorder(request.stamp)
    leaves = _leaving(view, settlement)
    before = {target: view.snapshot.document(target).raw for target in settlement.spliced}
    after: dict[Target, bytes | None] = {target: part.raw for target, part in settlement.spliced.items()}
    image = recorder.image(before, view, "before a decision") if after else None
    documents = recorder.documents(before, after)
    row = _decision_row(recorder, settlement, leaves, documents=documents, backup=image)
    rows = [] if row is None else [row]
    refused = [_refused_part(failure) for failure in settlement.failed if failure.state == State.FLAGGED]
    if refused:
        rows.append(new_row(request.stamp, REFUSED, decisions=refused))
    change = Change(
        request.stamp.change,
        request.kind,
        receipt,
        documents=after,
        before=before,
        closed=tuple(part.closed() for part in leaves.values()),
        rows=tuple(rows),
    )
    done = replace(
        receipt,
        change=None if row is None else request.stamp.change,
        applied=tuple(Applied(settled.decision.proposal, settled.ending) for settled in settlement.applied),
        closed=tuple(_along(part) for part in settlement.closed),
        backup=image,
        sizes=receipt_sizes(view, after),
        unkept=unkept_ids(leaves.values()),
        notes=(
            *document_notes(view, settlement.spliced),
            *unkept_notes(leaves.values()),
            *_staying_notes(settlement.staying),
        ),
    )
    return recorder.finish(change, view, request, done)


def _decision_row(
    recorder: Recorder, settlement: Settlement, leaves: Mapping[str, Departing], **parts: Any
) -> Row | None:
    """Return the row of the decisions that take effect, or None when none does."""
    decisions = [_decision_part(recorder, part, leaves[part.decision.proposal]) for part in settlement.applied]
    decisions += [_along_part(recorder, part, leaves[part.member.id]) for part in settlement.closed]
    if not decisions:
        return None
    return new_row(recorder.stamp, _action(settlement.applied), decisions=decisions, **parts)


def _action(applied: Sequence[Settled]) -> str:
    endings = {settled.ending for settled in applied}
    if len(endings) > 1:
        return "plan"
    only = next(iter(endings))
    return str(Ending.APPROVE if only is Ending.ALREADY else only)


def _decision_part(recorder: Recorder, settled: Settled, record: Departing) -> dict[str, Any]:
    decision = settled.decision
    part: dict[str, Any] = {
        "proposal": item_name(decision.proposal),
        "decision": str(settled.ending),
        "conditions": [str(state) for state in settled.found.conditions],
        "seen": decision.seen,
        "record": record.record_part(recorder),
    }
    if settled.ending is Ending.ALREADY:
        part["recovered"] = True
    if decision.verb is Verb.APPROVE:
        why = override_parts(decision.override, settled.found.conditions, decision.reason)
    else:
        why = {"reason": str(decision.reason) if decision.reason else ""}
    optional = {
        **why,
        "note": recorder.note(decision.proposal, decision.note),
        "source": session_name(decision.source),
        "drawn": decision.drawn,
    }
    part.update({name: value for name, value in optional.items() if value})
    return part


def _along_part(recorder: Recorder, along: Along, record: Departing) -> dict[str, Any]:
    return {
        "proposal": item_name(along.member.id),
        "decision": str(along.ending),
        "by": item_name(along.by),
        "record": record.record_part(recorder),
    }


def _along(along: Along) -> Applied:
    return Applied(along.member.id, along.ending, along.by if along.ending is Ending.SUPERSEDED else "")


def _refused_part(failure: Failed) -> dict[str, Any]:
    return {
        "proposal": item_name(failure.decision.proposal),
        "decision": REFUSED,
        "reason": failure.problem.code,
    }


def _staying_notes(staying: Sequence[str]) -> tuple[str, ...]:
    if not staying:
        return ()
    names = ", ".join(visible(name, newlines=False) for name in staying)
    return (f"still waiting, because they want something else of the same entry: {names}",)
