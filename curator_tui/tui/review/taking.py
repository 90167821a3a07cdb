"""Taking a review elsewhere: its text, all of it as Markdown, or in a new file.

Here: the review screen's part. Not here: what the texts are made of (``copying``), writing files (the door).
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from curator_tui.tui.review.part import Part
from curator_tui.tui.shown import own, say, shown_line
from curator_tui.tui.widgets.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Callable

    from curator_tui.tui.copying import Copied


class Taking(Part):
    """Copies of what is reviewed."""

    def copied(self) -> Callable[[], Copied] | None:
        """Return what copies the texts that the item proposes; where it proposes none that can be read, its page."""
        from curator_tui.tui.copying import copy_of_item

        looked = self.model.looked
        return partial(copy_of_item, looked.found.proposal, self.model.page) if looked is not None else None

    def _markdown(self) -> Callable[[], Copied] | None:
        from curator_tui.tui.copying import markdown

        if self.model.looked is None:
            self.screen.say((own("there is no item to take along here"),))
            return None
        told = self.screen.query_one("#facts", Reader).page
        return partial(markdown, self.model.looked.id, say("{}", self.model.looked.found.state), self.model.page, told)

    def copy_review(self) -> None:
        """Copy the whole review as Markdown."""
        if (make := self._markdown()) is not None:
            self.screen.copy_out(make)

    def save_review(self) -> None:
        """Ask for a file and save the whole review into it."""
        from curator_tui.tui.screens.reasons import NoteScreen

        if self.app.read_only:
            self.screen.say((own("read only: no file is written from here either", role="warn"),))
            return
        make = self._markdown()
        if make is not None and self.model.looked is not None:
            ask = NoteScreen(say("save this review to a new file"), f"review-{self.model.looked.id}.md")
            self.app.push_screen(ask, partial(self._named, make))

    def _named(self, make: Callable[[], Copied], name: str | None) -> None:
        if name is None or not name.strip():
            self.screen.say((own("not saved"),))
            return
        self.screen.work(partial(self._write, make, os.path.abspath(os.path.expanduser(name.strip()))), "file")

    async def _write(self, make: Callable[[], Copied], path: str) -> None:
        from curator_tui.curator.ledger_files import write_new

        await self.app.clerk.ask(lambda _: [*write_new(path, make().text.rstrip("\n").split("\n"), "utf-8")])
        self.screen.say((own("saved, readable by you only: {}", shown_line(path), role="good"),))
