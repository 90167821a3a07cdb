"""Starting: help and version answer at once and without anything slow; every verb has its help."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from curator_tui import __version__
from curator_tui.cli.root import root
from curator_tui.cli.verbs import VERBS
from tests.cli.conftest import Cli
from tests.homes import make_home, record

ROOT = Path(__file__).parents[2]
SLOW = ("textual", "sqlalchemy", "yaml", "rapidfuzz", "msgspec", "sqlite3", "rich")
_LOOK = """
import sys
from curator_tui.__main__ import main
code = main(sys.argv[1:])
print(code, *sorted(name for name in {slow} if name in sys.modules), file=sys.stderr)
"""


def python(*args: str) -> subprocess.CompletedProcess[str]:
    """Run a fresh interpreter that finds the package."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, *args], capture_output=True, text=True, env=environment, check=False)


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_nothing_slow(option: str) -> None:
    done = python("-c", _LOOK.format(slow=SLOW), option)
    assert done.stderr.strip() == "0"


@pytest.mark.parametrize("verb", ["status", "pending", "approve"])
def test_no_verb_needs_textual_or_sqlalchemy(verb: str, tmp_path: Path) -> None:
    (tmp_path / "memories").mkdir()
    done = python("-c", _LOOK.format(slow=("textual", "sqlalchemy", "rich")), "--home", str(tmp_path), verb, "x")
    assert done.stderr.splitlines()[-1] in {"0", "1", "2"}


def test_states_are_told_without_the_library_that_compares_texts(tmp_path: Path) -> None:
    """What is near to a lost entry helps whoever looks at the item; the state of thousands does not need it."""
    stale = record("a1", "replace", "rye bread", "spelt bread")
    home = make_home(tmp_path / "h", memory="white bread", pending=[stale, record("a2", "add", "rye bread")])
    done = python("-c", _LOOK.format(slow=("rapidfuzz",)), "--home", str(home), "status")
    assert "stale" in done.stdout
    assert done.stderr.splitlines()[-1] == "0"


def test_help_is_there_at_once() -> None:
    """Measured in processor time, which a busy machine does not stretch as it does the clock on the wall."""
    python("-m", "curator_tui", "--help")
    floor = min(_seconds("-c", "import click") for _ in range(5))
    ours = min(_seconds("-m", "curator_tui", "--help") for _ in range(5))
    assert ours - floor < 0.06, f"--help takes {ours * 1000:.0f} ms, click alone {floor * 1000:.0f} ms"


# verbs that print no answer but hold a conversation
TALKING = {"review"}


def _seconds(*args: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    python(*args)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_the_version_is_that_of_the_package(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    assert cli_at(tmp_path).bare("--version").out == f"curator-tui {__version__}\n"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_and_json(verb: str, tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    answer = cli_at(tmp_path).bare(verb, "--help")
    assert answer.code == 0
    assert answer.out.startswith(f"Usage: curator-tui {verb}")
    assert ("--json" in answer.out) is (verb not in TALKING | {"db"})
    assert ("--home" in answer.out) is (verb not in {"demo", "scan", "keys", "db"})


def test_help_lists_every_verb(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    text = cli_at(tmp_path).bare("--help").out
    assert root.list_commands(None) == list(VERBS)  # type: ignore[arg-type]
    assert all(f"  {verb} " in text for verb in VERBS)
