"""The mark of deferrals and questions: an empty file beside the book that stands while there may be any.

Here: setting and removing it. Not here: what is deferred or asked (the book says), the look that needs it (``quick``):
at every line of a prompt nobody can open a book, but a missing mark says that no book has to be asked.

It is set before the change that defers or asks is committed, and removed after one that leaves nothing deferred and no
question open, so it may stand without need and is never missing where it is needed. Who removes it makes the prompt
miscount, and nothing else.
"""

from __future__ import annotations

import contextlib

from curator_tui.core.asides import Asides
from curator_tui.core.changes import Change
from curator_tui.core.errors import StoreError
from curator_tui.stores.book.reading import BookReader
from curator_tui.stores.hermes.hands import Hands
from curator_tui.stores.hermes.names import DEFERRED_MARK, OWN_FOLDER


def set_mark(hands: Hands, book: BookReader, change: Change) -> None:
    """Set the mark, durably, before a change that may defer something or open a question.

    Raises:
        WriteFailed: it cannot be set; nothing was changed.
    """
    asides = change.asides
    brought = change.parcel is not None and bool(change.parcel.rows("deferrals") or change.parcel.rows("challenges"))
    if not (brought or asides.deferrals or asides.challenges or (change.takebacks and _any(book.asides()))):
        return
    folder = hands.make(OWN_FOLDER)
    if folder.stat(DEFERRED_MARK) is None:
        folder.write_new(DEFERRED_MARK, b"")
        folder.fsync()


def clear_mark(hands: Hands, book: BookReader, today: str) -> None:
    """Remove the mark where nothing is deferred and no question open any more; what goes wrong leaves it standing."""
    with contextlib.suppress(StoreError, OSError):
        folder = hands.find(OWN_FOLDER)
        if folder is None or folder.stat(DEFERRED_MARK) is None:
            return
        asides = book.asides()
        due = {(one.proposal, one.digest) for one in asides.latest().values() if one.due_after(today)}
        # one that another program took away may come back as it was, and nobody sets the mark then; what was decided
        # comes back by a change of ours
        if asides.questions() or due - book.live(name for name, _ in due).keys():
            return
        folder.unlink(DEFERRED_MARK, missing_ok=True)


def _any(asides: Asides) -> bool:
    return bool(asides.deferrals or asides.challenges)
