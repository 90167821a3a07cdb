"""What is kept: the texts of a home that a ledger row names, as far as they are still there.

Here: gathering them from book and images, for one row. Not here: whether they are what the row was made of
(``core.verification``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curator_tui.core.documents import TARGETS, Target
from curator_tui.core.errors import StoreError
from curator_tui.core.ledger import item_name
from curator_tui.core.recording import NOTE
from curator_tui.core.verification import Held
from curator_tui.stores.book.entries import seen_text
from curator_tui.stores.book.reading import BookReader
from curator_tui.stores.hermes.views import find_backup
from curator_tui.stores.safe_files import Folder


def held_for(home: Folder, book: BookReader, row: Mapping[str, Any]) -> Held:
    """Return what is still kept for one row.

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
        image=_image(home, str(row.get("backup") or "")),
        records={item_name(one.proposal): one.raw for one in past.closed if one.raw is not None} if past else {},
        notes={name: body for name, (kind, body, _) in texts.items() if kind == NOTE},
    )


def _image(home: Folder, name: str) -> Mapping[Target, bytes | None]:
    """Return the files of an image; one that is gone or damaged proves nothing (that it is, is told by name)."""
    try:
        found = find_backup(home, name)
    except StoreError:
        return {}
    return found.files if found is not None else {}
