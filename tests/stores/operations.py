"""One operation per kind of change, each as a function of a home's path, for sweeps and failpoint tests.

``BEFORE`` prepares a home for the operation of the same name; ``RUN`` opens the store, carries it out and closes it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from curator_tui.core.changes import Receipt, Verb
from tests.stores.homes import MEMORY, USER, added, correct, decide, deleted, make_home, open_store, planned, reopen

Operation = Callable[[Path], Receipt]


def _run(path: Path, *steps: object) -> Receipt:
    store = open_store(path)
    try:
        receipt: Receipt | None = None
        for request, plan in steps:  # type: ignore[misc]
            receipt = store.transact(request, plan)
        assert receipt is not None
        return receipt
    finally:
        store.close()


def first_use(path: Path) -> None:
    """A home that was never written by us."""
    make_home(path)


def used(path: Path) -> None:
    """A home whose book exists and knows both documents."""
    make_home(path)
    _run(path, (correct("setup"), planned({MEMORY: added("set up"), USER: added("set up")})))


def used_decided(path: Path) -> None:
    """A home where one item was rejected."""
    used(path)
    _run(path, (decide("setup reject", ["item2"], Verb.REJECT), planned()))


def missing_document(path: Path) -> None:
    """A home without USER.md."""
    make_home(path, user=None)
    _run(path, (correct("setup"), planned({MEMORY: added("set up")})))


def approve(path: Path) -> Receipt:
    """One item, one document."""
    return _run(path, (decide("approve", ["item0"]), planned({MEMORY: added("fact 0")})))


def plan(path: Path) -> Receipt:
    """Three items, both documents."""
    edits = {MEMORY: added("fact 0 and 2"), USER: added("fact 1")}
    return _run(path, (decide("plan", ["item0", "item1", "item2"]), planned(edits)))


def reject(path: Path) -> Receipt:
    """One item, no document."""
    return _run(path, (decide("reject", ["item0"], Verb.REJECT), planned()))


def delete(path: Path) -> Receipt:
    """Delete one document and change the other, as a rollback does."""
    return _run(path, (correct("delete"), planned({MEMORY: deleted, USER: added("stays")})))


def create(path: Path) -> Receipt:
    """Write a document that was missing."""
    return _run(path, (correct("create"), planned({USER: added("new")})))


def returning(path: Path) -> Receipt:
    """Return a rejected record to the queue."""
    return _run(path, (reopen("returning", ["item2"]), planned()))


def recover_only(path: Path) -> Receipt:
    """Run recovery and nothing else."""
    store = open_store(path)
    try:
        store.recover()
    finally:
        store.close()
    return Receipt(None, correct("none").kind)


BEFORE: dict[str, Callable[[Path], None]] = {
    "first_approve": first_use,
    "approve": used,
    "plan": used,
    "reject": used,
    "delete": used,
    "create": missing_document,
    "returning": used_decided,
}
RUN: dict[str, Operation] = {
    "first_approve": approve,
    "approve": approve,
    "plan": plan,
    "reject": reject,
    "delete": delete,
    "create": create,
    "returning": returning,
}
