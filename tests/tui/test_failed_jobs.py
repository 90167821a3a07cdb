"""Jobs that fail: whatever of ours a job lets through is said on the screen it belongs to, and ends nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from curator_tui.core.documents import Target
from curator_tui.core.errors import Unreadable
from curator_tui.core.requests import ChallengeCode
from curator_tui.curator import listing
from curator_tui.curator.answering import AskedLook
from curator_tui.tui.clerk import Clerk
from tests.tui.desks import desk_with, every_state, painted, press, review, running, settle, status

FAILURE = Unreadable("The queue cannot be read: the disk is gone.", way_out="Plug it in again.")


async def _fails(*_: Any) -> Any:
    raise FAILURE


@pytest.mark.parametrize(
    "keys",
    [
        ("*",),
        ("=",),
        ("/", "t", "a"),
        ("u",),
        ("R",),
        ("6",),
    ],
)
async def test_a_job_that_fails_is_said_and_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...]
) -> None:
    monkeypatch.setattr(listing, "PAGE", 3)  # the desk is asked for marks that the page lacks
    async with running(desk_with(tmp_path, every_state()), size=(140, 40)) as (app, pilot):
        with monkeypatch.context() as broken:
            broken.setattr(Clerk, "ask", _fails)
            await press(pilot, *keys)
        assert app.is_running
        assert "the disk is gone" in painted(app)
        assert not review(app).busy, "the next key counts"


async def test_a_question_is_shown_though_nobody_can_tell_where_its_entry_came_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_with(tmp_path, every_state())
    desk.challenge(Target.MEMORY, "Staging needs the VPN", ChallengeCode.OUTDATED)

    def unreadable(*_: Any) -> AskedLook:
        raise FAILURE

    monkeypatch.setattr("curator_tui.curator.answering.with_origin", unreadable)
    async with running(desk) as (app, pilot):
        review(app).queue.go(1)
        await settle(pilot)
        assert review(app).model.asked is not None
        assert "the disk is gone" in status(app)
        await press(pilot, "a")
    assert desk.questions() == ()
