"""Killed before every system call: the home is whole again, and repeating the operation succeeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.stores.consistency import check, state_of
from tests.stores.homes import copy_home
from tests.stores.sweeps.cases import CASES, RECOVERIES, Case
from tests.stores.sweeps.driver import resolve
from tests.stores.sweeps.runs import need_strace, run
from tests.stores.sweeps.tracing import Point, Swept, sweep

pytestmark = pytest.mark.slow

THEIRS = "\n§\nwritten by another program".encode()


@pytest.mark.parametrize("case", [*CASES, *RECOVERIES], ids=lambda case: case.name)
def test_killed_before_every_call(tmp_path: Path, case: Case) -> None:
    _sweep(tmp_path, case, outside=False)


@pytest.mark.parametrize("case", [case for case in (*CASES, *RECOVERIES) if case.outside], ids=lambda case: case.name)
def test_killed_before_every_call_and_then_another_program_writes(tmp_path: Path, case: Case) -> None:
    _sweep(tmp_path, case, outside=True)


def _sweep(folder: Path, case: Case, *, outside: bool) -> None:
    need_strace()

    def one(swept: Swept, point: Point, home: Path) -> list[str]:
        outcome = run(case.operation, home, [f"{point.call}:signal=SIGKILL:when={point.ordinal}"])
        if not outcome.killed:
            return [f"was not killed: {outcome}"]
        return _after(swept, case, home, outside=outside)

    report = sweep(folder, case, one, changing_only=True)
    print(report.line(f"kills of {case.name}{', then another program writes' if outside else ''}"))
    assert report.faults == []


def _after(swept: Swept, case: Case, home: Path, *, outside: bool) -> list[str]:
    memory = home / "memories" / "MEMORY.md"
    if outside:
        memory.write_bytes((memory.read_bytes() if memory.exists() else b"theirs") + THEIRS)
        found = check(home, outside=True)
        if THEIRS not in memory.read_bytes():
            found.append("what another program wrote is gone")
        resolve(case.operation)(home)
        return found + [f"after repeating: {problem}" for problem in check(home, outside=True)]
    found = check(home)
    state = state_of(home)
    if state not in (swept.old, swept.new):
        found.append(f"neither old nor new: {state}")
    resolve(case.operation)(home)
    found += [f"after repeating: {problem}" for problem in check(home)]
    if state_of(home) != swept.new:
        found.append("repeating does not lead to the new state")
    return found


def test_the_sweep_notices_a_gap(tmp_path: Path) -> None:
    """The sweep itself is worth something only if it fails where there is a gap."""
    need_strace()
    case = Case("two renames without a protocol", _gap_home, "tests.stores.sweeps.test_kills:two_renames")

    def one(swept: Swept, point: Point, home: Path) -> list[str]:
        run(case.operation, home, [f"{point.call}:signal=SIGKILL:when={point.ordinal}"])
        state = state_of(home)
        return [] if state in (swept.old, swept.new) else ["neither old nor new"]

    report = sweep(tmp_path, case, one, changing_only=True)
    assert report.faults


def _gap_home(path: Path) -> None:
    from tests.stores.homes import make_home

    make_home(path)


def two_renames(home: Path) -> None:
    """Replace both documents one after the other, as a program without an intent does."""
    for name in ("MEMORY.md", "USER.md"):
        file = home / "memories" / name
        file.with_suffix(".new").write_bytes(file.read_bytes() + b" more")
        file.with_suffix(".new").rename(file)


def test_a_copied_home_counts_as_the_original(tmp_path: Path) -> None:
    CASES[0].prepare(tmp_path / "source")
    assert state_of(copy_home(tmp_path / "source", tmp_path / "copy")) == state_of(tmp_path / "source")
    assert check(tmp_path / "copy") == []
