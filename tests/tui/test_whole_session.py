"""A whole session in a real terminal multiplexer at 80 by 24, as a person has it: every step is read off the screen.

Open, filter, put under headings, plan, approve, undo, correct, roll back, leave. Skipped loudly where tmux is missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curator_tui.demo.home import build
from tests.tui.terminal import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="NOT RUN: tmux is missing, so no whole session was driven"),
]
PATIENCE = 60.0
GAP = 0.35  # a person's pace: longer than an item must have been on screen


class Session:
    """The application in a detached window."""

    def __init__(self, home: Path, scratch: Path) -> None:
        self._socket = str(scratch / "tmux")
        self._run(
            "-f", "/dev/null", "new-session", "-d", "-s", "desk", "-x", "80", "-y", "24", "-c", str(ROOT),
            "-e", f"XDG_STATE_HOME={scratch}", "-e", f"XDG_CONFIG_HOME={scratch}", "-e", "LANG=C.UTF-8",
            f"{sys.executable} -m curator_tui --home {home}; echo left with $?; exec sleep 600",
        )  # fmt: skip

    def _run(self, *arguments: str) -> str:
        environ = {name: value for name, value in os.environ.items() if not name.startswith(("TMUX", "NO_COLOR"))}
        command = ["tmux", "-u", "-S", self._socket, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=environ).stdout

    def screen(self) -> str:
        """Return what stands on the screen."""
        return self._run("capture-pane", "-p", "-t", "desk")

    def keys(self, *keys: str) -> None:
        """Press keys at a person's pace."""
        for key in keys:
            self._run("send-keys", "-t", "desk", key)
            time.sleep(GAP)

    def see(self, *words: str, gone: str = "") -> str:
        """Wait until all words stand on the screen and return it."""
        return self._until(lambda shown: all(word in shown for word in words) and not (gone and gone in shown), words)

    def decide(self, key: str, *words: str) -> None:
        """Press a key that decides and wait for words that say so; once more where it was told to come too soon."""
        self.keys(key)
        shown = self._until(lambda shown: all(word in shown for word in words) or "too fast" in shown, words)
        if "too fast" in shown:
            time.sleep(1.0)
            self.keys(key)
            self.see(*words)

    def _until(self, holds: Callable[[str], bool], what: object) -> str:
        until = time.monotonic() + PATIENCE
        while not holds(shown := self.screen()):
            assert time.monotonic() < until, f"{what} did not appear:\n{shown}"
            time.sleep(0.1)
        return shown

    def end(self) -> None:
        """Take the window away."""
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], check=False, capture_output=True)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    opened = Session(build(tmp_path / "home"), tmp_path)
    yield opened
    opened.end()


def test_a_whole_session(session: Session, tmp_path: Path) -> None:
    memory = tmp_path / "home" / "memories" / "MEMORY.md"
    before = memory.read_bytes()

    session.see("[1 Review]", "41 waiting 18 ready", "all seen: a approves")
    session.keys("Escape")  # the hint of the first run

    session.keys("/", *"rye", "Enter")
    session.see("filter: 1 (esc)", "Takes rye starter")
    session.keys("Escape")
    session.see("ready  18 waiting", gone="filter: ")

    session.keys("o", "2")
    session.see("the list: under each document")
    session.keys("g", "o", "1", "g")
    session.see("ready  18 waiting")

    session.keys("b")
    session.see("plan of 17 items", "left out: 24")
    for _ in range(25):
        shown = session.screen()
        if "y applies" in shown:
            break
        session.keys("NPage" if "not on screen yet" in shown else "Enter")
        if "q back" in session.screen():
            session.keys("q")
    session.see("y applies")
    session.decide("y", "[1 Review]", "24 waiting")
    planned = memory.read_bytes()
    assert planned != before

    session.keys("u")
    session.see("undone", "41 waiting")
    assert memory.read_bytes() == before

    session.keys("g")
    session.see("all seen: a approves")
    time.sleep(GAP)
    session.decide("a", "approved", "40 waiting")
    session.keys("u")
    session.see("undone", "41 waiting")

    session.keys("2")
    session.see("MEMORY.md: 21 entries")
    session.keys("e")
    session.see("correct an entry of MEMORY.md")
    session.keys("End", *" Ask Ana first.")
    session.see("after: 1837", "state      ready")
    time.sleep(4 * GAP)  # the outcome must have been looked at
    session.keys("C-s")
    session.see("Ask Ana first.", gone="correct an entry of")
    corrected = memory.read_bytes()
    assert b"Ask Ana first." in corrected

    session.keys("3")
    session.see("memory 1837 -> 1822", "agents     read")
    time.sleep(2 * GAP)
    session.keys("r")
    session.see("roll back", "any other key: no")
    time.sleep(2 * GAP)
    session.decide("y", "rolled back")
    assert memory.read_bytes() == before

    session.keys("1")
    session.see("[1 Review]", "41 waiting")
    session.keys("q")
    shown = session.see("left with 0")
    assert "[1 Review]" not in shown, "the screen is as it was before"
