"""The plan: what all marked items would do together, before any of it is done.

Here: the preview, the locks on ``y`` (every row painted, on screen for a moment, spot checks opened) and applying it as
one change. Not
here: how the plan is worked out (``plan_model``), its rules (``core``). ``y`` sends exactly the decisions shown, bound
to their digest; if anything changed meanwhile nothing is written and the preview is drawn anew.
"""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import ClassVar

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding

from curator_tui.core.changes import Ending
from curator_tui.core.errors import CuratorError
from curator_tui.tui.actions import PLAN, bindings
from curator_tui.tui.facts import operation_word, summary
from curator_tui.tui.gates import Frame, PaintedGate
from curator_tui.tui.looking import Board, board_after
from curator_tui.tui.pages import Look, Page, PageLine, document_lines
from curator_tui.tui.plan_model import Plan, PlanRow, Wish, make_plan
from curator_tui.tui.plan_rows import PlanRows, left_lines, parts, result_page, size_lines
from curator_tui.tui.screens.base import Acting, TooSmall
from curator_tui.tui.screens.deciding import ended, refusal
from curator_tui.tui.shown import EMPTY, Line, Shown, message, own, say, shown_line
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine, Rule
from curator_tui.tui.widgets.reader import Reader, wrapped
from curator_tui.tui.widgets.row_list import RowList

_NAME = "plan"  # under which the gate knows the whole of it


