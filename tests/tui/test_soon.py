"""What is done a moment later is done also where the machine is held up in that moment, and once."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from textual import _time

from curator_tui.tui.layout import Layout
from curator_tui.tui.screens.editing import EditScreen
from curator_tui.tui.soon import Soon
from tests.tui.desks import desk_with, every_state, press, put_text, running, until


@pytest.fixture
def held_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold up every timer of Textual that goes off once, for a second at each look at the clock."""
    really, lost = _time.get_time, [0.0]

    def get_time() -> float:
        task = asyncio.current_task()
        if task is not None and task.get_name().startswith("set_timer#"):
            lost[0] += 1.0
        return really() + lost[0]

    monkeypatch.setattr(_time, "get_time", get_time)


@pytest.mark.usefixtures("held_up")
async def test_a_text_is_checked_and_a_page_laid_out_on_a_machine_that_stands_still(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        screen = app.screen
        assert isinstance(screen, EditScreen)
        await put_text(pilot, "Backups run on Monday")
        assert screen._checked_text == "Backups run on Monday"
        screen._outcome._rows = Layout(screen._page, 60)
        screen._outcome._lay_out(0.0)
        assert not screen._outcome._rows.complete
        await until(lambda: screen._outcome._rows.complete)


async def test_of_two_jobs_the_later_one_is_done_and_of_none_nothing(tmp_path: Path) -> None:
    done: list[int] = []
    async with running(desk_with(tmp_path, [])) as (app, _):
        soon = Soon(app)
        soon.begin(0.0, lambda: done.append(1))
        soon.begin(0.01, lambda: done.append(2))
        time.sleep(0.05)
        assert soon.is_pending
        await until(lambda: done)
        soon.begin(0.0, lambda: done.append(3))
        soon.give_up()
        await asyncio.sleep(0.01)
        assert (done, soon.is_pending) == ([2], False)
    soon.begin(0.0, lambda: done.append(4))
    await asyncio.sleep(0.01)
    assert done == [2], "nothing is done for what is gone"
