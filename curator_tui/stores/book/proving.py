"""Proving: what is kept of a change is held against its ledger rows before any of it is written again.

Here: which rows and which texts. Not here: when they agree (``core.verification``), when a change is taken back
(``views``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from curator_tui.core.accounts import account_problems
from curator_tui.core.changes import Decided, PastChange
from curator_tui.core.errors import Unreadable
from curator_tui.core.ledger import GENESIS, SealedRow, chained, item_name
from curator_tui.core.text import visible
from curator_tui.core.unbound import unbound
from curator_tui.core.verification import Held, disagreement
from curator_tui.stores.book.accounts import accounts
from curator_tui.stores.book.reading import BookReader


def prove(book: BookReader, change: PastChange) -> None:
    """Hold what is kept of a change against its ledger rows, before anything of it is written again.

    Args:
        book: where both are kept.
        change: the change as it was read.

    Raises:
        Unreadable: it does not agree, or the book cannot be read.
    """
    held = Held(
        salts=_salts(book, change), before=change.before, after=change.after, records=kept_records(book, change)
    )
    wrong = disagreement(_rows(book, change), change, held)
    if wrong is not None:
        raise _refused(change, wrong)


def prove_order(book: BookReader, since: PastChange | None) -> None:
    """Hold what is recorded from one change on against the ledger: what it says decides which change is meant.

    An undo takes back the newest change in force, and what goes along with it; a cell that says of a newer one that it
    is not, or that there is nothing in it, would let an older one be taken back.

    Raises:
        Unreadable: it does not agree, or the book cannot be read.
    """
    wrong = order_problems(book, since)
    if wrong:
        raise Unreadable(
            f"what was changed since cannot be told: {wrong[0]}.",
            code="book-altered",
            way_out="Nothing was taken back. See what is damaged with: curator-tui ledger verify; go back to a "
            "backup with: curator-tui rollback",
        )


def order_problems(book: BookReader, since: PastChange | None) -> list[str]:
    """Return in words where what is recorded from a change on (None: from the first) is not what the ledger says.

    Raises:
        Unreadable: the book cannot be read.
    """
    return book.at_once(lambda one: _order_problems(one, since))


def _order_problems(book: BookReader, since: PastChange | None) -> list[str]:
    after = book.seq_before(since.seq) if since is not None else 0
    front = book.rows(after - 1, 1) if after else []
    start = (front[0].seq, front[0].hash) if front else (0, GENESIS)
    rows, recorded = accounts(book, after)
    damaged = [problem for _, found in chained(rows, start) for problem in found]
    late = {one.change for one in recorded}
    asides = [one for one in book.raw_asides() if one.change in late]
    found = (*damaged, *account_problems(rows, recorded, start), *unbound(rows, asides, book.salt, start))
    return [problem.message for problem in found]


def prove_records(book: BookReader, decided: Iterable[Decided]) -> None:
    """Hold the records that are to come back against the rows of the changes that decided them.

    Raises:
        Unreadable: one does not agree, or the book cannot be read.
    """
    for change, _, wrong in _unproven(book, decided):
        raise _refused(change, wrong)


def unproven(book: BookReader, decided: Iterable[Decided]) -> dict[str, str]:
    """Return the items whose records are not borne out by the rows of the changes that decided them, and why not.

    Raises:
        Unreadable: the book cannot be read.
    """
    return {item: wrong for _, item, wrong in _unproven(book, decided)}


def _unproven(book: BookReader, decided: Iterable[Decided]) -> Iterator[tuple[PastChange, str, str]]:
    items: dict[str, list[str]] = {}
    for one in decided:
        items.setdefault(one.change, []).append(one.proposal)
    for name, proposals in items.items():
        change = book.change(name)
        if change is None:
            continue
        rows, salts, records = _rows(book, change), _salts(book, change), kept_records(book, change)
        for item in proposals:
            row_name = item_name(item)
            held = Held(salts=salts, records={row_name: records[row_name]} if row_name in records else {})
            wrong = disagreement(rows, change, held, records_only=True)
            if wrong is not None:
                yield change, item, wrong


def _salts(book: BookReader, change: PastChange) -> dict[str, bytes]:
    return {name: salt for name, (_, _, salt) in book.texts_of(change.id).items() if salt is not None}


def _refused(change: PastChange, wrong: str) -> Unreadable:
    return Unreadable(
        f"change {visible(change.id, newlines=False)} cannot be taken back: {wrong}.",
        way_out="Nothing of it was written. See what is damaged with: curator-tui ledger verify; go back to a "
        "backup with: curator-tui rollback",
    )


def kept_records(book: BookReader, change: PastChange) -> dict[str, bytes | None]:
    """Return the records of a change by their name in rows; one that is gone is left out, not so one never kept."""
    records: dict[str, bytes | None] = {item_name(name): None for name in book.never_kept(change.id)}
    records.update({item_name(one.proposal): one.raw for one in change.closed if one.raw is not None})
    return records


def _rows(book: BookReader, change: PastChange) -> list[SealedRow]:
    """Return the ledger rows from behind the change before one up to its own last row."""
    after = book.seq_before(change.seq)
    return book.rows(after, max(0, change.seq - after))
