"""Effects: all that an undo or a rollback does to items and questions is told in words, and nothing it does not."""

from __future__ import annotations

from curator_tui.core.requests import Kind, ToDefer
from curator_tui.curator.effects import Effect, effects
from tests.core.test_reverts import TOKEN, World
from tests.core.test_reverts import look as look_at_undo
from tests.core.test_rollbacks import answered, undone_with_a_rejected_one
from tests.core.test_rollbacks import look as look_at_rollback
from tests.worlds import add, approve, reject


def test_a_rollback_names_the_questions_it_opens() -> None:
    """An answer that is taken back leaves its question to be answered."""
    world, question, _, backup = answered()
    assert list(effects(look_at_rollback(world, backup))) == [Effect(question, "is an open question again")]


def test_an_undo_names_what_waits_again_before_its_day() -> None:
    """A deferral that is taken back is no return of a decided record, and is told all the same."""
    world = World(b"tea")
    world.stage("a", add("x"))
    deferred = world.ask(Kind.DEFER, defer=(ToDefer("a", ""),)).change
    assert deferred is not None
    assert list(effects(look_at_undo(world, deferred))) == [Effect("a", "is deferred no more and waits")]


def test_only_what_can_come_back_is_said_to() -> None:
    """Of two decisions one kept nothing: that is a warning, and no return."""
    world = World(b"tea")
    world.stage("a", add("x"))
    world.stage("s", add(TOKEN))
    change = world.decide(approve("a"), reject("s")).change
    assert change is not None
    found = list(effects(look_at_undo(world, change)))
    assert found[0] == Effect("a", "comes back to the queue")
    assert [(one.about, one.warns) for one in found[1:]] == [("", True)]
    assert found[1].words == "s cannot come back: nothing of it was kept"


def test_a_redo_names_what_is_closed_again() -> None:
    """An undo of an undo closes what that had returned."""
    world = World(b"tea")
    world.stage("a", add("x"))
    world.decide(reject("a"))
    undone = world.undo().change
    assert undone is not None
    assert list(effects(look_at_undo(world, undone))) == [Effect("a", "is closed again")]


def test_a_rollback_names_what_is_closed_again() -> None:
    """One that takes an undo back closes what that had returned."""
    world, backup = undone_with_a_rejected_one()
    again = [Effect(name, "is closed again") for name in ("yes", "no")]
    assert list(effects(look_at_rollback(world, backup))) == again
