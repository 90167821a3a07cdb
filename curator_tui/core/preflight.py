"""Preflight: what would happen if a proposal were approved now.

Here: the conditions, the state shown, the outcome and the reasons. Not here: who may approve what
(``review``), many items together (``settling``), how the effect is drawn (``diffs`` and the surfaces).

Every rule looks at the set of conditions, never at the state alone: making room never admits an item that is
also flagged or lossy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

from msgspec import Struct, field

from curator_tui.core.counting import counted
from curator_tui.core.documents import DEFAULT_LIMITS, TARGETS, Document, Target, grows_past, missing, size_of
from curator_tui.core.effects import effect_finding, left_of, taken_along
from curator_tui.core.likeness import near_typography, nearest
from curator_tui.core.losses import Losses, inside_only, lost_facts
from curator_tui.core.operations import Action, BatchResult, Operation, Problem, Step, StepResult, apply_batch
from curator_tui.core.proposals import Proposal, Unread
from curator_tui.core.scanning import Finding, Severity, has_secret, scan
from curator_tui.core.text import one_line


class State(StrEnum):
    """Conditions in order of precedence; the first that holds is the state shown."""

    UNREADABLE = "unreadable"
    INVALID = "invalid"
    NO_CHANGE = "no-change"
    STALE = "stale"
    AMBIGUOUS = "ambiguous"
    FLAGGED = "flagged"
    OVER_LIMIT = "over-limit"
    LOSSY = "lossy"
    READY = "ready"


STATES: tuple[State, ...] = tuple(State)
# What follows from the bytes of a record being unknown, told with the reason wherever that is shown.
_UNREAD: Mapping[Unread, str] = {
    Unread.REFUSED: "a reject removes it and keeps nothing of it: no undo brings it back",
    Unread.FAILED: "nothing is decided about it until it can be read",
}


class Snapshot(Struct, frozen=True):
    """Both documents and their limits at one moment; None is a limit not known, never the default."""

    documents: Mapping[Target, Document]
    limits: Mapping[Target, int | None] = field(default_factory=lambda: dict(DEFAULT_LIMITS))

    def document(self, target: Target) -> Document:
        """Return the document of a target; one that was never stored is missing."""
        return self.documents.get(target) or missing(target)

    def entries(self) -> dict[Target, tuple[str, ...]]:
        """Return the entries of every document."""
        return {target: self.document(target).entries for target in TARGETS}

    @property
    def digest(self) -> str:
        """One value that changes whenever either document or a limit does."""
        parts = [f"{target}:{self.document(target).digest}:{self.limits.get(target)}" for target in TARGETS]
        return "|".join(parts)


class DocumentOutcome(Struct, frozen=True):
    """What one document becomes.

    Attributes:
        before: entries now.
        after: entries afterwards; equal to ``before`` when the proposal cannot be applied.
        size_before: code points now.
        size_after: code points afterwards, also when the limit refuses it.
        limit: code points, None when not known.
        changed: pairs of an entry and the one that takes its place.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    size_before: int
    size_after: int
    limit: int | None
    changed: tuple[tuple[str, str], ...] = ()


class Located(Struct, frozen=True):
    """A finding and the operation whose content it was seen in."""

    operation: int
    finding: Finding


class Preflight(Struct, frozen=True):
    """The answer for one proposal against one snapshot.

    Attributes:
        proposal: what was looked at.
        conditions: every condition that holds, in order of precedence; ``(ready,)`` when none does.
        reasons: one problem per condition, except ``ready``.
        outcome: per touched document what it becomes.
        findings: what the scanners saw, in the order of the operations; then what is soft about the effect.
        lost: facts that would be lost, as they stand in the entry.
        candidates: entries that match when several do, then those that would but for their typography; for an
            entry that a replace would repeat, that entry.
        nearest: the entry nearest to a vanished one, or None.
        inside: content per operation index that would change only the matched words, where that is possible.
        along: per operation index the facts that a remove takes along: they stand in its entry outside its match.
        steps: the single steps, for those who draw them.
    """

    proposal: Proposal
    conditions: tuple[State, ...]
    reasons: Mapping[State, Problem]
    outcome: Mapping[Target, DocumentOutcome]
    findings: tuple[Located, ...] = ()
    lost: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    nearest: str | None = None
    inside: Mapping[int, str] = field(default_factory=dict)
    along: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()

    @property
    def alike(self) -> int:
        """Number of the last candidates that do not match, and would but for their typography or case."""
        failed = next((step for step in self.steps if step.result is StepResult.AMBIGUOUS), None)
        return len(self.candidates) - len(failed.candidates) if failed is not None else 0

    @property
    def state(self) -> State:
        """The first condition in order of precedence."""
        return self.conditions[0]

    @property
    def reason(self) -> Problem | None:
        """The reason of the state shown."""
        return self.reasons.get(self.state)

    @property
    def holds_secret(self) -> bool:
        """Whether a secret was seen; such an item leaves no bytes behind when it is rejected."""
        return has_secret(tuple(located.finding for located in self.findings))

    def growth(self) -> int:
        """Code points by which the documents grow together (negative when they shrink)."""
        return sum(part.size_after - part.size_before for part in self.outcome.values())


