"""Many at once: the preview, its locks, applying it as one change, and taking it back as one."""

from __future__ import annotations

from pathlib import Path

from curator_tui.core.documents import Target
from curator_tui.tui.screens.planning import PlanScreen
from tests.tui.desks import (
    cursor,
    desk_with,
    entries,
    every_state,
    item,
    painted,
    press,
    review,
    running,
    status,
    waiting,
)  # fmt: skip


def facts(count: int, size: int = 12) -> list[dict[str, object]]:
    return [item(f"add{n:05d}", "add", f"fact {n:03d} ".ljust(size, "x"), age=9000 - n) for n in range(count)]


async def unlock(app: object, pilot: object) -> None:
    """Open every spot check and see every row."""
    for _ in range(30):
        await press(pilot, "enter")  # type: ignore[arg-type]
        if not isinstance(app.screen, PlanScreen):  # type: ignore[attr-defined]
            continue
        if not app.screen.locked():  # type: ignore[attr-defined]
            return
        await press(pilot, "G")  # type: ignore[arg-type]


async def test_everything_ready_is_previewed_and_the_rest_named(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(100, 40)) as (app, pilot):
        await press(pilot, "b")
        assert isinstance(app.screen, PlanScreen)
        text = painted(app)
        assert "4 items" in text
        await press(pilot, "J")
        text += painted(app)
        for name in ("los00001", "fla00001", "ovr00001", "amb00001", "sta00001", "inv00001"):
            assert name in text, "left out, with its reason"
        assert "MEMORY.md" in text
        assert len(waiting(desk)) == 13


async def test_y_is_locked_until_spot_checks_were_opened(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "b", "y")
        assert "y is locked" in status(app)
        assert len(waiting(desk)) == 13
        await unlock(app, pilot)
        before = entries(desk), entries(desk, Target.USER)
        await press(pilot, "y")
        assert app.screen is review(app)
        assert len(waiting(desk)) == 9
        await press(pilot, "u")
        assert len(waiting(desk)) == 13, "one change, one undo"
        assert (entries(desk), entries(desk, Target.USER)) == before


async def test_every_row_has_to_be_painted(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, facts(40), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "b")
        screen = app.screen
        assert isinstance(screen, PlanScreen)
        assert screen._unread() > 0
        await press(pilot, "end", "end", "end", "end", "end")
        assert screen._unread() == 0
        assert screen._checks_left()


async def test_what_does_not_fit_is_left_out_with_its_size(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, facts(4, 900), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "asterisk", "b")
        text = painted(app)
        assert "2 items" in text
        assert "left out: 2," in text
        assert "/2200" in text
        await unlock(app, pilot)
        await press(pilot, "y")
        assert len(entries(desk)) == 3
        assert len(waiting(desk)) == 2


async def test_marked_alternatives_and_flagged_items_never_ride_along(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "asterisk", "b")
        await unlock(app, pilot)
        await press(pilot, "y")
        left = waiting(desk)
        assert {"alt00001", "alt00002", "alt00003", "los00001", "fla00001", "sta00001"} <= left
        assert "Prefers tabs" in entries(desk)


async def test_a_row_can_be_left_out_or_rejected_instead(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, facts(4), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "asterisk", "b", "minus")
        assert "3 items" in painted(app)
        await press(pilot, "x")
        assert "REJECT" in painted(app)
        await unlock(app, pilot)
        await press(pilot, "y")
        assert len(entries(desk)) == 3
        assert len(waiting(desk)) == 1


async def test_a_change_meanwhile_stops_the_plan(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, facts(3), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "b")
        await unlock(app, pilot)
        (tmp_path / "hermes" / "memories" / "MEMORY.md").write_text("other", encoding="utf-8")
        await press(pilot, "y")
        assert entries(desk) == ("other",)
        assert isinstance(app.screen, PlanScreen)
        assert "nothing was written" in status(app)
        await unlock(app, pilot)
        await press(pilot, "y")
        assert entries(desk)[0] == "other"
        assert len(entries(desk)) == 4


async def test_back_decides_nothing_and_keeps_the_marks(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, facts(3), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "space", "space", "b", "q")
        assert len(waiting(desk)) == 3
        assert len(app.session.marked) == 2
        assert cursor(app) == "add00002"
