"""Going to sleep and coming back, as every program at a terminal can (ctrl+z and ``fg``).

Here: the signals for it, giving the terminal back as it was, and that nothing typed meanwhile counts afterwards. Not
here: keys, screens, leaving for good (``leaving``).

Nobody is put to sleep from a screen in the middle of a write: locks that others wait for would be held for as long as
it lasts. Where a write does not end in time that is said, and no sleep follows. Textual itself takes a process that was
stopped from outside for one that gave the terminal back, and then reads every key twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import termios
from time import monotonic
from types import FrameType

from textual.app import SuspendNotSupported

from curator_tui.tui.leaving import LEAVE_SECONDS, LOOK_AGAIN, Leaving
from curator_tui.tui.shown import Line, own

_WAITING: Line = (own("going to sleep as soon as the last decision is written …", role="warn"),)
_STILL_WRITING: Line = (
    own("not put to sleep: a change is still being written; try again when it is done", role="bad"),
)
_NO_SLEEP: Line = (own("there is no shell to go back to here", role="warn"),)


class Sleeping(Leaving):
    """An application that can be put to sleep.

    Attributes:
        awake_at: when it came back the last time.
    """

    awake_at = float("-inf")
    _asleep = False

    def listen_for_sleep(self) -> None:
        """Take the signals of job control from Textual; to be called in the event loop of the main thread."""
        loop = asyncio.get_running_loop()

        def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the signature of handlers
            if self._asleep or self._is_away():
                os.kill(os.getpid(), signal.SIGSTOP)  # an editor has the terminal: it is asked to stop, too
            else:
                loop.call_soon_threadsafe(self.go_to_sleep)

        def go_on(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as above
            if not (self._asleep or self._is_away()):
                loop.call_soon_threadsafe(self._come_back)  # stopped from outside, in the middle of everything

        signal.signal(signal.SIGTSTP, stop)
        signal.signal(signal.SIGCONT, go_on)

    def _is_away(self) -> bool:
        """Whether another program was given the terminal."""
        return self._driver is None or not self._driver._auto_restart  # noqa: SLF001 - nothing else tells

    @property
    def is_falling_asleep(self) -> bool:
        """Whether it waits for what is being written, to go to sleep then."""
        return any(worker.group == "sleep" and not worker.is_finished for worker in self.workers)

    def go_to_sleep(self) -> None:
        """Stop, as soon as nothing is being written, until the shell wakes us; where it goes on being, say so."""
        if not (self._asleep or self.is_leaving):
            self.beside(self._when_written, "sleep", alone=True)

    async def _when_written(self) -> None:
        if self.deciding:
            self.tell(_WAITING)
        until = monotonic() + LEAVE_SECONDS
        while (writing := self.deciding or self.clerk.changing) and monotonic() < until:
            await asyncio.sleep(LOOK_AGAIN)
        if writing:
            self.tell(_STILL_WRITING)
        else:
            self._sleep()

    def _sleep(self) -> None:
        try:
            with self.suspend():
                self._asleep = True
                try:
                    os.kill(os.getpid(), signal.SIGSTOP)
                    while not _has_terminal():  # woken in the background: the terminal is not ours
                        os.kill(os.getpid(), signal.SIGSTOP)
                    _forget_typed()
                finally:
                    self._asleep = False
        except SuspendNotSupported:
            self.tell(_NO_SLEEP)
        self.awake_at = monotonic()

    def _come_back(self) -> None:
        """Begin anew with a terminal that others may have written on, in whatever mode they left it."""
        with contextlib.suppress(SuspendNotSupported), self.suspend():
            _forget_typed()
        self.awake_at = monotonic()


def _has_terminal() -> bool:
    """Whether this process may use the terminal now; True where nobody could say otherwise."""
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except OSError:
        return True


def _forget_typed() -> None:
    """Throw away what was typed before anything was on screen again."""
    with contextlib.suppress(OSError, termios.error):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
