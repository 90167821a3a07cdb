"""A book that is damaged or was tampered with: every verb answers, and the verbs meant for it name what is wrong."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli
from tests.homes import make_home, record, write

TABLES = (
    "memory_meta", "memory_texts", "memory_ledger", "memory_changes", "memory_change_documents", "memory_takebacks",
    "memory_decisions", "memory_known", "memory_pins", "memory_operations",
)  # fmt: skip
STRANGE: tuple[Any, ...] = (
    "garbage", "", b"\xff\xfe", 0, -1, 7, 2**62, 1.5, float("inf"), "{}", "[]", '{"seq":1}', "null", "nowhere",
    "\x1b[2J\u202e", b"", "9" * 5000, '{"documents":{"memory":7}}', '{"kind":"approve"}',
)  # fmt: skip
LOOKING = (
    ("ledger",), ("ledger", "verify"), ("ledger", "checkpoint"), ("ledger", "export"), ("doctor",), ("status",),
    ("pending",), ("show", "c0000004"), ("backups",), ("diff", "last"), ("memory",),
)  # fmt: skip
CHANGING = (("undo",), ("reject", "c0000004"), ("reopen", "c0000002"), ("rollback", "last"), ("doctor", "--repair"))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build one home with every kind of row; tests work on copies."""
    from curator_tui.__main__ import main

    path = tmp_path_factory.mktemp("damaged") / "home"
    pending = [record(f"c000000{n}", "add", f"fact number {n}") for n in (1, 2, 3, 4)]
    pending.append(record("c0000005", "remove", None, "Uses zsh"))
    make_home(path, memory="Uses zsh", user="Ana", pending=pending)
    for number, verb in enumerate((
        ("approve", "c0000001"),
        ("reject", "c0000002", "--reason", "words of my own"),
        ("add", "--target", "user", "Likes rye"),
        ("approve", "c0000003"),
        ("undo",),
        ("rollback", "last"),
    )):  # fmt: skip
        assert main(["--home", str(path), *verb]) == 0, verb
        if number == 2:
            write(path / "memories" / "MEMORY.md", b"Uses fish\n\xc2\xa7\nfact number 1")
    return path


@pytest.fixture
def damaged(model: Path, tmp_path: Path, cli_at: Callable[[Path], Cli]) -> Cli:
    """Return the command line bound to a copy of the home."""
    return cli_at(copy_of(model, tmp_path / "home"))


def copy_of(model: Path, path: Path) -> Path:
    """Copy a home and tell its book that this is where it belongs."""
    shutil.copytree(model, path)
    marks = {"home inode": path.stat().st_ino, "folder inode": (path / "curator-tui").stat().st_ino}
    for name, inode in marks.items():
        run(path, "UPDATE memory_meta SET value = ? WHERE name = ?", str(inode), name)
    return path


def run(path: Path, statement: str, *values: Any) -> list[Any]:
    """Run a statement on the book of a home."""
    with closing(sqlite3.connect(path / "curator-tui" / "book.sqlite")) as connection, connection:
        return connection.execute(statement, values).fetchall()


def codes(cli: Cli, *verb: str) -> list[str]:
    """Return the codes of the problems a verb names."""
    answer = cli.json(*verb, code=None)
    return [problem["code"] for problem in answer["problems"]]


def test_the_home_the_others_damage_is_in_order(damaged: Cli) -> None:
    verified = damaged.json("ledger", "verify")
    assert verified["open"] == 0, "every text that a row binds is kept and was held against it"
    assert verified["checked"] > 20
    assert damaged.json("doctor")["ok"] is True
    actions = {row["action"] for row in damaged.json("ledger")["rows"]}
    assert actions >= {"first seen", "outside", "approve", "reject", "add", "undo", "rollback"}


