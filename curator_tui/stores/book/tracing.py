"""What the book still knows of the documents in front of each change and behind it, in few statements.

Here: the ledger as typed rows, from one sequence number on; bytes and salts of documents by change. Not here: what a
row is held against (``core.tracing``), images.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from curator_tui.core.documents import Target
from curator_tui.core.row_form import RowForm, form_of
from curator_tui.stores.book import cells
from curator_tui.stores.book.db import for_each
from curator_tui.stores.book.reading import BookReader

_DOCUMENTS = """
    SELECT d.change_id, d.target, d.before_text, d.after_text FROM memory_change_documents d WHERE d.scope = :scope
"""
_BODIES = "SELECT id, body FROM memory_texts WHERE scope = :scope AND id IN (:names)"
_SALTS = "SELECT id, salt FROM memory_texts WHERE scope = :scope AND id IN (:names) AND salt IS NOT NULL"


class KeptBytes:
    """The bytes of documents that the book keeps for its changes; a text that is gone is not among them.

    Args:
        book: the book.
    """

    def __init__(self, book: BookReader) -> None:
        self._book = book
        self._names: dict[tuple[str, str], tuple[str | None, str | None]] = {}
        for change, target, before, after in book.db.all(_DOCUMENTS, scope=book.scope):
            self._names[str(change), str(target)] = (before, after)
        ids = {name for pair in self._names.values() for name in pair if name is not None}
        self._bodies = {name: cells.raw(body) for name, body in self._some(_BODIES, ids)}

    def documents(self, change: str, moment: str) -> dict[Target, bytes | None]:
        """Return the bytes ``before`` or ``after`` a change of the documents it changed (None: there was no file)."""
        found: dict[Target, bytes | None] = {}
        for target in Target:
            names = self._names.get((change, str(target)))
            if names is None:
                continue
            name = names[moment == "after"]
            if name is None:
                found[target] = None
            elif name in self._bodies:
                found[target] = self._bodies[name]
        return found

    def salts(self, names: Iterable[str]) -> dict[str, bytes]:
        """Return the salts that are kept under these ids."""
        return {name: cells.raw(salt) for name, salt in self._some(_SALTS, names)}

    def _some(self, statement: str, names: Iterable[str]) -> Iterator[Any]:
        return for_each(self._book.db, statement, names, scope=self._book.scope)


def typed_rows(book: BookReader, after: int = 0) -> Iterator[RowForm]:
    """Yield the rows behind a sequence number that have the form of one, oldest first, some thousand at a time."""
    while rows := book.rows(after, 2_000):
        for sealed in rows:
            row = form_of(sealed.body)
            if row is not None and row.seq == sealed.seq:
                yield row
        if rows[-1].seq <= after:
            return
        after = rows[-1].seq


def salted(row: RowForm, salts: Mapping[str, str]) -> dict[tuple[Target, str], str]:
    """Return under which id the salt of each document of a row is kept, by document and moment.

    Args:
        row: the row.
        salts: under what the salt of each moment is kept where others wrote.
    """
    return {
        (target, moment): f"{row.change}:{target}:{salts.get(moment, moment)}"
        for target, moments in row.documents.items()
        for moment in moments
    }
