"""Shapes: the JSON documents that scripts rely on, made from the values of the desk.

Here: key names and their order; ``JSON.md`` beside this file lists them for people, and a test holds it against the
verbs. Not here: the words of the text form (``words``, ``item_words``), printing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from curator_tui.core.asides import Deferral
from curator_tui.core.changes import NotApplied, Receipt
from curator_tui.core.diffs import EntryDiff
from curator_tui.core.documents import TARGETS, Standing, Target, percent, pressure, standing
from curator_tui.core.operations import Operation, Problem
from curator_tui.core.preflight import Located, Preflight, Snapshot
from curator_tui.core.questions import Question
from curator_tui.core.scanning import Finding
from curator_tui.curator.values import Evidence

Shape = dict[str, Any]


def standing_shape(part: Standing) -> Shape:
    """Return the one shape of a document, wherever one is told of; ``memory`` puts its entries beside it."""
    size, limit = part.size, part.limit
    return {
        "size": size,
        "limit": limit,
        "percent": percent(size, limit) if size is not None and limit is not None else None,
        "pressure": pressure(size, limit) if size is not None else "unknown",
        "presence": str(part.presence),
        "trouble": part.trouble or None,
    }


def documents_shape(snapshot: Snapshot) -> Shape:
    """Return both documents."""
    return standings_shape({t: standing(snapshot.document(t), snapshot.limits.get(t)) for t in TARGETS})


def standings_shape(parts: Mapping[Target, Standing]) -> Shape:
    """Return documents as a receipt tells of them."""
    return {str(target): standing_shape(parts[target]) for target in TARGETS if target in parts}


def finding_shape(finding: Finding) -> Shape:
    """Return one finding."""
    return {
        "rule": finding.rule,
        "family": finding.family,
        "severity": str(finding.severity),
        "start": finding.start,
        "end": finding.end,
        "reason": finding.reason,
    }


def located_shape(located: Located) -> Shape:
    """Return one finding of an item and the number of the operation it was seen in, from 1."""
    return {"operation": located.operation + 1, **finding_shape(located.finding)}


def operation_shape(operation: Operation) -> Shape:
    """Return one operation; ``pin`` is the entry it meant."""
    return {
        "action": str(operation.action),
        "target": str(operation.target),
        "match": operation.match,
        "content": operation.content,
        "pin": operation.pin,
    }


def item_shape(found: Preflight, *, digest: str, group: str | None, reason: Problem | None) -> Shape:
    """Return one waiting item as ``pending`` lists it."""
    proposal = found.proposal
    return {
        "id": proposal.id,
        "state": str(found.state),
        "conditions": [str(state) for state in found.conditions],
        "target": proposal.target_name,
        "actions": list(proposal.actions),
        "origin": proposal.origin,
        "written_by": proposal.author or None,
        "trust": proposal.trust or None,
        "created_at": proposal.created_at,
        "reason": reason.message if reason is not None else None,
        "code": reason.code if reason is not None else None,
        "digest": digest,
        "group": group,
    }


def outcome_shape(found: Preflight) -> Shape:
    """Return the true effect of an item: both sides of every document it touches, the facts lost, and gone along."""
    return {
        "documents": {
            str(target): {
                "before": list(part.before),
                "after": list(part.after),
                "size_before": part.size_before,
                "size_after": part.size_after,
                "limit": part.limit,
            }
            for target, part in found.outcome.items()
        },
        "lost": list(found.lost),
        "along": [text for taken in found.along.values() for text in taken],
    }


def evidence_shape(evidence: Evidence | None) -> Shape | None:
    """Return where a claim came from; None when nothing is known."""
    if evidence is None:
        return None
    return {
        "kind": evidence.kind,
        "session": evidence.session or None,
        "title": evidence.title or None,
        "note": evidence.note,
        "hits": hits_shape(evidence),
    }


def hits_shape(evidence: Evidence | None) -> list[Shape]:
    """Return the messages behind a claim."""
    return [
        {
            "session": quote.session,
            "message": quote.message,
            "role": quote.role,
            "time": quote.at,
            "quote": quote.text,
        }
        for quote in (evidence.quotes if evidence is not None else ())
    ]


def question_shape(question: Question) -> Shape:
    """Return one open question; ``entry`` is the id of the disputed entry, ``text`` its text while that is kept."""
    asked = question.challenge
    return {
        "id": question.id,
        "target": str(asked.target),
        "entry": question.entry_id,
        "text": asked.entry,
        "reason": str(asked.reason),
        "note": asked.note,
        "created_at": asked.at,
        "by": asked.actor.name,
        "entry_present": question.present,
        "nearest": question.nearest,
    }


def deferral_shape(deferral: Deferral) -> Shape:
    """Return one deferral; ``until`` is null for an item that waits until it is reopened."""
    return {
        "id": deferral.proposal,
        "until": deferral.until or None,
        "deferred_at": deferral.at,
        "by": deferral.actor.name,
    }


def not_applied_shape(failed: NotApplied) -> Shape:
    """Return one thing that did not happen and why; its id is null where it was about no item."""
    return {"id": failed.id or None, "state": failed.state, "reason": failed.message, "code": failed.code}


def receipt_shape(receipt: Receipt, failed: Sequence[NotApplied], snapshot: Snapshot) -> Shape:
    """Return the answer to anything that changes memory or decides something.

    Args:
        receipt: what the store answered.
        failed: everything that was asked for and did not happen, ``receipt.not_applied`` included.
        snapshot: the documents as they stand now, for a receipt that names no sizes.
    """
    return {
        "applied": [{"id": done.id, "how": str(done.ending)} for done in receipt.applied],
        "closed": [{"id": done.id, "how": str(done.ending), "by": done.by or None} for done in receipt.closed],
        "not_applied": [not_applied_shape(one) for one in failed],
        "change": receipt.change,
        "backup": receipt.backup,
        "documents": standings_shape(receipt.sizes) if receipt.sizes else documents_shape(snapshot),
        "digest": receipt.digest or None,
        "returned": list(receipt.returned),
        "unkept": list(receipt.unkept),
        "undoes": list(receipt.undoes),
        "moved": receipt.moved,
        "moved_on": [
            {
                "pair": part.pair + 1,
                "target": str(part.target),
                "before": part.before,
                "after": part.after,
                "now": part.now,
            }
            for part in receipt.moved_on
        ],
        "notes": list(receipt.notes),
        "recovered": receipt.recovered,
    }


def problem_shapes(problems: Iterable[Problem]) -> list[Shape]:
    """Return problems as ``doctor`` and ``ledger verify`` list them."""
    return [{"code": problem.code, "message": problem.message} for problem in problems]


def diff_shapes(parts: Iterable[EntryDiff]) -> list[Shape]:
    """Return what happened to the entries of a document that did not stay the same."""
    return [{"kind": part.kind, "before": part.before, "after": part.after} for part in parts if part.kind != "same"]
