"""The place of a home's book: its documents, its queue and its images, read as files.

Here: reading them for a view, and single images. Not here: formats (``reading``, ``records``, ``images``).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator

from curator_tui.core.changes import Backup, Waiting
from curator_tui.core.documents import Document, Target
from curator_tui.core.proposals import ITEM_ID
from curator_tui.core.tombstones import Tombstone
from curator_tui.stores.book.book import open_existing
from curator_tui.stores.book.carrying import forgotten_in
from curator_tui.stores.hermes import images
from curator_tui.stores.hermes.hands import Hands
from curator_tui.stores.hermes.names import MEMORY_QUEUE, PENDING, RECORD_SUFFIX
from curator_tui.stores.hermes.queue import Queue, find_record
from curator_tui.stores.hermes.reading import MEMORIES, open_inside, read_documents
from curator_tui.stores.safe_files import Folder


class HomePlace:
    """The files of one home.

    Args:
        home: the open home; it stays the caller's.
    """

    def __init__(self, home: Folder) -> None:
        self._home = home

    def documents(self) -> dict[Target, Document]:
        """Return both documents; one that cannot be read says so and is never taken for empty."""
        return read_documents(self._home)

    def records(self, items: Iterable[str]) -> dict[str, Waiting]:
        """Return the named records that wait."""
        found = ((name, find_record(self._home, name)) for name in dict.fromkeys(items))
        return {name: waiting for name, waiting in found if waiting is not None}

    def standing(self, items: Iterable[str]) -> dict[str, str]:
        """Return the named items under whose name something stands in the queue, each with the digest of what it is."""
        wanted = tuple(name for name in dict.fromkeys(items) if ITEM_ID.fullmatch(name))  # nothing else names a record
        queue = open_inside(self._home, PENDING, MEMORY_QUEUE) if wanted else None
        if queue is None:
            return {}
        with queue:
            taken = [name for name in wanted if name.startswith("x-") or queue.stat(name + RECORD_SUFFIX) is not None]
        return {name: found.proposal.digest for name, found in self.records(taken).items()}

    def there(self) -> dict[str, int]:
        """Return how many records wait and how many images there are, by what one of them is called."""
        listed = Queue(self._home)
        listed.refresh()
        with Hands(self._home) as hands:
            folder = hands.backups()
            names = [] if folder is None else images.image_names(folder)
        return {"waiting item": len(listed.proposals()), "backup": len(names)}

    def forgotten(self) -> tuple[tuple[Tombstone, ...], dict[str, bytes]]:
        """Return what was forgotten here, and the keys that recognise it."""
        book = open_existing(self._home)
        if book is None:
            return (), {}
        try:
            return forgotten_in(book.db, scope=book.scope)
        finally:
            book.close()

    def backup(self, name: str) -> Backup | None:
        """Read one image of the home; None when there is no such image."""
        memories = open_inside(self._home, MEMORIES)
        if memories is None:
            return None
        with memories:
            backups = images.open_backups(memories)
            if backups is None:
                return None
            with backups:
                return images.read_image(backups, name)

    @contextlib.contextmanager
    def images(self) -> Iterator[Callable[[str], Backup | None]]:
        """Open the folder of images once, for reading many of them."""
        with Hands(self._home) as hands:

            def find(name: str) -> Backup | None:
                folder = hands.backups()
                return images.read_image(folder, name) if folder is not None else None

            yield find