@lru_cache(maxsize=32_768)
def findings_of(text: str) -> tuple[Finding, ...]:
    """Scan a text once per process; the rule-set is fixed while a process runs."""
    return scan(text)


@lru_cache(maxsize=16_384)
def _losses_of(entry: str, match: str, contents: tuple[str, ...], content: str) -> Losses:
    """Return what a replace would drop; a decision changes few of the others' answers."""
    return lost_facts(entry, match, contents, content)


def short(text: str) -> str:
    """Quote store text in a message: visible, one line, cut with a count."""
    return one_line(text, 60)


def conditions_of(proposal: Proposal, snapshot: Snapshot) -> tuple[State, ...]:
    """Return the conditions of :func:`preflight`; what only helps a person who looks at the item is not looked for."""
    return preflight(proposal, snapshot, helped=False).conditions


def preflight(proposal: Proposal, snapshot: Snapshot, *, helped: bool = True) -> Preflight:
    """Compute conditions, reasons and outcome of one proposal against one snapshot; pure.

    Args:
        proposal: the proposal, with its pins.
        snapshot: the documents and their limits.
        helped: also look for what helps to settle it by hand: near candidates, the nearest entry, inside-only texts.
    """
    if proposal.problem is not None:
        return _hopeless(proposal, State.UNREADABLE if proposal.unreadable else State.INVALID, proposal.problem)
    if not proposal.operations:
        return _hopeless(proposal, State.INVALID, Problem("no-operations", "it holds no operation"))
    for target in proposal.targets:
        document = snapshot.document(target)
        if not document.usable:
            message = f"the {target} document cannot be read: {document.trouble}"
            return _hopeless(proposal, State.UNREADABLE, Problem("document-unreadable", message))
    result = apply_batch(snapshot.entries(), proposal.operations)
    return _judge(proposal, snapshot, result, helped=helped)


def _hopeless(proposal: Proposal, state: State, problem: Problem) -> Preflight:
    """Return the answer for what has no outcome; its texts are scanned all the same, since they are shown."""
    findings = _findings(proposal.operations)
    if proposal.unread is not None:
        problem = Problem(problem.code, f"{problem.message}; {_UNREAD[proposal.unread]}")
    reasons = {state: problem}
    if hard := hard_problem(one.finding for one in findings):
        reasons[State.FLAGGED] = hard
    return Preflight(proposal, tuple(reasons), reasons, {}, findings)


def _judge(proposal: Proposal, snapshot: Snapshot, result: BatchResult, *, helped: bool) -> Preflight:
    reasons: dict[State, Problem] = {}
    outcome = _outcome(proposal, snapshot, result)
    findings = _findings(proposal.operations)
    failure = result.failure
    lost: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    inside: dict[int, str] = {}
    along: dict[int, tuple[str, ...]] = {}
    if failure is not None:
        candidates = _candidates(failure, snapshot) if helped else failure.candidates
        state, problem = _failure_reason(failure, len(candidates))
        reasons[state] = problem
    elif all(part.before == part.after for part in outcome.values()):
        reasons[State.NO_CHANGE] = Problem("no-change", "its effect is already there")
    else:
        reasons.update(_size_reasons(outcome))
        lost, inside, lossy = _losses(result.steps, helped=helped)
        along = taken_along(result.steps)
        inside |= left_of(result.steps, along) if helped else {}
        if lossy is not None:
            reasons[State.LOSSY] = lossy
        else:
            findings += _effects(result.steps, along)
    if hard := hard_problem(one.finding for one in findings):
        reasons[State.FLAGGED] = hard
    conditions = tuple(state for state in STATES if state in reasons) or (State.READY,)
    return Preflight(
        proposal,
        conditions,
        reasons,
        outcome,
        findings,
        lost,
        candidates=candidates,
        nearest=_nearest(failure, snapshot) if helped else None,
        inside=inside,
        along=along,
        steps=result.steps,
    )


def _outcome(proposal: Proposal, snapshot: Snapshot, result: BatchResult) -> dict[Target, DocumentOutcome]:
    outcome: dict[Target, DocumentOutcome] = {}
    for target in proposal.targets:
        document = snapshot.document(target)
        after = result.entries[target]
        changed = tuple(
            (step.before, step.after)
            for step in result.steps
            if step.operation.target is target and step.before and step.after and step.result is StepResult.DONE
        )
        outcome[target] = DocumentOutcome(
            document.entries, after, document.size, size_of(after), snapshot.limits.get(target), changed
        )
    return outcome


def _findings(operations: Sequence[Operation]) -> tuple[Located, ...]:
    return tuple(
        Located(index, finding)
        for index, operation in enumerate(operations)
        if operation.content is not None
        for finding in findings_of(operation.content)
    )


