"""Until when: the day on which a deferred item shall be back, chosen by a digit or as a person writes it.

Here: asking. Not here: which days there are (``core.days``), deferring (``deferring``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from curator_tui.core.days import FORMS, day_from
from curator_tui.core.errors import UsageError
from curator_tui.tui.actions import UNTIL, bindings, key_for
from curator_tui.tui.page_lines import PageLine
from curator_tui.tui.screens.acting import read_only_words
from curator_tui.tui.screens.sheets import Sheet, paragraph
from curator_tui.tui.session import About
from curator_tui.tui.shown import Line, Shown, own, say
from curator_tui.tui.widgets.key_row import KeyRow

BACK_NOW = "back"
"""The answer that brings an item back; every other one is a day, or empty for when it is reopened."""
_DAYS: tuple[tuple[str, str], ...] = (
    ("1d", "tomorrow"), ("3d", "in 3 days"), ("1w", "in a week"), ("2w", "in two weeks"), ("30d", "in 30 days"),
)  # fmt: skip


class UntilScreen(Sheet[str]):
    """A digit chooses, a second key answers: a day as ``2026-12-24``, empty for none, or :data:`BACK_NOW`.

    What begins like a span (``2w``) chooses by its digit only, and nothing is taken before the second key.

    Args:
        title: what is asked.
        today: the person's day; empty where the clock shows none.
        about: what is deferred.
        deferred: whether it is about something that is deferred now, which can also be brought back.
    """

    SCREEN = UNTIL
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(UNTIL)]

    def __init__(self, title: Shown, today: str, about: About = frozenset(), *, deferred: bool = False) -> None:
        super().__init__(title)
        self._about = about
        self._today = today
        self._deferred = deferred
        self._chosen: int | None = None
        self._written = ""

    def _choices(self) -> list[tuple[Shown, Shown, str | None]]:
        """Return what can be chosen: its words, what they come to, and the answer; None for one that is none yet."""
        found = [(Shown(words), *self._counted(span)) for span, words in _DAYS]
        found.append((say("another day"), Shown(self._written) or say("as you write it: 2w"), self._written or None))
        found.append((say("no day"), say("until you reopen it"), ""))
        if self._deferred:
            found.append((say("back now"), say("it waits again"), BACK_NOW))
        return found

    def _counted(self, span: str) -> tuple[Shown, str | None]:
        try:
            day = self._day(span)
        except UsageError:
            return say("no day of the calendar"), None
        return Shown(day), day

    def lines(self) -> Sequence[PageLine]:
        """Return the menu, each day with its date."""
        ways = enumerate(self._choices(), 1)
        return [paragraph(_way(number, *way[:2]), chosen=number == self._chosen) for number, way in ways]

    def on_mount(self) -> None:
        """Name the digits that there are, and begin without a day."""
        self.query_one("#keys", KeyRow).choices(len(self._choices()))
        self._tell()

    def _answer(self) -> str | None:
        return self._choices()[self._chosen - 1][2] if self._chosen is not None else None

    def _tell(self) -> None:
        """Say what is chosen, and what the keys do now; at once where no answer will be taken."""
        self.query_one("#keys", KeyRow).dim(frozenset({"until.yes"} if self._answer() is None else ()))
        if self.app.read_only:
            self.say(read_only_words(web=self.app.is_web))
        elif self._chosen is None or self._answer() is None:
            self.say((own("nothing is deferred yet: a digit chooses, then {} takes it", key_for("until.yes"),
                          role="dim"),))  # fmt: skip
        else:
            words, day, _ = self._choices()[self._chosen - 1]
            self.say((own("{}, {}: {} takes it", words, day, key_for("until.yes"), role="warn"),))

    def action_until_take(self, number: int) -> None:
        """Choose a day, or ask for another one."""
        if number > len(self._choices()):
            return
        self._choose(number)
        if number == len(_DAYS) + 1:
            from curator_tui.tui.screens.reasons import NoteScreen

            asked = NoteScreen(say("until which day? {}", Shown(FORMS)), check=self._day, about=self._about)
            self.app.push_screen(asked, self._wrote)

    def _choose(self, number: int | None) -> None:
        self._chosen = number
        self.draw()
        self._tell()

    def _day(self, words: str) -> str:
        return day_from(words, self._today)

    def _wrote(self, words: str | None) -> None:
        self._written = self._day(words) if words is not None else ""
        self._choose(self._chosen if self._written else None)

    def action_until_yes(self) -> None:
        """Take the day chosen."""
        answer = self._answer()
        if answer is None:
            self._tell()
        elif self.readable:
            self.dismiss(answer)
        else:
            self.too_fast()

    def action_until_cancel(self) -> None:
        """Go back, nothing deferred."""
        self.dismiss(None)


def _way(number: int, words: Shown, day: Shown) -> Line:
    return own("{}  ", number, role="key"), own("{:<14}", words), own("{}", day, role="dim")
