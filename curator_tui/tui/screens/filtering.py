"""The filter of a list: opening its field below the list, leaving it, taking it away, and the way back.

Here: the field. Not here: what the words mean, which every screen says for itself.
"""

from __future__ import annotations

from typing import ClassVar

from textual import on

from curator_tui.tui.screens.base import DeskScreen
from curator_tui.tui.widgets.finding import Find


class Filtering(DeskScreen):
    """The key ``/``, and what comes of it."""

    hint: ClassVar[str] = "words   !without   enter: list   esc: clears it"
    """What the empty field says."""

    _kept = ""

    def on_mount(self) -> None:
        """Take up what the list was filtered by before; who comes for one row sees all of them."""
        self._kept = "" if self.at else self.app.session.filters.get(self.SCREEN, "")

    def restore_words(self) -> None:
        """Filter as before this place was left, once there is something to filter."""
        kept, self._kept = self._kept, ""
        if kept and not self.words:
            self.set_words(kept)

    def _filter_by(self, words: str) -> None:
        self.app.session.filters[self.SCREEN] = words
        self.set_words(words)

    @property
    def words(self) -> str:
        """What the list is filtered by."""
        raise NotImplementedError

    def set_words(self, words: str) -> None:
        """Show only rows that these words mean."""
        raise NotImplementedError

    async def action_find(self) -> None:
        """Open the filter; when this is done the field has the focus, and the next key is for it."""
        from curator_tui.tui.widgets.filter_input import FilterInput

        found = self.query(FilterInput)
        field = found.first() if found else FilterInput(self.words, self.hint)
        if not found:
            await self.mount(field, before="#status")
        self.set_focus(field)

    def close_filter(self) -> None:
        """Take the field of the filter away."""
        from curator_tui.tui.widgets.filter_input import FilterInput

        self.query(FilterInput).remove()
        self.queue.focus()

    @on(Find.Changed)
    def _words_changed(self, event: Find.Changed) -> None:
        event.stop()
        self._filter_by(event.words)

    @on(Find.Left)
    def _filter_left(self, event: Find.Left) -> None:
        event.stop()
        if event.clear or not self.words:
            self.action_clear_words()
        self.queue.focus()

    def action_back(self) -> None:
        """Go back: from the text to the list, from the filter to all rows, then to the queue."""
        if self.leave_text():
            return
        if self.words:
            self.action_clear_words()
        else:
            self.action_go_review()

    def action_clear_words(self) -> None:
        """Take the filter away, and its field with it."""
        self._filter_by("")
        self.close_filter()
