"""Until when: the day on which a deferred item shall be back, by one digit or as a person writes it.

Here: asking. Not here: which days there are (``core.days``), deferring (``deferring``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from curator_tui.core.days import FORMS, day_from
from curator_tui.tui.actions import UNTIL, bindings
from curator_tui.tui.page_lines import PageLine
from curator_tui.tui.screens.sheets import Sheet, paragraph
from curator_tui.tui.shown import Line, Shown, own, say
from curator_tui.tui.widgets.key_row import KeyRow

BACK_NOW = "back"
"""The answer that brings an item back; every other one is a day, or empty for when it is reopened."""
_DAYS: tuple[tuple[str, str], ...] = (
    ("1d", "tomorrow"), ("3d", "in 3 days"), ("1w", "in a week"), ("2w", "in two weeks"), ("30d", "in 30 days"),
)  # fmt: skip


class UntilScreen(Sheet[str]):
    """One digit per day; the answer is a day as ``2026-12-24``, empty for none, or :data:`BACK_NOW`.

    Args:
        title: what is asked.
        today: the person's day.
        deferred: whether it is about something that is deferred now, which can also be brought back.
    """

    SCREEN = UNTIL
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(UNTIL)]

    def __init__(self, title: Shown, today: str, *, deferred: bool = False) -> None:
        super().__init__(title)
        self._today = today
        self._deferred = deferred

    def lines(self) -> Sequence[PageLine]:
        """Return the menu, each day with its date."""
        told = [(Shown(words), Shown(day_from(span, self._today))) for span, words in _DAYS]
        told += [(say("another day"), say("as you write it")), (say("no day"), say("until you reopen it"))]
        if self._deferred:
            told.append((say("back now"), say("it waits again")))
        return [paragraph(_way(number, *way)) for number, way in enumerate(told, 1)]

    def on_mount(self) -> None:
        """Name the digits that there are."""
        self.query_one("#keys", KeyRow).choices(len(self.lines()))

    def action_until_take(self, number: int) -> None:
        """Take a day, or ask for another one."""
        if not self.readable:
            self.too_fast()
        elif number <= len(_DAYS):
            self.dismiss(day_from(_DAYS[number - 1][0], self._today))
        elif number == len(_DAYS) + 1:
            from curator_tui.tui.screens.reasons import NoteScreen

            asked = NoteScreen(say("until which day? {}", Shown(FORMS)), check=self._day)
            self.app.push_screen(asked, self._written)
        elif number == len(_DAYS) + 2:
            self.dismiss("")
        elif self._deferred:
            self.dismiss(BACK_NOW)

    def _day(self, words: str) -> str:
        return day_from(words, self._today)

    def _written(self, words: str | None) -> None:
        if words is not None:
            self.dismiss(self._day(words))

    def action_until_cancel(self) -> None:
        """Go back, nothing deferred."""
        self.dismiss(None)


def _way(number: int, words: Shown, day: Shown) -> Line:
    return own("{}  ", number, role="key"), own("{:<14}", words), own("{}", day, role="dim")
