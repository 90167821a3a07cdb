"""Adopting: a table ``agent_memory`` that a service made before us gets our columns and our key and keeps every row.

Here: the table as it was found, for both engines. Not here: our own tables (``migrations``). What cannot be taken over
without a loss is refused before anything is changed, and told in numbers, never in words of a row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, inspect

from curator_tui.core.errors import Unreadable
from curator_tui.core.text import visible

NAME = "agent_memory"
_KEY = ("tenant_id", "user_id", "agent_id", "memory_type")
_NEEDED = ("user_id", "memory_type", "content")
# What our columns hold in rows that knew nothing of them.
_MISSING = {
    "tenant_id": "''", "agent_id": "''", "schema_version": "1", "revision": "1", "created_at": "CURRENT_TIMESTAMP",
    "updated_at": "CURRENT_TIMESTAMP",
}  # fmt: skip
_TYPES = {
    "tenant_id": "{name}", "agent_id": "{name}", "schema_version": "SMALLINT", "revision": "{count}",
    "created_at": "TIMESTAMP", "updated_at": "TIMESTAMP",
}  # fmt: skip
_WAY_OUT = "Nothing was changed. Mend the table, then run it again."
# What is wrong with rows that the new table could not hold.
_FAULTS = {
    "have no content": "content IS NULL",
    "have no user_id": "user_id IS NULL",
    "have a memory_type that is neither user nor memory": "memory_type IS NULL OR memory_type NOT IN ('user','memory')",
}


def adopt_agent_memory(connection: Connection, wanted: str, kinds: Mapping[str, str]) -> None:
    """Make the table, or make the one that is there ours, inside the transaction of the connection.

    Args:
        connection: the database.
        wanted: the statement that makes the table.
        kinds: names of column types on this engine.

    Raises:
        Unreadable: it cannot be taken over without a loss.
    """
    if not inspect(connection).has_table(NAME):
        connection.exec_driver_sql(wanted)
        return
    found = {column["name"]: column for column in inspect(connection).get_columns(NAME)}
    _check(connection, found)
    before = _count(connection)
    if connection.dialect.name == "sqlite":
        _made_anew(connection, wanted, found)
    else:
        _altered(connection, found, kinds)
    if _count(connection) != before:
        raise Unreadable(f"{NAME} would have lost rows.", way_out=_WAY_OUT)


def _count(connection: Connection, where: str = "1 = 1") -> int:
    found: int = connection.exec_driver_sql(f"SELECT count(*) FROM {NAME} WHERE {where}").scalar_one()
    return found


def _check(connection: Connection, found: Mapping[str, Any]) -> None:
    lacking = [name for name in _NEEDED if name not in found]
    if lacking:
        raise Unreadable(
            f"there is a table {NAME} of another make: it has no column {', '.join(lacking)}.", way_out=_WAY_OUT
        )
    for words, where in _FAULTS.items():
        if (count := _count(connection, where)) > 0:
            raise Unreadable(f"{NAME} cannot be taken over: {count} of its rows {words}.", way_out=_WAY_OUT)
    key = ", ".join(name for name in _KEY if name in found)
    twice: int = connection.exec_driver_sql(
        f"SELECT count(*) FROM (SELECT 1 FROM {NAME} GROUP BY {key} HAVING count(*) > 1) doubled"
    ).scalar_one()
    if twice:
        raise Unreadable(f"{NAME} cannot be taken over: {twice} documents have more than one row.", way_out=_WAY_OUT)
    for name in inspect(connection).get_table_names():
        if any(link["referred_table"] == NAME for link in inspect(connection).get_foreign_keys(name)):
            raise Unreadable(
                f"{NAME} cannot be taken over: the table {visible(name)} refers to its key.", way_out=_WAY_OUT
            )


def _made_anew(connection: Connection, wanted: str, found: Mapping[str, Any]) -> None:
    """Make the table anew: SQLite cannot change a key. What stood beside it is made anew too."""
    beside = connection.exec_driver_sql(
        f"SELECT sql FROM sqlite_master WHERE tbl_name = '{NAME}' AND type IN ('index', 'trigger') AND sql IS NOT NULL"
    ).scalars()
    statements = list(beside)
    columns = connection.exec_driver_sql(f"PRAGMA table_info({NAME})").all()
    ours = {*_KEY, *_NEEDED, *_MISSING}
    theirs = "".join(_definition(column) for column in columns if column[1] not in ours)
    # views that name the table must not be touched, nor keep it from being renamed
    connection.exec_driver_sql("PRAGMA legacy_alter_table = ON")
    connection.exec_driver_sql(f"ALTER TABLE {NAME} RENAME TO {NAME}_before")
    connection.exec_driver_sql(wanted.replace("PRIMARY KEY (tenant_id", f"{theirs} PRIMARY KEY (tenant_id"))
    names = ", ".join(map(_quoted, found))
    values = ", ".join(
        f"COALESCE({_quoted(name)}, {_MISSING[name]})" if name in _MISSING else _quoted(name) for name in found
    )
    connection.exec_driver_sql(f"INSERT INTO {NAME} ({names}) SELECT {values} FROM {NAME}_before")
    connection.exec_driver_sql(f"DROP TABLE {NAME}_before")
    connection.exec_driver_sql("PRAGMA legacy_alter_table = OFF")
    for statement in statements:
        connection.exec_driver_sql(statement)


def _definition(column: Any) -> str:
    """Return a column of theirs as it was defined, from what SQLite says of it."""
    _, name, kind, required, default, _ = column
    more = f" DEFAULT {default}" if default is not None else ""
    return f"{_quoted(name)} {kind}{more}{' NOT NULL' if required else ''},"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _altered(connection: Connection, found: Mapping[str, Any], kinds: Mapping[str, str]) -> None:
    """Change the table in place: everything that hangs on it stays where it is."""
    for name, value in _MISSING.items():
        if name not in found:
            kind = _TYPES[name].format(**kinds)
            connection.exec_driver_sql(f"ALTER TABLE {NAME} ADD COLUMN {name} {kind} DEFAULT {value} NOT NULL")
            continue
        connection.exec_driver_sql(f"UPDATE {NAME} SET {name} = {value} WHERE {name} IS NULL")
        connection.exec_driver_sql(f"ALTER TABLE {NAME} ALTER COLUMN {name} SET DEFAULT {value}")
    for name in (*_MISSING, *_NEEDED):
        connection.exec_driver_sql(f"ALTER TABLE {NAME} ALTER COLUMN {name} SET NOT NULL")
    key = inspect(connection).get_pk_constraint(NAME)
    if tuple(key["constrained_columns"]) != _KEY:
        if key["name"]:
            connection.exec_driver_sql(f"ALTER TABLE {NAME} DROP CONSTRAINT {_quoted(str(key['name']))}")
        connection.exec_driver_sql(f"ALTER TABLE {NAME} ADD PRIMARY KEY ({', '.join(_KEY)})")
    checks = " ".join(check["sqltext"] for check in inspect(connection).get_check_constraints(NAME))
    if not re.search(r"memory_type", checks):
        connection.exec_driver_sql(
            f"ALTER TABLE {NAME} ADD CONSTRAINT {NAME}_type CHECK (memory_type IN ('user', 'memory'))"
        )
