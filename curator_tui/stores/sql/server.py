"""PostgreSQL as a database of many: a pool of connections, reading statement by statement, writing SERIALIZABLE.

Here: connections, their settings, and the book's small protocol on them. Not here: what an error means
(``server_errors``), making the tables (``upgrading``).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Engine, TextClause, create_engine, event, text
from sqlalchemy.exc import DBAPIError

from curator_tui.core.errors import Unreadable, WriteFailed
from curator_tui.stores.book.db import Record
from curator_tui.stores.failpoints import hit
from curator_tui.stores.sql.addresses import Address, Dialect
from curator_tui.stores.sql.database import WAIT_SECONDS
from curator_tui.stores.sql.server_errors import at_commit, lost, speaking

ISOLATION = "SERIALIZABLE"
_CONNECTIONS = 5
# A server that went away without a word is noticed by the operating system within about half a minute.
_PATIENCE: dict[str, Any] = {
    "connect_timeout": 5, "keepalives": 1, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3,
    "tcp_user_timeout": 30_000, "application_name": "curator-tui",
}  # fmt: skip
_SETTINGS = "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit')"


def connect(address: Address, isolation: str = ISOLATION) -> Engine:
    """Return the pool of a server; nothing is connected yet.

    Raises:
        Unreadable: the driver is not installed.
    """
    try:
        import psycopg
    except ImportError as error:
        raise Unreadable(
            "PostgreSQL needs a driver that is not installed.",
            way_out="Install it: pip install 'curator-tui[postgres]'",
        ) from error
    engine = create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(address.url, **_PATIENCE),
        use_native_hstore=False,
        pool_size=_CONNECTIONS,
        pool_pre_ping=True,
        isolation_level=isolation,
    )

    @event.listens_for(engine, "connect")
    def _settings(connection: Any, _record: Any) -> None:
        before, connection.autocommit = connection.autocommit, True
        with connection.cursor() as cursor:
            cursor.execute("SET TIME ZONE 'UTC'")
            cursor.execute(f"SET lock_timeout = {int(WAIT_SECONDS * 1000)}")
            cursor.execute("SELECT current_setting('synchronous_commit')")
            if cursor.fetchone() == ("off",):
                cursor.execute("SET synchronous_commit = on")
        connection.autocommit = before

    return engine


@lru_cache(maxsize=512)
def _prepared(statement: str) -> TextClause:
    return text(statement)


def _storable(values: Mapping[str, Any]) -> bool:
    """Whether a server can hold these values at all; what it cannot hold, it does not find either."""
    return not any(
        isinstance(value, str) and ("\0" in value or any("\ud800" <= char <= "\udfff" for char in value))
        for value in values.values()
        if not (isinstance(value, str) and value.isascii() and "\0" not in value)
    )


class _Asking:
    """What reading and writing have in common.

    Attributes:
        path: where the database is, for messages.
    """

    path: str

    def as_bytes(self, column: str) -> str:
        """Return the expression that gives a column of text as its bytes."""
        return f"convert_to({column}, 'UTF8')"

    def one(self, statement: str, **values: Any) -> Record | None:
        """Return the first row of a query, or None."""
        rows = self.all(statement, **values)
        return rows[0] if rows else None

    def all(self, statement: str, **values: Any) -> list[Record]:
        """Return every row of a query."""
        raise NotImplementedError

    def has_table(self, name: str) -> bool:
        """Whether there is such a table."""
        found = self.one("SELECT to_regclass(:name) IS NOT NULL", name=name)
        return found is not None and bool(found[0])


class ServerReader(_Asking):
    """Reads statement by statement, each on any free connection; from any thread.

    Args:
        engine: the pool.
        path: where it is, for messages.
    """

    def __init__(self, engine: Engine, path: str) -> None:
        self.path = path
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._tables: set[str] = set()

    def all(self, statement: str, **values: Any) -> list[Record]:
        """Return every row of a query."""
        if not _storable(values):
            return []
        with speaking(self.path, Unreadable, "read"), self._engine.connect() as connection:
            return list(connection.execute(_prepared(statement), values))

    def has_table(self, name: str) -> bool:
        """Whether there is such a table; one that was there stays."""
        if name not in self._tables and super().has_table(name):
            self._tables.add(name)
        return name in self._tables

    def close(self) -> None:
        """Nothing is held between statements."""


class ServerSession(_Asking):
    """One connection for writing transactions.

    Args:
        connection: the connection; it stays the caller's.
        path: where it is, for messages.
    """

    for_update = " FOR UPDATE"

    def __init__(self, connection: Connection, path: str) -> None:
        self.path = path
        self._connection = connection

    def begin(self, wait: float) -> None:
        """Begin a transaction; how long it waits is said to the server where it differs from what it knows."""
        with speaking(self.path, WriteFailed, "write to"):
            self._connection.begin()
            if wait != WAIT_SECONDS:
                self._connection.execute(
                    _prepared("SELECT set_config('lock_timeout', :wait, true)"), {"wait": str(int(wait * 1000))}
                )

    def commit(self) -> None:
        """Store what the transaction did."""
        with at_commit():
            hit("committing")
            self._connection.commit()
            hit("committed")

    def rollback(self) -> None:
        """Forget what the transaction did; a connection that cannot is given up."""
        try:
            self._connection.rollback()
        except (DBAPIError, OSError):
            self._connection.invalidate()

    def settle(self) -> None:
        """Nothing to do: what a server answers, it has kept."""

    def all(self, statement: str, **values: Any) -> list[Record]:
        """Return every row of a query."""
        if not _storable(values):
            return []
        with speaking(self.path, Unreadable, "read"):
            return list(self._connection.execute(_prepared(statement), values))

    def run(self, statement: str, **values: Any) -> int:
        """Run one statement; return how many rows it touched."""
        with speaking(self.path, WriteFailed, "write to"):
            return self._connection.execute(_prepared(statement), values).rowcount

    def run_many(self, statement: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Run one statement for every set of values."""
        values = [dict(row) for row in rows]
        if values:
            with speaking(self.path, WriteFailed, "write to"):
                self._connection.execute(_prepared(statement), values)

    def close(self) -> None:
        """The connection is the caller's."""


class ServerDatabase:
    """One database of a server.

    Args:
        address: which one.
        isolation: of writing transactions.
    """

    dialect: Dialect = "postgresql"

    def __init__(self, address: Address, isolation: str = ISOLATION) -> None:
        self.address = address
        self.engine = connect(address, isolation)
        self._reader = ServerReader(self.engine, address.label)

    def reader(self) -> ServerReader:
        """Return what reads it."""
        return self._reader

    @contextlib.contextmanager
    def session(self) -> Iterator[ServerSession]:
        """Give a connection of the pool to this thread."""
        with speaking(self.address.label, WriteFailed, "connect to"):
            connection = self.engine.connect()
        session = ServerSession(connection, self.address.label)
        try:
            yield session
        except BaseException as error:
            if lost(error):
                connection.invalidate()
            session.rollback()
            raise
        finally:
            connection.close()

    def who(self) -> str | None:
        """Return the role that the server let in."""
        found = self._reader.one("SELECT session_user")
        return None if found is None else str(found[0])

    def notes(self) -> tuple[str, ...]:
        """Return which settings of the server let a power cut take what was acknowledged."""
        return tuple(
            f"the server runs with {name} {setting}: a power cut may take what it acknowledged"
            for name, setting in self._reader.all(_SETTINGS)
            if setting == "off" and name != "synchronous_commit"  # that one is set for each connection of ours
        )

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
