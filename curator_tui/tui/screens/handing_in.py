"""Letting go of what was written in the editor: handing it in, or leaving it.

Here: that nothing a person wrote is thrown away by what others do meanwhile. Not here: the gate in front of saving
(``editing``), carrying out what was handed in (``review.deciding``, ``correcting``, ``review.asking``).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from curator_tui.core.errors import CuratorError, UnknownItem
from curator_tui.core.proposals import Edit
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Looked
from curator_tui.tui.page_lines import Page, PageLine
from curator_tui.tui.screens.second import Answer, AskScreen
from curator_tui.tui.shown import EMPTY, message, own, say
from curator_tui.tui.widgets.one_line import OneLine
from curator_tui.tui.widgets.reader import Reader

if TYPE_CHECKING:
    from curator_tui.tui.screens.editing import EditScreen


class HandingIn:
    """The two ways out of the editor.

    Args:
        screen: the editor.
    """

    def __init__(self, screen: EditScreen) -> None:
        self._screen = screen

    def hand_in(self, looked: Looked, answer: Answer, edit: Edit) -> None:
        """Close the editor with a version, if it would still do what was shown.

        Args:
            looked: the version as it was shown.
            answer: why it may pass, where that was asked.
            edit: what is changed by it.
        """
        self._screen.work(partial(self._hand_in, looked, answer, edit), "send", alone=False)

    async def _hand_in(self, looked: Looked, answer: Answer, edit: Edit) -> None:
        screen = self._screen

        def job(desk: Desk) -> Looked:
            desk.refresh()
            return screen.look_again(desk, edit)

        try:
            now = await screen.app.clerk.ask(job)
        except CuratorError as error:
            self.cannot(error)
            return
        if now.digest == looked.digest:
            screen.close_with(looked, answer)
        else:
            screen.outdate(now=True)

    def cannot(self, error: CuratorError) -> None:
        """Say why it is not known what the version would do; what was written stays."""
        screen = self._screen
        screen.checked = None
        # what was worked out before holds no more: nothing of it stays on screen
        told = own("{}", message(error.message), role="bad")
        screen.query_one("#outcome", Reader).show(Page("", "", (PageLine((told,), (own(" "),)),)))
        screen.query_one("#gauge", OneLine).show(EMPTY)
        screen.is_gone = isinstance(error, UnknownItem)
        if screen.is_gone:
            screen.is_outdated = True
            screen.say(EMPTY)
        else:
            screen.fail(error)

    def leave(self) -> None:
        """Close the editor; what was written is kept, unless it is what was there to begin with."""
        screen, name = self._screen, self._screen.base.id
        drafts = screen.app.session.drafts
        for key in [key for key in drafts if key[0] == name]:
            if drafts[key] == screen.start_of(key[1]):
                del drafts[key]
        if not screen.is_gone or not any(key[0] == name for key in drafts):
            screen.dismiss(None)
            return

        def answered(yes: bool | None) -> None:
            if yes:
                screen.app.session.drop_drafts(name)
                screen.dismiss(None)

        words = own("What you edit is gone, so no screen would show your text again.", role="warn")
        screen.app.push_screen(
            AskScreen(say("leave without your text?"), [(words,)], say("leave"), decides=False), answered
        )
