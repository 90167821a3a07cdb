"""The shape of a book: what is not as its version makes it is named, and what could mislead keeps it from writing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from curator_tui.core.errors import Unreadable
from curator_tui.stores.book.book import check_parts, part_problems
from curator_tui.stores.book.db import EmptyDb
from curator_tui.stores.book.schema import APPLICATION_ID, TABLES, VERSION, statements_of

LACKED = f"which version {VERSION} does not have"
MISLEADING = {
    "DROP INDEX memory_decisions_live": "it lacks the constraint memory_decisions_live",
    "DROP TABLE memory_pins": "it lacks the table memory_pins",
    "CREATE VIEW memory_more AS SELECT * FROM memory_texts": f"it has a view memory_more, {LACKED}",
    "CREATE TRIGGER t AFTER INSERT ON memory_ledger BEGIN DELETE FROM memory_pins; END": "it has a trigger t,",
    "ALTER TABLE memory_known ADD COLUMN more TEXT": "the table memory_known is not as this program makes it",
    "ALTER TABLE memory_known DROP COLUMN digest": "it lacks the column digest of the table memory_known",
    "PRAGMA user_version = 1": "it has a table memory_answers, which version 1 does not have",
}
HARMLESS = {
    "DROP INDEX memory_texts_change": "it lacks the index memory_texts_change",
    "CREATE TABLE memory_more (a)": f"it has a table memory_more, {LACKED}",
    "CREATE INDEX memory_more ON memory_ledger (hash)": "it has an index memory_more,",
    "INSERT INTO memory_known VALUES ('other', 'user', NULL, '')": "memory_known holds rows of another scope: 1",
}
Maker = Callable[[int], EmptyDb]


@pytest.fixture
def made() -> Iterator[Maker]:
    """Make books in memory and close them again."""
    found: list[EmptyDb] = []

    def make(version: int) -> EmptyDb:
        db = EmptyDb()
        found.append(db)
        for statement in statements_of(version):
            db.run(statement)
        db.run(f"PRAGMA application_id = {APPLICATION_ID}")
        db.run(f"PRAGMA user_version = {version}")
        return db

    yield make
    for db in found:
        db.close()


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_a_book_as_it_is_made_is_as_it_was_made(made: Maker, version: int) -> None:
    db = made(version)
    check_parts(db)
    assert part_problems(db) == []
    db.run("ANALYZE")
    assert part_problems(db) == [], "SQLite keeps tables of its own beside ours"


def test_the_newest_version_is_made_of_all_statements() -> None:
    assert statements_of() == TABLES


@pytest.mark.parametrize("statement", [*MISLEADING, *HARMLESS])
def test_what_is_not_as_it_was_made_is_named(made: Maker, statement: str) -> None:
    db = made(VERSION)
    db.run(statement)
    words = {**MISLEADING, **HARMLESS}[statement]
    if statement in HARMLESS:
        check_parts(db)
    else:
        with pytest.raises(Unreadable, match=words):
            check_parts(db)
    if words.startswith("it lacks") and statement in MISLEADING:
        with pytest.raises(Unreadable, match=words):
            part_problems(db)
    else:
        assert any(words in problem.message for problem in part_problems(db))


@pytest.mark.parametrize("name", ["sqlite_zz", "sqlite_autoindex_zz", "sqlite_stat1"])
@pytest.mark.parametrize(
    ("kind", "made_by"),
    [
        ("trigger", "CREATE TRIGGER t AFTER INSERT ON memory_ledger BEGIN DELETE FROM memory_pins; END"),
        ("view", "CREATE VIEW t AS SELECT * FROM memory_texts"),
    ],
)
def test_nothing_hides_under_a_name_of_sqlites_own(made: Maker, kind: str, made_by: str, name: str) -> None:
    db = made(VERSION)
    db.run(made_by)
    db.run("PRAGMA writable_schema = ON")
    db.run("UPDATE sqlite_master SET name = :name WHERE name = 't'", name=name)
    with pytest.raises(Unreadable, match=f"it has a {kind} {name}, which version {VERSION} does not have"):
        check_parts(db)


def test_what_a_later_version_makes_is_not_taken_for_a_harmless_part(made: Maker) -> None:
    db = made(1)
    db.run("CREATE TABLE memory_answers (a)")
    with pytest.raises(Unreadable, match="it has a table memory_answers, which version 1 does not have"):
        check_parts(db)
