"""The history screen: backups newest first, what going back to one would do, and doing it.

Here: list, preview and the key that rolls back. Not here: what a rollback brings back (``core.reverts``), undo
(``reverting``). A rollback always asks for ``y``, since it sets whole documents back, decisions or not; it is a change
like any other, so ``u`` undoes it.
"""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container
from textual.geometry import Size

from curator_tui.core.changes import Receipt
from curator_tui.core.documents import TARGETS, Target
from curator_tui.core.errors import CuratorError
from curator_tui.curator.desk import Desk
from curator_tui.curator.history import backups, rollback
from curator_tui.tui.actions import HISTORY, bindings, key_for
from curator_tui.tui.backup_rows import BackupRows, head_line, names_for
from curator_tui.tui.facts import age, file_name, size_words
from curator_tui.tui.gates import Frame, PaintedGate
from curator_tui.tui.going_back import Preview, effect_lines, preview, question_lines
from curator_tui.tui.looking import Board, board
from curator_tui.tui.pages import CONTEXTS, Look, Page, PageLine, document_lines
from curator_tui.tui.screens.deciding import noted, refusal
from curator_tui.tui.screens.reverting import Reverting
from curator_tui.tui.shown import EMPTY, Line, Shown, message, own, say, shown_line
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine, Rule
from curator_tui.tui.widgets.reader import Reader
from curator_tui.tui.widgets.row_list import RowList


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
        def job(desk: Desk) -> tuple[Board, BackupRows, tuple[Line, ...]]:
            desk.refresh()
            found, problems = backups(desk)
            told = tuple((own("{}", message(problem.message), role="bad"),) for problem in problems)
            taken = board(desk)
            rows = BackupRows(tuple(reversed(found)), taken.snapshot.limits, taken.now, names_for(desk, found))
            return taken, rows, told

        try:
            taken, rows, told = await self.app.clerk.ask(job)
        except CuratorError as error:
            self.fail(error)
            return
        self.board = taken
        self._rows = rows
        widget = self.queue
        widget.show(self._rows, self._first_place(max(widget.cursor, 0)))
        self.query_one("#head", OneLine).show(head_line(widget.size.width))
        documents = [taken.snapshot.document(target) for target in TARGETS]
        now: Line = tuple(own("{} {}  ", one.target, size_words(one.presence, one.size)) for one in documents)
        parts: list[Line] = [(own("{} backups", len(rows), role="strong"),)]
        if self.wide:  # elsewhere the line over the preview says it
            parts.insert(0, (own("now: ", role="dim"), *now))
        self.draw_title(self.board, parts)
        self.draw_status()
        for line in told[:1]:
            self.say(line)
        self._open()

    def _first_place(self, cursor: int) -> int:
        """Return where the backup stands that this was opened for; the place of the cursor for none."""
        wanted, self.at = self.at, ""
        place = self._rows.place(wanted) if wanted else -1
        if wanted and place < 0:
            self.say((own("the backup {} is not kept any more", shown_line(wanted, 40), role="warn"),))
        return place if place >= 0 else cursor

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
        sizes: Line = EMPTY
        for view in found.documents:
            before = size_words(view.presence, view.outcome.size_before)
            sizes = (*sizes, own("{} {} -> {}  ", view.target, before, view.outcome.size_after))
        self.query_one("#gauge", Rule).show((own("rollback: {}", self._which(), role="head"),), sizes)
        effects = self.query_one("#facts", Reader)
        page = Page("", "", tuple(line._replace(cut=True) for line in effect_lines(found)))
        if not self.wide:
            effects.styles.height = min(len(page.lines), max(self.app.size.height // 3, 3))
        effects.show(page)
        locked = frozenset() if found.rollback.documents else frozenset({"history.rollback"})
        self.query_one("#keys", KeyRow).dim(locked, frozenset({"go.history"}))
        self._draw_divider()

    def _draw_divider(self) -> None:
        reader = self.reader
        hidden = self.query_one("#facts", Reader).below
        left: Line = (own("effects", role="head"),)
        if hidden:
            left = (
                *left,
                own(": {} more, {} shows all of them before it asks", hidden, key_for("history.rollback"), role="dim"),
            )
        right: Line = (own("v {} more above", reader.below, role="head"),) if reader.below else EMPTY
        self.query_one("#divider", Rule).show(left, right)

    def standing(self) -> Line:
        """Return what always holds."""
        last = self.app.session.last
        if last is not None:
            return (own("Undo ready: ", role="dim"), own("{} ({})", last.words, key_for("undo")))
        return (
            own("A rollback is itself a change: {} undoes it, the ledger keeps both.", key_for("undo"), role="dim"),
        )

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
        """Ask whether to roll back to the backup under the cursor, as previewed."""
        found = self._preview
        if not self.is_free():
            return
        if self._failure is not None:
            self.fail(self._failure)
        elif found is None or self._gate.locked(found.backup, found.rollback.digest, self.app.pressed_at) is not None:
            self.say((own("too fast: the preview was not on screen yet when you pressed", role="warn"),))
        elif found.rollback.refused is not None:
            self.say(refusal(found.rollback.refused))
        else:
            self._ask(found)

    def _ask(self, found: Preview, why: Shown = Shown("")) -> None:  # noqa: B008 - text never changes
        from curator_tui.tui.screens.second import AskScreen

        def answered(yes: bool | None) -> None:
            if yes and self.is_free():
                self.busy = True
                self.work(partial(self._roll, found), "roll", alone=False)

        title = say("roll back {} to {}?", self._which(), self._age_of(found.backup))
        lines: list[Line] = [(*line.prefix, *line.body) for line in question_lines(found, why)]
        self.app.push_screen(AskScreen(title, lines, say("roll back")), answered)

    def _which(self) -> Shown:
        return file_name(self._targets[0]) if self._targets else say("both documents")

    def _age_of(self, backup: str) -> Shown:
        """Name a backup by its age, as the list does."""
        row = self._rows.row(self._rows.place(backup))
        return say("{} ago", age(self._rows.now - row.backup.at)) if row is not None else shown_line(backup, 24)

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
            words = say("rolled back {} to {}", self._which(), self._age_of(found.backup))
            self.app.session.note(receipt.change, words, self.app.clerk.desk.now())
            told = own(
                "{}; {} back in the queue. {} undoes it", words, len(receipt.returned), key_for("undo"), role="good"
            )
            self.say(noted(receipt, (told,)))
        elif receipt.moved:
            await self._open_now(*self._wanted)
            self._ask_changed()
        for failed in receipt.causes[:1]:
            self.say(refusal(failed))
        await self._read()

    def _ask_changed(self) -> None:
        found = self._preview
        if found is not None and found.rollback.refused is None:
            self._ask(found, say("the documents changed on disk since this was drawn; it shows them now"))

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
        if not self.leave_text():
            self.action_go_review()
