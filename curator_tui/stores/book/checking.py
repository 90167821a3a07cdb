"""Checking a book: whether what its tables hold of every change is what the ledger says.

Here: the checks that are the same in every store, each naming what does not fit. Not here: the chain and kept texts
(``core.verification``), files and queue of a store (the stores).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from curator_tui.core.accounts import account_problems
from curator_tui.core.changes import PastChange
from curator_tui.core.commitments import known_problems, unbound_changes
from curator_tui.core.operations import Problem
from curator_tui.core.text import visible
from curator_tui.core.unbound import unbound
from curator_tui.stores.book.accounts import accounts
from curator_tui.stores.book.commitments import all_parts, last_known
from curator_tui.stores.book.meta import meta_problems
from curator_tui.stores.book.reading import BookReader


def recorded_problems(book: BookReader) -> list[Problem]:
    """Return where the ledger and what is recorded of its changes beside texts do not agree."""
    rows, recorded = accounts(book)
    asides = unbound(rows, book.raw_asides(), book.salt)
    return [*account_problems(rows, recorded), *asides, *commitment_problems(book)]


def aside_problems(book: BookReader) -> list[Problem]:
    """Return the deferrals, challenges and answers that no row of the ledger bears out."""
    return list(unbound(book.rows(), book.raw_asides(), book.salt))


def commitment_problems(book: BookReader) -> list[Problem]:
    """Return the changes and last known documents of which something else is kept than their rows were made of.

    What no row binds is held against what this program writes.
    """
    rows, intent = book.rows(), book.intent()
    pending = intent[0] if intent is not None else ""
    return [
        *meta_problems(book),
        *unbound_changes(rows, all_parts(book), book.salt, pending),
        *known_problems(rows, last_known(book), book.salt),
    ]


def missing_images(heads: Iterable[PastChange], there: Container[str]) -> Iterator[Problem]:
    """Name the images that recorded changes were made with and that are not there."""
    for change in heads:
        if change.backup is not None and change.backup not in there:
            named = visible(change.backup, newlines=False)
            yield Problem("backup-missing", f"the backup {named} of change {change.id} is missing", (change.id,))
