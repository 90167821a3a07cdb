"""Bare Textual applications: what any application of this kind costs before it does anything.

Here: one with a heading and a line (``main``), one with a list of many rows drawn line by line (``main_list``).
They know nothing of memory, homes or decisions.
"""

from __future__ import annotations

import sys
from typing import ClassVar

from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Static

READY = "bare-and-ready"


class BareApp(App[None]):
    """A heading and nothing else."""

    BINDINGS: ClassVar[list[BindingType]] = [("q", "quit", "Quit")]

    def compose(self) -> ComposeResult:
        """Make the one widget."""
        yield Static(READY)


class BareList(ScrollView, can_focus=True):
    """Rows drawn when they are seen; the cursor is the only thing that changes."""

    BINDINGS: ClassVar[list[BindingType]] = [("j", "down", "Down")]

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count
        self._cursor = 0

    def on_mount(self) -> None:
        """Tell the scroll view how long the list is."""
        self.virtual_size = Size(60, self._count)

    def action_down(self) -> None:
        """Move the cursor one row down."""
        old, self._cursor = self._cursor, min(self._cursor + 1, self._count - 1)
        self.refresh(Region(0, old, 60, 1).translate(-self.scroll_offset), Region(0, self._cursor, 60, 1))
        self.scroll_to_region(Region(0, self._cursor, 60, 1), animate=False)

    def render_line(self, y: int) -> Strip:
        """Draw one row."""
        at = y + self.scroll_offset.y
        mark = ">" if at == self._cursor else " "
        return Strip([Segment(f"{mark} row {at:05d} {READY}")])


class BareListApp(App[None]):
    """A list of many rows."""

    rows = 10_000
    BINDINGS: ClassVar[list[BindingType]] = [("q", "quit", "Quit")]

    def compose(self) -> ComposeResult:
        """Make the list."""
        yield BareList(self.rows)


def main() -> None:
    """Run the application with a heading."""
    BareApp().run()


def main_list() -> None:
    """Run the application with a list, of as many rows as the command line says."""
    app = BareListApp()
    if len(sys.argv) > 1:
        app.rows = int(sys.argv[1])
    app.run()
