"""The reading pane: a window on a page, scrolled by line, page or change, reporting what it painted.

Here: scrolling and the report that the gates rest on. Not here: what a page says (``pages``), how it is broken into
rows (``layout``), what follows from having been painted (``gates``). A long page is laid out little by little, so that
no key waits for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from curator_tui.tui.gates import Part
from curator_tui.tui.layout import FILLED, Layout
from curator_tui.tui.page_lines import Page
from curator_tui.tui.shown import EMPTY
from curator_tui.tui.soon import Soon
from curator_tui.tui.widgets.painting import paint, palette_of

WHEEL = 3  # rows that one turn of the mouse wheel scrolls, in lists too
# seconds of laying out before a key's answer is painted, and in each step after it
_AT_ONCE, _STEP, _PAUSE = 0.02, 0.008, 0.012


class Reader(Widget):
    """Shows a page."""

    class About(Message):
        """Something happened to a pane."""

        def __init__(self, reader: Reader) -> None:
            super().__init__()
            self.reader = reader

        @property
        def control(self) -> Reader:
            """The pane."""
            return self.reader

    class Painted(About):
        """Rows of a page reached the screen."""

        def __init__(self, reader: Reader, page: Page, parts: tuple[Part, ...]) -> None:
            super().__init__(reader)
            self.page = page
            self.parts = parts

    class Scrolled(About):
        """Another part of the page is on screen."""

    class Rewrapped(About):
        """The width changed, so rows are other rows now."""

    class Hidden(About):
        """The pane is not on screen any more."""

    def __init__(self, *, ground: str = "ground", id: str | None = None) -> None:  # noqa: A002 - Textual's name for it
        super().__init__(id=id)
        self.page = Page("", "", ())
        self.top = 0
        self._ground = ground
        self._rows = Layout(self.page, 0)
        self._width = 0
        self.later = Soon(self)

    # -- what it shows ---------------------------------------------------------------------------------------------

    def show(self, page: Page, *, keep: bool = False) -> None:
        """Show a page from its first change, or from where the pane stands where ``keep`` says so."""
        self.page = page
        self._wrap()
        self.top = self._limited(self.top if keep else self._start())
        self.refresh()
        self.post_message(self.Scrolled(self))

    def _start(self) -> int:
        """Return the first row to show: two rows above the first change, so that what stands before it shows too."""
        number = next((at for at, line in enumerate(self.page.lines) if line.change is not None), None)
        first = self._row_of(number) if number is not None else None
        return max(0, first - 2) if first is not None and first >= max(self.size.height - 2, 1) else 0

    def _wrap(self) -> None:
        self._width = self.size.width
        self._rows = Layout(self.page, self._width - 1)
        self._lay_out(_AT_ONCE)

    def _lay_out(self, seconds: float) -> None:
        """Work on the rows for a while, and again a little later as long as some are not known."""
        self.later.give_up()
        if not self._rows.advance(seconds):
            self.later.begin(_PAUSE, self._go_on)

    def _go_on(self) -> None:
        known = len(self._rows)
        self._lay_out(_STEP)
        if self._rows.complete or known < self.top + self.size.height:
            self.refresh()
            self.post_message(self.Scrolled(self))

    def _row_of(self, line: int) -> int | None:
        """Return the first row of a line; the last known one of a line that is too far away to be known soon."""
        if line < len(self.page.lines) and self._rows.first(line) is None:
            self._rows.advance(_AT_ONCE, line)
            if self._rows.first(line) is None and len(self._rows):
                return len(self._rows) - 1
        return self._rows.first(line)

    def on_resize(self) -> None:
        """Break the page anew and stay at the same line."""
        line = self._rows.line_at(self.top) if self.top < len(self._rows) else 0
        if self.size.width != self._width:
            self._wrap()
            self.post_message(self.Rewrapped(self))
            self.top = self._row_of(line) or 0
        self.top = self._limited(self.top)
        self.refresh()
        self.post_message(self.Scrolled(self))

    def on_hide(self) -> None:
        """Report that nothing of the page is on screen."""
        self.post_message(self.Hidden(self))

    def on_show(self) -> None:
        """Paint again what was hidden."""
        self.refresh()

    # -- scrolling -------------------------------------------------------------------------------------------------

    @property
    def below(self) -> int:
        """Rows below the window."""
        return max(0, len(self._rows) - self.top - self.size.height)

    @property
    def window(self) -> range:
        """Rows of the page that are on screen."""
        return range(self.top, min(self.top + self.size.height, len(self._rows)))

    def change_in_view(self) -> int | None:
        """Return the number of the first change in the window, or the last one above it."""
        if not self.window:
            return None
        first, last = self._rows.line_at(self.top), self._rows.line_at(self.window.stop - 1)
        changes = (self.page.lines[number].change for number in range(first, last + 1))
        if (found := next((change for change in changes if change is not None), None)) is not None:
            return found
        above = (self.page.lines[number].change for number in range(first - 1, -1, -1))
        return next((change for change in above if change is not None), None)

    def _limited(self, top: int) -> int:
        return max(0, min(top, len(self._rows) - max(self.size.height, 1)))

    def scroll_rows(self, by: int) -> bool:
        """Scroll by rows; True when something moved."""
        return self._go(self.top + by)

    def scroll_pages(self, by: int) -> bool:
        """Scroll by windows, one row kept."""
        return self.scroll_rows(by * max(self.size.height - 1, 1))

    def to_end(self, way: int) -> bool:
        """Scroll to the beginning (-1) or the end (1); True when something moved."""
        return self._go(len(self._rows) if way > 0 else 0)

    def _go(self, top: int) -> bool:
        top = self._limited(top)
        if top == self.top:
            return False
        self.top = top
        self.refresh()
        self.post_message(self.Scrolled(self))
        return True

    def to_line(self, number: int) -> bool:
        """Scroll so that a line can be read, near the top; True when something moved."""
        row = self._row_of(number)
        return row is not None and self._go(row - 1)

    def to_unseen(self, unseen: Sequence[int]) -> bool:
        """Scroll to the first of the lines that were not seen whole; True when something moved."""
        if not unseen:
            return False
        if unseen[0] in self.lines_in_view():  # a line longer than the window: on to its next part
            return self.scroll_pages(1) or self.to_line(unseen[0])
        return self.to_line(unseen[0])

    def lines_in_view(self) -> frozenset[int]:
        """Return the lines of the page of which some row is on screen."""
        return frozenset(self._rows.line_at(at) for at in self.window)

    def to_change(self, step: int) -> bool:
        """Scroll to the next or the previous change that does not show from its beginning; True when one was found."""
        starts: list[int] = []  # the lines with which a change begins
        last: int | None = None
        for number, line in enumerate(self.page.lines):
            if line.change is not None and line.change != last:
                starts.append(number)
                last = line.change
        below = self.top + max(self.size.height, 1)
        for number in starts if step > 0 else reversed(starts):
            found = self._row_of(number)
            if found is not None and (found >= below if step > 0 else found < self.top):
                return self._go(found - 1)
        return False

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll by the wheel."""
        event.stop()
        self.scroll_rows(WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll by the wheel."""
        event.stop()
        self.scroll_rows(-WHEEL)

    # -- painting --------------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """Paint one row of the window."""
        index, width = self.top + y, self.size.width
        palette = palette_of(self)
        if index >= len(self._rows):
            return paint(EMPTY, width, palette, self._ground)
        line, part = self._rows.row(index)
        whole = self.page.lines[part[0]].right is None  # two columns fill their own grounds
        fill = line[0].role if whole and line and line[0].role in FILLED else "text"
        return paint(line, width, palette, self._ground, fill)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint rows and report which of them can be read now."""
        strips = super().render_lines(crop)
        bottom = min(self.top + crop.bottom, len(self._rows))
        parts = tuple(self._rows.row(at).part for at in range(self.top + crop.y, bottom))
        if parts and self.screen.is_current:
            self.post_message(self.Painted(self, self.page, parts))
        return strips
