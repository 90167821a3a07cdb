"""Marks, and the way to a plan.

Here: which items a plan is about. Not here: the plan itself (``planning``), the filter and the order of the list
(``arranging``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from curator_tui.core.preflight import State
from curator_tui.core.proposals import Edit
from curator_tui.curator.listing import Listing
from curator_tui.curator.queue_model import Row
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import counted
from curator_tui.tui.review.part import Part
from curator_tui.tui.screens.sending import Made
from curator_tui.tui.shown import Shown, own, say, shown_line

if TYPE_CHECKING:
    from curator_tui.curator.desk import Desk
    from curator_tui.tui.queue_rows import QueueRows
    from curator_tui.tui.screens.rejecting import Rejections
    from curator_tui.tui.session import Session


class Marking(Part):
    """Keys of PLAN."""

    def _over_one(self) -> bool:
        """Whether there can be marks and a plan: they are about one memory; says so where there are many."""
        if self.app.clerk.desk.over_one:
            return True
        self.screen.say((own("a plan is about one person: {} lists people", key_for("go.profiles"), role="warn"),))
        return False

    def toggle(self) -> None:
        """Mark the row and go to the next one."""
        if not self._over_one():
            return
        row = self.screen.showing.current_row()
        if row is None:
            self.screen.showing.tell_no_row()
            return
        self.app.session.toggle(row)
        self.screen.queue.touch(self.screen.queue.cursor)
        self.screen.showing.draw_head()
        self.screen.queue.move(1)

    def begin_or_end_range(self) -> None:
        """Begin a range, or mark everything from where it began."""
        row, session = self.screen.showing.current_row(), self.app.session
        if row is None or self.model.rows is None or not self._over_one():
            return
        if session.range_from is None:
            session.range_from = row.id
            self.screen.say(
                (
                    own(
                        "range from {}: move, then press {} again ({} gives up)",
                        shown_line(row.id),
                        key_for("mark.range"),
                        key_for("clear"),
                    ),
                )
            )
            return
        self._mark_range(self.model.rows, session.range_from, self.screen.queue.cursor)

    def mark_rows(self, rows: QueueRows, first: int, last: int) -> None:
        """Mark every item between two rows as they stood on screen, both included."""
        if self._over_one():
            self._with_items(rows.listing, *rows.span(first, last), self._mark)

    def _mark_range(self, rows: QueueRows, began: str, end: int) -> None:
        start = rows.place(began)
        if start is not None:
            self._with_items(rows.listing, *rows.span(*sorted((start, end))), self._end_range)
        elif rows.listing.whole:
            self.screen.work(partial(self._no_range, began), "marks", alone=False)
        else:
            self._with_items(rows.listing, began, max(rows.listed(end), 0), self._end_range)

    def _end_range(self, found: Sequence[Row]) -> None:
        if found:
            self.app.session.range_from = None
            self._mark(found)
        elif (began := self.app.session.range_from) is not None:
            self.screen.work(partial(self._no_range, began), "marks", alone=False)

    async def _no_range(self, began: str) -> None:
        """Say why no range ends here: its first row is not listed; one that only a filter leaves out may come back."""
        waits = await self.app.clerk.ask(lambda desk: desk.queue.proposal(began) is not None)
        if waits and self.app.session.words:
            self.screen.say((own("the filter hides the row where the range began; {} gives it up", key_for("clear")),))
            return
        self.app.session.range_from = None
        self.screen.say((own("the row where the range began is gone"),))

    def mark_all(self) -> None:
        """Mark every row of the list as it is filtered."""
        if self.model.rows is not None and self._over_one():
            listing = self.model.rows.listing
            self._with_items(listing, 0, listing.lines - 1, self._mark)

    def toggle_section(self) -> None:
        """Mark every row under the heading that the row stands under, or take these marks away."""
        if self.screen.showing.current_row() is None or self.model.rows is None:
            self.screen.showing.tell_no_row()
            return
        if not self._over_one():
            return
        listing, cursor = self.model.rows.listing, self.screen.queue.cursor
        at = max(self.model.rows.span(cursor, cursor)[1], 0)
        before = [section for section in listing.sections if section.place <= at]
        if before:
            place = before[-1].place
            self._with_items(listing, place, place + before[-1].rows, self._turn_marks)
        else:
            self.mark_all()  # without headings all rows stand alike

    def _with_items(self, listing: Listing, first: int | str, last: int, then: Callable[[Sequence[Row]], None]) -> None:
        """Find the rows that stand between two positions of the list on screen, and do something with them.

        Only what the page lacks is asked of the clerk, whose list may be another one by now: what was staged since then
        is on no screen, and nothing is marked that nobody could see.
        """
        found = None
        if not self.app.session.wants_other_than(listing.query):
            found = listing.between(first, last) if isinstance(first, int) else None
            if found is None:
                self.screen.work(partial(self._ask_items, listing, first, last, then), "marks", alone=False)
                return
        self._then(then, found)

    async def _ask_items(
        self, listing: Listing, first: int | str, last: int, then: Callable[[Sequence[Row]], None]
    ) -> None:
        self._then(then, await self.app.clerk.ask(lambda desk: desk.listings.between(listing, first, last)))

    def _then(self, then: Callable[[Sequence[Row]], None], found: Sequence[Row] | None) -> None:
        if found is None:
            self.screen.say(
                (own("the list is another one by now: nothing was marked, press the key again", role="warn"),)
            )
            self.screen.paging.put_in_order()
        else:
            then(found)

    def _mark(self, found: Sequence[Row]) -> None:
        self.app.session.mark(found)
        self._marked()

    def _turn_marks(self, found: Sequence[Row]) -> None:
        """Mark items, or take their marks away where all have one."""
        if all(row.id in self.app.session.marked for row in found):
            for row in found:
                del self.app.session.marked[row.id]
            self._marked()
        else:
            self._mark(found)

    def clear_marks(self) -> None:
        """Take all marks away."""
        self.app.session.marked.clear()
        self._marked()

    def drop(self, marks: Mapping[str, str]) -> None:
        """Take the marks of records away that left the queue or are others now, and say so."""
        if count := self.app.session.drop_marks(marks):
            self._draw_marks()
            self.screen.say(
                (own("{} dropped: what was marked changed or left the queue", counted(count, "mark"), role="warn"),)
            )

    def _draw_marks(self) -> None:
        self.screen.queue.refresh()
        self.screen.showing.draw_head()
        if self.model.board is not None and self.app.session.wants_other_than(self.model.board.listing.query):
            self.screen.paging.put_in_order()

    def _marked(self) -> None:
        self._draw_marks()
        count = marked_words(self.app.session)
        none = say("no marks: {} shows everything that is ready", key_for("plan.open"))
        words = say("{} marked; {} shows what they would do together", count, key_for("plan.open"))
        words = words if self.app.session.marked else none
        self.screen.say((own("{}", words),))

    def open_plan(self) -> None:
        """Preview the marked items together; without marks everything that is ready, as far as the filter shows it."""
        from curator_tui.tui.screens.planning import PlanScreen

        looked = self.model.looked
        if looked is not None and looked.people > 1:
            self.screen.alike.ask(looked)
            return
        if self.screen.busy or self.model.board is None or not self._over_one():
            return
        session = self.app.session
        if not session.marked and not self.model.board.listing.found:
            fitting = "that fits the filter " if session.words else ""
            self.screen.say((own("nothing {}waits: there is nothing to plan", Shown(fitting)),))
            return
        query = session.query() if session.words and not session.marked else None
        self.app.push_screen(PlanScreen(dict(session.marked), self.model.board, query), self._planned)

    def _planned(self, answer: Made | Rejections | None) -> None:
        if answer is None:
            self.screen.moving.refresh()
        elif not isinstance(answer, Made):
            self.screen.deciding.reject_now(answer)
        else:
            ready = (row.id for row in answer.taken.rows if row.state is State.READY)
            first = (row.id for row in answer.taken.rows)
            self.model.wanted = ("", Edit())
            self.screen.showing.take_board(answer.taken, next(ready, next(first, None)))
            self.screen.say(answer.line)
            self.screen.work(self.screen.moving.open_cursor, "item")


def marked_words(session: Session) -> Shown:
    """Return how much is marked: rows, and the items they stand for where these are more."""
    rows, items = len(session.marked), session.marked_items
    return Shown(str(rows)) if rows == items else say("{}, {}", counted(rows, "row"), counted(items, "item"))


class StillMarked(NamedTuple):
    """What is left of marks.

    Attributes:
        kept: marked items whose record is the one that was marked, with its digest.
        lost: the others, with the digest of the mark.
    """

    kept: dict[str, str]
    lost: dict[str, str]


def still_marked(desk: Desk, marks: Mapping[str, str]) -> StillMarked:
    """Read the records of marked items afresh: what came under the same id since, nobody marked."""
    desk.refresh()
    there = {name: one.digest for name, one in desk.read_again(marks).items()}
    lost = {name: digest for name, digest in marks.items() if there.get(name) != digest}
    return StillMarked({name: digest for name, digest in marks.items() if name not in lost}, lost)


def lost_words(lost: Iterable[str]) -> Shown:
    """Name marked items that are left out; empty for none."""
    names = ", ".join(shown_line(name, 16) for name in lost)
    return say("left out, changed or gone since it was marked: {}", Shown(names)) if names else Shown("")
