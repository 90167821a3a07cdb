"""Deferring on the review screen: away until a day, listed with it, back on it, and undone like any decision."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from curator_tui.tui.screens.planning import PlanScreen
from curator_tui.tui.screens.until import UntilScreen
from curator_tui.tui.session import Session
from curator_tui.tui.shown import say
from curator_tui.tui.widgets.fields import LineField
from tests.tui.desks import (
    NOW,
    cursor,
    desk_on,
    desk_with,
    entries,
    every_state,
    go_to,
    item,
    painted,
    paste,
    press,
    put_record,
    review,
    running,
    settle,
    status,
    waiting,
)  # fmt: skip

TODAY = date.fromtimestamp(NOW)  # noqa: DTZ012 - the day of the person who looks


def day(number: int) -> str:
    return (TODAY + timedelta(days=number)).isoformat()


async def test_in_a_narrow_window_a_day_that_is_none_is_told_with_the_whole_way_out(tmp_path: Path) -> None:
    async with running(desk_with(tmp_path, every_state()), size=(60, 18)) as (app, pilot):
        await press(pilot, "S", "6")
        await paste(pilot, "when the summer of the year after next is over")
        await press(pilot, "enter")
        assert painted(app).rstrip().endswith("3d or 2w.")


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_a_digit_defers_and_says_on_which_day_it_is_back(tmp_path: Path, size: tuple[int, int]) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=size) as (app, pilot):
        before = entries(desk)
        await press(pilot, "S")
        assert isinstance(app.screen, UntilScreen)
        assert f"tomorrow      {day(1)}" in painted(app)
        assert f"in two weeks  {day(14)}" in painted(app)
        assert waiting(desk) >= {"add00001"}
        await press(pilot, "4")
        assert f"in two weeks, {day(14)}: y takes it" in status(app)
        assert f">4  in two weeks  {day(14)}" in painted(app)
        await press(pilot, "y")
        assert "add00001" not in waiting(desk)
        assert f"back on {day(14)}" in status(app)
        assert cursor(app) == "add00002", "the next row, without a key"
        assert "1 deferred" in painted(app)
        assert "12 waiting" in painted(app)
        assert entries(desk) == before
        row = desk.store.book.rows()[-1].row
        assert row["action"] == "defer"


@pytest.mark.parametrize("typed", [("2", "w"), ("2", "1", "0", "d"), ("y", "2", "enter")])
async def test_a_digit_only_chooses_however_one_types_on(tmp_path: Path, typed: tuple[str, ...]) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "one")])
    async with running(desk) as (app, pilot):
        await press(pilot, "S", *typed)
        assert isinstance(app.screen, UntilScreen)
        assert waiting(desk) == {"add00001"}


@pytest.mark.parametrize("today", ["", "9999-12-30"])
async def test_a_clock_at_the_end_of_the_calendar_offers_the_days_that_there_are(tmp_path: Path, today: str) -> None:
    async with running(desk_with(tmp_path, [])) as (app, pilot):
        app.push_screen(UntilScreen(say("until"), today))
        await settle(pilot)
        assert "in 30 days    no day of the calendar" in painted(app)
        await press(pilot, "5", "y")
        assert "nothing is deferred yet" in status(app)
        await press(pilot, "7", "y")
        assert not isinstance(app.screen, UntilScreen)


async def test_undo_puts_it_back_at_its_place_with_the_cursor_on_it(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "los00001")
        order = [row.id for row in review(app).model.rows.items()]  # type: ignore[union-attr]
        await press(pilot, "S", "1", "y")
        assert "los00001" not in waiting(desk)
        await press(pilot, "u")
        assert cursor(app) == "los00001"
        assert [row.id for row in review(app).model.rows.items()] == order  # type: ignore[union-attr]
        assert "deferred" not in painted(app).splitlines()[0]
        await press(pilot, "U")
        assert "los00001" not in waiting(desk)


@pytest.mark.parametrize(("words", "until"), [("3d", 3), (day(30), 30)])
async def test_a_day_is_taken_as_it_is_written(tmp_path: Path, words: str, until: int) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "one"), item("add00002", "add", "two")])
    async with running(desk) as (_, pilot):
        await press(pilot, "S", "6")
        await paste(pilot, words)
        await press(pilot, "enter", "y")
        known = desk.deferral("add00001")
        assert known is not None
        assert known.until == day(until)


async def test_no_day_is_told_and_asked_again(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "S", "6")
        await paste(pilot, "soon")
        await press(pilot, "enter")
        assert "soon is no day" in status(app)
        field = app.screen.query_one("#note", LineField)
        assert field.words == "soon", "what was written stays, to be mended"
        field.value = ""
        await paste(pilot, "2020-01-01")
        await press(pilot, "enter")
        assert "is not to come" in status(app)
        await press(pilot, "escape", "escape")
        assert "add00001" in waiting(desk)
        assert "nothing deferred" in status(app)


async def test_deferred_ones_are_listed_under_their_day_and_brought_back(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "S", "4", "y", "S", "1", "y", "S", "7", "y")
        assert len(waiting(desk)) == 10
        await press(pilot, "/")
        await paste(pilot, "is:deferred")
        await press(pilot, "enter")
        text = painted(app)
        first, second = text.index(f"deferred: back on {day(1)}"), text.index(f"deferred: back on {day(14)}")
        assert first < second < text.index("deferred: until you reopen them")
        await press(pilot, "g")
        assert cursor(app) == "add00002"
        assert f"until {day(1)}, by you" in painted(app)
        await press(pilot, "S", "8", "y")
        assert "add00002" in waiting(desk)
        assert "waits again" in status(app)
        assert desk.deferral("add00002") is None


async def test_a_deferred_one_can_be_decided_where_it_is_listed(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "S", "4", "y", "/")
        await paste(pilot, "is:deferred")
        await press(pilot, "enter")
        assert cursor(app) == "add00001"
        await press(pilot, "a")
        assert "Backups run on Sunday" in entries(desk)
        assert desk.deferred() == ()
        await press(pilot, "u")
        assert "Backups run on Sunday" not in entries(desk)
        assert desk.deferral("add00001") is not None, "it was deferred before, and is so again"


async def test_marked_items_are_deferred_together(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "space", "space", "space", "S", "1", "y")
        assert len(desk.deferred()) == 3
        assert app.session.marked == {}
        assert "3 items" in status(app)
        await press(pilot, "u")
        assert desk.deferred() == ()
        assert len(waiting(desk)) == 13


async def test_a_marked_record_that_was_written_anew_since_it_was_listed_is_not_deferred(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "space", "space", "S")
        put_record(tmp_path / "hermes", item("add00001", "add", "Likes dark rye bread", target="user", age=8000))
        await press(pilot, "1", "y")
        assert len(desk.deferred()) == 1
        assert desk.deferral("add00001") is None
        assert "its record changed since it was shown" in status(app)


async def test_what_is_back_says_why(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    desk.defer(["add00001"], day(1))
    desk.defer(["add00002"], day(9))
    put_record(tmp_path / "hermes", item("add00002", "add", "Likes dark rye bread", target="user", age=8000))
    desk._clock = lambda: NOW + 2 * 86_400
    desk.refresh(thorough=True)
    async with running(desk) as (app, pilot):
        assert cursor(app) == "add00001"
        assert f"was deferred until {day(1)}" in painted(app)
        assert "that day has come" in painted(app)
        await press(pilot, "j")
        assert f"written again while it was deferred until {day(9)}" in painted(app)


async def test_another_desk_that_decided_it_first_is_told(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "S")
        desk.store.queue.get("add00001")
        (tmp_path / "hermes" / "pending" / "memory" / "add00001.json").unlink()
        await press(pilot, "1", "y")
        assert desk.deferred() == ()
        assert "add00001" in status(app)


async def test_skip_stays_without_a_decision(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (_, pilot):
        rows = len(desk.store.book.rows())
        await press(pilot, "s")
        assert len(desk.store.book.rows()) == rows
        assert desk.deferred() == ()


async def test_one_key_lists_what_is_deferred_where_it_is_brought_back(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "D")
        assert "nothing is deferred" in status(app)
        await press(pilot, "S", "1", "y")
        assert "1 deferred (D)" in painted(app).splitlines()[0]
        await press(pilot, "D")
        assert cursor(app) == "add00001"
        assert "S brings one back" in status(app)
        app.screen.say(())  # type: ignore[attr-defined]
        assert "deferred: S brings it back" in status(app)
        await press(pilot, "S", "8", "y")
        assert "add00001" in waiting(desk)
        await press(pilot, "D")
        assert app.session.words == ""
        assert cursor(app) == "add00001"


async def test_the_key_leads_back_to_the_filter_of_before_and_to_no_older_one(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    desk.defer(("fla00001",), "")
    async with running(desk) as (app, pilot):
        set_words = review(app).set_words
        for leave in (review(app).arranging.list_deferred, lambda: set_words("")):
            set_words("krita")
            review(app).arranging.list_deferred()
            assert app.session.words == "is:deferred"
            leave()
            set_words("")
            set_words("is:deferred")
            review(app).arranging.list_deferred()
            assert app.session.words == ""
        await settle(pilot)
        set_words("krita")
        await press(pilot, "D", "D")
        assert app.session.words == "krita"
        app.session = Session()
        set_words("is:deferred")
        await press(pilot, "D")
        assert app.session.words == "", "another desk has a session of its own"


async def test_an_empty_queue_leads_to_what_is_deferred(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "one")])
    async with running(desk) as (app, pilot):
        await press(pilot, "S", "1", "y")
        assert "D  lists the 1 deferred" in painted(app)
        await press(pilot, "D")
        assert cursor(app) == "add00001"


@pytest.mark.parametrize(("deferred", "digits"), [(False, "1-7 day"), (True, "1-8 day")])
async def test_only_digits_are_named_that_stand_for_a_day(tmp_path: Path, deferred: bool, digits: str) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, *(("S", "1", "y", "D") if deferred else ()), "S")
        assert digits in painted(app)


async def test_where_nobody_can_tell_what_is_deferred_the_queue_says_so_and_no_plan_is_made(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "one"), item("add00002", "add", "two")])
    before = entries(desk)
    desk.defer(["add00001"])
    desk.close()
    with closing(sqlite3.connect(tmp_path / "hermes" / "curator-tui" / "book.sqlite")) as connection:
        connection.execute("UPDATE memory_deferrals SET until = x'00ff'")
        connection.commit()
    desk = desk_on(tmp_path / "hermes")
    async with running(desk) as (app, pilot):
        assert "what is deferred is not known" in painted(app)
        await press(pilot, "b")
        assert isinstance(app.screen, PlanScreen)
        assert "cannot be told" in painted(app)
        assert "not planned, nothing can be applied" in status(app)
        await press(pilot, "y")
        assert isinstance(app.screen, PlanScreen)
        assert entries(desk) == before
        assert {"add00001", "add00002"} <= set(waiting(desk))
