"""Partitions: a server whose tables are cut into parts keeps, refuses and counts as one whose tables are whole.

The one suite runs on such a server with ``CURATOR_TUI_TEST_PARTITIONS=4``.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from curator_tui.core.errors import UsageError
from curator_tui.core.plans import plan as core_plan
from curator_tui.core.requests import Kind, Request
from curator_tui.stores.sql.addresses import address_of
from curator_tui.stores.sql.granting import grant
from curator_tui.stores.sql.partitioning import keys
from curator_tui.stores.sql.upgrading import upgrade
from tests.databases import Place
from tests.postgres import CURATOR, Server
from tests.stores.consistency import check
from tests.stores.failures import killed_at
from tests.stores.ground import Scope
from tests.stores.homes import decide, documents, make_home, open_store, stamp

PARTS = 3
_OBJECTS = """
    SELECT c.relname, k.conname || ' ' || pg_get_constraintdef(k.oid) FROM pg_constraint k
        JOIN pg_class c ON c.oid = k.conrelid WHERE k.contype IN ('p', 'u', 'c') AND c.relname = ANY(%(names)s)
    UNION ALL SELECT tablename, indexname FROM pg_indexes WHERE tablename = ANY(%(names)s)
    UNION ALL SELECT c.relname, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE NOT t.tgisinternal AND c.relname = ANY(%(names)s)
    UNION ALL SELECT table_name, concat_ws(' ', column_name, data_type, is_nullable, column_default, collation_name)
        FROM information_schema.columns WHERE table_name = ANY(%(names)s)
"""


@pytest.fixture(scope="module")
def cut(server: Server) -> str:
    """The name of a database whose tables are cut, for others to be copied from."""
    url = server.database()
    upgrade(address_of(url), PARTS)
    grant(address_of(url))
    server.let_in(CURATOR, "memory_curator")
    return url


@pytest.fixture
def home(server: Server, cut: str, tmp_path: Path) -> Scope:
    url = server.as_login(server.database(template=cut.split("/")[3].split("?", maxsplit=1)[0]), CURATOR)
    return make_home(Scope("postgres", tmp_path, server, [Place(url, server)]))


def _objects(url: str) -> set[tuple[object, ...]]:
    with psycopg.connect(url) as connection:
        return set(connection.execute(_OBJECTS, {"names": list(keys())}))


def test_everything_that_stood_on_a_table_stands_on_it_again(server: Server, cut: str) -> None:
    whole = server.keeper(server.store())
    assert _objects(cut) == _objects(whole)
    found = Place(cut, server).rows("SELECT relname FROM pg_class WHERE relkind = 'p'")
    assert {name for (name,) in found} == set(keys())


def test_a_life_on_parts_is_as_on_a_whole(home: Scope) -> None:
    with closing(open_store(home)) as store:
        assert store.transact(decide("first", ["item0", "item1"]), core_plan).done
        assert store.transact(Request(stamp("undo"), Kind.UNDO, reverts=stamp("first").change), core_plan).done
        assert store.transact(decide("again", ["item0"]), core_plan).done
        assert store.queue.peek(10)[1] == 2
    assert check(home) == []
    assert b"fact 0" in (documents(home)["MEMORY.md"] or b"")


@pytest.mark.parametrize(("point", "done"), [("recorded", False), ("committing", False), ("committed", True)])
def test_killed_at_a_step_it_is_old_or_new(home: Scope, point: str, done: bool) -> None:
    def approve(place: Scope) -> None:
        with closing(open_store(place)) as store:
            store.transact(decide("one", ["item0"]), core_plan)

    assert killed_at(f"{point}=kill", approve, home)
    assert check(home) == []
    with closing(open_store(home)) as store:
        assert ("item0" not in {one.id for one in store.queue.peek(10)[0]}) is done


def test_rows_are_kept_and_the_number_stays(server: Server) -> None:
    url = server.database()
    place = Place(url, server)
    place.execute(
        "CREATE TABLE agent_memory (user_id TEXT, memory_type TEXT, content TEXT, PRIMARY KEY (user_id, memory_type))",
        "INSERT INTO agent_memory VALUES ('ada', 'memory', 'one'), ('ben', 'memory', 'two')",
    )
    upgrade(address_of(url))
    assert killed_at("partitioned:3=kill", lambda _: upgrade(address_of(url), 4), None)
    assert place.rows("SELECT count(*) FROM pg_class WHERE relkind = 'p'") == [(0,)]
    assert upgrade(address_of(url), 4).adopted is None
    assert place.rows("SELECT user_id, content FROM agent_memory ORDER BY 1") == [("ada", "one"), ("ben", "two")]
    upgrade(address_of(url), 4)
    with pytest.raises(UsageError, match="4 parts already"):
        upgrade(address_of(url), 5)


def test_a_file_has_no_parts(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no partitions"):
        upgrade(address_of(f"sqlite:///{tmp_path}/memory.db"), 4)
    assert list(tmp_path.iterdir()) == []
