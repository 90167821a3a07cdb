"""The size of a document over time, drawn with blocks and the line of its limit. Here: one small chart per document.

Not here: the sizes (``curator.sizes``), which stand in the columns of the list as numbers for whom a picture tells
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curator_tui.core.documents import TARGETS, Target
from curator_tui.core.preflight import Snapshot
from curator_tui.curator.sizes import Sizes, columns
from curator_tui.tui.facts import age, file_name
from curator_tui.tui.page_lines import PageLine
from curator_tui.tui.shown import Line, Piece, Shown, own, say

_BLOCKS = " ▁▂▃▄▅▆▇█"
_STEPS = len(_BLOCKS) - 1
_AXIS = 7  # cells of the numbers at the left
_FRAME = 2  # rows of a chart besides the drawing: its title and the line of time
MOST_ROWS = 6
"""Rows of a drawing that tell all there is to tell."""


def chart_rows(height: int) -> int:
    """Return the rows each drawing gets in a pane; 0 where there is no room for all documents."""
    rows = height // len(TARGETS) - _FRAME
    return min(rows, MOST_ROWS) if rows >= 2 else 0


def chart_lines(sizes: Sizes, snapshot: Snapshot, now: float, width: int, rows: int) -> Iterator[PageLine]:
    """Draw both documents over time.

    Args:
        sizes: the sizes.
        snapshot: the documents as they stand, with their limits.
        now: where time ends, UTC seconds.
        width: cells there are.
        rows: rows of each drawing.
    """
    began = sizes.began
    if began is None:
        yield PageLine((own(" no size was recorded yet: the first change records one", role="dim"),))
        return
    cells = max(width - _AXIS - 1, 8)
    for target in TARGETS:
        points = sizes.points.get(target, ())
        most = max((point.size for point in points), default=0)  # one that left again soon stands in no column
        yield from _chart(target, columns(points, began, now, cells), most, snapshot, rows)
        ends = say("{} ago", age(now - began)), say("now")
        gap = max(cells - len(ends[0]) - len(ends[1]), 1)
        yield PageLine((own("{}{}{}{}", Shown(" " * _AXIS), ends[0], Shown(" " * gap), ends[1], role="dim"),))


def _chart(target: Target, found: Sequence[int | None], most: int, snapshot: Snapshot, rows: int) -> Iterator[PageLine]:
    document, limit = snapshot.document(target), snapshot.limits.get(target)
    size = say("{}", document.size) if document.usable else say("{}", document.presence)
    most = max(most, document.size if document.usable else 0)
    yield PageLine(
        (
            own(" {} ", file_name(target), role="head"),
            own("{} now, most {}", size, most),
            own(", limit {}", limit, role="dim") if limit else own(", limit not known", role="dim"),
        )
    )
    top = max(most, limit or 0, 1)
    line = _row_of(limit, top, rows) if limit else -1
    for row in reversed(range(rows)):
        at_limit = row == line
        number = say("{:>6} ", limit or 0) if at_limit else Shown(" " * _AXIS)
        yield PageLine((own("{}", number, role="warn" if at_limit else "dim"), *_cells(found, row, rows, top, limit)))


def _row_of(size: int, top: int, rows: int) -> int:
    """Return the row of a drawing, counted from below, in which a size ends."""
    return min((size * rows - 1) // top, rows - 1) if size > 0 else 0


def _cells(found: Sequence[int | None], row: int, rows: int, top: int, limit: int | None) -> Line:
    """Return one row of a drawing: filled where the document reached so far, else the limit where it is there."""
    at_limit = limit is not None and _row_of(limit, top, rows) == row
    pieces: list[Piece] = []
    for size in found:
        height = 0 if size is None else max(size * rows * _STEPS // top, 1 if size else 0) - row * _STEPS
        filled = _BLOCKS[max(0, min(height, _STEPS))]
        over = size is not None and limit is not None and size > limit
        if filled != " ":
            pieces.append(own("{}", Shown(filled), role="bad" if over else "mark"))
        else:
            pieces.append(own("┄" if at_limit else " ", role="warn"))
    return tuple(pieces)
