"""Endings: the words for how something ended, in rows, answers and the book. Not here: what ends (``changes``)."""

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
