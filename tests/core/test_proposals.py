"""Proposals: grouping by the entry they take, and the edits a person may make before approving."""

from __future__ import annotations

import pytest

from curator_tui.core.operations import Action, Operation, Problem
from curator_tui.core.preflight import State, preflight
from curator_tui.core.proposals import ITEM_ID, Edit, Proposal, editable, edited
from tests.worlds import MEMORY, USER, add, drop, item, snapshot, swap


@pytest.mark.parametrize(
    ("name", "fits"), [("a1b2c3d4", True), ("A-_9", True), ("", False), ("a/b", False), ("..", False),
                       ("x" * 64, True), ("x" * 65, False), ("é", False), ("a\n", False)],
)  # fmt: skip
def test_item_ids_cannot_form_a_path(name: str, fits: bool) -> None:
    """Letters, digits, hyphen and underscore, at most 64 of them."""
    assert (ITEM_ID.fullmatch(name) is not None) is fits


def test_items_that_take_the_same_entry_form_a_group_whatever_they_put_there() -> None:
    """Replace and remove of one entry belong together; the other document's equal entry does not."""
    one = item("a", swap("tabs", "spaces", pin="Prefers tabs"))
    two = item("b", drop("Prefers", pin="Prefers tabs"))
    other = item("c", drop("Prefers", USER, pin="Prefers tabs"))
    assert one.group == two.group != other.group
    assert one.group is not None


def test_adds_of_the_same_text_to_the_same_document_form_a_group() -> None:
    """Staged five times it is one thing to decide; the other document's equal text, or another text, is not it."""
    one, two = item("a", add("Uses zsh")), item("b", add(" Uses zsh\r\n"))
    assert one.group == two.group is not None
    assert item("c", add("Uses zsh", USER)).group != one.group
    assert item("d", add("uses zsh")).group != one.group
    assert item("e", drop("zsh", pin="Uses zsh")).group != one.group


@pytest.mark.parametrize(
    "proposal",
    [
        item("b", swap("tabs", "spaces")),
        item("c", drop("tabs", pin="tabs"), add("x")),
        item("d", drop("tabs", pin="tabs"), problem=Problem("x", "x")),
        item("e", add("x"), add("y")),
        item("f", add("x"), problem=Problem("x", "x")),
    ],
)
def test_unpinned_items_batches_and_broken_items_belong_to_no_group(proposal: Proposal) -> None:
    """An item with other operations is never closed by a group."""
    assert proposal.group is None


def test_the_queue_is_ordered_by_time_then_id_and_no_time_counts_as_oldest() -> None:
    """A record that claims no time does not jump to the end."""
    items = [item("b", at=2), item("a", at=2), item("z", at=1), Proposal("q", "d", created_at=None)]
    assert [found.id for found in sorted(items, key=lambda found: found.order)] == ["q", "z", "a", "b"]


def test_an_empty_edit_is_no_edit() -> None:
    """Nothing typed, nothing picked: the proposal itself."""
    proposal = item("a", add("x"))
    assert edited(proposal, Edit()) is proposal


def test_an_edit_puts_the_persons_words_in_place_normalised() -> None:
    """Other operations stay as they were proposed."""
    proposal = edited(item("a", add("x"), swap("m", "y")), Edit(contents={1: "  new\r\nwords \n"}))
    assert [operation.content for operation in proposal.operations] == ["x", "new\nwords"]
    assert proposal.problem is None


def test_a_picked_entry_becomes_the_pin() -> None:
    """Pick one, or rebase by hand: the operation then means that entry."""
    proposal = edited(item("a", swap("tea", "coffee")), Edit(pins={0: "green tea"}))
    assert proposal.operations[0].pin == "green tea"


def test_a_persons_words_obey_the_rules_of_our_own_verbs() -> None:
    """Control characters are refused in what a person types, not in what inside-only keeps of the entry."""
    proposal = item("a", swap("m", "x"))
    assert edited(proposal, Edit(contents={0: "a\tb"})).problem.code == "control-character"
    assert edited(proposal, Edit(contents={0: "a\tb"}, inside=frozenset({0}))).problem is None
    assert edited(proposal, Edit(contents={0: "a\n§\nb"})).problem.code == "delimiter-line"


def test_an_invalid_item_can_be_mended_by_rewording_it() -> None:
    """A problem of an operation goes away with the edit that mends it, and comes back with one that does not."""
    broken = item("a", Operation(Action.ADD, MEMORY), problem=Problem("content-missing", "content is missing"))
    assert edited(broken, Edit(contents={0: "Has two monitors"})).problem is None
    assert edited(broken, Edit(contents={0: "  "})).problem.code == "content-empty"


@pytest.mark.parametrize("edit", [Edit(inside=frozenset({0})), Edit(contents={0: "x"}), Edit(pins={0: "x"})])
def test_no_edit_makes_an_unreadable_or_unknown_record_applicable(edit: Edit) -> None:
    """A problem that does not lie in the operations stays, so such an item can never be approved by an empty edit."""
    unknown = item("a", problem=Problem("unknown-target", "unknown target project"))
    unreadable = item("b", problem=Problem("unreadable-record", "unreadable JSON"), unreadable=True)
    partly = item("c", add("x"), problem=Problem("unknown-action", "unknown action patch"))
    for proposal in (unknown, unreadable, partly):
        assert edited(proposal, edit).problem == proposal.problem
    assert preflight(edited(unreadable, edit), snapshot("x")).state is State.UNREADABLE


def test_an_edit_of_an_operation_that_is_not_there_is_refused() -> None:
    """A wrong number is a problem of the item, never a crash."""
    assert edited(item("a", add("x")), Edit(contents={1: "y"})).problem.code == "no-such-operation"
    assert edited(item("a", add("x")), Edit(pins={-1: "y"})).problem.code == "no-such-operation"


def test_only_operations_that_carry_text_can_be_reworded() -> None:
    """A remove has no words of its own."""
    assert editable(item("a", add("x"), drop("m"), swap("m", "y"))) == (0, 2)


@pytest.mark.parametrize(
    ("origin", "background"),
    [("background_review", True), ("assistant_tool", False), ("foreground", False), ("", False)],
)
def test_only_an_unattended_review_counts_as_background(origin: str, background: bool) -> None:
    """Everything else, what a record does not say included, was staged in somebody's presence."""
    assert item("a", add("x"), origin=origin).background is background
