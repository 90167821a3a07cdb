"""Errors of SQLite: what each becomes in the tree of errors, with the cause and what a person can do next.

Here: the words about a book file that cannot be opened, read or written. Not here: connections (``db``), what a
damaged row means (``cells``).
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator

from curator_tui.core.errors import StoreError
from curator_tui.core.text import visible
from curator_tui.stores.file_errors import DISK_FULL, way_out

# What helps against a book that is not as we wrote it.
DAMAGED = (
    "Documents, queue and backups are not in it and stay as they are. Put back a copy of that file, or move it aside, "
    "with its -wal and -shm, and go on with a new one: undo and history of what was decided so far are gone then, and "
    "a backup can be rolled back to until the first new decision (its files stay readable in memories/backups)."
)
_FULL = f"Nothing is lost. {DISK_FULL}"
_WAYS_OUT = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_IOERR: "The disk or its quota may be full, or the disk may fail: look at it, then try again.",
    sqlite3.SQLITE_CANTOPEN: "Check the permissions of the file and its folder, and whether that disk is full.",
    sqlite3.SQLITE_READONLY: "Check the permissions of the file and its folder, and whether that disk may be written.",
    sqlite3.SQLITE_BUSY: "Another program has that file open: wait until it is done, or end it, and try again.",
}
# Our statements are fixed: what makes one of them wrong is a table that is not as we made it.
_DAMAGES = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR})
# What SQLite needs besides the pages it writes: the index of its log is made in pieces of this size.
_ROOM = 1 << 16
_WITHOUT_ROOM = frozenset({sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN})
_FILES = 4  # that SQLite has open at once for one book: the file, its log, the index of that, the folder to sync


@contextlib.contextmanager
def speaking(path: str, kind: type[StoreError], verb: str, damaged: str = DAMAGED) -> Iterator[None]:
    """Turn an error of SQLite into one of the tree that names the file, the cause and the way out.

    Args:
        path: the file.
        kind: the error to be raised.
        verb: what could not be done with it.
        damaged: what helps against a file that is not as we wrote it.
    """
    try:
        yield
    except UnicodeEncodeError as error:
        raise kind(f"cannot {verb} {visible(path)}: it holds no text that is no Unicode.") from error
    except sqlite3.Error as error:
        # SQLite's own words are fixed phrases; none of them quotes what is stored
        code, words = getattr(error, "sqlite_errorcode", 0) & 0xFF, str(error)
        if code in _WITHOUT_ROOM and (left := _left(path)) is not None and left < _ROOM:
            code, words = sqlite3.SQLITE_FULL, f"the disk is full ({left} bytes are free)"
        way = damaged if code in _DAMAGES else _WAYS_OUT.get(code, "")
        if code == sqlite3.SQLITE_CANTOPEN and (cause := _too_many()) is not None:
            words, way = os.strerror(cause.errno or 0), way_out(cause)
        raise kind(f"cannot {verb} {visible(path)}: {words}.", way_out=way) from error


def _too_many() -> OSError | None:
    """Return why no more files can be opened, None where as many can as SQLite needs: it says no more than that."""
    opened: list[int] = []
    try:
        opened.extend(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC) for _ in range(_FILES))
    except OSError as error:
        return error
    finally:
        for fd in opened:
            os.close(fd)
    return None


def _left(path: str) -> int | None:
    """Return how many bytes are free where a file is, None where that cannot be told."""
    try:
        room = os.statvfs(os.path.dirname(path) or os.curdir)
    except OSError:
        return None
    return room.f_bavail * room.f_frsize
