"""A terminal for measured programs: a real pty, the times at which bytes came out of it, and what they painted.

Here: starting a program on a pty, waiting for what it paints, pressing keys, its peak memory. Not here: which program,
what is made of the times. Programs start without a fork of this process, so its size does not count.
"""

from __future__ import annotations

import contextlib
import fcntl
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
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

from tests.bench.workplace import Workplace

COLUMNS, LINES = 80, 24
QUIET = 0.015
"""A frame is over when nothing came for this long: a frame's bytes come at once, the next frame 16 ms later or more."""

_ESCAPE = re.compile(
    rb"\x1b(?:\[[0-9;:?<=>!$]*[ -/]*[@-~]|[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Za-z0-9]|[=>78MDEHc])"
)


class Terminal:
    """One program on one pty.

    Attributes:
        started: when the program was started.
        chunks: what came out, with the time of each piece.
    """

    def __init__(self, place: Workplace, code: str, words: Sequence[str] = (), **environ: str) -> None:
        self._own, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.chunks: list[tuple[float, bytes]] = []
        self._screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.ByteStream(self._screen)
        self._fed = 0
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, "-c", code, *words],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=place.environment(**environ),
            start_new_session=True,
        )
        os.close(inner)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        end = time.perf_counter() + 5
        while self._process.poll() is None and time.perf_counter() < end:
            self.read(0.05)
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._own)

    def read(self, timeout: float) -> bool:
        """Take what is there, waiting at most this long; False when nothing came."""
        if not select.select([self._own], [], [], timeout)[0]:
            return False
        try:
            piece = os.read(self._own, 1 << 16)
        except OSError:  # the other end is closed
            piece = b""
        if piece:
            self.chunks.append((time.perf_counter(), piece))
        return bool(piece)

    def wait_for(self, shown: Callable[[bytes], object], timeout: float = 30.0) -> float:
        """Wait until the text that came out so far satisfies a test; return when the last piece of it came.

        Raises:
            AssertionError: it never did.
        """
        end = time.perf_counter() + timeout
        text = b""
        while time.perf_counter() < end:
            if self.read(0.2):
                # an escape sequence may be cut in two by a read, so the whole is looked at
                text += self.chunks[-1][1]
                if shown(plain(text)):
                    return self.chunks[-1][0]
            elif self._process.poll() is not None:
                break
        raise AssertionError(f"never painted; the last it said was: {plain(text)[-500:]!r}")

    def settle(self, quiet: float = QUIET, timeout: float = 10.0) -> float:
        """Wait until nothing has come for a while; return when the last byte came."""
        end = time.perf_counter() + timeout
        while time.perf_counter() < end and self.read(quiet):
            pass
        return self.chunks[-1][0] if self.chunks else self.started

    def watch(self, seconds: float) -> None:
        """Take everything that comes for some time, so that the program is never held up by a full pty."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self.read(left)

    def press(self, key: str) -> float:
        """Press a key; return when."""
        now = time.perf_counter()
        os.write(self._own, key.encode())
        return now

    def screen(self) -> list[str]:
        """Return the lines as they stand on the screen."""
        for _ in self.frames():
            pass
        return list(self._screen.display)

    def frames(self) -> Iterator[tuple[float, list[str]]]:
        """Yield what stood on the screen behind each piece that was not looked at yet, and when it came."""
        while self._fed < len(self.chunks):
            came, piece = self.chunks[self._fed]
            self._fed += 1
            self._stream.feed(piece)
            yield came, list(self._screen.display)

    def peak_megabytes(self) -> float | None:
        """Return the most memory the program ever had resident; None where the system does not tell."""
        try:
            status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii", errors="replace")
        except OSError:
            return None
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        return int(found[1]) / 1024 if found else None


def plain(raw: bytes) -> bytes:
    """Return what came out without escape sequences."""
    return _ESCAPE.sub(b"", raw)
