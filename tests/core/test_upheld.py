"""Upheld decisions: an item is closed as approved once more only where the documents show what it asked for."""

from __future__ import annotations

import pytest

from curator_tui.core.documents import Target
from curator_tui.core.proposals import Edit
from curator_tui.core.requests import Kind, ToDefer
from tests.core.test_reverts import World
from tests.worlds import MEMORY, PERSON, USER, add, approve, drop, joined, reject, swap


def standing(world: World) -> set[str]:
    """Return the ids of what waits."""
    return set(world.store.waiting())


def absent(receipt) -> set[str]:
    """Return the ids of what is not closed again because its effect is gone."""
    return {part.id for part in receipt.not_applied if part.code == "effect-absent"}


def approved(raw: bytes = b"zsh", *names: str) -> World:
    """Return a world in which adds of these names were approved, each in a change of its own."""
    world = World(raw)
    for name in names:
        world.stage(name, add(f"text of {name}"))
        assert world.decide(approve(name)).done
    return world


def test_a_redo_whose_effect_was_put_back_from_outside_closes_nothing() -> None:
    """The older document is back: undo returns the items, and redo leaves them in the queue and writes nothing."""
    world = World(b"zsh")
    for name in ("b0", "b1", "b2"):
        world.stage(name, add(f"text of {name}"))
    world.decide(approve("b0"), approve("b1"))
    world.decide(approve("b2"))
    world.hand("zsh")
    assert world.undo().done
    assert world.undo().done
    redone = world.redo()
    assert redone.change is None
    assert not redone.done
    assert absent(redone) >= {"b0", "b1"}
    assert "does not stand in MEMORY.md" in redone.not_applied[1].message
    assert (world.raw, standing(world)) == (b"zsh", {"b0", "b1", "b2"})


def test_an_undo_of_a_reopening_whose_effect_is_gone_leaves_the_item_in_the_queue() -> None:
    """A person reopens what was lost; taking that back would lose it for good."""
    world = approved(b"zsh", "b2")
    world.hand("zsh")
    world.ask(Kind.REOPEN, reopen=("b2",))
    undone = world.undo()
    assert undone.change is None
    assert "b2" in absent(undone)
    assert standing(world) == {"b2"}


def test_an_undo_of_a_reopening_whose_effect_stands_closes_the_item_again() -> None:
    """Nothing was lost, so nothing keeps it."""
    world = approved(b"zsh", "b2")
    world.ask(Kind.REOPEN, reopen=("b2",))
    assert world.undo().done
    assert standing(world) == set()


def test_a_redo_closes_what_it_writes_again_and_leaves_what_others_had_removed() -> None:
    """One of two entries was removed by hand beside another edit."""
    world = World(b"zsh")
    world.stage("b0", add("text of b0"))
    world.stage("b1", add("text of b1"))
    world.decide(approve("b0"), approve("b1"))
    world.hand("zsh\n§\ntext of b1\n§\nby hand")
    assert world.undo().done
    redone = world.redo()
    assert redone.change is not None
    assert absent(redone) == {"b0"}
    assert not redone.done
    assert set(world.entries()) == {"zsh", "text of b1", "by hand"}
    assert standing(world) == {"b0"}


@pytest.mark.parametrize(
    ("step", "lost"),
    [
        (swap("zsh", "fish", pin="zsh"), joined("zsh", "by hand")),
        (swap("zsh", "fish"), b"by hand"),
        (drop("zsh", pin="zsh"), joined("zsh", "by hand")),
        (drop("zs"), joined("zsh", "by hand")),
    ],
)
def test_replaces_and_removes_are_held_to_what_they_left(step, lost) -> None:
    """What was replaced or removed stands again, or what took its place is gone: not closed as approved."""
    world = World(joined("zsh", "rye"))
    world.stage("i", step)
    world.decide(approve("i"))
    world.ask(Kind.REOPEN, reopen=("i",))
    world.hand(lost)
    assert absent(world.undo()) >= {"i"}
    assert standing(world) == {"i"}


@pytest.mark.parametrize(("now", "waits"), [(joined("zsh", "own words"), set()), (joined("zsh", "as proposed"), {"i"})])
def test_an_edited_item_is_held_to_the_words_it_was_edited_to(now, waits) -> None:
    """The record holds other words than those that were written, also after a redo."""
    world = World(b"zsh")
    world.stage("i", add("as proposed"))
    world.decide(approve("i", edit=Edit(contents={0: "own words"})))
    world.undo()
    assert world.redo().done
    world.ask(Kind.REOPEN, reopen=("i",))
    world.hand(now)
    world.undo()
    assert standing(world) == waits


