"""Going back: what a rollback's question says, where q leads, and where the cursor stands after undo and redo."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_tui.core.requests import Decision, Verb
from curator_tui.tui.going_back import preview, question_lines
from curator_tui.tui.screens.choosing import ChooseScreen
from curator_tui.tui.screens.editing import EditScreen
from curator_tui.tui.screens.history import HistoryScreen
from curator_tui.tui.screens.planning import PlanScreen
from curator_tui.tui.screens.second import AskScreen
from curator_tui.tui.shown import Shown, words_of
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
    status,
    waiting,
)  # fmt: skip


def numbered(count: int) -> list[dict[str, object]]:
    return [item(f"add{n:05d}", "add", f"f {n:03d}", age=9000 - n) for n in range(count)]


def question(screen: object) -> list[str]:
    """Return every line of a question, those below its edge too."""
    assert isinstance(screen, AskScreen)
    return [words_of((*line.prefix, *line.body)).strip() for line in screen.lines()]


# -- the question of a rollback ----------------------------------------------------------------------------------------


async def test_a_rollback_that_takes_no_decision_back_asks_as_well(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "a", "3", "r", "y")
        before = entries(desk)
        assert "Backups run on Sunday" not in before
        await press(pilot, "g", "r")
        told = question(app.screen)
        assert "undoes     1 change" in told
        assert told[told.index("closes     1 again:") + 1] == "memory: 'Backups run on Sunday'"
        assert entries(desk) == before
        await press(pilot, "enter")
        assert isinstance(app.screen, HistoryScreen)
        assert entries(desk) == before, "only y means yes"
        await press(pilot, "r", "y")
        assert "Backups run on Sunday" in entries(desk)
        assert "0 back in the queue, 1 closed again." in status(app)
        assert "add00001" not in waiting(desk)


def test_the_question_of_a_rollback_names_what_others_wrote_that_it_takes_back(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, numbered(1), memory=["one"])
    backup = desk.decide([Decision("add00000", Verb.APPROVE)]).backup
    memory = tmp_path / "hermes" / "memories" / "MEMORY.md"
    memory.write_text(memory.read_text("utf-8") + "\n§\nWritten elsewhere", encoding="utf-8")
    asked = [words_of(line.body) for line in question_lines(preview(desk, backup or "", ()), Shown(""))]
    assert "1 change, and 1 change from outside: 'Written elsewhere'" in asked
    desk.close()


async def test_every_item_that_comes_back_is_counted_and_the_list_says_where_it_ends(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, numbered(45), memory=["one"])
    desk.decide([Decision(f"add{n:05d}", Verb.APPROVE) for n in range(45)])
    async with running(desk) as (app, pilot):
        await press(pilot, "3", "r")
        lines = question(app.screen)
        assert "returns    45 to the queue:" in lines
        assert sum(line.startswith("memory: 'f 0") for line in lines) == 40
        assert "and 5 more" in lines
        assert "(pgdn)" in painted(app), "what is below the edge is marked"
        await press(pilot, "y")
        assert len(waiting(desk)) == 0, "y counts when all of it was read"
        for _ in range(4):
            if isinstance(app.screen, AskScreen):
                await press(pilot, "y")
        assert len(waiting(desk)) == 45
        assert "45 back in the queue. u undoes it" in status(app)


async def test_it_is_said_what_becomes_of_the_items_that_wait(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "Backups run on Sunday")], memory=["one"])
    desk.decide([Decision("add00001", Verb.APPROVE)])
    for record in (
        item("rep00001", "replace", "Backups run on Monday", "Backups run on Sunday"),
        item("add00002", "add", "Has a cat"),
        item("add00003", "add", "Likes rye bread", target="user"),
    ):
        put_record(tmp_path / "hermes", record)
    async with running(desk) as (app, pilot):
        await press(pilot, "3")
        assert "waiting    1 becomes stale, 2 as before" in painted(app), "all that wait are counted, so of USER.md too"
        await press(pilot, "r")
        assert "waiting    1 becomes stale, 2 as before" in question(app.screen)


async def test_the_undo_of_a_rejection_says_why_it_was_rejected(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "add00002")
        await press(pilot, "X", "6", *"as I said", "enter")
    async with running(desk) as (app, pilot):
        await press(pilot, "u")
        assert "user: 'Likes rye bread' comes back to the queue (rejected: other: as I said)" in question(app.screen)


# -- q -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["q", "escape"])
@pytest.mark.parametrize(("name", "keys"), [("amb00001", ("a", "enter")), ("los00001", ("I",))])
async def test_from_another_version_of_an_item_one_goes_back_to_the_item(
    tmp_path: Path, key: str, name: str, keys: tuple[str, ...]
) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, name)
        await press(pilot, *keys)
        looked = review(app).model.looked
        assert looked is not None
        assert not looked.edit.empty
        await press(pilot, key)
        looked = review(app).model.looked
        assert looked is not None
        assert (looked.id, looked.edit.empty) == (name, True)
        assert not app.is_leaving
        await press(pilot, "q")
        assert app.is_leaving


@pytest.mark.parametrize("key", ["q", "escape"])
async def test_from_the_text_of_a_small_window_one_goes_back_to_the_list(tmp_path: Path, key: str) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(50, 24)) as (app, pilot):
        await press(pilot, "tab")
        assert not review(app).query_one("#left").display
        await press(pilot, key)
        assert review(app).query_one("#left").display
        assert not app.is_leaving
        await press(pilot, "3", "tab", key)
        assert isinstance(app.screen, HistoryScreen)
        await press(pilot, key)
        assert app.screen is review(app)


async def test_q_beside_the_field_leaves_the_editor_and_keeps_the_draft(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "e", "q")
        assert isinstance(app.screen, EditScreen), "in the field it is a letter"
        await press(pilot, "tab", "q")
        assert app.screen is review(app)
        assert any("q" in text for text in app.session.drafts.values())


# -- an item that means several entries --------------------------------------------------------------------------------


async def test_an_ambiguous_item_can_be_rejected_where_its_entry_is_picked(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "amb00001")
        await press(pilot, "a")
        assert isinstance(app.screen, ChooseScreen)
        assert "x reject" in painted(app)
        await press(pilot, "x")
        assert "amb00001" not in waiting(desk)
        part = desk.store.book.rows()[-1].row["decisions"][0]
        assert (part["decision"], part.get("reason")) == ("reject", None), "nobody said that it is stale"


# -- the cursor --------------------------------------------------------------------------------------------------------


async def test_after_undo_the_cursor_is_on_the_first_that_came_back_and_after_redo_on_the_next(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, numbered(30), memory=["one"])
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "add00010")
        await press(pilot, "space", "space", "space", "b")
        while isinstance(app.screen, PlanScreen) and app.screen.locked():
            await press(pilot, "enter", "q")
        await press(pilot, "y")
        assert len(waiting(desk)) == 27
        await go_to(pilot, app, "add00025")
        await press(pilot, "u")
        assert len(waiting(desk)) == 30
        assert cursor(app) == "add00010"
        await press(pilot, "U")
        assert len(waiting(desk)) == 27
        assert cursor(app) == "add00013"
