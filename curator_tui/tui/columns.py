"""Texts side by side in columns of equal width, each wrapped in its own. Here: laying them out, whole."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from curator_tui.tui.page_lines import PageLine
from curator_tui.tui.shown import EMPTY, Line, Piece, Shown, own, padded, wrap

_BETWEEN = 3


def abreast(heads: Sequence[Line], texts: Sequence[Line], width: int) -> list[PageLine]:
    """Return texts side by side under their headings.

    Args:
        heads: one for each text.
        texts: what stands in the columns; a line break begins another row.
        width: cells there are for all of them.
    """
    cells = max((width - _BETWEEN * (len(texts) - 1)) // max(len(texts), 1), 8)
    columns = [[head, *_rows(text, cells)] for head, text in zip(heads, texts, strict=True)]
    lines: list[PageLine] = []
    for row in zip_longest(*columns, fillvalue=EMPTY):
        line: list[Piece] = []
        for at, part in enumerate(row):
            line += [own(" │ ", role="dim")] if at else []
            line += padded(part, cells)
        lines.append(PageLine(tuple(line), (own(" "),)))
    return lines


def _rows(text: Line, cells: int) -> list[Line]:
    rows: list[Line] = []
    for line in _lines(text):
        rows += wrap(line, cells) or [EMPTY]
    return rows


def _lines(text: Line) -> list[Line]:
    """Split a line at its line breaks."""
    lines: list[list[Piece]] = [[]]
    for piece in text:
        for at, part in enumerate(piece.text.split("\n")):
            if at:
                lines.append([])
            if part:
                lines[-1].append(Piece(Shown(part), piece.role))
    return [tuple(line) for line in lines]
