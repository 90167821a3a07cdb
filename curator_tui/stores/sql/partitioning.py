"""Partitioning: the tables of a server cut into parts by whose rows they are, as an option of the upgrade.

Here: which tables, by what, and making one anew in parts with everything that stood beside it. Not here: the tables
themselves (``migrations``), versions (``upgrading``), rights and policies, which are granted anew (``granting``).

``agent_memory`` is cut by tenant and person. What is ours is cut by the name of the scope, which stands for tenant,
person and agent, and everything of one scope lies in the parts of one number. ``memory_scopes`` and the few rows that
say who may what stay whole: a name has to be the only one of its kind wherever it is looked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection

from curator_tui.core.errors import UsageError
from curator_tui.stores.failpoints import hit
from curator_tui.stores.sql.adopting import NAME
from curator_tui.stores.sql.schema import metadata

_PARTS = """
    SELECT count(i.inhrelid) FROM pg_class c LEFT JOIN pg_inherits i ON i.inhparent = c.oid
    WHERE c.oid = to_regclass('{}') AND c.relkind = 'p' GROUP BY c.oid
"""
_KEYS = """
    SELECT format('ALTER TABLE {0} ADD CONSTRAINT %%I %%s', conname, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE conrelid = '{0}'::regclass AND contype IN ('p', 'u')
"""
_INDEXES = """
    SELECT pg_get_indexdef(x.indexrelid) FROM pg_index x WHERE x.indrelid = '{0}'::regclass
    AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = x.indexrelid)
"""
_TRIGGERS = "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = '{0}'::regclass AND NOT tgisinternal"


def keys() -> dict[str, str]:
    """Return by what each table is cut; those that stay whole are not among them."""
    found = {NAME: "tenant_id, user_id"}
    for name, table in sorted(metadata.tables.items()):
        first = next(iter(table.primary_key.columns)).name
        if first == "scope" and name != "memory_scopes":
            found[name] = "scope"
    return found


def partition(connection: Connection, parts: int) -> None:
    """Cut every table into as many parts, with its rows; what is cut so already is left as it is.

    Args:
        connection: a server, in the transaction of the upgrade.
        parts: how many.

    Raises:
        UsageError: there are as many parts already as somebody else wanted; nothing was changed.
    """
    for name, by in keys().items():
        there = connection.exec_driver_sql(_PARTS.format(name)).scalar()
        if there is None:
            _cut(connection, name, by, parts)
            hit("partitioned")
        elif there != parts:
            raise UsageError(
                f"the table {name} has {there} parts already, and their number stays.",
                way_out="Leave out --partitions; or export, and import into a new database.",
            )


def _cut(connection: Connection, name: str, by: str, parts: int) -> None:
    later = [
        str(statement)
        for query in (_KEYS, _INDEXES, _TRIGGERS)
        for statement in connection.exec_driver_sql(query.format(name)).scalars()
    ]
    for statement in (*_made_anew(name, by, parts), *later):
        connection.exec_driver_sql(statement.replace("%", "%%"))


def _made_anew(name: str, by: str, parts: int) -> Iterator[str]:
    whole = f"{name}_whole"
    yield f"ALTER TABLE {name} RENAME TO {whole}"
    kept = "INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMMENTS"
    yield f"CREATE TABLE {name} (LIKE {whole} {kept}) PARTITION BY HASH ({by})"
    for part in range(parts):
        values = f"WITH (MODULUS {parts}, REMAINDER {part})"
        yield f"CREATE TABLE {name}_{part} PARTITION OF {name} FOR VALUES {values}"
    yield f"INSERT INTO {name} SELECT * FROM {whole}"
    yield f"DROP TABLE {whole}"
