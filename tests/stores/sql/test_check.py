"""``db check``: what it looks at, what it tries, and that nothing of it stays."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from curator_tui.core.errors import NoStore, StoreError
from curator_tui.stores.sql.checking import check_database
from curator_tui.stores.sql.versions import HEAD, VERSION_TABLE
from tests.databases import Place
from tests.postgres import running


def _codes(place: Place) -> list[str]:
    return [problem.code for problem in check_database(place.address).problems]


def test_a_good_database_is_called_good_and_nothing_stays(place: Place, tmp_path: Path) -> None:
    before = place.contents()
    files = {file.name: (file.stat().st_size, file.stat().st_mtime_ns) for file in tmp_path.iterdir()}
    found = check_database(place.address)
    assert found.version == HEAD
    # the server of the tests keeps nothing through a power cut, and says so
    assert {problem.code for problem in found.problems} <= ({"unsafe-setting"} if place.server else set())
    assert place.contents() == before
    assert {file.name: (file.stat().st_size, file.stat().st_mtime_ns) for file in tmp_path.iterdir()} == files


def test_a_server_that_keeps_nothing_through_a_power_cut_is_named(place: Place, engine: str) -> None:
    if engine == "sqlite":
        pytest.skip("a server has these settings")
    words = [problem.message for problem in check_database(place.address).problems]
    assert [word.split()[0] for word in words] == ["fsync", "full_page_writes"]


@pytest.mark.slow
def test_a_server_with_safe_settings_is_called_good() -> None:
    with running("fsync=on", "full_page_writes=on") as server:
        place = Place(server.store(), server)
        assert check_database(place.address).problems == ()
        place.execute(
            f'ALTER ROLE postgres IN DATABASE "{place.url.split("/")[3].split("?")[0]}" SET synchronous_commit = off'
        )
        # each connection of ours sets it back
        assert check_database(place.address).problems == ()


def test_a_file_without_a_log_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    from tests.databases import made

    place = made("sqlite", tmp_path, None)
    connection = sqlite3.connect(place.address.file)
    assert connection.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    connection.close()
    assert _codes(place) == ["unsafe-setting"]
    connection = sqlite3.connect(place.address.file)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    connection.close()


def test_a_table_that_takes_something_else_than_was_written_is_found(place: Place, engine: str) -> None:
    if engine == "sqlite":
        place.execute(
            "CREATE TRIGGER spoil AFTER INSERT ON agent_memory BEGIN UPDATE agent_memory SET content = 'x'; END"
        )
    else:
        place.execute(
            """
            CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN NEW.content := 'x'; RETURN NEW; END $$
            """,
            "CREATE TRIGGER spoil BEFORE INSERT ON agent_memory FOR EACH ROW EXECUTE FUNCTION spoil()",
        )
    assert "probe-failed" in _codes(place)
    assert place.rows("SELECT count(*) FROM agent_memory") == [(0,)]


def test_a_table_that_takes_nothing_is_found(place: Place, engine: str) -> None:
    place.execute(
        "ALTER TABLE agent_memory ADD COLUMN theirs INTEGER CHECK (theirs > 0 AND theirs IS NOT NULL) DEFAULT 0"
    )
    assert "write-failed" in _codes(place)


def test_a_database_without_tables_needs_an_upgrade(bare: Place) -> None:
    bare.execute("CREATE TABLE other (x INTEGER)")
    assert "needs-upgrade" in _codes(bare)


def test_newer_tables_are_named(place: Place) -> None:
    place.execute(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    assert "newer-store" in _codes(place)


def test_what_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(NoStore, match="no database"):
        check_database(Place(f"sqlite:///{tmp_path}/memory.db").address)
    assert os.listdir(tmp_path) == []


def test_a_server_that_does_not_answer_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="does not answer"):
        check_database(Place(f"postgresql://u:s3cret@/x?host={tmp_path}").address)


def test_a_database_that_is_not_there_is_told(place: Place, engine: str) -> None:
    if engine == "sqlite":
        pytest.skip("a file that is not there: above")
    url = place.url.replace("curator_tui_test", "no_such")
    with pytest.raises(NoStore, match="no database"):
        check_database(Place(url).address)
