"""One cell of the book that another program forged is named, whichever it is; nothing is taken back for it."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from curator_tui.__main__ import main
from curator_tui.core.errors import StoreError
from curator_tui.curator import ledger_view
from curator_tui.curator.desk import Desk
from curator_tui.curator.doctor import examine
from curator_tui.curator.history import undo_preview
from curator_tui.curator.opening import open_desk
from tests.cli.conftest import Cli
from tests.cli.test_damaged import codes, run
from tests.homes import make_home, record, stage

# Values of memory_meta that may be another one of the same form, because nobody is misled by it.
HARMLESS: dict[str, str] = {
    "chain": "a checkpoint that was taken names it, and what is verified against that is told",
    "home inode": "compared with the home; the doctor notes what looks like a copy, and no chain is broken by going on",
    "folder inode": "compared with the folder, likewise",
    "device": "never compared: it changes with a restart of the machine",
    "abandoned": "a number that only has to be written, so that the log holds nothing else",
    "settled": "likewise",
}
Cell = tuple[str, str, int, Any]


def used(home: Path) -> None:
    """Use a home so that every table has rows, of every kind where there are kinds."""
    pending = [record(f"c000000{n}", "add", f"fact number {n}") for n in (1, 2, 3, 4)]
    pending.append(record("c0000005", "remove", None, "Uses zsh"))
    pending.append(record("c0000006", "replace", "Ana B", "Ana", target="user"))
    pending.append(record("c0000007", "add", "token ghp_" + "A1b2C3d4" * 4 + "E5f6"))
    make_home(home, memory="Uses zsh", user="Ana", pending=pending)
    for verb in (
        ("approve", "c0000001"), ("reject", "c0000002", "--reason", "words of my own"), ("undo",),
        ("add", "--target", "user", "Likes rye"), ("undo",), ("redo",), ("approve", "c0000003"),
        ("defer", "c0000004", "--until", "2999-01-01"), ("reject", "c0000007"), ("rollback", "last"), ("undo",),
    ):  # fmt: skip
        assert main(("--home", str(home), *verb)) == 0, verb
    with (home / "memories" / "MEMORY.md").open("a") as file:
        file.write("\n§\nwritten outside")
    asking = ("challenge", "--target", "user", "--reason", "wrong", "Ana", "--note", "not so")
    assert main(("--home", str(home), *asking)) == 0
    asked = run(home, "SELECT question FROM memory_challenges")[0][0]
    assert main(("--home", str(home), "answer", asked, "keep")) == 0
    assert main(("--home", str(home), *asking)) == 0


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home that was used much; tests put its book back."""
    path = tmp_path_factory.mktemp("forged") / "home"
    with redirect_stdout(StringIO()):
        used(path)
    return path


def other(value: Any) -> Any:
    """Return another value of the same kind."""
    if isinstance(value, str):
        return value[:-1] + ("1" if value.endswith("0") else "0")
    if isinstance(value, bytes):
        return value + b"x"
    return 1 - value if value in (0, 1) else value + 1


def forgeries(book: Path) -> Iterator[Cell]:
    """Yield cells of every column: nothing, another value of the same kind, the value of another row."""
    with closing(sqlite3.connect(book)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
            for column in columns:
                values = dict(db.execute(f"SELECT rowid, {column} FROM {table}"))
                kinds = {type(value): (row, value) for row, value in values.items()}
                for row, value in kinds.values():
                    strange = next((one for one in values.values() if one != value), None)
                    new = (None, strange) if value is None else (None, other(value), strange)
                    yield from ((table, column, row, one) for one in dict.fromkeys(new) if one != value)


def forged(book: Path, cell: Cell) -> bool:
    """Write one cell; False where the table itself does not take it."""
    table, column, row, value = cell
    with closing(sqlite3.connect(book)) as db, suppress(sqlite3.IntegrityError):
        db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (value, row))
        db.commit()
        return True
    return False


def is_harmless(book: Path, cell: Cell) -> bool:
    """Whether a cell is among those that may hold another value of the same form."""
    table, column, row, value = cell
    if (table, column) != ("memory_meta", "value"):
        return False
    with closing(sqlite3.connect(book)) as db:
        name, before = db.execute("SELECT name, value FROM memory_meta WHERE rowid = ?", (row,)).fetchone()
    forms = (re.compile(r"\d{1,20}"), re.compile(r"[0-9a-f]{16}"))
    return name in HARMLESS and any(form.fullmatch(before) and form.fullmatch(value or "") for form in forms)


