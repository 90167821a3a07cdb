"""What is kept: the texts that a ledger row names, as far as they are still there.

Here: gathering them from the book and from images, for one row; refusing an image that its row does not bear out. Not
here: whether they are what the row was made of (``core.verification``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from curator_tui.core.changes import Backup
from curator_tui.core.documents import TARGETS, Target
from curator_tui.core.errors import StoreError, Unreadable
from curator_tui.core.recording import WORDS
from curator_tui.core.text import visible
from curator_tui.core.verification import Held, image_trouble, names_image
from curator_tui.stores.book.entries import seen_text
from curator_tui.stores.book.proving import kept_records
from curator_tui.stores.book.reading import BookReader

FindImage = Callable[[str], Backup | None]


def held_for(find_image: FindImage, book: BookReader, row: Mapping[str, Any]) -> Held:
    """Return what is still kept for one row.

    Args:
        find_image: reads one image.
        book: where everything else is kept.
        row: the row.

    Raises:
        Unreadable: the book cannot be read.
    """
    change = str(row["change"])
    texts = book.texts_of(change)
    past = book.change(change)
    seen = {target: texts[name][1] for target in TARGETS if (name := seen_text(change, target)) in texts}
    return Held(
        salts={name: salt for name, (_, _, salt) in texts.items() if salt is not None},
        before=past.before if past is not None else {},
        after=past.after if past is not None else {},
        seen=seen,
        image=_image(find_image, str(row.get("backup") or "")),
        records=kept_records(book, past) if past is not None else {},
        notes={name: body for name, (kind, body, _) in texts.items() if kind in WORDS},
    )


def _image(find_image: FindImage, name: str) -> Mapping[Target, bytes | None]:
    """Return the files of an image; one that is gone or damaged proves nothing (that it is, is told by name)."""
    try:
        found = find_image(name)
    except StoreError:
        return {}
    return found.files if found is not None else {}


def require_recorded(book: BookReader, backup: Backup) -> None:
    """Make sure that an image is the one that the newest row naming it was made of.

    Where nothing is recorded at all (the book was lost or is not there yet), nothing can be held against it and any
    image will do: it is then all that is left.

    Raises:
        Unreadable: it is not, or no row tells; such an image is never restored.
    """
    rows = book.rows()
    if not rows:
        return
    naming = next((row for row in reversed(rows) if backup.id in row.body and names_image(row, backup.id)), None)
    salts = book.texts_of(backup.change)
    trouble = image_trouble(naming, backup, {name: salt for name, (_, _, salt) in salts.items() if salt is not None})
    if trouble is not None:
        raise Unreadable(
            f"backup {visible(backup.id)} cannot be used: {trouble}.",
            way_out="Choose another one from: curator-tui backups. What it holds can be read with: curator-tui diff",
        )
