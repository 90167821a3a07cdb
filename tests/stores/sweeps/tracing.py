"""Counting the system calls of an operation and failing or killing it at each of them.

Works with ``strace``: a first run lists the calls between the marks as (name, ordinal in the process), then each is hit
in a run of its own. The child is single-threaded with a fixed hash seed, so the ordinals repeat.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.stores.sweeps.driver import BEGIN, END

DRIVER = Path(__file__).with_name("driver.py")
_CALL = re.compile(r"^(?:\d+\s+)?(\w+)\(")


@dataclass(frozen=True)
class Point:
    """One system call: its name and which of that name it is in the whole process."""

    call: str
    ordinal: int

    def __str__(self) -> str:
        return f"{self.call} #{self.ordinal}"


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    code: int
    said: str

    @property
    def done(self) -> bool:
        """Whether it reported success."""
        return self.said.startswith("done")

    @property
    def refused(self) -> bool:
        """Whether it reported that nothing was changed: an error of our tree, or a receipt that says so."""
        return self.said.startswith(("refused", "not-applied")) and not self.unfinished

    @property
    def unfinished(self) -> bool:
        """Whether it said that the next start finishes the change."""
        return self.said.startswith("refused unfinished")


def need_strace() -> None:
    """Skip, loudly, where the machine cannot trace."""
    if shutil.which("strace") is None:
        pytest.skip("NOT SWEPT: strace is not installed")
    probe = subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, check=False)
    if probe.returncode != 0:
        pytest.skip("NOT SWEPT: strace may not trace here")


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}


def run(operation: str, home: Path, inject: Sequence[str] = (), trace: Path | None = None) -> Outcome:
    """Run one operation in a child, with injections where given."""
    command = [sys.executable, str(DRIVER), operation, str(home)]
    if inject or trace:
        options = [part for one in inject for part in ("-e", f"inject={one}")]
        calls = {one.partition(":")[0] for one in inject}
        only = ["-e", f"trace={','.join(sorted(calls))}"] if calls else []
        command = ["strace", "-qq", "-o", str(trace or os.devnull), *only, *options, *command]
    done = subprocess.run(command, capture_output=True, text=True, env=_environment(), check=False, timeout=120)
    said = done.stdout.strip() or done.stderr.strip()
    return Outcome(done.returncode, said)


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
        elif inside:
            found.append(Point(call[1], counts[call[1]]))
    assert found, "no call between the marks"
    return found


def copy_home(source: Path, to: Path) -> Path:
    """Copy a home so that the book takes the copy for the original: its folders keep what it knows them by."""
    shutil.copytree(source, to, symlinks=True)
    rebind(to)
    return to


def rebind(home: Path) -> None:
    """Write the inode numbers of a copied home into its book."""
    import sqlite3

    file = home / "curator-tui" / "book.sqlite"
    if not file.exists() or file.stat().st_size == 0:
        return
    connection = sqlite3.connect(file)
    with connection:
        for name, folder in (("home inode", home), ("folder inode", home / "curator-tui")):
            connection.execute(
                "UPDATE memory_meta SET value = ? WHERE name = ?", (str(folder.stat().st_ino), name)
            )
    connection.close()
