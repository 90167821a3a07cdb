"""What all races share: the pair of curators, started once because that takes longer than a round, and the ground."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stores.ground import Ground
from tests.stores.races.crew import Crew


@pytest.fixture(scope="session")
def hired() -> Iterator[Crew]:
    """Two curators for the whole run."""
    with Crew(["ada", "ben"]) as crew:
        yield crew


@pytest.fixture
def pair(hired: Crew) -> Iterator[Crew]:
    """Two curators who want the same thing at the same time; one race that failed does not spoil the next."""
    yield hired
    hired.mend()


# waiting for a disk is most of a round, and on a busy one it is nearly all of it
_MEMORY_DISK = Path("/dev/shm")


@pytest.fixture(params=["hermes"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which store is raced on; a race that any store must stand says so by its sizes."""
    return str(request.param)


@pytest.fixture
def anywhere(kind: str, ground: Path, request: pytest.FixtureRequest) -> Ground:
    """Where the stores of a race are made, of whatever kind they are."""
    return Ground(kind, ground, request.getfixturevalue("server") if kind == "postgres" else None)


@pytest.fixture
def ground(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """Where the homes of a race are made: on a real disk in the full size, in memory where there is one in the fast."""
    if request.node.get_closest_marker("slow") is not None or not _MEMORY_DISK.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="races-", dir=_MEMORY_DISK) as folder:
        yield Path(folder)
