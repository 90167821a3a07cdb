"""Proposals: what waits for a decision, and what is known about where it came from.

Here: the value, its grouping key, and the edits a person may make before approving. Not here: reading records
(the stores), what would happen on approval (``preflight``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from curator_tui.core.documents import Target, entry_id
from curator_tui.core.operations import Action, Operation, Problem, check_operation, normalise

ITEM_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")

PinnedBy = Literal["", "record", "first sight"]


class Unread(StrEnum):
    """Why no byte of a record was read: what is known of it then is not its content, which is never taken for empty."""

    REFUSED = "refused"
    """What stands there is no record that may be read (a link, a pipe, too large): that stays so."""
    FAILED = "failed"
    """Reading failed (permission, input or output, too many open files): another time it may succeed."""


class Proposal(Struct, frozen=True, gc=False):
    """An ordered batch of operations that waits for a decision.

    Attributes:
        id: item id; matches ``[A-Za-z0-9_-]{1,64}``.
        digest: SHA-256 of what a decision binds to (on a home the raw bytes of the record).
        operations: the normalised operations; empty when any of them cannot be expressed (unreadable record,
            unknown action or target), so that no part of a record is ever taken for the whole.
        actions: the actions as written, for display (``add``, ``batch``, or an unknown one).
        target_name: the target as written, for display.
        origin: the record's own claim of where it came from.
        agent_says: the agent's summary; a claim, never the description of the effect. A listing of the queue has it
            only where there is no operation to be shown.
        created_at: the record's claim of when it was staged, UTC seconds; None when absent or no moment.
        problem: why the record cannot be applied as it stands, or None.
        unreadable: True when not even the fields could be read; ``problem`` says why.
        pinned_by: who pinned its destructive operations: the record, our first sight, or nobody yet.
        size: bytes of the stored record.
        unread: why none of its bytes were read; None when they were.
        author: who wrote it, by authentication and not by its own word; empty where the store knows nobody.
        trust: how far a person trusts that author (:class:`~curator_tui.core.trust.Trust`); empty for not said.
    """

    id: str
    digest: str
    operations: tuple[Operation, ...] = ()
    actions: tuple[str, ...] = ()
    target_name: str = ""
    origin: str = ""
    agent_says: str = ""
    created_at: float | None = None
    problem: Problem | None = None
    unreadable: bool = False
    pinned_by: PinnedBy = ""
    size: int = 0
    unread: Unread | None = None
    author: str = ""
    trust: str = ""

    @property
    def targets(self) -> tuple[Target, ...]:
        """The documents its operations change, in order of first use."""
        return tuple(dict.fromkeys(operation.target for operation in self.operations))

    @property
    def background(self) -> bool:
        """Whether the record says it came from an unattended review (``hermes``: origins)."""
        return self.origin == "background_review"

    @property
    def order(self) -> tuple[float, str]:
        """Place in the queue: oldest first, then by id; a record without a time counts as oldest."""
        return (self.created_at if self.created_at is not None else 0.0, self.id)

    @property
    def unpinned(self) -> bool:
        """Whether some destructive operation is not pinned to an entry."""
        return any(operation.destructive and operation.pin is None for operation in self.operations)

    @property
    def shared(self) -> tuple[Target, bool, str] | None:
        """What makes items a group: document, whether it is an added text, the text added or taken; None for none."""
        if self.problem is not None or len(self.operations) != 1:
            return None
        operation = self.operations[0]
        text = operation.pin if operation.destructive else operation.content
        return None if text is None else (operation.target, not operation.destructive, text)

    @property
    def group(self) -> str | None:
        """Key shared by items whose only operation takes away the same entry, or adds the same text; None for none."""
        if (shared := self.shared) is None:
            return None
        target, added, text = shared
        return f"{target}:add:{entry_id(text)}" if added else f"{target}:{entry_id(text)}"


class Edit(Struct, frozen=True):
    """A person's changes to a proposal before approving it; empty means none.

    Attributes:
        contents: new entry text by operation index, replacing what was proposed.
        pins: the whole text of the entry an operation shall take, by operation index (pick one, or rebase by
            hand).
        inside: operation indexes whose content was made by changing only the matched words inside the entry.
    """

    contents: Mapping[int, str] = field(default_factory=dict)
    pins: Mapping[int, str] = field(default_factory=dict)
    inside: frozenset[int] = frozenset()

    @property
    def empty(self) -> bool:
        """Whether nothing is changed."""
        return not (self.contents or self.pins or self.inside)


def with_operations(proposal: Proposal, operations: Sequence[Operation], pinned_by: PinnedBy) -> Proposal:
    """Return the proposal with other operations (pins added, texts edited)."""
    return replace(proposal, operations=tuple(operations), pinned_by=pinned_by)


def edited(proposal: Proposal, edit: Edit) -> Proposal:
    """Apply a person's edit; the person's words obey the rules of our own verbs (no control characters).

    Returns a proposal whose ``problem`` is that of the edited operations, so that an invalid record can be
    mended. A problem that does not lie in the operations (an unreadable record, an unknown target) stays.
    """
    if edit.empty:
        return proposal
    operations = list(proposal.operations)
    if proposal.problem is not None and not any(check_operation(operation) for operation in operations):
        return proposal
    named = {*edit.contents, *edit.pins, *edit.inside}
    if stray := sorted(index for index in named if not 0 <= index < len(operations)):
        return replace(proposal, problem=Problem("no-such-operation", f"it has no operation number {stray[0] + 1}"))
    for index, content in edit.contents.items():
        given = operations[index]
        # a remove that takes only what it means leaves the rest of the entry: that is a replace
        action = Action.REPLACE if given.action is Action.REMOVE and index in edit.inside else given.action
        operations[index] = replace(given, action=action, content=normalise(content))
    for index, pin in edit.pins.items():
        operations[index] = replace(operations[index], pin=pin)
    problem = next(
        (
            found
            for index, operation in enumerate(operations)
            if (found := check_operation(operation, own_verb=index in edit.contents and index not in edit.inside))
        ),
        None,
    )
    return replace(proposal, operations=tuple(operations), problem=problem)


def editable(proposal: Proposal) -> tuple[int, ...]:
    """Return the indexes of the operations that carry entry text a person may reword."""
    return tuple(index for index, operation in enumerate(proposal.operations) if operation.action is not Action.REMOVE)
