"""Odd environments: closed streams, names that are no UTF-8, strange times, folders that are files."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from curator_tui.core.errors import Unreadable
from curator_tui.stores.book.db import SqliteDb
from tests.cli.conftest import Cli
from tests.homes import fixture_home, make_home, record

ROOT = Path(__file__).parents[2]


def started(*args: str, redirect: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command in a shell, so that streams can be closed."""
    quoted = " ".join(f'"${{{number}}}"' for number in range(1, len(args) + 1))
    return subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" -m curator_tui {quoted} {redirect}', "sh", *args],
        capture_output=True, text=True, check=False, timeout=60, cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Build a home with one waiting write."""
    return make_home(tmp_path / "home", memory="Uses zsh", pending=[record("c0000001", "add", "Has a cat")])


# -- streams --------------------------------------------------------------------------------------------------------


def test_a_closed_stdout_is_told_and_nothing_of_the_store_is_opened_in_its_place(home: Path) -> None:
    done = started("--home", str(home), "approve", "c0000001", redirect=">&-")
    assert done.returncode == 3
    assert "could not be printed: it is closed" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Has a cat" in (home / "memories" / "MEMORY.md").read_text()
    assert started("--home", str(home), "ledger", "verify").returncode == 0


def test_a_closed_stderr_hides_no_answer(home: Path) -> None:
    done = started("--home", str(home), "status", "--json", redirect="2>&-")
    assert done.returncode == 0
    assert json.loads(done.stdout)["pending"] == 1
    assert started("--home", str(home), "show", "nothing1", redirect="2>&- >&-").returncode == 3


@pytest.mark.parametrize(
    ("verb", "code"),
    [(("scan",), 2), (("add", "--target", "user", "-"), 2), ((), 2), (("status",), 0), (("demo",), 2)],
)
def test_a_closed_stdin_is_missed_only_where_it_is_read(home: Path, verb: tuple[str, ...], code: int) -> None:
    done = started("--home", str(home), *verb, redirect="<&-")
    assert done.returncode == code, done.stderr
    assert "internal" not in done.stderr
    assert "Traceback" not in done.stderr


# -- places -----------------------------------------------------------------------------------------------------------


def test_a_home_whose_name_is_no_utf8_is_written_and_read(
    tmp_path: Path, home: Path, cli_at: Callable[[Path], Cli]
) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/h\xff\xfeme"))
    try:
        shutil.move(home, odd)
    except OSError:
        pytest.skip("this file system has UTF-8 names only")
    cli = cli_at(odd)
    assert cli.json("approve", "c0000001")["applied"]
    for verb in ("status", "doctor", "ledger", "backups", "memory"):
        assert cli(verb).code == 0, verb
    assert cli.json("ledger", "verify")["ok"] is True


def test_an_empty_home_or_folder_is_no_name_for_the_one_we_are_in(
    home: Path, cli_at: Callable[[Path], Cli], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    cli = cli_at(home)
    assert cli.bare("--home", "", "status").code == 2
    assert cli.bare("demo", "--no-tui", "--keep", "").code == 2


@pytest.mark.parametrize("place", ["/etc/passwd/x", "/proc/1/nothing/here"])
def test_a_demo_that_cannot_be_built_is_a_usage_error(home: Path, cli_at: Callable[[Path], Cli], place: str) -> None:
    answer = cli_at(home).bare("demo", "--no-tui", "--keep", place)
    assert answer.code == 2
    assert "internal" not in answer.err
    assert place in answer.err


@pytest.mark.parametrize("number", ["profiles", "pending"])
def test_what_may_not_be_looked_at_is_not_taken_for_missing(
    home: Path, cli_at: Callable[[Path], Cli], monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    (home / "profiles" / "work").mkdir(parents=True)
    real = os.stat

    def refused(path: object, *args: object, **more: object) -> os.stat_result:
        if isinstance(path, str | Path) and number in Path(path).parts:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("curator_tui.stores.hermes.home.os.stat", refused)
    answer = cli_at(home)("--profile", "work", "status")
    assert answer.code == 3
    assert "Permission denied" in answer.err
    assert "internal" not in answer.err


def test_skills_that_cannot_be_counted_are_a_note_and_stop_nothing(home: Path, cli_at: Callable[[Path], Cli]) -> None:
    (home / "pending" / "skills").write_text("not a folder")
    cli = cli_at(home)
    status = cli.json("status")
    assert status["skills_waiting"] is None
    assert any("skill writes cannot be counted" in note for note in status["notes"])
    assert "skill writes cannot be counted" in cli("status").out
    assert cli("doctor").code == 0
    assert cli.json("approve", "c0000001")["applied"]


def test_a_document_that_is_a_link_into_the_home_itself_is_changed_there(
    home: Path, cli_at: Callable[[Path], Cli]
) -> None:
    memory = home / "memories" / "MEMORY.md"
    memory.rename(home / "MEMORY.md")
    memory.symlink_to("../MEMORY.md")
    cli = cli_at(home)
    assert cli.json("approve", "c0000001")["applied"]
    assert memory.is_symlink()
    assert cli.entries() == ("Uses zsh", "Has a cat")
    assert cli.json("undo")["change"]
    assert cli.entries() == ("Uses zsh",)
    assert cli.json("doctor", "--repair")["ok"] is True


def test_an_interrupted_change_behind_such_a_link_is_finished(home: Path, cli_at: Callable[[Path], Cli]) -> None:
    memory = home / "memories" / "MEMORY.md"
    memory.rename(home / "MEMORY.md")
    memory.symlink_to("../MEMORY.md")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CURATOR_TUI_FAILPOINTS": "documents_synced=kill"}
    subprocess.run(
        [sys.executable, "-m", "curator_tui", "--home", str(home), "approve", "c0000001"], env=environment, check=False
    )
    cli = cli_at(home)
    assert cli.json("doctor", "--repair")["repaired"] is True
    assert cli.entries() == ("Uses zsh", "Has a cat")
    assert cli.json("doctor")["ok"] is True
    assert not [name for name in os.listdir(home) if name.startswith(".curator-tui-")]


# -- values -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [b'{"id": NaN, "text": "x"}', b'{"id": 1e999, "text": "x"}', b'{"id": [-Infinity]}'])
def test_an_id_that_is_no_json_is_an_error_of_its_line(home: Path, cli_at: Callable[[Path], Cli], line: bytes) -> None:
    answer = cli_at(home).bare("scan", stdin=line + b'\n{"id": 2, "text": "y"}\n')
    assert answer.code == 1
    first, second = map(json.loads, answer.out.splitlines())
    assert first["error"]["code"] == "unreadable-line"
    assert (second["id"], second["flagged"]) == (2, False)


@pytest.mark.parametrize("time", [1_790_000_000_000, -1e300, "9e999", "'soon'", 2**62])
def test_strange_times_in_the_session_history_crash_no_verb(
    tmp_path: Path, cli_at: Callable[[Path], Cli], time: object
) -> None:
    cli = cli_at(fixture_home(tmp_path / "home"))
    with closing(sqlite3.connect(cli.home / "state.db")) as connection, connection:
        connection.execute(f"UPDATE messages SET timestamp = {time}")
        connection.execute(f"UPDATE sessions SET started_at = {time}")
    for item in cli.json("pending")["items"]:
        for verb in ("show", "evidence"):
            for form in ((), ("--json",)):
                assert cli(verb, item["id"], *form).code == 0, (verb, item["id"])
    assert cli("doctor").code == 0


@pytest.mark.parametrize(
    "at", ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00", "0001-01-01T00:00:00", "soon", "2026-01-01"]
)
def test_strange_times_in_a_backup_crash_no_verb(home: Path, cli_at: Callable[[Path], Cli], at: str) -> None:
    cli = cli_at(home)
    cli.json("approve", "c0000001")
    folder = next((home / "memories" / "backups").glob("*-first"))
    about = json.loads((folder / "about.json").read_text())
    (folder / "about.json").write_text(json.dumps({**about, "at": at}))
    for verb in (("backups",), ("backups", "--json"), ("doctor",), ("ledger", "verify"), ("rollback", "last")):
        answer = cli(*verb)
        assert answer.code in {0, 1}, (verb, answer.err)


@pytest.mark.parametrize(
    "created", ["1" * 400, "1e308", "-1e308", "-1e300", "253402300800", "1e999", "true", '"9e999"', "[]"]
)
def test_strange_times_in_a_record_crash_no_verb(home: Path, cli_at: Callable[[Path], Cli], created: str) -> None:
    file = home / "pending" / "memory" / "c0000001.json"
    raw = json.loads(file.read_text())
    raw.pop("created_at", None)
    file.write_text(json.dumps(raw)[:-1] + f', "created_at": {created}}}')
    cli = cli_at(home)
    for verb in (("pending",), ("show", "c0000001"), ("status",), ("status", "--json"), ("pending", "--json")):
        answer = cli(*verb)
        assert answer.code == 0, (verb, answer.err)
    assert cli.json("status")["oldest_age_s"] is None
    assert cli.json("pending")["items"][0]["created_at"] is None


@pytest.mark.parametrize(
    "verb", [("approve",), ("reject",), ("log-only",), ("reopen",), ("undo",), ("show",), ("evidence",), ("rollback",)]
)
@pytest.mark.parametrize("name", ["\udcff", "c0000001\udcff", "a/b", ".."])
@pytest.mark.parametrize("written", [False, True])
def test_an_id_that_is_no_unicode_is_an_ordinary_unknown_item(
    home: Path, cli_at: Callable[[Path], Cli], verb: tuple[str, ...], name: str, written: bool
) -> None:
    cli = cli_at(home)
    if written:
        cli.json("add", "--target", "user", "Has a dog")
    answer = cli(*verb, name, "--json")
    usual = cli(*verb, "nothing1", "--json")
    assert (answer.code, answer.json.keys()) == (usual.code, usual.json.keys()), answer.out + answer.err
    assert "internal" not in answer.out
    assert "damaged" not in answer.out
    codes = [[one["code"] for one in found.json.get("not_applied", [])] for found in (answer, usual)]
    assert codes[0] == codes[1]
    assert cli.waiting() == {"c0000001"}
    assert cli.json("doctor")["ok"] is True


@pytest.mark.parametrize("length", [0, 1, 3])
def test_a_beginning_too_short_to_be_meant_names_nothing(
    home: Path, cli_at: Callable[[Path], Cli], length: int
) -> None:
    cli = cli_at(home)
    change = cli.json("approve", "c0000001")["change"]
    backup = cli.json("backups")["backups"][-1]["id"]
    for verb, whole in (("undo", change), ("rollback", backup)):
        assert cli(verb, whole[:length]).code == 2
    assert cli.entries() == ("Uses zsh", "Has a cat")
    assert cli.json("undo", change[:-1])["change"]


@pytest.mark.parametrize("take", ["999999=before", "2=now", "0=before"])
def test_a_choice_for_an_entry_that_is_not_asked_about_is_a_usage_error(
    home: Path, cli_at: Callable[[Path], Cli], take: str
) -> None:
    cli = cli_at(home)
    change = cli.json("replace", "Uses zsh", "Uses fish")["change"]
    assert cli("undo", "--take", take).code == 2  # nothing changed since
    assert cli("undo", "--take", "1=before").code == 2
    cli.json("replace", "Uses fish", "Uses fish and bash")
    answer = cli("undo", change, "--take", take)
    assert answer.code == 2
    assert f"--take {take}: no entry with that number changed since." in answer.err
    assert cli.entries() == ("Uses fish and bash",)
    assert cli.json("undo", change, "--take", "1=before")["change"]
    assert cli.entries() == ("Uses zsh",)


@pytest.mark.parametrize("mask", [0o777, 0o277, 0o022])
def test_a_mask_that_takes_from_the_owner_leaves_nothing_that_cannot_be_opened(
    tmp_path: Path, cli_at: Callable[[Path], Cli], mask: int
) -> None:
    cli = cli_at(make_home(tmp_path / "home", memory="Uses zsh", pending=[record("c0000001", "add", "Has a cat")]))
    before = os.umask(mask)
    try:
        assert cli("approve", "c0000001").code == 0
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o700 for path in (cli.home / "curator-tui", cli.home / "memories")}
    assert modes == {"curator-tui": 0o700, "memories": 0o700}
    files = [path for path in cli.home.rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"lock", "book.sqlite", "MEMORY.md", "MEMORY.md.lock"}
    assert {path.stat().st_mode & 0o600 for path in files} == {0o600}


def test_that_too_many_files_are_open_is_said_of_a_book_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    really = os.open

    def full(path: str, *arguments: Any, **more: Any) -> int:
        if path == os.devnull:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return really(path, *arguments, **more)

    with pytest.raises(Unreadable) as told:
        SqliteDb(str(tmp_path / "none" / "book.sqlite"))
    assert "Check the permissions" in told.value.way_out
    monkeypatch.setattr(os, "open", full)
    with pytest.raises(Unreadable, match="Too many open files") as told:
        SqliteDb(str(tmp_path / "none" / "book.sqlite"))
    assert "ulimit -n" in told.value.way_out
