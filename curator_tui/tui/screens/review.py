"""The review screen: the queue, the outcome of the item under the cursor, and what there is to say about it.

Here: layout and the first frame. Not here: everything that happens on it (``review_ground`` and its companions).
"""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container

from curator_tui.core.proposals import Edit
from curator_tui.curator.looking import glance
from curator_tui.tui.actions import REVIEW, bindings
from curator_tui.tui.page_lines import Look
from curator_tui.tui.screens.asking import Asking
from curator_tui.tui.screens.live import Live
from curator_tui.tui.screens.marking import Marking
from curator_tui.tui.screens.reverting import RevertingReview
from curator_tui.tui.screens.taking import Taking
from curator_tui.tui.widgets.one_line import OneLine, Rule
from curator_tui.tui.widgets.panes import Panes
from curator_tui.tui.widgets.reader import Reader
from curator_tui.tui.widgets.row_list import RowList


class ReviewScreen(Asking, RevertingReview, Marking, Live, Taking):
    """The queue and what each write would really do."""

    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[Binding]] = bindings(REVIEW)  # type: ignore[assignment]

    def body(self) -> ComposeResult:
        """Put the list beside or above the outcome."""
        with Panes(self):
            with Container(id="left"):
                yield OneLine(id="head")
                yield RowList(id="rows")
            with Container(id="right"):
                yield OneLine(id="gauge")
                yield Reader(id="reader")
                yield Rule(id="divider")
                yield Reader(id="facts")

    def on_mount(self) -> None:
        """Show the first screenful; everything else is started after it, in the clerk's thread."""
        self.look = Look(marks=self.app.palette.mono)
        self._load()
        self.call_after_refresh(self.start_living)

    def start_over(self) -> None:
        """Begin anew on another desk; what was begun on the one before is given up."""
        self.workers.cancel_node(self)
        self.close_filter()
        self.board, self.looked, self.asked, self.gone = None, None, None, None
        self.wanted = ("", Edit())
        self.sources = {}
        self._load()
        self.begin()

    def _load(self) -> None:
        self.show_board(glance(self.app.clerk.desk))
        self._show_place()

    def _show_place(self) -> None:
        """Show what is known of the row under the cursor."""
        if self.looked is not None or self.asked is not None:
            self.draw_item(keep=True)
        elif self.current_row() is not None:
            self.show_opening()
        else:
            self.show_nothing()

    def on_resize(self) -> None:
        """Draw for the new size; the first one comes right after mounting."""
        if self.board is None:
            return
        self.laid_out = True
        self.draw_head()
        self._show_place()
