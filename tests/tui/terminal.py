"""The application in a pseudo terminal: real bytes in and out, read through a terminal emulator.

Here: starting, typing, pasting, waiting for words on the screen. Not here: any expectation.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pyte

ROOT = Path(__file__).parents[2]
_START = """
import os, sys
from pathlib import Path
from curator_tui.curator.opening import open_desk
from curator_tui.tui.app import run
desk = open_desk(home=Path(sys.argv[1]), profile=None, environ={}, through="tui", read_only=len(sys.argv) > 2)
sys.exit(run(desk))
"""
_TOO_FAST = ("too fast", "just back")
_PATIENCE = 60.0  # seconds, for what must happen: a busy machine takes its time
# what would make it another application than the one a person starts
_LEFT_OUT = {"NO_COLOR", "COLORTERM", "TEXTUAL_FPS"}


class Terminal:
    """One run of the application on a home, in a window of 80 by 24."""

    def __init__(self, home: Path, *arguments: str, environ: Mapping[str, str] | None = None) -> None:
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.ByteStream(self.screen)
        self.received = b""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        known = {name: value for name, value in os.environ.items() if name not in _LEFT_OUT}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _START, str(home), *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=ROOT,
            env={**known, "TERM": "xterm-256color", "COLORTERM": "truecolor", **(environ or {})},
            start_new_session=True,
        )
        os.close(slave)
        self.master = master

    def read(self, seconds: float) -> None:
        """Take in what arrives within some time."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            ready, _, _ = select.select([self.master], [], [], left)
            if not ready:
                return
            try:
                found = os.read(self.master, 1 << 16)
            except OSError:
                return
            if not found:
                return
            self.received += found
            self.stream.feed(found)

    def answer(self, keys: str, seconds: float = 0.3) -> None:
        """Type keys and take in what comes of them: until nothing came for a moment, or nothing at all for longer."""
        self.type(keys)
        while select.select([self.master], [], [], seconds)[0]:
            before = len(self.received)
            self.read(0.01)
            if len(self.received) == before:
                return  # it has ended
            seconds = 0.08

    @property
    def text(self) -> str:
        """What stands on the screen."""
        return "\n".join(self.screen.display)

    def wait_for(self, *words: str) -> str:
        """Wait until words, of several some, stand on the screen."""
        self.wait_until(lambda: any(some in self.text for some in words) or self.process.poll() is not None)
        if self.process.poll() is not None:
            self.read(0.2)  # its last words
        assert any(some in self.text for some in words), self.text
        return self.text

    def wait_until(self, holds: Callable[[], object]) -> None:
        """Take in what arrives until something holds."""
        until = time.monotonic() + _PATIENCE
        while not holds() and time.monotonic() < until:
            self.read(0.02)

    def decide(self, keys: str, words: str) -> None:
        """Type keys that decide and wait until words say so; once more where the item stood there too short for it.

        For how long it did only the application knows: on a busy machine it may count from long after its words came.
        """
        self.type(keys)
        if words not in self.wait_for(words, *_TOO_FAST):
            time.sleep(1.0)
            self.type(keys)
            self.wait_for(words)

    def type(self, keys: str | bytes) -> None:
        """Send bytes at once, as a paste or a slow connection does."""
        os.write(self.master, keys.encode() if isinstance(keys, str) else keys)

    def paste(self, text: str) -> None:
        """Send a bracketed paste."""
        self.type(f"\x1b[200~{text}\x1b[201~")

    def leave(self, number: int | None = None) -> int:
        """Ask the application to end, by ``q`` or by a signal, and return its exit code."""
        if number is None:
            self.type("q")
        else:
            self.process.send_signal(number)
        return self.ended()

    def ended(self) -> int:
        """Wait until it has ended, and return its exit code."""
        self.wait_until(lambda: self.process.poll() is not None)
        self.read(0.2)
        return self.process.wait(0)

    def close(self) -> None:
        """End everything."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        os.close(self.master)
