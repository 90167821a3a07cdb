"""How a queue or an item comes onto the review screen: the list, the text, and the rows that tell about them.

Here: reading what shall be shown, drawing it, telling the gate. Not here: the state (``model``), layout
(``screens.review``), questions (``asking``). Nothing on screen changes by itself except counters and new rows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from curator_tui.core.errors import CuratorError, UnknownItem
from curator_tui.core.preflight import State
from curator_tui.core.proposals import Edit
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Board, Looked, look
from curator_tui.curator.queue_model import Row
from curator_tui.tui.actions import answer_keys, key_for
from curator_tui.tui.facts import counted, facts
from curator_tui.tui.gates import Frame
from curator_tui.tui.gauges import outcome_gauge, standing_gauges
from curator_tui.tui.page_lines import Look, Page, PageLine
from curator_tui.tui.pages import empty_page, item_page, opening_page, split_facts
from curator_tui.tui.queue_rows import QueueRows, head_line
from curator_tui.tui.review.marking import marked_words
from curator_tui.tui.review.model import NOTHING, OF_ROWS
from curator_tui.tui.review.part import Part
from curator_tui.tui.shown import EMPTY, Line, Shown, own, shown_line
from curator_tui.tui.side_by_side import ROOM
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine, Rule
from curator_tui.tui.widgets.reader import Reader

if TYPE_CHECKING:
    from curator_tui.core.questions import Question


class Showing(Part):
    """Brings the queue and an item onto the screen."""

    _is_troubled = False

    # -- the queue -------------------------------------------------------------------------------------------------

    def take_board(self, taken: Board, cursor: str | None = None) -> None:
        """Show the queue as read and have worked out what is not known of it yet."""
        self.show_board(taken, cursor)
        if taken.counts is None:
            self.screen.live.work_out_states()
        if self.app.session.wants_other_than(taken.listing.query):
            self.screen.paging.put_in_order(cursor)  # something else was asked for while it was read

    def show_board(self, taken: Board, cursor: str | None = None) -> None:
        """Show the queue as read; the cursor stays on its item, or goes to the one named."""
        before = self.screen.queue.cursor
        wanted = cursor or self.model.wanted[0]
        keep = (self.model.gone, before) if self.model.gone is not None else None
        known = {one.id for one in self.model.rows.questions} if self.model.rows is not None else None
        self.model.board = taken
        self.model.rows = QueueRows(taken, self.app.session, self.app.gate.mark_of, keep)
        place = self.model.rows.place(wanted) if wanted else None
        # a question comes in above everything else, where nobody would see it
        asked = known is None or not known.issuperset(one.id for one in self.model.rows.questions)
        self.screen.queue.show(self.model.rows, before if place is None else place, from_top=asked)
        if place is None and cursor is not None and not taken.listing.whole:
            self.screen.paging.put_in_order(cursor)  # it stands on another page
        self.draw_head()
        self.screen.draw_status()

    def current_row(self) -> Row | None:
        """Return the row under the cursor."""
        return self.model.rows.row(self.screen.queue.cursor) if self.model.rows is not None else None

    def current_question(self) -> Question | None:
        """Return the question under the cursor."""
        return self.model.rows.question(self.screen.queue.cursor) if self.model.rows is not None else None

    def tell_no_row(self) -> None:
        """Say why a key for items does nothing where the cursor stands."""
        if self.current_question() is not None:
            words = own(
                "this is a question about an entry: {} keeps it, {} corrects it, {} removes it",
                *answer_keys(),
                role="warn",
            )
            self.screen.say((words,))

    def nearest_in(self, taken: Board) -> str | None:
        """Return the item under the cursor if it still waits, else the next one below that does, else the one above."""
        if self.model.rows is None:
            return None
        left = {member for row in taken.rows for member in row.members}
        at = self.screen.queue.cursor
        around = (*range(max(at, 0), len(self.model.rows)), *range(at - 1, -1, -1))
        found = (self.model.rows.row(place) for place in around)
        return next((name for row in found if row is not None for name in row.members if name in left), None)

    def draw_head(self) -> None:
        """Draw the column headings and the title."""
        assert self.model.rows is not None
        session = self.app.session
        row = self.current_row()
        asked = self.current_question()
        self.model.rows.current = row.id if row is not None else asked.id if asked is not None else ""
        found = self.model.rows.found if session.words else None
        marked = marked_words(session) if session.marked else Shown("")
        left, right = head_line(self.screen.queue.row_width or 80, marked, found)
        self.screen.query_one("#head", OneLine).show(left, right, keep_right=True)
        self.screen.draw_title(self.model.board, *self._title_parts())

    def _title_parts(self) -> tuple[list[Line], list[list[Line]] | None]:
        """Return what the title tells, and what of it where there is less room."""
        if self.model.board is None:
            return [], None
        counts = self.model.board.counts
        ready = (
            own("{}{} ready", counts.get(State.READY, 0), _or_more(self.model.board), role="good")
            if counts is not None
            else own("… ready", role="dim")
        )
        waiting = own("{} waiting", self.model.board.waiting, role="strong")
        # a question may be above all that is in sight, what is ready has its number over the rows, too
        questions = len(self.model.board.questions)
        asked: list[Line] = [(own("{}", counted(questions, "question"), role="warn"),)] if questions else []
        beside: list[Line] = []
        if self.model.board.facts.provider:
            beside.append((own("also {}", shown_line(self.model.board.facts.provider, 12), role="dim"),))
        if self.model.board.deferred:
            told = own("{} deferred ({})", self.model.board.deferred, key_for("view.deferred"), role="dim")
            beside.append((told,))
        numbers: tuple[Line, Line] = (waiting, own(" "), ready), (waiting,)
        whole, *shorter = ([*beside[at:], one, *asked] for at in range(len(beside) + 1) for one in numbers)
        return whole, shorter

    # -- the item --------------------------------------------------------------------------------------------------

    def open_item(self, name: str, edit: Edit | None = None) -> None:
        """Read an item, as it stands or with an edit, and show it."""
        self.model.wanted = (name, edit or Edit())
        self.screen.work(partial(self.open_now, *self.model.wanted), "item")

    async def open_now(self, name: str, edit: Edit) -> None:
        """Read an item in the clerk's thread and show it, if it is still the one that is wanted."""
        self.model.wanted = (name, edit)

        def read(desk: Desk) -> Looked | None:
            # of many moves in a row only the last is worth reading
            return look(desk, name, edit) if self.model.wanted == (name, edit) else None

        try:
            looked = await self.app.clerk.ask(read)
        except UnknownItem:
            self.app.gate.hide()
            self.app.session.changed.add(name)
            self.draw_ways()
        except CuratorError as error:
            self.screen.fail(error)
        else:
            if looked is not None and self.model.wanted == (name, edit):
                self.show_item(looked)

    def show_item(self, looked: Looked, *, keep: bool = False) -> None:
        """Show an item; from now on the gate knows only this."""
        self.now_about(looked.id)
        self.model.looked, self.model.asked = looked, None
        self.model.wanted = (looked.id, looked.edit)
        self.draw_item(keep=keep)
        self.screen.live.look_for_evidence()

    def now_about(self, name: str) -> None:
        """Take back what was said about another item, and what was known of this one before it was read again."""
        read_again = name in self.app.session.changed
        if self.model.told_of not in {"", name} or (read_again and self.model.told_of):
            self.screen.say(EMPTY)
        self.app.session.changed.discard(name)
        self.model.gone = None

    def draw_item(self, *, keep: bool = False) -> None:
        """Draw the item that is shown once more, with other marks, contexts or evidence."""
        if self.model.asked is not None and self.model.laid_out:
            self.screen.asking.draw_question(keep=keep)
        if self.model.looked is None or not self.model.laid_out:
            return
        now = self.model.board.now if self.model.board is not None else 0.0
        told = facts(self.model.looked, now, self.model.source_of(self.model.looked), self.app.clerk.desk.actor)
        if self.app.trouble is not None:
            last = own("as last read, which need not hold any more: ", role="bad")
            told = (told[0]._replace(body=(last, *told[0].body)), *told[1:])
        pane = self.screen.query_one("#facts", Reader)
        below, rest = split_facts(told, pane.size)
        pane.show(Page(self.model.looked.id, "", tuple(below)))
        size = self.screen.reader.size
        look = self.model.look._replace(
            rows=size.height, split=self.model.look.split and size.width >= ROOM, sizes=True
        )
        build = partial(_framed, self.model.looked, look, rest)
        if not self.model.looked.heavy:
            self._put_page(*build(), keep=keep)
            return
        if (self.model.page.name, self.model.page.digest) != (self.model.looked.id, self.model.looked.digest):
            self.app.gate.hide()
            self.show_opening()
        self.screen.work(partial(self._build_page, self.model.looked, build, keep=keep), "text")

    async def _build_page(self, looked: Looked, build: Callable[[], tuple[Page, Frame]], *, keep: bool) -> None:
        """Make a page that takes long in a thread, so that no key waits for it; what stood before stays till then."""
        page, frame = await asyncio.to_thread(build)
        if self.model.looked is looked:
            self._put_page(page, frame, keep=keep)

    def _put_page(self, page: Page, frame: Frame, *, keep: bool) -> None:
        self.model.page = page
        if self.app.gate.frame != frame:
            self.app.gate.begin(frame)
        self.screen.reader.show(page, keep=keep)
        self.draw_gauge()
        self.draw_divider()
        self.screen.draw_status()

    def show_opening(self) -> None:
        """Show that the item under the cursor is being read."""
        self.model.page = opening_page()
        self.screen.reader.show(self.model.page)
        self.draw_gauge()
        self.draw_divider()

    def show_nothing(self) -> None:
        """Show that nothing waits, and what can be done next."""
        self.model.looked = self.model.asked = None
        self.model.wanted = ("", Edit())
        if self.model.told_of:
            self.screen.say(EMPTY)
        self.app.gate.hide()
        session = self.app.session
        if not self.model.laid_out:
            return
        filtered = bool(session.words) and self.model.board is not None and self.model.board.waiting > 0
        deferred = (self.model.board.deferred or 0) if self.model.board is not None else 0
        undo = session.last is not None
        self.model.page = empty_page(session.decided, deferred, filtered=filtered, undo=undo)
        if self.app.trouble is not None:
            words = own("The store cannot be read, so what waits is not known.", role="bad")
            self.model.page = Page("", "", (PageLine((words,), (own("  "),)),))
        self.screen.reader.show(self.model.page)
        self.screen.query_one("#facts", Reader).show(NOTHING)
        self.draw_gauge()
        self.draw_divider()

    async def open_no_row(self) -> None:
        """Show the question under the cursor, or that nothing is there."""
        if (question := self.current_question()) is not None:
            await self.screen.asking.open_question_now(question)
        else:
            self.show_nothing()

    def draw_gauge(self) -> None:
        """Show the sizes of what the page is about."""
        row = self.screen.query_one("#gauge", OneLine)
        if self.model.looked is not None and self.model.looked.documents:
            row.show(*outcome_gauge(self.model.looked.documents[0]), keep_right=True)
        elif self.model.board is not None and self.model.board.documents is not None:
            row.show(standing_gauges(self.model.board.snapshot, row.size.width))

    def draw_trouble(self) -> None:
        """Take back what is promised of the item while the store cannot be read, and promise it again after that."""
        if self.model.board is None or (self.app.trouble is not None) == self._is_troubled:
            return
        self._is_troubled = self.app.trouble is not None
        if self.model.looked is None and self.model.asked is None and self.current_row() is None:
            self.show_nothing()
        else:
            self.draw_item(keep=True)
        self.draw_ways()

    # -- the rows that tell ----------------------------------------------------------------------------------------

    def draw_ways(self) -> None:
        """Say what can be done now, in both lines that do: what they say has to agree."""
        self.draw_divider()
        self.screen.draw_status()

    def draw_divider(self) -> None:
        """Say where in the page we are and whether ``a`` is open."""
        left: Line = EMPTY
        if self.model.page.changes:
            left = (own("change {} of {}", (self.screen.reader.change_in_view() or 0) + 1, self.model.page.changes),)
        if self.screen.reader.below:
            left = (
                *left,
                own("  "),
                own("{} below ({})", counted(self.screen.reader.below, "row"), key_for("page.down"), role="head"),
            )
        self.screen.query_one("#divider", Rule).show(left, self.model.lock_words(), keep_right=True)
        nothing = self.model.rows is not None and not len(self.model.rows)
        locked = OF_ROWS if nothing else frozenset({"decide.approve"} if self.model.a_is_locked() else ())
        self.screen.query_one("#keys", KeyRow).dim(locked, self.model.hidden_keys(), self.model.key_labels())

    # -- painting and the gate -------------------------------------------------------------------------------------

    def painted(self, event: Reader.Painted) -> None:
        """Tell the gate what reached the screen."""
        gate = self.app.gate
        if event.page is not self.model.page or gate.frame is None:
            return
        name, record = gate.frame.item, gate.frame.record
        before = gate.mark_of(name, record)
        gate.painted(event.parts, monotonic())
        place = self.model.rows.place(name) if self.model.rows is not None else None
        if gate.mark_of(name, record) != before and place is not None:
            self.screen.queue.touch(place)
        self.draw_divider()

    def forget_painted(self) -> None:
        """What is not on screen cannot be decided: it counts again once it was painted again."""
        self.app.gate.cover()


def _or_more(taken: Board) -> Shown:
    """Return the sign of a number that is only that of the beginning of the queue: so many, or more."""
    return Shown("+" if taken.only_begun else "")


def _framed(looked: Looked, look: Look, details: Sequence[PageLine]) -> tuple[Page, Frame]:
    """Return the page of an item and the frame that the gate is bound to."""
    page = item_page(looked, look, details)
    # without what follows the last change: details that arrive later make no other frame
    lines = tuple(line.key for line in page.lines[: page.last_change + 1])
    return page, Frame(page.name, page.digest, lines, looked.item.found.proposal.digest)
