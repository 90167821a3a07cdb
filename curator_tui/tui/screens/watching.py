"""Looking again at what others did to the store, on any screen that fills the window.

Here: when a look may begin, and what the banner says while the store cannot be read. Not here: what is looked at and
what is painted of it, which every screen knows for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from curator_tui.core.errors import CuratorError
from curator_tui.tui.screens.acting import Acting
from curator_tui.tui.shown import message, own

if TYPE_CHECKING:
    from curator_tui.curator.desk import Desk

T = TypeVar("T")
_GROUP = "poll"


class Watching(Acting[None]):
    """A screen that shows what others do.

    Attributes:
        busy: whether something is being written.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.busy = False

    def draw_banner_again(self) -> None:
        """Show the banner for what was known of the store last."""
        raise NotImplementedError

    def keep_watch(self, tick: Callable[[], None], polls: int = 1) -> None:
        """Call what looks again every so many polls, for as long as the screen stands; where time rests, never."""
        if self.app.timing.poll > 0:
            self.set_interval(self.app.timing.poll * polls, tick)

    def look_again(self, look: Callable[[], Coroutine[None, None, None]]) -> None:
        """Look at what others did: below no other screen, beside no write, never twice at once however slow it is."""
        if self.is_current and not self.busy and not self.is_looking:
            self.work(look, _GROUP, alone=False)

    @property
    def is_looking(self) -> bool:
        """Whether a look of this screen at what others did is under way."""
        return any(one.group == _GROUP and one.node is self and not one.is_finished for one in self.app.workers)

    async def ask_again(self, job: Callable[[Desk], T]) -> T | None:
        """Run a job that looks at the store; None where it cannot be read, which the banner says until it can be.

        Args:
            job: what looks; its answer is never None.
        """
        try:
            found = await self.app.clerk.ask(job)
        except CuratorError as error:
            self.lost(error)
            return None
        self.found_again()
        return found

    def lost(self, error: CuratorError) -> None:
        """Say that the store cannot be read any more; what is on screen and every draft stay."""
        words = own("OFFLINE: {} {} Nothing is decided until it can be read.", message(error.message),
                    message(error.way_out), role="bad")  # fmt: skip
        self.app.trouble = (words,)
        self.draw_banner_again()

    def found_again(self) -> None:
        """Take back that the store cannot be read."""
        if self.app.trouble is not None:
            self.app.trouble = None
            self.draw_banner_again()
