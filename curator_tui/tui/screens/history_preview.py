"""The text beside the list of the past: what going back would do, how two rows differ, or what a change was.

Here: which of these stands there, and drawing it. Not here: the list (``history_ground``), the keys (``history``), the
words (``going_back``, ``moment_pages``). How the documents would change is shown as soon as it is read; what else a
rollback would undo takes longer with a long past, and until it is known no key decides.
"""

from __future__ import annotations

import asyncio
from time import monotonic

from textual import on
from textual.geometry import Size

from curator_tui.core.documents import TARGETS, Target
from curator_tui.core.errors import CuratorError, Unreadable
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import DocumentView
from curator_tui.curator.timeline import MISSING, Moment, Told, place_of, tell
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import age, file_name
from curator_tui.tui.gates import Frame, PaintedGate
from curator_tui.tui.going_back import Preview, difference, effect_lines, preview
from curator_tui.tui.moment_pages import (
    Compared,
    about_line,
    change_page,
    compare,
    compared_page,
    none_page,
    sizes_line,
    trouble_page,
)
from curator_tui.tui.page_lines import Look, Page, PageLine
from curator_tui.tui.pages import document_lines
from curator_tui.tui.screens.history_ground import HistoryGround
from curator_tui.tui.shown import EMPTY, Line, Piece, Shown, own, say, shown_line, width_of
from curator_tui.tui.side_by_side import ROOM
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import Rule
from curator_tui.tui.widgets.reader import Reader
from curator_tui.tui.widgets.row_list import RowList
from curator_tui.tui.words import refusal

_SOON = 0.12  # seconds after which the difference is shown although the effects are not known yet
_EDGES = 9  # cells of dashes and blanks around the words of a line between two panes
_NOTHING = Page("", "", ())
_HIDDEN = frozenset({"go.history"})
Asked = tuple[Moment | None, Moment | None, tuple[Target, ...]]


