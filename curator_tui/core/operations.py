"""Operations: the contract of add, replace and remove, and what a batch of them does to entries.

Here: field rules, locating an entry, applying an ordered batch. Not here: limits and conditions
(``preflight``), reading records (the stores), scanners.

The semantics are Hermes Agent's: ``replace`` swaps the WHOLE entry that ``match`` locates; a match equal to a
whole entry wins over substring hits, otherwise exactly one entry must contain it; each operation of a batch
sees the result of the one before; an exact duplicate ``add`` changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from curator_tui.core.counting import characters_at
from curator_tui.core.documents import DELIMITER_LINE, Target, unify_newlines
from curator_tui.core.normal import normal


class Action(StrEnum):
    """The three actions of the field contract."""

    ADD = "add"
    REPLACE = "replace"
    REMOVE = "remove"


class Operation(Struct, frozen=True, gc=False):
    """One step of a proposal, normalised: LF line endings, no outer white space.

    Attributes:
        action: add, replace or remove.
        target: the document it changes.
        match: text that locates the entry of a replace or remove; None for an add.
        content: the complete new entry of an add or replace; None for a remove.
        pin: the full text of the entry that a destructive step meant, once known; None means not pinned.
    """

    action: Action
    target: Target
    match: str | None = None
    content: str | None = None
    pin: str | None = None

    @property
    def destructive(self) -> bool:
        """Whether the step takes standing text away."""
        return self.action is not Action.ADD


class Problem(Struct, frozen=True):
    """Why something is not possible.

    Attributes:
        code: stable identifier.
        message: one sentence; quotes no more of a store's text than needed and is still to be made visible.
        about: what of the ledger and the book it is about, where it is: rows by number, changes by id.
    """

    code: str
    message: str
    about: tuple[int | str, ...] = ()


def normalise(text: str) -> str:
    """Return text as it is stored and measured: LF line endings, outer white space gone."""
    return unify_newlines(text).strip()


_RESERVED_TAG = re.compile(
    r"<\s*/?\s*(persistent[\s_-]*memory[\s_-]*data|memory[\s_-]*context)\b[^>]*>?", re.IGNORECASE
)
_RESERVED_HEADER = re.compile(
    r"(?:USER\s+PROFILE|AGENT\s+MEMORY)\s*\[\s*\d+\s*%\s*-\s*[\d,]+\s*/\s*[\d,]+\s*characters\s*\]"
    r"|USER\s+PROFILE\s*\(\s*who\s+the\s+user\s+is\s*\)\s*\["
    r"|MEMORY\s*\(\s*your\s+personal\s+notes\s*\)\s*\[",
    re.IGNORECASE,
)
RULE_LINE = "═" * 46
"""What stands above and below the header of a block in a prompt of Hermes (``hermes`` section 2.3)."""

_FORBIDDEN_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def reserved_text(text: str) -> str | None:
    """Name the reserved tag or header that ``text`` holds (``contracts``: prompt block), or None."""
    folded = normal("NFKC", text)
    if "<" in folded and (found := _RESERVED_TAG.search(folded)):
        return f"the reserved tag {found.group(1).lower()}"
    if "[" in folded and _RESERVED_HEADER.search(folded):
        return "the header of a memory block"
    if RULE_LINE in text:
        return "the ruled line of a memory block"
    return None


def check_content(content: str | None, *, own_verb: bool) -> Problem | None:  # noqa: PLR0911 - one per rule
    """Check new entry text that is already normalised.

    Args:
        content: the text, or None when the field is absent.
        own_verb: True for a person's or tool's own wording, where control characters are refused; in a record
            of Hermes they are a finding instead, because the record is there already and must be shown.
    """
    if content is None:
        return Problem("content-missing", "content is missing")
    if not content:
        return Problem("content-empty", "content is empty")
    if _SURROGATE.search(content):
        return Problem("not-unicode", "content holds half of a surrogate pair and cannot be stored as UTF-8")
    if any(line == DELIMITER_LINE for line in content.split("\n")):
        return Problem(
            "delimiter-line",
            "content has a line that is only § (the separator line), so it would read back as two entries",
        )
    if reserved := reserved_text(content):
        return Problem("reserved-text", f"content holds {reserved}")
    if own_verb and (found := _FORBIDDEN_CONTROL.search(content)):
        point = f"U+{ord(found.group()):04X}"
        place = characters_at(*found.span())
        return Problem("control-character", f"content holds the control character {point}, {place}")
    return None


def check_operation(operation: Operation, *, own_verb: bool = False) -> Problem | None:  # noqa: PLR0911 - as above
    """Check the field contract of one operation: which fields each action needs and forbids."""
    if operation.action is Action.ADD:
        if operation.match is not None:
            return Problem("match-forbidden", "an add takes no match")
        return check_content(operation.content, own_verb=own_verb)
    if operation.match is None and operation.pin is None:
        return Problem("match-missing", f"a {operation.action} needs the text to match")
    if operation.match is not None and not operation.match:
        return Problem("match-empty", "the text to match is empty")
    if operation.action is Action.REMOVE:
        if operation.content is not None:
            return Problem("content-forbidden", "a remove takes no content")
        return None
    return check_content(operation.content, own_verb=own_verb)


class StepResult(StrEnum):
    """What one operation did to the entries it was given."""

    DONE = "done"
    ALREADY = "already"
    NOT_FOUND = "not-found"
    CHANGED = "changed-since"
    AMBIGUOUS = "ambiguous"
    DUPLICATE = "duplicate"


class Step(Struct, frozen=True):
    """One applied operation: what it located and what it left.

    Attributes:
        operation: the operation.
        result: done, already in effect, or why not.
        before: the entry it located (whole text), None for an add or when nothing was located.
        after: the entry it leaves, None for a remove or a failure.
        candidates: the entries that matched when several did, or the entry a replace would duplicate.
    """

    operation: Operation
    result: StepResult
    before: str | None = None
    after: str | None = None
    candidates: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the step cannot be applied (an effect already there is not a failure)."""
        return self.result not in {StepResult.DONE, StepResult.ALREADY}


