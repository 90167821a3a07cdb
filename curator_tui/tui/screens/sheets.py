"""Sheets: small dialogs at the lower edge, so that what they ask about stays readable above them.

Here: their frame, how high they are, and that a question is answered only after all of it could be read. Not here: any
question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from time import monotonic
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.containers import Container

from curator_tui.core.reason_words import reason_word
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import counted
from curator_tui.tui.gates import Frame, PaintedGate
from curator_tui.tui.layout import rows_needed
from curator_tui.tui.page_lines import Page, PageLine
from curator_tui.tui.screens.acting import Dialog, R, TooSmall
from curator_tui.tui.shown import EMPTY, Line, Shown, own, width_of, words_of
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine
from curator_tui.tui.widgets.reader import Reader


class Sheet(Dialog[R]):
    """A question with a few lines of text, answered by single keys."""

    AUTO_FOCUS = ""
    frame: ClassVar[int] = 4
    """Rows of the window that the text leaves to others: title, status and keys, the line above the sheet."""

    def __init__(self, title: Shown) -> None:
        super().__init__()
        self._title = title
        self._shown_at = float("inf")
        self._gate = PaintedGate()

    def compose(self) -> ComposeResult:
        """Put the text between a title and the keys."""
        with Container(id="sheet"):
            yield OneLine(ground="bar", id="sheet-title")
            yield Reader(ground="raised", id="text")
            yield OneLine(ground="raised", id="said")
            yield KeyRow(self.SCREEN, help_key=False, id="keys")
        yield TooSmall(id="too-small")

    def dismiss(self, result: R | None = None) -> AwaitComplete:
        """Close the question; what was typed for an answer that is no answer is for no other one."""
        if result is None or result is False:
            self.app.session.typed.clear()
        return super().dismiss(result)

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
        frame = Frame("", "", tuple(words_of(line.body) for line in page.lines))
        if frame != self._gate.frame:
            self._gate.begin(frame)
        rows = rows_needed(page, max(self.app.size.width - 3, 1))
        reader.styles.height = max(1, min(rows, self.app.size.height - self.frame))
        reader.show(page, keep=True)

    def on_resize(self) -> None:
        """Keep the height right for the width."""
        self.draw()

    @property
    def readable(self) -> bool:
        """Whether the question stood on screen long enough before the key was pressed."""
        return self.app.pressed_at - self._shown_at >= self.app.timing.dwell

    def was_read(self) -> bool:
        """Whether all of the text was on screen for long enough; if not, say so and go on to what was not."""
        if not self.readable:
            self.too_fast()
        elif self._gate.unseen():
            self.query_one("#text", Reader).to_unseen(self._gate.unseen())
            self.say((own("there is more to read before you answer; here it is", role="warn"),))
        else:
            return True
        return False

    @on(Reader.Painted, "#text")
    def _painted(self, event: Reader.Painted) -> None:
        event.stop()
        if event.page is event.reader.page:
            before = self.unread
            self._gate.painted(event.parts, monotonic())
            if self.unread != before:
                self.read_more()

    @property
    def unread(self) -> int:
        """Number of lines that were not on screen yet."""
        return len(self._gate.unseen())

    def read_more(self) -> None:
        """Some more of the text was on screen; for sheets that say what is still to be read."""

    @on(Reader.Rewrapped, "#text")
    def _rewrapped(self, event: Reader.Rewrapped) -> None:
        event.stop()
        self._gate.rewrapped()

    @on(Reader.Scrolled, "#text")
    def _tell_below(self, event: Reader.Scrolled) -> None:
        """Mark a text that goes on below the edge."""
        event.stop()
        below = event.reader.below
        words = own("v {} ({}) ", counted(below, "more row"), key_for("page.down"), role="head")
        title = own(" {}", self._title, role="strong")
        if width_of((title, words)) >= self.app.size.width - 2:
            words = own(
                "v {} ({}) ", below, key_for("page.down"), role="head"
            )  # its words give way to those of the question
        self.query_one("#sheet-title", OneLine).show((title,), (words,) if below else EMPTY, keep_right=True)

    def action_page_down(self) -> None:
        """Scroll the text a page."""
        self.query_one("#text", Reader).scroll_pages(1)

    def action_page_up(self) -> None:
        """Scroll the text a page up."""
        self.query_one("#text", Reader).scroll_pages(-1)

    def too_fast(self) -> None:
        """Say that a key came before the question could be read."""
        self.say((own("too fast: read the question first", role="warn"),))


def menu_lines(choices: Iterable[tuple[str, str]], chosen: int | None = None) -> list[PageLine]:
    """Return one line per choice: the key that takes it, its word, and what it is for; a sign at the one chosen."""
    rows = [(reason_word(code), words) for code, words in choices]
    width = max(len(code) for code, _ in rows)
    return [
        paragraph(
            (
                own("{}  ", number, role="key"),
                own("{}  ", Shown(f"{code:<{width}}")),
                own("{}", Shown(words), role="dim"),
            ),
            chosen=number == chosen,
        )
        for number, (code, words) in enumerate(rows, 1)
    ]


def paragraph(*pieces: Line, chosen: bool = False) -> PageLine:
    """Return a line of a sheet, indented by one; in that column stands the sign of what is chosen."""
    body: Line = tuple(piece for line in pieces for piece in line)
    return PageLine(body, (own(">", role="mark") if chosen else own(" "),))
