"""The plan: what all marked items would do together, before any of it is done.

Here: working the preview out, the keys that change it, and applying it as one change. Not here: how it is drawn and
what keeps ``y`` locked (``plan_ground``), how the plan is worked out (``curator.planning``), its rules (``core``).
``y`` sends exactly the decisions shown, bound to their digest; if anything changed meanwhile nothing is written and the
preview is drawn anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from msgspec.structs import replace
from textual.binding import BindingType

from curator_tui.core.changes import Receipt
from curator_tui.core.errors import CuratorError
from curator_tui.core.requests import Decision
from curator_tui.curator.desk import Desk
from curator_tui.curator.planning import Plan, PlanRow, make_plan
from curator_tui.tui.actions import PLAN, bindings, key_for
from curator_tui.tui.facts import counted
from curator_tui.tui.gates import Frame, too_fast_words
from curator_tui.tui.page_lines import Page
from curator_tui.tui.plan_rows import result_page, row_lines
from curator_tui.tui.screens.plan_ground import NAME, PlanGround
from curator_tui.tui.screens.rejecting import Rejections
from curator_tui.tui.screens.sending import Done, Made, change_now, made_line
from curator_tui.tui.shown import EMPTY, Line, Shown, own, say, shown_line
from curator_tui.tui.widgets.one_line import OneLine
from curator_tui.tui.widgets.row_list import RowList
from curator_tui.tui.words import ended, refusal


class PlanScreen(PlanGround):
    """The preview of a plan; the answer is what was made of it, or what of it shall be rejected together."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(PLAN)]

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
            self.show_failure(error)
            return
        self._wish = replace(self._wish, drawn=plan.drawn, order=plan.order)
        self.show_plan(plan)

    def action_refresh(self) -> None:
        """Read everything again and work the plan out anew, also when that failed before."""
        if self._is_free():
            self._failure = None
            self._wish_again()

    # -- keys ------------------------------------------------------------------------------------------------------

    def action_plan_look(self) -> None:
        """Open the row under the cursor; where that one was just read, the next spot check that is left."""
        row = self._row()
        if row is not None and row.id == self._just_read and (checks := self._checks_left()):
            self._go_to_check(self._next_check(checks))
            row = self._row()
        if isinstance(row, PlanRow):
            self._open(row)
        elif row is not None:
            self.say_beside(own("you left it out: {} puts it back", key_for("plan.drop")))

    def action_plan_check(self) -> None:
        """Go to the next spot check that was not opened yet."""
        if checks := self._checks_left():
            self._go_to_check(self._next_check(checks, here=False))
        else:
            self.say_beside(own("no spot check is left"))

    def _go_to_check(self, name: str) -> None:
        assert self._rows is not None
        self.query_one("#rows", RowList).go(self._rows.place(name) or 0)

    def _open(self, row: PlanRow) -> None:
        from curator_tui.tui.screens.reading import PlanRowScreen

        lines = tuple(row_lines(row, marks=self.app.palette.mono))
        self._reading.begin(Frame(row.id, row.digest, tuple(line.key for line in lines)))

        def closed(goes_on: bool | None) -> None:
            self._reading.hide()
            # the cursor stays: whoever read the row may want to leave it out
            self._just_read = row.id
            if self._plan is not None:
                self._draw_together(self._plan)
            self.draw_lock()
            if goes_on and self._checks_left():
                self.action_plan_look()

        title = say("{} of the plan: {}", shown_line(row.id), shown_line(row.ending, 30))
        self.app.push_screen(PlanRowScreen(row.id, title, Page(row.id, "", lines), self._reading), closed)

    def action_view_source(self) -> None:
        """Show everything about the item under the cursor: source, record, details."""
        if (row := self._row()) is not None:
            self.work(partial(self._show_source, row.id), "source")

    async def _show_source(self, name: str) -> None:
        from curator_tui.tui.screens.reading import source_screen

        screen = await source_screen(self.app.clerk, name)
        if self.is_current:
            self.app.push_screen(screen)

    def action_plan_documents(self) -> None:
        """Show both documents as they will be."""
        from curator_tui.tui.screens.reading import ReadScreen

        if self._plan is not None:
            page = result_page(self._plan, marks=self.app.palette.mono)
            self.app.push_screen(ReadScreen(say("both documents after this plan"), page))

    def _wish_again(self) -> None:
        """Work the plan out again; what is on screen is not what is wished for any more."""
        self._told = self._led = EMPTY
        self._just_read = ""
        self._gate.hide()
        self.draw_lock()
        self.work(self._replan, "plan")

    def _is_free(self) -> bool:
        """Say that the plan is being written, where it is: its answer comes to this screen."""
        if self._busy:
            self.say((own("the plan is still being written", role="warn"),))
        return not self._busy

    def action_plan_drop(self) -> None:
        """Leave the row under the cursor out, or take it back; it keeps its place."""
        if self._is_free() and (row := self._row()) is not None:
            self._wish = replace(self._wish, dropped=self._wish.dropped ^ {row.id})
            self._wish_again()

    def action_plan_reject(self) -> None:
        """Reject the row under the cursor instead, or approve it again."""
        if not self._is_free():
            return
        if (row := self._row()) is None:
            self.action_plan_reject_left()
        elif row.id in self._wish.dropped:
            wish = self._wish
            self._wish = replace(wish, dropped=wish.dropped - {row.id}, rejected=wish.rejected | {row.id})
            self._wish_again()
        else:
            self._wish = replace(self._wish, rejected=self._wish.rejected ^ {row.id})
            self._wish_again()

    def action_plan_reject_left(self) -> None:
        """Ask for rejecting all that the plan leaves out, as one change; without an answer the plan is as it was."""
        if self._plan is None:
            self.draw_lock()
        elif self._plan.left and not self._busy:
            self.work(partial(self._ask_left, tuple(one.id for one in self._plan.left)), "reject")
        else:
            self.say_beside(own("there is nothing to be rejected: the plan leaves nothing out by itself"))

    async def _ask_left(self, names: tuple[str, ...]) -> None:
        from curator_tui.curator.rejecting import rows_of
        from curator_tui.tui.screens.rejecting import RejectManyScreen

        rows, digest = await self.app.clerk.ask(lambda desk: rows_of(desk, names))

        def answered(decisions: tuple[Decision, ...] | None) -> None:
            if decisions:
                self.dismiss(Rejections(decisions, digest))
            else:
                self.draw_lock()

        if not rows:
            self.say_beside(own("none of these items waits any more"))
        elif self.is_current:
            self.app.push_screen(RejectManyScreen(rows), answered)

    def action_plan_apply(self) -> None:
        """Apply the plan as it is on screen, once everything in it was read."""
        plan = self._plan
        self._told = self._led = EMPTY
        if self._busy or plan is None or self.locked():
            self.draw_lock()
            self._go_to_unread()
            return
        if (locked := self._gate.locked(NAME, plan.digest, self.app.pressed_at)) is not None:
            self.say(too_fast_words(Shown("the plan"), locked, self.app.timing.dwell))
            return
        self._busy = True
        # what was only read as a row is not recorded as seen whole
        seen = {row.id: "100%" if self._is_opened(row) else "row" for row in plan.rows}
        decisions = tuple(replace(one, seen=seen[one.proposal]) for one in plan.decisions)
        self.work(partial(self._apply, replace(plan, decisions=decisions)), "apply", alone=False)

    def _go_to_unread(self) -> None:
        """Bring the first row that was not on screen yet there, where one keeps ``y`` locked, and say so."""
        unread = self._gate.unseen()
        if self._busy or self.app.read_only or self._plan is None or not unread:
            return
        self.query_one("#rows", RowList).go(unread[0])
        self._led = (own("not applied: here is what was not on screen yet; ", role="warn"),)
        self.draw_lock()

    async def _apply(self, plan: Plan) -> None:
        try:
            decide = partial(_decide, decisions=plan.decisions, shown=plan.digest)
            receipt, taken = await change_now(self.app, decide, self._before)
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
        words = say("decided {} as one plan", counted(len(plan.rows) - len(receipt.not_applied), "item"))
        self.dismiss(Made(taken, made_line(self.app, receipt, Done(words, ended=ended(receipt)))))

    def action_back(self) -> None:
        """Go back, nothing decided; the marks stay."""
        if self._is_free():
            self.dismiss(None)

    def action_palette(self) -> None:
        """Open the palette."""
        self.app.action_command_palette()

    def action_help(self) -> None:
        """Open the help overlay."""
        from curator_tui.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(PLAN, [self.locked()]))


def _decide(desk: Desk, decisions: Sequence[Decision], shown: str) -> Receipt:
    return desk.decide(decisions, shown=shown)
