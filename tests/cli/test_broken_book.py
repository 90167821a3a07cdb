"""A book that cannot be read or written as a file: what is named, what is not affected, what can be done."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from curator_tui.core.errors import StoreError
from curator_tui.core.requests import Decision, Verb
from curator_tui.curator.opening import open_desk
from curator_tui.stores.book.looking import ReadOnlyDb
from curator_tui.stores.book.schema import TABLES, VERSION, tables_of
from tests.cli.conftest import Cli
from tests.cli.test_damaged import run
from tests.disks import KILO, fill, memory_disk, room
from tests.homes import make_home, picture, record

READING = (
    ("status",), ("pending",), ("show", "c0000004"), ("ledger",), ("ledger", "verify"), ("backups",), ("memory",),
    ("doctor",), ("diff", "last"),
)  # fmt: skip
PAGE = 4096


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a home whose book holds a few changes; tests work on copies."""
    from curator_tui.__main__ import main

    pending = [record(f"c000000{n}", "add", f"fact number {n}") for n in (1, 2, 3, 4)]
    path = make_home(tmp_path_factory.mktemp("broken") / "home", memory="Uses zsh", user="Ana", pending=pending)
    assert main(["--home", str(path), "approve", "c0000001"]) == 0
    return path


@pytest.fixture
def broken(model: Path, tmp_path: Path, cli_at: Callable[[Path], Cli]) -> Cli:
    """Return the command line bound to a copy of the home."""
    shutil.copytree(model, tmp_path / "home")
    return cli_at(tmp_path / "home")


def book_of(cli: Cli) -> Path:
    return cli.home / "curator-tui" / "book.sqlite"


def files_of_others(cli: Cli) -> dict[str, object]:
    """Return documents, queue and backups; lock files come and go."""
    return {
        name: state
        for name, state in picture(cli.home).items()
        if name.startswith(("memories/", "pending/")) and not name.endswith(".lock")
    }


def pragma(file: Path, setting: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"PRAGMA {setting}")