def problems(home: Path) -> tuple[set[str], set[str], str]:
    """Return what doctor and verifying say, and to what an undo would be bound, empty where it is refused."""
    opened = open_desk(home=home, profile="default", environ={}, through="cli")
    with closing(Desk(opened.store, opened.actor, clock=lambda: 1_790_000_000.0)) as desk:
        doctor = {problem.code for problem in examine(desk).problems}
        try:
            verified = {problem.code for problem in ledger_view.verify(desk).problems}
        except StoreError as error:
            verified = {error.code}
        try:
            preview = undo_preview(desk)
        except StoreError:
            return doctor, verified, ""
        return doctor, verified, preview.digest if preview is not None else "nothing"


@pytest.mark.slow
def test_a_forged_cell_is_named_and_no_undo_takes_it_for_true(home: Path) -> None:
    book = home / "curator-tui" / "book.sqlite"
    whole = book.read_bytes()
    cells = list(forgeries(book))
    assert len({cell[:2] for cell in cells}) > 60
    doctor, verified, meant = problems(home)
    assert (doctor, verified) == (set(), set())
    unnoticed, misled = [], []
    try:
        for cell in cells:
            if not is_harmless(book, cell) and forged(book, cell):
                os.utime(book, (0, 0))  # a file that was changed just now is waited for
                doctor, verified, digest = problems(home)
                if not (doctor and verified):
                    unnoticed.append((cell, doctor, verified))
                if digest not in {meant, ""}:
                    misled.append(cell)
            book.write_bytes(whole)
    finally:
        book.write_bytes(whole)
    assert unnoticed == []
    assert misled == []


@pytest.fixture
def cli(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> Cli:
    """Return a home with two approved items and two that wait and were pinned at first sight."""
    pending = [record(f"c000000{n}", "add", f"fact number {n}") for n in (1, 2)]
    pending.append(record("c0000003", "remove", None, "Uses zsh"))
    pending.append(record("c0000004", "replace", "Bo", "Ana", target="user"))
    found = cli_at(make_home(tmp_path / "home", memory="Uses zsh", user="Ana", pending=pending))
    found.json("approve", "c0000001")
    found.json("approve", "c0000002")
    return found


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("DELETE FROM memory_pins WHERE proposal = 'c0000003'", "change-unbound"),
        ("UPDATE memory_pins SET text_id = (SELECT MAX(text_id) FROM memory_pins)", "change-unbound"),
        ("UPDATE memory_texts SET body = CAST('Ana' AS BLOB) WHERE kind = 'pin'", "change-unbound"),
        ("UPDATE memory_texts SET body = x'ff1b' WHERE kind = 'pin'", "change-unbound"),
        ("UPDATE memory_pins SET operation = 'x'", "change-unbound"),
        ("UPDATE memory_pins SET text_id = x'ff'", "change-unbound"),
        ("UPDATE memory_known SET digest = x'ff'", "known-altered"),
        ("UPDATE memory_decisions SET digest = (SELECT digest FROM memory_pins)", "change-unbound"),
        ("DELETE FROM memory_operations", "change-unbound"),
        ("UPDATE memory_texts SET salt = NULL WHERE id LIKE '%:book'", "change-unbound"),
        ("UPDATE memory_known SET text_id = (SELECT before_text FROM memory_change_documents)", "known-altered"),
        ("UPDATE memory_known SET digest = 'missing', text_id = NULL", "known-altered"),
        ("DELETE FROM memory_known", "known-altered"),
    ],
)
def test_what_only_the_tables_say_is_bound_by_the_rows(cli: Cli, statement: str, code: str) -> None:
    assert codes(cli, "ledger", "verify") == []
    run(cli.home, statement)
    for verb in (("ledger", "verify"), ("doctor",)):
        assert set(codes(cli, *verb)) == {code}, verb


