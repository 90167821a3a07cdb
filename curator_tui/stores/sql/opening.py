"""Opening: from an address to a database whose tables are those of this version, without making anything.

Here: which engine, and what is refused. Not here: the engines, making tables (``upgrading``).
"""

from __future__ import annotations

from curator_tui.core.errors import NewerStore, NoStore, Unreadable
from curator_tui.core.text import visible
from curator_tui.stores.book.db import ReadDb
from curator_tui.stores.sql.addresses import Address
from curator_tui.stores.sql.database import Database
from curator_tui.stores.sql.sqlite import NoDb, SqliteDatabase
from curator_tui.stores.sql.versions import HEAD, UPGRADE, VERSION_TABLE


def database_at(address: Address) -> Database:
    """Return the database at an address; nothing is looked at yet."""
    if address.dialect == "sqlite":
        return SqliteDatabase(address)
    from curator_tui.stores.sql.server import ServerDatabase

    return ServerDatabase(address)


def open_database(address: Address) -> Database:
    """Return the database at an address, once its tables are known to be those of this version.

    An embedded one that is not there yet is as good as empty: the first change makes it.

    Raises:
        NewerStore: a newer version made its tables.
        NoStore: there is no such database, or it has no tables of ours, or older ones.
        Unreadable: it cannot be read, or by a login that no policy holds, which nobody asked for.
    """
    database = database_at(address)
    try:
        reader = database.reader()
        try:
            if not isinstance(reader, NoDb):
                require_tables(reader, address.label)
            _require_held(database)
        finally:
            reader.close()
    except BaseException:
        database.close()
        raise
    return database


def _require_held(database: Database) -> None:
    login, address = database.login(), database.address
    if login is not None and login.unheld and not address.unheld:
        raise Unreadable(
            f"{address.label} was not opened: the login {visible(login.name, newlines=False)} is a superuser or passes "
            "by row-level security, so nothing would keep the memory of one person from another.",
            way_out="Log in as a role that was granted one of: curator-tui db grants. Or say --allow-superuser.",
            code="unheld-login",
        )


def require_tables(reader: ReadDb, label: str) -> None:
    """Make sure that a database has the tables of this version.

    Raises:
        NewerStore: they are newer.
        NoStore: there are none, or older ones.
    """
    version = tables_version(reader)
    if version == HEAD:
        return
    if version > HEAD:
        raise newer(label, version)
    cause = (
        f"its tables have version {version}, and this program needs {HEAD}" if version else "it has no tables of ours"
    )
    raise NoStore(f"{label} cannot be opened: {cause}.", way_out=UPGRADE, code="needs-upgrade")


def tables_version(reader: ReadDb) -> str:
    """Return the version of the tables, empty for none."""
    if not reader.has_table(VERSION_TABLE):
        return ""
    found = reader.one(f"SELECT version_num FROM {VERSION_TABLE}")
    return "" if found is None else str(found[0])


def newer(label: str, version: str) -> NewerStore:
    """Return the refusal of a database that a newer version made."""
    return NewerStore(
        f"{label} has tables of version {version}, and this program understands {HEAD}.",
        way_out="Use the newer program; nothing was changed.",
    )
