"""The book of one scope in a database: the rows every store has, with nothing under way between transactions.

Here: what a database needs not. Not here: the statements (``stores.book``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from curator_tui.core.changes import Row
from curator_tui.core.documents import Target
from curator_tui.core.ledger import SealedRow
from curator_tui.stores.book.commitments import LOOSE
from curator_tui.stores.book.db import Db, ReadDb
from curator_tui.stores.book.entries import Text
from curator_tui.stores.book.reading import BookReader
from curator_tui.stores.book.writing import BookWriter


class ScopeReader(BookReader):
    """The reading half; of a scope without a name nothing is read."""

    is_file = False

    def intent(self) -> None:
        """Return None: a change is one transaction, so none is ever half done."""

    def has_asides(self) -> bool:
        """Whether there can be any; a database of this version has the tables."""
        return self.scope != ""

    def over(self, db: ReadDb) -> ScopeReader:
        """Return the same book, read over another connection."""
        return ScopeReader(db, self.scope)

    def close(self) -> None:
        """The connection is the store's."""


class ScopeWriter(BookWriter):
    """The writing half, inside one transaction that has the scope to itself: what was read once stays true in it."""

    is_file = False

    def __init__(self, db: Db, scope: str) -> None:
        super().__init__(db, scope)
        self._head: tuple[int, str] | None = None
        self._known: dict[Target, tuple[str | None, str]] | None = None
        self._facts: dict[str, str | None] = {}
        self._salts: dict[str, bytes | None] = {}

    def over(self, db: ReadDb) -> BookReader:  # noqa: ARG002 - the transaction is on this one
        """Return this book: what it reads is as of its transaction."""
        return self

    def foresee(self) -> None:
        """Read what recording a change will need, while the answers are at hand (``foresight``)."""
        self.head()
        self.known_texts()
        self.meta(LOOSE)

    def forget(self) -> None:
        """Read afresh what was read before: rows were stored past this book."""
        self._head = self._known = None
        self._facts.clear()
        self._salts.clear()

    def meta(self, name: str) -> str | None:
        """Return a fact about the book itself."""
        if name not in self._facts:
            self._facts[name] = super().meta(name)
        return self._facts[name]

    def set_meta(self, values: Mapping[str, str]) -> None:
        """Note facts about the book itself."""
        super().set_meta(values)
        self._facts.update(values)

    def add_texts(self, change: str, texts: Iterable[Text]) -> None:
        """Store the texts of a change."""
        stored = tuple(texts)
        super().add_texts(change, stored)
        self._salts.update({text.id: text.salt for text in stored})

    def salt(self, name: str) -> bytes | None:
        """Return the salt kept under a text id."""
        return self._salts[name] if name in self._salts else super().salt(name)

    def head(self) -> tuple[int, str]:
        """Return sequence number and hash of the newest ledger row."""
        if self._head is None:
            self._head = super().head()
        return self._head

    def _end(self) -> tuple[int, str]:
        return super()._end() if self._head is None else self._head

    def _insert_rows(self, rows: Sequence[Row]) -> Sequence[SealedRow]:
        sealed = super()._insert_rows(rows)
        if sealed:
            self._head = (sealed[-1].seq, sealed[-1].hash)
        return sealed

    def known_texts(self) -> dict[Target, tuple[str | None, str]]:
        """Return text id and digest of the last known bytes per document, as they were before this change."""
        if self._known is None:
            self._known = super().known_texts()
        return self._known

    def intent(self) -> None:
        """Return None; see :class:`ScopeReader`."""

    def has_asides(self) -> bool:
        """Return True: a database of this version has the tables."""
        return True
