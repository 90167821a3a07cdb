"""Choosing one of several texts: the entry an item shall take, or an order. Here: the menu. Not here: what follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.binding import BindingType

from curator_tui.tui.actions import CHOOSE, bindings, key_for
from curator_tui.tui.facts import counted
from curator_tui.tui.page_lines import PageLine
from curator_tui.tui.screens.sheets import Sheet, paragraph
from curator_tui.tui.shown import EMPTY, Shown, data, own
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine
from curator_tui.tui.widgets.reader import Reader

REJECT = -1


class ChooseScreen(Sheet[int]):
    """A menu of texts; the answer is the position of one of them, or :data:`REJECT`.

    Args:
        title: what is asked.
        texts: what can be chosen.
        at: the text on which the menu begins.
        rejects: whether the item may be rejected instead.
        gone: whether the entry that it wanted to remove is gone.
        about: a text that is shown over the menu.
    """

    SCREEN = CHOOSE
    frame: ClassVar[int] = 5
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(CHOOSE)]

    def __init__(
        self,
        title: Shown,
        texts: Sequence[str],
        *,
        at: int = 0,
        rejects: bool = False,
        gone: bool = False,
        about: str = "",
    ) -> None:
        super().__init__(title)
        self._about = about
        self._texts = texts
        self._rejects = rejects
        self._gone = gone
        self._at = at

    def on_mount(self) -> None:
        """Leave out the key that rejects where nothing is to be rejected."""
        hidden = frozenset() if self._rejects else frozenset({"choose.reject"})
        keys = self.query_one("#keys", KeyRow)
        keys.dim(frozenset(), hidden)
        keys.choices(len(self._texts))
        if self._about:
            # above the list and not in it, so that it stays in sight while the list is scrolled
            row = OneLine(ground="raised", id="about")
            self.query_one("#sheet").mount(row, after="#sheet-title")
            row.show((own(" its text  ", role="label"), data(self._about, "new")))

    @on(Reader.Scrolled, "#text")
    def _scrolled(self, event: Reader.Scrolled) -> None:
        """Say that there is more than the window shows."""
        event.stop()
        below = self.query_one("#text", Reader).below
        self.say(
            (
                own(
                    "{} below: {} goes on, enter takes the one with the >",
                    counted(below, "row"),
                    key_for("choose.down"),
                    role="head",
                ),
            )
            if below
            else EMPTY
        )

    def lines(self) -> Sequence[PageLine]:
        """Return one line per text, numbered."""
        lines = []
        if self._gone:
            words = own(
                "The entry it wanted to remove is gone already: {} rejects the item as stale.",
                key_for("choose.reject"),
                role="warn",
            )
            lines.append(paragraph((words,)))
        if not self._texts:
            lines.append(paragraph((own("There is no entry to choose."),)))
        for at, text in enumerate(self._texts):
            sign = own("> " if at == self._at else "  ", role="mark")
            lead = (sign, own("{}  ", at + 1, role="key"))
            lines.append(PageLine((data(text, "strong" if at == self._at else "text"),), lead, cut=at != self._at))
        return lines

    def action_choose_down(self) -> None:
        """Go to the next text."""
        self._go(1)

    def action_choose_up(self) -> None:
        """Go to the text before."""
        self._go(-1)

    def _go(self, step: int) -> None:
        if self._texts:
            self._at = (self._at + step) % len(self._texts)
            self.draw()
            self.query_one("#text", Reader).to_line(self._at + len(self.lines()) - len(self._texts))

    def action_choose_take(self, number: int | None = None) -> None:
        """Take the text under the cursor, or the one with a number."""
        at = self._at if number is None else number - 1
        if 0 <= at < len(self._texts):
            self.dismiss(at)

    def action_choose_reject(self) -> None:
        """Reject the item as stale instead."""
        if self._rejects and self.readable:
            self.dismiss(REJECT)

    def action_back(self) -> None:
        """Go back, nothing chosen."""
        self.dismiss(None)