class PlanScreen(Acting[Board | tuple[str, ...]]):
    """The preview of a plan; the answer is the queue after it, or names of items to be rejected together.

    Two gates keep it: one for the rows, by the digest of what each does, and one for the rows that were opened. So what
    was read of a row is forgotten as soon as the row would do something else.
    """

    SCREEN = PLAN
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[Binding]] = bindings(PLAN)  # type: ignore[assignment]

    def __init__(self, names: tuple[str, ...], before: Board) -> None:
        super().__init__()
        self._before = before
        self._wish = Wish(names)
        self._plan: Plan | None = None
        self._rows: PlanRows | None = None
        self._gate = PaintedGate()
        self._reading = PaintedGate()
        self._busy = False
        self._told: Line = EMPTY

    def compose(self) -> ComposeResult:
        """Put the rows over what is left out and what all of it does together."""
        yield OneLine(ground="bar", id="title")
        yield RowList(report=True, id="rows")
        yield Rule(id="left-rule")
        yield Reader(id="left-out")
        yield Rule(id="together-rule")
        yield Reader(id="together")
        yield OneLine(id="status")
        yield KeyRow(PLAN, id="keys")
        yield TooSmall(id="too-small")

    def say(self, line: Line) -> None:
        """Say something in the status row."""
        self.query_one("#status", OneLine).show((own(" "), *line))

    def on_mount(self) -> None:
        """Work the plan out."""
        self._gate.dwell = self.app.timing.dwell
        self.query_one("#title", OneLine).show((own(" plan: working out what it does …", role="strong"),))
        self.work(self._replan, "plan")

    async def _replan(self) -> None:
        self._gate.hide()
        wish = replace(self._wish, looked=self.app.gate.opened(), opened=self._reading.opened())
        try:
            plan = await self.app.clerk.ask(lambda desk: make_plan(desk, wish))
        except CuratorError as error:
            self.say((own("{} {}", message(error.message), message(error.way_out), role="bad"),))
            return
        self._wish = replace(self._wish, drawn=plan.drawn)
        self._plan = plan
        self._show(plan)

    def _show(self, plan: Plan) -> None:
        rows = self.query_one("#rows", RowList)
        self._gate.begin(Frame(_NAME, plan.digest, tuple(f"{row.id} {row.digest}" for row in plan.rows)))
        self._rows = PlanRows(plan, self._mark_of)
        rows.show(self._rows, max(rows.cursor, 0))
        left = self.query_one("#left-out", Reader)
        lines = left_lines(plan.left)
        left.show(Page("", "", tuple(lines)))
        left.styles.height = min(max(len(lines), 1), max(4, self.app.size.height // 4))
        self._draw_left()
        self.query_one("#together-rule", Rule).show((own("together, as one change"),))
        self._draw_together(plan)
        self.draw_lock()

    def _draw_left(self) -> None:
        count = len(self._plan.left) if self._plan is not None else 0
        below = self.query_one("#left-out", Reader).below
        words = own("left out: {}, to decide singly (X rejects all)", count) if count else own("nothing is left out")
        more: Line = (own("v {} more (J)", below, role="head"),) if below else EMPTY
        self.query_one("#left-rule", Rule).show((words,), more)

    @on(Reader.Scrolled, "#left-out")
    def _left_scrolled(self, event: Reader.Scrolled) -> None:
        event.stop()
        self._draw_left()

    def action_line_down(self) -> None:
        """Scroll what is left out."""
        self.query_one("#left-out", Reader).scroll_rows(1)

    def action_line_up(self) -> None:
        """Scroll what is left out back."""
        self.query_one("#left-out", Reader).scroll_rows(-1)

    def _draw_together(self, plan: Plan) -> None:
        lines = list(size_lines(plan.documents))
        written = sum(row.writes for row in plan.rows)
        rejects = sum(row.ending is Ending.REJECT for row in plan.rows)
        lines.append((own("{} written, {} rejected, {} repeats closed; a backup first, all or none; u undoes it",
                          written, rejects, plan.closed, role="dim"),))  # fmt: skip
        if checks := self._checks_left():
            names = Shown(", ".join(shown_line(name) for name in checks))
            lines.append((own("spot check: {}  (enter opens the next one)", names, role="warn"),))
        page = Page("", "", tuple(PageLine(line, (own("  "),)) for line in lines))
        together = self.query_one("#together", Reader)
        together.styles.height = min(len(wrapped(page, self.app.size.width - 1)), 6)
        together.show(page)

    # -- the locks on y --------------------------------------------------------------------------------------------

    def _is_opened(self, row: PlanRow) -> bool:
        """Whether everything that a row does, as it does it now, was seen in full."""
        assert self._plan is not None
        return self._reading.opened().get(row.id) == row.digest or row.id in self._plan.opened

    def _mark_of(self, index: int) -> str:
        assert self._plan is not None
        if self._is_opened(self._plan.rows[index]):
            return "*"
        return "." if index in self._gate.unseen() else "o"

    def _checks_left(self) -> tuple[str, ...]:
        """Return the spot checks that were not opened yet, in the order in which they were drawn."""
        if self._plan is None:
            return ()
        rows = {row.id: row for row in self._plan.rows}
        return tuple(name for name in self._plan.checks if not self._is_opened(rows[name]))

    def _unread(self) -> int:
        return len(self._gate.unseen())

    def locked(self) -> Line:
        """Say what keeps ``y`` locked, the dwell left aside; empty when nothing does."""
        if self._plan is None or not self._plan.rows:
            return (own("nothing in this plan can be applied; X rejects all that is left out", role="warn"),)
        words: list[Line] = []
        if unread := self._unread():
            one, many = own("1 row not on screen yet (pgdn)"), own("{} rows not on screen yet (pgdn)", unread)
            words.append((one if unread == 1 else many,))
        if left := self._checks_left():
            one, many = own("open 1 spot check (enter)"), own("open {} spot checks (enter)", len(left))
            words.append((one if len(left) == 1 else many,))
        if not words:
            return EMPTY
        joined = [piece for at, line in enumerate(words) for piece in ((own("; "), *line) if at else line)]
        return (own("y is locked: ", role="warn"), *joined)

    def draw_lock(self) -> None:
        """Show title, status and keys as they are now."""
        plan = self._plan
        if plan is None:
            return
        read = len(plan.rows) - self._unread()
        title = own(" plan of {} items", len(plan.rows), role="strong")
        self.query_one("#title", OneLine).show((title,), (own("read {} of {} ", read, len(plan.rows)),))
        locked = self.locked()
        now = locked or (own("y applies it: {} items as one change", len(plan.rows), role="good"),)
        self.say((*self._told, *now))
        self.query_one("#keys", KeyRow).dim(frozenset({"plan.apply"}) if locked else frozenset())

    @on(RowList.Painted, "#rows")
    def _rows_painted(self, event: RowList.Painted) -> None:
        event.stop()
        if event.source is not self._rows or not self.is_current:
            return
        before = self._unread()
        self._gate.painted(parts(event.first, event.last), monotonic())
        if self._unread() != before:
            self.draw_lock()
            self.query_one("#rows", RowList).refresh()

    def on_screen_suspend(self) -> None:
        """Another screen covers the rows: they count again once they were painted again."""
        if self._gate.frame is not None:
            self._gate.begin(self._gate.frame)

    def on_screen_resume(self) -> None:
        """Paint again what was covered."""
        self.query_one("#rows", RowList).refresh()

    @on(RowList.Moved, "#rows")
    def _row_moved(self, event: RowList.Moved) -> None:
        event.stop()

    # -- keys ------------------------------------------------------------------------------------------------------

    def _row(self) -> PlanRow | None:
        rows = self.query_one("#rows", RowList)
        return self._rows.row(rows.cursor) if self._rows is not None else None

    def action_plan_look(self) -> None:
        """Open the next spot check, or the row under the cursor when none is left."""
        left = self._checks_left()
        if left and self._plan is not None and self._rows is not None:
            self._open(next(row for row in self._plan.rows if row.id == left[0]))
            self.query_one("#rows", RowList).go(self._rows.place(left[0]))
        elif (row := self._row()) is not None:
            self._open(row)

    def _open(self, row: PlanRow) -> None:
        from curator_tui.tui.screens.reading import ReadScreen

        head = PageLine((own("{}: ", operation_word(row.row.proposal), role="head"), own("{}", summary(row.row))))
        lines = (head, *document_lines(row.documents, Look(marks=self.app.palette.mono, key=False)))
        self._reading.begin(Frame(row.id, row.digest, tuple(line.key for line in lines)))

        def closed(goes_on: bool | None) -> None:
            self._reading.hide()
            if self._plan is not None:
                self._draw_together(self._plan)
            self.draw_lock()
            if goes_on and self._checks_left():
                self.action_plan_look()

        title = say("{} of the plan: {}", shown_line(row.id), shown_line(row.ending, 30))
        self.app.push_screen(ReadScreen(title, Page(row.id, "", lines), self._reading), closed)

    def action_plan_documents(self) -> None:
        """Show both documents as they will be."""
        from curator_tui.tui.screens.reading import ReadScreen

        if self._plan is not None:
            page = result_page(self._plan, marks=self.app.palette.mono)
            self.app.push_screen(ReadScreen(say("both documents after this plan"), page))

    def _wish_again(self) -> None:
        """Work the plan out again; what is on screen is not what is wished for any more."""
        self._told = EMPTY
        self._gate.hide()
        self.work(self._replan, "plan")

    def _is_free(self) -> bool:
        """Say that the plan is being written, where it is: its answer comes to this screen."""
        if self._busy:
            self.say((own("the plan is still being written", role="warn"),))
        return not self._busy

    def action_plan_drop(self) -> None:
        """Leave the row under the cursor out."""
        if self._is_free() and (row := self._row()) is not None:
            self._wish = replace(self._wish, dropped=self._wish.dropped | {row.id})
            self._wish_again()

    def action_plan_reject(self) -> None:
        """Reject the row under the cursor instead, or approve it again."""
        if not self._is_free():
            return
        if (row := self._row()) is None:
            self.action_plan_reject_left()
        else:
            self._wish = replace(self._wish, rejected=self._wish.rejected ^ {row.id})
            self._wish_again()

    def action_plan_reject_left(self) -> None:
        """Go on to rejecting all that is left out, as one change."""
        if self._plan is not None and self._plan.left and not self._busy:
            self.dismiss(tuple(one.id for one in self._plan.left))
        else:
            self.say((own("nothing is left out"),))

    def action_plan_apply(self) -> None:
        """Apply the plan as it is on screen, once everything in it was read."""
        plan = self._plan
        self._told = EMPTY
        if self._busy or plan is None or self.locked():
            self.draw_lock()
            return
        if self._gate.locked(_NAME, plan.digest, self.app.pressed_at) is not None:
            self.say((own("too fast: the plan was not on screen yet when you pressed", role="warn"),))
            return
        self._busy = True
        # what was only read as a row is not recorded as seen whole
        seen = {row.id: "100%" if self._is_opened(row) else "row" for row in plan.rows}
        decisions = tuple(replace(one, seen=seen[one.proposal]) for one in plan.decisions)
        self.work(partial(self._apply, replace(plan, decisions=decisions)), "apply", alone=False)

    async def _apply(self, plan: Plan) -> None:
        try:
            receipt = await self.app.clerk.change(lambda desk: desk.decide(plan.decisions, shown=plan.digest))
            taken = await board_after(self.app.clerk, self._before)
        except CuratorError as error:
            self.say((own("{} {}", message(error.message), message(error.way_out), role="bad"),))
            return
        finally:
            self._busy = False
        if receipt.change is None:
            told: Line = (own("nothing was written: ", role="warn"),)
            for failed in receipt.causes[:1]:
                told = (*told, *refusal(failed), own(". ", role="warn"))
            if not receipt.causes:
                told = (own("nothing was written: it changed since it was shown. ", role="warn"),)
            self._told = told
            await self._replan()
            return
        words = say("decided {} items as one plan", len(plan.rows))
        self.app.session.note(receipt.change, words, self.app.clerk.desk.now(), ended(receipt))
        self.app.gate.forget(ended(receipt))
        self.dismiss(taken)

    def action_back(self) -> None:
        """Go back, nothing decided; the marks stay."""
        if self._is_free():
            self.dismiss(None)

    def action_help(self) -> None:
        """Open the help overlay."""
        from curator_tui.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(PLAN, [self.locked()]))

    def action_move_down(self) -> None:
        """Go to the next row."""
        self.query_one("#rows", RowList).move(1)

    def action_move_up(self) -> None:
        """Go to the row before."""
        self.query_one("#rows", RowList).move(-1)

    def action_move_first(self) -> None:
        """Go to the first row."""
        self.query_one("#rows", RowList).go(0)

    def action_move_last(self) -> None:
        """Go to the last row."""
        rows = self.query_one("#rows", RowList)
        rows.move(len(self._plan.rows) if self._plan is not None else 0)

    def action_page_down(self) -> None:
        """Turn to the next rows: so every row is painted on the way."""
        rows = self.query_one("#rows", RowList)
        rows.move(max(rows.size.height - 1, 1))

    def action_page_up(self) -> None:
        """Turn to the rows before."""
        rows = self.query_one("#rows", RowList)
        rows.move(-max(rows.size.height - 1, 1))
