"""Group ``hermes``: what Hermes Agent itself takes for the same things, beside ours, where it is installed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Self

from curator_tui.core.requests import Decision, Verb
from curator_tui.curator.desk import Desk
from curator_tui.stores.hermes.queue import Queue
from curator_tui.stores.safe_files import Folder
from tests.bench import homes
from tests.bench.cli_group import START, run_once
from tests.bench.rows import Row, Skipped, compared, interleaved, timed
from tests.bench.workplace import Workplace, opened

PYTHON_VARIABLE = "CURATOR_TUI_HERMES_PYTHON"
_WORKER = Path(__file__).with_name("hermes_worker.py")
_NOTE = "floor: Hermes itself"


def measure(place: Workplace) -> Iterator[Row | Skipped]:
    """Measure listing, approving and starting, in turn with ours."""
    python = os.environ.get(PYTHON_VARIABLE, "")
    if not python or not Path(python).exists():
        yield Skipped("Hermes Agent's own figures", f"{PYTHON_VARIABLE} names no interpreter that has hermes-agent")
        return
    for waiting in (60, 120) if place.quick else (1_000, 10_000):
        home = place.home(waiting)
        with _Hermes(python, home) as hermes:
            theirs, ours = interleaved(place.times(9), partial(hermes.ask, "list"), partial(_read, home))
        note = f"{_NOTE} (list_pending: no checks of what a file is)"
        yield compared(f"all {waiting:,} waiting read", theirs, ours, note=note)
    for waiting in (place.few, place.many):
        yield _approve(place, python, waiting)
    command = Path(python).with_name("hermes")
    if command.exists():
        theirs, ours = interleaved(
            place.times(9), partial(_version, place, command), partial(run_once, place, ["-c", START, "--version"])
        )
        yield compared("process start, --version", theirs, ours, note=_NOTE)
    else:
        yield Skipped("hermes --version", "there is no such command beside the interpreter")


def _read(home: Path) -> float:
    with Folder.open(str(home)) as folder:
        queue = Queue(folder)
        return timed(queue.refresh)


def _approve(place: Workplace, python: str, waiting: int) -> Row:
    """Let both approve the same records, each in a home of its own."""
    names = iter([record["id"] for record in homes.records(homes.SMALL_ADDS, roomy=True)])
    desk = opened(place.new_home(waiting, roomy=True))
    with _Hermes(python, place.new_home(waiting, roomy=True)) as hermes:
        desk.decide([Decision(first := next(names), Verb.APPROVE)])
        hermes.ask(f"approve {first}")
        ours_next, theirs_next = iter(chosen := list(names)), iter(chosen)
        theirs, ours = interleaved(
            place.times(30), lambda: hermes.ask(f"approve {next(theirs_next)}"), lambda: _decide(desk, next(ours_next))
        )
    desk.close()
    return compared(f"one approve, {waiting:,} waiting", theirs, ours, note=f"{_NOTE}: no sync of folders, no undo")


def _decide(desk: Desk, name: str) -> float:
    return timed(lambda: desk.decide([Decision(name, Verb.APPROVE)]))


def _version(place: Workplace, command: Path) -> float:
    environment = place.environment(HERMES_HOME=str(place.scratch / "no-home"), PYTHONPATH="")
    return timed(lambda: subprocess.run([command, "--version"], env=environment, capture_output=True, check=True))


class _Hermes:
    """One Hermes interpreter at work on one home."""

    def __init__(self, python: str, home: Path) -> None:
        environment = {"HERMES_HOME": str(home), "HOME": str(home), "PATH": os.defpath, "LANG": "C.UTF-8"}
        self._process = subprocess.Popen(
            [python, "-I", str(_WORKER)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)

    def ask(self, line: str) -> float:
        """Let Hermes do one thing; return the seconds it took by its own clock."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        seconds = float(self._process.stdout.readline() or "-1")
        if seconds < 0:
            raise AssertionError(f"Hermes did not do what was measured: {line}")
        return seconds
