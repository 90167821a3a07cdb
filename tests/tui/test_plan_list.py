"""The list of a plan: findings stand out; rows are opened, left out and taken back in their places.

A person relies on it for many items at once, so whatever is worth a look must meet the eye before ``y`` applies it.
"""

from __future__ import annotations

from pathlib import Path

from curator_tui.core.requests import Verb
from curator_tui.curator.planning import Plan, Wish, make_plan
from curator_tui.curator.queries import Query
from curator_tui.tui.app import CuratorApp
from curator_tui.tui.screens.planning import PlanScreen
from curator_tui.tui.screens.reading import PlanRowScreen
from curator_tui.tui.screens.rejecting import RejectManyScreen
from curator_tui.tui.widgets.row_list import RowList
from tests.tui.desks import desk_with, entries, every_state, item, painted, press, running, status, waiting

TWO_FACTS = "Works at Acme. Has a daughter named Lia."
TAKES_BOTH = item("rem00001", "remove", None, "Works at Acme", age=8500)
SHRINKS = item("shr00001", "replace", "Likes tea", "Drinks coffee without milk", target="user", age=8400)
WORDS = item("alt00001", "replace", "Prefers tabs of width 4", "Prefers tabs", age=6000)


def adds(count: int) -> list[dict[str, object]]:
    return [item(f"add{n:05d}", "add", f"fact {n:03d}", age=8000 - n) for n in range(count)]


def plan_of(app: CuratorApp) -> tuple[PlanScreen, Plan]:
    screen = app.screen
    assert isinstance(screen, PlanScreen)
    assert screen._plan is not None
    return screen, screen._plan


def row_under_cursor(screen: PlanScreen) -> str:
    row = screen._row()
    assert row is not None
    return row.id


def row_text(app: CuratorApp, words: str) -> str:
    return next(line for line in painted(app).splitlines() if words in line)


# -- findings ----------------------------------------------------------------------------------------------------------


def test_a_row_with_a_finding_is_always_checked_and_never_takes_the_place_of_a_drawn_one(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [TAKES_BOTH, *adds(12)], memory=[TWO_FACTS])
    for seed in range(20):
        desk._entropy = lambda count, seed=seed: bytes([seed]) * count  # type: ignore[misc]
        plan = make_plan(desk, Wish())
        assert plan.checks[0] == "rem00001"
        assert len(plan.checks) == 3, "two of the twelve others were drawn"
        assert {one.proposal for one in plan.decisions if one.drawn} == set(plan.checks[1:]), "it was not drawn"
    rejected = make_plan(desk, Wish(rejected=frozenset({"rem00001"})))
    assert "rem00001" not in rejected.checks, "what is rejected takes nothing along"


async def test_a_finding_stands_in_the_row_and_in_what_is_opened_and_y_waits_for_it(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [TAKES_BOTH, SHRINKS], memory=[TWO_FACTS], user=["Drinks coffee without milk"])
    async with running(desk, size=(80, 24)) as (app, pilot):
        await press(pilot, "asterisk", "b")
        assert "! loses" in row_text(app, "Works at Acme")
        assert "! shrinks" in row_text(app, "tea")
        await press(pilot, "home", "enter")
        assert "flags      soft: The match speaks of a part of the entry; 1 more fact" in painted(app)
        assert "goes too   Has a daughter named Lia." in painted(app)
        await press(pilot, "q")
        assert "! loses" in row_text(app, "Works at Acme"), "it still does when it was opened"


async def test_a_plan_whose_finding_was_not_opened_is_not_applied(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [*adds(4), item("rem00001", "remove", None, "Works at", age=9)], memory=[TWO_FACTS])
    async with running(desk) as (app, pilot):
        await press(pilot, "b")
        screen, plan = plan_of(app)
        for name in plan.order:
            await press(pilot, *(("j",) if name == "rem00001" else ("enter", "q", "j")))
        assert screen._checks_left() == ("rem00001",)
        await press(pilot, "y")
        assert "open 1 spot check (n, enter)" in status(app)
        assert TWO_FACTS in entries(desk)
        await press(pilot, "n", "enter", "q", "y")
        assert TWO_FACTS not in entries(desk)


# -- opening -----------------------------------------------------------------------------------------------------------


async def test_enter_opens_the_row_under_the_cursor_and_n_goes_to_the_next_check(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, adds(9), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "b")
        screen, plan = plan_of(app)
        other = next(row.id for row in plan.rows if row.id not in (*plan.checks, "add00000"))
        await press(pilot, *["j"] * plan.order.index(other), "enter")
        assert isinstance(app.screen, PlanRowScreen)
        assert f"{other} of the plan" in painted(app)
        await press(pilot, "q")
        assert row_under_cursor(screen) == other, "whoever read it may want to leave it out"
        await press(pilot, "enter")
        assert isinstance(app.screen, PlanRowScreen)
        assert app.screen._item in plan.checks, "once more: the next spot check"
        await press(pilot, "q", "home", *["j"] * plan.order.index(other), "enter")
        assert f"{other} of the plan" in painted(app), "the row one goes to, as often as one likes"
        await press(pilot, "q", "home")
        await press(pilot, "n")
        assert app.screen is screen
        assert (row_under_cursor(screen),) == screen._checks_left()


async def test_n_goes_round_the_spot_checks_that_are_left(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, adds(9), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "b")
        screen, plan = plan_of(app)
        met = []
        for _ in range(3):
            await press(pilot, "n")
            met.append(row_under_cursor(screen))
        assert {*met[:2]} == set(plan.checks)
        assert met[2] == met[0], "after the last one comes the first"


async def test_where_no_check_is_left_the_key_to_the_next_still_says_why_y_is_locked(tmp_path: Path) -> None:
    async with running(desk_with(tmp_path, adds(60), memory=["one"]), size=(80, 24)) as (app, pilot):
        await press(pilot, "b", *["n", "enter", "q"] * 5, "n")
        assert not plan_of(app)[0]._checks_left()
        assert "no spot check is left; y is locked: " in status(app)
        assert "not on screen yet" in status(app)


async def test_enter_at_the_end_of_a_check_goes_straight_to_the_next_one(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, adds(9), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "b", "n")
        screen, plan = plan_of(app)
        first = row_under_cursor(screen)
        second = next(name for name in plan.checks if name != first)
        await press(pilot, "enter", "enter")
        assert f"{second} of the plan" in painted(app)
        await press(pilot, "enter")
        assert app.screen is screen, "none is left"
        assert not screen._checks_left()


async def test_what_closes_without_a_write_shows_the_entry_that_says_it_already(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "b")
        _, plan = plan_of(app)
        await press(pilot, *["j"] * plan.order.index("noc00001"), "enter")
        assert "says it already, in USER.md" in painted(app)
        assert "  3   Drinks coffee without milk" in painted(app)
        assert "unchanged entries" not in painted(app)


async def test_the_source_is_shown_from_the_list_and_from_an_opened_row(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, adds(3), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "b", "i")
        assert "source of add00000" in painted(app)
        assert "the record as it is stored" in painted(app)
        await press(pilot, "q", "enter", "i")
        assert "source of add00000" in painted(app)
        await press(pilot, "q")
        assert isinstance(app.screen, PlanRowScreen)
        assert "i source" in painted(app)


# -- leaving out -------------------------------------------------------------------------------------------------------


async def test_a_row_that_is_left_out_keeps_its_place_counts_there_and_is_taken_back(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, adds(4), memory=["one"])
    async with running(desk, size=(80, 24)) as (app, pilot):
        await press(pilot, "b", "j")
        screen, before = plan_of(app)
        await press(pilot, "minus")
        _, plan = plan_of(app)
        assert plan.order == before.order
        assert len(plan.rows) == 3
        assert row_under_cursor(screen) == "add00001"
        assert "left out" in row_text(app, "fact 001")
        assert "by you" in row_text(app, "fact 001")
        assert "plan of 3 items" in painted(app)
        assert "-- left out by you: 1 (- puts back) --" in painted(app)
        await press(pilot, "enter")
        assert app.screen is screen
        assert "- puts it back" in status(app)
        await press(pilot, "minus")
        assert "plan of 4 items" in painted(app)
        assert "by you" not in painted(app)
        assert plan_of(app)[1].order == before.order


async def test_what_is_rejected_stays_in_sight_also_after_it_was_left_out(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, adds(4), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "b", "j")
        screen, before = plan_of(app)
        for keys in (("x",), ("minus", "x")):
            await press(pilot, *keys)
            _, plan = plan_of(app)
            assert plan.order == before.order
            assert row_under_cursor(screen) == "add00001"
            assert "REJECT" in row_text(app, "fact 001")
            await press(pilot, "enter")
            assert "nothing of this would be done" in painted(app)
            await press(pilot, "q")
            assert next(row for row in plan.rows if row.id == "add00001").decision.verb is Verb.REJECT


