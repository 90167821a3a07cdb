"""Rebasing a stale item: the three texts, the four ways, and that nothing is written before its outcome was shown."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from textual.widgets import TextArea

from curator_tui.curator.desk import Desk
from curator_tui.tui.app import CuratorApp
from curator_tui.tui.screens.editing import EditScreen
from curator_tui.tui.screens.rebasing import RebaseScreen
from curator_tui.tui.themes import MONO
from tests.homes import write
from tests.tui.desks import (
    cursor,
    desk_with,
    entries,
    item,
    painted,
    paste,
    press,
    put_text,
    review,
    running,
    settle,
    status,
    waiting,
)

BASE, NOW_SAYS = "Release date is 7 March", "Release date is 7 March, code freeze on the 4th"
PROPOSED = "Release date moved to 14 March"
COMBINED = "Release date moved to 14 March, code freeze on the 4th"


def stale(path: Path) -> Desk:
    """Return a desk on which an item meant an entry that was reworded since."""
    desk = desk_with(path, [item("con00001", "replace", PROPOSED, BASE)], memory=("Prefers tabs", BASE))
    desk.observe()
    write(path / "hermes" / "memories" / "MEMORY.md", f"Prefers tabs\n§\n{NOW_SAYS}".encode())
    desk.refresh()
    return desk


def screen(app: CuratorApp) -> RebaseScreen:
    assert isinstance(app.screen, RebaseScreen)
    return app.screen


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_the_three_texts_and_the_four_ways_are_in_sight(tmp_path: Path, size: tuple[int, int]) -> None:
    desk = stale(tmp_path)
    async with running(desk, size=size, palette=MONO) as (app, pilot):
        await press(pilot, "a")
        screen(app)
        text = painted(app)
        assert f"it saw     {BASE}" in text
        assert "(1 of 2) Release date is 7 March{+, code freeze on the 4th+}" in text, "the nearest first"
        assert "Release date {+moved to 14+} March" in text
        for words in ("keep now", "take the proposal", "combine (draft)", "edit by hand", COMBINED):
            assert words in text
        await press(pilot, "q")
        assert waiting(desk) == {"con00001"}
        assert "it waits as it did" in status(app)


async def test_keeping_what_stands_rejects_the_item_as_stale(tmp_path: Path) -> None:
    desk = stale(tmp_path)
    async with running(desk) as (_, pilot):
        await press(pilot, "a", "1")
        assert waiting(desk) == set()
        assert NOW_SAYS in entries(desk)
        part = desk.store.book.rows()[-1].row["decisions"][0]
        assert (part["decision"], part["reason"]) == ("reject", "stale")


async def test_taking_the_proposal_shows_what_it_costs_before_it_counts(tmp_path: Path) -> None:
    desk = stale(tmp_path)
    async with running(desk) as (app, pilot):
        await press(pilot, "a", "2")
        assert NOW_SAYS in entries(desk)
        assert f"+ 2   {PROPOSED}" in painted(app)
        assert "so it would change that entry" in status(app)
        await press(pilot, "a")
        assert NOW_SAYS in entries(desk), "what it costs is asked once more"
        assert "code freeze on the 4th" in painted(app)
        await press(pilot, "y")
        assert entries(desk) == ("Prefers tabs", PROPOSED)
        await press(pilot, "u")
        assert entries(desk) == ("Prefers tabs", NOW_SAYS)
        assert cursor(app) == "con00001"


async def test_the_combined_draft_is_opened_to_be_read_and_is_said_to_be_one(tmp_path: Path) -> None:
    desk = stale(tmp_path)
    async with running(desk) as (app, pilot):
        await press(pilot, "a", "3")
        assert isinstance(app.screen, EditScreen)
        assert "a draft made by a rule" in painted(app)
        assert NOW_SAYS in entries(desk)
        await settle(pilot)
        await press(pilot, "ctrl+s")
        assert entries(desk) == ("Prefers tabs", COMBINED)
        assert desk.store.book.rows()[-1].row["decisions"][0]["decision"] == "edit"


async def test_by_hand_the_editor_begins_with_the_proposal_on_that_entry(tmp_path: Path) -> None:
    desk = stale(tmp_path)
    async with running(desk) as (app, pilot):
        await press(pilot, "a", "4")
        assert isinstance(app.screen, EditScreen)
        assert PROPOSED in painted(app)
        await press(pilot, "end")
        await paste(pilot, ", freeze as before")
        await press(pilot, "ctrl+s", "y")
        assert entries(desk) == ("Prefers tabs", f"{PROPOSED}, freeze as before")


@pytest.mark.parametrize("way", ["3", "4"])
async def test_no_way_of_rebasing_writes_over_what_a_person_wrote(tmp_path: Path, way: str) -> None:
    desk = stale(tmp_path)
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        await put_text(pilot, "my own words")
        await press(pilot, "escape")
        assert "your draft is kept" in status(app)
        for _ in range(2):
            await press(pilot, "a", way)
            field = app.screen.query_one("#field", TextArea)
            assert field.text == ("my own words" if way == "4" else f"my own words\n{COMBINED}")
            await press(pilot, "escape")
            assert "your draft is kept" in status(app)


async def test_a_draft_made_by_a_rule_that_nobody_took_up_is_none(tmp_path: Path) -> None:
    desk = stale(tmp_path)
    async with running(desk) as (app, pilot):
        await press(pilot, "a", "3", "escape")
        assert "draft" not in status(app)
        assert app.session.drafts == {}
        await press(pilot, "a", "4")
        assert app.screen.query_one("#field", TextArea).text == PROPOSED


async def test_a_draft_that_was_emptied_is_what_an_editor_outside_begins_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []

    def edit_outside(_: object, text: str) -> tuple[str | None, str]:
        given.append(text)
        return None, ""

    monkeypatch.setattr("curator_tui.tui.editor.edit_outside", edit_outside)
    async with running(desk_with(tmp_path, [item("add00001", "add", "Likes tea")])) as (app, pilot):
        await press(pilot, "e")
        await put_text(pilot, "")
        await press(pilot, "escape", "E")
        assert given == [""]
        assert app.screen.query_one("#field", TextArea).text == ""


async def test_another_entry_can_be_meant(tmp_path: Path) -> None:
    desk = stale(tmp_path)
    async with running(desk) as (app, pilot):
        await press(pilot, "a", "j")
        assert "(2 of 2) " in painted(app)
        await press(pilot, "2")
        assert "- 1   Prefers tabs" in painted(app)
        await press(pilot, "escape")
        assert review(app).model.looked is not None
        assert review(app).model.looked.edit.empty
        assert "Prefers tabs" in entries(desk)


async def test_without_knowing_what_was_meant_nothing_is_combined(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("sta00001", "replace", "Uses Krita 5.1 for drawings", "Krita 5.0")])
    async with running(desk) as (app, pilot):
        await press(pilot, "a")
        assert "which entry it meant is not known; it looked for: Krita 5.0" in painted(app)
        assert "not possible" in painted(app)
        await press(pilot, "3")
        assert "nothing to combine" in status(app)
        screen(app)


async def test_a_document_that_changed_meanwhile_is_shown_again(tmp_path: Path) -> None:
    desk = stale(tmp_path)
    async with running(desk) as (app, pilot):
        await press(pilot, "a", "2")
        write(tmp_path / "hermes" / "memories" / "MEMORY.md", f"Prefers tabs\n§\n{NOW_SAYS}!".encode())
        await press(pilot, "a")
        assert f"{NOW_SAYS}!" in entries(desk), "what was shown is not what it would be now"
        assert waiting(desk) == {"con00001"}
        await press(pilot, "y")
        assert f"{NOW_SAYS}!" in entries(desk)
        assert "it changed since it was shown; nothing was written" in status(app)
        assert f"{NOW_SAYS}!" in painted(app)


async def test_hostile_texts_are_only_text(tmp_path: Path) -> None:
    bad = "[@click=app.leave]go[/] \x1b[2J [/b] path [/ x \u202eabc"
    desk = desk_with(
        tmp_path, [item("sta00001", "replace", bad, f"gone {bad}")], memory=(f"{bad} stands", "Prefers tabs")
    )
    async with running(desk) as (app, pilot):
        await press(pilot, "a")
        screen(app)
        text = painted(app)
        assert "[@click=app.leave]go[/]" in text
        assert {char for char in text if unicodedata.category(char) in {"Cc", "Cf"}} <= {"\n"}
        await press(pilot, "4")
        assert isinstance(app.screen, EditScreen)
        assert app.is_running
