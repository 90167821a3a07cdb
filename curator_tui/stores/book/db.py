"""Connections: the small protocol the book's statements run on, and ``sqlite3`` behind it.

Here: statements with ``:name`` parameters, transactions, safe settings, and readers that leave no file behind. Not
here: the statements (``reading``, ``writing``), the tables (``schema``).

Durability: WAL with ``synchronous=FULL``, one sync of the log per transaction (SQLite also syncs the folder when it
makes the log). Both settings are read back when a file is opened for writing; a file system that cannot have them is
refused. The last writer to leave folds the log back into the file, so at rest there is one file.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol
from urllib.parse import quote

from curator_tui.core.errors import StoreError, Unreadable, WriteFailed
from curator_tui.core.text import visible
from curator_tui.stores.book.sqlite_errors import DAMAGED, speaking
from curator_tui.stores.file_errors import check_database

Record = Sequence[Any]
# A query and its values.
Question = tuple[str, Mapping[str, Any]]
BUSY_SECONDS = 5.0
_CHUNK = 500
_TABLE = "SELECT name FROM sqlite_master WHERE type = 'table' AND name = :name"
_AS_BYTES = "CAST({} AS BLOB)"
# Time stamps of files are as coarse as a tick of the kernel, 10 ms at most; a file changed more recently than this may
# change again unseen.
_SETTLED_SECONDS = 0.02


class ReadDb(Protocol):
    """What reading the book needs of a database.

    Attributes:
        path: where it is, for messages; not made visible yet.
    """

    path: str

    def all(self, statement: str, **values: Any) -> list[Record]:
        """Return every row of a query."""

    def one(self, statement: str, **values: Any) -> Record | None:
        """Return the first row of a query, or None."""

    def ask(self, questions: Sequence[Question]) -> list[list[Record]]:
        """Return every row of several queries; on a server they make one journey."""

    def has_table(self, name: str) -> bool:
        """Whether there is such a table; an older book that is only read has fewer."""

    def as_bytes(self, column: str) -> str:
        """Return the expression that gives a column of text as its bytes, whatever stands in it."""

    def stands(self) -> bool:
        """Whether the file that is open is the one that stands at its path now."""

    def close(self) -> None:
        """Let go of the database."""


class Db(ReadDb, Protocol):
    """What writing rows needs of a database besides, inside a transaction that somebody has begun."""

    def run(self, statement: str, **values: Any) -> int:
        """Run one statement; return how many rows it touched."""

    def run_many(self, statement: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Run one statement for every set of values."""


class FileDb(Db, Protocol):
    """What a book that is a file of its own needs besides: its transactions, and its log."""

    def transaction(self) -> AbstractContextManager[None]:
        """Begin a writing transaction; commit at the end, roll back on an error."""

    def fold(self) -> bool:
        """Make sure that what was committed is on disk, and nothing else, also after a failed sync."""


class SqliteDb:
    """A writing connection.

    One thread at a time may use it; the store sees to that.

    Attributes:
        path: the file, for messages.
        damaged: what helps against a file that is not as we wrote it.
    """

    damaged = DAMAGED

    def __init__(self, path: str) -> None:
        """Connect to an existing file and make sure of its settings.

        Raises:
            Unreadable: it is no SQLite file, or its file system cannot keep it safely.
        """
        self.path = path
        self._file = _file(path)
        with speaking(path, Unreadable, "open", self.damaged):
            self._connection = _connect(path, "mode=rw")
        with contextlib.ExitStack() as unless_wanted:
            unless_wanted.callback(self.close)
            self._settle()
            unless_wanted.pop_all()

    def _settle(self) -> None:
        with speaking(self.path, Unreadable, "open", self.damaged):
            mode = self._setting("journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=FULL")
            level = self._setting("synchronous")
            self._connection.execute("PRAGMA secure_delete=ON")
        if mode != "wal" or level != 2:
            raise Unreadable(
                f"{visible(self.path)} is on a file system that cannot keep a SQLite log safely "
                f"(journal {mode}, synchronous {level}).",
                way_out="Move the home to a local disk.",
            )

    def _setting(self, name: str) -> Any:
        return self._connection.execute(f"PRAGMA {name}").fetchone()[0]

    def all(self, statement: str, **values: Any) -> list[Record]:
        """Return every row of a query."""
        with speaking(self.path, Unreadable, "read", self.damaged):
            return self._connection.execute(statement, _askable(values)).fetchall()

    def one(self, statement: str, **values: Any) -> Record | None:
        """Return the first row of a query, or None."""
        rows = self.all(statement, **values)
        return rows[0] if rows else None

    def ask(self, questions: Sequence[Question]) -> list[list[Record]]:
        """Return every row of several queries."""
        return [self.all(statement, **values) for statement, values in questions]

    def has_table(self, name: str) -> bool:
        """Whether there is such a table."""
        return self.one(_TABLE, name=name) is not None

    def as_bytes(self, column: str) -> str:
        """Return the expression that gives a column of text as its bytes."""
        return _AS_BYTES.format(column)

    def stands(self) -> bool:
        """Whether the file that is open is the one that stands at its path now."""
        return self._file is not None and self._file == _file(self.path)

    def run(self, statement: str, **values: Any) -> int:
        """Run one statement; return how many rows it touched."""
        with speaking(self.path, WriteFailed, "write", self.damaged):
            return self._connection.execute(statement, values).rowcount

    def run_many(self, statement: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Run one statement for every set of values."""
        with speaking(self.path, WriteFailed, "write", self.damaged):
            self._connection.executemany(statement, rows)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Begin a writing transaction; commit at the end, roll back on an error."""
        with speaking(self.path, WriteFailed, "write", self.damaged):
            self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            with speaking(self.path, WriteFailed, "write", self.damaged):
                self._connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
            raise

    def fold(self) -> bool:
        """Copy the log into the file, sync that and empty the log; return False when a reader is in the way.

        After a failed commit nobody knows what of the log is on disk; it may even hold a complete transaction that
        only a later reader would see. Once it is empty, what can be read is what there is.
        """
        with speaking(self.path, WriteFailed, "write", self.damaged):
            busy: int = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        return busy == 0

    def close(self) -> None:
        """Close the connection; what was committed stays committed, so an error here is none."""
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()


class EmptyDb(SqliteDb):
    """An empty database that is no file: what a home without a book reads from."""

    def __init__(self) -> None:
        """Connect; there is nothing that could fail."""
        self.path = ":memory:"
        self._file = None
        self._connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)


