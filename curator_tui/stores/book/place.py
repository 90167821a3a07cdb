"""The place of a book: what a store keeps outside of the book's tables, as far as a view needs it.

Here: the protocol. Not here: the stores that have such a place: files of a home, further tables of a database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from curator_tui.core.changes import Backup, Waiting
from curator_tui.core.documents import Document, Target
from curator_tui.core.tombstones import Tombstone


class Place(Protocol):
    """Documents, waiting records and images of one scope, each read afresh when it is asked for."""

    def documents(self) -> Mapping[Target, Document]:
        """Return both documents; one that cannot be read says so and is never taken for empty."""

    def records(self, items: Iterable[str]) -> Mapping[str, Waiting]:
        """Return the named records that wait.

        Raises:
            Unreadable: the queue cannot be read.
        """

    def standing(self, items: Iterable[str]) -> Mapping[str, str]:
        """Return the named items under whose name something stands in the queue, each with the digest of what it is.

        Raises:
            Unreadable: the queue cannot be read.
        """

    def backup(self, name: str) -> Backup | None:
        """Return one image, or None for none.

        Raises:
            Unreadable: it is damaged.
        """

    def there(self) -> Mapping[str, int]:
        """Return how many records wait and how many images there are, by what one of them is called."""

    def forgotten(self) -> tuple[tuple[Tombstone, ...], Mapping[str, bytes]]:
        """Return what was forgotten of the person whose memory it is, and the keys that recognise it, by their ids."""
