"""Taking a review elsewhere: its text, all of it as Markdown, or in a new file.

Here: the review screen's part. Not here: what the texts are made of (``copying``), writing files (the door).
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from curator_tui.core.errors import CuratorError
from curator_tui.tui.screens.review_ground import ReviewGround
from curator_tui.tui.shown import own, say, shown_line
from curator_tui.tui.widgets.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Callable

    from curator_tui.tui.copying import Copied


class Taking(ReviewGround):
    """Copies of what is reviewed."""

    def copied(self) -> Callable[[], Copied] | None:
        """Return what copies the texts that the item proposes; where it proposes none that can be read, its page."""
        from curator_tui.tui.copying import copy_of_item

        return partial(copy_of_item, self.looked.found.proposal, self.page) if self.looked is not None else None

    def _markdown(self) -> Callable[[], Copied] | None:
        from curator_tui.tui.copying import markdown

        if self.looked is None:
            self.say((own("there is no item to take along here"),))
            return None
        told = self.query_one("#facts", Reader).page
        return partial(markdown, self.looked.id, say("{}", self.looked.found.state), self.page, told)

    def action_review_copy(self) -> None:
        """Copy the whole review as Markdown."""
        if (make := self._markdown()) is not None:
            self.copy_out(make)

    def action_review_save(self) -> None:
        """Ask for a file and save the whole review into it."""
        from curator_tui.tui.screens.reasons import NoteScreen

        if self.app.read_only:
            self.say((own("read only: no file is written from here either", role="warn"),))
            return
        make = self._markdown()
        if make is not None and self.looked is not None:
            ask = NoteScreen(say("save this review to a new file"), f"review-{self.looked.id}.md")
            self.app.push_screen(ask, partial(self._named, make))

    def _named(self, make: Callable[[], Copied], name: str | None) -> None:
        if name is None or not name.strip():
            self.say((own("not saved"),))
            return
        self.work(partial(self._write, make, os.path.abspath(os.path.expanduser(name.strip()))), "file")

    async def _write(self, make: Callable[[], Copied], path: str) -> None:
        from curator_tui.curator.ledger_files import write_new

        try:
            await self.app.clerk.ask(lambda _: [*write_new(path, make().text.rstrip("\n").split("\n"), "utf-8")])
        except CuratorError as error:
            self.fail(error)
            return
        self.say((own("saved, readable by you only: {}", shown_line(path), role="good"),))
