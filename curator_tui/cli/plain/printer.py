"""Printing sentences: wrapped at words where a person reads a terminal, one line each where a program reads.

Here: wrapping. Not here: the last filter before a terminal and the stream itself (``cli.output``), what is said.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator

from curator_tui.cli.output import Output
from curator_tui.core.text import cell_width, graphemes

_NARROWEST = 20
_GOES_ON = "    "


class Printer:
    """Prints lines that are shown text already.

    Args:
        output: where to.
        width: cells per line; 0 for never wrapping, None for the width of the terminal, or never wrapping without one.
    """

    def __init__(self, output: Output, width: int | None = None) -> None:
        self._output = output
        self._width = width

    def lines(self, lines: Iterable[str]) -> None:
        """Print lines; a long one goes on behind four spaces, so that it is not taken for the next."""
        width = self._cells()
        self._output.lines(part for line in lines for part in (wrapped(line, width) if width else (line,)))

    def question(self, words: str, *, typed: bool) -> None:
        """Print a question, wrapped as lines are; on a terminal the answer is typed behind it."""
        if not typed:
            self._output.lines((words,))
            return
        width = self._cells()
        *before, last = wrapped(words, width) if width else (words,)
        self._output.lines(before)
        self._output.inline(f"{last} ")

    def give_up(self) -> None:
        """Print nothing any more: nobody reads it."""
        self._output.give_up()

    def _cells(self) -> int:
        if self._width is not None:
            return max(self._width, _NARROWEST) if self._width else 0
        try:
            # asked anew each time: a window changes its size while one reads
            columns = os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else 0
        except (OSError, ValueError, AttributeError):
            columns = 0
        return max(columns, _NARROWEST) if columns else 0


def wrapped(line: str, width: int) -> Iterator[str]:
    """Break a shown line into rows of at most ``width`` cells, at spaces where there are any; nothing is left out."""
    row, used = "", 0
    for word in _words(line):
        cells = cell_width(word)
        if used and used + cells > width and (word != " " or used >= width):
            yield row.rstrip(" ") if word == " " else row
            row, used = _GOES_ON, len(_GOES_ON)
            if word == " ":
                continue
        for part in _chopped(word, width - used, width - len(_GOES_ON)) if used + cells > width else (word,):
            if used + cell_width(part) > width:
                yield row
                row, used = _GOES_ON, len(_GOES_ON)
            row += part
            used += cell_width(part)
    yield row


def _words(line: str) -> Iterator[str]:
    for number, part in enumerate(line.split(" ")):
        if number:
            yield " "
        if part:
            yield part


def _chopped(word: str, room: int, width: int) -> Iterator[str]:
    """Cut a word that is wider than a row between characters."""
    part, used = "", 0
    for cluster in graphemes(word):
        cells = cell_width(cluster)
        if part and used + cells > room:
            yield part
            part, used, room = "", 0, width
        part += cluster
        used += cells
    yield part
