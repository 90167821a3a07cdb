"""Disputing an entry: asking why, and the question that then waits until a curator answers it.

Here: the dialog and the key, for any screen that lists entries. Not here: what a dispute is (``core.challenges``),
answering it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual.binding import BindingType

from curator_tui.core.changes import Receipt
from curator_tui.core.documents import Target
from curator_tui.core.reason_words import DISPUTING, reason_word
from curator_tui.core.requests import ChallengeCode
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Board
from curator_tui.tui.actions import DISPUTE, bindings, key_for
from curator_tui.tui.page_lines import PageLine
from curator_tui.tui.screens.acting import read_only_words
from curator_tui.tui.screens.reasons import NoteScreen
from curator_tui.tui.screens.reverting import Reverting
from curator_tui.tui.screens.sending import Done
from curator_tui.tui.screens.sheets import Sheet, menu_lines, paragraph
from curator_tui.tui.session import About
from curator_tui.tui.shown import Shown, own, say, shown_line
from curator_tui.tui.wanted import quoted
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.words import noted, refusal

MENU: tuple[tuple[ChallengeCode, str], ...] = tuple(DISPUTING.items())
Dispute = tuple[ChallengeCode, str]


class DisputeScreen(Sheet[Dispute]):
    """One digit per reason, a note to any of them, and a second key; the last reason asks for words."""

    SCREEN = DISPUTE
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(DISPUTE)]

    def __init__(self, title: Shown, about: About) -> None:
        super().__init__(title)
        self._about = about
        self._chosen: int | None = None
        self._note = ""

    def on_mount(self) -> None:
        """Begin without a reason."""
        self._tell()

    def lines(self) -> Sequence[PageLine]:
        """Return what a dispute does, and the menu."""
        told = paragraph((own("It stays in memory, marked, until somebody answers: keep, correct or remove."),))
        return [told, *menu_lines(MENU, self._chosen)]

    @property
    def _code(self) -> ChallengeCode | None:
        return MENU[self._chosen - 1][0] if self._chosen is not None else None

    def _tell(self) -> None:
        """Say what is chosen, and what the keys do now; at once where no answer will be taken."""
        self.query_one("#keys", KeyRow).dim(frozenset({"dispute.yes"} if self._code is None else ()))
        note = say(", '{}'", shown_line(self._note, 30)) if self._note else Shown("")
        if self.app.read_only:
            self.say(read_only_words(web=self.app.is_web))
        elif self._code is None:
            lead = say("a note{}; ", note) if note else Shown("")
            self.say((own("{}nothing is disputed yet: press 1-{} for the reason", lead, len(MENU), role="dim"),))
        else:
            keys = key_for("dispute.yes"), key_for("dispute.note")
            self.say((own("{}{}: {} disputes it, {} writes a note", Shown(reason_word(self._code)), note, *keys,
                          role="warn"),))  # fmt: skip

    def action_dispute_take(self, number: int) -> None:
        """Choose a reason; the last one is words."""
        self._chosen = number
        self.draw()
        self._tell()
        if self._code is ChallengeCode.OTHER and not self._note:
            self.app.push_screen(NoteScreen(say("why, in your words"), about=self._about), self._in_words)

    def _in_words(self, note: str | None) -> None:
        if note is None:
            self._chosen = None
        self._noted(note)

    def action_dispute_note(self) -> None:
        """Write a note, or write it anew."""
        asked = NoteScreen(say("a note to the dispute, in your words"), self._note, about=self._about)
        self.app.push_screen(asked, self._noted)

    def _noted(self, note: str | None) -> None:
        if note is not None:
            self._note = note.strip()
        self.draw()
        self._tell()

    def action_dispute_yes(self) -> None:
        """Dispute it for the reason chosen."""
        if self._code is None:
            self._tell()
        elif self.was_read():
            self.dismiss((self._code, self._note))

    def action_dispute_cancel(self) -> None:
        """Go back, nothing disputed."""
        self.dismiss(None)


class Disputing:
    """Disputes entries, on a screen that shows what became of it."""

    def __init__(self, screen: Reverting) -> None:
        self.screen = screen

    def dispute_entry(self, target: Target, text: str) -> None:
        """Ask why an entry is disputed."""
        if self.screen.is_free():
            title = say("dispute {}", quoted(text))
            asked = DisputeScreen(title, frozenset({(str(target), text)}))
            self.screen.app.push_screen(asked, partial(self._disputed, target, text))

    def _disputed(self, target: Target, text: str, answer: Dispute | None) -> None:
        if answer is None:
            self.screen.say((own("nothing was disputed"),))
        else:
            self._send(target, text, answer)

    def _send(self, target: Target, text: str, answer: Dispute) -> None:
        code, note = answer

        def job(desk: Desk) -> Receipt:
            return desk.challenge(target, text, code, note=note)

        def told(_: Receipt) -> Done:
            where = say("; it waits as a question on {} Review", key_for("go.review"))
            return Done(say("disputed {} ({})", quoted(text), Shown(reason_word(code))), where)

        self.screen.sending.send(job, told, self._refused)

    async def _refused(self, receipt: Receipt, taken: Board) -> None:
        await self.screen.reverted(receipt, taken)
        self.screen.say(refusal(receipt.not_applied[0]) if receipt.not_applied else noted(receipt, ()))
