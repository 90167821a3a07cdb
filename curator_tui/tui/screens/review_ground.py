"""The ground of the review screen: what it shows now, and how an item or a queue comes onto it.

Here: board, item, page and gate, and the rows that tell about them. Not here: what the keys do with it
(``review_state``), layout and start (``review``), moving (``moving``), live refresh (``live``), deciding
(``deciding``), taking back (``reverting``), marks (``marking``).
Nothing on screen changes by itself except counters and new rows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from textual import on

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
from curator_tui.tui.screens.review_state import NOTHING, OF_ROWS, ReviewState
from curator_tui.tui.shown import EMPTY, Line, own, shown_line
from curator_tui.tui.side_by_side import ROOM
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine, Rule
from curator_tui.tui.widgets.reader import Reader

if TYPE_CHECKING:
    from curator_tui.core.questions import Question
    from curator_tui.curator.values import Evidence


class ReviewGround(ReviewState):
    """How the review screen is drawn."""

    # -- saying ----------------------------------------------------------------------------------------------------

    def say(self, line: Line) -> None:
        """Say something that stays true whatever is looked at."""
        self._told_of = ""
        super().say(line)

    def say_of_item(self, line: Line) -> None:
        """Say something about the item that is wanted on screen; it goes when another one is shown."""
        self.say(line)
        self._told_of = self.wanted[0]

    # -- the queue -------------------------------------------------------------------------------------------------

    def take_board(self, taken: Board, cursor: str | None = None) -> None:
        """Show the queue as read and have worked out what is not known of it yet."""
        self.show_board(taken, cursor)
        if taken.counts is None:
            self.work_out_states()
        if self.app.session.wants_other_than(taken.listing.query):
            self.put_in_order(cursor)  # something else was asked for while it was read

    def show_board(self, taken: Board, cursor: str | None = None) -> None:
        """Show the queue as read; the cursor stays on its item, or goes to the one named."""
        before = self.queue.cursor
        wanted = cursor or self.wanted[0]
        keep = (self.gone, before) if self.gone is not None else None
        self.board = taken
        self.rows = QueueRows(taken, self.app.session, self.app.gate.mark_of, keep)
        place = self.rows.place(wanted) if wanted else None
        self.queue.show(self.rows, before if place is None else place)
        if place is None and cursor is not None and not taken.listing.whole:
            self.put_in_order(cursor)  # it stands on another page
        self.draw_head()
        self.draw_status()

    def put_in_order(self, cursor: str | None = None) -> None:
        """Put the queue in the order that is wanted now (see ``paging``)."""

    def work_out_states(self) -> None:
        """Work out what is not known yet (see ``live``)."""

    def current_row(self) -> Row | None:
        """Return the row under the cursor."""
        return self.rows.row(self.queue.cursor) if self.rows is not None else None

    def current_question(self) -> Question | None:
        """Return the question under the cursor."""
        return self.rows.question(self.queue.cursor) if self.rows is not None else None

    def tell_no_row(self) -> None:
        """Say why a key for items does nothing where the cursor stands."""
        if self.current_question() is not None:
            words = own(
                "this is a question about an entry: {} keeps it, {} corrects it, {} removes it",
                *answer_keys(),
                role="warn",
            )
            self.say((words,))

    def nearest_in(self, taken: Board) -> str | None:
        """Return the item under the cursor if it still waits, else the next one below that does, else the one above."""
        if self.rows is None:
            return None
        left = {member for row in taken.rows for member in row.members}
        at = self.queue.cursor
        around = (*range(max(at, 0), len(self.rows)), *range(at - 1, -1, -1))
        found = (self.rows.row(place) for place in around)
        return next((name for row in found if row is not None for name in row.members if name in left), None)

    def draw_head(self) -> None:
        """Draw the column headings and the title."""
        assert self.rows is not None
        session = self.app.session
        row = self.current_row()
        asked = self.current_question()
        self.rows.current = row.id if row is not None else asked.id if asked is not None else ""
        found = self.rows.found if session.words else None
        left, right = head_line(self.queue.size.width or 80, len(session.marked), found)
        self.query_one("#head", OneLine).show(left, right, keep_right=True)
        self.draw_title(self.board, self._title_parts())

    def _title_parts(self) -> list[Line]:
        if self.board is None:
            return []
        counts = self.board.counts
        ready = (
            own("{} ready", counts.get(State.READY, 0), role="good")
            if counts is not None
            else own("… ready", role="dim")
        )
        parts: list[Line] = [(own("{} waiting ", self.board.waiting, role="strong"), ready)]
        if self.board.deferred:
            told = own("{} deferred ({})", self.board.deferred, key_for("view.deferred"), role="dim")
            parts.insert(0, (told,))
        if self.board.facts.provider:
            parts.insert(0, (own("also {}", shown_line(self.board.facts.provider, 12), role="dim"),))
        return parts

    # -- the item --------------------------------------------------------------------------------------------------

    def open_item(self, name: str, edit: Edit | None = None) -> None:
        """Read an item, as it stands or with an edit, and show it."""
        self.wanted = (name, edit or Edit())
        self.work(partial(self.open_now, *self.wanted), "item")

    async def open_now(self, name: str, edit: Edit) -> None:
        """Read an item in the clerk's thread and show it, if it is still the one that is wanted."""
        self.wanted = (name, edit)

        def read(desk: Desk) -> Looked | None:
            # of many moves in a row only the last is worth reading
            return look(desk, name, edit) if self.wanted == (name, edit) else None

        try:
            looked = await self.app.clerk.ask(read)
        except UnknownItem:
            self.app.gate.hide()
            self.app.session.changed.add(name)
            self.draw_divider()
        except CuratorError as error:
            self.fail(error)
        else:
            if looked is not None and self.wanted == (name, edit):
                self.show_item(looked)

    def show_item(self, looked: Looked, *, keep: bool = False) -> None:
        """Show an item; from now on the gate knows only this."""
        self.now_about(looked.id)
        self.looked, self.asked = looked, None
        self.wanted = (looked.id, looked.edit)
        self.draw_item(keep=keep)
        self.look_for_evidence()

    def now_about(self, name: str) -> None:
        """Take back what was said about another item, and what was known of this one before it was read again."""
        if self._told_of not in {"", name}:
            self.say(EMPTY)
        self.app.session.changed.discard(name)
        self.gone = None

    def open_question(self, question: Question) -> None:
        """Read what a question is about and show it (see ``asking``)."""

    async def open_question_now(self, question: Question) -> None:
        """Show a question (see ``asking``)."""

    def draw_question(self, *, keep: bool = False) -> None:
        """Draw the question that is shown (see ``asking``)."""

    def source_of(self, looked: Looked) -> Evidence | None:
        """Return where the claim came from, once that is known: of this record, not of another under the same id."""
        return self.sources.get((looked.id, looked.item.found.proposal.digest))

    def look_for_evidence(self) -> None:
        """Look for where the claim came from (see ``live``)."""

    def draw_item(self, *, keep: bool = False) -> None:
        """Draw the item that is shown once more, with other marks, contexts or evidence."""
        if self.asked is not None and self.laid_out:
            self.draw_question(keep=keep)
        if self.looked is None or not self.laid_out:
            return
        now = self.board.now if self.board is not None else 0.0
        told = facts(self.looked, now, self.source_of(self.looked), self.app.clerk.desk.actor)
        pane = self.query_one("#facts", Reader)
        below, rest = split_facts(told, pane.size)
        pane.show(Page(self.looked.id, "", tuple(below)))
        size = self.reader.size
        look = self.look._replace(rows=size.height, split=self.look.split and size.width >= ROOM, sizes=True)
        build = partial(_framed, self.looked, look, rest)
        if not self.looked.heavy:
            self._put_page(*build(), keep=keep)
            return
        if (self.page.name, self.page.digest) != (self.looked.id, self.looked.digest):
            self.app.gate.hide()
            self.show_opening()
        self.work(partial(self._build_page, self.looked, build, keep=keep), "page")

    async def _build_page(self, looked: Looked, build: Callable[[], tuple[Page, Frame]], *, keep: bool) -> None:
        """Make a page that takes long in a thread, so that no key waits for it; what stood before stays till then."""
        page, frame = await asyncio.to_thread(build)
        if self.looked is looked:
            self._put_page(page, frame, keep=keep)

    def _put_page(self, page: Page, frame: Frame, *, keep: bool) -> None:
        self.page = page
        if self.app.gate.frame != frame:
            self.app.gate.begin(frame)
        self.reader.show(page, keep=keep)
        self.draw_gauge()
        self.draw_divider()
        self.draw_status()

    def show_opening(self) -> None:
        """Show that the item under the cursor is being read."""
        self.page = opening_page()
        self.reader.show(self.page)
        self.draw_gauge()
        self.draw_divider()

    def show_nothing(self) -> None:
        """Show that nothing waits, and what can be done next."""
        self.looked = self.asked = None
        self.wanted = ("", Edit())
        self.app.gate.hide()
        session = self.app.session
        if not self.laid_out:
            return
        filtered = bool(session.words) and self.board is not None and self.board.waiting > 0
        deferred = (self.board.deferred or 0) if self.board is not None else 0
        self.page = empty_page(session.decided, deferred, filtered=filtered)
        self.reader.show(self.page)
        self.query_one("#facts", Reader).show(NOTHING)
        self.draw_gauge()
        self.draw_divider()

    async def open_no_row(self) -> None:
        """Show the question under the cursor, or that nothing is there."""
        if (question := self.current_question()) is not None:
            await self.open_question_now(question)
        else:
            self.show_nothing()

    def draw_gauge(self) -> None:
        """Show the sizes of what the page is about."""
        row = self.query_one("#gauge", OneLine)
        if self.looked is not None and self.looked.documents:
            row.show(*outcome_gauge(self.looked.documents[0]), keep_right=True)
        elif self.board is not None and self.board.documents is not None:
            row.show(standing_gauges(self.board.snapshot))

    # -- the rows that tell ----------------------------------------------------------------------------------------

    def draw_divider(self) -> None:
        """Say where in the page we are and whether ``a`` is open."""
        left: Line = EMPTY
        if self.page.changes:
            left = (own("change {} of {}", (self.reader.change_in_view() or 0) + 1, self.page.changes),)
        if self.reader.below:
            left = (*left, own("  {} below ({})", counted(self.reader.below, "row"), key_for("page.down"), role="head"))
        self.query_one("#divider", Rule).show(left, self.lock_words())
        nothing = self.rows is not None and not len(self.rows)
        locked = OF_ROWS if nothing else frozenset({"decide.approve"} if self.a_is_locked() else ())
        self.query_one("#keys", KeyRow).dim(locked, self.hidden_keys(), self.key_labels())

    # -- painting and the gate -------------------------------------------------------------------------------------

    @on(Reader.Painted, "#reader")
    def _painted(self, event: Reader.Painted) -> None:
        """Tell the gate what reached the screen."""
        event.stop()
        gate = self.app.gate
        if event.page is not self.page or gate.frame is None:
            return
        name, record = gate.frame.item, gate.frame.record
        before = gate.mark_of(name, record)
        gate.painted(event.parts, monotonic())
        place = self.rows.place(name) if self.rows is not None else None
        if gate.mark_of(name, record) != before and place is not None:
            self.queue.touch(place)
        self.draw_divider()

    @on(Reader.Rewrapped, "#reader")
    def _rewrapped(self, event: Reader.Rewrapped) -> None:
        event.stop()
        self.app.gate.rewrapped()

    @on(Reader.Hidden, "#reader")
    def _hidden(self, event: Reader.Hidden) -> None:
        event.stop()
        self.forget_painted()

    @on(Reader.Scrolled, "#reader")
    def _scrolled(self, event: Reader.Scrolled) -> None:
        event.stop()
        self.draw_divider()

    def forget_painted(self) -> None:
        """What is not on screen cannot be decided: it counts again once it was painted again."""
        if self.app.gate.frame is not None:
            self.app.gate.begin(self.app.gate.frame)

    def on_screen_suspend(self) -> None:
        """Another screen covers this one."""
        self.forget_painted()

    def on_screen_resume(self) -> None:
        """Paint again what was covered."""
        if self.board is not None:
            self.reader.refresh()
            self.draw_status()


def _framed(looked: Looked, look: Look, details: Sequence[PageLine]) -> tuple[Page, Frame]:
    """Return the page of an item and the frame that the gate is bound to."""
    page = item_page(looked, look, details)
    # without what follows the last change: details that arrive later make no other frame
    lines = tuple(line.key for line in page.lines[: page.last_change + 1])
    return page, Frame(page.name, page.digest, lines, looked.item.found.proposal.digest)
