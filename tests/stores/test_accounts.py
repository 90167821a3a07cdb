"""Accounts: what the book records of changes agrees with their rows, whatever was taken back in whatever order."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from curator_tui.core.accounts import account_problems
from curator_tui.core.plans import plan
from curator_tui.core.requests import Kind, Request
from curator_tui.stores.book.accounts import accounts
from tests.stores.consistency import check
from tests.stores.homes import decide, make_home, open_store, stamp


def test_a_change_taken_back_twice_is_out_of_force_by_whichever_took_it_last(tmp_path: Path) -> None:
    """Approve, roll back, undo that, redo it: the rollback and its redo both stand, and the redo came last."""
    make_home(tmp_path)
    with closing(open_store(tmp_path)) as store:
        approved = store.transact(decide("approve", ["item0"]), plan)
        rollback = store.transact(Request(stamp("back"), Kind.ROLLBACK, backup=approved.backup), plan)
        undo = store.transact(Request(stamp("undo"), Kind.UNDO, reverts=rollback.change), plan)
        redo = store.transact(Request(stamp("redo"), Kind.REDO, reverts=undo.change), plan)
        marks = {change.id: change.undone_by for change in store.book.changes(count=None)}
        assert marks[approved.change or ""] == redo.change
        assert marks[undo.change or ""] == redo.change
        assert list(account_problems(*accounts(store.book))) == []
        assert store.account_problems() == []
    assert check(tmp_path) == []
