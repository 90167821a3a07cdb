"""The keys of the editor: the row names those that work now, none is dropped without a word, the entry comes along."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_tui.tui.app import CuratorApp, Timing
from curator_tui.tui.screens.editing import EditScreen
from curator_tui.tui.shown import words_of
from curator_tui.tui.widgets.fields import MOST_TEXT, TextField
from curator_tui.tui.widgets.key_row import KeyRow
from tests.tui.desks import NET, desk_with, every_state, go_to, press, running, settle, status

_SLOW = Timing(dwell=60.0, quiet=0.0, poll=0.0, rest=0.0)


def key_row(app: CuratorApp) -> str:
    return words_of(app.screen.query_one("#keys", KeyRow).layout_row(120))


def field(app: CuratorApp) -> TextField:
    return app.screen.query_one("#field", TextField)


async def test_in_the_text_only_keys_are_named_that_work_there(tmp_path: Path) -> None:
    async with running(desk_with(tmp_path, every_state())) as (app, pilot):
        await press(pilot, "e")
        assert isinstance(app.screen, EditScreen)
        row = key_row(app)
        assert "ctrl+s approve" in row
        assert "ctrl+g no hidden" in row
        assert "tab other keys" in row
        assert "reset" not in row
        assert "editor" not in row
        await press(pilot, "tab")
        row = key_row(app)
        assert "r reset" in row
        assert "E editor" in row
        await press(pilot, "tab")
        assert "reset" not in key_row(app)


async def test_a_text_that_is_held_and_not_written_in_leaves_the_letters_their_meaning(tmp_path: Path) -> None:
    async with running(desk_with(tmp_path, every_state())) as (app, pilot):
        await press(pilot, "e")
        field(app).put("w" * (MOST_TEXT + 1))
        screen = app.screen
        assert isinstance(screen, EditScreen)
        screen._load("w" * (MOST_TEXT + 1))
        assert "r reset" in key_row(app)
        await press(pilot, "r")
        assert field(app).words == "Backups run on Sunday"
        assert "reset" not in key_row(app)


@pytest.mark.parametrize("outcome", ["not there yet", "just painted"])
async def test_saving_too_soon_is_said_and_stays_said(tmp_path: Path, outcome: str) -> None:
    timing = _SLOW if outcome == "just painted" else Timing(dwell=0.0, quiet=0.0, poll=0.0, rest=0.0)
    async with running(desk_with(tmp_path, every_state()), timing=timing) as (app, pilot):
        await press(pilot, "e")
        screen = app.screen
        assert isinstance(screen, EditScreen)
        if outcome == "not there yet":
            field(app).insert("!")
        screen.action_edit_save()
        await settle(pilot)
        assert app.screen is screen
        assert "too fast" in status(app)
        field(app).insert("?")
        await settle(pilot)
        assert "too fast" not in status(app), "a new text is a new look"


async def test_the_entry_as_it_stands_comes_in_place_of_what_the_agent_wrote(tmp_path: Path) -> None:
    async with running(desk_with(tmp_path, every_state()), size=(140, 40)) as (app, pilot):
        await go_to(pilot, app, "los00001")
        await press(pilot, "e", "ctrl+o")
        assert field(app).words == NET
        await press(pilot, "!", "ctrl+o")
        assert field(app).words == f"{NET}!\n{NET}", "one's own words stay"
        assert "ctrl+o entry now" in key_row(app)


async def test_an_addition_is_offered_no_entry(tmp_path: Path) -> None:
    async with running(desk_with(tmp_path, every_state())) as (app, pilot):
        await press(pilot, "e", "ctrl+o")
        assert field(app).words == "Backups run on Sunday"
        assert "entry now" not in key_row(app)
