"""Moving and looking on the review screen: rows, changes, wordings, other looks, other screens.

Here: what the keys of LOOK, FIND AND MOVE and GO TO do. Not here: drawing (``showing``), deciding.
"""

from __future__ import annotations

from curator_tui.core.proposals import Edit
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import STATES_FIRST, Board, board
from curator_tui.tui.looks import next_context, next_form
from curator_tui.tui.review.part import Part
from curator_tui.tui.shown import own, say, shown_line


class Moving(Part):
    """Keys that decide nothing."""

    def came_to_row(self) -> None:
        """Read the item the cursor came to; what was shown before cannot be decided any more."""
        self.model.gone = None
        row, question = self.screen.showing.current_row(), self.screen.showing.current_question()
        if self.model.rows is None:
            return
        if row is None and question is None:
            self.model.wanted = ("", Edit())  # its page is on its way, and it is shown when that is here
            self.app.gate.hide()
            return
        before = self.model.rows.place(self.model.rows.current)
        self.model.rows.current = row.id if row is not None else question.id if question is not None else ""
        for place in {before, self.screen.queue.cursor} - {None}:
            self.screen.queue.touch(place or 0)
        if question is not None:
            self.screen.asking.open_question(question)
        elif row is not None:
            self.screen.showing.open_item(row.id)

    def next_change(self) -> None:
        """Go to what was not seen yet, else to the next change; behind the last one to the next row."""
        if self.to_unseen() or self.screen.reader.to_change(1):
            return
        self.screen.queue.move(1)

    def to_unseen(self) -> bool:
        """Scroll to the first changed line that was not seen whole; True when something moved."""
        return self.screen.reader.to_unseen(self.app.gate.unseen())

    def alternative(self, step: int) -> None:
        """Show the next wording for the same entry, or the one before: 1 or -1."""
        if self.model.looked is None or len(self.model.looked.item.members) < 2:
            self.screen.say((own("no other wording waits for this entry"),))
            return
        members = self.model.looked.item.members
        self.screen.showing.open_item(members[(members.index(self.model.looked.id) + step) % len(members)])

    def turn_diff(self) -> None:
        """Change between the diff in one column, in two, and plain texts."""
        self.model.look, words = next_form(self.model.look, self.screen.reader.size.width)
        self.screen.showing.draw_item()
        self.screen.say(words)

    def turn_context(self) -> None:
        """Show more or fewer unchanged entries."""
        self.model.look, words = next_context(self.model.look)
        self.screen.showing.draw_item()
        self.screen.say(words)

    def draw_for_theme(self) -> None:
        """Draw in another palette: without colours changed words get signs."""
        self.model.look = self.model.look._replace(marks=self.app.palette.mono)
        self.screen.showing.draw_item(keep=True)

    def show_source(self) -> None:
        """Show everything about the item: source, record, details."""
        from curator_tui.tui.screens.reading import ReadScreen, source_page

        if self.model.looked is not None and self.model.board is not None:
            page = source_page(
                self.model.looked,
                self.model.source_of(self.model.looked),
                self.app.clerk.desk.actor,
                self.model.board.now,
            )
            self.app.push_screen(ReadScreen(say("source of {}", shown_line(self.model.looked.id)), page))
        else:
            self.screen.showing.tell_no_row()

    def refresh(self) -> None:
        """Read everything again and redraw what is looked at."""
        self.screen.work(self.redraw, "redraw")

    async def redraw(self, cursor: str | None = None) -> None:
        """Read the queue again and show the item under the cursor afresh."""
        before = self.model.board

        def again(desk: Desk) -> Board:
            desk.refresh(thorough=True)
            return board(desk, before, budget=STATES_FIRST)

        self.model.gone = None
        self.screen.showing.take_board(await self.app.clerk.ask(again), cursor)
        await self.open_cursor()

    async def open_cursor(self) -> None:
        """Show the item under the cursor, with the edit that was looked at where it is still the same item."""
        row = self.screen.showing.current_row()
        if row is None:
            await self.screen.showing.open_no_row()
            return
        name, edit = self.model.wanted
        same = name in row.members
        await self.screen.showing.open_now(name if same else row.id, edit if same else Edit())

    def clear(self) -> None:
        """Leave an edit or the text, give up a range, or clear the filter; never leave the application."""
        session = self.app.session
        if self.leave_view():
            return
        if session.range_from is not None:
            session.range_from = None
            self.screen.say((own("range given up"),))
        elif session.words:
            self.screen.action_clear_words()

    def leave_view(self) -> bool:
        """Go back from what is open over the list: another version of the item, or its text; True when it was open."""
        if not self.model.wanted[1].empty:
            self.screen.showing.open_item(self.model.wanted[0])
            self.screen.say(())
            return True
        return self.screen.leave_text()
