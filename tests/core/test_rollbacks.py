"""Rollbacks: what a person is told of one before it is done is what it is bound to."""

from __future__ import annotations

import pytest

from curator_tui.core.changes import Applied
from curator_tui.core.endings import Ending
from curator_tui.core.requests import AnswerVerb, ChallengeCode, Kind, Request, ToAnswer, ToChallenge
from curator_tui.core.rollbacks import RollbackPreview, preview_rollback
from tests.core.test_reverts import World
from tests.worlds import MEMORY, add, approve, joined, reject, stamp


def look(world: World, backup: str | None) -> RollbackPreview:
    """Return what a rollback would do now."""
    request = Request(stamp(99), Kind.ROLLBACK, backup=backup, today="2026-09-21")
    return preview_rollback(world.store._view(request), request)


def answered() -> tuple[World, str, str | None, str | None]:
    """Return a world where a question was answered by a remove, the question, its change and the image before."""
    world = World(joined("tea", "cup"))
    asked = world.ask(Kind.CHALLENGE, challenge=ToChallenge(MEMORY, "cup", ChallengeCode.WRONG))
    question = asked.applied[0].id
    done = world.ask(Kind.ANSWER, answer=ToAnswer(question, AnswerVerb.REMOVE))
    assert world.entries() == ("tea",)
    return world, question, asked.change, done.backup


def test_a_rollback_is_bound_to_the_questions_it_opens() -> None:
    """Which questions are open afterwards is part of what was shown, also where the documents are the same."""
    world, question, asked, backup = answered()
    shown = look(world, backup)
    assert shown.aside.returned == (question,)
    world.undo(asked)
    again = look(world, backup)
    assert (again.documents, again.aside.returned) == (shown.documents, ())
    receipt = world.rollback(backup, shown=shown.digest)
    assert (receipt.moved, receipt.change) == (True, None)


def test_a_rollback_is_bound_to_the_changes_that_are_out_of_force_after_it_and_to_what_cannot_return() -> None:
    """A record that waits again under the same id is neither returned twice nor passed over in silence."""
    world = World(b"tea")
    world.stage("a", add("x"))
    backup = world.decide(approve("a")).backup
    shown = look(world, backup)
    assert ([item.proposal for item in shown.returned], shown.stuck) == (["a"], ())
    world.stage("a", add("other"))
    again = look(world, backup)
    assert (again.returned, [part.code for part in again.stuck]) == ((), ["still-waiting"])
    assert world.rollback(backup, shown=shown.digest).moved
    assert world.rollback(backup, shown=again.digest).change


def test_what_was_shown_of_a_rollback_is_what_is_answered() -> None:
    """The same view gives the same digest, and the receipt tells what the preview did."""
    world, question, _, backup = answered()
    shown = look(world, backup)
    assert look(world, backup).digest == shown.digest
    receipt = world.rollback(backup, shown=shown.digest)
    assert (receipt.digest, receipt.returned) == (shown.digest, (question,))
    assert receipt.applied == (Applied(str(backup), Ending.ROLLBACK),)


def undone_with_a_rejected_one() -> tuple[World, str | None]:
    """Return a world where an approved and a rejected item wait again by an undo, and the image made before it."""
    world = World(b"tea")
    world.stage("yes", add("x"))
    world.stage("no", add("y"))
    world.decide(approve("yes"), reject("no"))
    return world, world.undo().backup


def endings(world: World) -> dict[str, Ending]:
    """Return how each decided item ended."""
    return {name: decided.ending for name, decided in world.store.decided().items()}


def test_a_rollback_over_an_undo_closes_again_what_the_undo_had_returned() -> None:
    """The entries are back, so their items do not wait any more; what was rejected along with them neither."""
    world, backup = undone_with_a_rejected_one()
    waiting = world.store.waiting()
    shown = look(world, backup)
    assert [(part.id, part.ending) for part in shown.closing] == [("yes", Ending.APPROVE), ("no", Ending.REJECT)]
    receipt = world.rollback(backup, shown=shown.digest)
    assert (receipt.done, receipt.closed) == (True, (Applied("yes", Ending.APPROVE), Applied("no", Ending.REJECT)))
    assert (world.entries(), world.store.waiting()) == (("tea", "x"), {})
    assert endings(world) == {"yes": Ending.APPROVE, "no": Ending.REJECT}
    assert world.undo().done
    assert (world.entries(), world.store.waiting()) == (("tea",), waiting)
    assert world.redo().done
    assert (world.entries(), world.store.waiting()) == (("tea", "x"), {})


def test_a_rollback_is_bound_to_what_it_closes_again() -> None:
    """An item whose record others changed after it came back is another one: it stays, and that is said."""
    world, backup = undone_with_a_rejected_one()
    shown = look(world, backup)
    world.stage("yes", add("something else"))
    again = look(world, backup)
    assert ([part.id for part in again.closing], [one.code for one in again.stuck]) == (["no"], ["record-changed"])
    assert world.rollback(backup, shown=shown.digest).moved
    assert world.rollback(backup, shown=again.digest).change
    assert set(world.store.waiting()) == {"yes"}


def test_a_rollback_to_before_the_decision_leaves_what_an_undo_returned_waiting() -> None:
    """At that moment the item waited."""
    world = World(b"tea")
    world.stage("a", add("x"))
    backup = world.decide(approve("a")).backup
    world.undo()
    world.correct(add("y"))
    receipt = world.rollback(backup)
    assert (receipt.done, receipt.closed, set(world.store.waiting())) == (True, (), {"a"})


@pytest.mark.parametrize("again", ["redo", "approve"])
def test_what_was_decided_at_the_backup_and_is_again_stays_closed(again: str) -> None:
    """Taken back, and decided the same once more: the document of the backup shows it, so nothing comes back."""
    world = World(b"tea")
    world.stage("a", add("x"))
    world.decide(approve("a"))
    backup = world.undo().backup
    assert (world.redo() if again == "redo" else world.decide(approve("a"))).done
    world.correct(add("y"))
    receipt = world.rollback(backup)
    assert (receipt.done, receipt.returned, world.store.waiting()) == (True, (), {})
    assert world.entries() == ("tea", "x")


def test_what_was_rejected_at_the_backup_and_approved_since_comes_back() -> None:
    """Its approval is taken back and no text shows it, so that a person decides anew."""
    world, backup = undone_with_a_rejected_one()
    world.decide(approve("no"))
    receipt = world.rollback(backup)
    assert (receipt.returned, set(world.store.waiting())) == (("no",), {"no"})
    assert endings(world) == {"yes": Ending.APPROVE}


def test_a_rollback_over_a_rollback_closes_again_what_that_had_returned() -> None:
    """Whatever kind of change brought the item back."""
    world = World(b"tea")
    world.stage("a", add("x"))
    before = world.decide(approve("a")).backup
    backup = world.rollback(before).backup
    assert set(world.store.waiting()) == {"a"}
    assert world.rollback(backup).done
    assert (world.entries(), world.store.waiting(), endings(world)) == (("tea", "x"), {}, {"a": Ending.APPROVE})
