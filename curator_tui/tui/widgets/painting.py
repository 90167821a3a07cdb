"""From lines of pieces to strips of the terminal: the one place where roles become styles.

Here: painting one row in a palette. Not here: which palette (the application), what a row says.
"""

from __future__ import annotations

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from curator_tui.tui.shown import Line, fit, width_of
from curator_tui.tui.themes import DARK, Palette, style


def palette_of(widget: Widget) -> Palette:
    """Return the palette of the application a widget belongs to."""
    found = getattr(widget.app, "palette", DARK)
    return found if isinstance(found, Palette) else DARK


def paint(line: Line, width: int, palette: Palette, ground: str = "ground", fill: str = "text") -> Strip:
    """Paint a line as one row of exactly ``width`` cells, the rest of it in the role ``fill``."""
    cut = fit(line, width)
    # a row is one row: what is left of a line break after wrapping must not move the terminal's cursor
    segments = [
        Segment(piece.text.replace("\n", " "), style(palette, piece.role, ground)) for piece in cut if piece.text
    ]
    left = width - width_of(cut)
    if left > 0:
        segments.append(Segment(" " * left, style(palette, fill, ground)))
    return Strip(segments, width)
