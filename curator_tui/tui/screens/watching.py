"""Looking again at what others did to the store, on any screen that fills the window.

Here: when a look may begin, and what the banner says while the store cannot be read. Not here: what is looked at and
what is painted of it, which every screen knows for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from curator_tui.core.errors import CuratorError
from curator_tui.curator.history import undone_now
from curator_tui.tui.shown import message, own

if TYPE_CHECKING:
    from curator_tui.curator.desk import Desk
    from curator_tui.tui.screens.base import DeskScreen

T = TypeVar("T")


class Lookout:
    """What lets a screen see what others do.

    Args:
        screen: the screen that is shown anew.
    """

    def __init__(self, screen: DeskScreen) -> None:
        self._screen = screen

    def keep(self, tick: Callable[[], None], polls: int = 1) -> None:
        """Call what looks again every so many polls, for as long as the screen stands; where time rests, never."""
        if self._screen.app.timing.poll > 0:
            self._screen.set_interval(self._screen.app.timing.poll * polls, tick)

    def look_again(self, look: Callable[[], Coroutine[None, None, None]]) -> None:
        """Look at what others did: below no other screen, beside no write, never twice at once however slow it is."""
        if self._screen.is_current and not self._screen.busy and not self.is_looking:
            self._screen.work(look, "poll", alone=False)

    @property
    def is_looking(self) -> bool:
        """Whether a look of this screen at what others did is under way."""
        return any(
            one.group == "poll" and one.node is self._screen and not one.is_finished for one in self._screen.app.workers
        )

    async def ask(self, job: Callable[[Desk], T]) -> T | None:
        """Run a job that looks at the store; None where it cannot be read, which the banner says until it can be.

        Args:
            job: what looks; its answer is never None.
        """
        try:
            found = await self._screen.app.clerk.ask(job)
            await self.learn_of_undos()
        except CuratorError as error:
            self.lost(error)
            return None
        self.found_again()
        return found

    async def learn_of_undos(self) -> None:
        """Learn which changes of this run were undone or redone elsewhere, where the ledger went on since.

        Raises:
            StoreError: the book cannot be read.
        """
        session = self._screen.app.session
        names = [one.change for one in session.past]
        look = partial(undone_now, changes=names, before=session.head)
        if names and (found := await self._screen.app.clerk.ask(look)) is not None:
            head, undone = found
            session.learn(head, names, undone)
            self._screen.draw_status()

    def lost(self, error: CuratorError) -> None:
        """Say that the store cannot be read any more; what is on screen and every draft stay."""
        words = own("OFFLINE: {} {} Nothing is decided until it can be read.", message(error.message),
                    message(error.way_out), role="bad")  # fmt: skip
        self._screen.app.trouble = (words,)
        self._screen.draw_banner_again()

    def found_again(self) -> None:
        """Take back that the store cannot be read."""
        if self._screen.app.trouble is not None:
            self._screen.app.trouble = None
            self._screen.draw_banner_again()
