"""Schema: the tables of the book, how a file is marked as ours, and upgrades.

Here: the statements that make and upgrade the tables. Not here: connections (``db``), what is read and written.

The statements keep to what SQLite and PostgreSQL share. Only constraints that say what cannot exist twice are here: an
operation, a sequence number, a live decision of one record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

# "cuTB" as a number: tells `file` and us that a SQLite file is a book of this product.
APPLICATION_ID = 0x63755442
VERSION = 3

# Version 2: what is recorded beside documents and queue. None of it is ever altered; it counts while its change does.
ASIDE_TABLES: tuple[str, ...] = (
    # until is empty for "until reopened"; back is 1 for what brings an item back
    """
    CREATE TABLE memory_deferrals (
        scope TEXT NOT NULL, change_id TEXT NOT NULL, place INTEGER NOT NULL,
        proposal TEXT NOT NULL, digest TEXT NOT NULL, until TEXT NOT NULL, back INTEGER NOT NULL,
        PRIMARY KEY (scope, change_id, place))
    """,
    """
    CREATE TABLE memory_challenges (
        scope TEXT NOT NULL, question TEXT NOT NULL, change_id TEXT NOT NULL, target TEXT NOT NULL,
        entry_text TEXT NOT NULL, reason TEXT NOT NULL, note_text TEXT NOT NULL,
        PRIMARY KEY (scope, question))
    """,
    """
    CREATE TABLE memory_answers (
        scope TEXT NOT NULL, change_id TEXT NOT NULL, question TEXT NOT NULL, verb TEXT NOT NULL,
        PRIMARY KEY (scope, change_id))
    """,
)

# Version 3: what is left of what was forgotten, and the keys that recognise it.
FORGOTTEN_TABLES: tuple[str, ...] = (
    """
    CREATE TABLE memory_tombstones (
        scope TEXT NOT NULL, id TEXT NOT NULL, change_id TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,
        actor_kind TEXT NOT NULL, actor_name TEXT NOT NULL, actor_through TEXT NOT NULL,
        target TEXT NOT NULL, reason TEXT NOT NULL, key_id TEXT, fingerprint BLOB,
        PRIMARY KEY (scope, id))
    """,
    """
    CREATE TABLE memory_scope_keys (
        scope TEXT NOT NULL, key_id TEXT NOT NULL, secret BLOB NOT NULL, PRIMARY KEY (scope, key_id))
    """,
)

TABLES: tuple[str, ...] = (
    """
    CREATE TABLE memory_meta (
        scope TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (scope, name))
    """,
    # body and salt are the only places in the book where words, or what proves them, may stand
    """
    CREATE TABLE memory_texts (
        scope TEXT NOT NULL, id TEXT NOT NULL, change_id TEXT NOT NULL, kind TEXT NOT NULL,
        body BLOB NOT NULL, salt BLOB,
        PRIMARY KEY (scope, id))
    """,
    "CREATE INDEX memory_texts_change ON memory_texts (scope, change_id)",
    """
    CREATE TABLE memory_ledger (
        scope TEXT NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, body TEXT NOT NULL,
        PRIMARY KEY (scope, seq))
    """,
    """
    CREATE TABLE memory_changes (
        scope TEXT NOT NULL, id TEXT NOT NULL, seq INTEGER NOT NULL, at DOUBLE PRECISION NOT NULL,
        actor_kind TEXT NOT NULL, actor_name TEXT NOT NULL, actor_through TEXT NOT NULL,
        kind TEXT NOT NULL, effect INTEGER NOT NULL, reverts TEXT, undone_by TEXT, backup TEXT,
        PRIMARY KEY (scope, id), UNIQUE (scope, seq))
    """,
    """
    CREATE TABLE memory_change_documents (
        scope TEXT NOT NULL, change_id TEXT NOT NULL, target TEXT NOT NULL, before_text TEXT, after_text TEXT,
        PRIMARY KEY (scope, change_id, target))
    """,
    "CREATE INDEX memory_change_documents_before ON memory_change_documents (scope, before_text)",
    "CREATE INDEX memory_change_documents_after ON memory_change_documents (scope, after_text)",
    # what a change took back itself; undone_by above follows from all of these in order
    """
    CREATE TABLE memory_takebacks (
        scope TEXT NOT NULL, change_id TEXT NOT NULL, undone TEXT NOT NULL,
        PRIMARY KEY (scope, change_id, undone))
    """,
    # ended_by names the change that returned the item to the queue; a live decision has none
    """
    CREATE TABLE memory_decisions (
        scope TEXT NOT NULL, change_id TEXT NOT NULL, place INTEGER NOT NULL,
        proposal TEXT NOT NULL, digest TEXT NOT NULL, verb TEXT NOT NULL, targets TEXT NOT NULL,
        raw_text TEXT, ended_by TEXT,
        PRIMARY KEY (scope, change_id, place))
    """,
    """
    CREATE UNIQUE INDEX memory_decisions_live ON memory_decisions (scope, proposal, digest)
        WHERE ended_by IS NULL
    """,
    "CREATE INDEX memory_decisions_ended ON memory_decisions (scope, ended_by)",
    """
    CREATE TABLE memory_known (
        scope TEXT NOT NULL, target TEXT NOT NULL, text_id TEXT, digest TEXT NOT NULL,
        PRIMARY KEY (scope, target))
    """,
    """
    CREATE TABLE memory_pins (
        scope TEXT NOT NULL, proposal TEXT NOT NULL, digest TEXT NOT NULL, operation INTEGER NOT NULL,
        text_id TEXT NOT NULL,
        PRIMARY KEY (scope, proposal, digest, operation))
    """,
    """
    CREATE TABLE memory_operations (
        scope TEXT NOT NULL, operation TEXT NOT NULL, receipt_text TEXT NOT NULL,
        PRIMARY KEY (scope, operation))
    """,
    # one open intent at most: there is one writer, and it recovers before it begins
    "CREATE TABLE memory_intents (scope TEXT NOT NULL PRIMARY KEY, change_id TEXT NOT NULL, body TEXT NOT NULL)",
    *ASIDE_TABLES,
    *FORGOTTEN_TABLES,
)

# Statements that lead from one version to the next; applied together in one transaction.
UPGRADES: Mapping[int, tuple[str, ...]] = {1: ASIDE_TABLES, 2: FORGOTTEN_TABLES}

_TABLE = re.compile(r"\s*CREATE TABLE (\w+) \((.*)\)\s*", re.DOTALL)
_UNIQUE = re.compile(r"\s*CREATE UNIQUE INDEX (\w+) ON ")


def statements_of(version: int = VERSION) -> tuple[str, ...]:
    """Return the statements that make everything a book of a version has."""
    later = {statement for step, added in UPGRADES.items() if step >= version for statement in added}
    return tuple(statement for statement in TABLES if statement not in later)


def tables_of(version: int) -> dict[str, frozenset[str]]:
    """Return the names of all columns of every table that a book of a version has."""
    found = map(_TABLE.fullmatch, statements_of(version))
    return {match[1]: frozenset(_columns(match[2])) for match in found if match is not None}


def constraints() -> frozenset[str]:
    """Return the names of the indexes that say what cannot exist twice; without the others a book is only slower."""
    return frozenset(match[1] for statement in TABLES if (match := _UNIQUE.match(statement)) is not None)


def _columns(body: str) -> Iterator[str]:
    """Return the names of the columns; constraints that name several hold a comma inside brackets and none outside."""
    for part in re.sub(r"\([^()]*\)", "", body).split(","):
        name = part.split()[0]
        if name not in {"PRIMARY", "UNIQUE"}:
            yield name
