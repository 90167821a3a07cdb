"""What is said where nothing was done, and keys that are named only where they mean something."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_tui.core.documents import Target
from curator_tui.core.requests import ChallengeCode
from curator_tui.core.times import utc_words
from curator_tui.tui.app import CuratorApp
from curator_tui.tui.screens.help import help_page
from curator_tui.tui.shown import words_of
from curator_tui.tui.themes import MONO
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.row_list import RowList
from tests.tui.desks import (
    NET,
    NOW,
    desk_with,
    entries,
    every_state,
    go_to,
    item,
    painted,
    paste,
    press,
    running,
    status,
)


def key_row(app: CuratorApp, width: int = 300) -> str:
    return words_of(app.screen.query_one("#keys", KeyRow).layout_row(width))


@pytest.mark.parametrize("no", ["escape", "n", "enter"])
async def test_a_rollback_that_was_not_confirmed_says_so(tmp_path: Path, no: str) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "a", "3", "r")
        at = utc_words(NOW)
        assert f"roll back both documents to {at}, before: " in painted(app), "the moment, and what came after it"
        await press(pilot, no)
        assert "not rolled back" in status(app)
        assert "Undo ready" not in status(app)
        assert "Backups run on Sunday" in entries(desk)


@pytest.mark.parametrize(
    ("item_id", "keys", "words"),
    [
        ("add00001", ("X", "escape"), "not rejected"),
        ("add00001", ("e", "escape"), "not approved"),
        ("los00001", ("a", "n"), "not approved"),
        ("amb00001", ("a", "escape"), "it waits as it did"),
        ("add00001", ("2", "D", "escape"), "nothing was written"),
        ("add00001", ("2", "e", "escape"), "nothing was written"),
    ],
)
async def test_a_question_answered_no_says_what_was_not_done(
    tmp_path: Path, item_id: str, keys: tuple[str, ...], words: str
) -> None:
    async with running(desk_with(tmp_path, every_state())) as (app, pilot):
        await go_to(pilot, app, item_id)
        await press(pilot, *keys)
        assert words in status(app)


async def test_after_an_undo_the_cursor_is_on_the_entry_that_came_back(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "2", "g")
        held = app.screen.at_cursor()  # type: ignore[attr-defined]
        await press(pilot, "D", "y")
        assert held.text not in entries(desk, held.target)
        await press(pilot, "G")
        assert app.screen.at_cursor().key != held.key  # type: ignore[attr-defined]
        await press(pilot, "u")
        assert app.screen.at_cursor().key == held.key  # type: ignore[attr-defined]


async def test_a_question_names_its_own_keys_in_the_status_row(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [])
    desk.challenge(Target.MEMORY, NET, ChallengeCode.WRONG)
    async with running(desk) as (app, pilot):
        await press(pilot, "g")
        assert "a keeps the entry, e corrects it, x removes it" in status(app)
        await press(pilot, "i")
        assert "this is a question" in status(app)


async def test_an_empty_queue_dims_the_keys_that_are_for_rows(tmp_path: Path) -> None:
    async with running(desk_with(tmp_path, [])) as (app, _):
        assert "approves" not in status(app)
        row = app.screen.query_one("#keys", KeyRow).layout_row(300)
        off = {piece.text.strip() for piece in row if piece.role == "off"}
        assert {"approve", "reject", "edit", "skip", "defer"} <= off


async def test_inside_only_is_not_named_where_there_is_no_variant(tmp_path: Path) -> None:
    async with running(desk_with(tmp_path, every_state()), size=(140, 40)) as (app, pilot):
        await go_to(pilot, app, "los00001")
        assert "I inside only" in key_row(app)
        await press(pilot, "I")
        assert "I inside only" not in key_row(app)


async def test_a_menu_of_two_names_two_digits(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "one")])
    async with running(desk) as (app, pilot):
        await press(pilot, "2", "A")
        assert "enter 1-2 take" in key_row(app)


async def test_a_filter_is_taken_away_by_one_key_wherever_that_is_told(tmp_path: Path) -> None:
    async with running(desk_with(tmp_path, every_state())) as (app, pilot):
        for place in ("2", "3", "4", "5"):
            await press(pilot, place, "/")
            assert "esc: clears it" in painted(app)
            await paste(pilot, "tabs")
            await press(pilot, "enter")
            assert "(q)" not in painted(app)
            assert "q clears" not in painted(app)
            assert "esc" in painted(app)
            await press(pilot, "escape")


@pytest.mark.parametrize(
    ("screen", "words"),
    [("review", "BAT a batch"), ("review", "hard finding: "), ("documents", "? disputed"), ("ledger", "tombstone: ")],
)
def test_help_explains_the_signs_and_words_of_its_screen(screen: str, words: str) -> None:
    text = "\n".join(words_of(line.body) for line in help_page(screen, [], 76).lines)
    assert words in text


async def test_side_by_side_the_list_has_more_than_half_of_the_window(tmp_path: Path) -> None:
    async with running(desk_with(tmp_path, every_state()), size=(140, 40)) as (app, _):
        row = next(line for line in painted(app).splitlines() if "[net] router" in line and "lossy" in line)
        assert row.rindex("…") - row.index("[net]") >= 36


@pytest.mark.parametrize("place", ["1", "2", "3", "4", "5"])
async def test_the_cursor_is_told_without_colours(tmp_path: Path, place: str) -> None:
    async with running(desk_with(tmp_path, every_state()), palette=MONO) as (app, pilot):
        await press(pilot, "a", place)
        rows = app.screen.query_one("#rows", RowList)
        strip = rows.render_line(rows.cursor - rows.top)
        assert any(piece.style is not None and piece.style.reverse for piece in strip)
        other = rows.render_line(rows.size.height - 1)
        assert not any(piece.style is not None and piece.style.reverse for piece in other)


async def test_what_locks_a_is_said_in_a_narrow_window_before_anything_else_is(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "Fact after fact. " * 60)])
    async with running(desk, size=(60, 18)) as (app, _):
        divider = next(line for line in painted(app).splitlines() if line.startswith("--"))
        assert "a is locked, press n" in divider
        assert "change 1 of 1" not in divider, "what matters less gives way"
