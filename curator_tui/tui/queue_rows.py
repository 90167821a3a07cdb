"""The rows of the queue as the list shows them: a page of it, the headings of all sections, columns.

Here: positions on screen, the words of headings and rows. Open questions stand above the page: they are no proposals,
so no mark, plan or page knows of them. Not here: order and filter (``curator.listing``), painting
(``widgets.row_list``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from curator_tui.core.preflight import State
from curator_tui.core.questions import Question
from curator_tui.curator.listing import SKIPPED, Listing, Section
from curator_tui.curator.looking import Board
from curator_tui.curator.queries import DEFERRED, OPERATION_LETTERS, QUESTION, Group, asks
from curator_tui.curator.queue_model import Row
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import age, age_of, counted, operation_word, question_line, state_piece, summary, target_word
from curator_tui.tui.session import Session
from curator_tui.tui.shown import EMPTY, Line, Piece, Shown, own, padded, say, shown_line, width_of

# cells of the columns, from the left: cursor and mark, seen, state, operation, document; then age and number of a group
_STATE, _TARGET, _AGE, _GROUP = 10, 6, 4, 3
_NARROW = 60
_WATCHER = 10
_WHOSE = 10
_OFFERED = 20


class QueueRows:
    """Rows of one board in the order of the screen.

    Args:
        board: the queue as read.
        session: marks, skipped items and the filter.
        mark_of: mark of the S column by item id and digest of its record.
        keep: a row that is looked at although it left the queue, and the place it had.
        here: the row under the cursor and its place, so that it is known also when another page is looked at.
    """

    def __init__(
        self,
        board: Board,
        session: Session,
        mark_of: Callable[[str, str], str],
        keep: tuple[Row, int] | None = None,
        here: tuple[Row, int] | None = None,
    ) -> None:
        self._session = session
        self._mark_of = mark_of
        self._now = board.now
        self._claims = board.claims
        self._listing = listing = board.listing
        self._counted = board.counts is not None
        self._headings = {section.place: section for section in listing.sections}
        self.current = ""
        self._here = here
        words = listing.query.words
        self._asked = tuple(one for one in board.questions if not words.strip() or asks(words, one, board.now))
        self._lead = len(self._asked) + 1 if self._asked else 0  # their rows, and the heading over them
        self.found = listing.found + len(self._asked)
        self._places = {row.id: at for at, row in enumerate(listing.rows, listing.start) if row is not None}
        # a row that is gone stands between the others, which move on by one
        self._kept = keep[0] if keep is not None and keep[0].id not in self._places else None
        last = self._lead + listing.lines
        self._kept_at = max(self._lead, min(keep[1], last)) if keep is not None and self._kept is not None else last

    def __len__(self) -> int:
        return self._lead + self._listing.lines + (self._kept is not None)

    def listed(self, index: int) -> int:
        """Return the position in the listing of a position on screen; it is negative for a question."""
        return index - self._lead - (self._kept is not None and index > self._kept_at)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return the ends, in the listing, of the rows between two positions on screen; a row that is gone is none."""
        return max(self.listed(first), 0), self.listed(last) - self._is_kept(last)

    def _on_screen(self, at: int) -> int:
        index = at + self._lead
        return index + 1 if self._kept is not None and index >= self._kept_at else index

    def selectable(self, index: int) -> bool:
        """Whether a row is an item or a question."""
        if index < self._lead:
            return index > 0
        return self._is_kept(index) or self.listed(index) not in self._headings

    def question(self, index: int) -> Question | None:
        """Return the question of a row, None for any other row."""
        return self._asked[index - 1] if 0 < index < self._lead else None

    @property
    def listing(self) -> Listing:
        """The page that is listed."""
        return self._listing

    @property
    def questions(self) -> Sequence[Question]:
        """The questions above the page."""
        return self._asked

    def _is_kept(self, index: int) -> bool:
        return self._kept is not None and index == self._kept_at

    def row(self, index: int) -> Row | None:
        """Return the item of a row, None for a heading and for one that is on another page."""
        if self._is_kept(index):
            return self._kept
        at = self.listed(index) - self._listing.start
        if index >= self._lead and 0 <= at < len(self._listing.rows):
            return self._listing.rows[at]
        return self._here[0] if self._here is not None and self._here[1] == index else None

    def holds(self, first: int, last: int) -> bool:
        """Whether all rows between two positions are on the page."""
        start, end = self._listing.start, self._listing.start + len(self._listing.rows)
        return start <= max(self.listed(max(first, 0)), 0) and self.listed(min(last, len(self) - 1)) < end

    def place(self, name: str) -> int | None:
        """Return where an item of the page stands, also when it is not the oldest of its group."""
        if self._kept is not None and self._kept.id == name:
            return self._kept_at
        if (asked := next((at for at, one in enumerate(self._asked, 1) if one.id == name), None)) is not None:
            return asked
        found = self._places.get(name)
        if found is None:
            found = next((at for at, row in self._items() if name in row.members), None)
        return self._on_screen(found) if found is not None else None

    def after(self, index: int) -> Row | None:
        """Return the next item that was not skipped, or the next one, or the one before; None when it is the last."""
        at = self.listed(index)
        following = at if self._is_kept(index) else at + 1
        rest = [row for place, row in self._items() if place >= following]
        open_ones = [row for row in rest if row.id not in self._session.skipped]
        free = [row for row in open_ones if not self.watcher(row)]
        before = [row for place, row in self._items() if place < at]
        return next(iter((*free[:1], *open_ones[:1], *before[-1:], *rest[:1])), None)

    def free_after(self, index: int) -> tuple[str, ...]:
        """Return the next items in the order of :meth:`after` that may be free, a few: others take some meanwhile."""
        first = self.after(index)
        behind = self.listed(index) if self._is_kept(index) else self.listed(index) + 1
        rest = (row for place, row in self._items() if place >= behind and row.id not in self._session.skipped)
        free = islice((row.id for row in rest if not self.watcher(row)), _OFFERED)
        return tuple(free) or ((first.id,) if first is not None else ())

    def watcher(self, row: Row) -> str:
        """Return who else looks at a row, or at another item of its group; empty for nobody."""
        return next((self._claims[name] for name in row.members if name in self._claims), "") if self._claims else ""

    def next_name(self, index: int) -> str | None:
        """Return what comes after a row: the next question, else the next item as :meth:`after` says."""
        if (following := self.question(index + 1)) is not None:
            return following.id
        row = self.after(index)
        return row.id if row is not None else self._asked[0].id if self._asked else None

    def items(self) -> Sequence[Row]:
        """Return all items of the page in the order of the screen."""
        return [row for _, row in self._items()]

    def _items(self) -> Iterable[tuple[int, Row]]:
        return ((at, row) for at, row in enumerate(self._listing.rows, self._listing.start) if row is not None)

    def line(self, index: int, width: int) -> Line:
        """Return one row laid out in columns."""
        if index < self._lead:
            return self._question_line(index, width)
        section = None if self._is_kept(index) else self._headings.get(self.listed(index))
        if section is not None:
            return (own(" "), *self._heading(section))
        row = self.row(index)
        if row is None:
            return (own("      …", role="dim"),)  # on a page that is on its way
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
        group = _GROUP + bool(row.whose)  # more may be alike than wait for one entry
        tail: Line = (
            *padded((own(" {}", age_of(row.proposal, self._now), role="dim"),), _AGE + 1, right=True),
            *padded((own(" x{}", number, role="note"),) if (number := _number(row)) > 1 else EMPTY, group + 1),
        )
        room = max(width - 7 - _STATE - 5 - (0 if narrow else _TARGET + 1) - _AGE - group - 2, 0)
        room -= width_of(whose := self._whose(row, width))
        watcher = self.watcher(row)
        here = (own("@{} ", shown_line(watcher, _WATCHER), role="warn"),) if watcher else EMPTY
        return (*lead, *whose, *padded((*here, Piece(summary(row.proposal))), room), *tail)

    def _whose(self, row: Row, width: int) -> Line:
        """Name whose memory a row is about, where the queue is that of many people."""
        if not row.whose:
            return EMPTY
        cells = _WHOSE if width >= _NARROW else _WHOSE // 2
        return (*padded((own("{}", shown_line(row.whose, cells), role="head"),), cells), own(" "))

    def _question_line(self, index: int, width: int) -> Line:
        """Return the heading of the questions, or one of them laid out in columns."""
        question = self.question(index)
        if question is None:
            found = " found" if self._listing.query.words.strip() else ""
            return (own(" "), own("question", role="warn"), own("  {}{}", len(self._asked), Shown(found), role="dim"))
        changed = question.id in self._session.changed
        lead: Line = (
            own(">   " if question.id == self.current else "    ", role="mark"),
            own(" {} ", Shown("=" if changed else self._mark_of(question.id, question.id)), role="dim"),
            *padded((own("{}", Shown(QUESTION), role="warn"),), _STATE),
            own(" {} ", Shown(OPERATION_LETTERS["ask"])),
            *(EMPTY if width < _NARROW else padded((own("{}", question.challenge.target, role="dim"),), _TARGET + 1)),
        )
        ago = age(self._now - question.challenge.at)
        tail = (*padded((own(" {}", ago, role="dim"),), _AGE + 1, right=True), own("    "))
        return (*lead, *padded((Piece(question_line(question)),), max(width - width_of((*lead, *tail)), 0)), *tail)

    def _heading(self, section: Section) -> Line:
        """Name a section and count what stands under it."""
        if section.key == SKIPPED:
            return (own("skipped for now", role="head"), own("  {}", section.rows, role="dim"))
        query = self._listing.query
        if query.deferred:
            day = section.key.removeprefix(DEFERRED).strip()
            words = say("back on {}", shown_line(day)) if day else say("until you reopen them")
            return (own("deferred: {}", words, role="head"), own("  {}", section.rows, role="dim"))
        if query.group is Group.STATE:
            name = state_piece(State(section.key) if section.key else None)
        else:
            name = own("{}", shown_line(section.key, 40) if section.key else say("not said"), role="head")
        number = say("{}", section.waiting)
        if not self._counted and query.group is Group.STATE:
            number = say("…")
        elif section.waiting != section.rows:
            number = say("{} waiting, {}", section.waiting, counted(section.rows, "row"))
        return (name, own("  {}", number, role="dim"), own(" found" if query.words.strip() else "", role="dim"))

    def _seen(self, row: Row) -> Shown:
        if row.id in self._session.changed:
            return Shown("=")
        if row.id in self._session.skipped:
            return Shown("~")
        return Shown(self._mark_of(row.id, row.proposal.digest))


def _number(row: Row) -> int:
    """Return how many items a decision about a row is about, or could be."""
    return max(len(row.members), row.people)


def head_line(width: int, marked: Shown, found: int | None) -> tuple[Line, Line]:
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
        right.append(own("{} marked ({})  ", marked, key_for("plan.open"), role="mark"))
    if found is not None:
        right.append(own("filter: {} ({})  ", found, key_for("clear"), role="mark"))
    right.append(own("AGE    ", role="label"))
    return left, tuple(right)
