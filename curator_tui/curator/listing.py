"""The queue put in order for one query: sections, rows, where an item stands, and windows of it.

Here: a read model over :class:`~curator_tui.curator.queue_model.QueueModel`; what leaves it is a page of rows and the
headings of all sections, never the whole queue. Not here: what a filter means (``queries``), how a row is drawn.

While states are worked out anew a row keeps the place it had, so that nothing jumps under a cursor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby, islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from curator_tui.core.preflight import State
from curator_tui.core.proposals import Proposal
from curator_tui.curator.queries import (
    DEFERRED,
    Candidate,
    Group,
    Query,
    Sort,
    Term,
    document_name,
    fits,
    parse,
    searched,
)
from curator_tui.curator.queue_model import DISPLAY_ORDER, QueueModel, Row, growth

PAGE = 600
"""Rows that are handed out at once; a queue that is no longer is handed out whole."""
SKIPPED = "skipped"
_RANK = {state: rank for rank, state in enumerate(DISPLAY_ORDER)}
_PLACED_AT_ONCE = 20  # a millisecond each at most; more come only when a long queue is seen for the first time


class Section(Struct, frozen=True):
    """Rows that stand under one heading.

    Attributes:
        key: the state, document or origin they share; ``skipped`` for those put off; empty when it is not known. For
            deferred ones ``deferred`` and the day they are back, if any.
        place: position of the heading among all lines of the list.
        rows: number of rows under it.
        waiting: number of proposals behind them.
    """

    key: str
    place: int
    rows: int
    waiting: int


class Listing(Struct, frozen=True):
    """One page of the queue in the order of a query.

    Attributes:
        query: what was asked.
        sections: all headings, also those outside the page.
        lines: number of lines of the whole list, headings included.
        found: number of rows of the whole list.
        start: position of the first line of the page.
        rows: the page; None where a heading stands.
        place: where the item stands that was asked for, or None when it is not in the list.
        order: number of the order that the page was cut from, for :meth:`Listings.between`.
    """

    query: Query
    sections: tuple[Section, ...] = ()
    lines: int = 0
    found: int = 0
    start: int = 0
    rows: tuple[Row | None, ...] = ()
    place: int | None = None
    order: int = 0

    def between(self, first: int, last: int) -> tuple[Row, ...] | None:
        """Return the rows between two positions of the list, both included; None where the page lacks some."""
        if first < self.start or last >= self.start + len(self.rows):
            return None
        return tuple(row for row in self.rows[first - self.start : last + 1 - self.start] if row is not None)

    @property
    def middle(self) -> int:
        """Position in the middle of the page."""
        return self.start + len(self.rows) // 2

    @property
    def whole(self) -> bool:
        """Whether the page is all there is."""
        return len(self.rows) == self.lines


class Listings:
    """Puts the queue in order, and remembers the order for as long as queue and query stay what they are.

    Args:
        queue: the rows and their states.
        now: UTC seconds, for ages.
    """

    def __init__(self, queue: QueueModel, now: Callable[[], float]) -> None:
        self._queue = queue
        self._now = now
        self._states: dict[str, State] = {}
        self._known_once = False
        self._texts: dict[tuple[str, str], str] = {}
        self._made: tuple[Query, object] | None = None
        self._lines: list[Row | None] = []
        self._sections: tuple[Section, ...] = ()
        self._order = 0

    def page(self, query: Query, around: str | int = 0, size: int | None = None) -> Listing:
        """Return the lines around an item or a position, ``size`` (or :data:`PAGE`) of them where there are so many."""
        size = PAGE if size is None else size
        self._arrange(query)
        place = around if isinstance(around, int) else self._place(around)
        count = len(self._lines)
        start = 0 if count <= size else max(0, min((place or 0) - size // 2, count - size))
        found = count - len(self._sections)
        rows = tuple(self._lines[start : start + size])
        at = place if isinstance(around, str) else None
        return Listing(query, self._sections, count, found, start, rows, at, self._order)

    def ids(self, query: Query) -> tuple[str, ...]:
        """Return the item ids of all rows."""
        self._arrange(query)
        return tuple(row.id for row in self._lines if row is not None)

    def between(self, page: Listing, first: int | str, last: int) -> tuple[Row, ...] | None:
        """Return the rows between two positions of the very list that a page was cut from, whichever comes first.

        Args:
            page: what is on screen.
            first: one position, or an item that stands there; nothing is found where it does not.
            last: the other position, included too.

        Returns:
            The rows; None when some came, went or moved since: then a position means another row than on screen.
        """
        if page.order != self._order:
            return None
        at = self._place(first) if isinstance(first, str) else first
        if at is None:
            return ()
        first, last = sorted((at, last))
        return tuple(row for row in self._lines[first : last + 1] if row is not None)

    def _place(self, name: str) -> int | None:
        """Return where an item stands, also when it is not the oldest of its group."""
        oldest = self._queue.group(name)[0]
        return next((at for at, row in enumerate(self._lines) if row is not None and row.id == oldest), None)

    # -- putting in order ------------------------------------------------------------------------------------------

    def _arrange(self, query: Query) -> None:
        made = (query if query.names_marks else replace(query, marked=frozenset()), self._queue.version)
        if self._made == made and not query.names_ages:
            return
        self._remember(self._queue.rows())
        if query.deferred:
            self._show(self._deferred(query), made)
            return
        wanted = self._wanted(self._queue.rows(), query)
        ahead = [row for row in wanted if row.id not in query.skipped]
        behind = [row for row in wanted if row.id in query.skipped]
        self._show([*self._grouped(ahead, query), *([(SKIPPED, behind)] if behind else [])], made)

    def _show(self, groups: Iterable[tuple[str | None, Sequence[Row]]], made: tuple[Query, object]) -> None:
        self._lines = []
        sections: list[Section] = []
        for key, members in groups:
            self._add(key, members, sections)
        self._sections = tuple(sections)
        self._made = made
        self._order += 1

    def _deferred(self, query: Query) -> Iterable[tuple[str, Sequence[Row]]]:
        """Return the deferred rows under the day they are back, the first day first; those without one at the end."""
        days = {name: one.until for name, one in self._queue.deferrals.deferred.items()}
        rows = [Row(one, (one.id,), self._queue.conditions(one.id)) for one in self._queue.deferred()]
        wanted = sorted(self._wanted(rows, query), key=lambda row: (not days[row.id], days[row.id]))
        for day, members in groupby(wanted, key=lambda row: days[row.id]):
            yield f"{DEFERRED} {day}".strip(), list(members)

    def _add(self, key: str | None, members: Sequence[Row], sections: list[Section]) -> None:
        if key is not None:
            waiting = sum(len(row.members) for row in members)
            sections.append(Section(key, len(self._lines), len(members), waiting))
            self._lines.append(None)
        self._lines.extend(members)

    def _remember(self, rows: Sequence[Row]) -> None:
        """Keep the last known state of every row; what comes to a list that was in order gets its place at once."""
        if self._queue.complete:
            self._states = {row.id: row.state for row in rows if row.state is not None}
            self._known_once = True
            return
        known = self._states
        self._states = {row.id: state for row in rows if (state := known.get(row.id) or row.state) is not None}
        if self._known_once:
            came = (row.id for row in rows if row.id not in known)
            for name in islice(came, _PLACED_AT_ONCE):
                self._states[name] = self._queue.conditions(name)[0]

    def _wanted(self, rows: Sequence[Row], query: Query) -> Sequence[Row]:
        terms = parse(query.words)
        if not terms:
            return rows
        now = self._now()
        known = {(row.id, row.proposal.digest) for row in rows}
        self._texts = {key: text for key, text in self._texts.items() if key in known}
        return [row for row in rows if self._fits(terms, row, query, now)]

    def _fits(self, terms: Sequence[Term], row: Row, query: Query, now: float) -> bool:
        state = row.state or self._states.get(row.id)
        text, away = self._text(row), query.deferred
        names = "\n".join((row.id, *row.members)).casefold()
        return fits(terms, Candidate(row.id, len(row.members), row.proposal, text, state, away, names), query, now)

    def _text(self, row: Row) -> str:
        key = (row.id, row.proposal.digest)
        text = self._texts.get(key)
        if text is None:
            # a group is found by any of its wordings
            others = (self._queue.proposal(name) for name in row.members if name != row.id)
            text = "\n".join(searched(one) for one in (row.proposal, *others) if one is not None)
            self._texts[key] = text
        return text

    def _grouped(self, rows: Sequence[Row], query: Query) -> Iterable[tuple[str | None, Sequence[Row]]]:
        ordered = rows if query.sort is Sort.OLDEST else sorted(rows, key=_ORDERS[query.sort])
        if query.group is Group.NOTHING or (query.group is Group.STATE and not self._known_once):
            # before states were known for the first time rows stand as they came
            return [(None, ordered)] if ordered else []
        if query.group is Group.STATE:
            ordered = sorted(ordered, key=self._rank)
            return [(key, list(members)) for key, members in groupby(ordered, key=self._key)]
        key_of = document_name if query.group is Group.DOCUMENT else _origin
        ordered = sorted(ordered, key=lambda row: key_of(row.proposal))
        return [(key, list(members)) for key, members in groupby(ordered, key=lambda row: key_of(row.proposal))]

    def _key(self, row: Row) -> str:
        return str(self._states.get(row.id) or "")

    def _rank(self, row: Row) -> int:
        state = self._states.get(row.id)
        return _RANK[state] if state is not None else len(_RANK)


def _origin(proposal: Proposal) -> str:
    return proposal.origin


def _newest(row: Row) -> tuple[float, str]:
    return (-row.proposal.order[0], row.id)


def _largest(row: Row) -> tuple[int, tuple[float, str]]:
    return (-growth(row.proposal), row.proposal.order)


def _by_text(row: Row) -> tuple[str, tuple[float, str]]:
    steps = row.proposal.operations
    return ((steps[0].content or steps[0].pin or "").casefold() if steps else "", row.proposal.order)


_ORDERS: dict[Sort, Callable[[Row], Any]] = {Sort.NEWEST: _newest, Sort.GROWTH: _largest, Sort.TEXT: _by_text}
