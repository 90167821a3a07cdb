"""Every system call fails once: either nothing changed and an error says so, or it is done; never a damaged home."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.stores.consistency import check, state_of
from tests.stores.sweeps.cases import CASES, RECOVERIES, Case
from tests.stores.sweeps.driver import resolve
from tests.stores.sweeps.runs import need_strace, run
from tests.stores.sweeps.tracing import Point, Swept, sweep

pytestmark = pytest.mark.slow

# What can go wrong with each call; one that is not named here cannot fail in a way that matters (closing, asking who
# we are).
ERRORS: dict[str, tuple[str, ...]] = {
    "openat": ("EMFILE", "EACCES"),
    "read": ("EIO",),
    "pread64": ("EIO",),
    "write": ("ENOSPC", "EIO"),
    "pwrite64": ("ENOSPC", "EIO"),
    "fsync": ("EIO",),
    "fdatasync": ("EIO",),
    "ftruncate": ("EIO",),
    "linkat": ("EIO", "EPERM"),
    "rename": ("EIO", "EACCES"),
    "renameat": ("EIO", "EACCES"),
    "unlink": ("EIO",),
    "unlinkat": ("EIO", "EACCES"),
    "mkdirat": ("ENOSPC",),
    "newfstatat": ("EIO",),
    "fstat": ("EIO",),
    "getdents64": ("EIO",),
    "fchmod": ("EPERM",),
    "fchown": ("EPERM",),
    "flock": ("ENOLCK",),
    "fcntl": ("EIO",),
    "faccessat2": ("EACCES",),
    "close": ("EIO",),
}


@pytest.mark.parametrize("case", [*CASES, *RECOVERIES], ids=lambda case: case.name)
def test_every_call_fails_once(tmp_path: Path, case: Case) -> None:
    need_strace()
    ends: Counter[str] = Counter()

    def one(swept: Swept, point: Point, home: Path) -> list[str]:
        found: list[str] = []
        for number, error in enumerate(ERRORS.get(point.call, ())):
            trial = home if number == 0 else swept.fresh(f"{home.name}-{error}")
            found += [f"{error}: {fault}" for fault in _once(swept, case, point, error, trial, ends)]
        return found

    report = sweep(tmp_path, case, one, changing_only=not case.whole, calls=frozenset(ERRORS), may_thin=True)
    print(report.line(f"calls of {case.name} failing"), dict(ends))
    assert report.faults == []


def _once(swept: Swept, case: Case, point: Point, error: str, home: Path, ends: Counter[str]) -> list[str]:
    outcome = run(case.operation, home, [f"{point.call}:error={error}:when={point.ordinal}"])
    found = check(home)
    state = state_of(home)
    end = "new" if state == swept.new else "old" if state == swept.old else "neither"
    said = "done" if outcome.done else "unfinished" if outcome.unfinished else "refused" if outcome.refused else "crash"
    ends[f"{said}, {end}"] += 1
    recovery = swept.old == swept.new
    if end == "neither" or said == "crash" or (not recovery and (said, end) in {("done", "old"), ("refused", "new")}):
        found.append(f"{said}, but {end}: {outcome.said[-600:]}")
    resolve(case.operation)(home)
    found += [f"after repeating: {problem}" for problem in check(home)]
    if state_of(home) != swept.new:
        found.append("repeating does not lead to the new state")
    return found


@pytest.mark.parametrize("name", ["approve", "plan"])
def test_an_error_and_then_another_program(tmp_path: Path, name: str) -> None:
    """After an error another program writes MEMORY.md before anybody of us looks again."""
    need_strace()
    case = next(found for found in CASES if found.name == name)
    theirs = "\n§\nwritten by another program".encode()

    def one(swept: Swept, point: Point, home: Path) -> list[str]:
        error = ERRORS[point.call][0]
        run(case.operation, home, [f"{point.call}:error={error}:when={point.ordinal}"])
        memory = home / "memories" / "MEMORY.md"
        memory.write_bytes(memory.read_bytes() + theirs)
        found = check(home, outside=True)
        if theirs not in memory.read_bytes():
            found.append("what another program wrote is gone")
        resolve(case.operation)(home)
        return found + check(home, outside=True)

    report = sweep(tmp_path, case, one, changing_only=True, calls=frozenset(ERRORS))
    print(report.line(f"calls of {case.name} failing, then another program writes"))
    assert report.faults == []


@pytest.mark.parametrize(
    "call", ["fsync:error=EIO", "pwrite64:error=ENOSPC", "renameat:error=EIO", "openat:error=EMFILE"]
)
def test_a_call_that_keeps_failing(tmp_path: Path, call: str) -> None:
    """From some call on the disk is broken for good; the next start with a whole disk finds a whole home."""
    need_strace()
    case = CASES[1]
    name = call.partition(":")[0]

    def one(swept: Swept, point: Point, home: Path) -> list[str]:
        outcome = run(case.operation, home, [f"{call}:when={point.ordinal}+"])
        found = check(home)
        state = state_of(home)
        if state not in (swept.old, swept.new):
            found.append(f"neither old nor new: {state}")
        if outcome.done and state != swept.new:
            found.append("said done, but nothing was changed")
        if outcome.refused and state != swept.old:
            found.append("said that nothing was changed, but it was")
        if not (outcome.done or outcome.refused or outcome.unfinished):
            found.append(f"crashed: {outcome.said[-600:]}")
        resolve(case.operation)(home)
        return found + [f"after repeating: {problem}" for problem in check(home)]

    report = sweep(tmp_path, case, one, changing_only=True, calls=frozenset({name}))
    print(report.line(f"{call} for good, from each of its calls on"))
    assert report.faults == []