def _effects(steps: Sequence[Step], along: Mapping[int, tuple[str, ...]]) -> tuple[Located, ...]:
    found = ((index, effect_finding(step, along.get(index, ()))) for index, step in enumerate(steps))
    return tuple(Located(index, finding) for index, finding in found if finding is not None)


def hard_problem(findings: Iterable[Finding]) -> Problem | None:
    """Return what a scanner holds a text back for, or None."""
    hard = [finding for finding in findings if finding.severity is Severity.HARD]
    if not hard:
        return None
    more = f" (and {len(hard) - 1} more)" if len(hard) > 1 else ""
    return Problem(hard[0].rule, hard[0].reason + more)


def _failure_reason(step: Step, listed: int) -> tuple[State, Problem]:
    operation = step.operation
    if step.result is StepResult.AMBIGUOUS:
        assert operation.match is not None
        count = len(step.candidates)
        near = f", {listed - count} more almost" if listed > count else ""
        return State.AMBIGUOUS, Problem("ambiguous", f"{count} entries match '{short(operation.match)}'{near}")
    if step.result is StepResult.DUPLICATE:
        assert step.before is not None
        assert operation.content is not None
        message = (
            f"the new text of {short(step.before)} equals another entry: {short(operation.content)}; "
            "remove this one instead"
        )
        return State.INVALID, Problem("duplicate-entry", message)
    if step.result is StepResult.CHANGED:
        assert operation.pin is not None
        return State.STALE, Problem("entry-changed", f"the entry it meant is gone or changed: {short(operation.pin)}")
    assert operation.match is not None
    return State.STALE, Problem("not-found", f"no entry matches: {short(operation.match)}")


def _size_reasons(outcome: Mapping[Target, DocumentOutcome]) -> dict[State, Problem]:
    words = [
        over_words(target, part.size_after, part.limit)
        for target, part in outcome.items()
        if part.limit is not None and grows_past(part.size_before, part.size_after, part.limit)
    ]
    return {State.OVER_LIMIT: Problem("over-limit", "; ".join(words))} if words else {}


def over_words(target: Target, size: int, limit: int) -> str:
    """Say by how much a document would be over its limit."""
    return f"{target} would be {size}/{limit} ({size - limit} over)"


def _losses(steps: Sequence[Step], *, helped: bool) -> tuple[tuple[str, ...], dict[int, str], Problem | None]:
    """Look for facts a replace would drop although they stand outside its match (the lossy rule)."""
    contents = tuple(step.operation.content for step in steps if step.operation.content is not None)
    lost: list[str] = []
    inside: dict[int, str] = {}
    problem: Problem | None = None
    for index, step in enumerate(steps):
        operation = step.operation
        if operation.action is not Action.REPLACE or step.before is None or operation.match is None:
            continue
        assert operation.content is not None
        losses = _losses_of(step.before, operation.match, contents, operation.content)
        if losses.too_long:
            problem = Problem("too-long-to-check", "the entry is too long to check what a replace would lose")
        lost.extend(losses.lost)
        if losses and helped:
            variant = inside_only(step.before, operation.match, operation.content)
            if variant is not None:
                inside[index] = variant
    if lost:
        problem = Problem("lossy", f"{lost_words(lost)}: {short(lost[0])}")
    return tuple(lost), inside, problem


def lost_words(lost: Sequence[str]) -> str:
    """Say that facts would be lost, and how many, where they are listed beside it."""
    return f"{counted(len(lost), 'fact')} standing in the same entry would be lost"


def _candidates(failure: Step, snapshot: Snapshot) -> tuple[str, ...]:
    near: tuple[str, ...] = ()
    if failure.operation.match is not None and failure.result is not StepResult.DUPLICATE:
        near = near_typography(failure.operation.match, snapshot.document(failure.operation.target).entries)
    return (*failure.candidates, *near)


def _nearest(failure: Step | None, snapshot: Snapshot) -> str | None:
    if failure is None or failure.result not in {StepResult.NOT_FOUND, StepResult.CHANGED}:
        return None
    operation = failure.operation
    texts = [text for text in (operation.pin, operation.match, operation.content) if text]
    found = nearest(texts, snapshot.document(operation.target).entries)
    return found[0] if found else None


def room_makers(needed: int, others: Sequence[Preflight]) -> tuple[str, ...]:
    """Return few waiting items that would free ``needed`` code points, largest first; empty when they cannot.

    Only items that apply cleanly count, and of several that take the same entry only the one that frees most;
    ``others`` are those of the same target.
    """
    clean = [found for found in others if found.conditions == (State.READY,) and found.growth() < 0]
    chosen: list[str] = []
    taken: set[tuple[Target, str]] = set()
    for found in sorted(clean, key=lambda found: (found.growth(), found.proposal.order)):
        takes = {(step.operation.target, step.before) for step in found.steps if step.before is not None}
        if takes & taken:
            continue
        taken |= takes
        chosen.append(found.proposal.id)
        needed += found.growth()
        if needed <= 0:
            return tuple(chosen)
    return ()
