"""Two persons: approvals that a second person has to make too before anything is written.

Here: what a rule may name, what a first approval is bound to, and the planner that holds to it. Not here: where rules
and first approvals are kept (the stores). Who is another person is told by the name of the actor, which on a server is
the role that was let in.

A first approval writes nothing. It is bound to the digest of the whole outcome, so that the second one applies exactly
what the first one meant; where the outcome is another one by now, the second is a first one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from curator_tui.core.changes import Change, NotApplied, Planner, Receipt, View
from curator_tui.core.documents import Target
from curator_tui.core.operations import Action
from curator_tui.core.preflight import Preflight, State, preflight
from curator_tui.core.proposals import Proposal, edited
from curator_tui.core.requests import Decision, Kind, Request, Verb
from curator_tui.core.settling import pinned_proposal
from curator_tui.core.text import visible

CODE = "second-person"
NAMES: tuple[str, ...] = (*map(str, (State.FLAGGED, State.LOSSY)), *map(str, Action), *map(str, Target))
"""What a rule may name: a condition that is passed knowingly, an action, a document."""


class Noted(Struct, frozen=True):
    """A first approval: by whom, and of which outcome."""

    by: str
    digest: str


class HeldBack(Struct, frozen=True):
    """What becomes of a request under the rules.

    Attributes:
        change: what is stored; nothing where a second person is waited for.
        noted: the first approval to be noted, by item id.
    """

    change: Change
    noted: Mapping[str, Noted]


def asks_for(found: Preflight, rules: Iterable[str]) -> tuple[str, ...]:
    """Return the rules that ask for a second person where this is approved."""
    proposal = found.proposal
    is_there = {
        *map(str, found.conditions),
        *(str(step.action) for step in proposal.operations),
        *(str(step.target) for step in proposal.operations),
    }
    return tuple(rule for rule in rules if rule in is_there)


def plan_under(
    rules: frozenset[str], noted: Mapping[str, Noted], plan: Planner, view: View, request: Request
) -> HeldBack:
    """Plan a request under the rules of a tenant.

    Args:
        rules: what asks for a second person, of :data:`NAMES`.
        noted: the first approval of each item that has one.
        plan: plans it.
        view: what the request may look at.
        request: the request.
    """
    change = plan(view, request)
    asking = _asking(rules, view, request) if rules and request.kind is Kind.DECIDE else {}
    if not asking or change.receipt.change is None:
        return HeldBack(change, {})
    if len(request.decisions) > 1:
        named = [NotApplied(name, CODE, CODE, f"{_rule(why)} asks for two persons: approve it alone")
                 for name, why in asking.items()]  # fmt: skip
        return HeldBack(_nothing(change, named), {})
    ((name, why),) = asking.items()
    first, actor = noted.get(name), request.stamp.actor.name
    if first is not None and first.digest == change.receipt.digest and first.by != actor:
        return HeldBack(change, {})
    words = f"{_rule(why)} asks for two persons: your approval is noted, another person has to approve the same"
    return HeldBack(
        _nothing(change, [NotApplied(name, CODE, CODE, words)]), {name: Noted(actor, change.receipt.digest)}
    )


def _asking(rules: frozenset[str], view: View, request: Request) -> dict[str, tuple[str, ...]]:
    found = {}
    for decision in request.decisions:
        waiting = view.waiting.get(decision.proposal)
        if decision.verb is Verb.APPROVE and waiting is not None:
            why = asks_for(preflight(_meant(view, decision, waiting.proposal), view.snapshot), sorted(rules))
            if why:
                found[decision.proposal] = why
    return found


def _meant(view: View, decision: Decision, proposal: Proposal) -> Proposal:
    return edited(pinned_proposal(proposal, view.snapshot, view.pins.get(proposal.id, {})), decision.edit)


def _nothing(change: Change, left: list[NotApplied]) -> Change:
    sizes = change.receipt.sizes
    receipt = Receipt(None, change.kind, not_applied=tuple(left), digest=change.receipt.digest, sizes=sizes)
    return Change(change.id, change.kind, receipt)


def _rule(why: tuple[str, ...]) -> str:
    return f"the rule for {visible(', '.join(why))}"
