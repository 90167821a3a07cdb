"""The ground of the review screen: what it shows now, and how an item or a queue comes onto it.

Here: board, item, page and gate, and the rows that tell about them. Not here: layout and start (``review``), moving
(``moving``), live refresh (``live``), deciding (``deciding``), taking back (``reverting``), marks (``marking``).
Nothing on screen changes by itself except counters and new rows.
"""

from __future__ import annotations

from time import monotonic

from textual import on

from curator_tui.core.errors import CuratorError, UnknownItem
from curator_tui.core.preflight import State
from curator_tui.core.proposals import Edit
from curator_tui.core.review import OVERRIDABLE, approval_problem
from curator_tui.curator.desk import Desk
from curator_tui.curator.queue_model import Row
from curator_tui.evidence.port import Evidence
from curator_tui.tui.actions import REVIEW
from curator_tui.tui.facts import age, facts, file_name, gauge, state_piece
from curator_tui.tui.gates import Frame, Locked
from curator_tui.tui.looking import Board, Looked, look
from curator_tui.tui.pages import Look, Page, PageLine, fact_lines, item_page
from curator_tui.tui.queue_rows import QueueRows, head_line
from curator_tui.tui.screens.base import DeskScreen
from curator_tui.tui.shown import EMPTY, Line, own, say, shown_line
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine, Rule
from curator_tui.tui.widgets.reader import Reader
from curator_tui.tui.widgets.row_list import RowList


