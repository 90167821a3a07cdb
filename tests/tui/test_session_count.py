"""What a run counts as decided: what was undone is not, what was redone is again."""

from __future__ import annotations

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
