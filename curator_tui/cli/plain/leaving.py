"""Leaving the review: by a word, by the end of the input, or by a signal; never in the middle of a change.

Here: the signals, and holding them back while the store writes. Not here: what is said at the end (``talk``).
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

ASKED_BY = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
"""Exit code by signal: what a shell reports for a program that the signal ended."""


class Leave(BaseException):
    """The person leaves; no error, and nothing may take it for one.

    Attributes:
        code: exit code.
        words: why, in a sentence.
    """

    def __init__(self, code: int, words: str) -> None:
        super().__init__(words)
        self.code = code
        self.words = words


class Signals:
    """Turns the signals that ask a program to end into :class:`Leave`, raised only where nothing is being written."""

    def __init__(self) -> None:
        self._writing = False
        self._asked: Leave | None = None

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Take the signals over, and give them back at the end; outside the main thread there are none to take."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._heard) for number in ASKED_BY}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler if handler is not None else signal.SIG_DFL)

    @contextlib.contextmanager
    def held_back(self) -> Iterator[None]:
        """Let a change be carried out and told to its end; a signal that came meanwhile counts after it."""
        self._writing = True
        try:
            yield
        finally:
            self._writing = False
        if self._asked is not None:
            raise self._asked

    def _heard(self, number: int, _: FrameType | None) -> None:
        leave = Leave(ASKED_BY[signal.Signals(number)], "Interrupted.")
        if not self._writing:
            raise leave
        self._asked = leave
