"""Sheets: small dialogs at the lower edge, so that what they ask about stays readable above them.

Here: their frame and how high they are. Not here: any question.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from textual.app import ComposeResult
from textual.containers import Container

from curator_tui.tui.pages import Page, PageLine
from curator_tui.tui.screens.base import Dialog, R, TooSmall
from curator_tui.tui.shown import Line, Shown, own
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine
from curator_tui.tui.widgets.reader import Reader, wrapped

_FRAME = 4


class Sheet(Dialog[R]):
    """A question with a few lines of text, answered by single keys."""

    AUTO_FOCUS = ""

    def __init__(self, title: Shown) -> None:
        super().__init__()
        self._title = title
        self._shown_at = float("inf")

    def compose(self) -> ComposeResult:
        """Put the text between a title and the keys."""
        with Container(id="sheet"):
            yield OneLine(ground="bar", id="sheet-title")
            yield Reader(ground="raised", id="text")
            yield OneLine(ground="raised", id="said")
            yield KeyRow(self.SCREEN, help_key=False, id="keys")
        yield TooSmall(id="too-small")

    def lines(self) -> Sequence[PageLine]:
        """Return the text."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Show the text and note when it can be read."""
        self.query_one("#sheet-title", OneLine).show((own(" {}", self._title, role="strong"),))
        self.draw()
        self.call_after_refresh(self._is_shown)

    def _is_shown(self) -> None:
        self._shown_at = monotonic()

    def draw(self) -> None:
        """Show the text as it is now, in as many rows as it needs and the window has."""
        reader = self.query_one("#text", Reader)
        page = Page("", "", tuple(self.lines()))
        rows = len(wrapped(page, max(self.app.size.width - 3, 1)))
        reader.styles.height = max(1, min(rows, self.app.size.height - _FRAME))
        reader.show(page, keep=True)

    def on_resize(self) -> None:
        """Keep the height right for the width."""
        self.draw()

    @property
    def readable(self) -> bool:
        """Whether the question stood on screen long enough before the key was pressed."""
        return self.app.pressed_at - self._shown_at >= self.app.timing.dwell

    def too_fast(self) -> None:
        """Say that a key came before the question could be read."""
        self.say((own("too fast: read the question first", role="warn"),))


def paragraph(*pieces: Line) -> PageLine:
    """Return a line of a sheet, indented by one."""
    body: Line = tuple(piece for line in pieces for piece in line)
    return PageLine(body, (own(" "),))
