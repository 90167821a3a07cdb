"""What is done once, a moment from now, unless it is put off or given up before.

Here: the clock of one such job. Not here: what takes long (``working``). Textual's own timers are not used for it: in
8.2.8 one that shall go off once never does where a busy machine holds it up for longer than its delay as it begins.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from textual.message_pump import MessagePump


class Soon:
    """The next job of a widget, a screen or the application; there is one at a time."""

    def __init__(self, node: MessagePump) -> None:
        self._node = node
        self._call: asyncio.TimerHandle | None = None

    @property
    def is_pending(self) -> bool:
        """Whether a job is still to be done."""
        return self._call is not None

    def begin(self, seconds: float, job: Callable[[], object]) -> None:
        """Do a job after some time, in place of the one that is still to be done."""
        self.give_up()
        self._call = asyncio.get_running_loop().call_later(seconds, self._do, job)

    def give_up(self) -> None:
        """Do nothing of what is still to be done."""
        if self._call is not None:
            self._call.cancel()
            self._call = None

    def _do(self, job: Callable[[], object]) -> None:
        self._call = None
        if self._node.is_running:
            self._node.call_next(job)
