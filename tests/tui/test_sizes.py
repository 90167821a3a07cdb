"""Every window size from 1 by 1 up: nothing crashes, nothing is decided where nothing can be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.tui.desks import (
    cursor,
    desk_with,
    every_state,
    painted,
    paste,
    press,
    review,
    running,
    settle,
    status,
    waiting,
)

SIZES = [
    (1, 1), (10, 3), (39, 24), (40, 10), (80, 24),
    *(pytest.param(size, marks=pytest.mark.slow) for size in [
        (2, 1), (1, 5), (5, 2), (80, 9), (59, 15), (60, 16), (110, 30), (200, 60),
    ]),
]  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
async def test_every_screen_bears_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=size) as (app, pilot):
        small = size[0] < 40 or size[1] < 10
        for key in ("j", "i", "question_mark", "b", "e", "3", "4", "5", "X", "a"):
            await press(pilot, key, "escape")
            assert app.is_running, key
        if small and size[0] > 30:
            assert "window too small" in painted(app)
            words = " ".join(painted(app).split())
            assert "It takes 40x10; in a window of any size: curator-tui review --plain" in words
        if small:
            assert len(waiting(desk)) == 13


async def test_resizing_keeps_the_place_and_locks_what_is_too_small(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "j", "j")
        for size in ((200, 60), (5, 2), (60, 16), (30, 8), (110, 24)):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            assert cursor(app) == "rep00001"
            if size[0] < 40:
                await press(pilot, "a")
                assert "rep00001" in waiting(desk)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        await press(pilot, "a")
        assert "rep00001" not in waiting(desk)


async def test_nothing_is_pasted_where_nothing_can_be_read_nor_on_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(desk_with(tmp_path, every_state())) as (app, pilot):
        await press(pilot, "/")
        for name in ("too_small", "is_leaving"):
            with monkeypatch.context() as patch:
                patch.setattr(type(app), name, True)
                await paste(pilot, "unseen")
        assert review(app).words == ""
        await paste(pilot, "Lisbon")
        assert review(app).words == "Lisbon"


async def test_one_pane_at_a_time_and_nothing_unread_is_approved(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(50, 14)) as (app, pilot):
        await press(pilot, "a")
        assert "add00001" in waiting(desk), "only the list is on screen"
        assert "tab shows it" in status(app)
        await press(pilot, "tab")
        assert "Backups run on Sunday" in painted(app)
        await press(pilot, "a")
        assert "add00001" not in waiting(desk)


async def test_panes_stand_side_by_side_from_110_columns(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(110, 24)) as (app, _):
        line = next(line for line in painted(app).splitlines() if line.startswith(">"))
        assert "▕ MEMORY.md" in painted(app)
        assert len(line) == 110
        assert app.screen.query_one("#right").region.x > 0


@pytest.mark.parametrize("width", [60, 72, 80, 100, 140])
@pytest.mark.parametrize(("gate", "words"), [(True, "gate on"), (False, "gate OFF"), (None, "gate ?")])
async def test_the_title_says_what_is_bound_its_gate_and_what_waits(
    tmp_path: Path, width: int, gate: bool | None, words: str
) -> None:
    desk = desk_with(tmp_path, every_state())
    known = desk.facts
    desk.facts = lambda: replace(known(), gate=gate)  # type: ignore[method-assign]
    async with running(desk, size=(width, 24)) as (app, _):
        title = painted(app).splitlines()[0]
        for part in (":default", words, "13 waiting", "1", "3"):
            assert part in title, title
