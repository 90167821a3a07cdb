"""The real application in a real pseudo terminal: bursts, pastes, bytes, signals."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.tui.desks import every_state, home_with, item
from tests.tui.terminal import ROOT, Terminal

Opener = Callable[..., Terminal]


@pytest.fixture
def opened() -> Iterator[Opener]:
    """Open terminals and close them again."""
    terminals: list[Terminal] = []

    def start(home: Path, *arguments: str, **more: object) -> Terminal:
        terminal = Terminal(home, *arguments, **more)  # type: ignore[arg-type]
        terminals.append(terminal)
        terminal.wait_for("a approve")
        return terminal

    yield start
    for terminal in terminals:
        terminal.close()


def pending(home: Path) -> set[str]:
    return {path.stem for path in (home / "pending" / "memory").glob("*.json")}


def facts(number: int) -> list[dict[str, object]]:
    return [item(f"add{n:05d}", "add", f"fact number {n}", age=9000 - n) for n in range(number)]


def typed_within(terminal: Terminal, keys: str, gap: float) -> float:
    """Type keys one after the other and return the longest time between two of them."""
    longest, before = 0.0, time.monotonic()
    for key in keys:
        terminal.type(key)
        now = time.monotonic()
        longest, before = max(longest, now - before), now
        time.sleep(gap)
    return longest


@pytest.mark.parametrize("gap", [0.0, 0.005, 0.01])
def test_ten_keys_in_one_burst_approve_what_was_painted_and_nothing_else(
    tmp_path: Path, opened: Opener, gap: float
) -> None:
    for run in count():
        home = home_with(tmp_path / f"hermes{run}", facts(12), memory=["one"])
        terminal = opened(home)
        terminal.wait_for("all seen: a approves")
        terminal.read(1.0)
        if typed_within(terminal, "a" * 10, gap) < 0.1:
            break  # slower they would be no burst, but keys of a person
    terminal.wait_for("11 waiting")
    terminal.read(1.0)
    assert len(pending(home)) == 11
    assert "add00000" not in pending(home)


def test_a_bracketed_paste_does_nothing(tmp_path: Path, opened: Opener) -> None:
    home = home_with(tmp_path / "hermes", facts(3), memory=["one"])
    terminal = opened(home)
    terminal.read(0.6)
    terminal.paste("aaaa")
    terminal.wait_for("ignored pasted text")
    terminal.read(0.5)
    assert len(pending(home)) == 3


def test_a_paste_whose_mark_comes_in_parts_presses_no_key(tmp_path: Path, opened: Opener) -> None:
    terminal = opened(home_with(tmp_path / "hermes", facts(3), memory=["one"]))
    terminal.wait_for("all seen: a approves")
    terminal.read(0.6)
    terminal.type("\x1b")
    time.sleep(0.4)  # longer than an escape waits for what may follow it
    terminal.type("[200~words\x1b[201~")
    terminal.wait_for("ignored pasted text: 5 characters")
    terminal.read(0.3)
    assert "a approve" in terminal.text, "the key 2 shows another screen"


@pytest.mark.parametrize("text", ["hello \x1b[201~a", "foo \x1b[201~ aaxa\r\x1b[201~", "foo \x1b[A a\x1b[31m q5"])
def test_a_text_that_leaves_its_own_paste_presses_no_key(tmp_path: Path, opened: Opener, text: str) -> None:
    home = home_with(tmp_path / "hermes", facts(3), memory=["one"])
    terminal = opened(home)
    terminal.wait_for("all seen: a approves")
    terminal.read(0.6)
    terminal.paste(text)
    terminal.wait_for("ignored")
    terminal.read(0.5)
    assert terminal.process.poll() is None
    assert "a approve" in terminal.text
    assert len(pending(home)) == 3
    terminal.decide("a", "2 waiting")


def test_a_text_that_opens_the_palette_on_its_way_is_looked_for_there_and_decides_nothing(
    tmp_path: Path, opened: Opener
) -> None:
    home = home_with(tmp_path / "hermes", facts(3), memory=["one"])
    terminal = opened(home)
    terminal.wait_for("all seen: a approves")
    terminal.read(0.6)
    terminal.type(":approve it all now")
    terminal.wait_for(">  approve it all now")
    assert len(pending(home)) == 3


@pytest.mark.parametrize("keys", ["y\r\r", "zzqq\r\r"])
def test_keys_that_come_at_once_close_the_palette_once(tmp_path: Path, opened: Opener, keys: str) -> None:
    terminal = opened(home_with(tmp_path / "hermes", facts(3), memory=["one"]))
    terminal.type(":")
    terminal.wait_for("Search for commands")
    terminal.type(keys)
    terminal.read(0.5)
    assert terminal.process.poll() is None
    assert terminal.leave(signal.SIGTERM) == 143


@pytest.mark.parametrize("keys", ["52qq", "5q2qq"])
def test_leaving_in_a_burst_leaves_the_terminal_clean(tmp_path: Path, opened: Opener, keys: str) -> None:
    """Each q is for the place that the key before it opened: back from there, and then away."""
    terminal = opened(home_with(tmp_path / "hermes", facts(3), memory=["one"]))
    terminal.type(keys)
    assert terminal.ended() == 0
    assert b"RuntimeWarning" not in terminal.received


def test_words_typed_into_the_wrong_window_decide_nothing(tmp_path: Path, opened: Opener) -> None:
    home = home_with(tmp_path / "hermes", facts(3), memory=["one"])
    terminal = opened(home)
    terminal.read(0.6)
    terminal.type("lax, you are")
    terminal.read(1.0)
    assert len(pending(home)) == 3


def test_keys_typed_before_the_first_frame_decide_nothing(tmp_path: Path) -> None:
    home = home_with(tmp_path / "hermes", facts(3), memory=["one"])
    terminal = Terminal(home)
    try:
        terminal.type("aaaaxxxx")
        terminal.wait_for("a approve")
        terminal.read(1.5)
        assert len(pending(home)) == 3
    finally:
        terminal.close()


# what Textual itself sends: control sequences of colour, cursor, modes, title of no kind
_SEQUENCE = re.compile(
    rb"\x1b(?:\[[0-9;:?<>=$!\"' ]*[a-zA-Z@`~{|]|[()][0-9A-Za-z]|[=>78cMDEHNOZ]"
    rb"|P[^\x1b\x07]*\x1b\\|\][0-9]+;[^\x07\x1b]*(?:\x07|\x1b\\))"
)


def test_no_control_byte_of_the_content_reaches_the_terminal(tmp_path: Path, opened: Opener) -> None:
    evil = "\x1b]52;c;ZWNobyBoaQ==\x07clip \x1b[2J\x1b[1;1Hall approved \x9b31mred \x1b]8;;https://x\x07docs\x1b]0;owned\x07"
    records = [item("evil0001", "add", evil, summary=evil, origin=evil), *every_state()]
    home = home_with(tmp_path / "hermes", records, memory=[evil, "Prefers tabs"])
    terminal = opened(home)
    for keys in ("j" * 3, "i", "q", "m", "q", "G", "3", "1", "?", "q", "b", "q", "g", "e", "\x1b", "X"):
        terminal.answer(keys)
    terminal.read(0.5)
    assert b"\x1b]52" not in terminal.received
    assert b"\x1b]0;owned" not in terminal.received
    assert b"\x1b]8;" not in terminal.received
    assert b"\x1b[2J" not in terminal.received
    left = re.sub(rb"\x1b[^a-zA-Z]*$", b"", _SEQUENCE.sub(b"", terminal.received))  # the last one may be cut
    assert re.findall(rb"\x1b.{0,20}", left) == []
    assert not re.search(rb"\xc2[\x80-\x9f]", left), "no C1 control either"


def test_no_control_byte_of_a_paste_reaches_the_terminal(tmp_path: Path, opened: Opener) -> None:
    home = home_with(tmp_path / "hermes", every_state())
    terminal = opened(home)
    terminal.read(0.6)
    for number, keys in enumerate(("e", "X", "/", ":")):
        terminal.answer(keys)
        if keys == "X":
            terminal.wait_for("something else, in your own words")
            time.sleep(0.5)  # no key counts before the question could be read
            terminal.decide("6", "why, in your words")
        terminal.paste(f"paste{number}\u202e\x9b31m\x07\u200b")
        terminal.wait_for(f"paste{number}⟨U+202E⟩⟨U+009B⟩31m")
        time.sleep(0.4)  # no key counts right behind a paste
        for _ in range(2):  # the palette closes with the first, a note with its menu only with the second
            terminal.type("\x1b")
            terminal.read(0.25)
    left = _SEQUENCE.sub(b"", terminal.received)
    assert not re.search(rb"\xc2[\x80-\x9f]", left), "no C1 control"
    assert b"\x07" not in left
    assert "\u202e".encode() not in left
    assert "\u200b".encode() not in left


def test_a_paste_that_ends_itself_saves_nothing(tmp_path: Path, opened: Opener) -> None:
    home = home_with(tmp_path / "hermes", facts(3), memory=["one"])
    terminal = opened(home)
    terminal.read(0.6)
    terminal.type("e")
    terminal.wait_for("ctrl+s approves your version")
    terminal.read(0.6)
    terminal.paste("other words\x1b[201~\x13\x1b[2J\x13")
    terminal.wait_for("other words")
    terminal.read(1.0)
    assert len(pending(home)) == 3
    assert (home / "memories" / "MEMORY.md").read_text("utf-8") == "one"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_leaves_the_terminal_as_it_was(
    tmp_path: Path, opened: Opener, number: signal.Signals, code: int
) -> None:
    home = home_with(tmp_path / "hermes", facts(3), memory=["one"])
    terminal = opened(home)
    assert terminal.leave(number) == code
    assert b"\x1b[?1049l" in terminal.received
    assert b"\x1b[?25h" in terminal.received


def test_a_signal_waits_for_what_was_decided(tmp_path: Path, opened: Opener) -> None:
    home = home_with(tmp_path / "hermes", facts(3), memory=["one"])
    terminal = opened(home)
    terminal.wait_for("all seen: a approves")
    terminal.read(0.6)
    with (home / "memories" / "MEMORY.md.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        terminal.decide("a", "writing the decision")
        terminal.process.send_signal(signal.SIGTERM)
        terminal.wait_for("leaving as soon as the last decision is written")
        assert terminal.process.poll() is None
    assert terminal.leave(signal.SIGTERM) == 143
    assert pending(home) == {"add00001", "add00002"}
    assert "fact number 0" in (home / "memories" / "MEMORY.md").read_text("utf-8")
    assert b"The last decision: approved memory: 'fact number 0" in terminal.received.rpartition(b"\x1b[?1049l")[2]


def test_q_leaves_with_zero(tmp_path: Path, opened: Opener) -> None:
    home = home_with(tmp_path / "hermes", facts(3), memory=["one"])
    terminal = opened(home)
    assert terminal.leave() == 0
    assert pending(home) == {"add00000", "add00001", "add00002"}


@pytest.mark.parametrize("environ", [{"NO_COLOR": "1"}, {"TERM": "xterm", "COLORTERM": ""}], ids=["unwanted", "few"])
def test_without_colours_only_default_ones_are_sent(tmp_path: Path, opened: Opener, environ: dict[str, str]) -> None:
    home = home_with(tmp_path / "hermes", every_state())
    terminal = opened(home, environ=environ)
    for keys in ("jjj", "?", "q", "b", "q", "3", "1"):
        terminal.answer(keys)
    for found in re.findall(rb"\x1b\[([0-9;]*)m", terminal.received):
        codes = {int(code) for code in found.split(b";") if code}
        assert codes <= {0, 1, 2, 3, 4, 5, 7, 8, 9, 22, 23, 24, 27, 39, 49}, found


def test_without_a_terminal_it_refuses_and_names_the_way_out() -> None:
    program = "import sys; from unittest.mock import Mock; from curator_tui.tui.app import run; sys.exit(run(Mock()))"
    found = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=ROOT, check=False, timeout=60,
    )  # fmt: skip
    assert found.returncode == 2
    assert "needs a terminal" in found.stderr
    assert "curator-tui review --plain" in found.stderr
    assert found.stdout == ""


def test_on_a_dumb_terminal_it_refuses(tmp_path: Path) -> None:
    home = home_with(tmp_path / "hermes", facts(1), memory=["one"])
    terminal = Terminal(home, environ={"TERM": "dumb"})
    try:
        terminal.wait_for("cannot show it")
        assert terminal.ended() == 2
        assert b"\x1b" not in terminal.received
    finally:
        terminal.close()


def test_a_crash_prints_two_lines_and_no_memory(tmp_path: Path) -> None:
    home = home_with(tmp_path / "hermes", facts(1), memory=["SECRET-WORDS"])
    code = (
        "import sys; from pathlib import Path\n"
        "from curator_tui.curator.opening import open_desk\n"
        "from curator_tui.tui import app\n"
        "from curator_tui.tui.screens.review import ReviewScreen\n"
        "def broken(self):\n"
        "    memory = 'SECRET-WORDS'\n"
        "    raise RuntimeError(memory)\n"
        "ReviewScreen.action_view_context = broken\n"
        f"desk = open_desk(home=Path({str(home)!r}), profile=None, environ={{}}, through='tui')\n"
        "sys.exit(app.run(desk))\n"
    )
    terminal = Terminal(home, environ={"TMPDIR": str(tmp_path)})
    terminal.close()
    terminal = _run(code, {"TMPDIR": str(tmp_path)})
    try:
        terminal.wait_for("a approve")
        terminal.type("c")
        assert terminal.ended() == 3, "1 would mean that a decision was not applied"
        after = terminal.received.rpartition(b"\x1b[?1049l")[2]
        assert b"stopped on an error of its own" in after
        assert b"SECRET-WORDS" not in after
        report = next(tmp_path.glob("curator-tui-crash-*.txt"))
        assert report.stat().st_mode & 0o777 == 0o600
        words = report.read_text("utf-8")
        assert "RuntimeError" in words
        assert "broken" in words
        assert "SECRET-WORDS" not in words
    finally:
        terminal.close()


def _run(code: str, environ: dict[str, str]) -> Terminal:
    """Run other code than the usual in a terminal."""
    from tests.tui import terminal as module

    before = module._START
    module._START = code
    try:
        return Terminal(Path(os.devnull), environ=environ)
    finally:
        module._START = before


@pytest.mark.parametrize("decide", [False, True])
def test_a_terminal_that_is_gone_ends_it(tmp_path: Path, decide: bool) -> None:
    """No signal comes here, as with a broken connection: it must not run on, unseen and at full speed."""
    home = home_with(tmp_path / "hermes", every_state())
    terminal = Terminal(home)
    try:
        terminal.wait_for("all seen")
        if decide:
            terminal.read(0.5)
            terminal.decide("a", "12 waiting")
        os.close(terminal.master)
        assert terminal.process.wait(60) == 129
    finally:
        if terminal.process.poll() is None:
            terminal.process.kill()
            terminal.process.wait()
    left = {path.stem for path in (home / "pending" / "memory").iterdir()}
    assert ("add00001" not in left) is decide


# as a person starts it, in a terminal that is its own: a signal comes, and standard output is flushed at the end
_COMMAND_LINE = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from curator_tui.cli.root import run
sys.exit(run(["--home", os.environ["HOME_AT_WORK"]]))
"""


