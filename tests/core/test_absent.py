"""Absent effects: an older state that was put back is known until a person settled what was lost."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from curator_tui.core.absent import Absent, absent_changes
from curator_tui.core.changes import Decided, PastChange
from curator_tui.core.documents import Target
from curator_tui.core.endings import Ending
from curator_tui.core.requests import Kind
from tests.worlds import PERSON


def text(*entries: str) -> bytes:
    return "\n§\n".join(entries).encode()


def change(name: str, before: bytes | None, after: bytes, *, item: str = "") -> PastChange:
    """Return a change of MEMORY.md, by a decision about an item where one is named."""
    closed = (Decided(item, "d", Ending.APPROVE, name, PERSON, 0.0, targets=(Target.MEMORY,)),) if item else ()
    return PastChange(name, 0, 0.0, PERSON, Kind.DECIDE, {Target.MEMORY: before}, {Target.MEMORY: after}, closed=closed)


def lost(changes: list[PastChange], now: bytes | None) -> list[str]:
    return [one.change for one in absent_changes(Target.MEMORY, changes, now)]


FIRST = change("first", text("zsh"), text("zsh", "canoe"), item="i1")
SECOND = change("second", text("zsh", "canoe"), text("zsh", "canoe", "cello"), item="i2")


@pytest.mark.parametrize(
    ("now", "names"),
    [
        (text("zsh", "canoe", "cello"), []),
        (text("zsh", "canoe"), ["second"]),
        (text("zsh"), ["first", "second"]),
        (text("zsh", "something of an agent"), []),
        (None, []),
    ],
)
def test_an_older_state_lacks_every_change_since_it_stood(now: bytes | None, names: list[str]) -> None:
    assert lost([FIRST, SECOND], now) == names


def test_a_later_decision_about_the_document_settles_nothing() -> None:
    later = change("later", text("zsh"), text("zsh", "rye"), item="i3")
    assert absent_changes(Target.MEMORY, [FIRST, SECOND, later], text("zsh", "rye")) == [
        Absent("first", ("i1",), since=True),
        Absent("second", ("i2",), since=True),
    ]
    assert absent_changes(Target.MEMORY, [FIRST], text("zsh")) == [Absent("first", ("i1",), since=False)]


def test_it_is_settled_once_the_change_is_taken_back_or_its_item_waits_again() -> None:
    later = change("later", text("zsh"), text("zsh", "rye"))
    undone = replace(SECOND, undone_by="later")
    assert lost([FIRST, undone, later], text("zsh", "rye")) == ["first"]
    reopened = replace(later, returned=FIRST.closed)
    assert lost([FIRST, SECOND, reopened], text("zsh", "rye")) == ["second"]


@pytest.mark.parametrize("now", [text("zsh", "canoe"), text("zsh"), text("zsh", "rye")])
def test_it_is_settled_once_its_effect_stood_again_whatever_came_after(now: bytes) -> None:
    again = change("again", text("zsh"), text("zsh", "canoe"))
    away = change("away", text("zsh", "canoe"), now)
    assert "first" not in lost([FIRST, again, away], now)


def test_a_replaced_entry_that_was_put_back_and_replaced_by_another_is_settled() -> None:
    swap = change("swap", text("npm 9"), text("npm 10"))
    assert lost([swap], text("npm 9")) == ["swap"]
    assert lost([swap, change("more", text("npm 9"), text("npm 9", "zsh"))], text("npm 9", "zsh")) == ["swap"]
    assert lost([swap, change("next", text("npm 9"), text("npm 11"))], text("npm 11")) == []


def test_of_a_removal_the_entry_stands_again() -> None:
    removal = change("removal", text("zsh", "canoe"), text("zsh"))
    assert lost([FIRST, removal], text("zsh", "canoe")) == ["removal"]
    assert lost([FIRST, removal, change("x", text("zsh", "canoe"), text("canoe"))], text("canoe")) == ["removal"]
    assert lost([FIRST, SECOND, change("all", SECOND.after[Target.MEMORY], text())], text("zsh")) == ["first", "second"]


def test_a_document_that_cannot_be_read_proves_no_loss() -> None:
    assert lost([change("odd", b"\xff", text("zsh"))], b"\xff") == []


def revert(name: str, kind: Kind, reverts: str) -> PastChange:
    """Return a revert that changed no document."""
    return PastChange(name, 0, 0.0, PERSON, kind, reverts=reverts)


def test_an_item_that_came_back_and_was_closed_again_by_a_revert_alone_is_as_lost_as_before() -> None:
    """Only what waits still, or was decided anew since, is settled."""
    back = replace(revert("back", Kind.REOPEN, ""), returned=FIRST.closed)
    closed = replace(revert("closed", Kind.UNDO, "back"), closed=FIRST.closed)
    assert lost([FIRST, back], text("zsh")) == []
    assert lost([FIRST, replace(back, undone_by="closed"), closed], text("zsh")) == ["first"]
    anew = replace(revert("anew", Kind.DECIDE, ""), closed=FIRST.closed)
    assert lost([FIRST, back, anew], text("zsh")) == []


def test_an_item_that_waits_is_settled_although_what_returned_it_is_taken_back() -> None:
    """A redo that found its effect gone left the item in the queue."""
    undo = replace(revert("undo", Kind.UNDO, "first"), returned=FIRST.closed, undone_by="redo")
    assert lost([FIRST, undo, revert("redo", Kind.REDO, "undo")], text("zsh")) == []


def test_of_two_changes_of_one_entry_that_were_put_back_together_both_are_lost() -> None:
    """The text that the second replaced does not stand either: nobody replaced it by another."""
    brought = change("brought", text("zsh"), text("zsh", "npm 9"))
    swap = change("swap", text("zsh", "npm 9"), text("zsh", "npm 10"))
    assert lost([brought, swap], text("zsh")) == ["brought", "swap"]


def test_of_a_change_of_nothing_but_bytes_the_bytes_stand_again_until_something_else_is_written() -> None:
    untidy = b"zsh\n\xc2\xa7\ncanoe\n"
    tidied = change("tidied", untidy, text("zsh", "canoe"))
    assert lost([tidied], untidy) == ["tidied"]
    assert lost([tidied, change("more", untidy, text("zsh", "canoe", "rye"))], text("zsh", "canoe", "rye")) == []
