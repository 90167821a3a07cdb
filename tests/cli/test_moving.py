"""``export`` and ``import`` as a person and a script use them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from curator_tui.__main__ import main
from tests.cli.conftest import Cli
from tests.cli.test_json import KEYS
from tests.homes import make_home, record
from tests.stores.failures import killed_at


@pytest.fixture
def cli(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> Cli:
    cli = cli_at(
        make_home(tmp_path / "home", memory="Uses zsh", user="Ana", pending=[record("c0000001", "add", "A cat")])
    )
    cli.json("add", "--target", "user", "Likes rye")
    return cli


def test_a_home_moves_into_a_database_through_a_file(cli: Cli, tmp_path: Path) -> None:
    file, there = str(tmp_path / "file"), ("--db", f"sqlite:///{tmp_path}/memory.db", "--user", "ana")
    planned = cli.json("export", file, "--dry-run")
    assert not os.path.exists(file)
    sent = cli.json("export", file)
    assert os.stat(file).st_mode & 0o777 == 0o600
    assert tuple({**sent, "dry_run": True}) == KEYS["export"]
    assert (planned["digest"], sent["left_out"]) == (sent["digest"], [])
    tried = cli.bare(*there, "import", file, "--dry-run", "--json")
    assert (tried.code, os.path.exists(tmp_path / "memory.db")) == (0, False)
    came = cli.bare(*there, "import", file, "--json")
    assert tuple({**came.json, "dry_run": True}) == KEYS["import"]
    assert (came.code, came.json["verified"], came.json["digest"]) == (0, True, sent["digest"])
    assert cli.bare(*there, "undo").code == 0
    assert "in order" in cli.bare(*there, "ledger", "verify").out
    assert "the memory was imported" in cli.bare(*there, "ledger").out
    cli.json("add", "--target", "user", "Likes tea")
    full = cli.bare(*there, "import", "--from-home", str(cli.home))
    assert full.code == 1
    assert "another --user" in full.out
    other = cli.bare(*there[:2], "--user", "ben", "import", "--from-home", str(cli.home))
    assert (other.code, "Read again" in other.out) == (0, True)


def test_a_file_that_exists_is_left_as_it_is_and_one_that_was_interrupted_is_none(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "file"

    def export(_: object) -> None:
        assert main(["--home", str(cli.home), "export", str(file)]) == 0

    for point in ("line_written:3", "file_written"):
        assert killed_at(f"{point}=kill", export, None)
        assert not file.exists()
    cli.json("export", str(file))
    before = file.read_bytes()
    assert cli("export", str(file)).code == 2
    assert file.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["file", "home"]


def test_command_lines_that_contradict_themselves(cli: Cli, tmp_path: Path) -> None:
    assert cli("import").code == 2
    assert cli("import", "x", "--from-home", "y").code == 2
    assert cli("import", "x", "--from-profile", "y").code == 2
    assert cli("import", str(tmp_path / "none")).code == 2
    os.mkfifo(tmp_path / "pipe")
    assert cli("import", str(tmp_path / "pipe")).code == 3
    assert cli("--read-only", "import", "x").code == 2
    (tmp_path / "hostile").write_bytes(b"\x1b[2J\n")
    found = cli.json("import", str(tmp_path / "hostile"), code=3)
    assert found["error"]["code"] == "no-json"
