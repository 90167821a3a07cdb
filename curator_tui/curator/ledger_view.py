"""The ledger at the desk: rows, verification, checkpoint and export.

Here: asking the store for what the chain's rules (``core.ledger``, ``core.verification``) are applied to. Not here:
these rules, where rows are stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from curator_tui.core.ledger import SealedRow, checkpoint
from curator_tui.core.operations import Problem
from curator_tui.core.text import visible
from curator_tui.core.verification import Verification
from curator_tui.core.verification import verify as verified
from curator_tui.curator.desk import Desk


def verify(desk: Desk, kept: Mapping[str, Any] | None = None) -> Verification:
    """Verify the chain, every commitment whose text is still kept, and a checkpoint where one is given.

    A ledger without rows is in order only as long as nothing tells that there were some.
    """
    found = verified(desk.store.book.rows(), desk.store.held, kept)
    return replace(found, problems=(*found.problems, *lost_book(desk))) if not found.rows else found


def lost_book(desk: Desk) -> Iterator[Problem]:
    """Name the backups of changes that a ledger without any row cannot know: its book was emptied or taken away."""
    images = desk.store.backups()[0]
    # the book is looked at after the images, so that a first change made meanwhile is no fault
    if not images or desk.store.book.rows(count=1) or desk.recovery_pending():
        return
    newest = visible(max(image.id for image in images), newlines=False)
    several = f"{len(images)} backups are" if len(images) > 1 else "1 backup is"
    yield Problem(
        "book-lost",
        f"{several} of changes the book does not know (newest: {newest}): the book is missing or was emptied; put "
        f"back a copy of curator-tui/book.sqlite",
    )


def rows(desk: Desk) -> Sequence[SealedRow]:
    """Return all ledger rows, oldest first."""
    return desk.store.book.rows()


def head(desk: Desk) -> tuple[int, str]:
    """Return sequence number and hash of the newest row; ``(0, "")`` for none."""
    return desk.store.book.head()


def note(desk: Desk, name: str) -> bytes | None:
    """Return a person's words that a row names, or None when they are gone."""
    return desk.store.book.text(name)


def take_checkpoint(desk: Desk) -> dict[str, Any]:
    """Return a checkpoint of the ledger as it stands, to be kept elsewhere."""
    return checkpoint(desk.store.book.head(), desk.store.book.chain(), desk.now())
