"""Running the command line inside the test process: the same ``main`` as the installed command."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from curator_tui.__main__ import main
from curator_tui.core.documents import Target, parse
from tests.homes import home_for_case


@dataclass(frozen=True)
class Answer:
    """What one command line answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on stdout."""
        assert self.out.isascii()
        assert self.out.count("\n") == 1
        return json.loads(self.out)


class Cli:
    """The command line bound to one home."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.home = home
        self._patch = monkeypatch
        self._capsys = capsys

    def __call__(self, *args: str, stdin: bytes = b"") -> Answer:
        """Run one verb on the home."""
        return self.bare("--home", str(self.home), *args, stdin=stdin)

    def bare(self, *args: str, stdin: bytes = b"") -> Answer:
        """Run a command line as it is."""
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        self._capsys.readouterr()
        code = main(args)
        out, err = self._capsys.readouterr()
        return Answer(code, out, err)

    def json(self, *args: str, stdin: bytes = b"", code: int | None = 0) -> Any:
        """Run one verb with ``--json``; the exit code must be ``code`` unless that is None."""
        answer = self(*args, "--json", stdin=stdin)
        assert code is None or answer.code == code, (answer.code, answer.out, answer.err)
        assert answer.err == ""
        return answer.json

    # -- what stands on the disk, read without the product's store ---------------------------------------------------

    def raw(self, target: str = "memory") -> bytes:
        """The bytes of a document."""
        return (self.home / "memories" / f"{target.upper()}.md").read_bytes()

    def entries(self, target: str = "memory") -> tuple[str, ...]:
        """The entries of a document after a reload."""
        return parse(Target(target), self.raw(target)).entries

    def waiting(self) -> set[str]:
        """Ids of the records in the queue folder."""
        return {file.stem for file in (self.home / "pending" / "memory").glob("*.json")}

    def states(self) -> dict[str, str]:
        """The state of every waiting item, as ``pending --json`` says."""
        return {item["id"]: item["state"] for item in self.json("pending")["items"]}


@pytest.fixture
def cli_at(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[Path], Cli]:
    """Bind the command line to a home; the environment of whoever runs the tests does not count."""
    for name in ("HERMES_HOME", "CURATOR_TUI_DEBUG", "HERMES_MANAGED_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    return lambda home: Cli(home, monkeypatch, capsys)


@pytest.fixture
def case(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> Callable[[str], Cli]:
    """Build the world of a numbered case and bind the command line to it."""
    return lambda name: cli_at(home_for_case(tmp_path / "home", name))