def test_pins_that_were_recorded_alone_are_bound_by_the_next_row(cli: Cli) -> None:
    rows = run(cli.home, "SELECT COUNT(*) FROM memory_ledger")
    stage(cli.home, record("c0000005", "remove", None, "Ana", target="user"))
    opened = open_desk(home=cli.home, profile="default", environ={}, through="tui")
    with closing(Desk(opened.store, opened.actor)) as desk:
        desk.refresh()
        desk.observe()
    assert run(cli.home, "SELECT COUNT(*) FROM memory_pins WHERE proposal = 'c0000005'") == [(1,)]
    assert run(cli.home, "SELECT COUNT(*) FROM memory_ledger") == rows
    assert codes(cli, "ledger", "verify") == []
    cli.json("add", "--target", "user", "Likes rye")
    assert codes(cli, "ledger", "verify") == []
    run(cli.home, "DELETE FROM memory_pins WHERE proposal = 'c0000005'")
    assert codes(cli, "ledger", "verify") == ["change-unbound"]


NEWEST = "(SELECT MAX(seq) FROM memory_changes)"


@pytest.mark.parametrize(
    "statement",
    [
        f"UPDATE memory_changes SET effect = 0 WHERE seq = {NEWEST}",
        f"UPDATE memory_changes SET kind = 'observe' WHERE seq = {NEWEST}",
        f"UPDATE memory_changes SET actor_name = 'x' WHERE seq = {NEWEST}",
        f"UPDATE memory_changes SET undone_by = 'x' WHERE seq = {NEWEST}",
        f"DELETE FROM memory_changes WHERE seq = {NEWEST}",
    ],
)
@pytest.mark.parametrize("named", [False, True])
def test_an_older_change_is_not_taken_back_because_a_newer_one_was_hidden(
    cli: Cli, statement: str, named: bool
) -> None:
    older = run(cli.home, "SELECT change_id FROM memory_decisions WHERE proposal = 'c0000001'")[0][0]
    run(cli.home, statement)
    answer = cli("undo", *([older] if named else []))
    assert answer.code == 3, answer
    assert "curator-tui ledger verify" in answer.err
    assert cli.entries() == ("Uses zsh", "fact number 1", "fact number 2")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memory_ledger SET seq = 9223372036854775807 WHERE seq = 3",
        "UPDATE memory_ledger SET seq = 9007199254740992 WHERE seq = 3",
        "UPDATE memory_ledger SET seq = -seq",
        "UPDATE memory_ledger SET seq = -1 WHERE seq = 3",
        "UPDATE memory_ledger SET seq = 'x' WHERE seq = 3",
        "DELETE FROM memory_ledger",
        "DELETE FROM memory_ledger WHERE seq = 3",
        "UPDATE memory_changes SET seq = 4 WHERE seq = 3",
        "UPDATE memory_changes SET seq = 9223372036854775807 WHERE seq = 3",
    ],
)
def test_nothing_is_begun_where_the_place_of_its_row_is_none_or_taken(cli: Cli, statement: str) -> None:
    newest = run(cli.home, "SELECT MAX(seq) FROM memory_ledger")
    assert newest == [(3,)]
    run(cli.home, statement)
    before = cli.entries()
    for verb in (("approve", "c0000003"), ("reject", "c0000003"), ("reopen", "c0000001"), ("undo",), ("redo",)):
        answer = cli(*verb)
        assert answer.code == 3, (verb, answer)
        assert answer.err.startswith("curator-tui: "), verb
        assert not any(words in answer.err for words in ("internal error", "could not be completed")), answer.err
    assert cli.entries() == before
    assert run(cli.home, "SELECT * FROM memory_intents") == []
    assert codes(cli, "doctor") != []


@pytest.mark.parametrize("cell", ["at = 'x'", "kind = 'x'", "actor_kind = 'x'", "seq = 'x'"])
def test_the_row_is_named_whose_change_cannot_be_read(cli: Cli, cell: str) -> None:
    run(cli.home, f"UPDATE memory_changes SET {cell} WHERE seq = 3")
    for verb in (("ledger", "verify"), ("doctor",)):
        report = cli.json(*verb, code=1)
        assert any(one["message"].startswith("row 3") for one in report["problems"]), report["problems"]


