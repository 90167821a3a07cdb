"""One key after the other: no key acts before all that the one before it set off is there to take it.

A key that opens a field, a dialog or another place needs a moment for that, longer on a busy machine. What is typed
meanwhile is meant for what opens. So it is kept, in order, and handed on when that is there and has the focus; where it
did not open after all, what was typed for it is dropped as a whole, and that is said. What takes long can be given up.

Here: when a key was worked through, and the keys that wait. Not here: what counts as pressed (``gates``), where a key
goes (``listening``).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import Any, NamedTuple

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.screen import Screen
from textual.worker import Worker

from curator_tui.tui import working

_SOON = 0.005
_ROUNDS = 2  # what a key says to a screen by a message of its own comes behind the first
_LOOKS = 400  # for what must come within a moment, before it counts as lost; no clock: a busy machine stands still
_PASSES = frozenset({"ctrl+q"})  # leaving is about no screen
_PASS_WHAT_OPENS = frozenset({"ctrl+c", "ctrl+z"})  # nor are these, where no field can have the focus
_GIVES_UP = "escape"

Typed = events.Key | events.Paste


class Kept(NamedTuple):
    """Something typed that waits for its turn.

    Attributes:
        event: a key or a paste.
        decided: whether it would have decided something, where it counts as pressed already; None where it is not
            known yet whether it was pressed at all.
    """

    event: Typed
    decided: bool | None = None


class Opener(NamedTuple):
    """A job that opens something.

    Attributes:
        job: the job.
        always: whether it opens something whenever it succeeds; else it is carried out to its end.
        began: when it began.
    """

    job: Worker[None]
    always: bool
    began: float


class WorkedThrough(events.Event, bubble=True):
    """Goes the way of a key right behind it: where it arrives, the key has done what it does."""

    def __init__(self, number: int, left: int) -> None:
        super().__init__()
        self.number = number
        self.left = left


class Turns:
    """The keys of one application, one after the other.

    Args:
        app: the application.
        take: takes what is typed, when it is its turn.
        dropped: told how many keys were dropped because what they were typed for did not open.
        given_up: told how many were dropped because what they were typed for was given up.
    """

    def __init__(
        self,
        app: App[Any],
        take: Callable[[Kept], Awaitable[None]],
        dropped: Callable[[int], None],
        given_up: Callable[[int], None],
    ) -> None:
        self._app = app
        self._take = take
        self._dropped = dropped
        self._given_up = given_up
        self._kept: deque[Kept] = deque()
        self._number = 0
        self._target: DOMNode | None = None  # where the last key went that is not worked through yet
        self._openers: list[Opener] = []
        self._ready: Screen[Any] | None = None
        self._asked: Screen[Any] | None = None
        self._began_at: tuple[object, object] = (None, None)
        self._is_owed = False  # a job ran that opens something whenever it succeeds
        self._looks = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether something typed waits."""
        return bool(self._kept)

    def keeps(self, event: Typed) -> bool:
        """Keep what is typed while it is not its turn; False where it is."""
        if isinstance(event, events.Key):
            opens = any(not one.job.is_finished for one in self._openers)
            if event.key in _PASSES or (opens and event.key in _PASS_WHAT_OPENS):
                return False
            if event.key == _GIVES_UP and self._give_up():
                return True
        if not self._kept and not self._waits():
            self._settle_owed()
            return False
        self._kept.append(Kept(event))
        self._look_again()
        return True

    def put_first(self, kept: Sequence[Kept]) -> None:
        """Hand on, before everything that waits, keys that came before it."""
        self._kept.extendleft(reversed(kept))
        self._app.call_later(self._go_on)

    def begin(self, target: DOMNode) -> None:
        """Note that a key was handed on: the next one waits until it was worked through."""
        self._number += 1
        self._target, self._looks = target, 0
        self._began_at = self._app.screen, self._app.focused
        target.post_message(WorkedThrough(self._number, _ROUNDS - 1))

    def arrived(self, event: WorkedThrough) -> None:
        """Note that a key was worked through, after its messages were, too."""
        if event.number != self._number or self._target is None:
            return
        if event.left and self._is_there(self._target):
            self._target.post_message(WorkedThrough(self._number, event.left - 1))
        else:
            self._target = None

    def opening(self, job: Worker[None], *, always: bool) -> None:
        """Wait for a job that opens something, ``always`` or only in some cases."""
        self._openers.append(Opener(job, always, monotonic()))

    def _give_up(self) -> bool:
        """Give up what takes so long to open that it was said; False where nothing does."""
        late_since = monotonic() - working.SAID_AFTER
        late = [one for one in self._openers if one.always and not one.job.is_finished and one.began <= late_since]
        if not late:
            return False
        self._openers = [one for one in self._openers if one not in late]
        for one in late:
            one.job.cancel()
        number = len(self._kept)
        self._kept.clear()
        self._given_up(number)
        return True

    async def _go_on(self) -> None:
        """Hand on what waits, as far as it is its turn."""
        while self._kept and self._app.is_running and not self._waits():
            if self._settle_owed():
                number = len(self._kept)
                self._kept.clear()
                self._dropped(number)
                return
            await self._take(self._kept.popleft())
        if self._kept:
            self._look_again()

    def _settle_owed(self) -> bool:
        """Whether something should have opened and did not; that is asked once."""
        owed, self._is_owed = self._is_owed, False
        return owed and self._began_at == (self._app.screen, self._app.focused)

    def _look_again(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_SOON, self._look)

    def _look(self) -> None:
        self._timer = None
        self._looks += 1
        if self._app.is_running:
            self._app.call_later(self._go_on)

    def _waits(self) -> bool:
        """Whether what the last key set off is not there yet."""
        self._is_owed |= any(one.always for one in self._openers if one.job.is_finished)
        self._openers = [one for one in self._openers if not one.job.is_finished]
        if self._openers:
            self._looks = 0
            return True
        if self._looks >= _LOOKS:
            self._target, self._ready = None, self._app.screen
        if self._target is not None and self._is_there(self._target):
            return True
        return not self._is_ready(self._app.screen)

    def _is_there(self, target: DOMNode) -> bool:
        return target.is_running and target.is_attached

    def _is_ready(self, screen: Screen[Any]) -> bool:
        """Whether the screen that is open has been painted, with the focus where it belongs."""
        if screen is not self._ready and screen is not self._asked:
            self._asked = screen
            screen.call_after_refresh(self._painted, screen)
        return screen is self._ready

    def _painted(self, screen: Screen[Any]) -> None:
        self._ready, self._asked = screen, None
