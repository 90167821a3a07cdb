"""The cases that the sweeps go through: how a home is prepared, and which operation is then killed or failed.

To sweep another operation, add a :class:`Case` to ``CASES``; nothing else has to know it. ``operation`` is a dotted
function (``module:function``) that takes the home's path, does its work in full (open, change, close) and can be
repeated; ``prepare`` may do anything to an empty path. Repeating must lead to the same state, so an operation draws its
operation id from its own name and not from chance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from tests.stores import operations
from tests.stores.failures import killed_at
from tests.stores.ground import Scope


@dataclass(frozen=True)
class Case:
    """One operation to be swept.

    Attributes:
        name: for the report.
        prepare: makes the home at a path that does not exist yet.
        operation: dotted function that takes the home's path.
        whole: True to fail also the calls that only read (kills there add nothing: see ``tracing``).
        outside: True to let another program write MEMORY.md after each kill, in a sweep of its own.
        database: True for a scope of a database, of which every sweep may be thinned.
    """

    name: str
    prepare: Callable[[Path], object]
    operation: str
    whole: bool = False
    outside: bool = False
    database: bool = False


def _plain(name: str, *, whole: bool = False, outside: bool = False) -> Case:
    function = operations.RUN[name].__name__
    return Case(name, operations.BEFORE[name], f"tests.stores.operations:{function}", whole, outside)


def _real(name: str) -> Case:
    prepare, operation = operations.REAL[name]
    return Case(name, prepare, f"tests.stores.operations:{operation.__name__}")


def _after_kill(name: str, point: str, *, outside: bool = False) -> Case:
    """Return the recovery of an operation that was killed at a failpoint."""

    def prepare(home: Path) -> None:
        operations.BEFORE[name](home)
        assert killed_at(f"{point}=kill", operations.RUN[name], home)

    title = f"recovery of {name} after {point}"
    return Case(title, prepare, "tests.stores.operations:recover_only", outside=outside)


def _embedded(name: str) -> Case:
    """Return an operation on a scope of a file of SQLite."""

    def prepare(folder: Path) -> None:
        operations.BEFORE[name](Scope("sqlite", folder, None))

    return replace(_plain(name), name=f"{name} in SQLite", prepare=prepare, database=True)


CASES: tuple[Case, ...] = (
    _plain("approve", whole=True, outside=True),
    _plain("plan", outside=True),
    _plain("reject"),
    _plain("delete", outside=True),
    _plain("returning"),
    _plain("create"),
    _plain("first_approve"),
    *(_real(name) for name in operations.REAL),
    *(_embedded(name) for name in operations.RUN),
)
RECOVERIES: tuple[Case, ...] = (
    _after_kill("approve", "images_placed"),
    _after_kill("plan", "document_renamed:1", outside=True),
    _after_kill("plan", "record_closed:2"),
    _after_kill("delete", "documents_synced"),
    _after_kill("reject", "begun"),
    _after_kill("returning", "record_returned"),
)
