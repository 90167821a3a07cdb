"""Rows of one line: title, banner, headings, and the status, which may take more. Here: painting. Not here: words."""

from __future__ import annotations

from textual.strip import Strip
from textual.widget import Widget

from curator_tui.tui.shown import EMPTY, Line, Shown, fit, own, spread, width_of, wrap
from curator_tui.tui.widgets.painting import paint, palette_of

_MOST_SAID = 3  # rows of a message
_WINDOW_A_ROW = 8  # rows of the window for each of them


class OneLine(Widget):
    """A row with a left and a right part; the right part gives way first, unless it is the one to keep."""

    def __init__(self, *, ground: str = "ground", id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes=classes)
        self._ground = ground
        self._left: Line = EMPTY
        self._right: Line = EMPTY
        self._keep_right = False

    def show(self, left: Line, right: Line = EMPTY, *, keep_right: bool = False) -> None:
        """Show a line; painting happens only when it differs."""
        if (left, right) != (self._left, self._right):
            self._left, self._right, self._keep_right = left, right, keep_right
            self.refresh()

    @property
    def line(self) -> Line:
        """What it says now, for tests."""
        return (*self._left, *self._right)

    def render_line(self, y: int) -> Strip:
        """Paint the row."""
        width = self.size.width
        line = spread(self._left, self._right, width, keep_right=self._keep_right) if y == 0 else EMPTY
        return paint(line, width, palette_of(self), self._ground)


class Said(OneLine):
    """A row for what is said; what is too long for one row gets as many as the window can spare."""

    def show(self, left: Line, right: Line = EMPTY, *, keep_right: bool = False) -> None:
        """Say a line."""
        super().show(left, right, keep_right=keep_right)
        self._make_room()

    def on_resize(self) -> None:
        """Take the rows it needs at the new width."""
        self._make_room()

    def _rows(self) -> list[Line]:
        """Return the line as rows; the last one is cut where the window has no room for all."""
        width = self.size.width
        if width <= 1 or width_of(self.line) <= width:
            return [self.line]
        most = max(1, min(_MOST_SAID, self.app.size.height // _WINDOW_A_ROW))
        first, *others = wrap(self.line, width - 1)
        rows: list[Line] = [first, *((own(" "), *row) for row in others)]
        if len(rows) <= most:
            return rows
        rest = (*rows[most - 1], *(piece for row in rows[most:] for piece in (own(" "), *row)))
        return [*rows[: most - 1], fit(rest, width)]

    def _make_room(self) -> None:
        rows = len(self._rows())
        height = self.styles.height
        if height is None or height.value != rows:
            self.styles.height = rows  # only then: it means a new layout

    def render_line(self, y: int) -> Strip:
        """Paint one of the rows."""
        rows = self._rows()
        return paint(rows[y] if y < len(rows) else EMPTY, self.size.width, palette_of(self), self._ground)


class Rule(OneLine):
    """A row that divides two panes: words at both ends, a line of dashes between them.

    Where both do not fit the right words go; where they are to be kept, the left ones go piece by piece, the first
    ones first, and the right ones are cut last.
    """

    def render_line(self, y: int) -> Strip:  # noqa: ARG002 - the widget is one row high
        """Paint the words and fill the rest with dashes."""
        width = self.size.width
        right = (own(" "), *self._right, own(" --", role="dim")) if self._right else EMPTY
        if self._keep_right:
            right = fit(right, width)
        left = self._left_words(width - width_of(right))
        room = width - width_of(left) - width_of(right)
        if room < 0:
            right, room = EMPTY, width - width_of(left)
        line = (*left, own("{}", Shown("-" * max(room, 0)), role="dim"), *right)
        return paint(line, width, palette_of(self), self._ground)

    def _left_words(self, room: int) -> Line:
        """Return the left words, without those that have no room beside right ones that are to be kept."""
        said = self._left
        while said:
            line = (own("-- ", role="dim"), *said, own(" "))
            if not self._keep_right:
                return fit(line, self.size.width)
            if width_of(line) <= room and said[0].text.strip():
                return line
            said = said[1:]
        return EMPTY
