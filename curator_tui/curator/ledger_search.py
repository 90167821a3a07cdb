"""Looking through a ledger of any length beside other work: which rows a filter means, and the rows at some places.

Here: the search in portions, newest rows first, with what its rows say together; rows by their numbers with the items
they are about. Not here: what a filter means (``core.ledger_filters``), one page or one row alone (``ledger_queries``).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence

from msgspec import Struct, field

from curator_tui.core.ledger import item_name
from curator_tui.core.ledger_facts import Counting, Statistics
from curator_tui.core.ledger_filters import LedgerFilter
from curator_tui.core.preflight import preflight
from curator_tui.core.proposals import Proposal
from curator_tui.curator.deeds import deed_alone
from curator_tui.curator.desk import Desk
from curator_tui.curator.history import kept_proposals
from curator_tui.curator.ledger_queries import LedgerRow, listed, page
from curator_tui.curator.row_subjects import Subject, subjects, taken_back

_AT_ONCE = 1_000  # rows of a step


class Portion(Struct, frozen=True):
    """What one step of a search found.

    Attributes:
        seqs: numbers of the rows that are meant, newest first.
        looked: how many rows this step looked at.
    """

    seqs: tuple[int, ...]
    looked: int


def search(desk: Desk, wanted: LedgerFilter) -> Generator[Portion, None, Statistics]:
    """Look through all rows, newest first; yields what each step found, and returns what all that are meant say.

    Raises:
        Unreadable: the book cannot be read.
    """
    counting = Counting()
    before: int | None = desk.store.book.head()[0] + 1
    while before is not None and before > 1:
        found = page(desk, wanted, before=before, count=_AT_ONCE, scan=_AT_ONCE)
        for row in found.rows:
            counting.add(row.form)
        yield Portion(tuple(row.seq for row in found.rows), found.scanned)
        before = found.before
    return counting.result()


class Window(Struct, frozen=True):
    """Rows at some places.

    Attributes:
        rows: by number; one that should be there and is not has none.
        looked: the numbers that were looked for.
        items: what decisions of these rows were about, by change and the item's name in the row, as far as it is kept
            and holds no secret.
        about: what rows that decide no item are about, by their number, as far as it is kept.
        reverted: what an undo or redo took back or did again, in a word or two, by the number of its row.
    """

    rows: dict[int, LedgerRow] = field(default_factory=dict)
    looked: frozenset[int] = frozenset()
    items: dict[tuple[str, str], Proposal] = field(default_factory=dict)
    about: dict[int, tuple[Subject, ...]] = field(default_factory=dict)
    reverted: dict[int, str] = field(default_factory=dict)


def window(desk: Desk, seqs: Sequence[int]) -> Window:
    """Return the rows with these numbers.

    Raises:
        Unreadable: the book cannot be read.
    """
    rows: dict[int, LedgerRow] = {}
    for first, last in _runs(sorted(seqs)):
        for sealed in desk.store.book.rows(first - 1, last - first + 1):
            if first <= sealed.seq <= last:
                rows[sealed.seq] = listed(sealed)
    about = {
        seq: found
        for seq, row in rows.items()
        if row.form is not None and not row.form.decisions and (found := subjects(desk, row))
    }
    reverted = {
        seq: deed_alone(origin)
        for seq, row in rows.items()
        if row.form is not None and (origin := taken_back(desk, row.form)) is not None
    }
    return Window(rows, frozenset(seqs), dict(_items(desk, rows.values())), about, reverted)


def _runs(seqs: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last number of each stretch without a gap."""
    first = last = 0
    for seq in seqs:
        if seq != last + 1 or not first:
            if first:
                yield first, last
            first = seq
        last = seq
    if first:
        yield first, last


def _items(desk: Desk, rows: Iterable[LedgerRow]) -> Iterator[tuple[tuple[str, str], Proposal]]:
    snapshot = desk.snapshot()
    for form in (row.form for row in rows if row.form is not None and row.form.decisions):
        names = {part.proposal for part in form.decisions}
        past = desk.store.book.change(form.change)
        about = (*past.closed, *past.returned) if past is not None else ()
        for name, proposal in kept_proposals(desk, (one for one in about if item_name(one.proposal) in names)).items():
            if not preflight(proposal, snapshot).holds_secret:
                yield (form.change, item_name(name)), proposal
