"""Upgrading: bringing a database to the tables of this version, in one transaction, or leaving it as it is.

Here: versions, locking, the file of an embedded database. Not here: the steps (``migrations``). SQLAlchemy and Alembic
are loaded here and, for SQLite, nowhere else.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from msgspec import Struct
from sqlalchemy import Connection, create_engine, event, inspect
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from curator_tui.core.errors import UsageError, WriteFailed
from curator_tui.stores.book.sqlite_errors import speaking as speaking_file
from curator_tui.stores.failpoints import hit
from curator_tui.stores.file_errors import way_out
from curator_tui.stores.sql.addresses import Address
from curator_tui.stores.sql.adopting import NAME
from curator_tui.stores.sql.opening import newer
from curator_tui.stores.sql.partitioning import partition
from curator_tui.stores.sql.server import connect
from curator_tui.stores.sql.server_errors import speaking
from curator_tui.stores.sql.sqlite import DAMAGED, FileSession
from curator_tui.stores.sql.versions import HEAD, VERSION_TABLE

_SCRIPTS = Path(__file__).parent / "migrations"
# Two upgrades of one server take turns; the number means nothing else.
_LOCK = 0x637554424442
_WAIT = "30s"


class Upgraded(Struct, frozen=True):
    """What an upgrade did.

    Attributes:
        before: the version found, empty for none.
        after: the version now.
        adopted: how many rows of ``agent_memory`` were there before and are there now; None where there was none.
    """

    before: str
    after: str
    adopted: int | None = None


def upgrade(address: Address, partitions: int | None = None) -> Upgraded:
    """Make or upgrade the tables of a database; a file that is not there is made.

    Args:
        address: which one.
        partitions: into how many parts the tables of a server are cut; None to leave them as they are.

    Raises:
        UsageError: a file has no parts, or there are others already.
        NewerStore: a newer version made them; they are left as they are.
        StoreError: it cannot be done; nothing was changed.
    """
    if partitions is not None and address.dialect != "postgresql":
        raise UsageError("a file has no partitions.", way_out="Leave out --partitions, or name a server.")
    with connected(address) as connection:
        before = _version(connection, address.label)
        rows = _rows(connection) if before == "" else None
        command.upgrade(_config(connection), "head")
        if partitions is not None:
            partition(connection, partitions)
        hit("upgraded")
        after = _version(connection, address.label)
        return Upgraded(before, after, rows)


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def _version(connection: Connection, label: str) -> str:
    """Return the version of the tables, empty for none; one that is not known here is a newer one."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return ""
    found = connection.exec_driver_sql(f"SELECT version_num FROM {VERSION_TABLE}").scalars().all()
    version = str(found[0]) if found else ""
    if version > HEAD:
        raise newer(label, version)
    return version


def _rows(connection: Connection) -> int | None:
    if not inspect(connection).has_table(NAME):
        return None
    found: int = connection.exec_driver_sql(f"SELECT count(*) FROM {NAME}").scalar_one()
    return found


@contextlib.contextmanager
def connected(address: Address) -> Iterator[Connection]:
    """Connect, begin, and commit at the end; everything is undone on an error."""
    try:
        with _begun(address) as connection:
            yield connection
            hit("committing")
    except (SQLAlchemyError, OSError) as error:
        cause = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
        way = way_out(error) if isinstance(error, OSError) else ""
        raise WriteFailed(f"the tables of {address.label} were not changed: {cause}.", way_out=way) from error


@contextlib.contextmanager
def _begun(address: Address) -> Iterator[Connection]:
    if address.dialect == "postgresql":
        engine = connect(address, "READ COMMITTED")
        try:
            with speaking(address.label, WriteFailed, "upgrade"), engine.begin() as connection:
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{_WAIT}'")
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
                yield connection
        finally:
            engine.dispose()
        return
    _make_file(address)
    try:
        # it makes sure of the log and of its syncs, and refuses a file system that cannot have them
        FileSession(address.file).close()
        engine = _file_engine(address.file)
        with engine.begin() as connection:
            yield connection
    except DBAPIError as error:
        if not isinstance(error.orig, sqlite3.Error):
            raise
        with speaking_file(address.file, WriteFailed, "upgrade", DAMAGED):
            raise error.orig from error


def _make_file(address: Address) -> None:
    """Make an empty file for this person alone, with its folder, where there is none.

    It is never removed again: another program may have opened it by then. An empty file counts as none.
    """
    folder = os.path.dirname(address.file)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        os.close(os.open(address.file, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_NOFOLLOW, 0o600))
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except FileExistsError:
        if os.path.isdir(folder):
            return
        raise WriteFailed(f"{address.label} cannot be made: its folder is none.") from None
    except OSError as error:
        raise WriteFailed(f"{address.label} cannot be made: {error.strerror}.", way_out=way_out(error)) from error


def _file_engine(path: str) -> Any:
    """Return connections to a file whose transactions begin IMMEDIATE; the driver begins none of its own."""
    engine = create_engine(
        "sqlite://",
        poolclass=NullPool,
        creator=lambda: sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False),
    )

    @event.listens_for(engine, "connect")
    def _settings(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA synchronous = FULL")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine
