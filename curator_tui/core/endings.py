"""Endings: the words for how something ended, in rows, answers and the book, and which of them mean a write.

Not here: what ends (``changes``).
"""

from __future__ import annotations

from enum import StrEnum


class Ending(StrEnum):
    """How something ended: an item, or another thing that was asked for. The word in rows, answers and the book."""

    APPROVE = "approve"
    EDIT = "edit"
    REJECT = "reject"
    LOG_ONLY = "log-only"
    ALREADY = "already in effect"
    SUPERSEDED = "superseded"
    RETURNED = "returned"
    REOPEN = "reopen"
    ADD = "add"
    REPLACE = "replace"
    REMOVE = "remove"
    MOVE = "move"
    TIDY = "tidy"
    ROLLBACK = "rollback"
    UNDO = "undo"
    REDO = "redo"
    DEFER = "defer"
    CHALLENGE = "challenge"
    WITHDRAWN = "withdrawn"
    KEEP = "keep"
    CORRECT = "correct"


SPLIT = "split"
"""One entry that became several: what a person calls a replace with adds beside it, put in order."""


def one_deed(action: str) -> str:
    """Return the action of a row as one deed, where it is the several steps of one.

    A row names each kind of step once, joined by ``+``; an order that only puts the other steps in their place is none.
    """
    steps = action.split("+")
    if {Ending.REPLACE, Ending.ADD} <= set(steps):
        return SPLIT
    return "+".join(step for step in steps if step != Ending.MOVE) or action


WROTE = frozenset({Ending.APPROVE, Ending.EDIT})
"""A person or a policy let an item be written, as it was or as they changed it."""
EFFECTIVE = WROTE | {Ending.ALREADY, Ending.SUPERSEDED}
"""The documents show what an item asks for, or what was decided in its place."""
