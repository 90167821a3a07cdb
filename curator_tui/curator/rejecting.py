"""Rejecting many items at once: which waiting items are meant, and what the rejections are bound to.

Here: from names to rows and decisions. Not here: which names (marks, what a plan leaves out, a filter), how the rows
are shown and asked about (the surfaces). A rejection writes nothing into memory, so of each item its row has to be seen
and not its whole text; each decision is bound to the record whose row was shown, and all are one change with one undo.
"""

from __future__ import annotations

from collections.abc import Iterable

from curator_tui.core.requests import Decision, ReasonCode, Verb
from curator_tui.curator.desk import Desk
from curator_tui.curator.queue_model import Row


def rows_of(desk: Desk, names: Iterable[str], *, whole: bool = True) -> tuple[tuple[Row, ...], str]:
    """Return one row per waiting item of these names, and what all are bound to.

    Args:
        desk: where they wait.
        names: the items.
        whole: whether an item stands for its group, so that each member of it is meant.
    """
    there = [name for name in names if desk.queue.proposal(name)]
    members = (member for name in there for member in (desk.queue.group(name) if whole else (name,)))
    read = desk.read_again(dict.fromkeys(members))  # without those that left the queue since it was listed
    rows = tuple(Row(found, (name,), desk.queue.conditions(name)) for name, found in read.items())
    return rows, desk.preview([Decision(row.id, Verb.REJECT) for row in rows], read).digest


def rejection(row: Row, reason: ReasonCode | None, note: str, *, seen: str = "row") -> Decision:
    """Return the rejection of a row, bound to its record as it was read; ``seen`` says what of it was seen."""
    return Decision(row.id, Verb.REJECT, digest=row.proposal.digest, reason=reason, note=note, seen=seen)
