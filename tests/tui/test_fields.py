"""The fields: what is typed and pasted never acts on a terminal, and comes back as it was written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from curator_tui.core.text import unvisible, visible
from curator_tui.tui.app import CuratorApp
from curator_tui.tui.screens.editing import EditScreen
from curator_tui.tui.widgets.fields import MOST_TEXT, LineField, TextField, splice
from tests.tui.desks import (
    desk_with,
    entries,
    every_state,
    go_to,
    item,
    painted,
    press,
    review,
    running,
    settle,
    status,
    waiting,
)  # fmt: skip

EVIL = "evil\u202e\x9b31m\x1b[2J⟨ESC⟩\u200bend"
ACTING = {chr(code) for code in (*range(32), *range(0x7F, 0xA0), 0x202E, 0x200B) if code != 10}
# letters, what hides alone, what hides or not by its neighbours, and brackets that could make a token
PARTS = st.sampled_from(
    ["a", "b ", "\n", "\u202e", "\x1b", "⟨", "⟩", "⟨ESC⟩", "👩", "\u200d", "🚀", "\ufe0f", "#", "\u20e3"]
)
TEXTS = st.lists(PARTS, max_size=6).map("".join)


@given(TEXTS, st.data(), TEXTS, st.booleans())
def test_a_splice_is_what_the_texts_themselves_would_give(
    before: str, data: st.DataObject, text: str, newlines: bool
) -> None:
    start = data.draw(st.integers(0, len(before)))
    end = data.draw(st.integers(start, len(before)))
    shown = visible(before, newlines=newlines)

    def place(count: int) -> int:
        """Return where a character stands in the shown text."""
        return next(at for at in range(len(shown) + 1) if len(unvisible(shown[:at])) == count and whole(at))

    def whole(at: int) -> bool:
        return unvisible(shown[:at]) + unvisible(shown[at:]) == before

    done = splice(shown, place(start), place(end), text, newlines=newlines)
    wanted = before[:start] + text + before[end:]
    assert unvisible(done.whole) == wanted
    assert done.whole == visible(wanted, newlines=newlines), "so no one part of it hides"
    assert unvisible(done.whole[: done.after]) == before[:start] + text, "the cursor stands behind what was put in"


@given(TEXTS, st.data(), st.sampled_from(["", "x"]))
def test_a_token_goes_whole(before: str, data: st.DataObject, text: str) -> None:
    shown = visible(before)
    start = data.draw(st.integers(0, len(shown)))
    done = splice(shown, start, data.draw(st.integers(start, len(shown))), text)
    assert done.whole == visible(unvisible(done.whole))
    assert shown[: done.start] == visible(unvisible(shown[: done.start])) or "\u200d" in before or "\ufe0f" in before


async def paste(app: CuratorApp, pilot: Pilot[object], text: str) -> None:
    app.post_message(Paste(text))
    await settle(pilot)


def is_harmless(app: CuratorApp) -> bool:
    return not set(painted(app)) & ACTING


async def test_a_paste_into_the_editor_is_shown_and_stored_as_it_was(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "before-")])
    async with running(desk) as (app, pilot):
        await press(pilot, "e", "end")
        await paste(app, pilot, EVIL)
        assert is_harmless(app)
        assert "before-evil⟨U+202E⟩⟨U+009B⟩31m⟨ESC⟩" in painted(app)
        field = app.screen.query_one("#field", TextField)
        assert field.words == f"before-{EVIL}"
        await press(pilot, "ctrl+s")
        assert isinstance(app.screen, EditScreen), "a control character is refused"
        assert "invalid" in painted(app)
        assert waiting(desk) == {"add00001"}


async def test_lines_of_a_paste_are_lines(tmp_path: Path) -> None:
    """Terminals send the line ends of a paste as returns."""
    desk = desk_with(tmp_path, [item("add00001", "add", "x")])
    async with running(desk) as (app, pilot):
        await press(pilot, "e", "home")
        await paste(app, pilot, "one\rtwo\r\nthree\n")
        assert app.screen.query_one("#field", TextField).words == "one\ntwo\nthree\nx"


async def test_a_pasted_hidden_character_is_stored_as_pasted(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "x")])
    async with running(desk) as (app, pilot):
        await press(pilot, "e", "home", "delete")
        await paste(app, pilot, "one\u200btwo ⟨U+200B⟩ three")
        assert is_harmless(app)
        await press(pilot, "ctrl+s", "1", "y")
        assert "one\u200btwo ⟨U+200B⟩ three" in entries(desk)


async def test_a_token_goes_with_one_key_and_comes_back_with_undo(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "a\u202eb")])
    async with running(desk) as (app, pilot):
        await press(pilot, "e", "end", "left", "backspace")
        field = app.screen.query_one("#field", TextField)
        assert field.words == "ab"
        await press(pilot, "ctrl+z")
        assert field.words == "a\u202eb"


async def test_what_stops_hiding_its_neighbour_is_shown(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "👩\u200d🚀")])
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        field = app.screen.query_one("#field", TextField)
        assert field.text == "👩\u200d🚀"
        await press(pilot, "end", "backspace")
        assert field.text == "👩⟨U+200D⟩", "alone a joiner hides, so it is a token"
        await press(pilot, "!")
        assert field.words == "👩\u200d!"


async def test_what_is_copied_is_the_text_and_not_its_tokens(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "a\u202eb")])
    async with running(desk) as (app, pilot):
        await press(pilot, "e", "f7", "ctrl+c")
        assert app.clipboard == "a\u202eb"
        await press(pilot, "end", "ctrl+v")
        assert app.screen.query_one("#field", TextField).words == "a\u202eba\u202eb"
        assert is_harmless(app)


@pytest.mark.parametrize(
    "keys",
    [("X", "6"), ("slash",), ("slash", "escape", "3", "1", "slash")],
    ids=["note", "filter", "filter again"],
)
async def test_a_paste_into_a_line_is_shown_and_kept_as_it_was(tmp_path: Path, keys: tuple[str, ...]) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, *keys)
        await paste(app, pilot, f"{EVIL}\nsecond line")
        assert isinstance(app.focused, LineField)
        assert app.focused.words == f"{EVIL}\nsecond line", "all of it"
        assert is_harmless(app)
        await press(pilot, "backspace", "left", "a")
        assert app.focused.words == f"{EVIL}\nsecond lian"


async def test_a_pasted_note_is_stored_as_pasted(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "X", "6")
        await paste(app, pilot, EVIL)
        await press(pilot, "enter")
        assert "add00001" not in waiting(desk)
        kept = desk.store.book.text(desk.store.book.rows()[-1].row["decisions"][0]["note"])
        assert kept == EVIL.encode()


async def test_the_filter_finds_what_was_pasted(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [*every_state(), item("hid00001", "add", "one\u200btwo", summary="one\u200btwo")])
    async with running(desk) as (app, pilot):
        await press(pilot, "slash")
        await paste(app, pilot, "e\u200bt")
        rows = review(app).model.rows
        assert rows is not None
        assert rows.found == 1
        assert "e⟨U+200B⟩t" in painted(app)


async def test_a_paste_into_the_palette_is_shown(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "colon")
        await paste(app, pilot, EVIL)
        assert isinstance(app.focused, Input)
        assert app.focused.value.startswith("evil⟨U+202E⟩")
        assert is_harmless(app)


async def test_an_empty_or_foreign_clipboard_is_no_fault(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        await paste(app, pilot, "")
        assert isinstance(app.focused, TextArea)
        await press(pilot, "escape", "slash")
        await paste(app, pilot, "")
        assert app.is_running
        assert "Backups" in painted(app)
        await go_to(pilot, app, "add00002")
        assert status(app)


@pytest.mark.parametrize("text", ["w" * (MOST_TEXT + 1), "\n" * 1_000, "\u200b" * (MOST_TEXT // 6)])
async def test_a_paste_that_is_too_long_is_refused_and_says_what_takes_it(tmp_path: Path, text: str) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        await paste(app, pilot, text)
        field = app.screen.query_one("#field", TextField)
        assert field.words == "Backups run on Sunday"
        assert "too long, nothing was taken: tab, then E ($EDITOR) takes it" in painted(app)
        await paste(app, pilot, "!")
        assert field.words == "Backups run on Sunday!"


async def test_hidden_characters_are_taken_out_of_a_text_that_is_too_long_for_the_field(tmp_path: Path) -> None:
    hidden = "\u200b" * MOST_TEXT
    desk = desk_with(tmp_path, [item("hid00001", "add", f"one{hidden}⟨two⟩{hidden}")])
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        field = app.screen.query_one("#field", TextField)
        assert field.read_only
        await press(pilot, "x", "backspace")
        assert len(field.words) == 2 * MOST_TEXT + 8, "no key changes it"
        await press(pilot, "tab", "h")
        assert field.words == "one⟨two⟩"
        assert not field.read_only
