"""Layout: a page broken into rows of one width, worked out line by line as far as somebody got.

Here: which row of a page shows what, and how many there are. Not here: the window on them (``widgets.reader``), what a
page says (``pages``). A page may hold a million characters, so only the number of rows of each line is kept; the rows
themselves are made again when they are asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from math import inf
from time import perf_counter
from typing import NamedTuple

from curator_tui.tui.gates import Part
from curator_tui.tui.page_lines import Page, PageLine
from curator_tui.tui.shown import EMPTY, Line, Shown, fit, own, padded, width_of, wrap

_KEPT = 256
FILLED = frozenset({"gone", "new"})
"""Roles whose ground goes on to the end of the row."""


class Row(NamedTuple):
    """One row: its text, the line it belongs to, and which part of that line it is."""

    line: Line
    part: Part


class Layout:
    """The rows of a page, those of its first lines at first; ``len`` counts the rows known so far.

    Args:
        page: the page.
        width: columns; with none there are no rows.
    """

    def __init__(self, page: Page, width: int) -> None:
        self.page = page
        self._width = width
        self._starts: list[int] = []  # first row of each line worked out so far
        self._count = 0
        self._made: dict[int, list[Line]] = {}

    def __len__(self) -> int:
        return self._count

    @property
    def complete(self) -> bool:
        """Whether every line is worked out."""
        return self._width <= 0 or len(self._starts) == len(self.page.lines)

    def advance(self, seconds: float = inf, line: int | None = None) -> bool:
        """Work out further lines, for about some seconds or until a line is known; True when all are."""
        until = perf_counter() + seconds
        while not self.complete and (line is None or line >= len(self._starts)):
            number = len(self._starts)
            self._starts.append(self._count)
            self._count += 1 if self.page.lines[number].cut else len(self._rows_of(number))
            if perf_counter() >= until:
                break
        return self.complete

    def first(self, line: int) -> int | None:
        """Return the first row of a line; None where it is not known yet or there is no such line."""
        return self._starts[line] if 0 <= line < len(self._starts) else None

    def line_at(self, row: int) -> int:
        """Return the line that a row belongs to."""
        return bisect_right(self._starts, row) - 1

    def row(self, at: int) -> Row:
        """Return a row."""
        number = self.line_at(at)
        rows = self._rows_of(number)
        index = at - self._starts[number]
        return Row(rows[index], (number, index, len(rows) + self.page.lines[number].more))

    def _rows_of(self, number: int) -> list[Line]:
        made = self._made.get(number)
        if made is None:
            if len(self._made) >= _KEPT:
                self._made.clear()
            made = self._made[number] = self._broken(number)
        return made

    def _broken(self, number: int) -> list[Line]:
        line = self.page.lines[number]
        if line.right is not None:
            return _columns(line, self._width)
        lead = min(width_of(line.prefix), max(self._width // 3, 0))
        prefix = _lead(line.prefix, lead)
        room = max(self._width - lead, 1)
        parts = [fit(line.body, room)] if line.cut else wrap(line.body, room)
        blank = (own("{}", Shown(" " * lead), role=prefix[0].role),) if lead else EMPTY
        return [(*(blank if at else prefix), *part) for at, part in enumerate(parts)]


def _columns(line: PageLine, width: int) -> list[Line]:
    """Break a line of two columns; where one is shorter the place beside the other is marked as a gap."""
    assert line.right is not None
    left = max((width - 1) // 2, 1)
    sides = ((line.prefix, line.body, left), (*line.right, max(width - 1 - left, 1)))
    columns = [_column(prefix, body, room, cut=line.cut) for prefix, body, room in sides]
    height = max(1, *map(len, columns))
    filled = [
        (*column, *([_gap(room)] * (height - len(column)))) for column, (_, _, room) in zip(columns, sides, strict=True)
    ]
    return [(*one, own("│", role="dim"), *other) for one, other in zip(*filled, strict=True)]


def _column(prefix: Line, body: Line, room: int, *, cut: bool) -> list[Line]:
    """Return the rows of one column, none for a gap."""
    if not prefix:
        return []
    lead = min(width_of(prefix), max(room // 3, 0))
    role = prefix[0].role
    blank = own("{}", Shown(" " * lead), role=role)
    rest = max(room - lead, 1)
    rows = [fit(body, rest)] if cut else wrap(body, rest)
    return [
        padded((*((blank,) if at else fit(prefix, lead)), *row), room, role=role if role in FILLED else "text")
        for at, row in enumerate(rows)
    ]


def _gap(room: int) -> Line:
    return (own("{}", Shown("·" * room), role="off"),)


def rows_needed(page: Page, width: int) -> int:
    """Return how many rows a page takes."""
    layout = Layout(page, width)
    layout.advance()
    return len(layout)


def _lead(prefix: Line, width: int) -> Line:
    """Return what stands before a line, in at most so many cells; where it is cut, apart from the line all the same."""
    if width_of(prefix) <= width or width < 2:
        return fit(prefix, width)
    return (*fit(prefix, width - 1), own(" "))