@pytest.mark.parametrize("body", ["garbage", "[1]", "", '{"seq":2,"documents":{"nowhere":{}}}'])
def test_a_row_that_cannot_be_read_is_shown_as_such_and_named_once(damaged: Cli, body: str) -> None:
    run(damaged.home, "UPDATE memory_ledger SET body = ? WHERE seq = 2", body)
    assert "    2  cannot be read" in damaged("ledger").out
    row = damaged.json("ledger")["rows"][1]
    assert (row["seq"], row["unreadable"]) == (2, True)
    verified = damaged.json("ledger", "verify", code=1)
    named = [problem["message"] for problem in verified["problems"]]
    assert [message for message in named if message.startswith("row 2 ")] == named
    assert len(named) == 1
    assert damaged.json("doctor", code=1)["problems"] == verified["problems"]


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE memory_texts SET body = 'x' WHERE kind = 'record' AND id LIKE '%:closed:0'", "record of"),
        ("UPDATE memory_texts SET body = 'x' WHERE kind = 'note'", "note"),
        ("UPDATE memory_texts SET body = 'x' WHERE kind = 'document'", "text of"),
        ("UPDATE memory_texts SET salt = x'00' WHERE kind = 'salt'", "backup of"),
        ("UPDATE memory_change_documents SET before_text = NULL", "text of MEMORY.md before"),
    ],
)
def test_a_kept_text_that_was_altered_is_named_by_both_verbs_in_the_same_words(
    damaged: Cli, statement: str, what: str
) -> None:
    run(damaged.home, statement)
    verified = damaged.json("ledger", "verify", code=1)["problems"]
    assert any(what in problem["message"] for problem in verified)
    assert {problem["code"] for problem in verified} == {"text-altered"}
    doctor = damaged.json("doctor", code=1)["problems"]
    assert [problem for problem in doctor if problem["code"] == "text-altered"] == verified
    assert len({problem["message"] for problem in doctor}) == len(doctor)


def test_an_altered_backup_is_named_once(damaged: Cli) -> None:
    backup = damaged.json("backups")["backups"][-1]["id"]
    file = damaged.home / "memories" / "backups" / backup / "MEMORY.md"
    raw = file.read_bytes()
    write(file, raw.replace(b"a", b"b"))
    assert raw != file.read_bytes()
    assert codes(damaged, "ledger", "verify") == ["text-altered"]
    assert codes(damaged, "doctor") == ["text-altered"]
    write(file, raw + b"longer")
    assert codes(damaged, "doctor") == ["backup-damaged"]
    shutil.rmtree(file.parent)
    assert codes(damaged, "doctor") == ["backup-missing"]


@pytest.mark.parametrize("seed", range(40))
def test_whatever_stands_in_a_cell_no_verb_fails_in_a_way_of_its_own(
    model: Path, tmp_path: Path, cli_at: Callable[[Path], Cli], seed: int
) -> None:
    chance = random.Random(seed)
    cli = cli_at(copy_of(model, tmp_path / "home"))
    done = []
    for _ in range(chance.choice((1, 1, 3))):
        table = chance.choice(TABLES)
        column = chance.choice([row[1] for row in run(cli.home, f"PRAGMA table_info({table})") if row[1] != "scope"])
        rows = [row[0] for row in run(cli.home, f"SELECT rowid FROM {table}")]
        if rows:
            value = chance.choice(STRANGE)
            done.append((table, column, value))
            run(cli.home, f"UPDATE OR IGNORE {table} SET {column} = ? WHERE rowid = ?", value, chance.choice(rows))
    for verb in (*LOOKING, chance.choice(CHANGING), ("ledger", "verify")):
        answer = cli(*verb)
        assert answer.code in {0, 1, 2, 3}, (done, verb)
        assert "internal" not in answer.err, (done, verb, answer.err)
        assert "\x1b" not in answer.out + answer.err, (done, verb)


def backup_of(cli: Cli, which: str) -> Path:
    """Return the folder of a backup: of the newest, or of the newest whose id ends so."""
    ids = [one["id"] for one in cli.json("backups")["backups"]]
    return cli.home / "memories" / "backups" / next(one for one in reversed(ids) if one.endswith(which))


@pytest.mark.parametrize("verb", ["rollback", "diff"])
def test_another_backup_never_stands_in_for_a_damaged_one_that_is_meant(damaged: Cli, verb: str) -> None:
    known = backup_of(damaged, "-known")
    meant = known.with_name(known.name.removesuffix("-known"))
    newest = backup_of(damaged, "")
    assert meant.is_dir()
    assert newest.name not in {known.name, meant.name}
    for folder in (meant, newest):
        (folder / "about.json").write_bytes(b"garbage")
    before = damaged.raw(), damaged.raw("user")
    for name, folder in ((meant.name, meant), ("last", newest), (newest.name, newest), (newest.name[:-1], newest)):
        answer = damaged(verb, name)
        assert answer.code == 3, (name, answer.out)
        assert folder.name in answer.err
        assert "about.json is not JSON" in answer.err
        assert "curator-tui backups" in answer.err
    assert damaged(verb, meant.name[:-1]).code == 2, "the beginning of two ids, of which one is damaged, means neither"
    assert (damaged.raw(), damaged.raw("user")) == before
    if verb == "rollback":
        assert damaged.json("rollback", known.name, code=None)["change"], "the sibling is restored when it is meant"


