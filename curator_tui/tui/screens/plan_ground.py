"""The ground of the plan screen: its state, how it is drawn, the locks on ``y``, moving about.

Here: everything that decides nothing. Not here: the keys that change the plan or carry it out (``planning``), how a
plan is worked out (``curator.planning``).
"""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

from textual import on
from textual.app import ComposeResult

from curator_tui.core.errors import CuratorError
from curator_tui.curator.looking import Board
from curator_tui.curator.planning import Plan, PlanRow, Wish
from curator_tui.curator.queries import Query
from curator_tui.curator.queue_model import Row
from curator_tui.tui.actions import PLAN, key_for
from curator_tui.tui.facts import counted, summary
from curator_tui.tui.gates import Frame, PaintedGate
from curator_tui.tui.layout import rows_needed
from curator_tui.tui.page_lines import Page, PageLine
from curator_tui.tui.plan_rows import PlanRows, left_lines, parts, size_lines, total_line
from curator_tui.tui.screens.acting import Acting, TooSmall, read_only_words
from curator_tui.tui.screens.rejecting import Rejections
from curator_tui.tui.screens.sending import Made
from curator_tui.tui.shown import EMPTY, Line, Piece, Shown, message, own, say, shown_line
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine, Rule, Said
from curator_tui.tui.widgets.reader import Reader
from curator_tui.tui.widgets.row_list import NoRows, RowList

NAME = "plan"
"""Under which the gate knows the whole of a plan."""


