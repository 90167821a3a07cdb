"""The shape of a book: whether its tables, constraints and indexes are those that its version makes, and no others.

Here: holding what SQLite says of the file against the statements of ``schema``. Not here: what the tables hold, what a
book that is not as it was made may still be used for (``book``).

A trigger changes what is written, a view shows what nobody recorded, and a table without its keys takes what cannot
exist twice: with any of these nothing is written. What else is there beside our tables does no harm, and is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from curator_tui.core.operations import Problem
from curator_tui.core.text import visible
from curator_tui.stores.book.db import ReadDb
from curator_tui.stores.book.schema import constraints, statements_of, tables_of

_MADE = re.compile(r"CREATE (?:UNIQUE )?(TABLE|INDEX) (\w+)")
# What SQLite makes itself, for a key or by ANALYZE. A name like these keeps nothing else hidden: who writes into the
# table of all parts may give it to anything.
_MASTER = """
    SELECT type, name, sql FROM sqlite_master WHERE NOT (
        (type = 'index' AND sql IS NULL AND name LIKE 'sqlite\\_autoindex\\_%' ESCAPE '\\')
        OR (type = 'table' AND name GLOB 'sqlite_stat[1-4]'))
    ORDER BY type, name
"""


class Strange(Struct, frozen=True):
    """What is not as a book of that version is made.

    Attributes:
        words: what, as the end of a sentence about the book; safe to print.
        misleads: whether it could change what is written, or show what was not; nothing is written then.
        lacks: whether it is something that is not there, from which is read.
    """

    words: str
    misleads: bool
    lacks: bool = False


def strange_parts(db: ReadDb, version: int) -> Iterator[Strange]:
    """Yield everything that is not as a book of a version is made."""
    made = {match[2]: (match[1].lower(), _plain(one)) for one in statements_of(version) if (match := _made(one))}
    there = {str(name): (str(kind), _plain(sql)) for kind, name, sql in db.all(_MASTER)}
    columns = tables_of(version)
    for name, (kind, sql) in made.items():
        if name not in there:
            needed = kind == "table" or name in constraints()
            what = "constraint" if kind == "index" and needed else kind
            yield Strange(f"it lacks the {what} {name}", misleads=needed, lacks=needed)
        elif there[name] != (kind, sql):
            lacking = sorted(columns[name] - _columns(db, name)) if there[name][0] == kind == "table" else []
            for one in lacking:
                yield Strange(f"it lacks the column {one} of the table {name}", misleads=True, lacks=True)
            if not lacking:
                yield Strange(f"the {kind} {name} is not as this program makes it", misleads=True)
    later = {match[2] for one in statements_of() if (match := _made(one))}
    for name, (kind, _) in there.items():
        if name not in made:
            misleads = kind in {"trigger", "view"} or name in later
            article, whose = "an" if kind == "index" else "a", f"which version {version} does not have"
            yield Strange(f"it has {article} {kind} {visible(name, newlines=False)}, {whose}", misleads=misleads)


def shape_problems(db: ReadDb, version: int) -> Iterator[Problem]:
    """Name everything that is not as a book of a version is made, and whether that keeps us from writing."""
    path = visible(db.path)
    for one in strange_parts(db, version):
        harm = "nothing is written into it" if one.misleads else "that does no harm"
        yield Problem("book-shape", f"{path} is not as it was made: {one.words}; {harm}")


def foreign_rows(db: ReadDb, version: int, scope: str) -> Iterator[Problem]:
    """Name the tables that hold rows of another scope, which nobody reads here."""
    for table in tables_of(version):
        found = db.one(f"SELECT COUNT(*) FROM {table} WHERE scope IS NOT :scope", scope=scope)  # noqa: S608 - a name of ours
        if found is not None and found[0]:
            yield Problem(
                "rows-foreign", f"the table {table} holds rows of another scope: {found[0]}; nobody reads them"
            )


def _made(statement: str) -> re.Match[str] | None:
    return _MADE.match(_plain(statement))


def _plain(sql: object) -> str:
    return " ".join(str(sql).split())


def _columns(db: ReadDb, table: str) -> frozenset[str]:
    return frozenset(row[0] for row in db.all("SELECT name FROM pragma_table_info(:name)", name=table))
