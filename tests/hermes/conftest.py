"""The Hermes interpreter for the tests of this folder: named by the environment, never guessed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hermes.client import PYTHON_VARIABLE, VERSION, Hermes

# a file system that replaces a file waits for the disk at each rename; on a busy one that is most of the run
_MEMORY_DISK = Path("/dev/shm")


@pytest.fixture(scope="session")
def hermes() -> Iterator[Hermes]:
    """A running Hermes, or a skip that nobody overlooks; a wrong Hermes is a failure, not a skip."""
    python = os.environ.get(PYTHON_VARIABLE)
    if not python:
        pytest.skip(
            f"REAL HERMES NOT TESTED: set {PYTHON_VARIABLE} to the python of an environment that has "
            f"hermes-agent=={VERSION}"
        )
    disk = _MEMORY_DISK if _MEMORY_DISK.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="hermes-home-", dir=disk) as home:
        worker = Hermes(python, Path(home))
        try:
            assert worker.version == VERSION, f"{PYTHON_VARIABLE} names {worker.version}, not {VERSION}"
            yield worker
        finally:
            worker.close()
