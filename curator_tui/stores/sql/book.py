"""The book of one scope in a database: the rows every store has, with nothing under way between transactions.

Here: what a database needs not. Not here: the statements (``stores.book``).
"""

from __future__ import annotations

from curator_tui.stores.book.reading import BookReader
from curator_tui.stores.book.writing import BookWriter


class ScopeReader(BookReader):
    """The reading half; of a scope without a name nothing is read."""

    def intent(self) -> None:
        """Return None: a change is one transaction, so none is ever half done."""

    def has_asides(self) -> bool:
        """Whether there can be any; a database of this version has the tables."""
        return self.scope != ""

    def close(self) -> None:
        """The connection is the store's."""


class ScopeWriter(BookWriter):
    """The writing half, inside a transaction of the store."""

    def intent(self) -> None:
        """Return None; see :class:`ScopeReader`."""

    def has_asides(self) -> bool:
        """Return True: a database of this version has the tables."""
        return True
