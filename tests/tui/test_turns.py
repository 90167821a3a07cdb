"""What is typed behind a key that opens something is for what opens: in order, all of it, and never for what is below.

Whatever takes time is held up here until everything was typed, as on a busy machine; no guard takes the keys for a
burst, so that each one would act.
"""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from curator_tui.curator.desk import Desk
from curator_tui.tui import app as app_module
from curator_tui.tui import working
from curator_tui.tui.app import CuratorApp
from curator_tui.tui.clerk import Clerk
from curator_tui.tui.screens.filtering import Filtering
from curator_tui.tui.shown import words_of
from curator_tui.tui.turns import _LOOKS, Kept, Turns
from tests.tui.desks import desk_with, item, press, running, settle, status, until, waiting

ITEMS = [item("add00001", "add", "Backups run on Sunday", age=9000), item("add00002", "add", "Likes rye bread")]
ALL = {"add00001", "add00002"}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return desk_with(tmp_path, ITEMS)


def send(pilot: Pilot[object], text: str) -> None:
    """Type at once, without waiting for anything."""
    driver = pilot.app._driver
    assert driver is not None
    for letter in text:
        event = Key(_character_to_key(letter), letter)
        event.set_sender(pilot.app)
        driver.send_message(event)


def key(pilot: Pilot[object], name: str) -> None:
    """Press a key that types nothing."""
    driver = pilot.app._driver
    assert driver is not None
    event = Key(name, None)
    event.set_sender(pilot.app)
    driver.send_message(event)


async def typed_while_held(pilot: Pilot[object], text: str) -> None:
    """Type, with time for each key to do what it may."""
    for letter in text:
        send(pilot, letter)
        await asyncio.sleep(0.02)


def field_of(app: CuratorApp) -> str:
    found = app.focused
    assert isinstance(found, Input | TextArea), found
    return found.text if isinstance(found, TextArea) else found.value


class Held:
    """The clerk's questions, which get no answer before :meth:`let_go`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._free = asyncio.Event()
        ask = Clerk.ask

        async def late(clerk: Clerk, job: Any) -> Any:
            await self._free.wait()
            return await ask(clerk, job)

        monkeypatch.setattr(Clerk, "ask", late)

    def let_go(self) -> None:
        self._free.set()


@pytest.mark.parametrize(("opens", "text"), [("/", "axu a"), (":", "axsu a")])
async def test_every_letter_behind_a_key_that_opens_a_field_arrives_in_it(desk: Desk, opens: str, text: str) -> None:
    async with running(desk) as (app, pilot):
        send(pilot, opens + text)
        await settle(pilot)
        assert field_of(app) == text
        assert waiting(desk) == ALL


async def test_a_filter_that_opens_late_gets_what_was_typed_meanwhile(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = asyncio.Event()
    mount = Filtering.mount

    async def late(screen: Filtering, *widgets: Any, **more: Any) -> None:
        await free.wait()
        await mount(screen, *widgets, **more)

    async with running(desk) as (app, pilot):
        monkeypatch.setattr(Filtering, "mount", late)
        await typed_while_held(pilot, "/axu a")
        free.set()
        await settle(pilot)
        assert field_of(app) == "axu a"
        assert waiting(desk) == ALL


async def test_a_text_opened_by_a_job_gets_what_was_typed_meanwhile(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(desk) as (app, pilot):
        await press(pilot, "2", "A")
        held = Held(monkeypatch)
        await typed_while_held(pilot, "1D2 ux")
        held.let_go()
        await until(lambda: isinstance(app.focused, TextArea), pilot)
        assert field_of(app) == "D2 ux"


async def test_what_was_typed_for_something_that_did_not_open_is_dropped_and_said(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(desk) as (app, pilot):
        monkeypatch.setattr(Desk, "read_again", lambda _desk, _names: {})
        await press(pilot, "*")
        held = Held(monkeypatch)
        await typed_while_held(pilot, "Sax")
        held.let_go()
        await settle(pilot)
        assert "ignored 2 keys" in status(app)
        assert waiting(desk) == ALL


async def test_a_key_behind_the_one_that_goes_elsewhere_decides_nothing_here(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = threading.Event()
    monkeypatch.setattr(app_module, "is_loaded", lambda _: False)
    monkeypatch.setattr(app_module, "load_code", lambda _: free.wait(10))
    async with running(desk) as (app, pilot):
        try:
            await typed_while_held(pilot, "4ax/ax")
        finally:
            free.set()
        await until(lambda: isinstance(app.focused, Input), pilot)
        assert field_of(app) == "ax"
        assert waiting(desk) == ALL


async def test_a_held_key_is_never_handed_on_behind_later_ones(desk: Desk) -> None:
    """The guard waits for silence behind a key that decides; meanwhile a field may take the focus."""
    async with running(desk) as (app, pilot):
        await press(pilot, "/")
        field = app.focused
        app.screen.set_focus(app.screen.query_one("#rows"))
        await settle(pilot)
        app._guard.quiet = 3600.0
        send(pilot, "x")
        await until(lambda: app._guard.holds)
        app.screen.set_focus(field)
        send(pilot, "y")  # one key fewer than make a burst, with the one that opened the field
        await until(lambda: len(app._guard._held) == 2)
        app._settle()
        await settle(pilot)
        assert field_of(app) == "xy"
        assert waiting(desk) == ALL


async def test_what_opens_late_says_so_and_is_given_up_by_one_key(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(working, "SAID_AFTER", 0.02)
    async with running(desk) as (app, pilot):
        await press(pilot, "*")
        asleep: list[bool] = []
        monkeypatch.setattr(CuratorApp, "go_to_sleep", lambda _: asleep.append(True))
        held = Held(monkeypatch)
        send(pilot, "X")
        await until(lambda: "reading the items … 0 s; esc gives it up" in status(app))
        send(pilot, "2y")
        for name in ("ctrl+z", "ctrl+c"):
            key(pilot, name)
        await until(lambda: asleep and any("does not leave" in words_of(line) for line in [app.screen._message]))
        key(pilot, "escape")
        await until(lambda: "given up: nothing was opened; ignored 2 keys" in status(app))
        held.let_go()
        await settle(pilot)
        assert app.screen is app.screen_stack[0], "what was read opens nothing any more"
        assert waiting(desk) == ALL
        await press(pilot, "X")
        assert app.screen.SCREEN == "rejects"


async def test_escape_right_behind_a_key_that_opens_is_for_what_opens(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever types so fast has seen no word of giving up: what was typed before it is not thrown away."""
    async with running(desk) as (app, pilot):
        await press(pilot, "2", "A")
        held = Held(monkeypatch)
        send(pilot, "1bc")
        key(pilot, "escape")
        held.let_go()
        await until(lambda: bool(app.session.drafts), pilot)
        assert list(app.session.drafts.values()) == ["bc"]


