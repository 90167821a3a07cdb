"""The form of a ledger row: which parts a reader may rely on, and of what kind each of them is.

Here: telling a row from whatever else may stand in its place. Not here: the chain that binds rows (``ledger``), what
their commitments are held against (``verification``). A row may hold more than this; a part that is here is as it says.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
from msgspec import Struct, field

from curator_tui.core.documents import Target


class _Bound(Struct):
    """A text that is bound by a commitment, or said to be absent or not kept."""

    size: int = 0
    commit: str = ""
    absent: bool = False
    kept: bool = True


class _Actor(Struct):
    kind: str = ""
    name: str = ""
    through: str = ""


class _Decision(Struct):
    proposal: str
    decision: str
    by: str = ""
    reason: str = ""
    note: str = ""
    seen: str = ""
    source: str = ""
    conditions: list[str] = field(default_factory=list)
    override: list[str] = field(default_factory=list)
    record: _Bound | None = None


class _Row(Struct):
    seq: int
    prev: str
    action: str
    at: str
    change: str
    actor: _Actor
    operation: str = ""
    backup: str = ""
    reverts: str = ""
    restored: str = ""
    note: str = ""
    reason: str = ""
    recovered: bool = False
    decisions: list[_Decision] = field(default_factory=list)
    documents: dict[Target, dict[str, _Bound]] = field(default_factory=dict)
    image: dict[str, _Bound] = field(default_factory=dict)
    notes: dict[str, _Bound] = field(default_factory=dict)
    override: list[str] = field(default_factory=list)
    partly: list[str] = field(default_factory=list)
    undoes: list[str] = field(default_factory=list)


def row_of(body: str) -> dict[str, Any] | None:
    """Return the row that a text holds; None for a text that holds none, whatever it is."""
    try:
        parsed = json.loads(body)
        msgspec.convert(parsed, _Row)
    except (ValueError, RecursionError):  # msgspec's own error is a ValueError
        return None
    row: dict[str, Any] = parsed
    return row
