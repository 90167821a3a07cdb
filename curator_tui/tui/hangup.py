"""A terminal that goes away while the application runs: noticed, so that nothing runs on unseen.

A window that is closed or a connection that breaks need not send a signal, and the library notices nothing: its thread
that reads spins on the ended terminal, its thread that writes dies, and whoever paints waits for it for ever.

Here: noticing it, and an end within a bounded time. Not here: leaving in an orderly way (``leaving``), signals
(``app``).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import sys
from threading import Thread
from time import sleep

from curator_tui.tui.leaving import LEAVE_SECONDS, Leaving

HUNG_UP = 129  # what a shell reports for a program that SIGHUP ended
# for leaving in an orderly way, which works as long as nobody waits for the terminal
_ORDERLY_SECONDS = 2.0


def watch(app: Leaving, terminal: int) -> None:
    """Have the application end when its terminal is gone.

    Args:
        app: the running application; to be called in its event loop.
        terminal: a file descriptor of the terminal.
    """
    loop = asyncio.get_running_loop()
    Thread(target=_watch, args=(app, loop, terminal), name="curator-tui-hangup", daemon=True).start()


def is_gone() -> bool:
    """Whether the terminal that keys come from is gone: what fails then is no fault of ours, and has its own code."""
    try:
        poll = select.poll()
        poll.register(sys.stdin.fileno(), 0)
        return bool(poll.poll(0))
    except (OSError, ValueError):
        return True


def write_nowhere() -> None:
    """Send what is still to be written to a terminal that is gone to nowhere.

    Python flushes its streams when it ends; where that fails, it ends with a code of its own (120).
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, or none at all
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _watch(app: Leaving, loop: asyncio.AbstractEventLoop, terminal: int) -> None:
    poll = select.poll()
    poll.register(terminal, 0)  # no event is asked for: an error or a hang-up is told all the same
    poll.poll()
    try:
        loop.call_soon_threadsafe(app.leave_with, HUNG_UP)
    except RuntimeError:
        return  # it is over already
    sleep(_ORDERLY_SECONDS)
    # still here: the loop waits for a terminal that takes nothing; what was decided is carried out first
    app.clerk.wait(LEAVE_SECONDS)
    os._exit(HUNG_UP)
