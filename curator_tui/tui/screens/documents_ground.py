"""The ground of the documents screen: what is listed, what stands beside the list, finding, order, looking again.

Here: state, drawing, moving about. Not here: the keys that change something (``documents``), what is listed
(``curator.holdings``), the words (``entry_rows``, ``entry_pages``, ``document_states``).
"""

from __future__ import annotations

import asyncio
from functools import partial

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Size

from curator_tui.core.changes import Receipt
from curator_tui.core.documents import TARGETS, Target
from curator_tui.core.errors import CuratorError, UsageError
from curator_tui.core.origins import Origin
from curator_tui.core.splitting import splits
from curator_tui.curator.desk import Desk
from curator_tui.curator.holdings import EntrySort, Held, Holdings, holdings, listed
from curator_tui.curator.looking import Board, board
from curator_tui.tui.actions import DOCUMENTS, in_key_row, key_for, key_out
from curator_tui.tui.document_states import gauge_row
from curator_tui.tui.entry_pages import entry_page, gains_page, gains_title, nothing_page
from curator_tui.tui.entry_rows import MARKS_TOLD, EntryRows, head_line
from curator_tui.tui.facts import counted, file_name
from curator_tui.tui.screens.correcting import Correcting
from curator_tui.tui.screens.disputing import Disputing
from curator_tui.tui.screens.filtering import Filtering
from curator_tui.tui.screens.reverting import Reverting, undo_line
from curator_tui.tui.shown import EMPTY, Line, Shown, message, own, say, shown_line
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine, Rule
from curator_tui.tui.widgets.panes import Panes
from curator_tui.tui.widgets.reader import Reader
from curator_tui.tui.widgets.row_list import RowList

OF_ENTRY = frozenset(
    {"entry.correct", "entry.editor", "entry.remove", "entry.split", "entry.move", "entry.dispute", "open"}
)
"""Actions that are about the entry under the cursor."""
CARRYING = {"entry.move": "put it down", "back": "give it up"}
"""What the key row offers while an entry is carried, in the words that hold then."""
_SUGGESTED = 8  # rows of the suggestions below the text

SORTS: dict[EntrySort, str] = {
    EntrySort.DOCUMENT: "as they stand in the documents",
    EntrySort.LARGEST: "largest first",
    EntrySort.NEWEST: "newest first",
    EntrySort.OLDEST: "oldest first",
    EntrySort.SOURCE: "by their source",
    EntrySort.UNSEEN: "disputed, then never seen by a person first",
}