class ReviewGround(DeskScreen):
    """State of the review screen and how it is drawn."""

    SCREEN = REVIEW

    def __init__(self) -> None:
        super().__init__()
        self.board: Board | None = None
        self.rows: QueueRows | None = None
        self.looked: Looked | None = None
        self.page = Page("", "", ())
        self.look = Look()
        self.busy = False
        self.wanted: tuple[str, Edit] = ("", Edit())
        self.gone: Row | None = None
        self.found: dict[str, Evidence] = {}

    @property
    def list(self) -> RowList:
        """The list of the queue."""
        return self.query_one("#rows", RowList)

    @property
    def reader(self) -> Reader:
        """The reading pane."""
        return self.query_one("#reader", Reader)

    @property
    def wide(self) -> bool:
        """Whether the panes stand side by side."""
        return self.size.width >= 110

    # -- the list --------------------------------------------------------------------------------------------------

    def take_board(self, taken: Board, cursor: str | None = None) -> None:
        """Show the queue as read; the cursor stays on its item, or goes to the one named."""
        before = self.list.cursor
        wanted = cursor or self.wanted[0]
        keep = (self.gone, before) if self.gone is not None else None
        self.board = taken
        self.rows = QueueRows(taken, self.app.session, self.app.gate.mark_of, keep)
        place = self.rows.place(wanted) if wanted else None
        self.list.show(self.rows, before if place is None else place)
        self._draw_head()
        self.draw_status()

    def current_row(self) -> Row | None:
        """Return the row under the cursor."""
        return self.rows.row(self.list.cursor) if self.rows is not None else None

    def _draw_head(self) -> None:
        assert self.board is not None
        assert self.rows is not None
        session = self.app.session
        row = self.current_row()
        self.rows.current = row.id if row is not None else ""
        found = self.rows.found if session.words else None
        left, right = head_line(self.list.size.width or 80, len(session.marked), found)
        self.query_one("#head", OneLine).show(left, right)
        self.draw_title(self.board, self._title_parts())

    def _title_parts(self) -> list[Line]:
        assert self.board is not None
        parts: list[Line] = [(own("{} waiting", self.board.waiting, role="strong"),)]
        counts = self.board.counts
        parts.append((own("{} ready", counts.get(State.READY, 0), role="good") if counts else own("… ready", role="dim"),))
        if self.board.facts.provider:
            parts.append((own("also {}", shown_line(self.board.facts.provider, 12), role="dim"),))
        return parts

    @on(RowList.Moved, "#rows")
    def _row_moved(self, event: RowList.Moved) -> None:
        """Read the item the cursor came to; what was shown before cannot be decided any more."""
        event.stop()
        self.gone = None
        row = self.current_row()
        if row is not None and self.rows is not None:
            before = self.rows.place(self.rows.current)
            self.rows.current = row.id
            self.list.touch(self.list.cursor)
            if before is not None:
                self.list.touch(before)
            self.open_item(row.id)

    # -- the item --------------------------------------------------------------------------------------------------

    def open_item(self, name: str, edit: Edit | None = None) -> None:
        """Read an item, as it stands or with an edit, and show it."""
        self.wanted = (name, edit or Edit())
        self.run_worker(self._open(name, edit or Edit()), group="item", exclusive=True, exit_on_error=True)

    async def _open(self, name: str, edit: Edit) -> None:
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
                self.look_for_evidence()

    def show_item(self, looked: Looked, *, keep: bool = False) -> None:
        """Show an item; from now on the gate knows only this."""
        self.looked = looked
        self.wanted = (looked.id, looked.edit)
        self.app.session.changed.discard(looked.id)
        self.gone = None
        self.draw_item(keep=keep)

    def draw_item(self, *, keep: bool = False) -> None:
        """Draw the item that is shown once more, with other marks, contexts or evidence."""
        if self.looked is None:
            return
        now = self.board.now if self.board is not None else 0.0
        evidence = self.found.get(self.looked.id)
        page = item_page(self.looked, self.look, now, evidence, details=not self.wide)
        self.page = page
        frame = Frame(page.name, page.digest, tuple(line.key for line in page.lines))
        if self.app.gate.frame != frame:
            self.app.gate.begin(frame)
        self.reader.show(page, keep=keep)
        cut = not self.wide
        lines = [PageLine(line.body, line.prefix, cut=cut) for line in fact_lines(facts(self.looked, now, evidence))]
        self.query_one("#facts", Reader).show(Page(page.name, "", tuple(lines)))
        self._draw_gauge()
        self.draw_divider()
        self.draw_status()

    def show_nothing(self) -> None:
        """Show that nothing waits, and what can be done next."""
        self.looked = None
        self.wanted = ("", Edit())
        self.app.gate.hide()
        self.page = Page("", "", tuple(self._empty_lines()))
        self.reader.show(self.page)
        self.query_one("#facts", Reader).show(Page("", "", ()))
        self._draw_gauge()
        self.draw_divider()

    def _empty_lines(self) -> list[PageLine]:
        session = self.app.session
        if session.words and self.board is not None and self.board.waiting:
            return [PageLine((own("No row holds these words. esc clears the filter."),), (own("  "),))]
        lines = [
            (own("Nothing waits.", role="good"),),
            (own("{} decided in this session. u takes the last one back.", session.decided),),
            EMPTY,
            (own("3  history: what was decided, and how to roll back"),),
            (own("m  the documents as they are now"),),
            (own("New writes show up here by themselves; R looks at once. q leaves."),),
        ]
        return [PageLine(line, (own("  "),)) for line in lines]

    def _draw_gauge(self) -> None:
        row = self.query_one("#gauge", OneLine)
        if self.looked is None or not self.looked.documents:
            self._draw_standing_gauges(row)
            return
        part = self.looked.documents[0]
        outcome = part.outcome
        name = own(" {} ", file_name(part.target), role="head")
        growth = outcome.size_after - outcome.size_before
        signed = say("+{}", growth) if growth >= 0 else say("{}", growth)
        now = gauge(outcome.size_before, outcome.limit, 10)
        after = gauge(outcome.size_after, outcome.limit, 10 if self.wide else 0)
        after = tuple(piece._replace(text=say("{}", piece.text.replace("[] ", ""))) for piece in after)  # type: ignore[arg-type]
        row.show((name, *now), (own("after ({}) ", signed, role="dim"), *after, own(" ")))

    def _draw_standing_gauges(self, row: OneLine) -> None:
        if self.board is None:
            return
        line: Line = EMPTY
        for target, document in self.board.snapshot.documents.items():
            size = gauge(document.size, self.board.snapshot.limits.get(target), 8)
            line = (*line, own(" {} ", file_name(target), role="head"), *size, own("  "))
        row.show(line)

    # -- the divider -----------------------------------------------------------------------------------------------

    def draw_divider(self) -> None:
        """Say where in the page we are and whether ``a`` is open."""
        rule = self.query_one("#divider", Rule)
        left: Line = EMPTY
        if self.page.changes:
            at = self.reader.change_in_view()
            left = (own("change {} of {}", (at or 0) + 1, self.page.changes),)
        if self.reader.below:
            left = (*left, own("  v {} more", self.reader.below, role="head"))
        rule.show(left, self.lock_words())
        keys = self.query_one("#keys", KeyRow)
        locked = frozenset({"decide.approve"}) if self.a_is_locked() else frozenset()
        keys.lock(locked, self._hidden_keys())

    def _hidden_keys(self) -> frozenset[str]:
        hidden = set()
        if self.looked is None or len(self.looked.item.members) < 2:
            hidden.add("alternative.next")
        if self.looked is None or not self.looked.found.inside:
            hidden.add("decide.inside")
        if not self.may_switch:
            hidden.add("go.profile")
        return frozenset(hidden)

    @property
    def may_switch(self) -> bool:
        """Whether another profile can be opened from here."""
        return self.app.switch is not None and self.board is not None and bool(self.board.facts.profiles)

    def standing(self) -> Line:
        """Return the undo line, or what to do first."""
        last = self.app.session.last
        if last is not None and self.board is not None:
            ago = age(self.app.clerk.desk.now() - last.at)
            return (own("Undo ready: ", role="dim"), own("{} {} ago (u)", last.words, ago))
        return (own("a approves what you see, x rejects, s skips, ? shows every key", role="dim"),)

    def why(self) -> list[Line]:
        """Say what ``a`` would do now, for the help overlay."""
        return [(own("a NOW: ", role="head"), *self.lock_words(), own(" "))] if self.looked is not None else []

