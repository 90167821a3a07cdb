"""Looking again on every screen: never twice at once, and the banner says for how long the store cannot be read."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from curator_tui.core.errors import Unreadable
from curator_tui.tui.actions import DOCUMENTS, HISTORY, LEARNED, LEDGER, PROFILES, SKILLS
from curator_tui.tui.app import CuratorApp
from tests.tui.desks import desk_with, every_state, painted, running, settle


def tick(app: CuratorApp) -> None:
    screen: Any = app.screen
    (screen.tick if hasattr(screen, "tick") else screen._tick)()


@pytest.mark.parametrize("place", [DOCUMENTS, HISTORY, LEDGER, LEARNED, SKILLS, PROFILES])
async def test_looks_do_not_pile_up_behind_a_slow_desk(tmp_path: Path, place: str) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        app.go(place)
        await settle(pilot)
        held = threading.Event()
        for hands in (app.clerk._work, app.clerk._beside):
            hands.submit(held.wait)
        for _ in range(8):
            tick(app)
        looks = [one for one in app.workers if one.group == "poll" and one.node is app.screen]
        held.set()
        await settle(pilot)
        assert len(looks) == 1
        tick(app)
        assert [one for one in app.workers if one.group == "poll"], "the next one follows when it is over"
        await settle(pilot)


@pytest.mark.parametrize(
    ("place", "asked"),
    [
        (DOCUMENTS, "curator_tui.curator.desk.Desk.refresh"),
        (HISTORY, "curator_tui.curator.desk.Desk.refresh"),
        (LEDGER, "curator_tui.curator.ledger_view.head"),
        (LEARNED, "curator_tui.tui.screens.learned.state"),
    ],
)
async def test_every_place_says_that_the_store_cannot_be_read_and_when_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, asked: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise Unreadable("cannot list the queue: Input/output error.", way_out="Check the disk.")

    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        app.go(place)
        await settle(pilot)
        before = painted(app)
        with monkeypatch.context() as patched:
            patched.setattr(asked, refuse)
            tick(app)
            await settle(pilot)
            assert "OFFLINE: cannot list the queue: Input/output error." in painted(app)
        tick(app)
        await settle(pilot)
        assert painted(app) == before
