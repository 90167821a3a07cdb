"""Marks are set on the rows that stand on screen, whatever the store holds by then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curator_tui.core.documents import Target
from curator_tui.core.requests import ChallengeCode
from curator_tui.curator import listing
from curator_tui.curator.desk import Desk
from curator_tui.curator.queries import Query
from curator_tui.tui.app import CuratorApp
from curator_tui.tui.session import Session
from tests.homes import stage
from tests.tui.desks import cursor, desk_with, every_state, go_to, item, press, review, running, settle, status

READY = {"add00001", "add00002", "rep00001", "alt00001"}
WHOLE = {found["id"] for found in every_state()} - {"alt00002", "alt00003"}  # a group is one row


def staged_unseen(desk: Desk, home: Path) -> None:
    """Stage what would stand first, and have it read by the desk but not shown by the screen."""
    for number in range(3):
        stage(home, item(f"new{number:05d}", "add", f"new fact {number}", age=10_000))
    desk.refresh()


def end_range(app: CuratorApp) -> None:
    app.session.range_from = "rep00001"
    review(app).marking.begin_or_end_range()


def click_with_shift(app: CuratorApp) -> None:
    rows = review(app).queue
    rows.post_message(rows.Spanned(rows, rows.cursor, rows.cursor + 2))


MARKING: list[tuple[Callable[[CuratorApp], None], set[str]]] = [
    (lambda app: review(app).marking.toggle_section(), READY),
    (end_range, {"add00001", "add00002", "rep00001"}),
    (click_with_shift, {"add00001", "add00002", "rep00001"}),
    (lambda app: review(app).marking.mark_all(), WHOLE),
]


@pytest.mark.parametrize("page", [listing.PAGE, 6])
async def test_what_was_staged_since_the_list_was_drawn_is_never_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    monkeypatch.setattr(listing, "PAGE", page)
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "add00001")
        staged_unseen(desk, tmp_path / "hermes")
        for mark, right in MARKING:
            mark(app)
            await settle(pilot)
            assert set(app.session.marked) == right
            app.session.marked.clear()


async def test_where_the_list_of_the_desk_is_another_one_nothing_is_marked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "PAGE", 6)
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        staged_unseen(desk, tmp_path / "hermes")
        desk.listings.page(Query())
        await press(pilot, "asterisk")
        assert not app.session.marked
        assert "press the key again" in status(app)
        await press(pilot, "asterisk")
        assert len(app.session.marked) == 14, "now they stand in the list"


async def test_positions_are_those_of_items_also_below_questions(tmp_path: Path) -> None:
    """Questions stand above the list: a range below them holds what it spans on screen."""
    desk = desk_with(tmp_path, every_state())
    desk.challenge(Target.MEMORY, "Prefers tabs", ChallengeCode.OUTDATED)
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "add00001")
        end_range(app)
        assert set(app.session.marked) == {"add00001", "add00002", "rep00001"}


async def test_a_range_whose_start_is_filtered_out_says_so_and_can_go_on(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "v", "j")
        began = app.session.range_from
        review(app).arranging.set_words("rye")
        await settle(pilot)
        assert cursor(app) == "add00002"
        await press(pilot, "v")
        assert "the filter hides the row where the range began; esc gives it up" in status(app)
        assert app.session.range_from == began
        review(app).arranging.set_words("")
        await settle(pilot)
        await press(pilot, "v")
        assert {"add00001", "add00002"} <= set(app.session.marked)
        assert app.session.range_from is None
        await press(pilot, "g", "v")
        (tmp_path / "hermes" / "pending" / "memory" / "add00001.json").unlink()
        await press(pilot, "R", "v")
        assert "the row where the range began is gone" in status(app)


async def test_a_mark_belongs_to_the_record_that_was_seen(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    queue = tmp_path / "hermes" / "pending" / "memory"
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "add00001")
        end_range(app)
        gone = (queue / "add00001.json").read_bytes()
        (queue / "add00001.json").unlink()
        stage(tmp_path / "hermes", item("add00002", "add", "another text under the same id"))
        review(app).live.tick()
        await settle(pilot)
        assert set(app.session.marked) == {"rep00001"}
        assert "2 marks dropped: what was marked changed or left the queue" in status(app)
        (queue / "add00001.json").write_bytes(gone)
        review(app).live.tick()
        await settle(pilot)
        assert set(app.session.marked) == {"rep00001"}, "nothing is marked by coming back"
        review(app).marking.mark_all()
        assert len(app.session.marked) == len(WHOLE)


def test_a_mark_that_was_set_anew_meanwhile_is_not_dropped() -> None:
    session = Session(marked={"a": "new", "b": "old", "c": "other"})
    assert session.drop_marks({"a": "old", "b": "old", "d": "old"}) == 1
    assert session.marked == {"a": "new", "c": "other"}
