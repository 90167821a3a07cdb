"""Counting the system calls of an operation and failing or killing it at each of them.

Works with ``strace``: a first run lists the calls between the marks as (name, ordinal in the child), then each is hit
in a run of its own. Every child is a copy of the same single-threaded process with a fixed hash seed, so the ordinals
repeat.

A kill lands before its call runs. So a kill before a call that only reads finds the same files as one before the next
call that changes something, and by default only the latter are swept; ``CURATOR_TUI_SWEEP=all`` sweeps every call.
Calls of the memory allocator are never swept: their number varies from run to run, and they change no file.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.stores.consistency import State, check, state_of
from tests.stores.homes import copy_home
from tests.stores.sweeps.cases import Case
from tests.stores.sweeps.driver import BEGIN, END
from tests.stores.sweeps.runs import run

_CALL = re.compile(r"^(?:\d+\s+)?(\w+)\(")
_MEMORY = frozenset({"brk", "mmap", "mremap", "munmap", "madvise", "mprotect"})
# fmt: off
_CHANGING = frozenset(
    {
        "fallocate", "fchmod", "fchown", "fdatasync", "flock", "fsync", "ftruncate", "link", "linkat",
        "mkdir", "mkdirat", "pwrite64", "rename", "renameat", "renameat2", "rmdir", "symlink", "symlinkat",
        "unlink", "unlinkat", "write",
    }
)
# fmt: on


@dataclass(frozen=True)
class Point:
    """One system call: its name and which of that name it is in the child."""

    call: str
    ordinal: int
    changing: bool

    def __str__(self) -> str:
        return f"{self.call} #{self.ordinal}"


def points(operation: str, home: Path) -> list[Point]:
    """List every system call an operation makes between the marks; the home is used up."""
    with tempfile.NamedTemporaryFile() as file:
        outcome = run(operation, home, trace=Path(file.name))
        assert outcome.done, outcome
        lines = Path(file.name).read_text(errors="replace").splitlines()
    counts: Counter[str] = Counter()
    found: list[Point] = []
    inside = False
    for line in lines:
        call = _CALL.match(line)
        if call is None:
            continue
        counts[call[1]] += 1
        if BEGIN in line or END in line:
            inside = BEGIN in line
        elif inside and call[1] not in _MEMORY:
            changing = call[1] in _CHANGING or (call[1] == "openat" and "O_CREAT" in line)
            found.append(Point(call[1], counts[call[1]], changing))
    assert found, "no call between the marks"
    return found


@dataclass(frozen=True)
class Swept:
    """What a sweep compares with: the prepared home, and the states before and after the operation."""

    source: Path
    old: State
    new: State

    def fresh(self, name: str) -> Path:
        """Return a new copy of the prepared home."""
        return copy_home(self.source, self.source.parent / name)


THIN = 5


@dataclass(frozen=True)
class Report:
    """What a sweep found."""

    count: int
    faults: list[str]
    whole: int

    def line(self, what: str) -> str:
        """Return one line for the log: N of N."""
        bad = len({fault.partition(":")[0] for fault in self.faults})
        some = f" (every {THIN}th point of {self.whole})" if self.count < self.whole else ""
        return f"{what}: {self.count - bad} of {self.count}{some}"


def sweep(
    folder: Path,
    case: Case,
    one: Callable[[Swept, Point, Path], list[str]],
    *,
    changing_only: bool,
    calls: frozenset[str] | None = None,
    may_thin: bool = False,
) -> Report:
    """Hit every point of an operation, each on a fresh copy of its home, several at a time.

    Args:
        folder: an empty folder to work in.
        case: the operation.
        one: hits one point on one home and returns what is wrong.
        changing_only: leave out calls that only read (unless ``CURATOR_TUI_SWEEP=all``).
        calls: names of calls to hit; None for all.
        may_thin: with ``CURATOR_TUI_SWEEP=thin`` hit every fifth point only; of a database that is always done then.
    """
    source = folder / "source"
    case.prepare(source)
    counted = copy_home(source, folder / "counted")
    untouched = copy_home(source, folder / "untouched")
    found = points(case.operation, counted)
    assert check(counted) == []
    # a home that was prepared by a kill has a state of its own only once it is recovered
    assert check(untouched) == []
    swept = Swept(source, state_of(untouched), state_of(counted))
    if changing_only and os.environ.get("CURATOR_TUI_SWEEP") != "all":
        found = [point for point in found if point.changing]
    if calls is not None:
        found = [point for point in found if point.call in calls]
    assert found, "nothing to hit"
    whole = len(found)
    if (may_thin or case.database) and os.environ.get("CURATOR_TUI_SWEEP") == "thin":
        # another fifth for each operation, since all of them begin and end alike
        found = found[sum(case.name.encode()) % THIN :: THIN]

    def hit(point: Point) -> list[str]:
        home = swept.fresh(f"{point.call}-{point.ordinal:06}")  # of one width: no name begins another
        faults = [f"{point}: {fault}" for fault in one(swept, point, home)]
        for left in folder.glob(f"{home.name}*"):
            shutil.rmtree(left)
        return faults

    with ThreadPoolExecutor(os.cpu_count()) as workers:
        faults = [fault for faults in workers.map(hit, found) for fault in faults]
    return Report(len(found), faults, whole)
