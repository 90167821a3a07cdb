"""The ledger at the desk: rows, verification, checkpoint and export.

Here: asking the store for what the chain's rules (``core.ledger``, ``core.verification``) are applied to. Not here:
these rules, where rows are stored.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from curator_tui.core.changes import PastChange
from curator_tui.core.commitments import told_once
from curator_tui.core.errors import StoreError
from curator_tui.core.ledger import SealedRow, checkpoint, item_name
from curator_tui.core.operations import Problem
from curator_tui.core.row_form import RowForm, form_of
from curator_tui.core.text import visible
from curator_tui.core.verification import Verification, problems_of
from curator_tui.core.verification import verify as verified
from curator_tui.core.verification import verifying as stepwise
from curator_tui.curator.desk import Desk

_PORTION = 200  # rows read at once: reading them is a step, too, that nothing may wait long for


def verify(desk: Desk, kept: Mapping[str, Any] | None = None) -> Verification:
    """Verify the chain, what is kept and recorded of its changes, and a checkpoint where one is given.

    A ledger is in order only as long as nothing tells of changes that it does not know.
    """
    return _with_accounts(desk, verified(desk.store.book.rows(), desk.store.held, kept))


def verifying(desk: Desk) -> Generator[int, None, Verification]:
    """Verify row by row (see :func:`verify`), beside other work: yields how many rows were verified so far."""
    found = yield from stepwise(_all_rows(desk), desk.store.held)
    return _with_accounts(desk, found)


def _all_rows(desk: Desk) -> Iterator[SealedRow]:
    """Yield all rows, oldest first, read in portions."""
    after = 0
    while found := desk.store.book.rows(after, _PORTION):
        yield from found
        if found[-1].seq <= after:
            return
        after = found[-1].seq


def _with_accounts(desk: Desk, found: Verification) -> Verification:
    more = (*desk.store.account_problems(), *problems_of(lambda: lost_book(desk)))
    return replace(found, problems=tuple(told_once((*found.problems, *more))))


def lost_book(desk: Desk) -> Iterator[Problem]:
    """Name the backups of changes that the book does not know: it was emptied or taken away, then or earlier."""
    unknown = desk.store.unknown_backups()
    if not unknown:
        return
    newest = visible(unknown[-1], newlines=False)
    several = f"{len(unknown)} backups are" if len(unknown) > 1 else "1 backup is"
    if desk.store.book.rows(count=1):
        cause = "another book was here before, or they came from elsewhere"
    else:
        cause = "the book is missing or was emptied"
    yield Problem(
        "book-lost",
        f"{several} of changes the book does not know (newest: {newest}): {cause}; put back a copy of "
        f"curator-tui/book.sqlite, or move them out of memories/backups",
    )


def lost_words(desk: Desk) -> tuple[str, ...]:
    """Say whether a book was lost; where that cannot be told, that and why: whatever else there is to say is said."""
    try:
        return tuple(problem.message for problem in lost_book(desk))
    except StoreError as error:
        return (f"whether the book knows all backups cannot be told: {error.message}",)


def rows(desk: Desk) -> Sequence[SealedRow]:
    """Return all ledger rows, oldest first."""
    return desk.store.book.rows()


def head(desk: Desk) -> tuple[int, str]:
    """Return sequence number and hash of the newest row; ``(0, "")`` for none."""
    return desk.store.book.head()


def reasons(desk: Desk, change: PastChange) -> dict[str, tuple[str, str]]:
    """Return by item id why a change decided what it decided: a reason code and a person's words, as far as kept."""
    own = own_row(desk, change)
    return reasons_in(desk, change, own.form if own is not None else None)


def reasons_in(desk: Desk, change: PastChange, form: RowForm | None) -> dict[str, tuple[str, str]]:
    """Do as :func:`reasons`, for a change whose ledger row was read already; None for none."""
    parts = {part.proposal: part for part in form.decisions} if form is not None else {}
    found: dict[str, tuple[str, str]] = {}
    for item in change.closed:
        part = parts.get(item_name(item.proposal))
        words = (named_text(desk, part.note) or "") if part is not None else ""
        if part is not None and (part.reason or words):
            found[item.proposal] = (part.reason, words)
    return found


class OwnRow(NamedTuple):
    """The ledger row of a change, as it stands and by its parts."""

    sealed: SealedRow
    form: RowForm


def own_row(desk: Desk, change: PastChange) -> OwnRow | None:
    """Return the ledger row of a change; None where none stands in its place, or one that is not of this change."""
    sealed = next(iter(desk.store.book.rows(change.seq - 1, 1)), None)
    form = form_of(sealed.body) if sealed is not None else None
    return OwnRow(sealed, form) if sealed is not None and form is not None and form.change == change.id else None


def named_text(desk: Desk, name: str) -> str | None:
    """Return a text that a row names by its id, as a note or a disputed entry; None for none or where it is gone."""
    kept = desk.store.book.text(name) if name else None
    return None if kept is None else kept.decode("utf-8", "replace")


def take_checkpoint(desk: Desk) -> dict[str, Any]:
    """Return a checkpoint of the ledger as it stands, to be kept elsewhere."""
    return checkpoint(desk.store.book.head(), desk.store.book.chain(), desk.now())
