"""Corrections: what a person changes by hand, bound to what was shown, several steps as one change, order and form."""

from __future__ import annotations

import pytest

from curator_tui.core.corrections import Correction, corrected
from curator_tui.core.documents import parse
from curator_tui.core.endings import Ending
from curator_tui.core.preflight import State
from curator_tui.core.requests import Kind, Request
from tests.core.test_reverts import World
from tests.worlds import MEMORY, USER, add, after, joined, planned, snapshot, stamp, swap, view


def plan(found, *steps, **parts):
    """Plan a correction."""
    return planned(view(found), Request(stamp(), Kind.CORRECT, corrections=steps, **parts))


# -- bound to what was shown ---------------------------------------------------------------------------------------


def test_a_correction_is_carried_out_as_it_was_shown_or_not_at_all() -> None:
    """The digest of the preview is that of the plan; where a document is another one by now nothing is written."""
    steps = (swap("tea", "coffee", pin="tea"),)
    shown = corrected(snapshot(joined("tea", "lemon")), Correction(steps)).digest
    assert after(plan(snapshot(joined("tea", "lemon")), *steps, shown=shown)) == ("coffee", "lemon")
    moved = plan(snapshot(joined("tea", "lemon", "milk")), *steps, shown=shown)
    assert moved.empty
    assert moved.receipt.moved
    assert moved.receipt.digest == corrected(snapshot(joined("tea", "lemon", "milk")), Correction(steps)).digest
    other = plan(snapshot(joined("tea", "lemon")), swap("tea", "cocoa", pin="tea"), shown=shown)
    assert other.receipt.moved, "another wording is another outcome"


def test_what_nobody_looked_at_first_is_planned_on_what_is_there() -> None:
    assert after(plan(snapshot("tea"), add("x"))) == ("tea", "x")


def test_a_finding_is_passed_only_knowingly_also_where_the_outcome_was_shown() -> None:
    steps = (add("a\u202eb"),)
    done = corrected(snapshot("tea"), Correction(steps))
    assert done.found.state is State.FLAGGED
    assert plan(snapshot("tea"), *steps, shown=done.digest).documents == {}


def test_nothing_at_all_is_no_correction() -> None:
    assert plan(snapshot("tea")).receipt.not_applied[0].state == "invalid"


# -- order -----------------------------------------------------------------------------------------------------------


def test_entries_are_put_into_another_order_as_one_change_that_undo_returns() -> None:
    world = World("a\r\n§\r\nb\r\n§\r\nc\r\n".encode())
    receipt = world.ask(Kind.CORRECT, order={MEMORY: ("c", "a", "b")})
    assert [(part.id, part.ending) for part in receipt.applied] == [("memory", Ending.MOVE)]
    assert world.raw == b"c\r\n\xc2\xa7\r\na\r\n\xc2\xa7\r\nb\r\n"
    assert world.store.ledger[-1].row["action"] == "move"
    assert world.undo().done
    assert world.raw == b"a\r\n\xc2\xa7\r\nb\r\n\xc2\xa7\r\nc\r\n"
    assert world.redo().done
    assert world.entries() == ("c", "a", "b")


def test_an_order_is_undone_around_what_came_since_unless_it_was_changed_again() -> None:
    world = World(joined("a", "b", "c"))
    moved = world.ask(Kind.CORRECT, order={MEMORY: ("c", "a", "b")}).change
    world.hand(joined("c", "new", "b"))
    world.undo(moved)
    assert world.entries() == ("b", "new", "c")
    world = World(joined("a", "b", "c"))
    moved = world.ask(Kind.CORRECT, order={MEMORY: ("c", "a", "b")}).change
    world.hand(joined("b", "c", "a"))
    world.undo(moved)
    assert world.entries() == ("b", "c", "a"), "somebody put them in another order since: that stands"


def test_one_entry_is_split_where_it_stands_as_one_change() -> None:
    """A replace, an add and the order of the result: together, so that the parts stand where the whole stood."""
    steps = (swap("tea and lemon", "tea", pin="tea and lemon"), add("lemon"))
    world = World(joined("tea and lemon", "milk"))
    receipt = world.ask(Kind.CORRECT, corrections=steps, order={MEMORY: ("tea", "lemon", "milk")})
    assert world.entries() == ("tea", "lemon", "milk")
    assert [part.ending for part in receipt.applied] == [Ending.REPLACE, Ending.ADD, Ending.MOVE]
    assert world.store.ledger[-1].row["action"] == "replace+add+move"
    assert world.undo().done
    assert world.raw == joined("tea and lemon", "milk")


@pytest.mark.parametrize("order", [("b",), ("a", "a"), ("b", "a", "c"), ()])
def test_an_order_names_every_entry_once(order) -> None:
    """What came or went since it was made up makes it stale: nothing is lost or doubled by an order."""
    change = plan(snapshot(joined("a", "b")), order={MEMORY: order})
    assert change.empty
    assert (change.receipt.not_applied[0].state, change.receipt.not_applied[0].code) == ("stale", "order-changed")


def test_the_order_that_stands_there_is_no_change() -> None:
    change = plan(snapshot(joined("a", "b")), order={MEMORY: ("a", "b")})
    assert change.empty
    assert change.receipt.not_applied[0].state == "no-change"


def test_a_document_over_its_limit_may_be_put_in_order() -> None:
    found = snapshot(joined("x" * 30, "y"), memory_limit=10)
    assert after(plan(found, order={MEMORY: ("y", "x" * 30)})) == ("y", "x" * 30)


# -- Hermes's own form -----------------------------------------------------------------------------------------------


def test_a_document_edited_by_hand_is_tidied_without_a_word_changed() -> None:
    """Afterwards Hermes can replace and remove there again; the exact old bytes come back with undo."""
    raw = b"a\r\n\r\n\xc2\xa7\r\nb  \n\xc2\xa7\nc\n\n"
    world = World(raw)
    assert parse(MEMORY, raw).drifted
    receipt = world.ask(Kind.CORRECT, tidy=(MEMORY,))
    assert world.raw == joined("a", "b", "c")
    assert [(part.id, part.ending) for part in receipt.applied] == [("memory", Ending.TIDY)]
    assert not receipt.notes
    assert world.undo().done
    assert world.raw == raw


def test_a_byte_order_mark_that_a_tidying_up_drops_is_told() -> None:
    world = World("\ufeffa\r\n§\r\nb".encode())
    receipt = world.ask(Kind.CORRECT, tidy=(MEMORY,))
    assert world.raw == joined("a", "b")
    assert receipt.notes == ("the byte-order mark at the start of MEMORY.md was dropped",)


def test_a_document_in_hermes_form_has_nothing_to_tidy() -> None:
    assert plan(snapshot(joined("a", "b")), tidy=(MEMORY,)).receipt.not_applied[0].state == "no-change"
    assert plan(snapshot(None), tidy=(MEMORY, USER)).receipt.not_applied[0].state == "no-change"
