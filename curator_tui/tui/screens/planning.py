"""The plan of many: what all marked items would do together, before any of it is done.

Here: the preview, the two locks on ``y`` (every row painted, spot checks opened) and applying it as one change. Not
here: how the plan is worked out (``plan_model``), its rules (``core``). ``y`` sends exactly the decisions shown, bound
to their digest; if anything changed meanwhile nothing is written and the preview is drawn anew.
"""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding

from curator_tui.core.errors import CuratorError
from curator_tui.tui.actions import PLAN, bindings
from curator_tui.tui.facts import file_name, operation_word, summary
from curator_tui.tui.gates import Part
from curator_tui.tui.looking import Board, board_after
from curator_tui.tui.pages import Look, Page, PageLine, document_lines
from curator_tui.tui.plan_model import Plan, PlanRow, Wish, make_plan, writes
from curator_tui.tui.plan_rows import PlanRows, left_lines
from curator_tui.tui.screens.base import Acting, TooSmall
from curator_tui.tui.screens.deciding import refusal
from curator_tui.tui.shown import EMPTY, Line, Shown, message, own, say, shown_line
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine, Rule
from curator_tui.tui.widgets.reader import Reader, wrapped
from curator_tui.tui.widgets.row_list import RowList


class PlanScreen(Acting[Board]):
    """The preview of a plan."""

    SCREEN = PLAN
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[Binding]] = bindings(PLAN)  # type: ignore[assignment]

    def __init__(self, names: tuple[str, ...], before: Board) -> None:
        super().__init__()
        self._before = before
        self._wish = Wish(names)
        self._plan: Plan | None = None
        self._rows: PlanRows | None = None
        self._painted: set[str] = set()
        self._opened: set[str] = set()
        self._busy = False

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
        self.query_one("#title", OneLine).show(
            (own(" many at once: working out what they do together …", role="strong"),)
        )
        self._opened |= self.app.gate.opened()
        self.work(self._replan, "plan")

    async def _replan(self) -> None:
        wish = replace(self._wish, opened=frozenset(self._opened))
        try:
            plan = await self.app.clerk.ask(lambda desk: make_plan(desk, wish))
        except CuratorError as error:
            self.say((own("{} {}", message(error.message), message(error.way_out), role="bad"),))
            return
        self._plan = plan
        self._show(plan)

    def _show(self, plan: Plan) -> None:
        rows = self.query_one("#rows", RowList)
        self._rows = PlanRows(plan, self._painted, self._opened)
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
        words = own("left out: {}, to be decided one by one", count) if count else own("nothing is left out")
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
        lines: list[Line] = []
        for target, (before, after, limit) in plan.sizes.items():
            of = say("{}", limit) if limit is not None else say("?")
            growth = say("+{}", after - before) if after >= before else say("{}", after - before)
            lines.append((own("{}  {}/{} -> {}/{}  ({})", file_name(target), before, of, after, of, growth),))
        rejects = sum(row.how == "reject" for row in plan.rows)
        closes = sum(len(row.decision.closes) for row in plan.rows)
        lines.append((own("{} written, {} rejected, {} repeats closed; a backup first, all or none; u takes it back",
                          writes(plan.rows), rejects, closes, role="dim"),))  # fmt: skip
        if checks := self._checks_left():
            names = Shown(", ".join(shown_line(name) for name in checks))
            lines.append((own("spot check: {}  (enter opens the next one)", names, role="warn"),))
        page = Page("", "", tuple(PageLine(line, (own("  "),)) for line in lines))
        together = self.query_one("#together", Reader)
        together.styles.height = min(len(wrapped(page, self.app.size.width - 1)), 6)
        together.show(page)

    # -- the locks on y --------------------------------------------------------------------------------------------

    def _checks_left(self) -> tuple[str, ...]:
        return tuple(name for name in self._plan.checks if name not in self._opened) if self._plan is not None else ()

    def _unread(self) -> int:
        return sum(row.row.id not in self._painted for row in self._plan.rows) if self._plan is not None else 0

    def locked(self) -> Line:
        """Say what keeps ``y`` locked; empty when nothing does."""
        if self._plan is None or not self._plan.rows:
            return (own("nothing in this plan can be applied", role="warn"),)
        words: list[Line] = []
        if unread := self._unread():
            words.append((own("scroll on, {} rows not on screen yet", unread),))
        if left := self._checks_left():
            words.append((own("open {} spot checks (enter)", len(left)),))
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
        title = own(" many at once: {} items", len(plan.rows), role="strong")
        self.query_one("#title", OneLine).show((title,), (own("read {} of {} ", read, len(plan.rows)),))
        locked = self.locked()
        self.say(locked or (own("y does it: {} items as one change", len(plan.rows), role="good"),))
        self.query_one("#keys", KeyRow).dim(frozenset({"plan.apply"}) if locked else frozenset())

    @on(RowList.Painted, "#rows")
    def _rows_painted(self, event: RowList.Painted) -> None:
        event.stop()
        if self._rows is None or not self.is_current:
            return
        before = len(self._painted)
        self._painted.update(self._rows.ids(event.first, event.last))
        if len(self._painted) != before:
            self.draw_lock()

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
            self._open(next(row for row in self._plan.rows if row.row.id == left[0]))
            self.query_one("#rows", RowList).go(self._rows.place(left[0]))
        elif (row := self._row()) is not None:
            self._open(row)

    def _open(self, row: PlanRow) -> None:
        from curator_tui.tui.screens.reading import ReadScreen

        head = PageLine((own("{}: ", operation_word(row.row.proposal), role="head"), own("{}", summary(row.row))))
        lines = (head, *document_lines(row.documents, Look(marks=self.app.palette.mono, key=False)))
        unseen = {at for at, line in enumerate(lines) if line.change is not None}
        parts: dict[int, set[int]] = {}

        def painted(found: tuple[Part, ...]) -> None:
            for line, part, of in found:
                parts.setdefault(line, set()).add(part)
                if len(parts[line]) >= of:
                    unseen.discard(line)
            if not unseen and row.row.id not in self._opened:
                self._opened.add(row.row.id)

        def closed(goes_on: bool | None) -> None:
            if self._plan is not None:
                self._draw_together(self._plan)
            self.draw_lock()
            self.query_one("#rows", RowList).refresh()
            if goes_on and self._checks_left():
                self.action_plan_look()

        page = Page(row.row.id, "", lines)
        title = say("{} of the plan: {}", shown_line(row.row.id), shown_line(row.how, 30))
        self.app.push_screen(ReadScreen(title, page, painted), closed)

    def action_plan_drop(self) -> None:
        """Leave the row under the cursor out."""
        if (row := self._row()) is not None:
            self._wish = replace(self._wish, dropped=self._wish.dropped | {row.row.id})
            self.work(self._replan, "plan")

    def action_plan_reject(self) -> None:
        """Reject the row under the cursor instead, or approve it again."""
        if (row := self._row()) is not None:
            self._wish = replace(self._wish, rejected=self._wish.rejected ^ {row.row.id})
            self.work(self._replan, "plan")

    def action_plan_apply(self) -> None:
        """Apply the plan, once everything in it was read."""
        if self._busy or self._plan is None or self.locked():
            self.draw_lock()
            return
        self._busy = True
        # what was only read as a row is not recorded as seen whole
        seen = {row.row.id: "100%" if row.row.id in self._opened else "row" for row in self._plan.rows}
        self._plan = replace(
            self._plan, decisions=tuple(replace(one, seen=seen[one.proposal]) for one in self._plan.decisions)
        )
        self.work(partial(self._apply, self._plan), "apply", alone=False)

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
            await self._replan()
            if receipt.moved:
                self.say((own("something changed since; nothing was written. Look at the plan again", role="warn"),))
            for failed in receipt.not_applied[:1]:
                self.say(refusal(failed))
            return
        words = say("decided {} items as one plan", len(plan.rows))
        self.app.session.note(receipt.change, words, self.app.clerk.desk.now(), plan.decisions)
        self.app.gate.forget(name for one in plan.decisions for name in (one.proposal, *one.closes))
        self.dismiss(taken)

    def action_back(self) -> None:
        """Go back, nothing decided; the marks stay."""
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
        """Go to the last row, by pages so that every row is painted on the way."""
        rows = self.query_one("#rows", RowList)
        rows.move(max(rows.size.height - 1, 1))
