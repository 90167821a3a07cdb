"""Rollbacks: what a person is told of one before it is done is what it is bound to."""

from __future__ import annotations

from curator_tui.core.changes import Applied
from curator_tui.core.endings import Ending
from curator_tui.core.requests import Answering, AnswerVerb, ChallengeCode, Challenging, Kind, Request
from curator_tui.core.rollbacks import RollbackPreview, preview_rollback
from tests.core.test_reverts import World
from tests.worlds import MEMORY, add, approve, joined, stamp


def look(world: World, backup: str | None) -> RollbackPreview:
    """Return what a rollback would do now."""
    request = Request(stamp(99), Kind.ROLLBACK, backup=backup, today="2026-09-21")
    return preview_rollback(world.store._view(request), request)


def answered() -> tuple[World, str, str | None, str | None]:
    """Return a world where a question was answered by a remove, the question, its change and the image before."""
    world = World(joined("tea", "cup"))
    asked = world.ask(Kind.CHALLENGE, challenge=Challenging(MEMORY, "cup", ChallengeCode.WRONG))
    question = asked.applied[0].id
    done = world.ask(Kind.ANSWER, answer=Answering(question, AnswerVerb.REMOVE))
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
