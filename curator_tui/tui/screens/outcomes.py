"""What something would do, in full, before it is done: a page whose changes must have been seen, and the keys in it.

Here: the frame, what was seen, scrolling. Not here: what is shown and what ``y`` does (``proposing``, ``reverted``).
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container

from curator_tui.tui.actions import PROPOSE, bindings
from curator_tui.tui.gates import Frame, PaintedGate
from curator_tui.tui.page_lines import Page, PageLine
from curator_tui.tui.screens.acting import Dialog, R, TooSmall
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine
from curator_tui.tui.widgets.reader import Reader

FRAME = 7
"""Rows of the window that are not the page's."""


class OutcomeScreen(Dialog[R]):
    """An outcome as a page under its sizes."""

    SCREEN = PROPOSE
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(PROPOSE)]

    def __init__(self) -> None:
        super().__init__()
        self._gate = PaintedGate()
        self._page = Page("", "", ())

    def compose(self) -> ComposeResult:
        """Put the outcome under its gauge."""
        with Container(id="read-box"):
            yield OneLine(ground="bar", id="sheet-title")
            yield OneLine(ground="raised", id="gauge")
            yield Reader(ground="raised", id="text")
            yield OneLine(ground="raised", id="said")
            yield KeyRow(PROPOSE, help_key=False, id="keys")
        yield TooSmall(id="too-small")

    @property
    def _reader(self) -> Reader:
        return self.query_one("#text", Reader)

    def on_mount(self) -> None:
        """Show the outcome."""
        self._gate.dwell = self.app.timing.dwell
        self._draw()

    def _draw(self) -> None:
        """Draw all of it (see :meth:`_show`)."""
        raise NotImplementedError

    def _draw_lock(self) -> None:
        """Say whether ``y`` does it, and why not."""
        raise NotImplementedError

    def _show(self, name: str, digest: str, lines: Sequence[PageLine]) -> None:
        """Show a page; each of its changes has to be seen."""
        changes = 1 + max((line.change for line in lines if line.change is not None), default=-1)
        self._page = Page(name, digest, tuple(lines), changes)
        self._gate.begin(Frame(name, digest, tuple(line.key for line in lines)))
        self._reader.show(self._page)
        self._draw_lock()

    # -- what was seen ---------------------------------------------------------------------------------------------

    @on(Reader.Painted, "#text")
    def _painted(self, event: Reader.Painted) -> None:
        event.stop()
        if event.page is self._page:
            before = self._gate.unseen()
            self._gate.painted(event.parts, monotonic())
            if self._gate.unseen() != before:
                self._draw_lock()

    @on(Reader.Rewrapped, "#text")
    def _rewrapped(self, event: Reader.Rewrapped) -> None:
        event.stop()
        self._gate.rewrapped()

    def on_screen_suspend(self) -> None:
        """Another screen covers the outcome: it counts again once it was painted again."""
        self._gate.cover()

    def on_screen_resume(self) -> None:
        """Paint again what was covered."""
        self._reader.refresh()

    # -- keys ------------------------------------------------------------------------------------------------------

    def action_propose_cancel(self) -> None:
        """Go back, nothing changed."""
        self.dismiss(None)

    def action_read_down(self) -> None:
        """Scroll a line."""
        self._reader.scroll_rows(1)

    def action_read_up(self) -> None:
        """Scroll a line up."""
        self._reader.scroll_rows(-1)

    def action_page_down(self) -> None:
        """Scroll a page."""
        self._reader.scroll_pages(1)

    def action_page_up(self) -> None:
        """Scroll a page up."""
        self._reader.scroll_pages(-1)

    def action_change_next(self) -> None:
        """Go to what was not seen yet, else to the next change."""
        if not (self._reader.to_unseen(self._gate.unseen()) or self._reader.to_change(1)):
            self._reader.scroll_pages(1)

    def action_change_prev(self) -> None:
        """Go to the change before."""
        self._reader.to_change(-1)
