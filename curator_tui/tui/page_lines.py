"""The parts of a page: lines that can be wrapped, seen and jumped to, and how they are to be drawn.

Here: :class:`Page`, :class:`PageLine`, :class:`Look`. Not here: which lines a page has (``pages``,
``side_by_side``), their rows (``layout``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from curator_tui.curator.looking import DocumentView
from curator_tui.tui.shown import EMPTY, Line, Shown, own

AUTO: Final = -1
"""All unchanged entries where the whole page fits, else one around each change."""

CONTEXTS: tuple[int | None, ...] = (AUTO, 1, 3, None, 0)


class Look(NamedTuple):
    """How pages are drawn.

    Attributes:
        context: unchanged entries around a change; None for all, :data:`AUTO` for as many as fit.
        marks: whether changed words get signs, where colours do not tell.
        plain: whole texts without marks.
        split: before and after side by side, where the pane is wide enough for both.
        rows: rows of the pane, for :data:`AUTO`.
        key: whether the key that shows more can be pressed where the page stands.
        whole: whether unchanged entries are shown in full instead of one row each.
        sizes: whether each of several documents has its sizes before and after over it.
    """

    context: int | None = AUTO
    marks: bool = False
    plain: bool = False
    split: bool = False
    rows: int = 0
    key: bool = True
    whole: bool = False
    sizes: bool = False

    def settled(self, documents: Sequence[DocumentView]) -> Look:
        """Return the look with a context in place of :data:`AUTO`."""
        if self.context != AUTO:
            return self
        entries = [entry for view in documents for entry in view.entries]
        changed = sum(2 * (entry.diff.kind != "same") for entry in entries)
        return self._replace(context=None if len(entries) + changed <= self.rows else 1)


class PageLine(NamedTuple):
    """One line of a page before wrapping.

    Attributes:
        body: its text, wrapped to the pane.
        prefix: what stands before the first row; further rows are indented by its width.
        change: number of the change it belongs to, None for a line that changes nothing.
        cut: whether it may be cut to one row.
        under: what it is a part of, in a few words of ours: the same text in another document is another change.
        more: whether it stands for more than can be shown, so that it never counts as seen whole.
        right: for two columns the prefix and the text of the right one; the rest is the left one. A column without a
            prefix is a gap, marked as one.
    """

    body: Line
    prefix: Line = EMPTY
    change: int | None = None
    cut: bool = False
    under: str = ""
    more: bool = False
    right: tuple[Line, Line] | None = None

    @property
    def key(self) -> str | None:
        """The text by which a changed line is remembered as seen; None for a line that need not be seen."""
        if self.change is None:
            return None
        asides = ("\n", *(piece.text for part in self.right for piece in part)) if self.right is not None else ()
        return "".join((self.under, "\n", *(piece.text for piece in (*self.prefix, *self.body)), *asides))


class Page(NamedTuple):
    """Everything the pane shows of one thing; ``changes`` counts the changes in it."""

    name: str
    digest: str
    lines: tuple[PageLine, ...]
    changes: int = 0

    @property
    def last_change(self) -> int:
        """Position of the last line that changes something, -1 for none."""
        return next((at for at in reversed(range(len(self.lines))) if self.lines[at].change is not None), -1)


BLANK_LINE = PageLine(EMPTY)


def rule(words: Shown) -> PageLine:
    """Return a heading inside a page."""
    return PageLine((own("-- {} --", words, role="head"),), cut=True)
