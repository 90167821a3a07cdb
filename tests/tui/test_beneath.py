"""What others do while a dialog is open: it is said there, and nothing that was typed is thrown away by it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curator_tui.tui.app import CuratorApp
from curator_tui.tui.screens.acting import Dialog
from curator_tui.tui.screens.editing import EditScreen
from curator_tui.tui.widgets.fields import LineField, TextField
from tests.tui.desks import (
    desk_with,
    entries,
    every_state,
    item,
    painted,
    press,
    put_record,
    put_text,
    running,
    settle,
    status,
    waiting,
)

CHANGED = "it changed on disk"
MINE = "Backups run on Monday, from the cellar"


def look(app: CuratorApp) -> None:
    """Have the dialog look as it does at every poll."""
    assert isinstance(app.screen, Dialog)
    assert app.screen.beneath is not None
    app.screen.beneath.look_again()


def remove(home: Path) -> None:
    (home / "pending" / "memory" / "add00001.json").unlink()


def reword(home: Path) -> None:
    put_record(home, item("add00001", "add", "Backups run on Saturday"))


def rewrite_document(home: Path) -> None:
    (home / "memories" / "MEMORY.md").write_text("Backups are off", encoding="utf-8")


@pytest.mark.parametrize(
    ("keys", "others"),
    [(("X",), remove), (("X", "6"), reword), (("S",), rewrite_document), (("e",), reword), (("e",), remove)],
)
async def test_a_dialog_says_that_what_it_is_about_changed(
    tmp_path: Path, keys: tuple[str, ...], others: Callable[[Path], None]
) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, *keys)
        look(app)
        await settle(pilot)
        assert CHANGED not in status(app)
        others(tmp_path / "hermes")
        look(app)
        await settle(pilot)
        gone = keys == ("e",) and others is remove
        assert ("what you edit is gone" if gone else CHANGED) in status(app)


async def test_what_is_as_it_was_again_is_not_said_to_have_changed(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    path = tmp_path / "hermes" / "pending" / "memory" / "add00001.json"
    async with running(desk) as (app, pilot):
        await press(pilot, "X")
        before = path.read_bytes()
        reword(tmp_path / "hermes")
        look(app)
        await settle(pilot)
        assert CHANGED in status(app)
        path.write_bytes(before)
        look(app)
        await settle(pilot)
        assert CHANGED not in status(app)


async def test_a_question_of_another_place_says_so_too(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "2", "j", "C")
        look(app)
        await settle(pilot)
        assert CHANGED not in status(app)
        rewrite_document(tmp_path / "hermes")
        look(app)
        await settle(pilot)
        assert CHANGED in status(app)


async def test_a_text_whose_item_went_stays_and_leaving_asks(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        await put_text(pilot, MINE)
        remove(tmp_path / "hermes")
        await press(pilot, "ctrl+s")
        assert isinstance(app.screen, EditScreen)
        assert status(app).count("is gone") == 1
        assert app.screen.query_one("#field", TextField).words == MINE
        await press(pilot, "ctrl+s", "escape")
        assert "leave without your text?" in painted(app)
        await press(pilot, "n")
        assert isinstance(app.screen, EditScreen)
        await press(pilot, "escape", "y")
        assert not isinstance(app.screen, Dialog)
        assert not app.session.drafts
        assert MINE not in entries(desk)


async def test_a_version_that_would_do_something_else_by_now_is_shown_again_first(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        await put_text(pilot, MINE)
        rewrite_document(tmp_path / "hermes")
        await press(pilot, "ctrl+s")
        assert isinstance(app.screen, EditScreen)
        assert CHANGED in status(app)
        assert "add00001" in waiting(desk)
        await press(pilot, "ctrl+s")
        assert entries(desk) == ("Backups are off", MINE)


async def test_words_that_nothing_came_of_are_offered_to_no_other_item(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "X", "6", "N", "o")
        remove(tmp_path / "hermes")
        await press(pilot, "enter")
        assert "add00001" not in waiting(desk)
        assert status(app).count("add00001") == 1, "what is gone is named once"
        await press(pilot, "X", "6")
        assert app.screen.query_one("#note", LineField).words == "", "they were for another item"


async def test_words_stand_there_again_for_what_is_left_of_what_they_were_typed_for(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "space", "space", "X", "6", "N", "o", "enter")
        remove(tmp_path / "hermes")
        await press(pilot, "y")
        assert "add00002" in waiting(desk), "all or none"
        await press(pilot, "X", "6")
        assert app.screen.query_one("#note", LineField).words == "No"
        await press(pilot, "enter", "y", "X", "6")
        assert not app.screen.query_one("#note", LineField).words, "they were taken"