def test_what_was_in_effect_already_or_superseded_is_held_to_that_and_a_rejection_to_nothing() -> None:
    """With the older document back, neither the winner nor the loser of a group may vanish; what was rejected does."""
    world = World(b"zsh")
    world.stage("winner", swap("zsh", "fish", pin="zsh"))
    world.stage("loser", drop("zsh", pin="zsh"))
    world.stage("there", add("fish"))
    world.stage("no", add("x"))
    world.decide(approve("winner", closes=("loser",)))
    world.decide(approve("there"), reject("no"))
    names = ("winner", "loser", "there", "no")
    receipt = world.ask(Kind.REOPEN, reopen=names)
    world.hand("zsh")
    undone = world.undo(receipt.change)
    assert absent(undone) == {"winner", "loser", "there"}
    assert standing(world) == {"winner", "loser", "there"}


def test_a_rollback_closes_nothing_as_approved_that_its_documents_lack() -> None:
    """It was decided when the backup was made, and what it wrote was gone by then."""
    world = World(b"zsh")
    world.stage("b0", add("text of b0"))
    world.stage("b1", add("text of b1"))
    both = world.decide(approve("b0"), approve("b1")).change
    world.hand(joined("zsh", "text of b1"))
    backup = world.correct(add("tea")).backup
    assert world.undo(both).done
    receipt = world.rollback(backup)
    assert world.entries() == ("zsh", "text of b1")
    assert absent(receipt) == {"b0"}
    assert standing(world) == {"b0"}


def test_only_the_document_that_lacks_it_is_named() -> None:
    """A redo of two documents writes one again; the item of the other waits."""
    world = World(b"zsh", b"Ann")
    world.stage("m", add("tea"))
    world.stage("u", add("cup", USER))
    world.decide(approve("m"), approve("u"))
    world.hand("zsh", MEMORY)
    world.undo()
    redone = world.redo()
    assert absent(redone) == {"m"}
    assert [part.message for part in redone.not_applied] == [
        "m was not closed again: what was decided about it does not stand in MEMORY.md; it waits, so decide it again"
    ]
    assert world.entries(Target.USER) == ("Ann", "cup")


def test_what_is_refused_is_shown_before() -> None:
    """A dry run says what then happens."""
    world = approved(b"zsh", "b0")
    world.hand("zsh")
    world.undo()
    name = world.store.newest_redoable(PERSON)
    shown = world.ask(Kind.REDO, reverts=name)
    assert absent(shown) >= {"b0"}
    assert world.ask(Kind.REDO, reverts=name, shown=shown.digest).not_applied == shown.not_applied


def test_what_a_later_decision_took_away_is_owed_no_more() -> None:
    """The entry was corrected by hand after it was approved; a rollback and its undo leave all as it was."""
    world = approved(b"zsh", "b0")
    first = world.store.changes()[-1].backup
    world.correct(swap("text of b0", "own words"))
    there = world.raw
    assert world.rollback(first).done
    assert standing(world) == {"b0"}
    assert world.undo().done
    assert (world.raw, standing(world)) == (there, set())


@pytest.mark.parametrize("by_hand", [True, False])
def test_a_reopening_can_be_undone_where_the_entry_was_removed_on_purpose_only(by_hand) -> None:
    """Who removed it decided so, whether it was added or stood there already; what others removed is lost."""
    world = approved(b"zsh", "b0")
    world.stage("there", add("zsh"))
    world.decide(approve("there"))
    if not by_hand:
        world.hand("rye")
    else:
        world.correct(drop("text of b0"))
        world.correct(swap("zsh", "rye"))
    world.ask(Kind.REOPEN, reopen=("b0", "there"))
    undone = world.undo()
    assert absent(undone) & {"b0", "there"} == (set() if by_hand else {"b0", "there"})
    assert standing(world) == (set() if by_hand else {"b0", "there"})


def test_what_an_undo_took_back_was_not_decided_away() -> None:
    """Approved, lost to an older document from outside, reopened, approved anew; both of that undone."""
    world = approved(b"zsh", "b0")
    world.hand("zsh")
    world.ask(Kind.REOPEN, reopen=("b0",))
    world.decide(approve("b0"))
    assert world.undo().done
    assert "b0" in absent(world.undo())
    assert standing(world) == {"b0"}


def test_what_was_decided_away_and_put_back_is_owed_again() -> None:
    """Removed, the removal undone, then lost to an older document from outside."""
    world = approved(b"zsh", "b0")
    world.correct(drop("text of b0"))
    assert world.undo().done
    world.ask(Kind.REOPEN, reopen=("b0",))
    world.hand("zsh")
    assert "b0" in absent(world.undo())
    assert standing(world) == {"b0"}


