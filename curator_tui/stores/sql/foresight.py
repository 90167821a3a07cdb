"""Foresight: what a change will ask for in any case is asked at once, because each journey to a server takes its time.

Here: finding out what would be asked, by asking a database that only notes it. Not here: who answers (``server``). No
statement is written twice, and what was not foreseen is simply asked when its time comes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from curator_tui.core.requests import Request
from curator_tui.stores.book.commitments import loose_changes
from curator_tui.stores.book.db import Question, R, ReadDb, Record
from curator_tui.stores.sql.book import ScopeReader
from curator_tui.stores.sql.place import ScopePlace
from curator_tui.stores.sql.scopes import Whose, find
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

    def at_once(self, read: Callable[[ReadDb], R]) -> R:
        """Note questions."""
        return read(self)

    def close(self) -> None:
        """Nothing is open."""


class Answered:
    """A database of which some questions were asked beforehand, all in one journey; it answers those at once.

    Args:
        db: the real one.
        look: asks what is to be asked beforehand.
    """

    def __init__(self, db: ReadDb, look: Look) -> None:
        noting = Noting(db.as_bytes)
        look(noting)
        self.path = db.path
        self._db = db
        self._answers = dict(zip(map(_key, noting.questions), db.ask(noting.questions), strict=True))

    def all(self, statement: str, **values: Any) -> list[Record]:
        """Return every row of a query."""
        known = self._answers.get(_key((statement, values)))
        return self._db.all(statement, **values) if known is None else known

    def one(self, statement: str, **values: Any) -> Record | None:
        """Return the first row of a query, or None."""
        rows = self.all(statement, **values)
        return rows[0] if rows else None

    def ask(self, questions: Sequence[Question]) -> list[list[Record]]:
        """Return every row of several queries."""
        return [self.all(statement, **values) for statement, values in questions]

    def has_table(self, name: str) -> bool:
        """Whether there is such a table."""
        return self._db.has_table(name)

    def as_bytes(self, column: str) -> str:
        """Return the expression that gives a column of text as its bytes."""
        return self._db.as_bytes(column)

    def stands(self) -> bool:
        """Whether what is read is what stands there."""
        return self._db.stands()

    def at_once(self, read: Callable[[ReadDb], R]) -> R:
        """Let several questions be answered from one state of the real database."""
        return self._db.at_once(read)

    def close(self) -> None:
        """The database is the caller's."""


def _key(question: Question) -> object:
    statement, values = question
    return statement, tuple(sorted(values.items()))


def looks_for(request: Request, scope: str, mine: Whose, for_update: str) -> Look:
    """Return how everything is looked at that a view of this request begins with, and that its record needs.

    The row of the scope comes first, and is locked: what is asked behind that waits for the lock, and sees what the one
    who had it before left there.
    """

    def look(db: ReadDb) -> None:
        find(db, mine, for_update)
        book = ScopeReader(db, scope)
        place = ScopePlace(book, mine)
        book.receipt(request.stamp.operation)
        place.documents()
        place.records(request.proposals)
        book.known()
        book.known_texts()
        book.head()
        book.highest()
        book.pins(dict.fromkeys(request.proposals, ""))
        book.refused()
        loose_changes(book)
        rules_of(db, mine.tenant)

    return look
