"""Databases of both engines for the tests of the SQL store."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.databases import ENGINES, Place, empty, made
from tests.postgres import Server


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def _server(engine: str, request: pytest.FixtureRequest) -> Server | None:
    return request.getfixturevalue("server") if engine == "postgres" else None


@pytest.fixture
def bare(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    """A database without any table."""
    return empty(engine, tmp_path, _server(engine, request))


@pytest.fixture
def place(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    """A database with all tables."""
    return made(engine, tmp_path, _server(engine, request))
