"""Answering a question with another text: the field on the disputed entry, with the outcome below it.

Here: what differs from correcting any other entry. Not here: the field, its live checks and its gate (``editing``).
"""

from __future__ import annotations

from msgspec.structs import replace

from curator_tui.core.proposals import Edit
from curator_tui.core.requests import AnswerVerb
from curator_tui.curator.answering import look_at_answer
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Looked
from curator_tui.tui.screens.writing import WriteScreen
from curator_tui.tui.wanted import Wanted


class CorrectScreen(WriteScreen):
    """The field for the entry that a question is about."""

    saving = "writes it and closes the question"

    def __init__(self, wanted: Wanted, looked: Looked, question: str) -> None:
        super().__init__(wanted, looked)
        self._question = question

    def look_again(self, desk: Desk, edit: Edit) -> Looked:
        """Work out what the text would do as an answer; the entry as it stands is an answer, too."""
        text = edit.contents.get(0, self._wanted.correction.operations[0].content or "")
        return look_at_answer(desk, self._question, AnswerVerb.CORRECT, replace(edit, contents={0: text}))
