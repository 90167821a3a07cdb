"""Answers: what a person types, one line at a time, and whether it may decide anything.

Here: reading a line, and telling an answer that somebody typed to a question from one that was typed ahead, pasted as
part of a block, or written before anything was printed. Not here: what an answer means (``commands``), printing.

On a terminal (for input and output) everything that arrived before a question was printed is dropped, a line that came
sooner after it than anybody can read decides nothing, and of a block of lines nothing counts. On a pipe nothing of that
can be told; there an answer that decides must end in the code of what was printed (see :meth:`Asked.decides`).
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import select
import signal
import time
from collections.abc import Iterable
from typing import NamedTuple, TextIO

from curator_tui.cli.plain.leaving import ASKED_BY, Leave

DWELL = 0.3
"""Seconds a question must have stood there before an answer to it decides, as on the screens."""
_BLOCK = 0.03
_CODE_DIGITS = 8
_LINE_LIMIT = 1 << 20


def code_of(lines: Iterable[str]) -> str:
    """Return the code of printed lines: whoever answers with it has the lines before them, not a guess of them."""
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:_CODE_DIGITS]


class Asked(NamedTuple):
    """One line that was typed, without its end.

    Attributes:
        text: the line.
        typed: whether it was typed at a terminal.
        early: it came sooner than the question can have been read.
    """

    text: str
    typed: bool
    early: bool = False

    def decides(self, code: str) -> tuple[str, str]:
        """Return the line without its code, and why it may not decide; no reason means that it may."""
        if self.typed:
            return self.text, "That came too fast to be an answer; type it again." if self.early else ""
        words, _, last = self.text.rstrip().rpartition(" ")
        if last == code:
            return words, ""
        return self.text, f"This is no conversation at a terminal: end what decides with the code {code}."


class Answers:
    """Where lines come from.

    Args:
        stream: standard input; None where it is closed.
        printed: where the questions go: nobody reads them first where that is no terminal.
        dwell: seconds before an answer to a question may decide.
    """

    def __init__(self, stream: TextIO | None, printed: TextIO | None = None, *, dwell: float = DWELL) -> None:
        self._raw = None if stream is None or stream.closed else stream.buffer
        self._encoding = getattr(stream, "encoding", None) or "utf-8"
        self.typed = all(one is not None and not one.closed and one.isatty() for one in (stream, printed))
        self._dwell = dwell
        self._asked_at = 0.0

    def forget_ahead(self) -> bool:
        """Drop what was typed before a question; whether a whole line was among it."""
        if not self.typed or self._raw is None:
            return False
        import termios

        waiting = self._more_within(0.0)
        with contextlib.suppress(termios.error):  # the terminal may be gone, which the next read tells
            termios.tcflush(self._raw.fileno(), termios.TCIFLUSH)
        return waiting

    def line(self) -> Asked:
        """Read the answer to a question that was printed just now.

        Raises:
            Leave: the input is at its end, or the terminal is gone.
        """
        self._asked_at = time.monotonic()
        while True:
            text = self._read()
            early = time.monotonic() - self._asked_at < self._dwell
            if not (self.typed and self._more_within(_BLOCK)):
                return Asked(text, self.typed, early)
            self.forget_ahead()
            return Asked("", self.typed, early=True)

    def own_line(self) -> str:
        """Read one line of a text that is being typed or pasted; blocks are welcome here, since it decides nothing."""
        return self._read()

    def _read(self) -> str:
        if self._raw is None:
            raise Leave(0, "There is no input.")
        try:
            raw = self._terminal_line() if self.typed else self._raw.readline(_LINE_LIMIT)
        except (io.UnsupportedOperation, OSError) as error:
            raise Leave(ASKED_BY[signal.SIGHUP], "The input is gone.") from error
        if not raw:
            raise Leave(0, "The input ended.")
        return raw.decode(self._encoding, "surrogateescape").rstrip("\r\n")

    def _terminal_line(self) -> bytes:
        """Read one line and not a byte more, so that what follows it can still be dropped."""
        assert self._raw is not None
        raw = b""
        while not raw.endswith(b"\n"):
            more = os.read(self._raw.fileno(), 4096)
            if not more:
                break
            raw += more
        return raw

    def _more_within(self, seconds: float) -> bool:
        assert self._raw is not None
        return bool(select.select([self._raw], [], [], seconds)[0])