def without_table(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP TABLE memory_intents")


def rewrite(edit: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    return lambda file: file.write_bytes(edit(file.read_bytes())) and None


BROKEN = {
    "cut in a page": rewrite(lambda raw: raw[: len(raw) // 2 + 1000]),
    "cut between pages": rewrite(lambda raw: raw[: len(raw) // PAGE // 2 * PAGE]),
    "its head only": rewrite(lambda raw: raw[:100]),
    "some other text": rewrite(lambda raw: b"not a book at all\n" * 500),
    "zeros": rewrite(lambda raw: bytes(len(raw))),
    "a page of zeros": rewrite(lambda raw: raw[:PAGE] + bytes(PAGE) + raw[2 * PAGE :]),
    "without its version": lambda file: pragma(file, "user_version = 0"),
    "of no version there is": lambda file: pragma(file, "user_version = -1"),
    "without a table": without_table,
}


@pytest.mark.parametrize("kind", list(BROKEN))
def test_of_a_broken_book_the_file_is_named_what_is_not_in_it_and_what_to_do(broken: Cli, kind: str) -> None:
    BROKEN[kind](book_of(broken))
    before = files_of_others(broken)
    for verb in (("status",), ("ledger", "verify"), ("approve", "c0000002"), ("undo",)):
        answer = broken(*verb)
        assert answer.code == 3, (verb, answer.out)
        for words in (str(book_of(broken)), "Documents, queue and backups are not in it", "move it aside", "undo"):
            assert words in answer.err, (verb, answer.err)
    told = broken.json("doctor", code=1)["problems"]
    assert any(str(book_of(broken)) in one["message"] and "move it aside" in one["message"] for one in told), told
    assert files_of_others(broken) == before


PARTS = {
    "the table memory_deferrals": "DROP TABLE memory_deferrals",
    "the table memory_challenges": "DROP TABLE memory_challenges",
    "the table memory_answers": "DROP TABLE memory_answers",
    "the table memory_decisions": "DROP TABLE memory_decisions",
    "the table memory_pins": "DROP TABLE memory_pins",
    "the table memory_operations": "DROP TABLE memory_operations",
    "the column back of the table memory_deferrals": "ALTER TABLE memory_deferrals DROP COLUMN back",
    "the constraint memory_decisions_live": "DROP INDEX memory_decisions_live",
}


@pytest.mark.parametrize("part", list(PARTS))
def test_a_part_that_the_book_lacks_is_named_before_anything_is_written(broken: Cli, part: str) -> None:
    with closing(sqlite3.connect(book_of(broken))) as connection:
        connection.execute(PARTS[part])
    before = files_of_others(broken)
    for verb in (("undo",), ("approve", "c0000002"), ("reject", "c0000002"), ("ledger", "verify")):
        answer = broken(*verb)
        assert answer.code == 3, (verb, answer.out)
        assert "The next start finishes it" not in answer.err
        assert "move it aside" in answer.err
        if verb not in {("undo",), ("ledger", "verify")}:
            assert f"it lacks {part}" in answer.err, (verb, answer.err)
    assert any(part in one["message"] for one in broken.json("doctor", code=1)["problems"])
    assert files_of_others(broken) == before
    assert broken("add", "--target", "user", "Has a cat").code == 3
    assert files_of_others(broken) == before


def test_a_home_without_a_book_lacks_nothing(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    cli = cli_at(make_home(tmp_path / "home", memory="Uses zsh", user="Ana"))
    assert cli("ledger", "verify").code == 0
    assert cli.json("doctor")["problems"] == []


def test_what_is_held_against_a_book_is_what_a_new_one_has() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in TABLES:
            connection.execute(statement)
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = {
            name: frozenset(row[1] for row in connection.execute(f"PRAGMA table_info({name})")) for name in tables
        }
    assert tables_of(VERSION) == columns
    asides, forgotten = (
        {"memory_deferrals", "memory_challenges", "memory_answers"},
        {"memory_tombstones", "memory_scope_keys"},
    )
    assert set(columns) - set(tables_of(1)) == asides | forgotten
    assert set(columns) - set(tables_of(2)) == forgotten


def test_a_damaged_page_that_no_verb_needs_is_named_by_the_doctor(broken: Cli) -> None:
    with closing(sqlite3.connect(book_of(broken))) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'memory_pins'").fetchone()
    raw = book_of(broken).read_bytes()
    book_of(broken).write_bytes(raw[: (page - 1) * PAGE] + bytes(PAGE) + raw[page * PAGE :])
    assert broken("status").code == 0
    told = [one for one in broken.json("doctor", code=1)["problems"] if one["code"] == "book-damaged"]
    assert len(told) == 1
    assert f"Page {page}" in told[0]["message"]
    assert "move it aside" in told[0]["message"]


def test_after_a_broken_book_was_moved_aside_work_goes_on_and_a_backup_can_be_restored_first(broken: Cli) -> None:
    """What the advice promises."""
    book_of(broken).write_bytes(b"garbage" * 1000)
    book_of(broken).rename(broken.home / "aside")
    assert broken("status").code == 0
    backup = broken.json("backups")["backups"][0]["id"]
    assert broken.json("rollback", backup)["change"]
    assert broken.entries() == ("Uses zsh",)
    assert broken("approve", "c0000002").code == 0
    assert broken("undo").code == 0


def test_an_emptied_book_is_not_called_a_beginning(broken: Cli) -> None:
    book_of(broken).write_bytes(b"")
    answer = broken("ledger")
    assert "nothing was decided here yet" not in answer.out
    assert "the book is missing or was emptied" in answer.out


def test_a_newer_book_is_left_alone(broken: Cli) -> None:
    pragma(book_of(broken), "user_version = 99")
    before = book_of(broken).read_bytes(), files_of_others(broken)
    for verb in (("status",), ("approve", "c0000002")):
        answer = broken(*verb)
        assert answer.code == 3
        assert "has version 99" in answer.err
        assert "Use the newer program" in answer.err
    told = broken.json("doctor", code=1)["problems"]
    assert any("Use the newer program" in one["message"] for one in told)
    assert (book_of(broken).read_bytes(), files_of_others(broken)) == before


def test_a_book_that_went_while_it_was_open_is_an_error_each_time_it_is_asked_and_read_again_once_it_is_back(
    broken: Cli,
) -> None:
    db = ReadOnlyDb(str(book_of(broken)))
    raw = book_of(broken).read_bytes()
    book_of(broken).unlink()
    for _ in range(3):
        with pytest.raises(StoreError):
            db.one("SELECT count(*) FROM memory_ledger")
    book_of(broken).write_bytes(raw)
    found = db.one("SELECT count(*) FROM memory_ledger")
    db.close()
    assert found is not None
    assert found[0] > 0


# -- a full disk -------------------------------------------------------------------------------------------------


def test_an_empty_log_that_was_left_beside_the_book_costs_a_reader_nothing(broken: Cli) -> None:
    """A writer that could not go on for want of room leaves one; the index of a log would need room again."""
    for ending in ("-wal", "-shm"):
        book_of(broken).with_name(book_of(broken).name + ending).touch()
    before = picture(broken.home)
    for verb in READING:
        assert broken(*verb).code == 0, verb
    assert picture(broken.home) == before


@pytest.mark.parametrize("free", [0, 24 * KILO, 64 * KILO])
def test_on_a_full_disk_everything_can_be_read_and_what_cannot_be_written_says_why(
    model: Path, tmp_path: Path, cli_at: Callable[[Path], Cli], free: int
) -> None:
    with memory_disk(tmp_path / "disk", 1024 * KILO) as disk:
        shutil.copytree(model, disk / "home")
        cli = cli_at(disk / "home")
        assert cli("add", "--target", "user", "Has a cat").code == 0
        filler = fill(disk, free)
        assert room(disk) <= free
        documents = cli.raw(), cli.raw("user"), cli.waiting()
        for verb in (("approve", "c0000002"), ("undo",), ("reject", "c0000003")):
            answer = cli(*verb)
            if answer.code:
                assert answer.code == 3
                assert "full" in answer.err or "No space left" in answer.err, answer.err
                assert "Free some space" in answer.err, answer.err
                assert (cli.raw(), cli.raw("user"), cli.waiting()) == documents
            documents = cli.raw(), cli.raw("user"), cli.waiting()
            for reading in READING:
                assert cli(*reading).code == 0, (verb, reading, cli(*reading).err)
        filler.unlink()
        assert cli("doctor").code == 0
        assert cli("approve", "c0000002").code == 0


def drop(file: Path, table: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"DROP TABLE {table}")


def test_deferrals_that_were_taken_away_are_not_taken_for_none(broken: Cli) -> None:
    broken.json("defer", "c0000002", "--until", "2999-01-01")
    drop(book_of(broken), "memory_deferrals")
    before = files_of_others(broken)
    assert any("no such table" in note for note in broken.json("status")["notes"])
    assert "it lacks the table memory_deferrals" in broken("reject", "c0000002").err
    assert files_of_others(broken) == before


@pytest.mark.parametrize("table", ["memory_pins", "memory_operations", "memory_deferrals"])
def test_a_table_that_goes_under_an_open_desk_is_missed_before_anything_is_written(broken: Cli, table: str) -> None:
    with closing(open_desk(home=broken.home, profile="default", environ={}, through="tui")) as desk:
        desk.refresh()
        assert desk.decide([Decision("c0000002", Verb.APPROVE)]).done
        before = files_of_others(broken)
        drop(book_of(broken), table)
        with pytest.raises(StoreError, match=f"lacks the table {table}"):
            desk.decide([Decision("c0000003", Verb.APPROVE)])
        assert files_of_others(broken) == before
        assert run(broken.home, "SELECT COUNT(*) FROM memory_intents") == [(0,)]


def test_status_answers_what_it_can_where_backups_cannot_be_read(broken: Cli) -> None:
    backups = broken.home / "memories" / "backups"
    shutil.rmtree(backups)
    backups.write_bytes(b"no folder")
    told = broken.json("status")
    assert told["pending"] == 3
    assert any("memories/backups" in note for note in told["notes"])
    assert "memories/backups" in broken("status").out
    assert broken("status", "--line").code == 0
    assert broken("ledger").code == 0


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER quiet BEFORE INSERT ON memory_ledger BEGIN SELECT RAISE(IGNORE); END",
        "CREATE TABLE t AS SELECT * FROM memory_pins; DROP TABLE memory_pins; ALTER TABLE t RENAME TO memory_pins",
        "ALTER TABLE memory_known RENAME TO x; CREATE VIEW memory_known AS SELECT * FROM x",
        "PRAGMA user_version = 1",
    ],
)
def test_a_book_that_would_take_in_something_else_than_is_written_is_named_and_not_written(
    broken: Cli, statement: str
) -> None:
    with closing(sqlite3.connect(book_of(broken))) as connection:
        connection.executescript(statement)
    before = files_of_others(broken)
    for verb in (("doctor",), ("ledger", "verify")):
        assert "book-shape" in {problem["code"] for problem in broken.json(*verb, code=1)["problems"]}, verb
    answer = broken("approve", "c0000002")
    assert answer.code == 3
    assert "move it aside" in answer.err
    assert files_of_others(broken) == before
