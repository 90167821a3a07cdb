"""Two panes: a list and the text of its row, side by side or above each other; the keys that move in them.

Here: what the review and the history screen have in common. Not here: what stands in the panes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from curator_tui.tui.screens.dividing import Dividing
from curator_tui.tui.shown import own
from curator_tui.tui.widgets.reader import Reader
from curator_tui.tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from curator_tui.tui.copying import Copied


class TwoPanes(Dividing):
    """A list, ``#rows``, and a text, ``#reader``.

    Attributes:
        busy: whether something is being written.
    """

    busy = False

    def is_free(self) -> bool:
        """Whether nothing is being written; says so where something is."""
        if self.busy:
            self.say((own("still writing the last decision", role="warn"),))
        return not self.busy

    @property
    def queue(self) -> RowList:
        """The list."""
        return self.query_one("#rows", RowList)

    @property
    def reader(self) -> Reader:
        """The reading pane."""
        return self.query_one("#reader", Reader)

    @property
    def wide(self) -> bool:
        """Whether the panes stand side by side."""
        return self.app.size.width >= 110

    def copied(self) -> Copied | None:
        """Return what the text says."""
        from curator_tui.tui.copying import copy_of_page

        return copy_of_page(self.reader.page)

    def leave_text(self) -> bool:
        """Go back to the list where the text covers it, or to both from one that is zoomed; True when it did."""
        if self.unzoom():
            return True
        if not self.has_class("-reading") or self.query_one("#left").display:
            return False
        self.remove_class("-reading")
        return True

    def action_move_down(self) -> None:
        """Go to the next row."""
        self.queue.move(1)

    def action_move_up(self) -> None:
        """Go to the row before."""
        self.queue.move(-1)

    def action_move_first(self) -> None:
        """Go to the first row."""
        self.queue.go(0)

    def action_move_last(self) -> None:
        """Go to the last row."""
        self.queue.go(max(len(self.queue.source) - 1, 0))

    def action_change_prev(self) -> None:
        """Go to the change before."""
        self.reader.to_change(-1)

    def action_line_down(self) -> None:
        """Scroll the text a line."""
        self.reader.scroll_rows(1)

    def action_line_up(self) -> None:
        """Scroll the text a line up."""
        self.reader.scroll_rows(-1)

    def action_page_down(self) -> None:
        """Scroll the text a page."""
        self.reader.scroll_pages(1)

    def action_page_up(self) -> None:
        """Scroll the text a page up."""
        self.reader.scroll_pages(-1)

    def action_pane_next(self) -> None:
        """Change between list and text where only one of them fits."""
        self.toggle_class("-reading")
