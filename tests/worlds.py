"""Small worlds for tests: documents, proposals, views and stamps in one line each. No rules live here."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from curator_tui.core.changes import Change, View, Waiting
from curator_tui.core.documents import Target, parse
from curator_tui.core.ledger import SealedRow
from curator_tui.core.operations import Action, Operation, Problem, normalise
from curator_tui.core.plans import plan
from curator_tui.core.preflight import Snapshot
from curator_tui.core.proposals import Proposal
from curator_tui.core.requests import Actor, ActorKind, Decision, Kind, OverrideCode, Request, Stamp, Verb
from curator_tui.core.verification import Held, verify

MEMORY, USER = Target.MEMORY, Target.USER
PERSON = Actor(ActorKind.PERSON, "tester", "cli")
SEPARATOR = "\n§\n"


def joined(*entries: str) -> bytes:
    """Return the bytes of a clean document with these entries."""
    return SEPARATOR.join(entries).encode()


def snapshot(
    memory: bytes | str | None = None,
    user: bytes | str | None = None,
    *,
    memory_limit: int | None = 2200,
    user_limit: int | None = 1375,
) -> Snapshot:
    """Return a snapshot of two documents given as text, bytes, or None for missing ones."""
    raws = {MEMORY: memory, USER: user}
    documents = {target: parse(target, raw.encode() if isinstance(raw, str) else raw) for target, raw in raws.items()}
    return Snapshot(documents, {MEMORY: memory_limit, USER: user_limit})


def add(content: str, target: Target = MEMORY) -> Operation:
    """Return an add."""
    return Operation(Action.ADD, target, content=normalise(content))


def swap(match: str, content: str, target: Target = MEMORY, *, pin: str | None = None) -> Operation:
    """Return a replace."""
    return Operation(Action.REPLACE, target, match=normalise(match), content=normalise(content), pin=pin)


def drop(match: str, target: Target = MEMORY, *, pin: str | None = None) -> Operation:
    """Return a remove."""
    return Operation(Action.REMOVE, target, match=normalise(match), pin=pin)


def item(name: str, *operations: Operation, at: float = 0.0, **parts: Any) -> Proposal:
    """Return a proposal; its digest depends on what it holds."""
    digest = hashlib.sha256(repr((name, operations, at)).encode()).hexdigest()
    return Proposal(name, digest, operations, created_at=at, **parts)


def stamp(number: int = 1, *, at: float = 1_790_000_000.0, actor: Actor = PERSON) -> Stamp:
    """Return a stamp; equal numbers give equal stamps."""
    name = hashlib.sha256(str(number).encode()).hexdigest()
    return Stamp(actor, name[:32], name[:16], at, name.encode()[:32])


def view(found: Snapshot, *proposals: Proposal, **parts: Any) -> View:
    """Return a view in which these proposals wait and the documents are the last known ones."""
    waiting = {proposal.id: Waiting(proposal, f"record {proposal.id}".encode()) for proposal in proposals}
    known = {target: found.document(target).raw for target in Target}
    return View(found, **{"waiting": waiting, "known": known, **parts})


def approve(name: str, **parts: Any) -> Decision:
    """Return an approval; what is overridden has a reason."""
    reason = OverrideCode.REQUEST if parts.get("override") else None
    return Decision(name, Verb.APPROVE, **{"reason": reason, **parts})


def reject(name: str, **parts: Any) -> Decision:
    """Return a rejection."""
    return Decision(name, Verb.REJECT, **parts)


def decide(found: View, *decisions: Decision, number: int = 1, **parts: Any) -> Change:
    """Plan decisions twice and return the change; a plan that is not pure fails here."""
    return planned(found, Request(stamp(number), Kind.DECIDE, decisions=decisions, **parts))


def planned(found: View, request: Request) -> Change:
    """Plan a request twice and return the change; a plan that is not pure fails here."""
    change = plan(found, request)
    assert plan(found, request) == change
    return change


def after(change: Change, target: Target = MEMORY) -> tuple[str, ...]:
    """Return the entries a change leaves in a document it writes."""
    return parse(target, change.documents[target]).entries


def reasons(change: Change) -> Mapping[str, tuple[str, str]]:
    """Return state and words of everything a change did not do, by item id."""
    return {part.id: (part.state, part.message) for part in change.receipt.not_applied}


def hows(change: Change) -> Mapping[str, str]:
    """Return how every item ended, those closed along included."""
    return {
        part.id: f"{part.ending} by {part.by}" if part.by else str(part.ending)
        for part in (*change.receipt.applied, *change.receipt.closed)
    }


def keep(found: Snapshot, changes: Sequence[Change]) -> Snapshot:
    """Return the snapshot after these changes."""
    raws = {target: found.document(target).raw for target in Target}
    for change in changes:
        raws.update(change.documents)
    return Snapshot({target: parse(target, raw) for target, raw in raws.items()}, found.limits)


def chain_problems(rows: Sequence[SealedRow]) -> list[Problem]:
    """Return what is wrong with a chain by itself, no kept text looked at."""
    return list(verify(rows, lambda _: Held()).problems)
