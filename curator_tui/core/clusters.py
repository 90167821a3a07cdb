"""Clusters: one decision about the same fact that is proposed for many people.

Here: which members it may be about, judged one by one, and the plan of each. Not here: when two proposals are alike
(``alike``), one transaction for all of them (the stores).

A member is only ever added where that needs no question: one that is flagged, does not fit or is not the same fact is
left out and named. Nobody looked at it, so nothing is passed over.
"""

from __future__ import annotations

from curator_tui.core.alike import alike
from curator_tui.core.changes import Change, NotApplied, Planner, Receipt, View
from curator_tui.core.plans import plan
from curator_tui.core.preflight import Preflight, State, preflight
from curator_tui.core.requests import Request, Verb

OTHER, WITH = "not-alike", "left-out-along"
_WITHOUT_QUESTION = frozenset({(State.READY,), (State.NO_CHANGE,)})


def left_out(found: Preflight, fact: str, verb: Verb) -> NotApplied | None:
    """Say why a member is not decided along with the others; None where it is.

    Args:
        found: its preflight on the documents of its own scope.
        fact: what all of them share (``alike``).
        verb: what is decided; what is rejected writes nothing, so that its state does not matter.
    """
    name = found.proposal.id
    if alike(found.proposal) != fact:
        return NotApplied(name, str(found.state), OTHER, "it is not the same fact")
    if verb is not Verb.APPROVE or tuple(found.conditions) in _WITHOUT_QUESTION:
        return None
    reason = found.reason
    code, message = (reason.code, reason.message) if reason is not None else (str(found.state), str(found.state))
    return NotApplied(name, str(found.state), code, message)


def planner_for(fact: str) -> Planner:
    """Return how the part of one scope is planned: as any decision, where its members may be decided along."""

    def plan_part(view: View, request: Request) -> Change:
        verbs = {decision.proposal: decision.verb for decision in request.decisions}
        waiting = (view.waiting[name].proposal for name in verbs if name in view.waiting)
        judged = (left_out(preflight(one, view.snapshot), fact, verbs[one.id]) for one in waiting)
        left = tuple(one for one in judged if one is not None)
        if left:
            named = {one.id for one in left}
            more = (
                NotApplied(name, str(State.READY), WITH, "another one of this person is left out") for name in verbs
            )
            left += tuple(one for one in more if one.id not in named)
            return Change(request.stamp.change, request.kind, Receipt(None, request.kind, not_applied=left))
        return plan(view, request)

    return plan_part
