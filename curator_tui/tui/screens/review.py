"""The review screen: the queue, the outcome of the item under the cursor, and what there is to say about it.

Here: what is on screen and how one moves on it; live refresh. Not here: deciding (``deciding``), taking back
(``reverting``), marks and plans (``marking``). Nothing on screen changes by itself except counters and new rows: what
is looked at stays until a key asks for more.
"""

from __future__ import annotations

from time import monotonic
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container

from curator_tui.core.errors import CuratorError, UnknownItem
from curator_tui.core.preflight import State
from curator_tui.core.proposals import Edit
from curator_tui.curator.desk import Desk
from curator_tui.curator.queue_model import Row
from curator_tui.evidence.port import Evidence
from curator_tui.tui.actions import REVIEW, bindings
from curator_tui.tui.facts import age, facts, file_name, gauge
from curator_tui.tui.gates import Frame, Locked
from curator_tui.tui.looking import Board, Looked, board, look
from curator_tui.tui.pages import CONTEXTS, Look, Page, PageLine, fact_lines, item_page
from curator_tui.tui.queue_rows import QueueRows, head_line
from curator_tui.tui.screens.base import DeskScreen
from curator_tui.tui.screens.deciding import Deciding
from curator_tui.tui.screens.marking import Marking
from curator_tui.tui.screens.reverting import Reverting
from curator_tui.tui.shown import EMPTY, Line, own, say, shown_line
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine, Rule
from curator_tui.tui.widgets.reader import Reader
from curator_tui.tui.widgets.row_list import RowList

_SLICE = 0.008
_FACTS_EVERY = 5


