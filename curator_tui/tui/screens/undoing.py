"""Undoing one single change of any age although later ones exist, and redoing one that was undone.

Here: the key ``v``: what it means for a row, the questions it asks, carrying it out. Not here: ``u`` and ``U``, which
walk the newest changes (``reverting``), what a revert does (``core.reverts``). Entries that moved on since are asked
for one by one; what comes of it is shown as a diff before anything is written, and only exactly that is done.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from curator_tui.core.changes import Receipt
from curator_tui.curator.desk import Desk
from curator_tui.tui.actions import key_for
from curator_tui.tui.screens.reverting import LookedBack, Takes, done_words, look_at_one
from curator_tui.tui.shown import message, own

if TYPE_CHECKING:
    from curator_tui.tui.screens.history import HistoryScreen

_CHANGED = "an entry changed again since its texts were shown: press again to see them"


class UndoingOne:
    """Undoes or redoes the change of one row."""

    def __init__(self, screen: HistoryScreen) -> None:
        self.screen = screen

    def begin(self) -> None:
        """Show what undoing the change of this row alone would do, or redoing it where it is undone."""
        row = self.screen.row
        if row is None or not self.screen.is_free():
            return
        if not row.own:
            key = key_for("history.rollback")
            self.screen.say(
                (own("this is a state others wrote, no change of yours: {} rolls back to it", key, role="warn"),)
            )
            return
        self._look(row.change, {}, "")

    def _look(self, change: str, takes: Takes, before: str) -> None:
        look = partial(self.screen.app.clerk.ask, partial(look_at_one, change=change, takes=takes))
        self.screen.sending.begin(look, partial(self._looked, change, before), "revert")

    async def _looked(self, change: str, before: str, looked: LookedBack | None) -> None:
        if looked is None:
            self.screen.say((own("nothing to undo in this row"),))
            return
        preview = looked.told.preview
        if before and looked.before != before:
            self.screen.say((own("nothing was written: {}", message(_CHANGED), role="warn"),))
        elif preview.refused is not None:
            self.screen.say((own("nothing was written: {}", message(preview.refused.message), role="warn"),))
        elif preview.reverted.moved_on:
            self._ask_texts(change, looked)
        else:
            self._ask_one(looked)

    def _ask_texts(self, change: str, looked: LookedBack) -> None:
        from curator_tui.tui.screens.moved_on import MovedOnScreen

        def answered(takes: Takes | None) -> None:
            if takes is not None:
                self._look(change, takes, looked.before)
            else:
                self.screen.say((own("not redone" if looked.redo else "not undone"),))

        moved = looked.told.preview.reverted.moved_on
        self.screen.app.push_screen(MovedOnScreen(looked.told.words, moved), answered)

    def _ask_one(self, looked: LookedBack) -> None:
        from curator_tui.tui.screens.reverted import RevertScreen

        def answered(yes: bool | None) -> None:
            if yes:
                self._revert(looked)
            else:
                self.screen.say((own("not redone" if looked.redo else "not undone"),))

        self.screen.app.push_screen(RevertScreen(looked), answered)

    def _revert(self, looked: LookedBack) -> None:
        preview, words = looked.told.preview, looked.told.words

        def job(desk: Desk) -> Receipt:
            make = desk.redo if looked.redo else desk.undo
            return make(preview.change.id, takes=looked.takes, shown=preview.digest)

        self.screen.sending.revert(job, preview.change.id, partial(done_words, words, redo=looked.redo))
