"""Checking a database before it is relied on: does it take, give back and keep what is written.

Here: a probe that leaves nothing, and the settings that decide whether a power cut takes what was acknowledged. Not
here: whether ledger, documents and queue agree with each other (the store's own ``check``).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping

from msgspec import Struct

from curator_tui.core.errors import NoStore, StoreError
from curator_tui.core.operations import Problem
from curator_tui.core.verification import problems_of
from curator_tui.stores.book.db import Db, ReadDb
from curator_tui.stores.sql.addresses import Address
from curator_tui.stores.sql.bounds import Bound
from curator_tui.stores.sql.database import Again, Database
from curator_tui.stores.sql.namesakes import all_namesakes
from curator_tui.stores.sql.opening import database_at, require_tables, tables_version
from curator_tui.stores.sql.sqlite import NoDb, PlainSession
from curator_tui.stores.sql.versions import HEAD

_SERVER = ("fsync", "full_page_writes", "synchronous_commit")
_SETTINGS = "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit')"
# What a file keeps through a power cut: the log with FULL, and what a change of mode needs (``reliability`` D3).
_SAFE = frozenset({("wal", 2), ("delete", 3), ("truncate", 2), ("persist", 2)})
_SYNCHRONOUS = {0: "OFF", 1: "NORMAL", 2: "FULL", 3: "EXTRA"}
_WHOSE = "tenant_id = '' AND user_id = :user AND agent_id = '' AND memory_type = 'memory'"


class Checked(Struct, frozen=True):
    """What a check found.

    Attributes:
        version: of the tables, empty for none.
        settings: those that decide about a power cut, by name.
        problems: why the database should not be relied on; empty when all is well.
        notes: what is worth knowing and no reason not to rely on it, in words safe to print.
    """

    version: str
    settings: Mapping[str, str]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...] = ()


def check_database(address: Address, tenant: str = "") -> Checked:
    """Look at the tables and settings of a database, and try it out; nothing of that stays.

    Args:
        address: which one.
        tenant: whose people are looked at, for names that are read as one.

    Raises:
        StoreError: it cannot be opened at all.
    """
    database = database_at(address)
    try:
        reader = database.reader()
        try:
            if isinstance(reader, NoDb):
                raise NoStore(f"there is no database at {address.label}.", way_out="The first change makes it.")
            version = tables_version(reader)
            problems = problems_of(lambda: _tables(reader, address.label))
            settings = _settings(database, reader)
            problems += _unsafe(settings)
            if not problems or all(problem.code == "unsafe-setting" for problem in problems):
                problems += problems_of(lambda: _probe(database))
            if database.dialect == "postgresql" and version == HEAD:
                problems += problems_of(lambda: _holding(reader))
            notes = _notes(database, reader, tenant) if version == HEAD else ()
        finally:
            reader.close()
    finally:
        database.close()
    return Checked(version, settings, tuple(problems), notes)


def _holding(reader: ReadDb) -> Iterator[Problem]:
    from curator_tui.stores.sql.server_facts import holding_problems  # a file needs nothing of a server

    return holding_problems(reader)


def _notes(database: Database, reader: ReadDb, tenant: str) -> tuple[str, ...]:
    """Return who is easily taken for somebody else, and that nothing of a server keeps memories apart."""
    bound = database.reader(Bound(tenant))
    try:
        if database.dialect == "postgresql":
            from curator_tui.stores.sql.server_facts import holding_notes

            return (*holding_notes(reader), *all_namesakes(bound, tenant))
        return all_namesakes(bound, tenant)
    except StoreError as error:
        return (f"who is easily taken for somebody else is not known: {error.message}",)
    finally:
        bound.close()


def _tables(reader: ReadDb, label: str) -> list[Problem]:
    require_tables(reader, label)
    return []


def _settings(database: Database, reader: ReadDb) -> dict[str, str]:
    if database.dialect == "postgresql":
        return {str(name): str(setting) for name, setting in reader.all(_SETTINGS)}
    session = PlainSession(database.address.file)
    try:
        return session.settings()
    finally:
        session.close()


def _unsafe(settings: Mapping[str, str]) -> list[Problem]:
    if "journal_mode" in settings:
        levels = {words: level for level, words in _SYNCHRONOUS.items()}
        mode, level = settings["journal_mode"], levels.get(settings["synchronous"], 0)
        if (mode, level) in _SAFE:
            return []
        words = f"journal mode {mode} with synchronous {settings['synchronous']}"
        return [Problem("unsafe-setting", f"{words}: a power cut may take what was acknowledged")]
    return [
        Problem(
            "unsafe-setting", f"{name} is {settings.get(name, 'unknown')}: a power cut may take what was acknowledged"
        )
        for name in _SERVER
        if settings.get(name, "off") == "off"
    ]


def _probe(database: Database) -> list[Problem]:
    """Insert, read, change, read and take back one row; then see that it is gone."""
    user, wrong = f"probe {secrets.token_hex(16)}", []
    bound = Bound("", user, "")
    try:
        if database.dialect == "sqlite":
            session = PlainSession(database.address.file)
            try:
                wrong = _tried(session, user)
            finally:
                session.close()
        else:
            with database.session(bound) as served:
                served.begin(1.0)
                try:
                    wrong = _written(served, user)
                finally:
                    served.rollback()
    except Again:
        wrong = ["another transaction was in the way"]
    reader = database.reader(bound)
    try:
        if reader.one(f"SELECT 1 FROM agent_memory WHERE {_WHOSE}", user=user) is not None:
            wrong.append("a row that was rolled back is still there")
    finally:
        reader.close()
    return [Problem("probe-failed", f"the database cannot be relied on: {words}") for words in wrong]


def _tried(session: PlainSession, user: str) -> list[str]:
    session.begin(1.0)
    try:
        return _written(session, user)
    finally:
        session.rollback()


def _written(db: Db, user: str) -> list[str]:
    content, again = "probe ä 漢 😀", "probe again"
    db.run(
        "INSERT INTO agent_memory (user_id, memory_type, content) VALUES (:user, 'memory', :content)",
        user=user,
        content=content,
    )
    read = f"SELECT content, revision FROM agent_memory WHERE {_WHOSE}"
    wrong = [] if (found := db.one(read, user=user)) and found[0] == content else ["what was inserted is not read back"]
    changed = db.run(f"UPDATE agent_memory SET content = :content WHERE {_WHOSE}", user=user, content=again)
    if changed != 1 or (found := db.one(read, user=user)) is None or found[0] != again:
        wrong.append("what was changed is not read back")
    return wrong
