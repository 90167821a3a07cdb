"""A queue of which only a page is held: every row can be reached, marked and decided all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_tui.curator import listing
from curator_tui.tui.review import paging
from tests.tui.desks import cursor, desk_with, item, painted, press, review, running, settle, status, waiting

COUNT = 120
NAMES = [f"add{at:05}" for at in range(COUNT)]


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "PAGE", 30)
    monkeypatch.setattr(paging, "_AHEAD", 5)


def records() -> list[dict[str, object]]:
    return [item(name, "add", f"Fact number {at} of many", age=100_000 - at) for at, name in enumerate(NAMES)]


async def test_moving_reaches_every_row_and_shows_its_item(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, records()[:50], memory=[])
    async with running(desk) as (app, pilot):
        assert not review(app).model.board.listing.whole  # type: ignore[union-attr]
        for name in NAMES[:50]:
            assert cursor(app) == name
            looked = review(app).model.looked
            assert looked is not None
            assert looked.id == name
            await press(pilot, "j")
        for name in reversed(NAMES[:49]):
            await press(pilot, "k")
            assert cursor(app) == name


async def test_the_last_and_the_first_row_are_one_key_away(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, records(), memory=[])
    async with running(desk) as (app, pilot):
        await press(pilot, "G")
        assert cursor(app) == NAMES[-1]
        assert "Fact number 119" in painted(app)
        await press(pilot, "g")
        assert cursor(app) == NAMES[0]


async def test_the_wheel_shows_rows_of_other_pages(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, records(), memory=[])
    async with running(desk) as (app, pilot):
        rows = review(app).queue
        for _ in range(45):
            rows._scroll(3)
            await settle(pilot)
            assert "      …" not in painted(app)
        assert "Fact number 119" in painted(app)
        assert cursor(app) == NAMES[0], "the wheel leaves the cursor where it is"


async def test_all_and_a_range_are_marked_across_pages(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, records(), memory=[])
    async with running(desk) as (app, pilot):
        await press(pilot, "*")
        assert list(app.session.marked) == NAMES
        await press(pilot, "-", "j", "v", "G", "k", "v")
        assert list(app.session.marked) == NAMES[1:-1]


async def test_after_a_decision_on_another_page_the_next_row_is_under_the_cursor(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, records(), memory=[])
    async with running(desk) as (app, pilot):
        await press(pilot, "G", "k", "k", "x")
        assert cursor(app) == NAMES[-2]
        await press(pilot, "g", "u")
        assert cursor(app) == NAMES[-3], "the cursor goes to what came back, on whatever page it stands"
        assert waiting(desk) == set(NAMES)


async def test_the_filter_finds_what_is_on_no_page_that_was_held(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, records(), memory=[])
    async with running(desk) as (app, pilot):
        await press(pilot, "/", *"number 11", "enter")
        assert cursor(app) == NAMES[11]
        assert [row.id for row in review(app).model.rows.items()] == [NAMES[11], *NAMES[110:120]]  # type: ignore[union-attr]
        await press(pilot, "escape")
        assert cursor(app) == NAMES[11]


async def test_the_order_is_chosen_and_the_cursor_stays_on_its_item(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, records(), memory=[])
    async with running(desk) as (app, pilot):
        await press(pilot, "j", "j", "o")
        assert "newest first" in painted(app)
        await press(pilot, "6")
        assert cursor(app) == NAMES[2]
        assert "newest first" in status(app)
        await press(pilot, "k")
        assert cursor(app) == NAMES[3]
        await press(pilot, "o", "3", "g")
        assert "assistant_tool  120" in painted(app)


async def test_skipping_goes_on_and_puts_the_item_last(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, records(), memory=[])
    async with running(desk) as (app, pilot):
        await press(pilot, "s", "s")
        assert cursor(app) == NAMES[2]
        await press(pilot, "G")
        assert cursor(app) == NAMES[1]
        assert "skipped for now" in painted(app)
