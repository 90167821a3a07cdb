"""The history screen: backups newest first, what going back to one would do, and doing it.

Here: list, preview and the key that rolls back. Not here: what a rollback brings back (``core.reverts``), undo
(``reverting``). A rollback asks for ``y`` only when it undoes two or more decisions or the documents changed since
the preview was drawn; it is a change like any other, so ``u`` undoes it.
"""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import ClassVar

from msgspec import Struct
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container
from textual.geometry import Size

from curator_tui.core.changes import Receipt
from curator_tui.core.documents import TARGETS, Document, Target, parse
from curator_tui.core.errors import CuratorError
from curator_tui.core.rollbacks import RollbackPreview
from curator_tui.curator.desk import Desk
from curator_tui.curator.history import BackupRow, backups, rollback, rollback_preview
from curator_tui.tui.actions import HISTORY, bindings
from curator_tui.tui.backup_rows import BackupRows, effect_lines, head_line
from curator_tui.tui.facts import size_words
from curator_tui.tui.gates import Frame, PaintedGate
from curator_tui.tui.looking import Board, DocumentView, board, documents_view
from curator_tui.tui.pages import CONTEXTS, Look, Page, PageLine, document_lines
from curator_tui.tui.screens.deciding import noted, refusal
from curator_tui.tui.screens.reverting import Reverting
from curator_tui.tui.shown import EMPTY, Line, Shown, message, own, say, shown_line
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine, Rule
from curator_tui.tui.widgets.reader import Reader
from curator_tui.tui.widgets.row_list import RowList


class Preview(Struct, frozen=True):
    """What going back to one backup would do, complete before it is shown."""

    backup: str
    targets: tuple[Target, ...]
    rollback: RollbackPreview
    documents: tuple[DocumentView, ...]


def preview(desk: Desk, backup: str, targets: tuple[Target, ...]) -> Preview:
    """Work out a rollback, read without a lock."""
    found = rollback_preview(desk, backup, targets)
    snapshot = desk.read_documents()
    before = {target: snapshot.document(target) for target in TARGETS}
    after: dict[Target, Document] = {target: parse(target, raw) for target, raw in found.documents.items()}
    return Preview(backup, targets, found, documents_view(before, after, snapshot.limits))


