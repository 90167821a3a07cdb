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
from tests.tui.desks import (
    cursor,
    desk_with,
    entries,
    every_state,
    go_to,
    item,
    painted,
    press,
    put_record,
    review,
    running,
    settle,
    status,
    waiting,
)
from tests.tui.test_live import look_again

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


def exchange(home: Path, name: str = "add00001") -> None:
    """Write another record under the id of one that was marked, as an agent may at any moment."""
    put_record(home, item(name, "add", "Never trust the backups", age=9000))


async def test_a_plan_takes_marked_records_and_never_what_came_under_their_ids_since(tmp_path: Path) -> None:
    """The queue is not looked at between the mark and the plan: the record itself has to tell."""
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "add00001")
        await press(pilot, "space", "space")
        exchange(tmp_path / "hermes")
        await press(pilot, "b")
        plan = app.screen._plan  # type: ignore[attr-defined]
        assert [row.id for row in plan.rows] == ["add00002"]
        assert [(one.id, one.code) for one in plan.left] == [("add00001", "changed-since-marked")]
        assert "was written again since it was marked" in painted(app)
        await press(pilot, "n", "enter", "enter", "y")
        assert "Never trust the backups" not in entries(desk)
        assert "Likes rye bread" in entries(desk, Target.USER)
        assert "add00001" in waiting(desk)


async def test_what_is_marked_and_exchanged_before_it_is_applied_is_left_out_too(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "add00001")
        await press(pilot, "space", "b", "n", "enter", "enter")
        assert "y applies it" in status(app)
        exchange(tmp_path / "hermes")
        await press(pilot, "y")
        assert not app.screen._plan.rows  # type: ignore[attr-defined]
        await press(pilot, "y")
        assert "add00001" in waiting(desk)


@pytest.mark.parametrize(("keys", "title"), [(("X",), "reject 1 item as"), (("S",), "defer 1 item until (left out")])
async def test_what_is_done_to_marked_items_is_done_to_the_records_that_were_marked(
    tmp_path: Path, keys: tuple[str, ...], title: str
) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(120, 30)) as (app, pilot):
        await go_to(pilot, app, "add00001")
        await press(pilot, "space", "space")
        exchange(tmp_path / "hermes")
        await press(pilot, *keys)
        assert title in painted(app)
        assert "left out, changed or gone since it was marked: add00001" in painted(app)
        await press(pilot, "2" if "X" in keys else "1", "y")
        desk.refresh()
        assert desk.queue.proposal("add00001") is not None, "it waits: nobody meant this one"
        assert desk.deferral("add00001") is None
        assert "add00002" not in {row.id for row in app.clerk.desk.queue.proposals()}
        assert app.session.marked == {}


async def test_where_no_marked_record_is_left_nothing_is_asked(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        for key in "XS":
            await go_to(pilot, app, "add00001")
            await press(pilot, "space")
            exchange(tmp_path / "hermes")
            await press(pilot, key)
            assert app.screen is review(app)
            assert "none of these items waits any more" in status(app)
            put_record(tmp_path / "hermes", item("add00001", "add", "Backups run on Sunday", age=9000))
            await press(pilot, "R")


@pytest.mark.parametrize(("keys", "asked"), [(("S", "1"), "defer 2 items until"), (("X", "2"), "reject 2 items")])
async def test_a_mark_on_a_row_of_several_belongs_to_the_records_that_stood_there(
    tmp_path: Path, keys: tuple[str, str], asked: str
) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "alt00001")
        await press(pilot, "space")
        put_record(tmp_path / "hermes", item("alt00002", "replace", "Uses spaces", "Prefers tabs", age=5000))
        put_record(tmp_path / "hermes", item("alt00004", "replace", "Uses both", "Prefers tabs", age=3500))
        await press(pilot, keys[0])
        assert asked in painted(app)
        assert "left out, changed or gone since it was marked: alt00002" in " ".join(painted(app).split())
        await press(pilot, keys[1], "y")
        desk.refresh()
        listed = {name for name in waiting(desk) if desk.deferral(name) is None}
        assert {name for name in listed if name.startswith("alt")} == {"alt00002", "alt00004"}


async def test_what_left_the_queue_is_not_counted_among_what_is_marked(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "alt00001")
        await press(pilot, "space")
        for name in ("alt00002", "alt00003"):
            (tmp_path / "hermes" / "pending" / "memory" / f"{name}.json").unlink()
        await look_again(app, pilot)
        assert app.session.marked_items == 1
        assert "items marked" not in painted(app)


async def test_rows_that_stand_for_several_items_are_counted_as_both(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "alt00001")
        await press(pilot, "space")
        assert "1 row, 3 items marked" in painted(app)
        await press(pilot, "S")
        assert "defer 3 items until" in painted(app), "what is done counts what was told to be marked"
        await press(pilot, "1", "y")
        assert {one.id for one in desk.deferred()} == {"alt00001", "alt00002", "alt00003"}
        await press(pilot, "u", "asterisk")
        assert "11 rows, 13 items marked" in status(app)
        await press(pilot, "X")
        assert "reject 13 items" in painted(app)
