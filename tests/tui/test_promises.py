"""What the screens say of their keys is what the keys do: no dead key is offered, no living one is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_tui.tui.screens.choosing import ChooseScreen
from curator_tui.tui.screens.editing import EditScreen
from curator_tui.tui.screens.help import HelpScreen
from curator_tui.tui.widgets.fields import TextField
from curator_tui.tui.widgets.reader import Reader
from tests.tui.desks import (
    NET,
    cursor,
    desk_with,
    entries,
    every_state,
    go_to,
    item,
    painted,
    press,
    put_text,
    review,
    running,
    status,
    waiting,
)  # fmt: skip


async def test_an_item_without_a_text_is_offered_no_editor(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "inv00001")
        assert "x rejects" in painted(app)
        assert "e edits" not in painted(app)
        await press(pilot, "a")
        assert "x rejects" in status(app)
        assert "e edits" not in status(app)


async def test_an_item_with_an_unusable_text_is_offered_the_editor_and_has_it(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("bad00001", "add", "a\n§\nb")])
    async with running(desk) as (app, pilot):
        assert "e edits, x rejects" in painted(app)
        await press(pilot, "e")
        assert isinstance(app.screen, EditScreen)


async def test_a_text_in_another_field_is_in_sight_while_one_edits(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [{**item("mis00001", "add"), "payload": {"action": "add", "target": "memory",
                                                                        "text": "Has two ovens"}}])  # fmt: skip
    async with running(desk, size=(120, 40)) as (app, pilot):
        await press(pilot, "e")
        assert isinstance(app.screen, EditScreen)
        assert "Has two ovens" in painted(app)


async def test_over_the_limit_the_ways_out_agree_and_the_number_is_true(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "ovr00001")
        assert "e shortens, x rejects" in painted(app)
        assert "100%" not in painted(app), "beyond its limit a document is more than full"
        await press(pilot, "a")
        assert status(app).strip().startswith("over-limit: e shortens, x rejects")
        assert "b approves" not in painted(app)


@pytest.mark.parametrize("name", ["inv00001", "ovr00001", "sta00001", "amb00001"])
async def test_nothing_says_that_a_approves_what_it_does_not(tmp_path: Path, name: str) -> None:
    async with running(desk_with(tmp_path, every_state())) as (app, pilot):
        assert "a approves what you see" in status(app)
        await go_to(pilot, app, name)
        assert "approves" not in status(app)
        assert "rejects" in status(app)
        assert "skips" in status(app)


async def test_an_editor_says_nothing_of_what_an_item_would_do_that_is_gone(tmp_path: Path) -> None:
    async with running(desk_with(tmp_path, every_state())) as (app, pilot):
        await press(pilot, "e")
        assert "applies cleanly" in painted(app)
        (tmp_path / "hermes" / "pending" / "memory" / "add00001.json").unlink()
        await put_text(pilot, "Backups run on Monday")
        await press(pilot, "ctrl+s")
        assert "what you edit is gone" in painted(app)
        assert "applies cleanly" not in painted(app)
        assert "Backups run on Monday" in painted(app)


async def test_what_was_said_of_an_item_goes_with_it(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("lng00001", "add", "word " * 300), item("two00001", "add", "Likes rye", age=1)])
    async with running(desk) as (app, pilot):
        assert "a is locked, press n" in painted(app)
        await press(pilot, "a")
        assert "not approved: here is what you had not seen" in status(app)
        await press(pilot, "j")
        assert cursor(app) == "two00001"
        assert "not approved" not in status(app)


async def test_what_was_done_is_still_told_when_the_next_item_is_shown(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "a")
        assert "approved memory: 'Backups run on Sunday'" in status(app)


async def test_no_wording_is_closed_unseen(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "alt00001")
        assert "1 of 2 wordings not seen: press ." in painted(app)
        await press(pilot, "a")
        assert {"alt00001", "alt00002", "alt00003"} <= waiting(desk)
        assert "Prefers tabs of width 4" in painted(app), "nor is another one put under the key that was pressed"
        await press(pilot, ".")
        assert "all seen: a approves" in painted(app)
        await press(pilot, ",")
        assert "all seen: a approves" in painted(app)
        await press(pilot, "a")
        assert "Prefers tabs of width 4" in entries(desk)
        assert not {"alt00001", "alt00002", "alt00003"} & waiting(desk)


async def test_a_lossy_item_names_the_way_that_loses_nothing(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(80, 24)) as (app, pilot):
        await go_to(pilot, app, "los00001")
        assert "a asks y: lossy, I changes inside only" in painted(app)
        assert "I inside only" in painted(app).splitlines()[-1]
        await press(pilot, "I")
        assert "inside only: this is what would be written" in status(app)
        assert "I inside only" not in painted(app).splitlines()[-1], "it is on screen already"
        await press(pilot, "escape")
        assert "a asks y: lossy, I changes inside only" in painted(app)
        await press(pilot, "I", "a")
        assert NET.replace("8080", "9090") in entries(desk), (
            "without another question, and nothing of the entry is lost"
        )


async def test_the_editor_shows_the_entry_that_was_picked(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(100, 30)) as (app, pilot):
        await go_to(pilot, app, "amb00001")
        await press(pilot, "a", "1", "e")
        picked = review(app).model.looked
        assert picked is not None
        pin = picked.edit.pins[0]
        proposed = app.screen.query_one("#proposed", Reader).page
        assert pin in "".join(piece.text for line in proposed.lines for piece in line.body)


async def test_the_text_to_be_placed_stays_in_sight_beside_a_long_menu(tmp_path: Path) -> None:
    many = tuple(f"Entry number {number}" for number in range(40))
    vague = item("amb00001", "replace", "Uses Krita 5.1", "Entry number")
    desk = desk_with(tmp_path, [vague], memory=many)
    async with running(desk, size=(80, 24)) as (app, pilot):
        await press(pilot, "a")
        assert isinstance(app.screen, ChooseScreen)
        assert "its text  Uses Krita 5.1" in painted(app)
        assert "rows below: j goes on, enter takes" in painted(app)
        assert "enter 1-9 take" in painted(app)
        await press(pilot, *["j"] * 30)
        assert "> 31  Entry number 30" in painted(app)
        assert "its text  Uses Krita 5.1" in painted(app)


@pytest.mark.parametrize("key", ["delete", "backspace"])
async def test_a_hidden_character_goes_with_one_key(tmp_path: Path, key: str) -> None:
    desk = desk_with(tmp_path, [item("hid00001", "add", "Approve\u200bd")])
    async with running(desk) as (app, pilot):
        await press(pilot, "e", "end", "left")
        field = app.screen.query_one("#field", TextField)
        if key == "delete":
            field.move_cursor((0, len("Approve")))
        await press(pilot, key)
        assert field.words == "Approved"


async def test_one_key_takes_out_everything_that_hides_and_nothing_else(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("hid00001", "add", "Ap\u200bpro\u2060ved ⟨x⟩ 👩\u200d🍳\nsecond\u202e line")])
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        assert "no hidden" in painted(app).splitlines()[-2]
        await press(pilot, "ctrl+g")
        assert app.screen.query_one("#field", TextField).words == "Approved ⟨x⟩ 👩\u200d🍳\nsecond line"
        assert "3 hidden characters taken out" in painted(app)
        await press(pilot, "ctrl+g")
        assert "no hidden character in this text" in painted(app)


async def test_writing_goes_on_at_the_end_of_what_was_proposed(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "one\ntwo")])
    async with running(desk) as (app, pilot):
        await press(pilot, "e", "!")
        assert app.screen.query_one("#field", TextField).words == "one\ntwo!"


async def test_help_scrolls_by_pages(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(60, 16)) as (app, pilot):
        await press(pilot, "?")
        assert isinstance(app.screen, HelpScreen)
        reader = app.screen.query_one("#text", Reader)
        await press(pilot, "pagedown")
        assert reader.top > 1
        await press(pilot, "pageup")
        assert reader.top == 0
        await press(pilot, "end")
        assert reader.top > 1
        assert not reader.below
        await press(pilot, "home")
        assert reader.top == 0


async def test_no_marks_are_not_called_a_plan_of_none(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "*", "-")
        assert "no marks: b shows everything that is ready" in status(app)


@pytest.mark.parametrize("key", ["question_mark", "e", "i"])
async def test_nothing_of_the_screen_behind_sticks_out_of_a_large_box(tmp_path: Path, key: str) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(100, 30)) as (app, pilot):
        await press(pilot, key)
        for row in painted(app).splitlines():
            assert not row[0].strip(), row
            assert not row[-1].strip(), row


async def test_wide_windows_show_the_document_of_a_row(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(140, 40)) as (app, _):
        assert "FOR" in painted(app)


async def test_after_a_plan_the_cursor_is_on_what_is_ready(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "add00002")
        await press(pilot, "space")
        await go_to(pilot, app, "inv00001")
        await press(pilot, "b")
        await press(pilot, "enter", "q", "y")
        assert "add00002" not in waiting(desk)
        assert cursor(app) == "add00001"


async def test_that_rows_are_filtered_and_marked_is_said_in_a_window_of_80_columns(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item(f"add{number:05}", "add", f"Likes {number}") for number in range(120)])
    async with running(desk, size=(80, 24)) as (app, pilot):
        await press(pilot, "/", *"likes", "enter", "asterisk")
        head = painted(app).splitlines()[1]
        assert "120 marked (b)" in head
        assert "filter: 120 (esc)" in head
