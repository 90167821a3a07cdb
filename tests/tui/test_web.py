"""In a browser: what needs a terminal is not offered, and no key that a browser takes is the only one."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

from curator_tui.tui import actions
from curator_tui.tui.palette import ActionsProvider
from curator_tui.tui.screens.help import help_page
from curator_tui.tui.served import ServedDriver
from curator_tui.tui.shown import words_of
from tests.tui.desks import desk_with, every_state, painted, press, running, status

# what browsers keep for themselves, or do before a page is asked
TAKEN = {"f1", "f3", "f5", "f6", "f7", "f10", "f11", "f12"} | {
    f"ctrl+{letter}" for letter in "wtnlrdfghjkopsu+-0"
} | {"ctrl+q", "ctrl+tab", "alt+left", "alt+right"}  # fmt: skip


@pytest.mark.parametrize("action", actions.ACTIONS, ids=lambda action: action.id)
def test_a_key_that_browsers_take_is_never_the_only_one(action: actions.Action) -> None:
    assert not action.keys or set(action.keys) - TAKEN


@pytest.mark.parametrize("screen", sorted({screen for action in actions.ACTIONS for screen in action.screens}))
def test_the_help_of_a_browser_names_no_editor(screen: str) -> None:
    def text(web: bool) -> str:
        return "\n".join(words_of(line.body) for line in help_page(screen, [], 120, web=web).lines)

    assert "$EDITOR" not in text(True)
    assert ("$EDITOR" in text(False)) == any(action.id.endswith(".editor") for action in actions.of_screen(screen))


async def test_no_way_leads_to_the_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(App, "is_web", property(lambda _: True))
    monkeypatch.setenv("EDITOR", "/bin/false")
    async with running(desk_with(tmp_path, every_state()), size=(200, 40)) as (app, pilot):
        before = status(app)
        await press(pilot, "E")
        assert status(app) == before
        assert "editor" not in painted(app)
        offered = [hit.text async for hit in ActionsProvider(app.screen).discover()]  # type: ignore[attr-defined]
        assert offered
        assert not any("EDITOR" in str(text) for text in offered)


async def test_read_only_names_the_way_out_of_a_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(App, "is_web", property(lambda _: True))
    async with running(desk_with(tmp_path, every_state()), read_only=True) as (app, pilot):
        await press(pilot, "a")
        assert "serve --write" in status(app)
        assert "READ ONLY" in painted(app)


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A driver whose output is a pipe; what it drew is read from the other end."""
    ours, theirs = os.pipe()
    made = object.__new__(ServedDriver)
    made.fileno = theirs
    made._write = made._write_whole  # type: ignore[assignment]
    made.far_end = ours  # type: ignore[attr-defined]
    yield made
    for end in (ours, theirs):
        try:
            os.close(end)
        except OSError:
            continue


def test_a_packet_that_a_signal_cuts_is_written_whole(driver: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda place, data: write(place, bytes(data)[:3]))
    driver.write("hello world")
    assert os.read(driver.far_end, 100) == b"D\x00\x00\x00\x0bhello world"


def test_a_server_that_is_gone_is_no_error(driver: Any) -> None:
    os.close(driver.far_end)
    driver.write("hello")


def test_a_browser_is_asked_for_nothing(driver: Any) -> None:
    os.set_blocking(driver.far_end, False)
    content = io.BytesIO(b"a memory")
    driver.open_url("http://elsewhere.example/")
    driver.deliver_binary(content, delivery_key="k", save_path=Path("memory.txt"))
    assert content.closed
    with pytest.raises(BlockingIOError):
        os.read(driver.far_end, 1)