class DocumentsGround(Filtering, Reverting):
    """State of the documents screen and how it is drawn."""

    SCREEN = DOCUMENTS
    hint = "words   source:agent is:unseen since:7d   enter: list   esc: clears it"

    def __init__(self, size: Size) -> None:
        super().__init__(size)
        self.correcting = Correcting(self)
        self.disputing = Disputing(self)
        self.board: Board | None = None
        self.found: Holdings | None = None
        self.rows: EntryRows | None = None
        self.sort = EntrySort.DOCUMENT
        self._words = ""
        self.carried: tuple[Target, str] | None = None
        self._traced: dict[tuple[Target, str], Origin] = {}
        self._here: tuple[Target, str] | None = None

    def body(self) -> ComposeResult:
        """Put both gauges over the list, and the list beside or above the text."""
        with Container(id="gauges"):
            for target in TARGETS:
                yield OneLine(id=f"gauge-{target}")
        with Panes(self):
            with Container(id="left"):
                yield OneLine(id="head")
                yield RowList(id="rows")
            with Container(id="right"):
                yield Rule(id="divider")
                yield Reader(id="reader")
                yield Rule(id="room")
                yield Reader(id="facts")

    def on_mount(self) -> None:
        """Read the documents, then where their entries come from."""
        self.draw_title(None)
        self.work(self.read, "documents")
        self.lookout.keep(self._tick)

    # -- reading ---------------------------------------------------------------------------------------------------

    async def read(self) -> None:
        """Read the documents; the first time show their entries before it is known where they come from."""

        def look(desk: Desk, *, trace: bool) -> tuple[Board, Holdings]:
            desk.refresh()
            return board(desk, self.board, facts=desk.here()), holdings(desk, trace=trace)

        try:
            if self.found is None:
                self.take(*await self.app.clerk.ask(partial(look, trace=False)))
            self.take(*await self.app.clerk.ask(partial(look, trace=True)))
        except CuratorError as error:
            self.fail(error)
            return
        self.restore_words()

    def take(self, taken: Board, found: Holdings) -> None:
        """Show what was read; the cursor stays on its entry, or where it was when that is gone."""
        self.board, self.found, self._traced = taken, found, {}
        if self.at:  # the entry that another place sent here
            self._here = next((one.key for one in found.entries if one.learned.id == self.at), None)
            self.at = ""
        self.draw()

    def _tick(self) -> None:
        if not self.carried:
            self.lookout.look_again(self._poll)

    async def _poll(self) -> None:
        """Show what others wrote meanwhile; nothing is painted where nothing changed."""
        before, shown = self.found, self.board

        def look(desk: Desk) -> bool:
            desk.refresh()
            return before is None or shown is None or desk.queue.version != shown.version

        changed = await self.lookout.ask(look)
        if changed and before is self.found and not self.carried:
            await self.read()

    async def reverted(self, receipt: Receipt, taken: Board) -> None:  # noqa: ARG002 - read again
        """Read the documents again; the cursor goes to the first entry that came back or is new."""
        before = {held.key for held in self.found.entries} if self.found is not None else set()
        await self.read()
        new = [held.key for held in self.found.entries if held.key not in before] if self.found is not None else []
        if receipt.change is not None and new:
            self._here = new[0]
            self.draw()

    # -- drawing ---------------------------------------------------------------------------------------------------

    def listed(self) -> tuple[Held, ...]:
        """Return the entries that are listed now."""
        if self.found is None:
            return ()
        try:
            return listed(self.found, self.words, self.sort)
        except UsageError as error:  # half a filter is being typed
            self.say((own("{}", message(error.message), role="warn"), own(" {}", message(error.way_out))))
            return listed(self.found, "", self.sort)

    def draw(self) -> None:
        """Draw all of it as it is now."""
        if self.found is None:
            return
        for target in TARGETS:
            self.query_one(f"#gauge-{target}", OneLine).show(*gauge_row(self.found, target))
        shown = self.listed()
        you = self.app.clerk.desk.actor
        self.rows = EntryRows(self.found, shown, self.sort, self.carried, whole=not self.words, you=you)
        place = self.rows.place(self._here)
        self.queue.show(self.rows, max(self.queue.cursor, 0) if place is None else place)
        self._draw_head(len(shown))
        self.draw_entry()
        room, title = self.query_one("#room", Rule), gains_title(self.found)
        room.display = bool(title)
        room.show(title)
        suggestions = gains_page(self.found)
        facts = self.query_one("#facts", Reader)
        facts.styles.height = min(max(len(suggestions.lines), 1), _SUGGESTED)
        facts.show(suggestions)
        self.draw_status()

    def _draw_head(self, count: int) -> None:
        assert self.found is not None
        left = head_line(self.queue.row_width or 80)
        right: Line = (own("{} found ", count, role="note"),) if self.words else EMPTY
        self.query_one("#head", OneLine).show(left, right, keep_right=True)
        unseen = sum(one.learned.unseen for one in self.found.entries) if self.found.traced else 0
        parts: list[Line] = [(own("{}", counted(len(self.found.entries), "entry", "entries"), role="strong"),)]
        if unseen:
            parts.append((own("{} never seen", unseen, role="warn"),))
        self.draw_title(self.board, parts)

    def at_cursor(self) -> Held | None:
        """Return the entry under the cursor."""
        return self.rows.row(self.queue.cursor) if self.rows is not None else None

    def draw_entry(self, *, keep: bool = False) -> None:
        """Show the entry under the cursor."""
        if self.found is None:
            return
        held = self.at_cursor()
        if held is None:
            self.query_one("#divider", Rule).show(EMPTY)
            self.reader.show(nothing_page(self.found, filtered=bool(self.words)))
            self._dim(None)
            return
        self._here = held.key
        origin = self._traced.get(held.key, held.origin)
        name = own("entry {} of {}", held.number, file_name(held.target), role="head")
        size = own("{}", counted(held.learned.size, "character"), role="dim")
        self.query_one("#divider", Rule).show((name,), (size,))
        self.reader.show(entry_page(self.found, held, self.app.clerk.desk.actor, origin), keep=keep)
        self._dim(held)
        if self.found.traced and held.key not in self._traced:
            self.work(partial(self._look_for_source, held), "evidence")

    def _dim(self, held: Held | None) -> None:
        """Leave out the keys that mean nothing for an entry."""
        assert self.found is not None
        if self.carried is not None:
            others = frozenset(one.id for one in in_key_row(DOCUMENTS)) - CARRYING.keys()
            self.query_one("#keys", KeyRow).dim(frozenset(), others, CARRYING)
            return
        hidden = {"go.documents"}
        if held is None:
            hidden |= OF_ENTRY
        elif not splits(held.text):
            hidden.add("entry.split")
        if held is None or not held.waiting:
            hidden.add("go.proposals")
        if not any(self.found.gains.values()):
            hidden.add("entry.merge")
        if not any(self.found.snapshot.document(target).drifted for target in TARGETS):
            hidden.add("doc.tidy")
        refused = frozenset({"entry.add"}) if self.app.read_only else frozenset()
        self.query_one("#keys", KeyRow).dim(refused, frozenset(hidden))

    async def _look_for_source(self, held: Held) -> None:
        await asyncio.sleep(self.app.timing.rest)  # of many moves in a row only the last is looked up
        found = self.found
        origin, _ = await self.app.clerk.evidence_of(held.origin)
        self._traced[held.key] = origin
        now = self.at_cursor()
        if found is self.found and now is not None and now.key == held.key and origin != held.origin:
            self.draw_entry(keep=True)

    def standing(self) -> Line:
        """Return what always holds."""
        if self.carried is not None:
            keys = key_for("move.down"), key_for("move.up"), key_for("entry.move"), key_for("back")
            return (own("{} and {} move the entry; {} shows what that does, {} gives it up", *keys, role="warn"),)
        if self.words:
            words = own("{}  ", shown_line(self.words, 40))
            return (own("filter: ", role="dim"), words, own("{} clears it", key_out(), role="dim"))
        undo = undo_line(self.app.session, self.app.clerk.desk.now())
        return undo or (own("{}", Shown(MARKS_TOLD), role="dim"),)

    @on(RowList.Moved, "#rows")
    def _moved(self, event: RowList.Moved) -> None:
        event.stop()
        self.draw_entry()

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.draw()

    # -- finding and order -----------------------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """What the list is filtered by."""
        return self._words

    def set_words(self, words: str) -> None:
        """Show only the entries that these words mean."""
        self._words = words
        self.say(EMPTY)
        self.draw()

    def action_order(self) -> None:
        """Choose the order of the list."""
        from curator_tui.tui.screens.choosing import ChooseScreen

        choices = tuple(SORTS)
        texts = [f"{SORTS[one]}{' (now)' if one is self.sort else ''}" for one in choices]

        def chosen(at: int | None) -> None:
            if at is not None:
                self.sort = choices[at]
                self.draw()
                self.say((own("the list: {}", Shown(SORTS[self.sort])),))

        self.app.push_screen(ChooseScreen(say("order of the list"), texts), chosen)

    def action_refresh(self) -> None:
        """Read everything again."""
        self.work(self.read, "documents")

    def action_back(self) -> None:
        """Give up a move, leave the text, clear the filter, else go back to the queue."""
        if self.carried is not None:
            self.put_back()
            self.say((own("it stands where it stood"),))
        else:
            super().action_back()

    def put_back(self) -> None:
        """Give up moving an entry (see ``documents``)."""
        raise NotImplementedError
