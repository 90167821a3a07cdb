"""Asking the ledger: pages of rows that a filter means, what they say together, one row in detail, an export.

Here: reading rows in portions, newest first by sequence number, so that a long ledger stays quick. Not here: what a
filter means (``core.ledger_filters``), the chain (``ledger_view``).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator

from msgspec import Struct

from curator_tui.core.documents import Target
from curator_tui.core.errors import UnknownItem
from curator_tui.core.ledger import SealedRow, item_name, row_hash
from curator_tui.core.ledger_facts import COLUMNS, Counting, Statistics, cells
from curator_tui.core.ledger_filters import LedgerFilter, origin_matches, parse_filter, row_matches
from curator_tui.core.origins import Origin
from curator_tui.core.proposals import Proposal
from curator_tui.core.row_form import DecisionForm, RowForm, form_of, row_of
from curator_tui.core.verification import Claim, document_claims
from curator_tui.curator.desk import Desk
from curator_tui.curator.history import kept_proposals
from curator_tui.curator.ledger_view import named_text
from curator_tui.curator.origins import origins

PORTION = 1_000
SCANNED = 5_000
"""Rows one page looks at before it answers with what it has, so that a rare filter never keeps a screen waiting."""

EVERYTHING = LedgerFilter()


class LedgerRow(Struct, frozen=True):
    """One row as it is listed: its place, its hash, its parts (None: it cannot be read), its canonical text."""

    seq: int
    hash: str
    form: RowForm | None
    body: str


class LedgerPage(Struct, frozen=True):
    """Some rows that a filter means, newest first.

    Attributes:
        rows: the rows.
        before: where to go on: rows in front of this sequence number are not looked at yet; None for all looked at.
        scanned: how many rows were looked at for it.
    """

    rows: tuple[LedgerRow, ...]
    before: int | None
    scanned: int


def understood(desk: Desk, text: str) -> LedgerFilter:
    """Return what a typed filter means now.

    Raises:
        UsageError: a part of it means nothing.
    """
    return parse_filter(text, desk.now())


def page(
    desk: Desk, wanted: LedgerFilter = EVERYTHING, *, before: int | None = None, count: int = 100, scan: int = SCANNED
) -> LedgerPage:
    """Return up to ``count`` rows in front of a sequence number that a filter means, newest first.

    Raises:
        Unreadable: the book cannot be read.
    """
    found: list[LedgerRow] = []
    top = desk.store.book.head()[0] + 1 if before is None else before
    scanned = 0
    while top > 1 and scanned < scan:
        portion = min(PORTION, max(count, 1) * 2) if not wanted.terms else PORTION
        low = max(0, top - 1 - portion)
        for row in reversed(desk.store.book.rows(low, portion)):
            if not low < row.seq < top:
                continue
            scanned += 1
            one = listed(row)
            if row_matches(one.form, wanted, desk.actor):
                found.append(one)
                if len(found) == count:
                    return LedgerPage(tuple(found), row.seq if row.seq > 1 else None, scanned)
        top = low + 1
    return LedgerPage(tuple(found), top if top > 1 else None, scanned)


def listed(row: SealedRow) -> LedgerRow:
    """Return a row of the book as it is listed."""
    return LedgerRow(row.seq, row.hash, form_of(row.body), row.body)


def every(desk: Desk, wanted: LedgerFilter = EVERYTHING) -> Iterator[LedgerRow]:
    """Yield all rows that a filter means, oldest first, read in portions."""
    after = 0
    while rows := desk.store.book.rows(after, PORTION):
        for row in rows:
            one = listed(row)
            if row_matches(one.form, wanted, desk.actor):
                yield one
        if rows[-1].seq <= after:
            return
        after = rows[-1].seq


def statistics_of(
    desk: Desk, wanted: LedgerFilter = EVERYTHING, going_on: Callable[[], bool] = lambda: True
) -> Statistics:
    """Return what the rows that a filter means say together; stops early where it need not go on."""
    counting = Counting()
    for row in every(desk, wanted):
        counting.add(row.form)
        if not going_on():
            break
    return counting.result()


def sources(desk: Desk, wanted: LedgerFilter = EVERYTHING) -> tuple[Origin, ...]:
    """Return the sources of all live entries that the same filter means."""
    return tuple(one for one in origins(desk) if origin_matches(one, wanted, desk.actor))


class TextState(Struct, frozen=True):
    """A text that a row names: how it stands.

    Attributes:
        state: ``kept``, ``absent`` (there was no file), ``gone`` (erased or pruned), or ``altered`` (what is kept is
            not what the row was made of, so it is not shown).
        size: code points by the row.
        text: its words, where they are kept.
    """

    state: str
    size: int = 0
    text: str = ""


class DecisionDetail(Struct, frozen=True):
    """One decision of a row: what the row says, the record as kept (None: gone), the person's own words (likewise)."""

    form: DecisionForm
    proposal: Proposal | None
    note: str | None


