"""The doctor: what it calls a problem, what it only mentions, and the one thing it repairs."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from curator_tui.cli.doctor import _lines
from curator_tui.core.preflight import Problem
from curator_tui.curator.doctor import Report
from tests.cli.conftest import Cli
from tests.homes import fixture_home, make_home, picture, record, write

ROOT = Path(__file__).parents[2]


def test_looking_changes_nothing_and_creates_nothing(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    cli = cli_at(make_home(tmp_path / "home", memory="Uses zsh", pending=[record("c0000001", "add", "x")]))
    before = picture(cli.home)
    for verb in ("doctor", "status", "memory", "pending", "ledger", "backups", "prompt"):
        assert cli(verb).code == 0
    assert picture(cli.home) == before


def test_looking_takes_no_lock_of_anybody(
    tmp_path: Path, cli_at: Callable[[Path], Cli], monkeypatch: pytest.MonkeyPatch
) -> None:
    cli = cli_at(make_home(tmp_path / "home", memory="Uses zsh"))
    assert cli("add", "--target", "user", "Likes rye").code == 0
    lock = cli.home / "memories" / "MEMORY.md.lock"
    with lock.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        monkeypatch.setattr(fcntl, "flock", None)
        assert "MEMORY.md.lock is held right now" in " ".join(cli.json("doctor")["notes"])
    for verb in ("doctor", "status", "memory", "pending", "ledger", "backups", "prompt"):
        assert cli(verb).code == 0


def test_an_interrupted_change_is_told_by_readers_and_finished_by_repair(
    tmp_path: Path, cli_at: Callable[[Path], Cli]
) -> None:
    cli = cli_at(make_home(tmp_path / "home", memory="Uses zsh", pending=[record("c0000001", "add", "Has a cat")]))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CURATOR_TUI_FAILPOINTS": "begun=kill"}
    done = subprocess.run(
        [sys.executable, "-m", "curator_tui", "--home", str(cli.home), "approve", "c0000001"],
        env=environment,
        check=False,
    )
    assert done.returncode == -9
    assert "recovery pending" in cli("status").err
    assert cli("status", "--json").json["recovery_pending"] is True
    report = cli.json("doctor", code=1)
    assert report["problems"][0]["code"] == "recovery-pending"
    repaired = cli.json("doctor", "--repair")
    assert repaired["repaired"] is True
    assert repaired["ok"] is True
    assert cli("status").err == ""
    again = cli.json("doctor", "--repair")
    assert (again["repaired"], again["interrupted"], again["removed"]) == (False, None, 0)
    both = ("Has a cat" in cli.entries(), "c0000001" in cli.waiting())
    assert both in {(True, False), (False, True)}


def test_an_interrupted_undo_is_no_lost_effect_of_what_it_undoes(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    """Its document stands as before the change already, and the ledger says so as soon as the undo is finished."""
    cli = cli_at(make_home(tmp_path / "home", memory="Uses zsh", pending=[record("c0000001", "add", "Has a cat")]))
    assert cli("approve", "c0000001").code == 0
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CURATOR_TUI_FAILPOINTS": "document_renamed=kill"}
    verb = [sys.executable, "-m", "curator_tui", "--home", str(cli.home), "undo"]
    assert subprocess.run(verb, env=environment, check=False).returncode == -9
    assert cli.entries() == ("Uses zsh",)
    report = cli.json("doctor", code=1)
    assert [problem["code"] for problem in report["problems"]] == ["recovery-pending"]
    assert cli.json("doctor", "--repair")["problems"] == []


@pytest.mark.parametrize(
    ("point", "ending", "words"),
    [("begun", "undone", "was undone"), ("documents_synced", "finished", "was finished")],
)
def test_repair_says_what_became_of_an_interrupted_change(
    tmp_path: Path, cli_at: Callable[[Path], Cli], point: str, ending: str, words: str
) -> None:
    pending = [record("c0000001", "add", "Has a cat")]
    for name, form in (("one", "json"), ("other", "text")):
        cli = cli_at(make_home(tmp_path / name, memory="Uses zsh", pending=pending))
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "CURATOR_TUI_FAILPOINTS": f"{point}=kill"}
        verb = [sys.executable, "-m", "curator_tui", "--home", str(cli.home), "approve", "c0000001"]
        subprocess.run(verb, env=environment, check=False)
        if form == "json":
            repaired = cli.json("doctor", "--repair")
            assert (repaired["repaired"], repaired["interrupted"]) == (True, ending)
        else:
            assert words in cli("doctor", "--repair").out.splitlines()[0]


def test_repair_in_a_copied_home_says_that_a_change_of_the_original_is_dropped(
    tmp_path: Path, cli_at: Callable[[Path], Cli]
) -> None:
    original = make_home(tmp_path / "home", memory="Uses zsh", pending=[record("c0000001", "add", "Has a cat")])
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CURATOR_TUI_FAILPOINTS": "begun=kill"}
    verb = [sys.executable, "-m", "curator_tui", "--home", str(original), "approve", "c0000001"]
    subprocess.run(verb, env=environment, check=False)
    shutil.copytree(original, tmp_path / "copy")
    cli = cli_at(tmp_path / "copy")
    assert "recovery pending" in cli("status").err
    answer = cli("doctor", "--repair")
    assert answer.code == 0, answer.out
    assert "This home is a copy" in answer.out.splitlines()[0]
    assert "No change was interrupted" not in answer.out
    assert re.search(r"removed: [1-9]", answer.out.splitlines()[1])
    assert cli("status").err == ""
    assert [row["action"] for row in cli.json("ledger")["rows"]] == ["copied"]
    assert cli.waiting() == {"c0000001"}
    assert cli_at(original).json("doctor", "--repair")["interrupted"] == "undone", "the original has its own"


def test_what_was_left_behind_is_named_with_the_way_to_be_rid_of_it(
    tmp_path: Path, cli_at: Callable[[Path], Cli]
) -> None:
    cli = cli_at(make_home(tmp_path / "home", memory="Uses zsh"))
    cli.json("add", "--target", "user", "Likes rye")
    memories = cli.home / "memories"
    write(memories / ".curator-tui-abc-memory.tmp", b"half")
    strange = memories / "backups" / "20261130T000000Z-abc.part"
    (strange / "folder").mkdir(parents=True)
    told = cli.json("doctor", code=1)["problems"]
    assert {one["code"] for one in told} == {"leftover"}
    messages = [one["message"] for one in told]
    assert any(".curator-tui-abc-memory.tmp" in one and "--repair removes it" in one for one in messages)
    repaired = cli.json("doctor", "--repair", code=1)
    assert repaired["removed"] == 1
    (left,) = repaired["problems"]
    assert str(strange) in left["message"]
    assert "it holds a folder" in left["message"]
    assert "remove it" in left["message"]


def test_after_a_repair_the_doctor_looks_at_what_it_has_made(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    pending = [record("c0000001", "add", "Has a cat"), record("c0000002", "add", "Likes rye", target="user")]
    cli = cli_at(make_home(tmp_path / "home", memory="Uses zsh", user="Ana", pending=pending))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CURATOR_TUI_FAILPOINTS": "document_renamed=kill"}
    verb = ["approve", "c0000001", "c0000002"]
    subprocess.run([sys.executable, "-m", "curator_tui", "--home", str(cli.home), *verb], env=environment, check=False)
    assert len(cli.entries("memory")) + len(cli.entries("user")) == 3, "one of the two documents was renamed"
    notes = cli.json("doctor", "--repair")["notes"]
    for target, size in (("memory", 20), ("user", 15)):
        assert any(note.startswith(f"{target.upper()}.md: {size}/") for note in notes), notes


def test_what_waits_for_a_person_is_a_note(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    cli = cli_at(make_home(tmp_path / "home", memory="Uses zsh", raw_files={f"half{n}.json": b"{" for n in range(2)}))
    entry = cli.json("memory")["documents"]["memory"]["entries"][0]["id"]
    cli.json("challenge", entry, "--reason", "wrong")
    report = cli.json("doctor")
    assert report["ok"] is True
    assert any(note.startswith("2 records of the queue cannot be read: half0, half1;") for note in report["notes"])
    assert any(note.startswith("1 question about a disputed entry waits for an answer") for note in report["notes"])


def test_circumstances_are_notes_and_never_problems(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    cli = cli_at(
        make_home(
            tmp_path / "home",
            memory="## A\n- x\n\n## B\n- y",
            config={"memory_enabled": False, "provider": "honcho", "memory_char_limit": 10},
        )
    )
    memories = cli.home / "memories"
    write(memories / "MEMORY.md.bak.1790000000", b"x")
    write(memories / ".mem_x.tmp", b"x")
    (memories / "MEMORY.md.lock").touch()
    (memories / "MEMORY.md.lock").chmod(0o666)
    report = cli.json("doctor")
    assert report["ok"] is True
    notes = "\n".join(report["notes"])
    for words in (
        "the gate is off",
        "MEMORY.md is switched off",
        "memory provider honcho",
        "MEMORY.md: 18/10 characters (100 %, 8 over), 18 bytes",
        "2 headings",
        "drift copies: 1 (newest MEMORY.md.bak.1790000000)",
        "temporary files (.mem_*.tmp): 1",
        "MEMORY.md.lock can be locked by others (mode 0666",
    ):
        assert words in notes
    assert notes.count("held right now") == 0


def test_the_session_history_is_held_against_the_documents(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    import sqlite3

    cli = cli_at(fixture_home(tmp_path / "home"))
    block = cli.json("prompt")["text"]
    with sqlite3.connect(cli.home / "state.db") as connection:
        connection.execute("UPDATE sessions SET system_prompt = ?", (f"You are.\n\n{block}\n\nMore.",))
    connection.close()
    assert "newest session" not in " ".join(cli.json("doctor")["notes"])
    cli.json("add", "--target", "user", "Owns a canoe")
    notes = " ".join(cli.json("doctor")["notes"])
    assert "USER.md differs from what the newest session" in notes
    assert "MEMORY.md differs" not in notes
    with sqlite3.connect(cli.home / "state.db") as connection:
        connection.execute("DELETE FROM messages_fts WHERE rowid = (SELECT min(rowid) FROM messages_fts)")
    connection.close()
    assert "full-text index" in " ".join(cli.json("doctor")["notes"])


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
@pytest.mark.parametrize("name", ["curator-tui/lock", "memories/MEMORY.md.lock"])
def test_a_lock_that_nobody_can_take_is_a_problem_as_the_refused_verbs_say(
    tmp_path: Path, cli_at: Callable[[Path], Cli], name: str, make: Callable[[Path], None]
) -> None:
    cli = cli_at(make_home(tmp_path / "home", memory="Uses zsh", pending=[record("c0000001", "add", "Has a cat")]))
    (cli.home / "curator-tui").mkdir(mode=0o700)
    make(cli.home / name)
    refused = cli("approve", "c0000001")
    assert (refused.code, cli.entries(), cli.waiting()) == (3, ("Uses zsh",), {"c0000001"})
    (problem,) = cli.json("doctor", code=1)["problems"]
    assert problem["code"] == "lock-unusable"
    assert "move it away" in problem["message"]
    assert problem["message"] in refused.err
    os.rename(cli.home / name, tmp_path / "away")
    assert cli("approve", "c0000001").code == 0
    assert cli.json("doctor")["problems"] == []


@pytest.mark.parametrize(("count", "words"), [(1, "1 problem."), (2, "2 problems.")])
def test_one_problem_is_one(count: int, words: str) -> None:
    report = Report(tuple(Problem(f"p{number}", "Something.") for number in range(count)), ())
    assert list(_lines(report))[-1] == words


def test_an_older_document_put_back_stays_known_until_a_person_settled_it(
    tmp_path: Path, cli_at: Callable[[Path], Cli]
) -> None:
    pending = [record("c0000001", "add", "Has a cat"), record("c0000002", "add", "Bakes rye bread")]
    cli = cli_at(make_home(tmp_path / "home", memory="Uses zsh", pending=pending))
    before = cli.raw()
    lost = cli.json("approve", "c0000001")["change"]
    write(cli.home / "memories" / "MEMORY.md", before)
    for _ in range(2):
        (problem,) = cli.json("doctor", code=1)["problems"]
        assert problem["code"] == "effect-absent"
        assert f"change {lost} was applied" in problem["message"]
        cli("approve", "c0000002")
    assert f"curator-tui undo {lost}" in problem["message"]
    cli.json("undo", lost)
    assert cli.json("doctor")["problems"] == []
    assert cli.entries() == ("Uses zsh", "Bakes rye bread")
