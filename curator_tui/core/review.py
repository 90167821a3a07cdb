"""The gates of approval: what a decision is bound to and which conditions it may pass.

Here: the shown digest, which conditions block an approval and which a person may override. Not here: what is
on screen and for how long (the application reports that), which rows of a plan must be opened (``spot_checks``), how a
decision is carried out (``decisions``). The gates are those of the review contract; the command line runs those that
need no screen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from curator_tui.core.documents import Document, Target, raw_digest
from curator_tui.core.ledger import digest_of
from curator_tui.core.operations import Problem
from curator_tui.core.preflight import Preflight, State
from curator_tui.core.proposals import Proposal
from curator_tui.core.requests import Decision, OverrideCode, ReasonCode, Verb
from curator_tui.core.scanning import RULES_VERSION

# A person may pass these knowingly, naming each; nothing overrides the others.
OVERRIDABLE: frozenset[State] = frozenset({State.FLAGGED, State.LOSSY})
BLOCKING: tuple[State, ...] = (
    State.UNREADABLE,
    State.INVALID,
    State.STALE,
    State.AMBIGUOUS,
    State.OVER_LIMIT,
)

# Of different outcomes for one entry a person chooses one; this is why none of them goes along with many.
ALTERNATIVES = Problem("alternatives", "alternatives: several wordings wait for the same entry; choose one by itself")
# Conditions of one item that another item of the same plan may lift: it makes room, or brings the entry.
_LIFTED_BY_OTHERS: frozenset[State] = frozenset({State.STALE, State.OVER_LIMIT})


def may_go_along(conditions: Collection[State]) -> bool:
    """Whether an item may be approved among many although nobody looked at it: it asks no question as it stands."""
    return State.NO_CHANGE in conditions or set(conditions) == {State.READY}


def may_join_plan(conditions: Collection[State]) -> bool:
    """Whether an item may be tried in a plan: what speaks against it, if anything, is what another may lift."""
    return may_go_along(conditions) or set(conditions) <= _LIFTED_BY_OTHERS


def same_outcome(one: Proposal, other: Proposal) -> bool:
    """Whether two proposals mean the same of the same entries, in whatever words they locate them."""
    return _wanted(one) == _wanted(other)


def different_outcomes(proposals: Iterable[Proposal]) -> int:
    """Return how many different outcomes these proposals want (see :func:`same_outcome`)."""
    return len(set(map(_wanted, proposals)))


def _wanted(proposal: Proposal) -> tuple[object, ...]:
    """Return what a proposal wants: the words that locate an entry count only where no pin says which it is."""
    return tuple(
        (step.action, step.target, step.content, step.pin, step.match if step.pin is None else None)
        for step in proposal.operations
    )


def approval_problem(found: Preflight, override: frozenset[State]) -> tuple[State, Problem] | None:
    """Return why an approval is refused, or None when it may go ahead (or closes without a write).

    An item that holds a hard finding needs its override even when its effect is already there to be seen,
    because approving is what puts the text into every prompt; an item without effect only closes, so it needs
    none.
    """
    conditions = set(found.conditions)
    if State.NO_CHANGE in conditions:
        return None
    for state in BLOCKING:
        if state in conditions:
            return state, found.reasons[state]
    for state in (State.FLAGGED, State.LOSSY):
        if state in conditions and state not in override:
            reason = found.reasons[state]
            way = (
                "it needs a reason and a second confirmation"
                if state is State.FLAGGED
                else "it needs a second confirmation"
            )
            return state, Problem(reason.code, f"{reason.message.rstrip('.')}; {way}")
    return None


def needs_second_key(found: Preflight) -> frozenset[State]:
    """Return the conditions a person must confirm before an approval; empty when one key is enough."""
    if approval_problem(found, OVERRIDABLE) is not None or State.NO_CHANGE in found.conditions:
        return frozenset()
    return OVERRIDABLE & set(found.conditions)


def override_parts(
    override: Collection[State], conditions: Collection[State], reason: OverrideCode | ReasonCode | None
) -> dict[str, Any]:
    """Return what a row holds of an override: the conditions that were passed, and why; nothing where none stood."""
    passed = sorted(str(state) for state in set(override) & set(conditions))
    return {"override": passed, "reason": str(reason) if passed and reason is not None else ""}


def plan_problem(found: Preflight) -> tuple[State, Problem] | None:
    """Return why an item may not go into a plan unless named singly: it is not ready, and not done either."""
    return approval_problem(found, frozenset())


def item_part(decision: Decision, found: Preflight, members: Mapping[str, str]) -> dict[str, Any]:
    """Return what the shown digest holds of one decision.

    Args:
        decision: the decision.
        found: its preflight.
        members: record digest by item id of all group members that are closed along with some decision.
    """
    return {
        "proposal": found.proposal.digest,
        "verb": str(decision.verb),
        "conditions": [str(state) for state in found.conditions],
        "closes": [[name, members.get(name)] for name in decision.closes],
        "pins": [operation.pin for operation in found.proposal.operations],
    }


def shown_digest(
    parts: Sequence[Mapping[str, Any]],
    documents: Mapping[Target, Document],
    results: Mapping[Target, bytes | None],
) -> str:
    """Return the digest a decision is bound to (``design``: display and approval).

    Args:
        parts: one part per decision, in order (see :func:`item_part`).
        documents: each document the decisions touch, as it is now.
        results: bytes of each of them afterwards.
    """
    return digest_of(
        {
            "items": list(parts),
            "documents": {str(target): document.digest for target, document in documents.items()},
            "results": {str(target): raw_digest(raw) for target, raw in results.items()},
            "rules": RULES_VERSION,
        }
    )


def wanted_override(decision: Decision) -> frozenset[State]:
    """Return the conditions an approval passes knowingly; anything that cannot be overridden is ignored."""
    return decision.override & OVERRIDABLE if decision.verb is Verb.APPROVE else frozenset()
