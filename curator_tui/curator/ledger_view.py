"""The ledger at the desk: rows, verification, checkpoint and export.

Here: asking the store for what the chain's rules (``core.ledger``, ``core.verification``) are applied to. Not here:
these rules, where rows are stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from curator_tui.core.ledger import SealedRow, checkpoint
from curator_tui.core.verification import Verification
from curator_tui.core.verification import verify as verified
from curator_tui.curator.desk import Desk


def verify(desk: Desk, kept: Mapping[str, Any] | None = None) -> Verification:
    """Verify the chain, every commitment whose text is still kept, and a checkpoint where one is given."""
    return verified(desk.store.book.rows(), desk.store.held, kept)


def rows(desk: Desk) -> Sequence[SealedRow]:
    """Return all ledger rows, oldest first."""
    return desk.store.book.rows()


def note(desk: Desk, name: str) -> bytes | None:
    """Return a person's words that a row names, or None when they are gone."""
    return desk.store.book.text(name)


def take_checkpoint(desk: Desk) -> dict[str, Any]:
    """Return a checkpoint of the ledger as it stands, to be kept elsewhere."""
    return checkpoint(desk.store.book.head(), desk.store.book.chain(), desk.now())
