"""Making and upgrading the tables: everything or nothing, never past a newer version, and no row of others lost."""

from __future__ import annotations

import multiprocessing
import re
import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from curator_tui.core.errors import NewerStore, StoreError, Unreadable, WriteFailed
from curator_tui.stores.sql.schema import TRIGGERS, metadata
from curator_tui.stores.sql.upgrading import _SCRIPTS, upgrade
from curator_tui.stores.sql.versions import HEAD, VERSION_TABLE
from tests.databases import Place
from tests.stores.failures import armed, killed_at

TWO_KEYS = """
    CREATE TABLE agent_memory (
        user_id VARCHAR(128) NOT NULL, memory_type VARCHAR(16) NOT NULL, content TEXT NOT NULL,
        mood TEXT DEFAULT 'calm', seen INTEGER NOT NULL DEFAULT 7, created_at TIMESTAMP,
        PRIMARY KEY (user_id, memory_type))
"""
OLD_ROWS = (
    "INSERT INTO agent_memory VALUES ('ada', 'memory', 'one', 'glad', 7, '2020-01-02 03:04:05')",
    "INSERT INTO agent_memory (user_id, memory_type, content) VALUES ('ada', 'user', 'who')",
    "INSERT INTO agent_memory (user_id, memory_type, content) VALUES ('Ada ', 'memory', '')",
)


def _squeezed(statement: str) -> str:
    return re.sub(r"\s+", " ", statement).strip()


def test_the_steps_lead_to_the_tables_that_are_described(place: Place, engine: str) -> None:
    url = (
        f"sqlite:///{place.address.file}"
        if engine == "sqlite"
        else place.url.replace("postgresql", "postgresql+psycopg")
    )
    made = create_engine(url)
    with made.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "compare_type": True})
        assert compare_metadata(context, metadata) == []
    made.dispose()


def test_what_stands_beside_the_tables_is_what_is_described(place: Place, engine: str) -> None:
    if engine == "sqlite":
        found = {
            name: _squeezed(sql)
            for name, sql in place.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        }
        assert found == {name: _squeezed(sql) for name, sql in TRIGGERS["sqlite"].items()}
        return
    names = {name for (name,) in place.rows("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal")}
    names |= {name for (name,) in place.rows("SELECT proname FROM pg_proc WHERE left(proname, 7) = 'memory_'")}
    of_roles = {"memory_refuse", "memory_allowed", "memory_scope", "memory_propose", "memory_proposals_said"}
    assert names - of_roles == set(TRIGGERS["postgresql"])
    ((body,),) = place.rows("SELECT prosrc FROM pg_proc WHERE proname = 'memory_count_waiting'")
    assert _squeezed(body) in _squeezed(TRIGGERS["postgresql"]["memory_count_waiting"])


def test_words_are_ordered_by_code_points_on_a_server(place: Place, engine: str) -> None:
    if engine == "sqlite":
        pytest.skip("SQLite compares bytes")
    query = """
        SELECT table_name, column_name FROM information_schema.columns WHERE left(table_name, 7) = 'memory_'
        AND table_name <> ? AND data_type IN ('text', 'character varying') AND collation_name IS DISTINCT FROM 'C'
    """
    assert place.rows(query, VERSION_TABLE) == []


def test_the_version_that_is_known_without_alembic_is_its_newest() -> None:
    assert ScriptDirectory(str(_SCRIPTS)).get_heads() == [HEAD]


def test_an_upgrade_says_what_it_did_and_a_second_one_does_nothing(bare: Place) -> None:
    first = upgrade(bare.address)
    assert (first.before, first.after, first.adopted) == ("", HEAD, None)
    before = bare.contents()
    second = upgrade(bare.address)
    assert (second.before, second.after) == (HEAD, HEAD)
    assert bare.contents() == before


def test_a_file_is_made_for_this_person_alone(tmp_path: Path) -> None:
    place = Place(f"sqlite:///{tmp_path}/deep/er/memory.db")
    upgrade(place.address)
    file = Path(place.address.file)
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [other.name for other in file.parent.iterdir()] == ["memory.db"]