class BatchResult(Struct, frozen=True):
    """What an ordered batch does to the entries of the documents it names.

    Attributes:
        steps: one per operation, in order; after a failure the rest is still looked at where that tells
            something.
        entries: the entries of each target afterwards; equal to the given ones when ``failed``.
    """

    steps: tuple[Step, ...]
    entries: dict[Target, tuple[str, ...]]

    @property
    def failure(self) -> Step | None:
        """The first step that cannot be applied, or None."""
        return next((step for step in self.steps if step.failed), None)


def matching(entries: Sequence[str], match: str) -> tuple[str, ...]:
    """Return the entries that ``match`` locates: the equal one alone if it stands, else all that hold it."""
    if match in entries:
        return (match,)
    return tuple(entry for entry in entries if match in entry)


def locate(entries: Sequence[str], operation: Operation) -> Step:
    """Find the entry of a destructive operation: its pin where it has one, otherwise its match."""
    if operation.pin is not None:
        if operation.pin in entries:
            return Step(operation, StepResult.DONE, before=operation.pin)
        return Step(operation, StepResult.CHANGED)
    assert operation.match is not None
    found = matching(entries, operation.match)
    if len(found) == 1:
        return Step(operation, StepResult.DONE, before=found[0])
    if not found:
        return Step(operation, StepResult.NOT_FOUND)
    return Step(operation, StepResult.AMBIGUOUS, candidates=found)


def apply_step(entries: list[str], operation: Operation) -> Step:
    """Apply one operation to ``entries`` in place and tell what happened; on a failure nothing is changed."""
    if operation.action is Action.ADD:
        assert operation.content is not None
        if operation.content in entries:
            return Step(operation, StepResult.ALREADY, after=operation.content)
        entries.append(operation.content)
        return Step(operation, StepResult.DONE, after=operation.content)
    step = locate(entries, operation)
    if step.before is None:
        gone = step.result in {StepResult.NOT_FOUND, StepResult.CHANGED}
        there = gone and operation.content is not None and operation.content in entries
        return replace(step, result=StepResult.ALREADY, after=operation.content) if there else step
    if operation.action is Action.REMOVE:
        entries.remove(step.before)
        return step
    return _swap(entries, operation, step, step.before)


def _swap(entries: list[str], operation: Operation, step: Step, standing: str) -> Step:
    """Put the content of a replace in the place of the entry it located."""
    assert operation.content is not None
    if operation.content == standing:
        return replace(step, result=StepResult.ALREADY, after=standing)
    if operation.content in entries:
        return replace(step, result=StepResult.DUPLICATE, candidates=(operation.content,))
    entries[entries.index(standing)] = operation.content
    return replace(step, after=operation.content)


def apply_batch(entries: dict[Target, tuple[str, ...]], operations: Sequence[Operation]) -> BatchResult:
    """Apply an ordered batch, all or nothing; every operation sees the result of those before it.

    A replace whose entry is gone while its content already stands counts as in effect only when the whole
    batch is: in a batch that changes something it is a failure, because what it meant to replace cannot be
    told any more.
    """
    working = {target: list(texts) for target, texts in entries.items()}
    steps = [apply_step(working[operation.target], operation) for operation in operations]
    if any(step.result is StepResult.DONE for step in steps):
        steps = [_not_already(step) for step in steps]
    if any(step.failed for step in steps):
        return BatchResult(tuple(steps), dict(entries))
    return BatchResult(tuple(steps), {target: tuple(texts) for target, texts in working.items()})


def _not_already(step: Step) -> Step:
    gone = step.operation.destructive and step.result is StepResult.ALREADY and step.before is None
    if not gone:
        return step
    result = StepResult.CHANGED if step.operation.pin is not None else StepResult.NOT_FOUND
    return replace(step, result=result, after=None)


def pin_operations(entries: dict[Target, tuple[str, ...]], operations: Sequence[Operation]) -> tuple[Operation, ...]:
    """Pin each unpinned destructive operation to the entry it locates now, by walking the batch in order.

    An operation that locates nothing or several entries stays unpinned.
    """
    working = {target: list(texts) for target, texts in entries.items()}
    pinned: list[Operation] = []
    for operation in operations:
        step = apply_step(working[operation.target], operation)
        if operation.destructive and operation.pin is None and step.before is not None:
            pinned.append(replace(operation, pin=step.before))
        else:
            pinned.append(operation)
    return tuple(pinned)