class RowDetails(Struct, frozen=True):
    """One row in detail.

    Attributes:
        row: the row.
        sound: whether its hash is right and it follows the row before it.
        previous: hash of the row before it, by the row.
        documents: by document and moment (``before``, ``after``) the text and how it stands.
        decisions: its decisions.
        note: the person's own words, None for none or gone.
    """

    row: LedgerRow
    sound: bool
    previous: str
    documents: dict[tuple[Target, str], TextState]
    decisions: tuple[DecisionDetail, ...]
    note: str | None


def details(desk: Desk, seq: int) -> RowDetails:
    """Return one row in detail, with the texts it names while they are kept.

    Raises:
        UnknownItem: there is no such row.
        Unreadable: the book cannot be read.
    """
    around = desk.store.book.rows(max(0, seq - 2), 2)
    sealed = next((row for row in around if row.seq == seq), None)
    if sealed is None or seq < 1:
        raise UnknownItem(f"The ledger has no row {seq}.", way_out="List them with: curator-tui ledger")
    row = listed(sealed)
    previous = next((one.hash for one in around if one.seq == seq - 1), "")
    if row.form is None:
        return RowDetails(row, sound=False, previous="", documents={}, decisions=(), note=None)
    documents = row_texts(desk, row)
    sound = row_hash(sealed.body) == sealed.hash and row.form.prev == previous and row.form.seq == seq
    decisions = tuple(_decision(desk, row.form.change, part) for part in row.form.decisions)
    return RowDetails(row, sound, row.form.prev, documents, decisions, named_text(desk, row.form.note))


def row_texts(desk: Desk, row: LedgerRow) -> dict[tuple[Target, str], TextState]:
    """Return by document and moment (``before``, ``after``) the texts that a row names, and how they stand."""
    plain = row_of(row.body) or {}
    return {
        (target, moment): _text_state(claim) for target, moment, claim in document_claims(plain, desk.store.held(plain))
    }


def _text_state(claim: Claim) -> TextState:
    size = int(claim.part.get("size", 0))
    if claim.part.get("absent"):
        return TextState("absent")
    if not claim.kept or claim.data is None:
        return TextState("gone", size)
    if claim.agrees() is False:
        return TextState("altered", size)
    return TextState("kept", size, claim.data.decode("utf-8", "replace"))


def _decision(desk: Desk, change: str, part: DecisionForm) -> DecisionDetail:
    past = desk.store.book.change(change)
    about = (*past.closed, *past.returned) if past is not None else ()
    kept = kept_proposals(desk, (item for item in about if item_name(item.proposal) == part.proposal))
    proposal = next(iter(kept.values()), None)
    return DecisionDetail(part, proposal, named_text(desk, part.note))


def csv_lines(desk: Desk, wanted: LedgerFilter = EVERYTHING) -> Iterator[str]:
    """Yield the rows that a filter means as lines of CSV, the names of the columns first; no cell is a formula."""
    yield _csv_line(COLUMNS)
    for row in every(desk, wanted):
        yield _csv_line(cells(row.form, row.seq, row.hash))


def _csv_line(values: tuple[str, ...]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(values)
    return line.getvalue()