def test_the_version_table_of_a_service_is_left_alone(bare: Place) -> None:
    bare.execute(
        "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)",
        "INSERT INTO alembic_version VALUES ('theirs')",
    )
    upgrade(bare.address)
    assert bare.rows("SELECT version_num FROM alembic_version") == [("theirs",)]
    assert bare.rows(f"SELECT version_num FROM {VERSION_TABLE}") == [(HEAD,)]


def test_newer_tables_are_refused_untouched(place: Place) -> None:
    place.execute(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    before = place.contents()
    with pytest.raises(NewerStore, match="9999"):
        upgrade(place.address)
    assert place.contents() == before


@pytest.mark.parametrize("point", ["upgraded", "committing"])
def test_an_upgrade_that_is_killed_has_done_nothing_and_can_be_repeated(bare: Place, point: str) -> None:
    bare.execute(TWO_KEYS, *OLD_ROWS)
    before = bare.contents()
    assert killed_at(f"{point}=kill", lambda _: upgrade(bare.address), Path())
    assert bare.contents() == before
    assert upgrade(bare.address).adopted == 3


@pytest.mark.parametrize("point", ["upgraded", "committing"])
def test_an_upgrade_that_fails_has_done_nothing(bare: Place, point: str) -> None:
    with armed(f"{point}=enospc"), pytest.raises(WriteFailed, match="were not changed"):
        upgrade(bare.address)
    assert bare.tables() == set()


def _upgrading(place: Place, barrier: object, answers: object) -> None:
    barrier.wait()  # type: ignore[attr-defined]
    answers.put(upgrade(place.address).before)  # type: ignore[attr-defined]


def test_upgrades_of_the_same_database_take_turns(bare: Place) -> None:
    context = multiprocessing.get_context("fork")
    barrier, answers = context.Barrier(3), context.Queue()
    workers = [context.Process(target=_upgrading, args=(bare, barrier, answers)) for _ in range(3)]
    for worker in workers:
        worker.start()
    found = sorted(answers.get(timeout=60) for _ in workers)
    for worker in workers:
        worker.join()
    assert found == ["", HEAD, HEAD]


# -- a table that was there before -----------------------------------------------------------------------------------


def test_a_table_with_two_keys_is_taken_over_with_every_row_and_column(bare: Place) -> None:
    bare.execute(TWO_KEYS, *OLD_ROWS)
    assert upgrade(bare.address).adopted == 3
    query = """
        SELECT tenant_id, user_id, agent_id, memory_type, content, schema_version, revision, mood, seen
        FROM agent_memory ORDER BY content
    """
    assert bare.rows(query) == [
        ("", "Ada ", "", "memory", "", 1, 1, "calm", 7),
        ("", "ada", "", "memory", "one", 1, 1, "glad", 7),
        ("", "ada", "", "user", "who", 1, 1, "calm", 7),
    ]
    ((created, empty),) = bare.rows(
        "SELECT (SELECT created_at FROM agent_memory WHERE content = 'one'), "
        "(SELECT count(*) FROM agent_memory WHERE created_at IS NULL)"
    )
    assert (str(created), empty) == ("2020-01-02 03:04:05", 0)
    same = "INSERT INTO agent_memory (user_id, memory_type, content, agent_id) VALUES ('ada', 'memory', 'x', ?)"
    bare.execute(same.replace("?", "'helper'"))
    with pytest.raises(Exception, match=r"(?i)unique|doppelt"):
        bare.execute(same.replace("?", "'helper'"))
    with pytest.raises(Exception, match=r"(?i)check"):
        bare.execute("INSERT INTO agent_memory (user_id, memory_type, content) VALUES ('ada', 'other', 'x')")


def test_what_hangs_on_the_table_stays(bare: Place, engine: str) -> None:
    beside = ["CREATE INDEX theirs ON agent_memory (mood)", "CREATE VIEW moods AS SELECT mood FROM agent_memory"]
    if engine == "sqlite":
        beside += [
            "CREATE TABLE log (what TEXT)",
            "CREATE TRIGGER watch AFTER UPDATE ON agent_memory BEGIN INSERT INTO log VALUES (NEW.mood); END",
        ]
    bare.execute(TWO_KEYS, *OLD_ROWS, *beside)
    upgrade(bare.address)
    assert len(bare.rows("SELECT mood FROM moods")) == 3
    if engine == "sqlite":
        bare.execute("UPDATE agent_memory SET mood = 'new' WHERE content = 'one'")
        assert bare.rows("SELECT what FROM log") == [("new",)]
        names = {name for (name,) in bare.rows("SELECT name FROM sqlite_master WHERE tbl_name = 'agent_memory'")}
        assert {"theirs", "watch"} <= names
    else:
        assert bare.rows("SELECT 1 FROM pg_indexes WHERE indexname = 'theirs'") == [(1,)]


@pytest.mark.parametrize(
    ("table", "rows", "words"),
    [
        ("CREATE TABLE agent_memory (name TEXT)", (), "of another make"),
        ("CREATE TABLE agent_memory (user_id TEXT, memory_type TEXT, content TEXT)",
         ("INSERT INTO agent_memory VALUES ('a', 'memory', NULL)",), "1 of its rows have no content"),
        ("CREATE TABLE agent_memory (user_id TEXT, memory_type TEXT, content TEXT)",
         ("INSERT INTO agent_memory VALUES ('a', 'diary', 'secret')",), "neither user nor memory"),
        ("CREATE TABLE agent_memory (user_id TEXT, memory_type TEXT, content TEXT)",
         ("INSERT INTO agent_memory VALUES ('a', 'user', 'x')", "INSERT INTO agent_memory VALUES ('a', 'user', 'y')"),
         "1 documents have more than one row"),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_over_is_refused_in_numbers_and_left_as_it_is(
    bare: Place, table: str, rows: tuple[str, ...], words: str
) -> None:
    bare.execute(table, *rows)
    before = bare.contents()
    with pytest.raises(Unreadable, match=words) as caught:
        upgrade(bare.address)
    assert "secret" not in str(caught.value)
    assert bare.contents() == before
    assert bare.tables() == {"agent_memory"}


def test_a_table_that_others_refer_to_is_refused(bare: Place) -> None:
    bare.execute(
        TWO_KEYS,
        "CREATE TABLE likes (u VARCHAR(128), m VARCHAR(16), "
        "FOREIGN KEY (u, m) REFERENCES agent_memory (user_id, memory_type))",
    )
    with pytest.raises(Unreadable, match="likes refers to its key"):
        upgrade(bare.address)


def test_a_table_that_has_our_key_already_is_left_as_it_is(bare: Place, tmp_path: Path) -> None:
    bare.execute(TWO_KEYS, *OLD_ROWS)
    upgrade(bare.address)
    before = bare.contents(["agent_memory"])
    bare.execute(*(f"DROP TABLE {name}" for name in bare.tables() if name != "agent_memory"))
    if bare.server is not None:
        bare.execute("DROP FUNCTION memory_count_waiting()")
    assert upgrade(bare.address).adopted == 3
    assert bare.contents(["agent_memory"]) == before


def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    place = Place(f"sqlite:///{tmp_path}/notes.txt")
    (tmp_path / "notes.txt").write_bytes(b"these are my notes, not a database at all" * 100)
    with pytest.raises(StoreError, match="not a database") as caught:
        upgrade(place.address)
    assert "backups" not in caught.value.way_out
    assert (tmp_path / "notes.txt").read_bytes().startswith(b"these are my notes")


def test_a_place_where_no_file_can_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteFailed, match="cannot be made"):
        upgrade(Place(f"sqlite:///{tmp_path}/file/deep/memory.db").address)


def test_waiting_is_counted_by_the_database(place: Place) -> None:
    add = """
        INSERT INTO memory_proposals (scope, id, digest, body, ordered_at, written_by, tenant_id)
        VALUES ('{}', '{}', '', '', 0, '', '')
    """
    place.execute(*(add.format(scope, number) for scope in "ab" for number in range(3)))
    place.execute("DELETE FROM memory_proposals WHERE scope = 'a' AND id <> '0'")
    assert sorted(place.rows("SELECT scope, waiting FROM memory_waiting")) == [("a", 1), ("b", 3)]


def test_a_new_file_keeps_a_log(tmp_path: Path) -> None:
    place = Place(f"sqlite:///{tmp_path}/memory.db")
    upgrade(place.address)
    connection = sqlite3.connect(place.address.file)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