@pytest.mark.parametrize("keys", ["", ":", "*b"], ids=["review", "palette", "plan"])
def test_a_window_that_is_closed_ends_the_command_with_one_code_from_everywhere(tmp_path: Path, keys: str) -> None:
    terminal = _run(_COMMAND_LINE, {"HOME_AT_WORK": str(home_with(tmp_path / "hermes", every_state()))})
    try:
        terminal.wait_for("all seen")
        terminal.read(0.5)
        for key in keys:
            terminal.answer(key)
        os.close(terminal.master)
        assert terminal.process.wait(60) == 129
    finally:
        if terminal.process.poll() is None:
            terminal.process.kill()
            terminal.process.wait()


def test_an_editor_that_does_not_start_leaves_the_terminal_to_the_application(tmp_path: Path, opened: Opener) -> None:
    home = home_with(tmp_path / "hermes", facts(1), memory=["one"])
    terminal = opened(home, environ={"VISUAL": "", "EDITOR": "/usr/bin/no-such-editor"})
    terminal.wait_for("all seen: a approves")
    terminal.type("E")
    terminal.wait_for("the editor did not start: No such file or directory")
    terminal.wait_for("ctrl+s approves your version")
    assert terminal.process.poll() is None
    assert pending(home) == {"add00000"}


def test_an_interrupt_while_the_editor_runs_ends_the_editor_only(tmp_path: Path, opened: Opener) -> None:
    home = home_with(tmp_path / "hermes", facts(1), memory=["one"])
    started = tmp_path / "started"
    terminal = opened(home, environ={"VISUAL": "", "EDITOR": f"sh -c 'touch {started}; exec sleep 60'"})
    terminal.wait_for("all seen: a approves")
    terminal.type("E")
    terminal.wait_until(started.exists)
    os.killpg(terminal.process.pid, signal.SIGINT)
    terminal.wait_for("the editor ended with code -2; nothing was taken over")
    assert terminal.process.poll() is None
