"""Talking to ``review --plain``: inside the test process with answers that are given, and in a real pseudo terminal.

Here: typing, waiting for words, the code that an answer on a pipe has to end in. Not here: any expectation.
"""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from curator_tui.cli.output import Output
from curator_tui.cli.plain.answers import Answers, Asked
from curator_tui.cli.plain.commands import obey
from curator_tui.cli.plain.leaving import Leave
from curator_tui.cli.plain.looking import begin
from curator_tui.cli.plain.printer import Printer
from curator_tui.cli.plain.talk import Talk
from curator_tui.curator.desk import Desk
from curator_tui.curator.opening import open_beside, open_desk

ROOT = Path(__file__).parents[2]
Line = str | Callable[[], object]
_PATIENCE = 60.0  # seconds, for what must happen: a busy machine takes its time
_CODE = re.compile(r"\b([0-9a-f]{8})(?: to do it|\.$)", re.MULTILINE)


class Given(Answers):
    """Answers that were given beforehand; what is no text is done at that moment, as others do things meanwhile."""

    def __init__(self, lines: tuple[Line, ...], printed: io.StringIO, *, typed: bool) -> None:
        super().__init__(None)
        self.typed = typed
        self._lines = list(lines)
        self._printed = printed

    def forget_ahead(self) -> bool:
        return False

    def line(self) -> Asked:
        return Asked(self._next(), self.typed)

    def own_line(self) -> str:
        return self._next()

    def _next(self) -> str:
        while self._lines and callable(self._lines[0]):
            self._lines.pop(0)()
        if not self._lines:
            raise Leave(0, "The input ended.")
        line = self._lines.pop(0)
        assert isinstance(line, str)
        self._printed.write(f"<<{line}\n")
        codes = _CODE.findall(self._printed.getvalue())
        return line.replace("CODE", codes[-1] if codes else "none")


def talk(home: Path, *lines: Line, typed: bool = True, read_only: bool = False, width: int = 0, code: int = 0) -> str:
    """Talk about a home and return everything that was printed; it must end with an exit code."""
    desk = open_desk(home=home, profile=None, environ={}, through="cli", read_only=read_only)
    try:
        return talk_at(desk, *lines, typed=typed, width=width, code=code)
    finally:
        desk.close()


def talk_at(desk: Desk, *lines: Line, typed: bool = True, width: int = 0, code: int = 0) -> str:
    """Talk at a desk and return everything that was printed; it must end with an exit code."""
    printed = io.StringIO()
    talking = Talk(
        desk,
        Given(lines, printed, typed=typed),
        Printer(Output(printed, printed), width),
        lambda name: open_beside(talking.desk, name, {}),
    )
    assert talking.run(begin, obey) == code
    return printed.getvalue()


def behind(text: str, line: str) -> str:
    """Return what was printed behind an answer, up to the next one."""
    return text.split(f"<<{line}\n", 1)[1].split("<<", 1)[0]


class Terminal:
    """One run of the review in a pseudo terminal: everything that it sends is kept as it came."""

    def __init__(
        self, home: Path, *arguments: str, columns: int = 80, environ: Mapping[str, str] | None = None
    ) -> None:
        self.received = b""
        self.master, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "curator_tui", "--home", str(home), "review", "--plain", *arguments],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            cwd=ROOT,
            env={**os.environ, "TERM": "dumb", **(environ or {})},
            start_new_session=True,
        )
        os.close(inner)

    def read(self, seconds: float) -> bytes:
        """Take in what arrives within some time."""
        got, until = b"", time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and select.select([self.master], [], [], left)[0]:
            try:
                found = os.read(self.master, 1 << 16)
            except OSError:
                break
            got += found
            if not found:
                break
        self.received += got
        return got

    def wait_for(self, words: str) -> str:
        """Wait until words were printed since the last answer."""
        got, until = b"", time.monotonic() + _PATIENCE
        while words.encode() not in got and time.monotonic() < until:
            got += self.read(0.05)
        text = got.decode()
        assert words in text, text
        return text

    def type(self, text: str) -> None:
        """Send characters at once, as a paste does."""
        os.write(self.master, text.encode())

    def answer(self, text: str, words: str = "Command:") -> str:
        """Answer as a person does, who reads first, and return what was printed up to some words.

        Only the other side knows since when it waits for an answer: on a busy machine it may be told once more.
        """
        time.sleep(0.32)
        self.type(f"{text}\n")
        said = self.wait_for(words)
        if "too fast" in said:
            time.sleep(1.0)
            self.type(f"{text}\n")
            said = self.wait_for(words)
        return said

    def end(self, number: int | None = None) -> int:
        """Wait for the end, asked for by a signal or not, and return the exit code."""
        if number is not None:
            self.process.send_signal(number)
        until = time.monotonic() + _PATIENCE
        while self.process.poll() is None and time.monotonic() < until:
            self.read(0.05)
        self.read(0.1)
        return self.process.wait(0)

    def close(self) -> None:
        """End everything."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        os.close(self.master)