def test_a_pin_that_is_no_text_hinders_nobody(cli: Cli) -> None:
    run(cli.home, "UPDATE memory_texts SET body = x'ff1b' WHERE kind = 'pin'")
    states = {item["id"]: item["state"] for item in cli.json("pending")["items"]}
    assert states == {"c0000003": "stale", "c0000004": "stale"}
    assert cli.json("status")["pending"] == 2
    assert cli("approve", "c0000003").code == 1, "what it meant is not known any more"
    assert cli("doctor", "--repair").code == 1
    assert cli("reject", "c0000003").code == 0
    assert "Uses zsh" in cli.entries()


def test_a_redo_is_refused_where_what_came_after_the_undo_was_hidden(cli: Cli) -> None:
    cli.json("undo")
    cli.json("add", "--target", "user", "Likes rye")
    run(cli.home, f"UPDATE memory_changes SET effect = 0 WHERE seq = {NEWEST}")
    assert cli("redo").code == 3
    assert cli.entries() == ("Uses zsh", "fact number 1")


def test_that_there_is_nothing_to_redo_is_held_against_the_ledger(cli: Cli) -> None:
    assert cli("redo").code == 1
    cli.json("undo")
    run(cli.home, f"UPDATE memory_changes SET effect = 0 WHERE seq = {NEWEST}")
    assert cli("redo").code == 3


def test_a_rollback_restores_and_says_that_the_book_was_forged(cli: Cli) -> None:
    run(cli.home, f"UPDATE memory_changes SET undone_by = 'x' WHERE seq = {NEWEST}")
    rolled = cli.json("rollback", "last")
    assert cli.entries() == ("Uses zsh", "fact number 1")
    assert any("is recorded as not in force, and no takeback bears that out" in note for note in rolled["notes"])


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("DELETE FROM memory_meta", "book-notes-altered"),
        ("DELETE FROM memory_meta WHERE name = 'folder inode'", "book-notes-altered"),
        ("UPDATE memory_meta SET value = 'here' WHERE name = 'home inode'", "book-notes-altered"),
        ("UPDATE memory_meta SET value = CAST(value AS BLOB) WHERE name = 'chain'", "book-notes-altered"),
        ("INSERT INTO memory_meta VALUES ('home', 'words', 'anything')", "book-notes-altered"),
        ("INSERT INTO memory_meta VALUES ('home', 'loose pins', '[\"nobody\"]')", "book-notes-altered"),
        ("INSERT OR REPLACE INTO memory_meta VALUES ('home', 'refused', '[{}]')", "book-notes-altered"),
        ("INSERT OR REPLACE INTO memory_meta VALUES ('home', 'refused', '{')", "book-notes-altered"),
        ("UPDATE memory_texts SET salt = x'00' WHERE kind = 'document'", "text-altered"),
        ("UPDATE memory_texts SET change_id = 'x' WHERE kind = 'document'", "text-altered"),
    ],
)
def test_what_no_row_binds_is_held_against_what_is_written_there(cli: Cli, statement: str, code: str) -> None:
    assert codes(cli, "doctor") == []
    run(cli.home, statement)
    for verb in (("ledger", "verify"), ("doctor",)):
        assert code in codes(cli, *verb), verb


def test_a_refused_attempt_that_is_counted_is_borne_out_by_its_row(cli: Cli) -> None:
    stage(cli.home, record("c0000007", "add", "token ghp_" + "A1b2C3d4" * 4 + "E5f6"))
    for _ in range(3):
        assert cli("approve", "c0000007").code == 1
    assert run(cli.home, "SELECT value FROM memory_meta WHERE name = 'refused'")[0][0].count('"repeats": 2') == 1
    assert codes(cli, "doctor") == []
    run(cli.home, "UPDATE memory_meta SET value = replace(value, 'person', 'policy') WHERE name = 'refused'")
    assert set(codes(cli, "doctor")) == {"book-notes-altered"}


def test_a_book_of_another_folder_is_noted(cli: Cli) -> None:
    words = "this home is a copy, or its folder was put back"
    assert words not in " ".join(cli.json("doctor")["notes"])
    run(cli.home, "UPDATE memory_meta SET value = '1' WHERE name = 'folder inode'")
    report = cli.json("doctor")
    assert report["ok"] is True
    assert words in " ".join(report["notes"])
    cli.json("add", "--target", "user", "Likes rye")
    assert words not in " ".join(cli.json("doctor")["notes"])
