"""The form of a ledger row: which parts a reader may rely on, and of what kind each of them is.

Here: telling a row from whatever else may stand in its place, as plain values and as typed ones. Not here: the chain
that binds rows (``ledger``), what their commitments are held against (``verification``). A row may hold more than this;
a part that is here is as it says.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
from msgspec import Struct, field

from curator_tui.core.documents import Target


class BoundForm(Struct):
    """A text that is bound by a commitment, or said to be absent or not kept."""

    size: int = 0
    commit: str = ""
    absent: bool = False
    kept: bool = True


class ActorForm(Struct):
    """Who made a row: words of :class:`~curator_tui.core.changes.Actor`."""

    kind: str = ""
    name: str = ""
    through: str = ""


class DecisionForm(Struct):
    """How one item ended, as a row holds it."""

    proposal: str
    decision: str
    by: str = ""
    reason: str = ""
    note: str = ""
    seen: str = ""
    source: str = ""
    conditions: list[str] = field(default_factory=list)
    override: list[str] = field(default_factory=list)
    record: BoundForm | None = None
    drawn: bool = False
    on_screen_ms: int = 0


class DeferralForm(Struct):
    """One word on when an item waits again: ``decision`` is ``defer`` or ``returned``; ``record`` binds of which."""

    proposal: str
    decision: str
    until: str = ""
    record: BoundForm | None = None


class TombstoneForm(Struct):
    """What is left of an erased entry: a random id, never words and no digest of any."""

    id: str
    target: str = ""


class RowForm(Struct):
    """One row, typed."""

    seq: int
    prev: str
    action: str
    at: str
    change: str
    actor: ActorForm
    operation: str = ""
    backup: str = ""
    reverts: str = ""
    restored: str = ""
    note: str = ""
    reason: str = ""
    question: str = ""
    answer: str = ""
    target: str = ""
    entry: str = ""
    recovered: bool = False
    decisions: list[DecisionForm] = field(default_factory=list)
    deferrals: list[DeferralForm] = field(default_factory=list)
    documents: dict[Target, dict[str, BoundForm]] = field(default_factory=dict)
    image: dict[str, BoundForm] = field(default_factory=dict)
    notes: dict[str, BoundForm] = field(default_factory=dict)
    override: list[str] = field(default_factory=list)
    partly: list[str] = field(default_factory=list)
    undoes: list[str] = field(default_factory=list)
    takebacks: list[str] = field(default_factory=list)
    chosen: list[int] = field(default_factory=list)
    tombstones: list[TombstoneForm] = field(default_factory=list)
    aside: bool = False
    book: BoundForm | None = None
    repeats: int = 0
    since: str = ""


_decode = msgspec.json.Decoder(RowForm).decode


def form_of(body: str) -> RowForm | None:
    """Return the row that a text holds as typed parts; None for a text that holds none, whatever it is."""
    try:
        return _decode(body)
    except (ValueError, RecursionError):  # what is no Unicode fails as a ValueError too
        return None


def row_of(body: str) -> dict[str, Any] | None:
    """Return the row that a text holds; None for a text that holds none, whatever it is."""
    try:
        parsed = json.loads(body)
        msgspec.convert(parsed, RowForm)
    except (ValueError, RecursionError):  # msgspec's own error is a ValueError
        return None
    row: dict[str, Any] = parsed
    return row
