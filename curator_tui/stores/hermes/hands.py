"""Hands: the folders of a home that one attempt works in, each opened at most once.

Here: finding and making folders. Not here: what is done in them (``commit``, ``recovery``, ``checking``).
"""

from __future__ import annotations

from types import TracebackType
from typing import Self

from curator_tui.core.documents import TARGETS
from curator_tui.core.errors import StoreError
from curator_tui.stores.hermes import images
from curator_tui.stores.hermes.names import MEMORY_QUEUE, OWN_FOLDER, PENDING
from curator_tui.stores.hermes.reading import MEMORIES, open_inside, resolve_document
from curator_tui.stores.safe_files import Folder


class Hands:
    """The folders of one attempt, each opened at most once; a context manager that closes them all.

    Attributes:
        home: the open home; it stays the caller's.
    """

    def __init__(self, home: Folder) -> None:
        self.home = home
        self._open: dict[tuple[str, ...], Folder] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for folder in self._open.values():
            folder.close()
        self._open.clear()

    def find(self, *steps: str) -> Folder | None:
        """Open a folder of the home; None when it is missing.

        Raises:
            Unreadable: it may not be opened.
        """
        if steps not in self._open:
            folder = open_inside(self.home, *steps)
            if folder is None:
                return None
            self._open[steps] = folder
        return self._open[steps]

    def make(self, *steps: str) -> Folder:
        """Open a folder of the home, making what is missing on the way.

        Raises:
            WriteFailed: it cannot be made.
        """
        for depth in range(1, len(steps) + 1):
            if self.find(*steps[:depth]) is None:
                outer = self.find(*steps[: depth - 1]) or self.home
                outer.open_folder(steps[depth - 1], create=True).close()
        found = self.find(*steps)
        assert found is not None
        return found

    def places(self) -> list[Folder]:
        """Return the folders that may hold temporary files of ours: those of the documents, the queue, and our own.

        Raises:
            Unreadable: one of them may not be opened.
        """
        steps: dict[tuple[str, ...], None] = {(MEMORIES,): None}
        for target in TARGETS:
            try:
                place = resolve_document(self.home, target)
            except StoreError:
                continue
            if place is not None:
                with place:
                    steps[place.steps] = None
        found = [self.find(*step) for step in steps]
        return [folder for folder in (*found, self.queue(), self.find(OWN_FOLDER)) if folder is not None]

    def queue(self) -> Folder | None:
        """Return the folder of waiting memory records, or None when there is none."""
        return self.find(PENDING, MEMORY_QUEUE)

    def backups(self) -> Folder | None:
        """Return the folder of images, or None when there is none."""
        return self.find(MEMORIES, images.BACKUPS)
