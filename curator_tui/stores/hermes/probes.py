"""Probes of a home: what an operator should know about its files, looked up without changing anything.

Here: leftovers of Hermes, its locks, links, a copied book. Not here: whether our own parts agree (``checking``), the
session history (``curator.probes``).
"""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Iterator

from curator_tui.core.documents import FILE_NAMES, TARGETS
from curator_tui.core.errors import StoreError
from curator_tui.core.text import visible
from curator_tui.stores.book.book import FOLDER_NAME, is_of_another_folder
from curator_tui.stores.book.reading import BookReader
from curator_tui.stores.file_errors import describe
from curator_tui.stores.hermes.locks import LOCK_SUFFIX, OWN_LOCK, held
from curator_tui.stores.hermes.reading import MEMORIES, open_inside
from curator_tui.stores.safe_files import Folder

_DRIFT_COPY = re.compile(r"(?:MEMORY|USER)\.md\.bak\.\d+")
_LEFT_BEHIND = re.compile(r"\.mem_.*\.tmp")


def probe(home: Folder, book: Callable[[], BookReader]) -> Iterator[str]:
    """Yield what is worth knowing about a home, in words safe to print; a probe that fails says so.

    Args:
        home: its folder.
        book: opens the book; one that cannot be opened is told elsewhere.
    """
    yield from _looked_into(home, MEMORIES, _file_notes)
    yield from _looked_into(home, FOLDER_NAME, _own_notes)
    yield from _copied_note(home, book)


def _looked_into(home: Folder, name: str, look: Callable[[Folder], Iterator[str]]) -> Iterator[str]:
    """Look into a folder of the home where there is one; one that may not be looked at is itself worth a note."""
    try:
        folder = open_inside(home, name)
        if folder is not None:
            with folder:
                yield from look(folder)
    except StoreError as error:
        yield f"the folder {name} cannot be looked at: {error.message}"


def _own_notes(folder: Folder) -> Iterator[str]:
    if held(folder, OWN_LOCK):
        yield "another curator-tui is writing to this home right now"


def _copied_note(home: Folder, book: Callable[[], BookReader]) -> Iterator[str]:
    """Say that the book was made beside another home, or in another folder: the next decision goes on beside it."""
    try:
        is_copy = is_of_another_folder(home, book())
    except StoreError:
        return  # a book that cannot be read is told among the problems
    if is_copy:
        yield (
            "the book was written in another folder: this home is a copy, or its folder was put back; with the next "
            "decision its ledger goes on as a chain of its own, which names the one so far"
        )


def _file_notes(folder: Folder) -> Iterator[str]:
    names = folder.names()
    if copies := [name for name in names if _DRIFT_COPY.fullmatch(name)]:
        yield (
            f"drift copies: {len(copies)} (newest {visible(max(copies))}); Hermes refused to change a "
            "hand-edited document that often; nothing removes them"
        )
    if left := [name for name in names if _LEFT_BEHIND.fullmatch(name)]:
        yield f"temporary files (.mem_*.tmp): {len(left)}, left behind by a Hermes killed while writing"
    for target in TARGETS:
        yield from _document_file(folder, FILE_NAMES[target])
        yield from _lock_file(folder, FILE_NAMES[target])


def _document_file(folder: Folder, name: str) -> Iterator[str]:
    status = folder.stat(name)
    if status is not None and stat.S_ISLNK(status.st_mode):
        yield f"{name} is a symbolic link; the file behind it is replaced and the link stays"


def _lock_file(folder: Folder, document: str) -> Iterator[str]:
    name = document + LOCK_SUFFIX
    status = folder.stat(name)
    if status is None or not stat.S_ISREG(status.st_mode):  # what is no file is told by the store itself
        return
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        yield f"{name} can be locked by others ({describe(status)})"
    holding = held(folder, name)
    if holding:
        yield f"{name} is held right now: an agent or another curator is writing {document}"
    elif holding is None:
        yield f"whether {name} is held right now cannot be told on this system"
