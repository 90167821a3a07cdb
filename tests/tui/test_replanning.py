"""A plan that is worked out again: what went meanwhile is left out, and what could not be worked out is not applied."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_tui.core.errors import StoreError
from curator_tui.curator.desk import Desk
from curator_tui.curator.planning import Plan, Wish, make_plan
from curator_tui.curator.rejecting import rows_of
from curator_tui.tui.screens import planning
from curator_tui.tui.screens.planning import PlanScreen
from tests.tui.desks import (
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

THREE = [item(f"add0000{n}", "add", f"fact {n}", age=9000 - n) for n in range(3)]
WORDS = item("alt00001", "replace", "Prefers tabs of width 4", "Prefers tabs", age=6000)


class Broken:
    """Working a plan out, which fails as long as it is told to."""

    def __init__(self) -> None:
        self.fails = False

    def __call__(self, desk: Desk, wish: Wish) -> Plan:
        if self.fails:
            raise StoreError("MEMORY.md cannot be read.", way_out="Look at it with: ls -l")
        return make_plan(desk, wish)


async def test_a_plan_that_could_not_be_worked_out_again_is_never_applied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Broken()
    monkeypatch.setattr(planning, "make_plan", broken)
    desk = desk_with(tmp_path, THREE, memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "j", "j", "b")
        assert "y applies it: 3 items" in status(app), "all were read one by one"
        broken.fails = True
        await press(pilot, "minus")
        assert "not planned, nothing can be applied: R tries again" in status(app)
        assert "MEMORY.md cannot be read." in painted(app), "and why"
        assert "fact 1" not in painted(app), "the rows of the plan before are no plan"
        for key in ("y", "X", "x", "minus", "enter", "m", "pagedown", "y"):
            await press(pilot, key)
            assert isinstance(app.screen, PlanScreen), key
            assert "y applies it" not in painted(app), key
        assert entries(desk) == ("one",)
        await press(pilot, "R")
        assert "R tries again" in status(app), "it fails once more"
        broken.fails = False
        await press(pilot, "R")
        assert "y applies it: 2 items" in status(app), "the row that was left out stays out"
        await press(pilot, "y")
        assert app.screen is review(app)
        assert len(entries(desk)) == 3


async def test_while_a_plan_is_worked_out_again_nothing_says_that_y_applies_it(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, THREE, memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "j", "j", "b")
        screen = app.screen
        assert isinstance(screen, PlanScreen)
        screen.action_plan_drop()
        screen.draw_lock()  # as a paint that arrives now would
        assert "y applies it" not in status(app)
        assert "being worked out" in status(app)


def vanishing(desk: Desk, home: Path, *names: str) -> None:
    """Let records go right after the queue was listed."""
    listed = desk.queue.refresh

    def refresh(*, thorough: bool = False) -> bool:
        found = listed(thorough=thorough)
        for name in names:
            (home / "pending" / "memory" / f"{name}.json").unlink(missing_ok=True)
        return found

    desk.queue.refresh = refresh  # type: ignore[method-assign]


def test_an_item_that_went_after_it_was_listed_is_left_out_and_the_others_planned(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, THREE, memory=["one"])
    vanishing(desk, tmp_path / "hermes", "add00001")
    plan = make_plan(desk, Wish(("add00000", "add00001", "add00002")))
    assert [row.id for row in plan.rows] == ["add00000", "add00002"]
    assert [(one.id, one.code) for one in plan.left] == [("add00001", "unknown-item")]
    assert desk.decide(plan.decisions, shown=plan.digest).change is not None, "the digest is of what is left"


def test_a_repeat_that_went_after_it_was_listed_does_not_hold_its_group_back(tmp_path: Path) -> None:
    pending = [WORDS, {**WORDS, "id": "alt00002"}, {**WORDS, "id": "alt00003"}]
    desk = desk_with(tmp_path, pending)
    vanishing(desk, tmp_path / "hermes", "alt00002")
    plan = make_plan(desk, Wish(("alt00001",)))
    assert [(row.id, row.decision.closes) for row in plan.rows] == [("alt00001", ("alt00003",))]
    assert [(one.id, one.code) for one in plan.left] == [("alt00002", "unknown-item")]
    assert plan.closed == 1
    assert desk.decide(plan.decisions, shown=plan.digest).change is not None


def test_many_are_rejected_without_the_one_that_went(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, THREE, memory=["one"])
    (tmp_path / "hermes" / "pending" / "memory" / "add00001.json").unlink()
    rows, digest = rows_of(desk, ("add00000", "add00001", "add00002"))
    assert [row.id for row in rows] == ["add00000", "add00002"]
    assert digest


async def test_the_numbers_of_a_plan_add_up(tmp_path: Path) -> None:
    """Written, closed without a write and rejected make all of its items; repeats come on top."""
    pending = [
        *every_state(),
        item("add00003", "add", "Backups run on Sunday", age=1000),
        item("add00004", "add", "Has a cat", age=900),
        {**WORDS, "id": "dup00001", "payload": {**WORDS["payload"], "old_text": "Staging needs the VPN"}},
        {**WORDS, "id": "dup00002", "payload": {**WORDS["payload"], "old_text": "Staging needs the VPN"}},
    ]
    desk = desk_with(tmp_path, pending)
    async with running(desk, size=(100, 40)) as (app, pilot):
        await press(pilot, "b")
        screen = app.screen
        assert isinstance(screen, PlanScreen)
        assert screen._plan is not None
        place = next(at for at, row in enumerate(screen._plan.rows) if row.id == "add00004")
        await press(pilot, *["j"] * place, "x")
        text = " ".join(painted(app).split())
        assert "plan of 6 items" in text
        assert "6 items: 4 written, 1 closed without a write, 1 rejected; 2 more closed as repeats" in text
        assert len(waiting(desk)) == 17
