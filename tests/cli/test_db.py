"""``db upgrade`` and ``db check``: what they say, what they exit with, and what they load."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.cli.test_json import KEYS
from tests.databases import Place

LOADED = "import sys; print(*sorted({name.split('.')[0] for name in sys.modules}))"


@pytest.fixture
def cli(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> Cli:
    return cli_at(tmp_path)


def test_both_answer_with_the_keys_of_the_reference(cli: Cli, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/memory.db"
    made = cli.bare("--db", url, "db", "upgrade", "--json")
    assert (made.code, made.err) == (0, "")
    assert tuple(made.json) == KEYS["db upgrade"]
    assert (made.json["ok"], made.json["before"], made.json["adopted"]) == (True, None, None)
    tried = cli.bare("--db", url, "db", "check", "--json")
    assert (tried.code, tried.err) == (0, "")
    assert tuple(tried.json) == KEYS["db check"]
    assert tried.json["ok"] is True
    assert tried.json["settings"] == {"journal_mode": "wal", "synchronous": "FULL"}


def test_what_it_did_is_said_in_words(cli: Cli, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/memory.db"
    Place(url).execute(
        "CREATE TABLE agent_memory (user_id TEXT, memory_type TEXT, content TEXT)",
        "INSERT INTO agent_memory VALUES ('ada', 'memory', 'one')",
    )
    first = cli.bare("--db", url, "db", "upgrade").out
    assert "which had none of ours" in first
    assert "1 row taken over" in first
    assert "nothing was changed" in cli.bare("--db", url, "db", "upgrade").out
    assert "keeps what is written" in cli.bare("--db", url, "db", "check").out


def test_the_exit_code_says_what_it_is(cli: Cli, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/memory.db"
    assert cli.bare("--db", url, "db", "check").code == 3
    assert os.listdir(tmp_path) == []
    assert cli.bare("db", "check").code == 2
    assert cli.bare("--db", "mysql://x", "db", "check").code == 2
    assert cli.bare("--read-only", "--db", url, "db", "upgrade").code == 2
    Place(url).execute("CREATE TABLE other (x INTEGER)")
    found = cli.bare("--db", url, "db", "check", "--json")
    assert found.code == 1
    assert {problem["code"] for problem in found.json["problems"]} == {"needs-upgrade", "unsafe-setting"}


def test_a_password_is_never_shown(cli: Cli, tmp_path: Path) -> None:
    answer = cli.bare("--db", f"postgresql://ada:s3cret@/memory?host={tmp_path}", "db", "check")
    assert answer.code == 3
    assert "s3cret" not in answer.out + answer.err
    assert "postgresql://ada@/memory" in answer.err


def test_looking_at_a_file_loads_nothing_of_a_server(tmp_path: Path) -> None:
    script = (
        "from curator_tui.curator.databases import try_out, upgrade_tables\n"
        f"url = 'sqlite:///{tmp_path}/memory.db'\n"
        "import os, subprocess, sys\n"
        "subprocess.run([sys.executable, '-c', f'from curator_tui.curator.databases import upgrade_tables\\n"
        "upgrade_tables({url!r})'], check=True)\n"
        f"try_out(url)\n{LOADED}"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not set(run.stdout.split()) & {"sqlalchemy", "alembic", "psycopg", "textual"}