def altered_file(folder: Path) -> None:
    """Change a document of a backup and keep its length."""
    raw = (folder / "MEMORY.md").read_bytes()
    write(folder / "MEMORY.md", raw[:-1] + (b"x" if raw[-1:] != b"x" else b"y"))


def altered_length(folder: Path) -> None:
    """Write a longer document into a backup and make its description agree."""
    raw = (folder / "MEMORY.md").read_bytes() + b" and more"
    write(folder / "MEMORY.md", raw)
    adapt(folder, lambda about: about["documents"]["memory"].update(bytes=len(raw)))


def emptied(folder: Path) -> None:
    """Take a document out of a backup and make its description agree."""
    (folder / "MEMORY.md").unlink()
    adapt(folder, lambda about: about["documents"]["memory"].update(state="missing", bytes=0))


def fewer(folder: Path) -> None:
    """Let a backup say that it never held one of its documents."""
    adapt(folder, lambda about: about["documents"].pop("user"))


def other_change(folder: Path) -> None:
    """Let a backup say that it was made for another change."""
    adapt(folder, lambda about: about.update(change="f" * 16))


def adapt(folder: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    """Edit the description of a backup."""
    about = json.loads((folder / "about.json").read_bytes())
    edit(about)
    write(folder / "about.json", json.dumps(about).encode())


@pytest.mark.parametrize("edit", [altered_file, altered_length, emptied, fewer, other_change])
def test_a_backup_that_is_not_what_was_recorded_is_not_restored(damaged: Cli, edit: Callable[[Path], None]) -> None:
    folder = backup_of(damaged, "-first")
    assert "1 would be applied" in damaged("rollback", folder.name, "--dry-run").out
    edit(folder)
    before = damaged.raw(), damaged.raw("user"), damaged.waiting()
    for verb in (("rollback", folder.name, "--dry-run"), ("rollback", folder.name)):
        answer = damaged(*verb)
        assert answer.code == 3, (verb, answer.out)
        assert f"backup {folder.name} cannot be used" in answer.err
        assert "row 1" in answer.err
    assert (damaged.raw(), damaged.raw("user"), damaged.waiting()) == before


def test_a_backup_is_held_against_its_row_only_as_far_as_that_row_is_whole(damaged: Cli) -> None:
    folder = backup_of(damaged, "-first")
    run(damaged.home, "UPDATE memory_ledger SET hash = ? WHERE seq = 1", "0" * 64)
    assert "row 1, which names it, does not match its hash" in damaged("rollback", folder.name).err
    run(damaged.home, "UPDATE memory_ledger SET body = 'garbage' WHERE seq = 1")
    assert "no row of the ledger names it" in damaged("rollback", folder.name).err


def test_a_backup_whose_salts_are_gone_is_not_restored(damaged: Cli) -> None:
    folder = backup_of(damaged, "-first")
    run(damaged.home, "DELETE FROM memory_texts WHERE id LIKE '%:image:%'")
    answer = damaged("rollback", folder.name)
    assert answer.code == 3
    assert "cannot be held against row 1 any more" in answer.err


def test_a_backup_made_by_hand_is_restored_only_where_nothing_is_recorded(damaged: Cli) -> None:
    folder = backup_of(damaged, "-first")
    mine = folder.with_name("20200101T000000Z-mine")
    shutil.copytree(folder, mine)
    adapt(mine, lambda about: about.update(id=mine.name, change="mine"))
    answer = damaged("rollback", mine.name)
    assert answer.code == 3
    assert "no row of the ledger names it" in answer.err
    shutil.rmtree(damaged.home / "curator-tui")
    assert damaged.json("rollback", mine.name)["change"]
    assert damaged.raw() == (mine / "MEMORY.md").read_bytes()
