"""A list of any length: only the rows on screen exist.

Here: cursor, scrolling, mouse. Not here: what a row says (a :class:`RowSource`), what follows from a row.
"""

from __future__ import annotations

from itertools import chain
from typing import Protocol

from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from curator_tui.tui.shown import EMPTY, Line, Shown, own
from curator_tui.tui.widgets.painting import paint, palette_of
from curator_tui.tui.widgets.reader import WHEEL


class RowSource(Protocol):
    """Rows by position."""

    def __len__(self) -> int:
        """Number of rows, headings included."""
        ...

    def line(self, index: int, width: int) -> Line:
        """Return what a row says, laid out for a width."""
        ...

    def selectable(self, index: int) -> bool:
        """Whether the cursor may stand on a row."""
        ...


class NoRows:
    """A source without rows."""

    def __len__(self) -> int:
        return 0

    def line(self, index: int, width: int) -> Line:  # noqa: ARG002 - the protocol's shape
        """Return nothing."""
        return EMPTY

    def selectable(self, index: int) -> bool:  # noqa: ARG002 - the protocol's shape
        """Return False."""
        return False


class RowList(Widget, can_focus=True):
    """Shows a window of rows with a cursor on one of them."""

    class Moved(Message):
        """The cursor stands on another row."""

        def __init__(self, rows: RowList, index: int) -> None:
            super().__init__()
            self.rows = rows
            self.index = index

        @property
        def control(self) -> RowList:
            """The list."""
            return self.rows

    class Span(Message):
        """Something about the rows of a source from one to another; the ground of the two below."""

        def __init__(self, rows: RowList, first: int, last: int) -> None:
            super().__init__()
            self.rows = rows
            self.source = rows.source
            self.first = first
            self.last = last

        @property
        def control(self) -> RowList:
            """The list."""
            return self.rows

    class Spanned(Span):
        """A row was clicked with shift or ctrl held: all rows from where the cursor stood up to it."""

    class Painted(Span):
        """Rows reached the screen; sent for those who count what was shown."""

    class Scrolled(Message):
        """Other rows stand in the window than before."""

        def __init__(self, rows: RowList, first: int, last: int) -> None:
            super().__init__()
            self.rows = rows
            self.first = first
            self.last = last

        @property
        def control(self) -> RowList:
            """The list."""
            return self.rows

    def __init__(self, *, report: bool = False, id: str | None = None) -> None:  # noqa: A002 - Textual's name for it
        super().__init__(id=id)
        self.source: RowSource = NoRows()
        self.cursor = -1
        self.top = 0
        self._from_top = False
        self._report = report

    # -- what it shows ---------------------------------------------------------------------------------------------

    def show(self, source: RowSource, cursor: int, *, from_top: bool = False) -> None:
        """Show other rows with the cursor on one of them; it keeps its row on the screen where that is possible.

        With ``from_top`` the first row is shown instead, where the cursor can be seen beside it; so it stays, at any
        size, until somebody moves.
        """
        row = self.cursor - self.top
        self._from_top |= from_top
        self.source = source
        self.cursor = self._nearest(cursor)
        if self.cursor >= 0 and 0 <= row < max(self.size.height, 1):
            self.top = self.cursor - row
        self._settle()
        self.refresh()

    def swap(self, source: RowSource) -> None:
        """Show the same rows from another source that holds more of them; nothing moves."""
        self.source = source
        self.refresh()

    def _nearest(self, index: int) -> int:
        """Return the selectable row at or after an index, else the last one before it; -1 for none."""
        count = len(self.source)
        index = max(0, min(index, count - 1))
        for at in chain(range(index, count), range(index - 1, -1, -1)):
            if self.source.selectable(at):
                return at
        return -1

    def _settle(self) -> None:
        """Bring the window to where the cursor is and to where rows are; before it has a size nothing is out of it."""
        height = self.size.height
        if height < 1:
            return
        top = 0 if self._from_top and self.cursor < height else self.top
        if self.cursor >= 0:
            above = self.cursor
            while above > 0 and self.cursor - above < height - 1 and not self.source.selectable(above - 1):
                above -= 1  # a heading right above the cursor comes along
            top = min(max(top, self.cursor - height + 1), above if self.cursor - above < height else self.cursor)
        self.top = max(0, min(int(top), len(self.source) - height))

    def touch(self, index: int) -> None:
        """Paint one row anew."""
        row = index - self.top
        if 0 <= row < self.size.height:
            self.refresh(Region(0, row, self.size.width, 1))

    # -- moving ----------------------------------------------------------------------------------------------------

    def move(self, step: int) -> None:
        """Move the cursor by selectable rows."""
        at, left = self.cursor, abs(step)
        way = 1 if step > 0 else -1
        found = at
        while left and 0 <= at + way < len(self.source):
            at += way
            if self.source.selectable(at):
                found = at
                left -= 1
        self.go(found)

    def go(self, index: int) -> None:
        """Move the cursor to a row or the one nearest to it."""
        index = self._nearest(index) if len(self.source) else -1
        if index == self.cursor or index < 0:
            return
        before, top = self.cursor, self.top
        self.cursor, self._from_top = index, False
        self._settle()
        if self.top == top:
            self.touch(before)
            self.touch(index)
        else:
            self._scrolled()
        self.post_message(self.Moved(self, index))

    def turn(self, step: int) -> None:
        """Turn by windows, one row kept; the cursor goes to the far end of the new one, so that nothing is passed."""
        height = max(self.size.height, 1)
        far = self.top + height - 1 + max(height - 1, 1) if step > 0 else self.top - max(height - 1, 1)
        self.go(max(0, min(far, len(self.source) - 1)))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll without moving the cursor."""
        event.stop()
        self._scroll(WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll without moving the cursor."""
        event.stop()
        self._scroll(-WHEEL)

    def _scroll(self, by: int) -> None:
        top = max(0, min(self.top + by, len(self.source) - max(self.size.height, 1)))
        if top != self.top:
            self.top, self._from_top = top, False
            self._scrolled()

    def _scrolled(self) -> None:
        self.refresh()
        self.post_message(self.Scrolled(self, self.top, self.top + max(self.size.height, 1) - 1))

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the row that was clicked; with shift or ctrl held the rows up to it are meant together.

        Many terminals keep a click with shift for themselves; ctrl is for these.
        """
        index = self.top + event.y
        if index < len(self.source) and self.source.selectable(index):
            if event.shift or event.ctrl:
                self.post_message(self.Spanned(self, *sorted((self.cursor, index))))
            self.go(index)

    def on_resize(self) -> None:
        """Keep the cursor on screen."""
        self._settle()
        self.refresh()

    @property
    def row_width(self) -> int:
        """Cells that a row has: those beside the scroll bar, where there is one."""
        return self.size.width - (1 if self._bar(0) else 0)

    # -- painting --------------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """Paint one row of the window."""
        index = self.top + y
        width = self.size.width
        palette = palette_of(self)
        if not 0 <= index < len(self.source):
            return paint(EMPTY, width, palette)
        current = index == self.cursor
        bar = self._bar(y)
        room = width - (1 if bar else 0)
        strip = paint(self.source.line(index, room), room, palette, "cursor" if current else "ground")
        return Strip([*strip, *paint(bar, 1, palette)], width) if bar else strip

    def _bar(self, y: int) -> Line:
        """Return the cell of the scroll bar in a row, nothing when all rows fit."""
        count, height = len(self.source), self.size.height
        if count <= height or height < 3:
            return EMPTY
        size = max(1, height * height // count)
        start = (height - size) * self.top // max(count - height, 1)
        return (own("{}", Shown("┃" if start <= y < start + size else "│"), role="dim"),)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint rows and report which ones reached the screen."""
        strips = super().render_lines(crop)
        if self._report and len(self.source) and self.screen.is_current:
            last = min(self.top + crop.bottom, len(self.source)) - 1
            self.post_message(self.Painted(self, self.top + crop.y, last))
        return strips
