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
    from curator_tui.tui.copying import Copied


class Taking(ReviewGround):
    """Copies of what is reviewed."""

    def copied(self) -> Copied | None:
        """Return the texts that the item proposes; where it proposes none that can be read, its page."""
        from curator_tui.tui.copying import copy_of_page, copy_of_proposal

        if self.looked is None:
            return None
        found = copy_of_proposal(self.looked.found.proposal)
        return found if found.text else copy_of_page(self.page)

    def _markdown(self) -> Copied | None:
        from curator_tui.tui.copying import markdown

        if self.looked is None:
            self.say((own("there is no item to take along here"),))
            return None
        told = self.query_one("#facts", Reader).page
        return markdown(self.looked.id, say("{}", self.looked.found.state), self.page, told)

    def action_review_copy(self) -> None:
        """Copy the whole review as Markdown."""
        copied = self._markdown()
        if copied is not None:
            self.send(copied)

    def action_review_save(self) -> None:
        """Ask for a file and save the whole review into it."""
        from curator_tui.tui.screens.reasons import NoteScreen

        if self.app.read_only:
            self.say((own("read only: no file is written from here either", role="warn"),))
            return
        copied = self._markdown()
        if copied is not None and self.looked is not None:
            ask = NoteScreen(say("save this review to a new file"), f"review-{self.looked.id}.md")
            self.app.push_screen(ask, partial(self._named, copied))

    def _named(self, copied: Copied, name: str | None) -> None:
        if name is None or not name.strip():
            self.say((own("not saved"),))
            return
        self.work(partial(self._write, copied, os.path.abspath(os.path.expanduser(name.strip()))), "file")

    async def _write(self, copied: Copied, path: str) -> None:
        from curator_tui.curator.ledger_files import write_new

        lines = copied.text.rstrip("\n").split("\n")
        try:
            await self.app.clerk.ask(lambda _: [*write_new(path, lines, "utf-8")])
        except CuratorError as error:
            self.fail(error)
            return
        self.say((own("saved, readable by you only: {}", shown_line(path), role="good"),))
