"""The gates of approval: what a decision is bound to and which conditions it may pass.

Here: the shown digest, which conditions block an approval and which a person may override, spot checks for
many at once. Not here: what is on screen and for how long (the application reports that), how a decision is
carried out (``plans``). The gates are those of the review contract; the command line runs the ones that need
no screen.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from curator_tui.core.changes import Decision, Verb
from curator_tui.core.documents import Document, Target, raw_digest
from curator_tui.core.ledger import digest_of
from curator_tui.core.operations import Problem
from curator_tui.core.preflight import Preflight, State
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
            way = "it needs an override that names it" if state is State.FLAGGED else "it needs a second confirmation"
            return state, Problem(reason.code, f"{reason.message}; {way}")
    return None


def needs_second_key(found: Preflight) -> frozenset[State]:
    """Return the conditions a person must confirm before an approval; empty when one key is enough."""
    if approval_problem(found, OVERRIDABLE) is not None or State.NO_CHANGE in found.conditions:
        return frozenset()
    return OVERRIDABLE & set(found.conditions)


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


class SpotChecks(Struct, frozen=True):
    """Which rows of a plan have to be opened before it may be applied."""

    ids: tuple[str, ...]

    def left(self, opened: frozenset[str]) -> tuple[str, ...]:
        """Return those not opened yet."""
        return tuple(name for name in self.ids if name not in opened)


def spot_check_count(rows: int) -> int:
    """Return how many rows must be opened: 2 up to 20 rows, 3 up to 100, 5 beyond; at most all."""
    wanted = 2 if rows <= 20 else 3 if rows <= 100 else 5
    return min(wanted, rows)


def spot_checks(ids: Sequence[str], opened: frozenset[str], seed: str) -> SpotChecks:
    """Pick rows to open among those not opened yet; the seed lets the pick be repeated."""
    left = [name for name in ids if name not in opened]
    count = min(spot_check_count(len(ids)), len(left))
    return SpotChecks(tuple(random.Random(seed).sample(left, count)))  # noqa: S311 - a pick to be repeated, no secret


def wanted_override(decision: Decision) -> frozenset[State]:
    """Return the conditions an approval passes knowingly; anything that cannot be overridden is ignored."""
    return decision.override & OVERRIDABLE if decision.verb is Verb.APPROVE else frozenset()
