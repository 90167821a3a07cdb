"""Disks of their own: a small file system in memory that a test can fill to the last byte."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

KILO = 1024


@contextmanager
def memory_disk(at: Path, size: int) -> Iterator[Path]:
    """Mount a small file system in memory."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("NOT FILLED: mounting needs root and mount")
    at.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(at)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"NOT FILLED: a small disk cannot be mounted here: {done.stderr.strip()}")
    try:
        yield at
    finally:
        subprocess.run(["umount", str(at)], check=True)


def fill(disk: Path, free: int) -> Path:
    """Leave so many bytes free on a disk; return the file to be removed to have its room again."""
    filler = disk / "filler"
    filler.write_bytes(b"x" * max(0, room(disk) - free))
    return filler


def room(disk: Path) -> int:
    """Return how many bytes are free on a disk."""
    found = os.statvfs(disk)
    return found.f_bavail * found.f_frsize