class ReadOnlyDb:
    """A reading connection that makes no file as long as no writer is at work.

    Without a log beside it, or with an empty one that was left there, the file is complete and is read as unchangeable:
    that creates neither ``-wal`` nor ``-shm`` and needs no room on a full disk. After every statement the file is
    looked at again; if a writer came meanwhile the statement is run once more on an ordinary reading connection.

    Attributes:
        path: the file, for messages.
        damaged: what helps against a file that is not as we wrote it.
    """

    damaged = DAMAGED

    def __init__(self, path: str) -> None:
        """Connect to an existing file.

        Raises:
            Unreadable: it cannot be opened.
        """
        self.path = path
        self._connection: sqlite3.Connection | None = None
        self._mark: tuple[int, ...] | None = None
        self._file: tuple[int, int] | None = None
        self._turn = threading.Lock()
        self._open()

    def _open(self, *, resting: bool = True) -> None:
        self.close()
        self._file = _file(self.path)
        self._mark = self._settled() if resting else None
        mode = "mode=ro" if self._mark is None else "mode=ro&immutable=1"
        with speaking(self.path, Unreadable, "open", self.damaged):
            self._connection = _connect(self.path, mode)

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
            for _ in range(2):
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
            return self._connection.execute(statement, _askable(values)).fetchall()

    def one(self, statement: str, **values: Any) -> Record | None:
        """Return the first row of a query, or None."""
        rows = self.all(statement, **values)
        return rows[0] if rows else None

    def ask(self, questions: Sequence[Question]) -> list[list[Record]]:
        """Return every row of several queries."""
        return [self.all(statement, **values) for statement, values in questions]

    def has_table(self, name: str) -> bool:
        """Whether there is such a table."""
        return self.one(_TABLE, name=name) is not None

    def as_bytes(self, column: str) -> str:
        """Return the expression that gives a column of text as its bytes."""
        return _AS_BYTES.format(column)

    def stands(self) -> bool:
        """Whether the file that is open is the one that stands at its path now."""
        return self._file is not None and self._file == _file(self.path)

    def close(self) -> None:
        """Close the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()


def _file(path: str) -> tuple[int, int] | None:
    """Return what tells the file at a path from another one, None where there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _size(path: str) -> int:
    """Return the size of a file, 0 where there is none."""
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


def _connect(path: str, mode: str) -> sqlite3.Connection:
    check_database(path)
    # the surfaces work in threads; the store lets one of them in at a time
    return sqlite3.connect(
        f"file:{quote(os.fsencode(os.path.abspath(path)))}?{mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def _askable(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a question; a text that holds half of a surrogate pair is asked for as its bytes.

    The book holds no such text and SQLite takes none; bytes equal no text, so the question finds nothing.
    """
    return {
        name: value.encode("utf-8", "surrogatepass") if isinstance(value, str) and not _is_unicode(value) else value
        for name, value in values.items()
    }


def _is_unicode(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text)


def with_list(statement: str, name: str, values: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Put a list of parameters in the place of ``(:name)``; return the statement and the values of the list."""
    parameters = {f"{name}{index}": value for index, value in enumerate(values)}
    listed = ", ".join(f":{parameter}" for parameter in parameters)
    return statement.replace(f"(:{name})", f"({listed})"), parameters


def for_each(db: ReadDb, statement: str, names: Iterable[str], **values: Any) -> Iterator[Record]:
    """Run a query for any number of names, some hundred at a time; ``(:names)`` in it stands for their list."""
    wanted = list(dict.fromkeys(names))
    for start in range(0, len(wanted), _CHUNK):
        filled, listed = with_list(statement, "names", wanted[start : start + _CHUNK])
        yield from db.all(filled, **values, **listed)
