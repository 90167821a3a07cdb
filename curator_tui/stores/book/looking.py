"""Looking into a book beside those who write it: readers that leave no file behind and see whole states.

Here: how a file is opened for looking, and when what was read has to be read again. Not here: writing connections
(``db``), what is read (``reading``).
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from curator_tui.core.errors import StoreError, Unreadable
from curator_tui.stores.book.db import Asking, Connected, R, ReadDb, Record, askable, connect, file_at
from curator_tui.stores.book.sqlite_errors import speaking

# Time stamps of files are as coarse as a tick of the kernel, 10 ms at most; a file changed more recently than this may
# change again unseen.
_SETTLED_SECONDS = 0.02
_LOOKS = 2  # at a file at rest, before it is read as one that is written


class ReadOnlyDb(Asking):
    """A reading connection that makes no file as long as no writer is at work.

    Without a log beside it, or with an empty one that was left there, the file is complete and is read as unchangeable:
    that creates neither ``-wal`` nor ``-shm`` and needs no room on a full disk. After every statement the file is
    looked at again; if a writer came meanwhile the statement is run once more on an ordinary reading connection.
    """

    def __init__(self, path: str) -> None:
        """Connect to an existing file.

        Raises:
            Unreadable: it cannot be opened.
        """
        self.path = path
        self._connection: sqlite3.Connection | None = None
        self._mark: tuple[int, ...] | None = None
        self._file = None
        self._turn = threading.Lock()
        self._open()

    def _open(self, *, resting: bool = True) -> None:
        self.close()
        self._file = file_at(self.path)
        self._mark = self._settled() if resting else None
        with speaking(self.path, Unreadable, "open", self.damaged):
            self._connection = connect(self.path, _mode(resting=self._mark is not None))

    def _look(self) -> tuple[int, ...] | None:
        """Return what tells one state of the resting file from another, or None while a log stands beside it."""
        try:
            if _size(self.path + "-wal"):
                return None
            status = os.stat(self.path)
        except OSError:
            return None
        return (status.st_mtime_ns, status.st_size, status.st_ino)

    def _settled(self) -> tuple[int, ...] | None:
        """Return the mark of a file that has rested for a moment; wait for that moment once."""
        mark = self._look()
        if mark is None or not 0 <= (age := time.time() - mark[0] / 1e9) < _SETTLED_SECONDS:
            return mark
        time.sleep(_SETTLED_SECONDS - age)
        return mark if self._look() == mark else None

    def all(self, statement: str, **values: Any) -> list[Record]:
        """Return every row of a query; threads take turns."""
        with self._turn:
            for _ in range(_LOOKS):
                if self._mark is None:
                    return self._plainly(statement, values)
                rows = self._try(statement, values)
                if rows is not None and self._mark == self._look():
                    return rows
                self._open()
            self._open(resting=False)
            return self._plainly(statement, values)

    def _try(self, statement: str, values: Mapping[str, Any]) -> list[Record] | None:
        try:
            return self._plainly(statement, values)
        except StoreError:
            if self._mark == self._look():
                raise
            return None

    def _plainly(self, statement: str, values: Mapping[str, Any]) -> list[Record]:
        if self._connection is None:  # it went while it was open, and could not be opened again then
            self._open()
        assert self._connection is not None
        with speaking(self.path, Unreadable, "read", self.damaged):
            return self._connection.execute(statement, askable(values)).fetchall()

    def at_once(self, read: Callable[[ReadDb], R]) -> R:
        """Let several questions be answered from one state, by a connection of their own: nobody waits for them.

        Where the file was at rest and a writer came meanwhile they are asked again.
        """
        for _ in range(_LOOKS):
            mark = self._settled()
            with contextlib.closing(_OneState(self.path, resting=mark is not None)) as state:
                try:
                    found = read(state)
                    if mark is None or mark == self._look():
                        return found
                except StoreError:
                    if mark is None or mark == self._look():
                        raise
        with contextlib.closing(_OneState(self.path, resting=False)) as state:
            return read(state)

    def close(self) -> None:
        """Close the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()


class _OneState(Connected):
    """A reading connection to which a file stays as it is when it is first asked."""

    def __init__(self, path: str, *, resting: bool) -> None:
        super().__init__(path, _mode(resting=resting))
        with speaking(path, Unreadable, "read", self.damaged):
            self._connection.execute("BEGIN")


def _mode(*, resting: bool) -> str:
    return "mode=ro&immutable=1" if resting else "mode=ro"


def _size(path: str) -> int:
    """Return the size of a file, 0 where there is none."""
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0
