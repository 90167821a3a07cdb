"""Where the tests of the store stand; a server is started once per process, when the first test asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import postgres
from tests.postgres import Server
from tests.stores.ground import KINDS, Ground


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with postgres.given() as running:
        yield running


@pytest.fixture(params=KINDS)
def ground(request: pytest.FixtureRequest, tmp_path: Path) -> Ground:
    """Where places are made: homes, files of SQLite, databases of a server."""
    kind = str(request.param)
    return Ground(kind, tmp_path, request.getfixturevalue("server") if kind == "postgres" else None)
