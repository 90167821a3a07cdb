"""The review screen: the queue, the outcome of the item under the cursor, and what there is to say about it.

Here: layout, and which part carries out what a key, a widget or the application asks for. Not here: what is shown
(``review.model``) and the parts themselves: ``review.showing`` draws, ``paging``, ``arranging``, ``moving`` and
``marking`` are about the list, ``deciding``, ``alike``, ``picking``, ``deferring`` and ``asking`` decide, ``going_on``
shows what comes after it, and ``live`` looks again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.geometry import Size

from curator_tui.core.changes import Receipt
from curator_tui.core.documents import entry_id
from curator_tui.core.proposals import Edit
from curator_tui.core.requests import AnswerVerb
from curator_tui.curator.looking import Board, glance
from curator_tui.curator.queries import field_help
from curator_tui.tui.actions import DOCUMENTS, REVIEW, bindings
from curator_tui.tui.page_lines import Look
from curator_tui.tui.queue_rows import QueueRows
from curator_tui.tui.review.alike import DecidingAlike
from curator_tui.tui.review.arranging import Arranging
from curator_tui.tui.review.asking import Asking
from curator_tui.tui.review.deciding import Deciding
from curator_tui.tui.review.deferring import Deferring
from curator_tui.tui.review.going_on import GoingOn
from curator_tui.tui.review.live import Live
from curator_tui.tui.review.marking import Marking
from curator_tui.tui.review.model import ReviewModel
from curator_tui.tui.review.moving import Moving
from curator_tui.tui.review.paging import Paging
from curator_tui.tui.review.picking import Picking
from curator_tui.tui.review.showing import Showing
from curator_tui.tui.review.taking import Taking
from curator_tui.tui.screens.filtering import Filtering
from curator_tui.tui.screens.reverting import Reverting
from curator_tui.tui.shown import Line, message, own
from curator_tui.tui.widgets.one_line import OneLine, Rule
from curator_tui.tui.widgets.panes import Panes
from curator_tui.tui.widgets.reader import Reader
from curator_tui.tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from collections.abc import Callable

    from curator_tui.tui.copying import Copied
    from curator_tui.tui.screens.watching import Basis


class ReviewScreen(Filtering, Reverting):
    """The queue and what each write would really do."""

    SCREEN = REVIEW
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(REVIEW)]

    def __init__(self, size: Size) -> None:
        super().__init__(size)
        self.model = ReviewModel(self)
        self.showing = Showing(self)
        self.paging = Paging(self)
        self.moving = Moving(self)
        self.going_on = GoingOn(self)
        self.deciding = Deciding(self)
        self.picking = Picking(self)
        self.deferring = Deferring(self)
        self.asking = Asking(self)
        self.arranging = Arranging(self)
        self.marking = Marking(self)
        self.alike = DecidingAlike(self)
        self.live = Live(self)
        self.taking = Taking(self)

    def body(self) -> ComposeResult:
        """Put the list beside or above the outcome."""
        with Panes(self):
            with Container(id="left"):
                yield OneLine(id="head")
                yield RowList(id="rows")
            with Container(id="right"):
                yield OneLine(id="gauge")
                yield Reader(id="reader")
                yield Rule(id="divider")
                yield Reader(id="facts")

    def on_mount(self) -> None:
        """Show the first screenful; everything else is started after it, in the clerk's thread."""
        self.model.look = Look(marks=self.app.palette.mono)
        self._load()
        self.call_after_refresh(self.live.start_living)

    def start_over(self) -> None:
        """Begin anew on another desk; what was begun on the one before is given up."""
        self.workers.cancel_node(self)
        self.close_filter()
        self.model.start_over()
        self._load()
        self.live.begin()

    def _load(self) -> None:
        self.showing.show_board(glance(self.app.clerk.desk))
        self._show_place()

    def _show_place(self) -> None:
        """Show what is known of the row under the cursor."""
        if self.model.looked is not None or self.model.asked is not None:
            self.showing.draw_item(keep=True)
        elif self.showing.current_row() is not None:
            self.showing.show_opening()
        else:
            self.showing.show_nothing()

    # -- what happens on screen ------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Draw for the new size; the first one comes right after mounting."""
        if self.model.board is None:
            return
        self.model.laid_out = True
        self.showing.draw_head()
        self._show_place()

    def on_screen_suspend(self) -> None:
        """Another screen covers this one."""
        self.live.rest()
        self.showing.forget_painted()

    def on_screen_resume(self) -> None:
        """Paint again what was covered, and look at the store again."""
        self.live.wake()
        if self.model.board is not None:
            self.reader.refresh()
            self.draw_status()

    def came_back(self) -> None:
        """Read the queue again: what was done elsewhere may have made it another one."""
        self.moving.refresh()

    @on(RowList.Moved, "#rows")
    def _row_moved(self, event: RowList.Moved) -> None:
        event.stop()
        self.moving.came_to_row()

    @on(RowList.Spanned, "#rows")
    def _rows_spanned(self, event: RowList.Spanned) -> None:
        event.stop()
        if isinstance(event.source, QueueRows):
            self.marking.mark_rows(event.source, event.first, event.last)

    @on(RowList.Scrolled, "#rows")
    def _list_scrolled(self, event: RowList.Scrolled) -> None:
        event.stop()
        self.paging.scrolled(event)

    @on(Reader.Painted, "#reader")
    def _painted(self, event: Reader.Painted) -> None:
        event.stop()
        self.showing.painted(event)

    @on(Reader.Rewrapped, "#reader")
    def _rewrapped(self, event: Reader.Rewrapped) -> None:
        event.stop()
        self.app.gate.rewrapped()

    @on(Reader.Hidden, "#reader")
    def _hidden(self, event: Reader.Hidden) -> None:
        event.stop()
        self.showing.forget_painted()

    @on(Reader.Scrolled, "#reader")
    def _text_scrolled(self, event: Reader.Scrolled) -> None:
        event.stop()
        self.showing.draw_divider()

    # -- what is said ----------------------------------------------------------------------------------------------

    def say(self, line: Line) -> None:
        """Say something that stays true whatever is looked at."""
        self.model.told_of = ""
        super().say(line)

    def say_of_item(self, line: Line) -> None:
        """Say something about the item that is wanted on screen; it goes when another one is shown."""
        self.say(line)
        self.model.told_of = self.model.wanted[0]

    def standing(self) -> Line:
        """Return the undo line, or what to do first."""
        return self.model.standing()

    def why(self) -> list[Line]:
        """Say what ``a`` would do now, for the help overlay."""
        return self.model.why()

    def copied(self) -> Callable[[], Copied] | None:
        """Return what copies the texts that the item proposes, or its page."""
        return self.taking.copied()

    def basis(self) -> Basis | None:
        """Return what a dialog here is about: the item or the question that is shown, as it was painted."""
        return self.model.basis()

    # -- what undo and the filter ask for --------------------------------------------------------------------------

    @property
    def board(self) -> Board | None:
        """The queue as last read."""
        return self.model.board

    @board.setter
    def board(self, taken: Board | None) -> None:
        self.model.board = taken

    def spend(self) -> None:
        """What is painted is spent: no second key may approve what is being approved."""
        self.app.gate.hide()

    async def unspend(self) -> None:
        """Show the item under the cursor again."""
        await self.moving.open_cursor()

    async def reverted(self, receipt: Receipt, taken: Board) -> None:
        """Show the queue; the cursor goes to the first item that came back, or stays as near as it can."""
        back = receipt.returned
        first = next((row.id for row in taken.rows if not set(back).isdisjoint(row.members)), None)
        cursor = first or (back[0] if back else self.showing.nearest_in(taken))
        if receipt.change is not None:
            self.model.gone = None
            if cursor is not None and cursor != self.model.wanted[0]:
                self.model.wanted = (cursor, Edit())
        self.showing.take_board(taken, cursor)
        await self.moving.open_cursor()

    @property
    def words(self) -> str:
        """What the list is filtered by."""
        return self.app.session.words

    def set_words(self, words: str) -> None:
        """Show only rows that hold these words."""
        self.arranging.set_words(words)

    async def action_find(self) -> None:
        """Open the filter, and say which fields there are."""
        await super().action_find()
        self.say((own("fields: {}", message(field_help(self.words, self.app.clerk.desk.more_fields)), role="dim"),))

    # -- keys: LOOK, FIND AND MOVE, GO TO --------------------------------------------------------------------------

    def action_change_next(self) -> None:
        """Go to what was not seen yet, else to the next change; behind the last one to the next row."""
        self.moving.next_change()

    def action_alternative_next(self) -> None:
        """Show the next wording for the same entry."""
        self.moving.alternative(1)

    def action_alternative_prev(self) -> None:
        """Show the wording before."""
        self.moving.alternative(-1)

    def action_view_diff(self) -> None:
        """Change between the diff in one column, in two, and plain texts."""
        self.moving.turn_diff()

    def action_view_context(self) -> None:
        """Show more or fewer unchanged entries."""
        self.moving.turn_context()

    def action_view_theme(self) -> None:
        """Change to the next palette."""
        super().action_view_theme()
        self.moving.draw_for_theme()

    def action_view_source(self) -> None:
        """Show everything about the item: source, record, details."""
        self.moving.show_source()

    def action_view_deferred(self) -> None:
        """List what is deferred, or the queue again."""
        self.arranging.list_deferred()

    def action_order(self) -> None:
        """Choose what rows stand under, and their order."""
        self.arranging.choose_order()

    def action_refresh(self) -> None:
        """Read everything again and redraw what is looked at."""
        self.moving.refresh()

    def action_review_copy(self) -> None:
        """Copy the whole review as Markdown."""
        self.taking.copy_review()

    def action_review_save(self) -> None:
        """Ask for a file and save the whole review into it."""
        self.taking.save_review()

    def action_go_documents(self) -> None:
        """Go to the documents, to the entry that the item is about where there is one."""
        looked = self.model.looked
        if looked is None:
            super().action_go_documents()
            return
        pins = (step.pin for step in looked.found.proposal.operations if step.pin is not None)
        self.app.go(DOCUMENTS, entry_id(next(pins, "")))

    def action_clear(self) -> None:
        """Leave an edit or the text, give up a range, or clear the filter; never leave the application."""
        self.moving.clear()

    def action_quit(self) -> None:
        """Go back from what is open over the list, else leave; drafts are the only thing that would be lost."""
        if not self.moving.leave_view():
            self.app.leave()

    # -- keys: DECIDE ----------------------------------------------------------------------------------------------

    def action_decide_approve(self) -> None:
        """Approve the item, or keep the entry that a question is about."""
        if self.model.asked is not None:
            self.asking.keep()
        else:
            self.deciding.approve()

    def action_decide_reject(self) -> None:
        """Reject the item, or remove the entry that a question is about."""
        if self.model.asked is not None:
            self.asking.preview(AnswerVerb.REMOVE)
        else:
            self.deciding.reject()

    def action_decide_reject_reason(self) -> None:
        """Reject an item, or all that are marked, with a reason; a question is answered instead."""
        if self.model.asked is not None and not self.app.session.marked:
            self.asking.to_change()
        else:
            self.deciding.reject_with_reason()

    def action_decide_edit(self) -> None:
        """Write one's own version of the item, or correct the entry that a question is about."""
        if self.model.asked is not None:
            self.asking.preview(AnswerVerb.CORRECT)
        else:
            self.deciding.edit()

    def action_decide_editor(self) -> None:
        """Write one's own version in ``$EDITOR`` first."""
        self.deciding.write_outside()

    def action_decide_inside(self) -> None:
        """Show the variant that changes only the matched words inside the entry."""
        self.deciding.show_inside()

    def action_decide_skip(self) -> None:
        """Put the item to the end for this run; nothing is stored."""
        self.deciding.skip()

    def action_decide_defer(self) -> None:
        """Ask until when the item shall be away."""
        self.deferring.ask_until()

    def action_decide_log_only(self) -> None:
        """Close the item without writing; the ledger keeps a row."""
        self.deciding.log_only()

    # -- keys: PLAN ------------------------------------------------------------------------------------------------

    def action_mark_toggle(self) -> None:
        """Mark the row and go to the next one."""
        self.marking.toggle()

    def action_mark_range(self) -> None:
        """Begin a range, or mark everything from where it began."""
        self.marking.begin_or_end_range()

    def action_mark_all(self) -> None:
        """Mark every row of the list as it is filtered."""
        self.marking.mark_all()

    def action_mark_section(self) -> None:
        """Mark every row under the heading that the row stands under, or take these marks away."""
        self.marking.toggle_section()

    def action_mark_clear(self) -> None:
        """Take all marks away."""
        self.marking.clear_marks()

    def action_plan_open(self) -> None:
        """Preview the marked items together, or everything that is ready."""
        self.marking.open_plan()
