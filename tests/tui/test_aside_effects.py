"""What an undo or a rollback does to deferrals and questions stands on screen before it is done."""

from __future__ import annotations

from pathlib import Path

from curator_tui.core.documents import Target
from curator_tui.core.requests import AnswerVerb, ChallengeCode
from tests.tui.desks import desk_with, every_state, painted, press, running


async def test_the_question_of_an_undo_says_what_waits_again(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    assert desk.defer(["add00001"]).change is not None
    async with running(desk) as (_, pilot):
        await press(pilot, "u")
        assert "add00001 is deferred no more and waits" in painted(pilot.app)


async def test_the_question_of_an_undo_says_which_question_is_withdrawn(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    assert desk.challenge(Target.MEMORY, "Prefers tabs", ChallengeCode.WRONG).change is not None
    (question,) = desk.questions()
    async with running(desk) as (_, pilot):
        await press(pilot, "u")
        assert f"{question.id} is withdrawn as a question" in painted(pilot.app)


async def test_a_rollback_says_which_question_is_open_again(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    assert desk.challenge(Target.MEMORY, "Prefers tabs", ChallengeCode.WRONG).change is not None
    (question,) = desk.questions()
    assert desk.answer(question.id, AnswerVerb.REMOVE).change is not None
    async with running(desk, size=(140, 40)) as (app, pilot):
        await press(pilot, "3", "r")
        assert f"{question.id} is an open question again" in painted(app)
