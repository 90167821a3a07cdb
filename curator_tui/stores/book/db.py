"""Connections: the small protocol the book's statements run on, and ``sqlite3`` behind it.

Here: statements with ``:name`` parameters, transactions and safe settings. Not here: readers that leave no file behind
(``looking``), the statements (``reading``, ``writing``), the tables (``schema``).

Durability: WAL with ``synchronous=FULL``, one sync of the log per transaction (SQLite also syncs the folder when it
makes the log). Both settings are read back when a file is opened for writing; a file system that cannot have them is
refused. The last writer to leave folds the log back into the file, so at rest there is one file.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, Self, TypeVar
from urllib.parse import quote

from curator_tui.core.errors import Unreadable, WriteFailed
from curator_tui.core.text import visible
from curator_tui.stores.book.sqlite_errors import DAMAGED, speaking
from curator_tui.stores.file_errors import check_database

Record = Sequence[Any]
# A query and its values.
Question = tuple[str, Mapping[str, Any]]
R = TypeVar("R")
BUSY_SECONDS = 5.0
_PAUSE = 0.02
_CHUNK = 500
HAS_TABLE = "SELECT name FROM sqlite_master WHERE type = 'table' AND name = :name"
_AS_BYTES = "CAST({} AS BLOB)"


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

    def at_once(self, read: Callable[[ReadDb], R]) -> R:
        """Let several questions be answered from one state, whoever writes meanwhile.

        Args:
            read: asks them of the database it is given, and may be called again.
        """

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


class Asking:
    """What every connection to a file answers by its queries.

    Attributes:
        path: the file, for messages.
        damaged: what helps against a file that is not as we wrote it.
    """

    path: str
    damaged = DAMAGED
    _file: tuple[int, int] | None

    def all(self, statement: str, **values: Any) -> list[Record]:
        """Return every row of a query."""
        raise NotImplementedError

    def one(self, statement: str, **values: Any) -> Record | None:
        """Return the first row of a query, or None."""
        rows = self.all(statement, **values)
        return rows[0] if rows else None

    def ask(self, questions: Sequence[Question]) -> list[list[Record]]:
        """Return every row of several queries."""
        return [self.all(statement, **values) for statement, values in questions]

    def as_bytes(self, column: str) -> str:
        """Return the expression that gives a column of text as its bytes."""
        return _AS_BYTES.format(column)

    def has_table(self, name: str) -> bool:
        """Whether there is such a table."""
        return self.one(HAS_TABLE, name=name) is not None

    def stands(self) -> bool:
        """Whether the file that is open is the one that stands at its path now."""
        return self._file is not None and self._file == file_at(self.path)


class Connected(Asking):
    """A connection that can be asked."""

    def __init__(self, path: str, mode: str) -> None:
        """Connect to an existing file.

        Raises:
            Unreadable: it cannot be opened.
        """
        self.path = path
        self._file = file_at(path)
        with speaking(path, Unreadable, "open", self.damaged):
            self._connection = connect(path, mode)

    def all(self, statement: str, **values: Any) -> list[Record]:
        """Return every row of a query."""
        with speaking(self.path, Unreadable, "read", self.damaged):
            return self._connection.execute(statement, askable(values)).fetchall()

    def at_once(self, read: Callable[[Self], R]) -> R:
        """Let several questions be answered from one state: nobody writes beside who has this connection."""
        return read(self)

    def close(self) -> None:
        """Close the connection; what was committed stays committed, so an error here is none."""
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()


class SqliteDb(Connected):
    """A writing connection.

    One thread at a time may use it; the store sees to that.
    """

    def __init__(self, path: str) -> None:
        """Connect to an existing file and make sure of its settings.

        Raises:
            Unreadable: it is no SQLite file, or its file system cannot keep it safely.
        """
        super().__init__(path, "mode=rw")
        with contextlib.ExitStack() as unless_wanted:
            unless_wanted.callback(self.close)
            self._settle()
            unless_wanted.pop_all()

    def _settle(self) -> None:
        with speaking(self.path, Unreadable, "open", self.damaged):
            mode = self._with_log()
            self._connection.execute("PRAGMA synchronous=FULL")
            level = self._setting("synchronous")
            self._connection.execute("PRAGMA secure_delete=ON")
        if mode != "wal" or level != 2:
            raise Unreadable(
                f"{visible(self.path)} is on a file system that cannot keep a SQLite log safely "
                f"(journal {mode}, synchronous {level}).",
                way_out="Move the home to a local disk.",
            )

    def _with_log(self) -> Any:
        """Let the file have a log, and return its mode; for others who do the same just now SQLite does not wait."""
        until = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                return self._setting("journal_mode=WAL")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
            time.sleep(_PAUSE)

    def _setting(self, name: str) -> Any:
        return self._connection.execute(f"PRAGMA {name}").fetchone()[0]

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


class EmptyDb(SqliteDb):
    """An empty database that is no file: what a home without a book reads from."""

    def __init__(self) -> None:
        """Connect; there is nothing that could fail."""
        self.path = ":memory:"
        self._file = None
        self._connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)


def file_at(path: str) -> tuple[int, int] | None:
    """Return what tells the file at a path from another one, None where there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def connect(path: str, mode: str) -> sqlite3.Connection:
    """Connect to an existing file, in the words of a URI of SQLite; its errors are not put into words yet."""
    check_database(path)
    # the surfaces work in threads; the store lets one of them in at a time
    return sqlite3.connect(
        f"file:{quote(os.fsencode(os.path.abspath(path)))}?{mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def askable(values: Mapping[str, Any]) -> dict[str, Any]:
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
