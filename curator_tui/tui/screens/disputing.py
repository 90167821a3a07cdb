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
from curator_tui.tui.shown import Shown, own, say, shown_line
from curator_tui.tui.wanted import quoted
from curator_tui.tui.words import noted, refusal

MENU: tuple[tuple[ChallengeCode, str], ...] = tuple(DISPUTING.items())
Dispute = tuple[ChallengeCode, str]


class DisputeScreen(Sheet[Dispute]):
    """One key per reason; a note may be written to any of them, and the last one asks for it."""

    SCREEN = DISPUTE
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(DISPUTE)]

    def __init__(self, title: Shown) -> None:
        super().__init__(title)
        self._note = ""

    def on_mount(self) -> None:
        """Say so at once where no answer will be taken."""
        if self.app.read_only:
            self.say(read_only_words(web=self.app.is_web))

    def lines(self) -> Sequence[PageLine]:
        """Return what a dispute does, and the menu."""
        told = paragraph((own("It stays in memory, marked, until somebody answers: keep, correct or remove."),))
        return [told, *menu_lines(MENU)]

    def action_dispute_take(self, number: int) -> None:
        """Dispute it for a reason."""
        if not self.was_read():
            return
        code = MENU[number - 1][0]
        if code is ChallengeCode.OTHER and not self._note:
            self.app.push_screen(NoteScreen(say("why, in your words")), self._in_words)
        else:
            self.dismiss((code, self._note))

    def _in_words(self, note: str | None) -> None:
        if note is not None:
            self.dismiss((ChallengeCode.OTHER, note))

    def action_dispute_note(self) -> None:
        """Write a note, or write it anew; the reason is still to be chosen."""
        self.app.push_screen(NoteScreen(say("a note to the dispute, in your words"), self._note), self._noted)

    def _noted(self, note: str | None) -> None:
        if note is not None:
            self._note = note.strip()
        words = own("note: '{}'; now press {}", shown_line(self._note, 40), key_for("dispute.take"), role="note")
        self.say((words if self._note else own("no note"),))

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
            self.screen.app.push_screen(DisputeScreen(title), partial(self._disputed, target, text))

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