class HistoryScreen(Reverting):
    """Backups and rollback."""

    SCREEN = HISTORY
    CSS_PATH = "../styles/history.tcss"
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[Binding]] = bindings(HISTORY)  # type: ignore[assignment]

    def __init__(self, size: Size) -> None:
        super().__init__(size)
        self.board: Board | None = None
        self._rows = BackupRows((), {}, 0.0)
        self._preview: Preview | None = None
        self._failure: CuratorError | None = None
        self._targets: tuple[Target, ...] = ()
        self._look = Look()
        self._gate = PaintedGate()
        self._wanted: tuple[str, tuple[Target, ...]] = ("", ())
        self._page = Page("", "", ())

    def body(self) -> ComposeResult:
        """Put the list beside or above the preview."""
        with Container(id="panes"):
            with Container(id="left"):
                yield OneLine(id="head")
                yield RowList(id="rows")
            with Container(id="right"):
                yield Rule(id="gauge")
                yield Reader(id="reader")
                yield Rule(id="divider")
                yield Reader(id="facts")

    def on_mount(self) -> None:
        """Read the backups."""
        self._look = Look(marks=self.app.palette.mono)
        self._gate.dwell = self.app.timing.dwell
        self.draw_title(None)
        self.work(self._read, "history")

    async def _read(self) -> None:
        def job(desk: Desk) -> tuple[Board, tuple[BackupRow, ...], tuple[Line, ...]]:
            desk.refresh()
            rows, problems = backups(desk)
            told = tuple((own("{}", message(problem.message), role="bad"),) for problem in problems)
            return board(desk), tuple(reversed(rows)), told

        try:
            taken, rows, told = await self.app.clerk.ask(job)
        except CuratorError as error:
            self.fail(error)
            return
        self.board = taken
        self._rows = BackupRows(rows, taken.snapshot.limits, taken.now)
        widget = self.queue
        widget.show(self._rows, max(widget.cursor, 0))
        self.query_one("#head", OneLine).show(head_line(widget.size.width))
        documents = [taken.snapshot.document(target) for target in TARGETS]
        now = tuple(own("{} {}  ", one.target, size_words(one.presence, one.size)) for one in documents)
        self.draw_title(self.board, [(own("now: ", role="dim"), *now), (own("{} backups", len(rows), role="strong"),)])
        self.draw_status()
        for line in told[:1]:
            self.say(line)
        self._open()

    def _open(self) -> None:
        row = self._rows.row(self.queue.cursor)
        if row is None:
            self._show_none()
            return
        self._wanted, self._failure = (row.backup.id, self._targets), None
        self.work(partial(self._open_now, *self._wanted), "preview")

    async def _open_now(self, backup: str, targets: tuple[Target, ...]) -> None:
        wanted = (backup, targets)
        try:
            found = await self.app.clerk.ask(
                lambda desk: preview(desk, backup, targets) if self._wanted == wanted else None
            )
        except CuratorError as error:
            if self._wanted == wanted:
                self._show_refused(error)
            return
        if found is not None and self._wanted == wanted:
            self._preview = found
            self._draw()

    def _show_refused(self, error: CuratorError) -> None:
        """Show why there is no preview in its place: that of another backup must not stay there."""
        self._preview = None
        self._failure = error
        self._page = Page("", "", (PageLine((own("{}", message(error.message), role="bad"),), (own("  "),)),))
        self.reader.show(self._page)
        self.query_one("#gauge", Rule).show(EMPTY)
        self.query_one("#facts", Reader).show(Page("", "", ()))
        self.query_one("#keys", KeyRow).dim(frozenset({"history.rollback"}), frozenset({"go.history"}))
        self.fail(error)

    def _show_none(self) -> None:
        words = "No backup yet: one is taken before every change, so the first decision makes the first."
        self._page = Page("", "", (PageLine((own("{}", Shown(words)),), (own("  "),)),))
        self.reader.show(self._page)
        self.query_one("#keys", KeyRow).dim(frozenset({"history.rollback", "history.target"}))

    # -- drawing ---------------------------------------------------------------------------------------------------

    def _draw(self, *, keep: bool = False) -> None:
        found = self._preview
        if found is None:
            return
        look = self._look._replace(rows=self.reader.size.height)
        lines = tuple(document_lines(found.documents, look))
        if found.rollback.refused is not None:
            lines = (PageLine(refusal(found.rollback.refused), (own("  "),)),)
        self._page = Page(found.backup, found.rollback.digest, lines)
        self._gate.begin(Frame(found.backup, found.rollback.digest))
        self.reader.show(self._page, keep=keep)
        which = say("{}", self._targets[0]) if self._targets else say("both documents")
        sizes: Line = EMPTY
        for view in found.documents:
            before = size_words(view.presence, view.outcome.size_before)
            sizes = (*sizes, own("{} {} -> {}  ", view.target, before, view.outcome.size_after))
        self.query_one("#gauge", Rule).show(
            (own("rollback: {}", which, role="head"),), sizes
        )
        self.query_one("#facts", Reader).show(Page("", "", tuple(effect_lines(found.rollback, found.documents))))
        locked = frozenset() if found.rollback.documents else frozenset({"history.rollback"})
        self.query_one("#keys", KeyRow).dim(locked, frozenset({"go.history"}))
        self._draw_divider()

    def _draw_divider(self) -> None:
        reader = self.reader
        left: Line = (own("effects", role="head"),)
        right: Line = (own("v {} more above", reader.below, role="head"),) if reader.below else EMPTY
        self.query_one("#divider", Rule).show(left, right)

    def standing(self) -> Line:
        """Return what always holds."""
        last = self.app.session.last
        if last is not None:
            return (own("Undo ready: ", role="dim"), own("{} (u)", last.words))
        return (own("A rollback is itself a change: u undoes it, the ledger keeps both.", role="dim"),)

    @on(RowList.Moved, "#rows")
    def _moved(self, event: RowList.Moved) -> None:
        event.stop()
        self._preview = None
        self._open()

    @on(Reader.Painted, "#reader")
    def _was_painted(self, event: Reader.Painted) -> None:
        event.stop()
        if event.page is self._page:
            self._gate.painted(event.parts, monotonic())

    @on(Reader.Scrolled, "#reader")
    def _scrolled(self, event: Reader.Scrolled) -> None:
        event.stop()
        self._draw_divider()

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._draw(keep=True)

    # -- rolling back ----------------------------------------------------------------------------------------------

    def action_history_rollback(self) -> None:
        """Roll back to the backup under the cursor, as previewed."""
        found = self._preview
        if not self.is_free():
            return
        if self._failure is not None:
            self.fail(self._failure)
        elif found is None or self._gate.locked(found.backup, found.rollback.digest, self.app.pressed_at) is not None:
            self.say((own("too fast: the preview was not on screen yet when you pressed", role="warn"),))
        elif found.rollback.refused is not None:
            self.say(refusal(found.rollback.refused))
        elif sum(bool(change.closed) for change in found.rollback.undoes) >= 2:
            self._ask(found, say("it undoes {} changes", len(found.rollback.undoes)))
        else:
            self._go_back(found)

    def _go_back(self, found: Preview) -> None:
        if self.is_free():
            self.busy = True
            self.work(partial(self._roll, found), "roll", alone=False)

    def _ask(self, found: Preview, why: Shown) -> None:
        from curator_tui.tui.screens.second import AskScreen

        lines: list[Line] = [(own("{}:", why, role="warn"),)]
        back = found.rollback.returned[:6]
        lines.extend((own("  {} comes back to the queue", shown_line(item.proposal)),) for item in back)

        def answered(yes: bool | None) -> None:
            if yes:
                self._go_back(found)

        self.app.push_screen(
            AskScreen(say("roll back to {}", shown_line(found.backup, 40)), lines, say("roll back")), answered
        )

    async def _roll(self, found: Preview) -> None:
        def job(desk: Desk) -> Receipt:
            return rollback(desk, found.backup, found.targets, shown=found.rollback.digest)

        try:
            receipt = await self.app.clerk.change(job)
        except CuratorError as error:
            self.fail(error)
            return
        finally:
            self.busy = False
        if receipt.change is not None:
            words = say("rolled back to {}", shown_line(found.backup, 40))
            self.app.session.note(receipt.change, words, self.app.clerk.desk.now())
            told = own("{}. {} items are back in the queue; u undoes it", words, len(receipt.returned), role="good")
            self.say(noted(receipt, (told,)))
        elif receipt.moved:
            await self._open_now(*self._wanted)
            self._ask_changed()
        for failed in receipt.causes[:1]:
            self.say(refusal(failed))
        await self._read()

    def _ask_changed(self) -> None:
        if self._preview is not None:
            self._ask(self._preview, say("the documents changed on disk since this was drawn; it shows them now"))

    def action_history_target(self) -> None:
        """Choose what is rolled back: both documents, or one of them."""
        choices: tuple[tuple[Target, ...], ...] = ((), *((target,) for target in TARGETS))
        self._targets = choices[(choices.index(self._targets) + 1) % len(choices)]
        self._preview = None
        self._open()

    # -- undo ------------------------------------------------------------------------------------------------------

    async def reverted(self, receipt: Receipt, taken: Board) -> None:  # noqa: ARG002 - the queue is not on this screen
        """Read the backups again."""
        await self._read()

    # -- moving ----------------------------------------------------------------------------------------------------

    def action_change_next(self) -> None:
        """Go to the next change, then to the next row."""
        if not self.reader.to_change(1):
            self.queue.move(1)

    def action_view_diff(self) -> None:
        """Change between the diff and plain texts."""
        self._look = self._look._replace(plain=not self._look.plain)
        self._draw()

    def action_view_context(self) -> None:
        """Show more or fewer unchanged entries."""
        context = CONTEXTS[(CONTEXTS.index(self._look.context) + 1) % len(CONTEXTS)]
        self._look = self._look._replace(context=context)
        self._draw()

    def action_view_theme(self) -> None:
        """Change to the next palette."""
        super().action_view_theme()
        self._look = self._look._replace(marks=self.app.palette.mono)
        self._draw(keep=True)

    def action_refresh(self) -> None:
        """Read everything again."""
        self.work(self._read, "history")

    def action_back(self) -> None:
        """Go back to the queue."""
        self.action_go_review()

    def action_go_memory(self) -> None:
        """Show the documents as they are."""
        from curator_tui.tui.screens.reading import ReadScreen, memory_page

        if self.board is not None:
            self.app.push_screen(ReadScreen(say("memory now"), memory_page(self.board.snapshot)))
