"""Settling: what a list of decisions does together, before anything is stored.

Here: the order of a plan, its growing set of entries, which decisions apply, close or fail, and the digest of
the whole. Not here: ledger rows, images and what leaves the queue (``decisions`` builds the change from
a settlement).

Order (``design``: plan order): the queue's order; an item whose pinned entry is not there yet waits under
that text and is tried when another item produces it; items that shrink or keep the size come first, then
growing ones while the final documents fit. The work is linear in the number of items.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from curator_tui.core.documents import TARGETS, Document, Presence, Target, size_of
from curator_tui.core.endings import Ending
from curator_tui.core.operations import Problem, StepResult, pin_operations
from curator_tui.core.preflight import Preflight, Snapshot, State, preflight
from curator_tui.core.proposals import PinnedBy, Proposal, Unread, edited, with_operations
from curator_tui.core.requests import Decision, Verb
from curator_tui.core.review import approval_problem, item_part, same_outcome, shown_digest, wanted_override
from curator_tui.core.splicing import Spliced, splice


class Settled(Struct, frozen=True):
    """One decision that takes effect: how its item ends, and what was looked at."""

    decision: Decision
    ending: Ending
    found: Preflight


class Failed(Struct, frozen=True):
    """One decision that does not take effect, with its own reason."""

    decision: Decision
    state: str
    problem: Problem
    found: Preflight


class Along(Struct, frozen=True):
    """One group member closed along with a decision: how it ends, and the item it was closed with."""

    member: Proposal
    ending: Ending
    by: str


class Settlement(Struct, frozen=True):
    """What a list of decisions does together.

    Attributes:
        applied: decisions that take effect, in the order they are carried out.
        closed: group members closed along.
        failed: decisions that do not, each with its reason.
        staying: group members that were to be closed along with a decision that writes nothing, and want something
            else: they still wait.
        entries: entries of each document afterwards.
        spliced: new bytes of each document that changes.
        digest: what a person's decision is bound to.
    """

    applied: tuple[Settled, ...]
    closed: tuple[Along, ...]
    failed: tuple[Failed, ...]
    staying: tuple[str, ...]
    entries: Mapping[Target, tuple[str, ...]]
    spliced: Mapping[Target, Spliced]
    digest: str

    def sizes(self) -> dict[Target, int]:
        """Return the size of each document afterwards, in code points."""
        return {target: size_of(entries) for target, entries in self.entries.items()}


def pinned_proposal(proposal: Proposal, snapshot: Snapshot, pins: Mapping[int, str]) -> Proposal:
    """Pin a proposal: recorded first-sight pins where there are any, else what its match locates now."""
    if proposal.problem is not None or not proposal.unpinned:
        return proposal
    operations = list(proposal.operations)
    for index, pin in pins.items():
        if index < len(operations) and operations[index].destructive and operations[index].pin is None:
            operations[index] = replace(operations[index], pin=pin)
    pinned = tuple(operations) if pins else pin_operations(snapshot.entries(), operations)
    by: PinnedBy = proposal.pinned_by or ("first sight" if pinned != proposal.operations else "")
    return with_operations(proposal, pinned, by)


class _Working(Struct):
    """The entries as they become while decisions are tried one after the other.

    Attributes:
        base: the documents as they are stored.
        now: the documents as they would be by now; only entries, presence and limits of it mean anything.
        consumed: who took an entry away.
    """

    base: Snapshot
    now: Snapshot
    consumed: dict[tuple[Target, str], Proposal] = field(default_factory=dict)

    def entries(self) -> dict[Target, tuple[str, ...]]:
        """Return the entries of each document as they are by now."""
        return self.now.entries()

    def take(self, found: Preflight) -> list[tuple[Target, str]]:
        """Carry out an outcome; return the entries it produced."""
        produced: list[tuple[Target, str]] = []
        documents = dict(self.now.documents)
        for target, part in found.outcome.items():
            documents[target] = Document(target, None, Presence.PRESENT, part.after)
        self.now = Snapshot(documents, self.base.limits)
        for step in found.steps:
            target = step.operation.target
            if step.before is not None and step.before != step.after:
                self.consumed[target, step.before] = found.proposal
            if step.result is StepResult.DONE and step.after is not None:
                produced.append((target, step.after))
        return produced


def _missing_pin(found: Preflight) -> tuple[Target, str] | None:
    """Return the entry an item waits for: the first pin that is not there, if another may produce it."""
    if found.state is not State.STALE:
        return None
    for step in found.steps:
        if step.result is StepResult.CHANGED and step.operation.pin is not None:
            return step.operation.target, step.operation.pin
    return None


def settle(
    snapshot: Snapshot,
    decisions: Sequence[Decision],
    proposals: Mapping[str, Proposal],
) -> Settlement:
    """Work out what the decisions do together; pure, linear, and blind to everything that is not named.

    Args:
        snapshot: both documents and their limits.
        decisions: each about one proposal in ``proposals``; edits are applied here.
        proposals: the pinned proposals by item id, group members to be closed included.
    """
    working = _Working(snapshot, snapshot)
    attempts = _Attempts(working, proposals)
    attempts.run([decision for decision in decisions if decision.verb is Verb.APPROVE])
    others = [decision for decision in decisions if decision.verb is not Verb.APPROVE]
    applied, failed = attempts.applied, attempts.failed
    for decision in others:
        found = preflight(proposals[decision.proposal], snapshot)
        if found.proposal.unread is Unread.FAILED:
            failed.append(Failed(decision, str(found.state), found.reasons[found.state], found))
        else:
            applied.append(Settled(decision, Ending(decision.verb), found))
    entries = working.entries()
    spliced = {
        target: splice(snapshot.document(target), after)
        for target, after in entries.items()
        if after != snapshot.document(target).entries
    }
    applied = [_as_it_ended(part) for part in applied]
    closed, staying = _close_members(working, decisions, applied, proposals)
    unbound = Settlement(tuple(applied), closed, tuple(failed), staying, entries, spliced, "")
    return replace(unbound, digest=_digest(snapshot, decisions, unbound))


def _as_it_ended(part: Settled) -> Settled:
    """Tell an edit to what stands by now from an item that asks for it: what that one asks for is in effect nowhere."""
    if part.ending is not Ending.ALREADY or part.decision.edit.empty:
        return part
    return replace(part, ending=Ending.LOG_ONLY)


class _Attempts(Struct):
    """The approvals of a plan, tried one after the other.

    Attributes:
        working: the entries by now.
        proposals: the pinned proposals by item id.
        waiting: those whose entry is not there yet, under its text.
        later: those that grow, or do not fit before something else has shrunk.
    """

    working: _Working
    proposals: Mapping[str, Proposal]
    applied: list[Settled] = field(default_factory=list)
    failed: list[Failed] = field(default_factory=list)
    waiting: dict[tuple[Target, str], list[Decision]] = field(default_factory=dict)
    later: list[Decision] = field(default_factory=list)

    def run(self, approvals: Sequence[Decision]) -> None:
        """Try all: what shrinks or keeps the size, then what grows, then what waited in vain."""
        self._drain(self._in_order(approvals), self._early)
        self._drain(self.later, self._finally)
        leftover = [decision for group in self.waiting.values() for decision in group]
        self.waiting.clear()
        self._drain(self._in_order(leftover), self._finally)

    def _in_order(self, decisions: Iterable[Decision]) -> list[Decision]:
        return sorted(decisions, key=lambda decision: self.proposals[decision.proposal].order)

    @staticmethod
    def _drain(decisions: Iterable[Decision], attempt: Callable[[Decision], list[Decision]]) -> None:
        """Try each decision; those it sets free are tried right after it, in order."""
        queue = deque(decisions)
        while queue:
            queue.extendleft(reversed(attempt(queue.popleft())))

    def _look(self, decision: Decision) -> Preflight:
        return preflight(edited(self.proposals[decision.proposal], decision.edit), self.working.now)

    def _early(self, decision: Decision) -> list[Decision]:
        """Try one decision unless it has to wait; return those that waited for what it produced."""
        found = self._look(decision)
        wanted = _missing_pin(found)
        if wanted is not None:
            self.waiting.setdefault(wanted, []).append(decision)
        elif found.growth() > 0 or State.OVER_LIMIT in found.conditions:
            self.later.append(decision)
        else:
            return self._settle(decision, found)
        return []

    def _finally(self, decision: Decision) -> list[Decision]:
        return self._settle(decision, self._look(decision))

    def _settle(self, decision: Decision, found: Preflight) -> list[Decision]:
        wanted = _missing_pin(found)
        winner = self.working.consumed.get(wanted) if wanted is not None else None
        repeat = winner is not None and same_outcome(winner, found.proposal)
        if repeat or State.NO_CHANGE in found.conditions:
            self.applied.append(Settled(decision, Ending.ALREADY, found))
            return []
        refused = approval_problem(found, wanted_override(decision))
        if refused is not None:
            state, problem = refused
            superseded = Problem("superseded", f"superseded by {winner.id}") if winner is not None else None
            self.failed.append(Failed(decision, str(state), superseded or problem, found))
            return []
        self.applied.append(Settled(decision, Ending.APPROVE if decision.edit.empty else Ending.EDIT, found))
        return [freed for produced in self.working.take(found) for freed in self.waiting.pop(produced, [])]


def _close_members(
    working: _Working,
    decisions: Sequence[Decision],
    applied: Sequence[Settled],
    proposals: Mapping[str, Proposal],
) -> tuple[tuple[Along, ...], tuple[str, ...]]:
    """Close the other members of each decided group, unless they have a decision of their own.

    An approval takes the entry, so none of them can happen any more. A decision that writes nothing speaks of one
    outcome only: members that want another one stay, because nobody said anything about theirs.
    """
    closed: list[Along] = []
    staying: list[str] = []
    done = {decision.proposal for decision in decisions}
    for settled in applied:
        by = settled.decision.proposal
        for name in settled.decision.closes:
            member = proposals.get(name)
            if member is None or name in done or member.group is None or member.group != proposals[by].group:
                continue
            writes = settled.decision.verb is Verb.APPROVE and settled.ending is not Ending.LOG_ONLY
            if not writes and not same_outcome(proposals[by], member):
                staying.append(name)
                continue
            done.add(name)
            if not writes:
                ending = settled.ending
            elif same_outcome(settled.found.proposal, member):
                ending = Ending.ALREADY
            else:
                there = preflight(member, working.now).state is State.NO_CHANGE
                ending = Ending.ALREADY if there else Ending.SUPERSEDED
            closed.append(Along(member, ending, by))
    return tuple(closed), tuple(name for name in dict.fromkeys(staying) if name not in done)


def _digest(snapshot: Snapshot, decisions: Sequence[Decision], settled: Settlement) -> str:
    looked = {part.decision.proposal: part.found for part in settled.applied}
    looked |= {part.decision.proposal: part.found for part in settled.failed}
    members = {along.member.id: along.member.digest for along in settled.closed}
    parts = [item_part(decision, looked[decision.proposal], members) for decision in decisions]
    touched = {target for found in looked.values() for target in found.proposal.targets}
    documents = {target: snapshot.document(target) for target in TARGETS if target in touched}
    results = {
        target: settled.spliced[target].raw if target in settled.spliced else document.raw
        for target, document in documents.items()
    }
    return shown_digest(parts, documents, results)
