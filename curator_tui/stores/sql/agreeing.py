"""Agreeing: whether documents, book, queue, images and ledger of a scope agree with each other.

Here: looking and naming what does not fit. Not here: repairing anything; what another program wrote beside us is no
disagreement and is told elsewhere (``core.recording``).
"""

from __future__ import annotations

from collections.abc import Iterator

from curator_tui.core.accounts import account_problems
from curator_tui.core.commitments import told_once
from curator_tui.core.operations import Problem
from curator_tui.core.text import visible
from curator_tui.core.verification import problems_of, verify
from curator_tui.stores.book.accounts import accounts
from curator_tui.stores.book.checking import aside_problems, commitment_problems, missing_images
from curator_tui.stores.book.kept import held_for
from curator_tui.stores.book.reading import BookReader
from curator_tui.stores.sql.images import image_changes
from curator_tui.stores.sql.place import ScopePlace
from curator_tui.stores.sql.scopes import Scope, Whose, find

_DECIDED_WAITS = """
    SELECT d.proposal FROM memory_decisions d
    JOIN memory_proposals p ON p.scope = d.scope AND p.id = d.proposal AND p.digest = d.digest
    WHERE d.scope = :scope AND d.ended_by IS NULL ORDER BY d.proposal
"""
_COUNTED = """
    SELECT (SELECT count(*) FROM memory_proposals WHERE scope = :scope),
           COALESCE((SELECT waiting FROM memory_waiting WHERE scope = :scope), 0)
"""


def check_scope(book: BookReader, mine: Whose) -> list[Problem]:
    """Return everything that does not agree, as one state of the database has it; empty when all does.

    Args:
        book: of the scope, over a connection to which the database stays as it is.
        mine: whose it is.
    """
    scope = find(book.db, mine)
    if scope is None:
        return []
    place, problems = ScopePlace(book, mine), list[Problem]()
    for check in (
        lambda: verify(book.rows(), lambda row: held_for(place.backup, book, row)).problems,
        lambda: _head(book, scope),
        lambda: missing_images(book.heads(), image_changes(book.db, book.scope)),
        lambda: account_problems(*accounts(book)),
        lambda: _queue(book),
        lambda: aside_problems(book),
        lambda: commitment_problems(book),
    ):
        problems.extend(problems_of(check))
    return told_once(problems)


def _head(book: BookReader, scope: Scope) -> Iterator[Problem]:
    """Name a ledger that does not end where the last change left it: rows were cut off, or added past the store."""
    if book.head() != scope.head:
        seq = book.head()[0]
        yield Problem("ledger-cut", f"the ledger ends at row {seq}, and the last change left it at row {scope.head[0]}")


def _queue(book: BookReader) -> Iterator[Problem]:
    for (name,) in book.db.all(_DECIDED_WAITS, scope=book.scope):
        yield Problem("decided-waits", f"{visible(str(name), newlines=False)} is decided and waits all the same")
    counted = book.db.one(_COUNTED, scope=book.scope)
    if counted is not None and counted[0] != counted[1]:
        yield Problem("waiting-miscounted", f"{counted[0]} records wait, and {counted[1]} are counted")
