"""The learned screen: everything the profile has learned as one list, entries with their origins and installed skills.

Here: layout, keys, the filter. Not here: gathering (``curator.learned``), rows and pages (``learned_rows``), changing
an entry (``correcting``). Skills are read only: Hermes has commands of its own for them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.geometry import Size

from curator_tui.core.changes import Receipt
from curator_tui.core.documents import Target
from curator_tui.core.errors import CuratorError, UsageError
from curator_tui.core.learned import Learned, LearnedTerm, learned_matches, parse_learned
from curator_tui.curator.desk import Desk
from curator_tui.curator.learned import Timeline, state, timeline
from curator_tui.curator.looking import Board, board
from curator_tui.curator.skills import installed_commands
from curator_tui.tui.actions import DOCUMENTS, HISTORY, LEARNED, LEDGER, bindings, key_for, key_out
from curator_tui.tui.learned_rows import LearnedRows, kind_words, learned_head, learned_page, nothing_page
from curator_tui.tui.ledger_words import failed_page
from curator_tui.tui.page_lines import Page
from curator_tui.tui.screens.acting import read_only_words
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

if TYPE_CHECKING:
    from curator_tui.curator.values import Evidence

_OF_ENTRIES = frozenset({"entry.correct", "entry.editor", "entry.remove", "entry.dispute"})


class LearnedScreen(Filtering, Reverting):
    """Everything that was learned."""

    SCREEN = LEARNED
    CSS_PATH = "../styles/learned.tcss"
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(LEARNED)]
    hint = "words   kind:skill since:30d source: is:unseen   enter: list   esc: clears it"

    def __init__(self, size: Size) -> None:
        super().__init__(size)
        self.correcting = Correcting(self)
        self.disputing = Disputing(self)
        self.board: Board | None = None
        self._found = Timeline(())
        self._state: tuple[object, ...] = ()
        self._rows = LearnedRows((), 0.0)
        self._newest_first = True
        self._everywhere = False
        self._typed = ""
        self._terms: tuple[LearnedTerm, ...] = ()
        self._problem: UsageError | None = None
        self._failure: CuratorError | None = None

    def body(self) -> ComposeResult:
        """Put the list beside or above the text of its row."""
        with Panes(self):
            with Container(id="left"):
                yield OneLine(id="views")
                yield OneLine(id="head")
                yield RowList(id="rows")
            with Container(id="right"):
                yield Rule(id="gauge")
                yield Reader(id="reader")

    def on_mount(self) -> None:
        """Read everything."""
        self.draw_title(None)
        self.draw_status()
        self.work(self._read, "learned")
        self.lookout.keep(self._tick)

    # -- reading ---------------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        everywhere, newest_first = self._everywhere, self._newest_first

        def job(desk: Desk) -> tuple[Board, tuple[object, ...], Timeline]:
            desk.refresh()
            now = state(desk)
            return board(desk, facts=desk.here()), now, timeline(desk, everywhere=everywhere, newest_first=newest_first)

        try:
            self.board, self._state, self._found = await self.app.clerk.ask(job)
        except CuratorError as error:
            self._failure = error
            self._rows = LearnedRows((), 0.0)
            self.queue.show(self._rows, 0)
            self._show(failed_page(error))
            self.fail(error)
            return
        self._failure = None
        self._arrange()
        self.restore_words()
        for note in self._found.notes[:1]:
            self.say((own("{}", message(note), role="warn"),))

    def _tick(self) -> None:
        self.draw_status()
        if self._failure is None:
            self.lookout.look_again(self._poll)

    async def _poll(self) -> None:
        """Read again what others changed; the cursor stays on its row."""
        now = await self.lookout.ask(state)
        if now is not None and now != self._state and self._state:
            await self._read()

    def _arrange(self) -> None:
        """Show the rows that are meant; the cursor stays on its row, or as near as it can."""
        now = self.app.clerk.desk.now()
        here, cursor = self._rows.row(self.queue.cursor), max(self.queue.cursor, 0)
        self._rows = LearnedRows([row for row in self._found.rows if learned_matches(row, self._terms)], now)
        place = self._rows.place(here) if here is not None else None
        self.queue.show(self._rows, cursor if place is None else place)
        self._draw_head()
        self.draw_status()
        self._open()

    # -- the filter ------------------------------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """What was typed as a filter."""
        return self._typed

    def set_words(self, words: str) -> None:
        """Show only what the words mean; as long as they mean nothing, what was shown stays."""
        self._typed = words
        try:
            terms = parse_learned(words, self.app.clerk.desk.now())
        except UsageError as error:
            self._problem = error
            self._draw_head()
            return
        self._problem = None
        self._terms = terms
        self._arrange()

    # -- drawing ---------------------------------------------------------------------------------------------------

    def _draw_head(self) -> None:
        parts: list[Line] = [(own("{}", kind_words(self._found.rows), role="strong"),)]
        self.draw_title(self.board, parts)
        self.query_one("#head", OneLine).show(learned_head(self.queue.row_width or self.app.size.width))
        order = say("newest first" if self._newest_first else "oldest first")
        where = say("with skills of all profiles") if self._everywhere else say("of this profile")
        left: Line = (own(" learned, {}, {}", where, order, role="dim"),)
        right: Line = EMPTY
        if self._problem is not None:
            left = (own(" {}", message(f"{self._problem.message} {self._problem.way_out}"), role="warn"),)
        elif self._terms:
            right = (own("filter: {} of {} ({}) ", len(self._rows), len(self._found.rows), key_out(), role="mark"),)
        self.query_one("#views", OneLine).show(left, right, keep_right=True)

    def _open(self) -> None:
        """Show the row under the cursor."""
        row = self._rows.row(self.queue.cursor)
        hidden = _OF_ENTRIES if row is None or row.skill is not None else frozenset()
        self.query_one("#keys", KeyRow).dim(frozenset(hidden))
        self._show(self._page(row) if row is not None else nothing_page(filtered=bool(self._terms)))
        if row is not None and row.origin is not None and row.origin.item:
            self.work(partial(self._look_up, row), "evidence")

    async def _look_up(self, row: Learned) -> None:
        """Show on what the entry under the cursor rests, as its own page does."""
        found, _ = await self._evidence_of(row)
        if self._rows.row(self.queue.cursor) == row and found != row:
            self._show(self._page(found))

    async def _evidence_of(self, row: Learned) -> tuple[Learned, Evidence | None]:
        """Return a row with what the sessions tell of its origin, and the session behind it."""
        if row.origin is None:
            return row, None
        origin, evidence = await self.app.clerk.evidence_of(row.origin)
        return replace(row, origin=origin), evidence

    def _page(self, row: Learned, evidence: Evidence | None = None, *, whole: bool = False) -> Page:
        desk = self.app.clerk.desk
        return learned_page(row, desk.actor, self._profile, desk.now(), evidence, whole=whole)

    @property
    def _profile(self) -> str:
        return self.board.facts.scope if self.board is not None else ""

    def _show(self, page: Page) -> None:
        self.reader.top = 0
        self.reader.show(page, keep=True)
        self._draw_rule()

    def _draw_rule(self) -> None:
        row, below = self._rows.row(self.queue.cursor), self.reader.below
        left: Line = EMPTY
        if row is not None:
            left = (own("{} {}", say("skill") if row.skill is not None else say("entry of {}", row.kind),
                        shown_line(row.id, 14), role="head"),)  # fmt: skip
        right: Line = (own("v {} more ({})", below, key_for("page.down"), role="head"),) if below else EMPTY
        self.query_one("#gauge", Rule).show(left, right)

    def standing(self) -> Line:
        """Return what always holds."""
        if undo := undo_line(self.app.session, self.app.clerk.desk.now()):
            return undo
        row = self._rows.row(self.queue.cursor)
        if row is not None and row.skill is not None:
            keys = key_for("open"), key_for("go.skills")
            return (own("a skill is read only here: {} shows all of it, {} goes to the skills", *keys, role="dim"),)
        if self.app.read_only:
            return read_only_words(web=self.app.is_web)
        words = own("{} corrects and {} removes an entry, shown first; skills are Hermes's own.",
                    key_for("entry.correct"), key_for("entry.remove"), role="dim")  # fmt: skip
        return (words,)

    @on(RowList.Moved, "#rows")
    def _moved(self, event: RowList.Moved) -> None:
        event.stop()
        self._open()
        self.draw_status()

    @on(Reader.Scrolled, "#reader")
    def _scrolled(self, event: Reader.Scrolled) -> None:
        event.stop()
        self._draw_rule()

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._draw_head()

    # -- what can be done with a row -------------------------------------------------------------------------------

    def _entry(self) -> tuple[Target, str] | None:
        """Return the entry under the cursor; says why where there is none to be changed."""
        row = self._rows.row(self.queue.cursor)
        if row is None:
            return None
        if row.origin is not None:
            return row.origin.target, row.title
        assert row.skill is not None
        what, command = installed_commands(row.skill, self._profile)[0]
        self.say((own("skills are read only here; to {}: ", Shown(what), role="warn"), own("{}", Shown(command))))
        return None

    def action_entry_correct(self) -> None:
        """Write another wording for the entry."""
        if (entry := self._entry()) is not None:
            self.correcting.correct_entry(*entry)

    def action_entry_editor(self) -> None:
        """Write another wording for the entry in ``$EDITOR``."""
        if (entry := self._entry()) is not None:
            self.correcting.correct_outside(*entry)

    def action_entry_remove(self) -> None:
        """Show what removing the entry would do."""
        if (entry := self._entry()) is not None:
            self.correcting.remove_entry(*entry)

    def action_entry_dispute(self) -> None:
        """Ask why the entry is disputed."""
        if (entry := self._entry()) is not None:
            self.disputing.dispute_entry(*entry)

    async def reverted(self, receipt: Receipt, taken: Board) -> None:  # noqa: ARG002 - read again with all the rest
        """Read everything again."""
        await self._read()

    def action_open(self) -> None:
        """Show everything about the row on a page of its own, with the session behind it and the texts before it."""
        row = self._rows.row(self.queue.cursor)
        if row is not None:
            self.work(partial(self._open_whole, row), "details")

    async def _open_whole(self, row: Learned) -> None:
        from curator_tui.tui.screens.reading import ReadScreen

        row, evidence = await self._evidence_of(row)
        title = say("skill {}", shown_line(row.title, 40)) if row.skill is not None else say("entry of {}", row.kind)
        if self.is_current:
            self.app.push_screen(ReadScreen(title, self._page(row, evidence, whole=True)))

    def action_go_ledger(self) -> None:
        """Go to the row of the ledger that brought the entry, else to the newest."""
        row = self._rows.row(self.queue.cursor)
        seq = row.origin.seq if row is not None and row.origin is not None else None
        self.app.go(LEDGER, str(seq or ""))

    def action_go_backups(self) -> None:
        """Go to the history, to the change that brought the entry where that is known."""
        row = self._rows.row(self.queue.cursor)
        self.app.go(HISTORY, row.origin.change if row is not None and row.origin is not None else "")

    # -- moving ----------------------------------------------------------------------------------------------------

    def action_learned_order(self) -> None:
        """Change between newest and oldest first."""
        self._newest_first = not self._newest_first
        self.work(self._read, "learned")

    def action_learned_everywhere(self) -> None:
        """Show skills that only other profiles have, too, or leave them out again."""
        self._everywhere = not self._everywhere
        self.work(self._read, "learned")

    def action_view_theme(self) -> None:
        """Change to the next palette."""
        super().action_view_theme()
        self._draw_head()

    def action_refresh(self) -> None:
        """Read everything again."""
        self.work(self._read, "learned")

    def action_go_documents(self) -> None:
        """Go to the documents, to the entry under the cursor where it is one."""
        row = self._rows.row(self.queue.cursor)
        self.app.go(DOCUMENTS, row.id if row is not None and row.origin is not None else "")
