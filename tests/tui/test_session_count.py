"""What a run counts as decided and would undo next: what was undone is not of it, what was redone is again."""

from __future__ import annotations

from itertools import permutations

import pytest

from curator_tui.core.changes import Applied, Receipt
from curator_tui.core.endings import Ending
from curator_tui.core.requests import Kind
from curator_tui.tui.session import Session
from curator_tui.tui.shown import say


def _made(change: str) -> Receipt:
    """Return the receipt of a change of documents, which can be taken back."""
    return Receipt(change, Kind.DECIDE, backup="b")


def test_what_was_undone_is_not_decided() -> None:
    session = Session()
    session.note(_made("c1"), say("approved"), 1.0, ("a", "b"))
    session.note(_made("c2"), say("rejected"), 2.0, ("d",))
    assert session.decided == 3
    session.note_revert("u1", "c1", redo=False)
    assert session.decided == 1
    session.note_revert("r1", "u1", redo=True)
    assert session.decided == 3


@pytest.mark.parametrize("back", list(permutations(["c1", "c2", "c3"])), ids="".join)
def test_what_was_redone_is_undone_in_the_order_of_the_ledger_whatever_the_clock_says(back: tuple[str, ...]) -> None:
    """``u`` takes the newest change by its number in the ledger; the status row has to name that one."""
    session = Session()
    for change, at in (("c1", 300.0), ("c2", 100.0), ("c3", 200.0)):  # the clock was set back in between
        session.note(_made(change), say(change), at)
    for change in ("c3", "c2", "c1"):
        session.note_revert(f"undo of {change}", change, redo=False)
    for change in back:
        session.note_revert(f"redo of {change}", f"undo of {change}", redo=True)
    named = []
    while session.last is not None:
        named.append(session.last.change)
        session.note_revert(f"undo of {session.last.change} again", session.last.change, redo=False)
    assert named == ["c3", "c2", "c1"]


def test_what_kept_nothing_is_counted_and_not_named_as_what_is_undone_next() -> None:
    """``u`` passes over it, so the change before it is the one that is undone."""
    session = Session()
    session.note(_made("c1"), say("approved"), 1.0, ("a",))
    session.note(
        Receipt("c2", Kind.DECIDE, applied=(Applied("s", Ending.REJECT),), unkept=("s",)), say("x"), 2.0, ("s",)
    )
    assert session.decided == 2
    assert session.last is not None
    assert session.last.change == "c1"
    assert session.newest is not None
    assert session.newest.change == "c2"


def test_what_the_book_says_is_undone_is_neither_named_nor_counted_until_it_is_redone() -> None:
    """Whoever undid it: another run of the same person, or a rollback, which may be undone in turn."""
    session = Session()
    session.note(_made("c1"), say("approved"), 1.0, ("a",))
    session.note(_made("c2"), say("approved"), 2.0, ("b", "c"))
    session.learn((3, "x"), ["c1", "c2"], frozenset({"c2"}))
    assert (session.named(redo=False), session.decided) == ("c1", 1)
    session.learn((4, "y"), ["c1", "c2"], frozenset())
    assert (session.named(redo=False), session.decided) == ("c2", 3)


def test_the_newest_undo_of_this_run_is_what_is_redone_without_asking() -> None:
    session = Session()
    session.note(_made("c1"), say("approved"), 1.0, ("a",))
    session.note_revert("u1", "c1", redo=False)
    session.note_revert("u0", "of an earlier run", redo=False)
    assert session.named(redo=True) == "u0"
    session.note_revert("r0", "u0", redo=True)
    assert session.named(redo=True) == "u1"
    session.note_revert("r", "an undo made elsewhere", redo=True)
    assert session.named(redo=True) == "u1"
    session.note_revert("r1", "u1", redo=True)
    assert (session.named(redo=True), session.named(redo=False)) == (None, "c1")
