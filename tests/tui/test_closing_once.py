"""A question that was answered takes no further key, however fast the keys come."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key
from textual.pilot import Pilot
from textual.screen import Screen

from tests.tui.desks import desk_with, every_state, go_to, press, review, running, settle, waiting


async def at_once(pilot: Pilot[object], keys: str) -> None:
    """Press keys that all arrive before the first has had any effect."""
    for key in keys:
        pilot.app.screen.post_message(Key(key, key))
    await settle(pilot)


@pytest.mark.parametrize("keys", ["zz", "qq", "nn", "zq"])
async def test_keys_behind_an_answer_close_nothing_else(tmp_path: Path, keys: str) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "los00001")
        await press(pilot, "a")
        assert app.screen is not review(app)
        await at_once(pilot, keys)
        assert app.screen is review(app)
        assert app.failure is None
        assert len(app.screen_stack) == 1
        assert "los00001" in waiting(desk)


async def test_a_screen_takes_with_it_what_stands_above_it(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "3")
        history = app.screen
        await press(pilot, "question_mark")
        assert app.screen is not history
        history.dismiss(None)
        history.dismiss(None)
        await settle(pilot)
        assert app.screen is review(app)


async def test_a_dialog_that_nothing_changes_is_painted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paints = 0
    painted_by_textual = Screen._compositor_refresh

    def counted(screen: Screen[Any]) -> None:
        nonlocal paints
        paints += 1
        painted_by_textual(screen)

    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "X")
        review(app).query_one("#status").refresh()  # what lies behind was painted too, as by anything that ticks
        await settle(pilot)
        monkeypatch.setattr(Screen, "_compositor_refresh", counted)
        await asyncio.sleep(0.3)
        assert paints <= 2