class PlanGround(Acting[Made | Rejections]):
    """State of the plan screen and how it is drawn.

    Two gates keep it: one for the rows, by the digest of what each does, and one for the rows that were opened. So what
    was read of a row is forgotten as soon as the row would do something else.
    """

    SCREEN = PLAN
    AUTO_FOCUS = "#rows"

    def __init__(self, marked: Mapping[str, str], before: Board, query: Query | None = None) -> None:
        super().__init__()
        self._before = before
        self._wish = Wish(tuple(marked), query, marked)
        self._plan: Plan | None = None
        self._failure: CuratorError | None = None
        self._rows: PlanRows | None = None
        self._gate = PaintedGate()
        self._reading = PaintedGate()
        self._busy = False
        self._just_read = ""
        self._told: Line = EMPTY
        self._led: Line = EMPTY  # said while y is locked: that it led to where the cursor is

    def compose(self) -> ComposeResult:
        """Put the rows over what is left out and what all of it does together."""
        yield OneLine(ground="bar", id="title")
        yield RowList(report=True, id="rows")
        yield Rule(id="left-rule")
        yield Reader(id="left-out")
        yield Rule(id="together-rule")
        yield Reader(id="together")
        yield Said(id="status")
        yield KeyRow(PLAN, id="keys")
        yield TooSmall(id="too-small")

    def say(self, line: Line) -> None:
        """Say something in the status row."""
        self.query_one("#status", OneLine).show((own(" "), *line))

    def say_beside(self, piece: Piece) -> None:
        """Say something without taking away why ``y`` is locked, where it is."""
        locked = self.locked()
        self.say((piece, own("; "), *locked) if locked else (piece,))

    def murmur(self, line: Line) -> None:
        """Show what goes on in the status row, and what holds when it is over."""
        if line:
            self.say(line)
        else:
            self.draw_lock()

    def show_plan(self, plan: Plan) -> None:
        """Show a plan as it was worked out; from now on the gates know only this."""
        self._plan, self._failure = plan, None
        rows = self.query_one("#rows", RowList)
        row = self._row()
        self._rows = PlanRows(plan, self._mark_of)
        self._gate.begin(Frame(NAME, plan.digest, self._rows.keys()))
        place = self._rows.place(row.id) if row is not None else None
        rows.show(self._rows, place if place is not None else max(rows.cursor, 0))
        self._draw_panes(plan)
        self.draw_lock()

    def _draw_panes(self, plan: Plan) -> None:
        left = self.query_one("#left-out", Reader)
        lines = left_lines(plan.left)
        left.show(Page("", "", tuple(lines)))
        share = self.app.size.height // (4 if self.app.size.height >= 32 else 6)  # the rows come first in a low window
        left.styles.height = min(max(len(lines), 1), max(3, share))
        self._draw_left()
        self.query_one("#together-rule", Rule).show(
            (own("what it would do together"),) if self.app.read_only
            else (own("together, as one change: a backup first, all or none; {} undoes it", key_for("undo")),)
        )  # fmt: skip
        self._draw_together(plan)

    def show_failure(self, error: CuratorError) -> None:
        """Show why there is no plan in its place: what was worked out before holds no more, and nothing can be done."""
        self._plan, self._failure, self._rows = None, error, None
        self.query_one("#title", OneLine).show((own(" plan: it could not be worked out", role="strong"),))
        self.query_one("#rows", RowList).show(NoRows(), 0)
        self.query_one("#left-out", Reader).show(Page("", "", ()))
        self.query_one("#left-rule", Rule).show(EMPTY)
        self.query_one("#together-rule", Rule).show((own("nothing can be applied now"),))
        words = own("{} {}", message(error.message), message(error.way_out), role="bad")
        self._draw_beneath(PageLine((words,), (own("  "),)))
        self.draw_lock()

    def on_resize(self) -> None:
        """Give the panes the rows they need at the new size."""
        if self._plan is not None:
            self._draw_panes(self._plan)

    def _draw_left(self) -> None:
        count = len(self._plan.left) if self._plan is not None else 0
        below = self.query_one("#left-out", Reader).below
        by_you = len(self._plan.dropped) if self._plan is not None else 0
        key = key_for("plan.reject_left")
        back = key_for("plan.drop")
        if count and by_you:
            words = own("left out: {} ({} rejects them); by you: {} ({} puts back)", count, key, by_you, back)
        elif by_you:
            words = own("left out by you: {} ({} puts back)", by_you, back)
        elif count:
            all_left = Shown("") if self.app.read_only else say(" ({} rejects all)", key)
            words = own("left out: {}, to decide singly{}", count, all_left)
        else:
            words = own("nothing is left out")
        more: Line = (own("v {} more ({})", below, key_for("line.down"), role="head"),) if below else EMPTY
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
        lines = [PageLine(line, (own("  "),)) for line in (*size_lines(plan.documents), total_line(plan))]
        if not self.app.read_only and (checks := self._checks_left()):
            first = next(row for row in plan.rows if row.id == self._next_check(checks))
            lead = own("{} goes to a spot check ({} left): ", key_for("plan.check"), len(checks), role="warn")
            # whatever it says, it is one row: the list above keeps its height
            lines.append(PageLine((lead, own("{}", summary(first.row.proposal), role="dim")), (own("  "),), cut=True))
        self._draw_beneath(*lines)

    def _draw_beneath(self, *lines: PageLine) -> None:
        page = Page("", "", lines)
        together = self.query_one("#together", Reader)
        together.styles.height = min(rows_needed(page, self.app.size.width - 1), 6)
        together.show(page)

    # -- the locks on y --------------------------------------------------------------------------------------------

    def _is_opened(self, row: PlanRow) -> bool:
        """Whether everything that a row does, as it does it now, was seen in full."""
        assert self._plan is not None
        return self._reading.opened().get(row.id) == row.digest or row.id in self._plan.opened

    def _mark_of(self, index: int) -> str:
        row = self._rows.row(index) if self._rows is not None else None
        if isinstance(row, PlanRow) and self._is_opened(row):
            return "*"
        return "." if index in self._gate.unseen() else "o"

    def _checks_left(self) -> tuple[str, ...]:
        """Return the spot checks that were not opened yet."""
        if self._plan is None:
            return ()
        rows = {row.id: row for row in self._plan.rows}
        return tuple(name for name in self._plan.checks if not self._is_opened(rows[name]))

    def _next_check(self, checks: tuple[str, ...], *, here: bool = True) -> str:
        """Return the first of these from the cursor on, else the first of all; ``here``: the cursor's own row, too."""
        assert self._rows is not None
        cursor = self.query_one("#rows", RowList).cursor
        places = {name: self._rows.place(name) or 0 for name in checks}
        return min(checks, key=lambda name: (places[name] < cursor + (not here), places[name]))

    def _unread(self) -> int:
        return len(self._gate.unseen())

    def locked(self) -> Line:
        """Say what keeps ``y`` locked, the dwell left aside; empty when nothing does."""
        if self._failure is not None:
            return (
                own(
                    "not planned, nothing can be applied: {} tries again, {} goes back",
                    key_for("refresh"),
                    key_for("back"),
                    role="bad",
                ),
            )
        if self._plan is None or self._gate.frame is None:
            return (own("the plan is being worked out …", role="warn"),)
        if self.app.read_only:
            return read_only_words(web=self.app.is_web)
        if not self._plan.rows:
            return (own("nothing in this plan can be applied", role="warn"), self._way_out(self._plan))
        words: list[Line] = []
        if self._unread():
            words.append((self._unread_words(),))
        if left := self._checks_left():
            keys = (key_for("plan.check"), key_for("plan.look"))
            one, many = own("open 1 spot check ({}, {})", *keys), own("open {} spot checks ({}, {})", len(left), *keys)
            words.append((one if len(left) == 1 else many,))
        if not words:
            return EMPTY
        joined = [piece for at, line in enumerate(words) for piece in ((own("; "), *line) if at else line)]
        return (own("{} is locked: ", key_for("plan.apply"), role="warn"), *joined)

    def _unread_words(self) -> Piece:
        """Say how many rows were not on screen yet, and which key goes there: some may have been jumped over."""
        unread = self._gate.unseen()
        number = counted(len(unread), "row")
        if unread[-1] < self.query_one("#rows", RowList).top:
            return own("{} above not on screen yet ({})", number, key_for("page.up"))
        return own("{} not on screen yet ({})", number, key_for("page.down"))

    def _way_out(self, plan: Plan) -> Piece:
        """Say what can be done where no row is in the plan."""
        if plan.dropped:
            return own("; {} puts back what you left out", key_for("plan.drop"), role="warn")
        if plan.left:
            return own("; {} rejects all that is left out", key_for("plan.reject_left"), role="warn")
        return own("")

    def draw_lock(self) -> None:
        """Show title, status and keys as they are now."""
        plan, locked = self._plan, self.locked()
        now = locked
        if plan is not None:
            read = len(plan.rows) - self._unread()
            title: Line = (own(" plan of {}", counted(len(plan.rows), "item"), role="strong"),)
            if self._wish.query is not None:
                title = (*title, own(" of what the filter shows: {}", shown_line(self._wish.query.words, 40)))
            self.query_one("#title", OneLine).show(title, (own("read {} of {} ", read, len(plan.rows)),))
            key = key_for("plan.apply")
            now = locked or (own("{} applies it: {} as one change", key, counted(len(plan.rows), "item"), role="good"),)
        self.say((*self._told, *(self._led if locked else EMPTY), *now))
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
        self._gate.cover()

    def on_screen_resume(self) -> None:
        """Paint again what was covered."""
        self.query_one("#rows", RowList).refresh()

    @on(RowList.Scrolled, "#rows")
    def _rows_scrolled(self, event: RowList.Scrolled) -> None:
        event.stop()
        self.draw_lock()  # what is not read yet may be on the other side now

    @on(RowList.Moved, "#rows")
    def _row_moved(self, event: RowList.Moved) -> None:
        event.stop()
        row = self._row()
        if row is None or row.id != self._just_read:
            self._just_read = ""
        if self._plan is not None:
            self._draw_together(self._plan)

    # -- moving ----------------------------------------------------------------------------------------------------

    def _row(self) -> PlanRow | Row | None:
        rows = self.query_one("#rows", RowList)
        return self._rows.row(rows.cursor) if self._rows is not None else None

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
        rows.move(len(rows.source))

    def action_page_down(self) -> None:
        """Turn to the next rows: so every row is painted on the way."""
        self.query_one("#rows", RowList).turn(1)

    def action_page_up(self) -> None:
        """Turn to the rows before."""
        self.query_one("#rows", RowList).turn(-1)
