"""SQLite as a database of many: connections to one file, by the same means as the book of a home.

Here: a session that begins IMMEDIATE, and reading that makes no file. Not here: the connections themselves
(``book.db``), making the tables (``upgrading``).
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from curator_tui.core.errors import Locked, WriteFailed
from curator_tui.stores.book.db import Question, R, ReadDb, Record, SqliteDb
from curator_tui.stores.book.looking import ReadOnlyDb
from curator_tui.stores.failpoints import hit
from curator_tui.stores.sql.addresses import Address, Dialect
from curator_tui.stores.sql.bounds import NOTHING, Bound
from curator_tui.stores.sql.cancellation import Cancellation
from curator_tui.stores.sql.database import Again, Unanswered
from curator_tui.stores.sql.versions import VERSION_TABLE

# How long SQLite waits for another writer before we look whether anybody still waits for us.
_GLANCE_SECONDS = 0.25
# What helps against a file that is not as we wrote it.
DAMAGED = "Put back a copy of that file, with its -wal where it has one, or name another one."


class NoDb:
    """A database that is not there yet: it has no answer to any question."""

    path = "none"

    def all(self, statement: str, **values: Any) -> list[Record]:  # noqa: ARG002 - the signature of the protocol
        """Return nothing."""
        return []

    def one(self, statement: str, **values: Any) -> Record | None:  # noqa: ARG002 - as above
        """Return nothing."""
        return None

    def ask(self, questions: Sequence[Question]) -> list[list[Record]]:
        """Return nothing."""
        return [[] for _ in questions]

    def has_table(self, name: str) -> bool:  # noqa: ARG002 - as above
        """There is none."""
        return False

    def as_bytes(self, column: str) -> str:
        """Return the column."""
        return column

    def stands(self) -> bool:
        """There is no file yet."""
        return False

    def at_once(self, read: Callable[[ReadDb], R]) -> R:
        """Let several questions get no answer."""
        return read(self)

    def close(self) -> None:
        """Nothing is open."""


class FileSession(SqliteDb):
    """The writing connection to a file; the store's own transactions begin and end here and nowhere else."""

    damaged = DAMAGED
    for_update = ""  # a transaction that may write has the whole file to itself
    _interrupted = False

    def begin(self, wait: float) -> None:
        """Begin a transaction that may write; see :class:`Session`."""
        until = time.monotonic() + wait
        while not self._begun(min(wait, _GLANCE_SECONDS)):
            if self._interrupted or time.monotonic() >= until:
                raise Locked(
                    f"the database is held by another program for longer than {wait:g} seconds.",
                    way_out="Wait until it is done, or end it, and try again.",
                )

    def _begun(self, wait: float) -> bool:
        """Begin, and return whether nobody was in the way for so long; while SQLite waits nothing interrupts it."""
        try:
            self._connection.execute(f"PRAGMA busy_timeout = {int(wait * 1000)}")
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise WriteFailed(f"cannot begin to write: {error}.") from error
            return False
        return True

    def foresee(self, look: Callable[[ReadDb], object]) -> None:
        """Nothing to do; see :meth:`send`."""

    def expect(self, count: int, statement: str, **values: Any) -> None:
        """Run one statement that has to touch so many rows; see :class:`Session`."""
        if self.run(statement, **values) != count:
            raise Again

    def send(self) -> None:
        """Nothing is kept: a file is no journey away."""

    def commit(self) -> None:
        """Store what the transaction did; see :class:`Session`."""
        try:
            hit("committing")
            self._connection.execute("COMMIT")
            hit("committed")
        except (sqlite3.Error, OSError) as error:
            self.rollback()
            raise Unanswered from error

    def rollback(self) -> None:
        """Forget what the transaction did; an error leaves nothing to forget."""
        with contextlib.suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def interrupt(self) -> None:
        """Stop the statement that runs; whoever interrupts gives the session up."""
        self._interrupted = True
        with contextlib.suppress(sqlite3.Error):
            self._connection.interrupt()

    def settle(self) -> None:
        """Empty the log into the file, or write behind what may stand in it; see :class:`Session`."""
        with contextlib.suppress(WriteFailed):
            if self.fold():
                return
        with self.transaction():
            self.run(f"UPDATE {VERSION_TABLE} SET version_num = version_num")


class PlainSession(FileSession):
    """A writing connection that leaves the settings of the file as they are: for trying it out."""

    def _settle(self) -> None:
        """Change nothing."""

    def settings(self) -> dict[str, str]:
        """Return how the file is kept: the mode it has, and how much our own connections sync."""
        return {"journal_mode": str(self._setting("journal_mode")), "synchronous": "FULL"}


class FileReader(ReadOnlyDb):
    """The reading connection to a file; it makes no file as long as no writer is at work."""

    damaged = DAMAGED


class SqliteDatabase:
    """One file; sessions take turns.

    Args:
        address: which file.
    """

    dialect: Dialect = "sqlite"

    def __init__(self, address: Address) -> None:
        self.address = address
        self.cancellation = Cancellation()
        self._turn = threading.Lock()
        self._session: FileSession | None = None
        self._file: tuple[int, int] | None = None

    def reader(self, bound: Bound = NOTHING) -> ReadDb:  # noqa: ARG002 - a file has no policies
        """Return what reads the file; of one that is not there nothing is read."""
        status = _status(self.address.file)
        if status is None or status.st_size == 0:
            return NoDb()
        return FileReader(self.address.file)

    @contextlib.contextmanager
    def session(self, bound: Bound = NOTHING) -> Iterator[FileSession]:  # noqa: ARG002 - as above
        """Give the one writing connection to this thread; after an error it is opened anew."""
        with self._turn:
            if self._session is None or self._file != _file_of(self.address.file):
                self._drop()
                self._session = FileSession(self.address.file)
                self._file = _file_of(self.address.file)
            try:
                yield self._session
            except BaseException:
                self._session.rollback()
                self._drop()
                raise

    def _drop(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None

    def login(self) -> None:
        """Return None: a file lets in whoever may open it."""

    def notes(self) -> tuple[str, ...]:
        """Return nothing: a file that cannot be kept safely is not opened for writing."""
        return ()

    def refusals(self) -> tuple[str, ...]:
        """Return nothing: a file refuses nobody."""
        return ()

    def close(self) -> None:
        """Close the connection; the last one folds the log away."""
        with self._turn:
            self._drop()


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


def _file_of(path: str) -> tuple[int, int] | None:
    status = _status(path)
    return None if status is None else (status.st_dev, status.st_ino)
