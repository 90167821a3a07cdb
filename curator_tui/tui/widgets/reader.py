"""The reading pane: a page of lines, wrapped, scrolled by line, page or change, reporting what it painted.

Here: wrapping, scrolling and the report that the gates rest on. Not here: what a page says (``pages``), what follows
from having been painted (``gates``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from curator_tui.tui.gates import Part
from curator_tui.tui.pages import Page
from curator_tui.tui.shown import EMPTY, Line, Shown, fit, own, width_of, wrap
from curator_tui.tui.widgets.painting import paint, palette_of

_WHEEL = 3
_MOST_ROWS = 20_000


class _Row(NamedTuple):
    """One row of the wrapped page: its text, the line it belongs to, and which part of that line it is."""

    line: Line
    part: Part


def wrapped(page: Page, width: int) -> list[_Row]:
    """Break a page into rows."""
    rows: list[_Row] = []
    for number, line in enumerate(page.lines):
        lead = min(width_of(line.prefix), max(width // 3, 0))
        prefix = fit(line.prefix, lead)
        room = max(width - lead, 1)
        parts = [fit(line.body, room)] if line.cut else wrap(line.body, room)
        blank = (own("{}", Shown(" " * lead), role=prefix[0].role),) if lead else EMPTY
        for at, part in enumerate(parts):
            rows.append(_Row((*(blank if at else prefix), *part), (number, at, len(parts))))
        if len(rows) > _MOST_ROWS:
            break
    return rows


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

    def __init__(self, *, ground: str = "ground", id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.page = Page("", "", ())
        self.top = 0
        self._ground = ground
        self._rows: list[_Row] = []
        self._width = 0

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
        first = self.first_row(lambda number: self.page.lines[number].change is not None)
        return max(0, first - 2) if first is not None and first >= max(self.size.height - 2, 1) else 0

    def _wrap(self) -> None:
        self._width = self.size.width
        self._rows = wrapped(self.page, self._width - 1) if self._width > 1 else []

    def on_resize(self) -> None:
        """Break the page anew and stay at the same line."""
        line = self._rows[self.top].part[0] if self.top < len(self._rows) else 0
        if self.size.width != self._width:
            self._wrap()
            self.post_message(self.Rewrapped(self))
            found = self.first_row(lambda number: number == line)
            self.top = found if found is not None else 0
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
        found = None
        for at in range(min(self.window.stop, len(self._rows))):
            change = self.page.lines[self._rows[at].part[0]].change
            if change is not None:
                found = change
                if at >= self.top:
                    break
        return found

    def _limited(self, top: int) -> int:
        return max(0, min(top, len(self._rows) - max(self.size.height, 1)))

    def scroll_rows(self, by: int) -> bool:
        """Scroll by rows; True when something moved."""
        return self._go(self.top + by)

    def scroll_pages(self, by: int) -> bool:
        """Scroll by windows, one row kept."""
        return self.scroll_rows(by * max(self.size.height - 1, 1))

    def _go(self, top: int) -> bool:
        top = self._limited(top)
        if top == self.top:
            return False
        self.top = top
        self.refresh()
        self.post_message(self.Scrolled(self))
        return True

    def first_row(self, wanted: Callable[[int], bool]) -> int | None:
        """Return the first row of the first line that is wanted."""
        return next((at for at, row in enumerate(self._rows) if wanted(row.part[0])), None)

    def to_line(self, number: int) -> bool:
        """Scroll so that a line can be read, near the top; True when something moved."""
        row = self.first_row(lambda line: line == number)
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
        return frozenset(self._rows[at].part[0] for at in self.window)

    def to_change(self, step: int) -> bool:
        """Scroll to the next or the previous change that does not show from its beginning; True when one was found."""
        height = max(self.size.height, 1)
        starts: list[int] = []
        last: int | None = None
        for at, row in enumerate(self._rows):
            change = self.page.lines[row.part[0]].change
            if change is not None and change != last:
                starts.append(at)
                last = change
        if step > 0:
            found = next((at for at in starts if at >= self.top + height), None)
        else:
            found = next((at for at in reversed(starts) if at < self.top), None)
        return found is not None and self._go(found - 1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll by the wheel."""
        event.stop()
        self.scroll_rows(_WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll by the wheel."""
        event.stop()
        self.scroll_rows(-_WHEEL)

    # -- painting --------------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """Paint one row of the window."""
        index, width = self.top + y, self.size.width
        palette = palette_of(self)
        if index >= len(self._rows):
            return paint(EMPTY, width, palette, self._ground)
        line = self._rows[index].line
        fill = line[0].role if line and line[0].role in {"gone", "new"} else "text"
        return paint(line, width, palette, self._ground, fill)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint rows and report which of them can be read now."""
        strips = super().render_lines(crop)
        bottom = min(self.top + crop.bottom, len(self._rows))
        rows = self._rows[self.top + crop.y : bottom]
        if rows and self.screen.is_current:
            self.post_message(self.Painted(self, self.page, tuple(row.part for row in rows)))
        return strips
