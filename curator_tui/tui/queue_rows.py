"""The rows of the queue as the list shows them: grouped by state, skipped ones last, filtered.

Here: order on screen, columns, the S column. Not here: reading the queue (the door), painting (``widgets.row_list``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from curator_tui.curator.queue_model import Row
from curator_tui.tui.facts import age_of, operation_word, state_piece, summary, target_word
from curator_tui.tui.looking import Board
from curator_tui.tui.session import Session
from curator_tui.tui.shown import EMPTY, Line, Piece, Shown, own, padded, say, shown_line

# cells of the columns, from the left: cursor and mark, seen, state, operation, document; then age and number of a group
_STATE, _TARGET, _AGE, _GROUP = 10, 6, 4, 3
_NARROW = 60


class Heading(NamedTuple):
    """A row that names a group of states."""

    words: Line


class QueueRows:
    """Rows of one board in the order of the screen."""

    def __init__(
        self, board: Board, session: Session, mark_of: Callable[[str, str], str], keep: tuple[Row, int] | None = None
    ) -> None:
        """Arrange a board.

        Args:
            board: the queue as read.
            session: marks, skipped items and the filter.
            mark_of: mark of the S column by item id and digest of its record.
            keep: a row that is looked at although it left the queue, and the place it had.
        """
        self._session = session
        self._mark_of = mark_of
        self._now = board.now
        self.current = ""
        rows: Sequence[Row] = [row for row in board.rows if self._wanted(row)] if session.words else board.rows
        self.found = len(rows)
        skipped = session.skipped
        ahead = [row for row in rows if row.id not in skipped] if skipped else rows
        behind = [row for row in rows if row.id in skipped] if skipped else []
        self._rows: list[Row | Heading] = list(_grouped(board, ahead, filtered=bool(session.words)))
        if behind:
            self._rows.append(Heading((own("skipped for now", role="head"), own("  {}", len(behind), role="dim"))))
            self._rows.extend(behind)
        self._places = {row.id: at for at, row in enumerate(self._rows) if isinstance(row, Row)}
        if keep is not None and keep[0].id not in self._places:
            place = min(keep[1], len(self._rows))
            self._rows.insert(place, keep[0])
            self._places = {row.id: at for at, row in enumerate(self._rows) if isinstance(row, Row)}

    def _wanted(self, row: Row) -> bool:
        words = shown_line(self._session.words).casefold().split()  # as the rows show them
        text = f"{row.id} {target_word(row.proposal)} {row.state} {summary(row)} {row.proposal.origin}".casefold()
        return all((word[1:] not in text) if word[0] == "!" and word[1:] else word in text for word in words)

    def __len__(self) -> int:
        return len(self._rows)

    def selectable(self, index: int) -> bool:
        """Whether a row is an item."""
        return isinstance(self._rows[index], Row)

    def row(self, index: int) -> Row | None:
        """Return the item of a row, None for a heading."""
        found = self._rows[index] if 0 <= index < len(self._rows) else None
        return found if isinstance(found, Row) else None

    def place(self, name: str) -> int | None:
        """Return where an item stands, also when it is not the oldest of its group."""
        found = self._places.get(name)
        if found is None:
            found = next((at for at, row in self._items() if name in row.members), None)
        return found

    def after(self, index: int) -> Row | None:
        """Return the next item that was not skipped, or the next one, or the one before; None when it is the last."""
        rest = [row for _, row in self._items(index + 1)]
        open_ones = [row for row in rest if row.id not in self._session.skipped]
        before = [row for at, row in self._items() if at < index]
        return next(iter((*open_ones[:1], *before[-1:], *rest[:1])), None)

    def items(self) -> Sequence[Row]:
        """Return all items in the order of the screen."""
        return [row for _, row in self._items()]

    def _items(self, start: int = 0) -> Iterable[tuple[int, Row]]:
        return ((at, row) for at, row in enumerate(self._rows[start:], start) if isinstance(row, Row))

    def line(self, index: int, width: int) -> Line:
        """Return one row laid out in columns."""
        row = self._rows[index]
        if isinstance(row, Heading):
            return (own(" "), *row.words)
        narrow = width < _NARROW
        mark = own("[x]", role="mark") if row.id in self._session.marked else own("   ")
        seen = self._seen(row)
        lead: Line = (
            own(">" if row.id == self.current else " ", role="mark"),
            mark,
            own(" {} ", seen, role="warn" if seen == "=" else "dim" if seen in {".", "~"} else "text"),
            *padded((state_piece(row.state),), _STATE),
            own(" "),
            *padded((own("{}", operation_word(row.proposal)),), 3),
            own(" "),
            *(EMPTY if narrow else (*padded((own("{}", target_word(row.proposal), role="dim"),), _TARGET), own(" "))),
        )
        tail: Line = (
            *padded((own(" {}", age_of(row.proposal, self._now), role="dim"),), _AGE + 1, right=True),
            *padded((own(" x{}", len(row.members), role="note"),) if len(row.members) > 1 else EMPTY, _GROUP + 1),
        )
        room = max(width - 7 - _STATE - 5 - (0 if narrow else _TARGET + 1) - _AGE - _GROUP - 2, 0)
        return (*lead, *padded((Piece(summary(row)),), room), *tail)

    def _seen(self, row: Row) -> Shown:
        if row.id in self._session.changed:
            return Shown("=")
        if row.id in self._session.skipped:
            return Shown("~")
        return Shown(self._mark_of(row.id, row.proposal.digest))


def head_line(width: int, marked: int, found: int | None) -> tuple[Line, Line]:
    """Return the column headings of the list, and what is filtered or marked."""
    narrow = width < _NARROW
    state = padded((own("STATE", role="label"),), _STATE)
    target = EMPTY if narrow else (*padded((own("FOR", role="label"),), _TARGET), own(" "))
    left = (
        own("     S ", role="label"),
        *state,
        own(" OP  ", role="label"),
        *target,
        own("WHAT IT DOES", role="label"),
    )
    right: list[Piece] = []
    if marked:
        right.append(own("{} marked (b)  ", marked, role="mark"))
    if found is not None:
        right.append(own("filter: {} (esc)  ", found, role="mark"))
    right.append(own("AGE    ", role="label"))
    return left, tuple(right)


def _grouped(board: Board, rows: Sequence[Row], *, filtered: bool) -> Iterable[Row | Heading]:
    """Put a heading over each state; before states were known for the first time rows stand as they came."""
    if board.counts is None and not board.placed:
        yield from rows
        return
    for state, group in groupby(rows, key=board.group_of):
        members = list(group)
        waiting = sum(len(row.members) for row in members)
        number = say("{}", waiting) if waiting == len(members) else say("{} waiting, {} rows", waiting, len(members))
        if board.counts is None:
            number = say("…")
        more = own(" found", role="dim") if filtered else own("")
        yield Heading((state_piece(state), own("  {}", number, role="dim"), more))
        yield from members
