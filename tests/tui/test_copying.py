"""Copying: what is sent to the terminal, how much of it, and that nothing in it acts or hides."""

from __future__ import annotations

import base64
import re
import stat
from pathlib import Path
from threading import get_ident
from typing import Any

import pytest
from textual.pilot import Pilot

from curator_tui.tui import copying
from curator_tui.tui.app import CuratorApp
from curator_tui.tui.copying import for_terminal, markdown
from curator_tui.tui.page_lines import Page, PageLine
from curator_tui.tui.shown import Shown, own, shown
from tests.tui.desks import desk_with, every_state, go_to, item, painted, press, running, status


class Heard:
    """What was written to the terminal, in place of a terminal."""

    def __init__(self, app: CuratorApp, monkeypatch: pytest.MonkeyPatch) -> None:
        self.written: list[str] = []
        monkeypatch.setattr(app._driver, "write", self.written.append)

    @property
    def copies(self) -> list[str]:
        found = [re.fullmatch(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07", text) for text in self.written]
        return [base64.b64decode(one[1]).decode("utf-8") for one in found if one is not None]


async def test_y_copies_the_proposed_text_and_says_where_it_went(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        heard = Heard(app, monkeypatch)
        await go_to(pilot, app, "rep00001")
        await press(pilot, "y")
        assert heard.copies == ["Home city: Lisbon"]
        assert "copied: 17 characters, sent to the terminal" in status(app)
        await go_to(pilot, app, "inv00001")
        await press(pilot, "y")
        assert len(heard.copies) == 2, "what proposes nothing has a page to copy"


async def test_a_copy_is_made_beside_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A megabyte of hidden characters takes most of a second: no other key waits for it."""
    made_in: list[int] = []

    def copy_of_item(*given: Any) -> copying.Copied:
        made_in.append(get_ident())
        return made(*given)

    made = copying.copy_of_item
    monkeypatch.setattr(copying, "copy_of_item", copy_of_item)
    desk = desk_with(tmp_path, [item("add00001", "add", "a text")])
    async with running(desk) as (app, pilot):
        heard = Heard(app, monkeypatch)
        await press(pilot, "y")
        assert heard.copies == ["a text"]
        assert made_in != []
        assert get_ident() not in made_in


async def test_what_acts_or_hides_is_copied_as_it_is_shown_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_with(tmp_path, [item("evil0001", "add", "pay \u202eme\x1b]52;c;eA==\x07")])
    async with running(desk) as (app, pilot):
        heard = Heard(app, monkeypatch)
        await press(pilot, "y")
        assert heard.copies == ["pay ⟨U+202E⟩me⟨ESC⟩]52;c;eA==⟨BEL⟩"]
        assert "3 hidden ones stand in it as signs" in status(app)


async def test_each_screen_copies_its_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(140, 40)) as (app, pilot):
        heard = Heard(app, monkeypatch)
        await press(pilot, "a")
        await press(pilot, "3", "y", "1")
        assert "Backups run on Sunday" in heard.copies[-1]
        await press(pilot, "m", "y", "1")
        assert "router is 10.0.0.1" in heard.copies[-1]
        await press(pilot, "i", "y", "q")
        assert "the record as it is stored" in heard.copies[-1], "all of the page, not what is on screen of it"


async def test_where_a_question_is_open_y_answers_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        heard = Heard(app, monkeypatch)
        await go_to(pilot, app, "los00001")
        await press(pilot, "a", "y")
        assert heard.copies == []


async def by_name(pilot: Pilot[object], app: CuratorApp, words: str) -> None:
    await press(pilot, ":", *words, "enter")


@pytest.mark.slow
async def test_the_palette_copies_a_review_as_markdown_and_saves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_with(tmp_path, every_state())
    monkeypatch.chdir(tmp_path)
    async with running(desk) as (app, pilot):
        heard = Heard(app, monkeypatch)
        await go_to(pilot, app, "rep00001")
        await by_name(pilot, app, "markdown")
        assert heard.copies[-1].startswith("# Review of rep00001 (ready)\n\n```\n")
        assert "Lisbon" in heard.copies[-1]
        await by_name(pilot, app, "to a file")
        assert "save this review to a new file" in painted(app)
        await press(pilot, "enter")
        assert "saved, readable by you only" in status(app)
        path = tmp_path / "review-rep00001.md"
        assert path.read_text("utf-8") == heard.copies[-1]
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        await by_name(pilot, app, "to a file")
        await press(pilot, "enter")
        assert "exists; it is left as it is" in status(app)


async def test_who_only_looks_writes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = desk_with(tmp_path, every_state())
    monkeypatch.chdir(tmp_path)
    async with running(desk, read_only=True) as (app, pilot):
        await by_name(pilot, app, "to a file")
        assert "no file is written" in status(app)


def test_a_terminal_gets_no_more_than_it_takes_cut_between_characters() -> None:
    assert for_terminal(Shown("abc")) == "abc"
    sent = for_terminal(Shown("é" * 40_000))
    assert sent == "é" * 24_000
    assert len(base64.b64encode(sent.encode())) <= 64_000
    assert for_terminal(Shown("a" + "é" * 40_000)) == "a" + "é" * 23_999


def test_no_text_ends_the_fence_of_its_markdown() -> None:
    page = Page("", "", (PageLine((own("{}", shown("a ```` b")),)),))
    text = markdown("x1", Shown("ready"), page).text
    assert text.count("`````\n") == 2