class Stand:
    """An application, a screen and what has the focus, as far as keys wait for them; nothing is ever painted late."""

    is_running = is_attached = True
    focused = None
    is_finished = False

    def __init__(self) -> None:
        self.screen = self
        self.posted: list[Any] = []

    def post_message(self, event: Any) -> None:
        self.posted.append(event)

    def call_later(self, _then: Any) -> None:
        """Nobody calls: the test says what happens when."""

    def call_after_refresh(self, then: Any, screen: Any) -> None:
        then(screen)


async def _never(_kept: Kept) -> None:
    raise AssertionError("no key acts here")


@pytest.fixture
async def stand() -> Stand:
    return Stand()


@pytest.fixture
async def turns(stand: Stand) -> Turns:
    made = Turns(stand, _never, lambda _: None, lambda _: None)  # type: ignore[arg-type]
    made._is_ready(stand)  # type: ignore[arg-type]
    return made


def looked(turns: Turns, times: int) -> None:
    for _ in range(times):
        turns._look()


async def test_a_key_waits_until_the_messages_of_the_one_before_were_worked_through_too(
    turns: Turns, stand: Stand
) -> None:
    turns.begin(stand)  # type: ignore[arg-type]
    turns.arrived(stand.posted[-1])
    assert turns._waits(), "what the key said to a screen comes behind the first round"
    assert len(stand.posted) == 2
    turns.arrived(stand.posted[-1])
    assert not turns._waits()


async def test_each_key_has_the_whole_patience_however_long_those_before_took(turns: Turns, stand: Stand) -> None:
    turns.begin(stand)  # type: ignore[arg-type]
    looked(turns, _LOOKS)
    assert not turns._waits(), "what never comes counts as lost"
    turns.begin(stand)  # type: ignore[arg-type]
    assert turns._waits()


async def test_a_job_that_opens_something_takes_none_of_the_patience_for_what_comes_behind_it(
    turns: Turns, stand: Stand
) -> None:
    turns.begin(stand)  # type: ignore[arg-type]
    job = Stand()
    turns.opening(job, always=False)  # type: ignore[arg-type]
    looked(turns, _LOOKS)
    assert turns._waits()
    job.is_finished = True
    assert turns._waits(), "the key is not worked through yet"
    looked(turns, _LOOKS)
    assert not turns._waits()