def test_an_edit_to_what_stands_closes_its_item_without_a_write_and_for_good() -> None:
    """What its record asks for is in effect nowhere, so nothing of it can be lost."""
    world = World(b"zsh")
    world.stage("i", add("fish"))
    receipt = world.decide(approve("i", edit=Edit(contents={0: "zsh"})))
    assert [part.ending for part in receipt.applied] == ["log-only"]
    assert world.undo().done
    assert standing(world) == {"i"}
    world.hand("rye")
    assert world.redo().done
    assert standing(world) == set()


def test_an_edit_to_what_stands_speaks_for_no_other_wording_of_its_entry() -> None:
    """It writes nothing, so it takes nothing away that another one could still change."""
    world = World(b"uses zsh")
    for name, text in (("i", "uses fish"), ("k", "uses rc"), ("l", "uses fish")):
        world.stage(name, swap("zsh", text))
    receipt = world.decide(approve("i", edit=Edit(contents={0: "uses zsh"}), closes=("k", "l")))
    assert [(part.id, part.ending) for part in (*receipt.applied, *receipt.closed)] == [
        ("i", "log-only"), ("l", "log-only"),
    ]  # fmt: skip
    assert standing(world) == {"k"}


def test_what_a_rollback_of_one_document_closed_can_be_taken_back_and_redone() -> None:
    """It took only a part of another rollback back, which stands in no list of what it took back."""
    world = World(b"zsh", b"Ana")
    world.stage("i", add("fish"))
    world.decide(approve("i", edit=Edit(contents={0: "rc"})))
    world.correct(add("Bea", USER))
    first, *_ = world.store.backups()
    assert world.rollback(first.id).done
    assert standing(world) == {"i"}
    back = next(one for one in world.store.backups() if one.files[MEMORY] != b"zsh" and one.files[USER] != b"Ana")
    assert world.rollback(back.id, MEMORY).done
    assert standing(world) == set()
    assert world.undo().done
    assert standing(world) == {"i"}
    assert world.redo().done
    assert standing(world) == set()


def test_an_item_that_cannot_be_closed_again_is_not_put_aside_instead() -> None:
    """It was deferred before it was approved; undoing its reopening would bring back the deferral and no more."""
    world = World(b"zsh")
    world.stage("i", add("fish"))
    world.ask(Kind.DEFER, defer=(ToDefer("i", ""),))
    world.decide(approve("i"))
    world.hand("zsh")
    world.ask(Kind.REOPEN, reopen=("i",))
    undone = world.undo()
    assert undone.change is None
    assert "i" in absent(undone)
    assert not any(one.holds(world.store.proposals()["i"].digest, "") for one in world.store.asides().latest().values())


def test_an_edited_item_is_not_held_to_what_another_item_of_its_change_brought() -> None:
    """Which texts an edited one became only the change as a whole tells, without those of the others."""
    world = World(b"zsh")
    world.stage("edited", add("as proposed"))
    world.stage("plain", add("tea"))
    world.decide(approve("edited", edit=Edit(contents={0: "own words"})), approve("plain"))
    world.ask(Kind.REOPEN, reopen=("edited", "plain"))
    world.hand(joined("zsh", "own words"))
    assert absent(world.undo()) == {"plain"}
    assert standing(world) == {"plain"}


def test_what_was_closed_along_with_its_like_is_held_to_what_both_took_away() -> None:
    """The text they brought stands, and beside it again the one they replaced."""
    world = World(b"zsh")
    for name in ("one", "like"):
        world.stage(name, swap("zsh", "fish", pin="zsh"))
    world.decide(approve("one", closes=("like",)))
    assert endings(world) == {"one": "approve", "like": "already in effect"}
    world.ask(Kind.REOPEN, reopen=("one", "like"))
    world.hand(joined("zsh", "fish"))
    assert absent(world.undo()) >= {"one", "like"}
    assert standing(world) == {"one", "like"}


def test_what_was_closed_along_with_an_item_that_its_plan_took_back_owes_nothing() -> None:
    """There and back in one plan: the document never changed, so nothing of either can be lost."""
    world = World(b"zsh")
    for name in ("there", "like"):
        world.stage(name, add("fish"))
    world.stage("back", drop("fish", pin="fish"))
    world.decide(approve("there", closes=("like",)), approve("back"))
    assert endings(world) == {"there": "approve", "back": "approve", "like": "already in effect"}
    assert world.raw == b"zsh"
    world.ask(Kind.REOPEN, reopen=("there", "like", "back"))
    assert world.undo().done
    assert standing(world) == set()


def endings(world: World) -> dict[str, str]:
    """Return how the newest change closed its items."""
    return {one.proposal: str(one.ending) for one in world.store.past[-1].closed}
