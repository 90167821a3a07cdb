"""Two columns: what stood before on the left, what stands afterwards on the right, line by line beside each other.

Here: pairing the lines of one changed entry. Not here: the lines themselves (``pages``), breaking them into rows and
marking the gaps (``layout``). A line of two columns is seen when both are, and under a name of its own: what was seen
in one column says nothing of two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Final

from curator_tui.tui.page_lines import PageLine

ROOM: Final = 64
"""Columns of a pane from which two texts can be read beside each other."""
_GONE = "-"
_GAP = PageLine(())


def beside(lines: Iterable[PageLine]) -> Iterator[PageLine]:
    """Put the lines of one changed entry beside each other: those that go on the left, those that come on the right."""
    left: list[PageLine] = []
    right: list[PageLine] = []
    for line in lines:
        (left if line.prefix and line.prefix[0].text.startswith(_GONE) else right).append(line)
    for one, other in zip_longest(left, right, fillvalue=_GAP):
        change = one.change if one.change is not None else other.change
        yield one._replace(change=change, right=(other.prefix, other.body), more=one.more or other.more)


def twice(line: PageLine) -> PageLine:
    """Return a line that stands in both columns."""
    return line._replace(right=(line.prefix, line.body))