class HistoryPreview(HistoryGround):
    """What stands beside the list.

    Attributes:
        change: a change that took no backup, where that is what is shown.
        found: what going back would do; None while that is not known, or where it is not what is shown.
        compared: how base and row differ; None where they are not compared.
        failure: why nothing can be shown of the row; None where something is.
        targets: the documents a rollback is for; none for both.
    """

    def __init__(self, size: Size) -> None:
        super().__init__(size)
        self.found: Preview | None = None
        self.compared: Compared | None = None
        self.failure: CuratorError | None = None
        self.targets: tuple[Target, ...] = ()
        self.look = Look()
        self.gate = PaintedGate()
        self._early: tuple[DocumentView, ...] | None = None
        self.change: Told | None = None
        self._page = _NOTHING

    @property
    def asked(self) -> Asked:
        """What shall be shown: the row, the base it is compared with, the documents of a rollback."""
        return self.row, self.base, self.targets

    # -- reading ---------------------------------------------------------------------------------------------------

    def open_row(self) -> None:
        """Show the row under the cursor: against the base where there is one, else what going back to it would do."""
        self.found = self.compared = self.failure = self._early = self.change = None
        self.work(self.open_now, "preview")

    async def open_now(self) -> None:
        """Read what shall be shown of the row under the cursor, and show it."""
        asked = self.asked
        moment, base, targets = asked
        try:
            if moment is None:
                self._show_page(none_page(filtered=not self.wanted.empty), EMPTY)
            elif base is not None:
                await self._open_compared(asked)
            elif not moment.backup:
                await self._open_change(asked)
            elif not moment.there:
                way_out = "Choose another row; what is wrong is listed by: curator-tui doctor"
                raise Unreadable(f"backup {moment.backup} is missing: {MISSING}.", way_out=way_out)
            else:
                await self._open_rollback(moment, targets, asked)
        except CuratorError as error:
            if self.asked == asked:
                self.failure = error
                self.draw()
                self.fail(error)

    async def _open_compared(self, asked: Asked) -> None:
        moment, base, _ = asked
        assert self.past is not None
        assert moment is not None
        assert base is not None
        moments = self.past.moments
        places = place_of(moments, base.id), place_of(moments, moment.id)

        def job(desk: Desk) -> Compared | None:
            first, second = places
            wanted = self.asked == asked and first is not None and second is not None
            return compare(desk, moments, first or 0, second or 0) if wanted else None

        found = await self.app.clerk.ask(job)
        if found is not None and self.asked == asked:
            self.compared = found
            self.draw()

    async def _open_change(self, asked: Asked) -> None:
        moment = asked[0]
        assert moment is not None
        found = await self.app.clerk.ask(lambda desk: tell(desk, [moment], whole=True) if self.asked == asked else None)
        if found is not None and self.asked == asked:
            self.change = found[moment.id]
            self.draw()

    async def _open_rollback(self, moment: Moment, targets: tuple[Target, ...], asked: Asked) -> None:
        """Show the difference at the latest when it was waited for, and the effects as soon as they are known."""
        clerk = self.app.clerk

        def wanted() -> bool:
            return self.asked == asked

        early = await clerk.ask(lambda desk: difference(desk, moment.backup, targets) if wanted() else None)
        if early is None or not wanted():
            return
        whole = asyncio.ensure_future(
            clerk.ask(lambda desk: preview(desk, moment.backup, targets) if wanted() else None)
        )
        try:
            done, _ = await asyncio.wait({whole}, timeout=_SOON)
            if not done and wanted():
                self._early = early
                self.draw()
            found = await whole
        finally:
            whole.cancel()
        if found is not None and wanted():
            kept, self.found, self._early = self._early is not None, found, None
            self.draw(keep=kept)

    # -- drawing ---------------------------------------------------------------------------------------------------

    def draw(self, *, keep: bool = False) -> None:
        """Draw what was read of the row."""
        if self.failure is not None:
            self._show_page(trouble_page(self.failure), EMPTY)
        elif self.compared is not None:
            self._draw_compared(self.compared, keep=keep)
        elif self.change is not None:
            page = change_page(self.change, self.ground())
            self._show_page(page, (own("what this row was", role="head"),), keep=keep)
        elif self.found is not None or self._early is not None:
            self._draw_rollback(keep=keep)

    @property
    def _fitted(self) -> Look:
        size = self.reader.size
        return self.look._replace(rows=size.height, split=self.look.split and size.width >= ROOM)

    def _draw_compared(self, found: Compared, *, keep: bool) -> None:
        title = own("compare only: {} -> {}", self.name_of(found.base), self.name_of(found.other), role="tab")
        self._show_page(compared_page(found, self._fitted), (title,), sizes_line(found.documents), keep=keep)

    def _draw_rollback(self, *, keep: bool) -> None:
        found = self.found
        documents = found.documents if found is not None else self._early or ()
        lines = tuple(document_lines(documents, self._fitted))
        if found is not None and found.rollback.refused is not None:
            lines = (PageLine(refusal(found.rollback.refused), (own("  "),)),)
        name, digest = (found.backup, found.rollback.digest) if found is not None else ("", "")
        sizes = sizes_line(documents)
        title: Line = (own("rollback: {}", self.which(), role="head"),)
        whole: Line = (*title, own(", what {} would do", key_for("history.rollback"), role="head"))
        if width_of((*whole, *sizes)) + _EDGES <= self.reader.size.width:
            title = whole
        page = Page(name, digest, lines)
        if found is not None:
            self.gate.begin(Frame(name, digest))
        else:
            self.gate.hide()
        self._show_page(page, title, sizes, keep=keep)

    def _show_page(self, page: Page, title: Line, sizes: Line = EMPTY, *, keep: bool = False) -> None:
        self._page = page
        self.reader.show(page, keep=keep)
        self.query_one("#gauge", Rule).show(title, sizes)
        effects = self.query_one("#facts", Reader)
        facts = Page("", "", tuple(line._replace(cut=True) for line in self._effects()))
        if not self.wide:
            effects.styles.height = min(len(facts.lines), max(self.app.size.height // 3, 3))
        effects.show(facts)
        self.draw_keys()
        self.draw_divider()

    def _effects(self) -> list[PageLine]:
        told = self.told
        lines = [about_line(told, self.ground())] if told is not None and self.change is None else []
        if self.found is not None:
            return [*lines, *effect_lines(self.found)]
        if self._early is not None:
            return [*lines, PageLine((own("working out what a rollback would undo…", role="dim"),), (own(" "),))]
        if self.compared is not None:
            return [*lines, PageLine((self._compared_words(),), (own(" "),))]
        return []

    def _compared_words(self) -> Piece:
        """Say how the comparison ends: by the key that goes back, and on the base by the one that began it, too."""
        base, back, key = key_for("history.base"), key_for("back"), key_for("history.rollback")
        if self.row == self.base:
            return own(
                "nothing of this is a rollback: {} or {} leaves the comparison, then {} shows one", back, base, key
            )
        return own("nothing of this is a rollback: {} leaves the comparison, then {} shows one", back, key)

    def draw_keys(self) -> None:
        """Dim the keys that do nothing with the row."""
        found, row = self.found, self.row
        locked = set()
        if found is None or not found.rollback.documents:
            locked.add("history.rollback")
        if row is None:
            locked |= {"history.target", "history.base", "open"}
        if row is None or not row.own:
            locked.add("history.revert")
        self.query_one("#keys", KeyRow).dim(frozenset(locked), _HIDDEN)

    def draw_divider(self) -> None:
        """Draw the line over the effects."""
        reader, facts = self.reader, self.query_one("#facts", Reader)
        left: Line = (
            (own("effects" if self.found is not None else "this row", role="head"),) if facts.page.lines else EMPTY
        )
        if facts.below:
            left = (*left, own(": {} more, {} shows all", facts.below, key_for("open"), role="dim"))
        right: Line = (own("v {} more above", reader.below, role="head"),) if reader.below else EMPTY
        self.query_one("#divider", Rule).show(left, right)

    def which(self) -> Shown:
        """Name the documents a rollback is for."""
        return file_name(self.targets[0]) if self.targets else say("both documents")

    def name_of(self, moment: Moment) -> Shown:
        """Name a row by its age, as the list does."""
        told = self.rows.known.get(moment.id) if self.rows is not None else None
        if told is None or told.at is None or self.board is None:
            return shown_line(moment.id, 24)
        return say("{} ago", age(self.board.now - told.at))

    @on(RowList.Moved, "#rows")
    def _moved(self, event: RowList.Moved) -> None:
        event.stop()
        self._need_rows()
        self.open_row()

    @on(Reader.Painted, "#reader")
    def _was_painted(self, event: Reader.Painted) -> None:
        event.stop()
        if event.page is self._page:
            self.gate.painted(event.parts, monotonic())

    @on(Reader.Scrolled, "#reader")
    def _text_scrolled(self, event: Reader.Scrolled) -> None:
        event.stop()
        self.draw_divider()

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.draw_head()
        self.draw_chart()
        self.draw(keep=True)
        self._need_rows()

    def next_targets(self) -> None:
        """Go on to the next choice of documents: both, then each alone."""
        choices: tuple[tuple[Target, ...], ...] = ((), *((target,) for target in TARGETS))
        self.targets = choices[(choices.index(self.targets) + 1) % len(choices)]
