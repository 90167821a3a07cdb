"""Foresight: what a change will ask for in any case is asked at once, because each journey to a server takes its time.

Here: finding out what would be asked, by asking a database that only notes it. Not here: who answers (``server``). No
statement is written twice, and what was not foreseen is simply asked when its time comes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from curator_tui.core.requests import Request
from curator_tui.stores.book.commitments import loose_changes
from curator_tui.stores.book.db import Question, ReadDb, Record
from curator_tui.stores.sql.book import ScopeReader
from curator_tui.stores.sql.place import ScopePlace
from curator_tui.stores.sql.scopes import Whose
from curator_tui.stores.sql.two_persons import rules_of

Look = Callable[[ReadDb], object]


class Noting:
    """A database that has no answer to any question and notes them all.

    Attributes:
        questions: what was asked.
    """

    path = "none"

    def __init__(self, as_bytes: Callable[[str], str]) -> None:
        self.questions: list[Question] = []
        self._as_bytes = as_bytes

    def all(self, statement: str, **values: Any) -> list[Record]:
        """Note a question."""
        self.questions.append((statement, values))
        return []

    def one(self, statement: str, **values: Any) -> Record | None:
        """Note a question."""
        self.all(statement, **values)
        return None

    def ask(self, questions: Sequence[Question]) -> list[list[Record]]:
        """Note questions."""
        self.questions.extend(questions)
        return [[] for _ in questions]

    def has_table(self, name: str) -> bool:  # noqa: ARG002 - the signature of the protocol
        """Every table is there."""
        return True

    def as_bytes(self, column: str) -> str:
        """Return the expression that the real database has for it."""
        return self._as_bytes(column)

    def stands(self) -> bool:
        """Nothing could take its place."""
        return True

    def close(self) -> None:
        """Nothing is open."""


def looks_for(request: Request, scope: str, mine: Whose) -> Look:
    """Return how everything is looked at that a view of this request begins with, and that its record needs."""

    def look(db: ReadDb) -> None:
        book = ScopeReader(db, scope)
        place = ScopePlace(book, mine)
        book.receipt(request.stamp.operation)
        place.documents()
        place.records(request.proposals)
        book.known()
        book.known_texts()
        book.head()
        book.pins(dict.fromkeys(request.proposals, ""))
        book.refused()
        loose_changes(book)
        rules_of(db, mine.tenant)

    return look
