"""The reason of a rejection, and a note in one's own words. Here: asking. Not here: deciding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widgets import Input

from curator_tui.core.errors import CuratorError
from curator_tui.core.reason_words import REJECTING
from curator_tui.core.requests import ReasonCode
from curator_tui.tui.actions import REASONS, bindings
from curator_tui.tui.page_lines import PageLine
from curator_tui.tui.screens.acting import Dialog, TooSmall
from curator_tui.tui.screens.sheets import Sheet, menu_lines
from curator_tui.tui.session import About
from curator_tui.tui.shown import Shown, own, say
from curator_tui.tui.widgets.fields import LineField
from curator_tui.tui.widgets.one_line import OneLine, Said

MENU: tuple[tuple[ReasonCode, str], ...] = tuple(REJECTING.items())


class ReasonScreen(Sheet[tuple[ReasonCode, str]]):
    """One key per reason; the last one asks for a note.

    Args:
        title: what is asked.
        about: what is rejected.
    """

    SCREEN = REASONS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(REASONS)]

    def __init__(self, title: Shown, about: About) -> None:
        super().__init__(title)
        self._about = about

    def lines(self) -> Sequence[PageLine]:
        """Return the menu."""
        return menu_lines(MENU)

    def action_reason_take(self, number: int) -> None:
        """Take a reason."""
        if not self.readable:
            self.too_fast()
            return
        code = MENU[number - 1][0]
        if code is ReasonCode.OTHER:
            self.app.push_screen(NoteScreen(say("why, in your words (optional)"), about=self._about), self._noted)
        else:
            self.dismiss((code, ""))

    def _noted(self, note: str | None) -> None:
        if note is not None:
            self.dismiss((ReasonCode.OTHER, note))

    def action_reason_cancel(self) -> None:
        """Go back without a decision."""
        self.dismiss(None)


class NoteScreen(Dialog[str]):
    """One line of a person's own words; enter takes it, escape goes back.

    Args:
        title: what is asked.
        words: what the field begins with.
        check: raises an error of ours about words that are no answer; the field stays open on them.
        about: what the words are for: nothing else is offered them again. Empty where they are not kept.
    """

    def __init__(
        self,
        title: Shown,
        words: str = "",
        check: Callable[[str], object] | None = None,
        about: About = frozenset(),
    ) -> None:
        super().__init__()
        self._about = about
        self._check = check
        self._title = title
        self._words = words

    def compose(self) -> ComposeResult:
        """Show a field."""
        with Container(id="sheet"):
            yield OneLine(ground="bar", id="sheet-title")
            yield LineField(self._words or self.app.session.words_for(self._title, self._about), id="note")
            yield Said(ground="raised", id="said")
        yield TooSmall(id="too-small")

    def on_mount(self) -> None:
        """Say what the field is for."""
        self.query_one("#sheet-title", OneLine).show((own(" {}", self._title, role="strong"),))
        self.say((own("enter takes it, esc goes back", role="dim"),))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the words."""
        event.stop()
        words = self.query_one("#note", LineField).words
        try:
            if self._check is not None:
                self._check(words)
        except CuratorError as error:
            self.fail(error)
        else:
            self.app.session.typed[self._title] = self._about, words
            self.dismiss(words)

    def on_key(self, event: events.Key) -> None:
        """Go back."""
        if event.key == "escape":
            event.stop()
            self.dismiss(None)
