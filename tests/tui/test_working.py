"""What takes long says so: which job, since when, and whether it can be left."""

from __future__ import annotations

import asyncio
import fcntl
import threading
from pathlib import Path

import pytest

from curator_tui.curator.desk import Desk
from curator_tui.tui import working
from curator_tui.tui.shown import EMPTY, Line, words_of
from tests.tui.desks import desk_on, desk_with, home_with, item, press, review, running, settle, status, until, waiting


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(working, "SAID_AFTER", 0.02)


async def test_a_write_that_waits_for_a_lock_says_so_until_it_is_done(tmp_path: Path) -> None:
    home = home_with(tmp_path / "hermes", [item("add00001", "add", "one"), item("add00002", "add", "two")])
    desk = desk_on(home)
    async with running(desk) as (app, pilot):
        with (home / "memories" / "MEMORY.md.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            pressing = asyncio.create_task(press(pilot, "a"))
            await until(lambda: "writing the decision … 0 s; it is carried out to its end" in status(app))
            assert len(waiting(desk)) == 2
        await pressing
        assert "writing" not in status(app)
        assert "approved" in status(app), "what was said meanwhile comes after it"


async def test_what_only_reads_can_be_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "one")])
    go_on = asyncio.Event()
    async with running(desk) as (app, pilot):
        review(app).work(go_on.wait, "item")  # type: ignore[arg-type]
        await until(lambda: "reading the item … 0 s; q leaves it" in status(app))
        go_on.set()
        await settle(pilot)
        assert "reading" not in status(app)


async def test_a_plan_that_takes_long_to_work_out_says_so_and_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "one")])
    held = threading.Event()
    async with running(desk) as (app, pilot):
        monkeypatch.setattr(Desk, "refresh", lambda desk, **_: held.wait(60))
        pressing = asyncio.create_task(press(pilot, "b"))
        await until(lambda: app.screen.SCREEN == "plan" and "working the plan out" in status(app))
        await app.run_action("screen.back")
        await until(lambda: app.screen.SCREEN == "review")
        held.set()
        await pressing


async def test_what_is_quick_says_nothing_and_what_nobody_named_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Line] = []
    with working.telling("item", told.append):
        pass
    with working.telling("nothing-of-that-name", told.append):
        await asyncio.sleep(0.05)
    assert told == []
    monkeypatch.setattr(working, "_AGAIN", 0.01)

    async def fails() -> None:
        with working.telling("item", told.append):
            await until(lambda: len(told) > 1)
            raise KeyError

    with pytest.raises(KeyError):
        await fails()
    assert len(told) > 2
    assert told[-1] == EMPTY, "whatever ended it"
    assert "reading the item" in words_of(told[0])
