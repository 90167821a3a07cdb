"""Intents in the book of a home: a change that is under way, so that anybody can finish it, and how it ends.

Here: the transactions of a book that is a file of its own; the files of the home change between them. Not here: what a
finished change leaves in the tables (``writing``), what an intent says (``hermes.intents``). A database needs none of
this: there one change is one transaction.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from curator_tui.core.errors import WriteFailed
from curator_tui.core.parcels import Parcel
from curator_tui.stores.book.carrying import load_book
from curator_tui.stores.book.db import FileDb
from curator_tui.stores.book.entries import BookEntry, Text
from curator_tui.stores.book.writing import BookWriter


class IntentWriter(BookWriter):
    """The writing half of the book of a home; every method is one transaction."""

    def __init__(self, db: FileDb, scope: str) -> None:
        super().__init__(db, scope)
        self._file = db

    def begin(self, change: str, intent: str, texts: Sequence[Text]) -> None:
        """Store an intent and its texts; from here on anybody can finish the change.

        Raises:
            WriteFailed: nothing is stored, as far as this connection can tell; :meth:`abandon` makes that certain.
        """
        with self._file.transaction():
            self.add_texts(change, texts)
            self._file.run(
                "INSERT INTO memory_intents (scope, change_id, body) VALUES (:scope, :change, :body)",
                scope=self.scope,
                change=change,
                body=intent,
            )

    def abandon(self, change: str) -> None:
        """Close an intent without a trace of its change; it writes even if there is nothing to remove.

        Raises:
            WriteFailed: the intent is still open, or nobody can tell.
        """
        with self._file.transaction():
            self._file.run("DELETE FROM memory_intents WHERE scope = :scope", scope=self.scope)
            self._file.run(
                "DELETE FROM memory_texts WHERE scope = :scope AND change_id = :change", scope=self.scope, change=change
            )
            self._count("abandoned")

    def settle(self) -> None:
        """Make certain that no transaction whose commit failed is seen later by another reader.

        Folding needs no new space, so it comes first; where a reader is in the way, a write of no meaning takes the
        place of what may stand in the log.

        Raises:
            WriteFailed: it cannot be made certain.
        """
        folded = False
        with contextlib.suppress(WriteFailed):
            folded = self._file.fold()
        if not folded:
            with self._file.transaction():
                self._count("settled")

    def finish(
        self,
        entry: BookEntry,
        texts: Sequence[Text] = (),
        receipt: bytes | None = None,
        parcel: Parcel | None = None,
    ) -> None:
        """Record a finished change in all tables, behind what it imported, and close its intent.

        See :meth:`BookWriter.record`.

        Raises:
            WriteFailed: the intent is still open.
        """
        with self._file.transaction():
            if parcel is not None:
                load_book(self._file, self.scope, parcel, entry.change)
            self.record(entry, texts, receipt)
            self._file.run("DELETE FROM memory_intents WHERE scope = :scope", scope=self.scope)

    def fold(self) -> bool:
        """Make sure that what was committed is on disk, also after a failed sync; False when a reader is in the way.

        Raises:
            WriteFailed: it cannot be made sure.
        """
        return self._file.fold()

    def _count(self, name: str) -> None:
        self._file.run(
            """
            INSERT INTO memory_meta (scope, name, value) VALUES (:scope, :name, '1')
            ON CONFLICT (scope, name) DO UPDATE SET value = CAST(CAST(memory_meta.value AS INTEGER) + 1 AS TEXT)
            """,
            scope=self.scope,
            name=name,
        )