async def test_a_plan_of_which_all_was_left_out_says_how_to_take_it_back(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, adds(1), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "b", "minus")
        assert "nothing in this plan can be applied; - puts back what you left out" in status(app)
        await press(pilot, "y", "minus")
        assert "plan of 1 item" in painted(app)
        assert len(waiting(desk)) == 1


def test_no_repeat_takes_the_place_of_a_row_that_was_left_out_and_closes_it(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [WORDS, {**WORDS, "id": "alt00003"}, *adds(1)])
    plan = make_plan(desk, Wish(dropped=frozenset({"alt00001"})))
    assert [row.id for row in plan.rows] == ["add00000"]
    assert plan.closed == 0
    assert [row.id for row in plan.dropped] == ["alt00001"]


async def test_a_rejection_that_is_given_up_leaves_the_plan_as_it_was(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [*every_state(), *adds(3)])
    async with running(desk, size=(80, 24)) as (app, pilot):
        await press(pilot, "b", "minus", "n", "enter", "q", "end")
        screen, plan = plan_of(app)
        left, unread, text = screen._checks_left(), screen._unread(), painted(app)
        await press(pilot, "X")
        assert isinstance(app.screen, RejectManyScreen)
        await press(pilot, "2", "escape")
        assert plan_of(app) == (screen, plan)
        assert (screen._checks_left(), screen._unread()) == (left, unread)
        assert painted(app) == text
        assert len(waiting(desk)) == 14


# -- the filter --------------------------------------------------------------------------------------------------------


async def test_a_plan_takes_what_the_filter_shows_and_says_so(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "slash", *"lisbon", "enter", "b")
        _, plan = plan_of(app)
        assert plan.order == ("rep00001",)
        assert plan.left == (), "nor is the rest told as left out"
        assert "plan of 1 item of what the filter shows: lisbon" in painted(app)
        await press(pilot, "enter", "q", "y")
        assert len(waiting(desk)) == 12


async def test_marks_are_planned_whatever_the_filter_shows(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, adds(4), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "space", "space", "slash", *"003", "enter", "b")
        _, plan = plan_of(app)
        assert plan.order == ("add00000", "add00001")
        assert "filter" not in painted(app).splitlines()[0]


def test_what_is_left_out_under_a_filter_is_what_the_filter_shows(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    plan = make_plan(desk, Wish(query=Query("state:flagged")))
    assert plan.rows == ()
    assert [one.id for one in plan.left] == ["fla00001"]


def test_the_cursor_has_rows_to_stand_on(tmp_path: Path) -> None:
    """Every item of the order has a row, also one that went while it was left out."""
    desk = desk_with(tmp_path, adds(3), memory=["one"])
    (tmp_path / "hermes" / "pending" / "memory" / "add00001.json").unlink()
    wish = Wish(dropped=frozenset({"add00001", "add00002"}), order=("add00002", "add00001", "add00000"))
    plan = make_plan(desk, wish)
    assert plan.order == ("add00002", "add00000")


async def test_y_goes_on_to_what_was_not_on_screen_yet_and_applies_nothing_by_that(tmp_path: Path) -> None:
    """Whoever follows the way to the spot checks jumps over rows; the key that is locked leads to them."""
    desk = desk_with(tmp_path, adds(40))
    async with running(desk, size=(80, 24)) as (app, pilot):
        await press(pilot, "b", "G")
        assert "rows above not on screen yet" in status(app)
        rows = app.screen.query_one("#rows", RowList)
        while unread := app.screen._gate.unseen():  # type: ignore[attr-defined]
            await press(pilot, "y")
            assert "not applied: here is what was not on screen yet" in status(app)
            assert rows.cursor == unread[0], "the first of them"
            assert unread[0] not in app.screen._gate.unseen()  # type: ignore[attr-defined]
        assert len(waiting(desk)) == 40


async def test_the_lock_points_to_where_rows_were_jumped_over(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, adds(40))
    async with running(desk, size=(80, 24)) as (app, pilot):
        await press(pilot, "b")
        assert "rows not on screen yet (pgdn)" in status(app)
        await press(pilot, "G")
        assert "rows above not on screen yet (pgup)" in status(app)
        while "not on screen yet" in status(app):
            before = status(app)
            await press(pilot, "pageup")
            assert status(app) != before, "each press shows some of them"
