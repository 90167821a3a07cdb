"""Tables and blocks of plain text, laid out in terminal cells so that wide characters keep columns aligned.

Here: padding, wrapping into an indented block. Not here: ages (``ages``), what is said (``words``), printing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from curator_tui.core.text import cell_width, visible


def padded(shown: str, width: int) -> str:
    """Fill a shown text up to ``width`` cells."""
    return shown + " " * max(0, width - cell_width(shown))


def table(rows: Sequence[Sequence[str]], *, indent: str = "  ", gap: str = "  ") -> Iterator[str]:
    """Lay out rows of shown cells; the last column is not padded."""
    if not rows:
        return
    widths = [max(map(cell_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [padded(cell, width) for cell, width in zip(row[:-1], widths, strict=False)]
        yield (indent + gap.join([*cells, row[-1]])).rstrip()


def block(text: str, first: str, rest: str | None = None) -> Iterator[str]:
    """Show a text of a store whole, behind a head on its first line and an indent on the others."""
    after = " " * cell_width(first) if rest is None else rest
    for number, line in enumerate(visible(text).split("\n")):
        yield (first if number == 0 else after) + line


def shown_block(lines: Iterable[str], first: str) -> Iterator[str]:
    """As :func:`block`, for lines that are shown text already."""
    after = " " * cell_width(first)
    for number, line in enumerate(lines):
        yield (first if number == 0 else after) + line
