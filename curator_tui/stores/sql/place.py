"""The place of a scope's book: its documents, its queue and its images, as rows.

Here: reading them for a view. Not here: the statements (``documents``, ``queue``, ``images``).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from curator_tui.core.changes import Backup, Waiting
from curator_tui.core.documents import TARGETS, Document, Target
from curator_tui.core.tombstones import Tombstone
from curator_tui.stores.book.carrying import forgotten_in
from curator_tui.stores.book.reading import BookReader
from curator_tui.stores.sql.documents import Stored, documents_of, read_rows
from curator_tui.stores.sql.images import read_image
from curator_tui.stores.sql.queue import read_digests, read_records
from curator_tui.stores.sql.scopes import Whose

B = TypeVar("B", bound=BookReader)
_THERE = """
    SELECT (SELECT count(*) FROM memory_proposals WHERE scope = :scope),
           (SELECT count(*) FROM memory_images WHERE scope = :scope)
"""
_THEIRS = "scope IN (SELECT scope FROM memory_scopes WHERE tenant_id = :tenant AND user_id = :user)"


class ScopePlace(Generic[B]):
    """What one scope has outside of its book.

    Attributes:
        book: its book.
        rows: the rows of the documents as they were read last.
    """

    def __init__(self, book: B, mine: Whose) -> None:
        self.book = book
        self._mine = mine
        self.rows: dict[Target, Stored] = {}

    def documents(self) -> dict[Target, Document]:
        """Return both documents; one that cannot be read says so and is never taken for empty."""
        self.rows = read_rows(self.book.db, self._mine)
        # how it was last known only matters for a document without a row
        asked = self.book.scope != "" and len(self.rows) < len(TARGETS)
        return documents_of(self.rows, self.book.known_texts() if asked else {})

    def records(self, items: Iterable[str]) -> dict[str, Waiting]:
        """Return the named records that wait."""
        return read_records(self.book.db, self.book.scope, items)

    def standing(self, items: Iterable[str]) -> dict[str, str]:
        """Return the named items under whose name something stands in the queue, each with its digest."""
        return read_digests(self.book.db, self.book.scope, items)

    def there(self) -> dict[str, int]:
        """Return how many records wait and how many images there are, by what one of them is called."""
        found = self.book.db.one(_THERE, scope=self.book.scope)
        waiting, images = (0, 0) if found is None else found
        return {"waiting item": int(waiting), "backup": int(images)}

    def forgotten(self) -> tuple[tuple[Tombstone, ...], dict[str, bytes]]:
        """Return what was forgotten of this person, whichever agent knew it, and the keys that recognise it."""
        whose = {"tenant": self._mine.tenant, "user": self._mine.user}
        return forgotten_in(self.book.db, _THEIRS, **whose)

    def backup(self, name: str) -> Backup | None:
        """Return one image, or None."""
        return read_image(self.book.db, self.book.scope, name)

    @contextlib.contextmanager
    def images(self) -> Iterator[Callable[[str], Backup | None]]:
        """Return what reads one image."""
        yield self.backup
