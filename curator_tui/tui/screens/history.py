"""The history screen: changes and backups newest first, what a rollback would do, and doing it; any two rows compared.

Here: layout and keys. Not here: the list (``history_ground``), its text (``history_preview``), undoing one change alone
(``reverting``), what a rollback brings back (``core.rollbacks``). A rollback always asks for ``y``, since it sets whole
documents back, decisions or not; it is a change like any other, so ``u`` undoes it.
"""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from curator_tui.core.changes import Receipt
from curator_tui.core.times import utc_words
from curator_tui.curator.desk import Desk
from curator_tui.curator.history import rollback
from curator_tui.curator.looking import Board
from curator_tui.curator.timeline import Moment
from curator_tui.tui.actions import HISTORY, bindings, key_for
from curator_tui.tui.going_back import Preview, question_lines, whole_lines
from curator_tui.tui.history_rows import words_of_row
from curator_tui.tui.looks import next_context, next_form
from curator_tui.tui.moment_pages import about_line, change_page, compared_page, sizes_line
from curator_tui.tui.page_lines import BLANK_LINE, Look, Page, PageLine, rule
from curator_tui.tui.pages import document_lines
from curator_tui.tui.screens.acting import read_only_words
from curator_tui.tui.screens.filtering import Filtering
from curator_tui.tui.screens.history_preview import HistoryPreview
from curator_tui.tui.screens.reverting import Reverting, undo_line
from curator_tui.tui.screens.sending import Done
from curator_tui.tui.shown import Line, Shown, own, say, shown_line
from curator_tui.tui.words import refusal

_NAMED = 40  # cells for the name of a change in a question


