"""Moving and looking on the review screen: rows, changes, wordings, other looks, other screens.

Here: what the keys of LOOK, FIND AND MOVE and GO TO do. Not here: drawing (``review_ground``), deciding.
"""

from __future__ import annotations

from textual import on

from curator_tui.core.documents import entry_id
from curator_tui.core.errors import CuratorError
from curator_tui.core.proposals import Edit
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import STATES_FIRST, Board, board
from curator_tui.tui.actions import DOCUMENTS
from curator_tui.tui.page_lines import AUTO, CONTEXTS
from curator_tui.tui.screens.paging import Paging
from curator_tui.tui.shown import Shown, own, say, shown_line
from curator_tui.tui.side_by_side import ROOM
from curator_tui.tui.widgets.row_list import RowList


class Moving(Paging):
    """Keys that decide nothing."""

    @on(RowList.Moved, "#rows")
    def _row_moved(self, event: RowList.Moved) -> None:
        """Read the item the cursor came to; what was shown before cannot be decided any more."""
        event.stop()
        self.gone = None
        row, question = self.current_row(), self.current_question()
        if self.rows is None:
            return
        if row is None and question is None:
            self.wanted = ("", Edit())  # its page is on its way, and it is shown when that is here
            self.app.gate.hide()
            return
        before = self.rows.place(self.rows.current)
        self.rows.current = row.id if row is not None else question.id if question is not None else ""
        for place in {before, self.queue.cursor} - {None}:
            self.queue.touch(place or 0)
        if question is not None:
            self.open_question(question)
        elif row is not None:
            self.open_item(row.id)

    def action_change_next(self) -> None:
        """Go to what was not seen yet, else to the next change; behind the last one to the next row."""
        if self.to_unseen() or self.reader.to_change(1):
            return
        self.queue.move(1)

    def to_unseen(self) -> bool:
        """Scroll to the first changed line that was not seen whole; True when something moved."""
        return self.reader.to_unseen(self.app.gate.unseen())

    def action_alternative_next(self) -> None:
        """Show the next wording for the same entry."""
        self._alternative(1)

    def action_alternative_prev(self) -> None:
        """Show the wording before."""
        self._alternative(-1)

    def _alternative(self, step: int) -> None:
        if self.looked is None or len(self.looked.item.members) < 2:
            self.say((own("no other wording waits for this entry"),))
            return
        members = self.looked.item.members
        self.open_item(members[(members.index(self.looked.id) + step) % len(members)])

    def action_view_diff(self) -> None:
        """Change between the diff in one column, in two, and plain texts."""
        look, fits = self.look, self.reader.size.width >= ROOM
        split = fits and not (look.split or look.plain)
        self.look = look._replace(split=split, plain=not split and not look.plain)
        self.draw_item()
        narrow = own(" (two columns need a wider text)", role="dim") if self.look.plain and not fits else own("")
        words = Shown("two columns" if split else "plain texts" if self.look.plain else "one column")
        self.say((own("{}", words), narrow))

    def action_view_context(self) -> None:
        """Show more or fewer unchanged entries."""
        at = CONTEXTS.index(self.look.context)
        context = CONTEXTS[(at + 1) % len(CONTEXTS)]
        self.look = self.look._replace(context=context)
        self.draw_item()
        words = say("as many as fit") if context == AUTO else say("all") if context is None else say("{}", context)
        self.say((own("unchanged entries around a change: {}", words),))

    def action_view_theme(self) -> None:
        """Change to the next palette; without colours changed words get signs."""
        super().action_view_theme()
        self.look = self.look._replace(marks=self.app.palette.mono)
        self.draw_item(keep=True)

    def action_view_source(self) -> None:
        """Show everything about the item: source, record, details."""
        from curator_tui.tui.screens.reading import ReadScreen, source_page

        if self.looked is not None and self.board is not None:
            page = source_page(self.looked, self.source_of(self.looked), self.app.clerk.desk.actor, self.board.now)
            self.app.push_screen(ReadScreen(say("source of {}", shown_line(self.looked.id)), page))
        else:
            self.tell_no_row()

    def action_refresh(self) -> None:
        """Read everything again and redraw what is looked at."""
        self.work(self.redraw, "item")

    async def redraw(self, cursor: str | None = None) -> None:
        """Read the queue again and show the item under the cursor afresh."""
        before = self.board

        def again(desk: Desk) -> Board:
            desk.refresh(thorough=True)
            return board(desk, before, budget=STATES_FIRST)

        self.gone = None
        try:
            self.take_board(await self.app.clerk.ask(again), cursor)
        except CuratorError as error:
            self.fail(error)
            return
        await self.open_cursor()

    async def open_cursor(self) -> None:
        """Show the item under the cursor, with the edit that was looked at where it is still the same item."""
        row = self.current_row()
        if row is None:
            await self.open_no_row()
            return
        name, edit = self.wanted
        same = name in row.members
        await self.open_now(name if same else row.id, edit if same else Edit())

    def came_back(self) -> None:
        """Read the queue again: what was done elsewhere may have made it another one."""
        self.action_refresh()

    def action_go_documents(self) -> None:
        """Go to the documents, to the entry that the item is about where there is one."""
        if self.looked is not None:
            pins = (step.pin for step in self.looked.found.proposal.operations if step.pin is not None)
            self.app.go(DOCUMENTS, entry_id(next(pins, "")))
        else:
            super().action_go_documents()

    def action_clear(self) -> None:
        """Leave an edit or the text, give up a range, or clear the filter; never leave the application."""
        session = self.app.session
        if self._leave_view():
            return
        if session.range_from is not None:
            session.range_from = None
            self.say((own("range given up"),))
        elif session.words:
            self.action_clear_words()

    def _leave_view(self) -> bool:
        """Go back from what is open over the list: another version of the item, or its text; True when it was open."""
        if not self.wanted[1].empty:
            self.open_item(self.wanted[0])
            self.say(())
            return True
        return self.leave_text()

    def action_clear_words(self) -> None:
        """Take the filter away (see ``marking``)."""

    def action_quit(self) -> None:
        """Go back from what is open over the list, else leave; drafts are the only thing that would be lost."""
        if not self._leave_view():
            self.app.leave()
