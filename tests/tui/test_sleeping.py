"""Going to sleep and coming back, in a real pseudo terminal: what is given back, and what counts of what was typed."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import TextArea

from curator_tui.tui import sleeping
from curator_tui.tui.app import CuratorApp
from tests.tui.desks import desk_with, every_state, home_with, item, painted, press, running, status
from tests.tui.terminal import Terminal

OFF = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?2004l", b"\x1b[?1000l", b"\x1b[?1003l", b"\x1b[?1004l", b"\x1b[<u")
"""Alternate screen left, cursor shown, no pastes in brackets, no mouse, no focus, no keyboard protocol."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return home_with(tmp_path / "hermes", [item(f"add{n:05d}", "add", f"fact number {n}") for n in range(3)])


@pytest.fixture
def terminal(home: Path) -> Iterator[Terminal]:
    found = Terminal(home)
    found.wait_for("all seen: a approves")
    found.read(0.5)
    yield found
    found.process.send_signal(signal.SIGCONT)
    found.close()


async def test_ctrl_z_sleeps_in_every_dialog_but_takes_back_what_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[str] = []
    monkeypatch.setattr(CuratorApp, "go_to_sleep", lambda app: slept.append(type(app.screen).__name__))
    async with running(desk_with(tmp_path, every_state())) as (app, pilot):
        await press(pilot, "ctrl+z", "X", "ctrl+z")
        await press(pilot, "6", "ctrl+z", "escape", "escape")
        await press(pilot, "o", "ctrl+z", "escape")
        await press(pilot, "colon", "ctrl+z", "escape")
        assert slept == ["ReviewScreen", "ReasonScreen", "NoteScreen", "ChooseScreen", "ActionsPalette"]
        await press(pilot, "e", "Z")
        field = app.screen.query_one("#field", TextArea)
        assert "Z" in field.text
        await press(pilot, "ctrl+z")
        assert "Z" not in field.text
        await press(pilot, "ctrl+z")
        assert "nothing typed is left to undo" in painted(app)
        await press(pilot, "ctrl+y", "ctrl+y")
        assert "Z" in field.text
        assert "nothing was undone that could come again" in painted(app)
        assert len(slept) == 5


def pending(home: Path) -> int:
    return len(list((home / "pending" / "memory").glob("*.json")))


def is_stopped(terminal: Terminal) -> bool:
    stat = Path(f"/proc/{terminal.process.pid}/stat").read_text()
    return stat.rpartition(")")[2].split()[0] == "T"


def wait_stopped(terminal: Terminal) -> None:
    terminal.wait_until(lambda: is_stopped(terminal))
    terminal.read(0.1)
    assert is_stopped(terminal)


def local_modes(terminal: Terminal) -> int:
    found = termios.tcgetattr(terminal.master)[3]
    assert isinstance(found, int)
    return found


@pytest.mark.parametrize("by", ["key", "signal"])
def test_asleep_the_terminal_is_as_before_and_awake_everything_stands_again(
    home: Path, terminal: Terminal, by: str
) -> None:
    before = len(terminal.received)
    if by == "key":
        terminal.type("\x1a")
    else:
        terminal.process.send_signal(signal.SIGTSTP)
    wait_stopped(terminal)
    told = terminal.received[before:]
    assert [off for off in OFF if off not in told] == []
    assert local_modes(terminal) & termios.ICANON
    assert local_modes(terminal) & termios.ECHO
    terminal.type("aaaa\na\n")  # for a shell that is not there
    awake = len(terminal.received)
    terminal.process.send_signal(signal.SIGCONT)
    terminal.wait_for("3 waiting")
    terminal.read(1.0)
    assert b"\x1b[?1049h" in terminal.received[awake:]
    assert not local_modes(terminal) & termios.ICANON
    assert pending(home) == 3, "nothing that was typed meanwhile decides anything"
    terminal.decide("a", "2 waiting")
    assert terminal.leave() == 0
    assert [off for off in OFF if off not in terminal.received[awake:]] == []


def test_stopped_from_outside_it_comes_back_whole_and_reads_each_key_once(home: Path, terminal: Terminal) -> None:
    terminal.process.send_signal(signal.SIGSTOP)
    wait_stopped(terminal)
    terminal.type("a")
    terminal.process.send_signal(signal.SIGCONT)
    terminal.read(1.0)
    assert pending(home) == 3
    terminal.type("j")
    terminal.read(0.5)
    terminal.decide("a", "2 waiting")
    assert terminal.leave() == 0


def test_a_write_is_finished_before_sleep(home: Path, terminal: Terminal) -> None:
    with (home / "memories" / "MEMORY.md.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        terminal.decide("a", "writing the decision")
        terminal.type("\x1a")
        terminal.wait_for("going to sleep as soon as the last decision is written")
        assert not is_stopped(terminal)
    wait_stopped(terminal)
    assert pending(home) == 2
    assert "fact number 0" in (home / "memories" / "MEMORY.md").read_text("utf-8")


def test_a_terminal_that_goes_away_in_its_sleep_ends_it(home: Path, terminal: Terminal) -> None:
    terminal.type("\x1a")
    wait_stopped(terminal)
    os.close(terminal.master)
    terminal.master = os.open(os.devnull, os.O_RDWR)
    terminal.process.send_signal(signal.SIGCONT)
    assert terminal.process.wait(60) in {129, -signal.SIGHUP}
    assert pending(home) == 3


async def test_where_no_shell_waits_the_key_says_so(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "one")])
    async with running(desk) as (app, pilot):
        await press(pilot, "ctrl+z")
        assert "no shell to go back to" in status(app)
        app.awake_at = time.monotonic()
        app.timing = app.timing._replace(dwell=30.0)
        await press(pilot, "a")
        assert "just back" in status(app)


@pytest.mark.parametrize("in_time", [True, False])
async def test_nobody_sleeps_while_anything_is_written_not_even_what_no_key_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_time: bool
) -> None:
    monkeypatch.setattr(sleeping, "LEAVE_SECONDS", 20.0 if in_time else 0.05)
    slept: list[bool] = []
    gate = threading.Event()
    desk = desk_with(tmp_path, [item("add00001", "add", "one")])
    async with running(desk) as (app, _):
        monkeypatch.setattr(app, "_sleep", lambda: slept.append(gate.is_set()))
        writing = asyncio.ensure_future(app.clerk.change(lambda _: gate.wait(60)))
        await asyncio.sleep(0)
        app.go_to_sleep()
        if in_time:
            await asyncio.sleep(0.05)
            assert slept == []
            gate.set()
        await app.workers.wait_for_complete()
        said = status(app)
        gate.set()
        await writing
        assert slept == ([True] if in_time else [])
        assert ("not put to sleep: a change is still being written" in said) is not in_time