class HistoryScreen(HistoryPreview, Filtering, Reverting):
    """The past, and going back."""

    CSS_PATH = "../styles/history.tcss"
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(HISTORY)]

    def on_mount(self) -> None:
        """Read the past."""
        self.look = Look(marks=self.app.palette.mono)
        self.gate.dwell = self.app.timing.dwell
        self.draw_title(None)
        self.work(self._begin, "history")
        self.lookout.keep(self.tick)

    async def _begin(self) -> None:
        await self.read()
        if self.past is not None:
            self.restore_words()

    def standing(self) -> Line:
        """Return what always holds."""
        if self.base is not None:
            base = say("{} is the base: other rows are compared with it", self.name_of(self.base))
            return (own("{}; {} ends that", base, key_for("back"), role="mark"),)
        if self.app.read_only:
            return read_only_words(web=self.app.is_web)
        words = own("A rollback is itself a change: {} undoes it, the ledger keeps both.", key_for("undo"), role="dim")
        return undo_line(self.app.session, self.app.clerk.desk.now()) or (words,)

    # -- rolling back ----------------------------------------------------------------------------------------------

    def action_history_rollback(self) -> None:
        """Ask whether to roll back to the backup under the cursor, as previewed."""
        found, row = self.found, self.row
        if not self.is_free():
            return
        if self.compared is not None:
            keys = key_for("back"), key_for("history.rollback")
            self.say((own("this only compares two rows: {}, then {} rolls back", *keys, role="warn"),))
        elif self.failure is not None:
            self.fail(self.failure)
        elif row is not None and not row.backup:
            words = own("no backup was taken with this row: it changed no document", role="warn")
            self.say((words, own("; {} undoes it alone", key_for("history.revert"))))
        elif found is None or self.gate.locked(found.backup, found.rollback.digest, self.app.pressed_at) is not None:
            self.say((own("too fast: the preview was not on screen yet when you pressed", role="warn"),))
        elif found.rollback.refused is not None:
            self.say(refusal(found.rollback.refused))
        else:
            self._ask(found)

    def _ask(self, found: Preview, why: Shown = Shown("")) -> None:  # noqa: B008 - text never changes
        from curator_tui.tui.screens.second import AskScreen

        def answered(yes: bool | None) -> None:
            if yes:
                self._roll(found)
            else:
                self.say((own("not rolled back"),))

        title = say("roll back {} to {}?", self.which(), self._name_of(found))
        lines: list[Line] = [(*line.prefix, *line.body) for line in question_lines(found, why)]
        self.app.push_screen(AskScreen(title, lines, say("roll back")), answered)

    def _name_of(self, found: Preview) -> Shown:
        """Name the state that comes back: by the change it stood before, or by who wrote it, and when."""
        row, told = self.row, self.told
        if row is None or told is None or told.at is None or row.backup != found.backup:
            return shown_line(found.backup, 24)
        before = Shown("before: " if row.own else "")
        return say("{}, {}{}", shown_line(utc_words(told.at)), before, words_of_row(told, _NAMED))

    def _roll(self, found: Preview) -> None:
        words = say("rolled back {} to {}", self.which(), self._name_of(found))

        def job(desk: Desk) -> Receipt:
            return rollback(desk, found.backup, found.targets, shown=found.rollback.digest)

        def told(receipt: Receipt) -> Done:
            again = len(found.rollback.closing)
            closed = say(", {} closed again", again) if again else Shown("")
            return Done(words, say("; {} back in the queue{}", len(receipt.returned), closed))

        self.sending.send(job, told, self._refused, group="roll")

    async def _refused(self, receipt: Receipt, _: Board) -> None:
        if receipt.moved:
            await self.open_now()
            self._ask_changed()
        for failed in receipt.causes[:1]:
            self.say(refusal(failed))
        await self.read()

    def _ask_changed(self) -> None:
        found = self.found
        if found is not None and found.rollback.refused is None:
            self._ask(found, say("the documents changed on disk since this was drawn; it shows them now"))

    def action_history_revert(self) -> None:
        """Show what undoing the change of this row alone would do, or redoing it where it is undone."""
        row = self.row
        if row is None or not self.is_free():
            return
        if row.own:
            self.revert_one(row.change)
            return
        key = key_for("history.rollback")
        self.say((own("this is a state others wrote, no change of yours: {} rolls back to it", key, role="warn"),))

    def action_history_target(self) -> None:
        """Choose what is rolled back: both documents, or one of them."""
        self.next_targets()
        self.open_row()

    # -- looking ---------------------------------------------------------------------------------------------------

    def action_history_base(self) -> None:
        """Compare other rows with the one under the cursor; on the base itself, compare no more."""
        self._set_base(None if self.row == self.base else self.row)

    def _set_base(self, base: Moment | None) -> None:
        self.base = base
        if self.rows is not None:
            self.queue.swap(self.rows.having(self.rows.known, self.ground()))
        self.draw_status()
        self.open_row()

    def action_open(self) -> None:
        """Show everything about the row on a page of its own: every effect, every item, both texts whole."""
        from curator_tui.tui.screens.reading import ReadScreen

        page, told = self._whole_page(), self.told
        if page is None or told is None:
            self.say((own("there is nothing to show of this row yet", role="warn"),))
            return
        self.app.push_screen(ReadScreen(say("history, {}", self.name_of(told.moment)), page))

    def _whole_page(self) -> Page | None:
        look, told = Look(None, self.app.palette.mono, key=False, whole=True), self.told
        if told is None or self.failure is not None:
            return None
        if self.change is not None:
            return change_page(self.change, self.ground())
        head: list[PageLine] = [about_line(told, self.ground())]
        if self.compared is not None:
            names = self.name_of(self.compared.base), self.name_of(self.compared.other)
            head += [rule(say("compare only: {} -> {}", *names)), PageLine(sizes_line(self.compared.documents))]
            return Page("", "", (*head, *compared_page(self.compared, look).lines))
        if self.found is None:
            return None
        lines = document_lines(self.found.documents, look)
        title = rule(say("what a rollback of {} would do", self.which()))
        return Page("", "", (*head, title, *whole_lines(self.found), BLANK_LINE, *lines))

    def action_view_diff(self) -> None:
        """Change between the diff in one column, in two, and plain texts."""
        self.look, words = next_form(self.look, self.reader.size.width)
        self.draw()
        self.say(words)

    def action_view_context(self) -> None:
        """Show more or fewer unchanged entries."""
        self.look, words = next_context(self.look)
        self.draw()
        self.say(words)

    def action_view_theme(self) -> None:
        """Change to the next palette."""
        super().action_view_theme()
        self.look = self.look._replace(marks=self.app.palette.mono)
        self.draw(keep=True)

    def action_refresh(self) -> None:
        """Read everything again."""
        self.work(self._begin, "history")

    def action_back(self) -> None:
        """Go back: from the text, from the comparison, from the filter, then to the queue."""
        if self.base is None:
            super().action_back()
        elif not self.leave_text():
            self._set_base(None)
