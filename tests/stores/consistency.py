"""Whether a home is whole: used after every kill, error and power cut, by any test that has a home."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from curator_tui.core.documents import TARGETS
from curator_tui.stores.port import Store
from tests.stores.ground import Scope
from tests.stores.homes import documents, mend, open_store, waiting

# SQLite's own files beside an open or killed database; the next writer folds and removes them.
_DATABASE_FILES = {"book.sqlite", "book.sqlite-wal", "book.sqlite-shm", "lock", "deferred"}


@dataclass(frozen=True)
class State:
    """What can be compared of a home before and after an operation."""

    documents: tuple[tuple[str, bytes | None], ...]
    queue: tuple[tuple[str, bytes], ...]
    rows: int
    changes: int
    decided: tuple[tuple[str, str], ...]
    images: int
    aside: tuple[tuple[str, str], ...]


def state_of(path: Path | Scope) -> State:
    """Read the state of a home without writing to it."""
    store = open_store(path)
    try:
        changes = store.book.changes(count=None)
        names = [item.proposal for change in changes for item in change.closed]
        decided = store.book.decided(names)
        return State(
            documents=tuple(sorted(documents(path).items())),
            queue=tuple(sorted(waiting(path).items())),
            rows=len(store.book.rows()),
            changes=len(changes),
            decided=tuple(sorted((name, found.ending) for name, found in decided.items())),
            images=len(store.backups()[0]),
            aside=(
                *sorted((name, one.until) for name, one in store.book.asides().latest().items()),
                *sorted((one.question, str(one.reason)) for one in store.book.asides().questions()),
            ),
        )
    finally:
        store.close()


def check(path: Path | Scope, *, outside: bool = False) -> list[str]:
    """Recover a home and return everything that does not agree; empty when it is whole.

    Args:
        path: the home.
        outside: True when another program wrote the documents, so that they may differ from what we last knew.
    """
    store = open_store(path)
    try:
        mend(store)
        found = [f"{problem.code}: {problem.message}" for problem in store.check()]
        found += [f"left behind: {name}" for name in leftovers(path)] if isinstance(path, Path) else []
        if not outside:
            found += _known(store)
        if mend(store).interrupted:
            found.append("recovered twice")
    finally:
        store.close()
    return found


def _known(store: Store) -> list[str]:
    known, snapshot = store.book.known(), store.snapshot()
    return [
        f"{target}: the last known bytes are not those that stand there"
        for target in TARGETS
        if target in known and known[target] != snapshot.document(target).raw
    ]


def leftovers(path: Path) -> list[str]:
    """Return files that no finished operation leaves."""
    found: list[str] = []
    for folder, folders, files in os.walk(path):
        found += [os.path.join(folder, name) for name in folders if name.endswith(".part")]
        found += [os.path.join(folder, name) for name in files if name.endswith((".tmp", ".part"))]
    ours = path / "curator-tui"
    if ours.is_dir():
        found += [name for name in os.listdir(ours) if name not in _DATABASE_FILES]
    return found