class ReviewScreen(Deciding, Reverting, Marking, DeskScreen):
    """The queue and what each write would really do."""

    SCREEN = REVIEW
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[Binding]] = bindings(REVIEW)  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.board: Board | None = None
        self.rows: QueueRows | None = None
        self.looked: Looked | None = None
        self.page = Page("", "", ())
        self.look = Look()
        self.busy = False
        self._wanted: tuple[str, Edit] = ("", Edit())
        self._found: dict[str, Evidence] = {}
        self._gone: Row | None = None
        self._polls = 0
        self._polling = False

    # -- composing -------------------------------------------------------------------------------------------------

    def body(self) -> ComposeResult:
        """Put the list beside or above the outcome."""
        with Container(id="panes"):
            with Container(id="left"):
                yield OneLine(id="head")
                yield RowList(id="rows")
            with Container(id="right"):
                yield OneLine(id="gauge")
                yield Reader(id="reader")
                yield Rule(id="divider")
                yield Reader(id="facts")

    @property
    def list(self) -> RowList:
        """The list of the queue."""
        return self.query_one("#rows", RowList)

    @property
    def reader(self) -> Reader:
        """The reading pane."""
        return self.query_one("#reader", Reader)

    def on_mount(self) -> None:
        """Show the first screenful before anything else is started."""
        self.look = Look(marks=self.app.palette.mono)
        desk = self.app.clerk.desk
        self.take_board(board(desk))
        row = self.current_row()
        if row is not None:
            try:
                self.show_item(look(desk, row.id))
            except CuratorError as error:
                self.fail(error)
        else:
            self.show_nothing()
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.run_worker(self._first_steps(), group="start", exit_on_error=True)
        if self.app.timing.poll > 0:
            self.set_interval(self.app.timing.poll, self._tick)

    async def _first_steps(self) -> None:
        """Record what others wrote, look for evidence, then work out all states in slices."""
        clerk = self.app.clerk
        if not self.app.read_only:
            try:
                await clerk.change(lambda desk: desk.observe())
            except CuratorError as error:
                self.fail(error)
        self.look_for_evidence()
        while not await clerk.ask(lambda desk: desk.queue.advance(_SLICE)):
            pass
        self.take_board(await clerk.ask(board))

    # -- the list --------------------------------------------------------------------------------------------------

    def take_board(self, taken: Board, cursor: str | None = None) -> None:
        """Show the queue as read; the cursor stays on its item, or goes to the one named."""
        before = self.list.cursor
        wanted = cursor or self._wanted[0]
        keep = (self._gone, before) if self._gone is not None else None
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
        self._gone = None
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
        self._wanted = (name, edit or Edit())
        self.run_worker(self._open(name, edit or Edit()), group="item", exclusive=True, exit_on_error=True)

    async def _open(self, name: str, edit: Edit) -> None:
        def read(desk: Desk) -> Looked | None:
            # of many moves in a row only the last is worth reading
            return look(desk, name, edit) if self._wanted == (name, edit) else None

        try:
            looked = await self.app.clerk.ask(read)
        except UnknownItem:
            self.app.gate.hide()
            self.app.session.changed.add(name)
            self.draw_divider()
        except CuratorError as error:
            self.fail(error)
        else:
            if looked is not None and self._wanted == (name, edit):
                self.show_item(looked)
                self.look_for_evidence()

    def show_item(self, looked: Looked, *, keep: bool = False) -> None:
        """Show an item; from now on the gate knows only this."""
        self.looked = looked
        self._wanted = (looked.id, looked.edit)
        self.app.session.changed.discard(looked.id)
        self._gone = None
        self.draw_item(keep=keep)

    def draw_item(self, *, keep: bool = False) -> None:
        """Draw the item that is shown once more, with other marks, contexts or evidence."""
        if self.looked is None:
            return
        now = self.board.now if self.board is not None else 0.0
        evidence = self._found.get(self.looked.id)
        page = item_page(self.looked, self.look, now, evidence, details=not self.has_class("-w3"))
        self.page = page
        frame = Frame(page.name, page.digest, tuple(line.key for line in page.lines))
        if self.app.gate.frame != frame:
            self.app.gate.begin(frame)
        self.reader.show(page, keep=keep)
        cut = not self.has_class("-w3")
        lines = [PageLine(line.body, line.prefix, cut=cut) for line in fact_lines(facts(self.looked, now, evidence))]
        self.query_one("#facts", Reader).show(Page(page.name, "", tuple(lines)))
        self._draw_gauge()
        self.draw_divider()
        self.draw_status()

    def show_nothing(self) -> None:
        """Show that nothing waits, and what can be done next."""
        self.looked = None
        self._wanted = ("", Edit())
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
        after = gauge(outcome.size_after, outcome.limit, 10 if self.has_class("-w3") else 0)
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

    # -- painting and the gate -------------------------------------------------------------------------------------

    @on(Reader.Painted, "#reader")
    def _painted(self, event: Reader.Painted) -> None:
        """Tell the gate what reached the screen."""
        event.stop()
        if event.page is not self.page or self.looked is None:
            return
        gate = self.app.gate
        before = gate.mark_of(self.looked.id)
        gate.painted(event.parts, monotonic())
        if gate.mark_of(self.looked.id) != before and self.rows is not None:
            place = self.rows.place(self.looked.id)
            if place is not None:
                self.list.touch(place)
        self.draw_divider()

    @on(Reader.Rewrapped, "#reader")
    def _rewrapped(self, event: Reader.Rewrapped) -> None:
        event.stop()
        self.app.gate.rewrapped()

    @on(Reader.Hidden, "#reader")
    def _hidden(self, event: Reader.Hidden) -> None:
        """What is not on screen cannot be decided; it is painted anew when it comes back."""
        event.stop()
        gate = self.app.gate
        if gate.frame is not None:
            gate.begin(gate.frame)

    @on(Reader.Scrolled, "#reader")
    def _scrolled(self, event: Reader.Scrolled) -> None:
        event.stop()
        self.draw_divider()

    def on_screen_suspend(self) -> None:
        """Another screen covers this one: nothing here can be decided until it was painted again."""
        gate = self.app.gate
        if gate.frame is not None:
            gate.begin(gate.frame)

    def on_screen_resume(self) -> None:
        """Paint again what was covered."""
        if self.board is not None:
            self.reader.refresh()
            self.draw_status()

    def on_resize(self) -> None:
        """Lay the panes out for the new size."""
        if self.board is not None:
            self._draw_head()
            self.draw_item(keep=True)

    # -- evidence --------------------------------------------------------------------------------------------------

    def look_for_evidence(self) -> None:
        """Look for where the claim came from, in a thread of its own, once per item."""
        if self.looked is not None and self.looked.id not in self._found:
            self.run_worker(self._evidence(self.looked), group="evidence", exclusive=True, exit_on_error=True)

    async def _evidence(self, looked: Looked) -> None:
        found = await self.app.clerk.evidence(looked.item.found.proposal)
        if found is None:
            return
        self._found[looked.id] = found
        if self.looked is not None and self.looked.id == looked.id:
            self.draw_item(keep=True)

    def evidence_of(self, name: str) -> Evidence | None:
        """Return what was found out about an item's source."""
        return self._found.get(name)

    # -- live refresh ----------------------------------------------------------------------------------------------

    def _tick(self) -> None:
        self.draw_status()
        if not (self._polling or self.busy) and self.is_current:
            self.run_worker(self._poll(), group="poll", exit_on_error=True)

    async def _poll(self) -> None:
        """Look at the store again; what is on screen stays, and is marked where it is not true any more."""
        self._polling = True
        self._polls += 1
        name, edit = self._wanted
        known = self.board.facts if self.board is not None and self._polls % _FACTS_EVERY else None

        def look_again(desk: Desk) -> tuple[Board | None, Looked | None, bool]:
            changed = desk.refresh()
            desk.queue.advance(_SLICE)
            fresh: Looked | None = None
            gone = False
            if name:
                try:
                    fresh = look(desk, name, edit)
                except UnknownItem:
                    gone = True
            return (board(desk, known) if changed or known is None else None), fresh, gone

        try:
            taken, fresh, gone = await self.app.clerk.ask(look_again)
        except CuratorError as error:
            self.app.trouble = (own("OFFLINE: {} Decisions are refused until it can be read.", say_error(error), role="bad"),)
            self.draw_title(self.board, self._title_parts() if self.board is not None else ())
            return
        finally:
            self._polling = False
        self.app.trouble = None
        if not self.busy and self._wanted == (name, edit):
            self._compare(fresh, gone=gone)
            if taken is not None:
                self.take_board(taken)
                if self.looked is None and self.current_row() is not None:
                    self.open_item(self.current_row().id)  # type: ignore[union-attr]

    def _compare(self, fresh: Looked | None, *, gone: bool) -> None:
        """Mark the item on screen when it is not what the store holds any more."""
        if self.looked is None:
            return
        differs = gone or (fresh is not None and fresh.digest != self.looked.digest)
        changed = self.app.session.changed
        if differs and self.looked.id not in changed:
            changed.add(self.looked.id)
            self._gone = self.current_row() if gone else None
        elif not differs:
            changed.discard(self.looked.id)
        self.list.touch(self.list.cursor)
        self.draw_divider()

    # -- moving ----------------------------------------------------------------------------------------------------

    def action_move_down(self) -> None:
        """Go to the next row."""
        self.list.move(1)

    def action_move_up(self) -> None:
        """Go to the row before."""
        self.list.move(-1)

    def action_move_first(self) -> None:
        """Go to the first row."""
        self.list.go(0)

    def action_move_last(self) -> None:
        """Go to the last row."""
        self.list.go(max(len(self.list.source) - 1, 0))

    def action_change_next(self) -> None:
        """Go to the next change; behind the last one to the next row."""
        unseen = self.app.gate.unseen()
        if unseen and self.reader.to_line(unseen[0]):
            return
        if not self.reader.to_change(1) and not (unseen and self.reader.scroll_pages(1)):
            self.list.move(1)

    def action_change_prev(self) -> None:
        """Go to the change before."""
        self.reader.to_change(-1)

    def action_line_down(self) -> None:
        """Scroll the text a line."""
        self.reader.scroll_rows(1)

    def action_line_up(self) -> None:
        """Scroll the text a line up."""
        self.reader.scroll_rows(-1)

    def action_page_down(self) -> None:
        """Scroll the text a page."""
        self.reader.scroll_pages(1)

    def action_page_up(self) -> None:
        """Scroll the text a page up."""
        self.reader.scroll_pages(-1)

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
        """Change between the diff and plain texts."""
        self.look = Look(self.look.context, self.look.marks, not self.look.plain)
        self.draw_item()

    def action_view_context(self) -> None:
        """Show more or fewer unchanged entries."""
        at = CONTEXTS.index(self.look.context) if self.look.context in CONTEXTS else 0
        self.look = Look(CONTEXTS[(at + 1) % len(CONTEXTS)], self.look.marks, self.look.plain)
        self.draw_item()

    def action_view_theme(self) -> None:
        """Change to the next palette; without colours changed words get signs."""
        super().action_view_theme()
        self.look = Look(self.look.context, self.app.palette.mono, self.look.plain)
        self.draw_item(keep=True)

    def action_pane_next(self) -> None:
        """Change between list and text where only one of them fits."""
        self.toggle_class("-reading")

    def action_refresh(self) -> None:
        """Read everything again and redraw what is looked at."""
        self.run_worker(self._redraw(), group="item", exclusive=True, exit_on_error=True)

    async def _redraw(self) -> None:
        def again(desk: Desk) -> Board:
            desk.refresh()
            return board(desk)

        self._gone = None
        try:
            self.take_board(await self.app.clerk.ask(again))
        except CuratorError as error:
            self.fail(error)
            return
        row = self.current_row()
        if row is None:
            self.show_nothing()
            return
        name, edit = self._wanted
        keep = name in row.members
        await self._open_now(name if keep else row.id, edit if keep else Edit())

    async def _open_now(self, name: str, edit: Edit) -> None:
        self._wanted = (name, edit)
        await self._open(name, edit)

    def action_go_review(self) -> None:
        """Stay here."""

    def action_go_history(self) -> None:
        """Open the backups."""
        from curator_tui.tui.screens.history import HistoryScreen

        self.app.push_screen(HistoryScreen(), self._came_back)

    def _came_back(self, _: None) -> None:
        self.action_refresh()

    def action_go_memory(self) -> None:
        """Show the documents as they are."""
        from curator_tui.tui.screens.reading import ReadScreen, memory_page

        if self.board is not None:
            self.app.push_screen(ReadScreen(say("memory now"), memory_page(self.board.snapshot)))

    def action_view_source(self) -> None:
        """Show everything about the item: source, record, details."""
        from curator_tui.tui.screens.reading import ReadScreen, source_page

        if self.looked is not None and self.board is not None:
            page = source_page(self.looked, self.evidence_of(self.looked.id), self.board.now)
            self.app.push_screen(ReadScreen(say("source of {}", shown_line(self.looked.id)), page))

    def action_back(self) -> None:
        """Clear the filter, leave an edit, or leave the application."""
        session = self.app.session
        if session.words:
            self.set_words("")
        elif self.looked is not None and not self.looked.edit.empty:
            self.open_item(self.looked.id)
        elif session.range_from is not None:
            session.range_from = None
            self.say((own("range given up"),))
        elif self.app.last_key == "q":
            self.app.exit(0)

    # -- what the gate says ----------------------------------------------------------------------------------------

    def locked_by(self) -> Locked | None:
        """Return what keeps ``a`` locked for the item on screen, the dwell left aside."""
        assert self.looked is not None
        found = self.app.gate.locked(self.looked.id, self.looked.digest, monotonic() + self.app.timing.dwell)
        return None if found is Locked.TOO_SOON else found


def say_error(error: CuratorError) -> Line | str:  # pragma: no cover - replaced below
    """Return the words of an error."""
    return str(error)
