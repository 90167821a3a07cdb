"""What a run counts as decided and would undo next: what was undone is not of it, what was redone is again."""

from __future__ import annotations

from itertools import permutations

import pytest

from curator_tui.tui.session import Session
from curator_tui.tui.shown import say


def test_what_was_undone_is_not_decided() -> None:
    session = Session()
    session.note("c1", say("approved"), 1.0, ("a", "b"))
    session.note("c2", say("rejected"), 2.0, ("d",))
    assert session.decided == 3
    session.note_revert("u1", "c1")
    assert session.decided == 1
    session.note_revert("r1", "u1")
    assert session.decided == 3


@pytest.mark.parametrize("back", list(permutations(["c1", "c2", "c3"])), ids="".join)
def test_what_was_redone_is_undone_in_the_order_of_the_ledger_whatever_the_clock_says(back: tuple[str, ...]) -> None:
    """``u`` takes the newest change by its number in the ledger; the status row has to name that one."""
    session = Session()
    for change, at in (("c1", 300.0), ("c2", 100.0), ("c3", 200.0)):  # the clock was set back in between
        session.note(change, say(change), at)
    for change in ("c3", "c2", "c1"):
        session.note_revert(f"undo of {change}", change)
    for change in back:
        session.note_revert(f"redo of {change}", f"undo of {change}")
    named = []
    while session.last is not None:
        named.append(session.last.change)
        session.note_revert(f"undo of {session.last.change} again", session.last.change)
    assert named == ["c3", "c2", "c1"]
