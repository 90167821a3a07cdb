"""The ledger screen: every decision and change, where every live entry came from, and whether the chain is whole.

Here: layout and keys. Not here: reading (``ledger_reading``), drawing (``ledger_ground``), verifying and saving
(``ledger_jobs``). It is for looking: rows are never edited.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.geometry import Size

from curator_tui.core.named_facts import texts_of
from curator_tui.core.origins import Origin
from curator_tui.core.refused import REFUSED
from curator_tui.curator import ledger_view
from curator_tui.curator.ledger_search import window
from curator_tui.tui.actions import HISTORY, LEDGER, bindings
from curator_tui.tui.ledger_pages import RowLook, row_page, source_page
from curator_tui.tui.origin_words import evidence_lines
from curator_tui.tui.page_lines import CONTEXTS, Look, Page
from curator_tui.tui.screens.filtering import Filtering
from curator_tui.tui.screens.ledger_ground import LedgerView
from curator_tui.tui.screens.ledger_jobs import LedgerJobs
from curator_tui.tui.screens.ledger_reading import LedgerReading
from curator_tui.tui.screens.reverting import Reverting
from curator_tui.tui.shown import Line, own, say
from curator_tui.tui.widgets.one_line import OneLine, Rule
from curator_tui.tui.widgets.panes import Panes
from curator_tui.tui.widgets.reader import Reader
from curator_tui.tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from curator_tui.core.proposals import Proposal
    from curator_tui.core.row_form import RowForm

_VERIFIED_AGAIN = 5_000  # rows up to which new ones are verified as they come


class LedgerScreen(LedgerReading, Filtering, Reverting):
    """The record of what was decided."""

    CSS_PATH = "../styles/ledger.tcss"
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(LEDGER)]

    def __init__(self, size: Size) -> None:
        super().__init__(size)
        self.jobs = LedgerJobs(self)

    def body(self) -> ComposeResult:
        """Put the list above the text, at every width: a row has many columns."""
        with Panes(self):
            with Container(id="left"):
                yield OneLine(id="views")
                yield OneLine(id="head")
                yield RowList(id="rows")
            with Container(id="right"):
                yield Rule(id="gauge")
                with Container(id="below"):
                    yield Reader(id="reader")
                    yield Reader(id="facts")

    def on_mount(self) -> None:
        """Read the ledger, then verify it beside everything else."""
        self.look = Look(context=1, marks=self.app.palette.mono)
        self.draw_title(None)
        self.draw_status()
        self.work(self._begin, "ledger")
        self.lookout.keep(self._tick)

    async def _begin(self) -> None:
        await self.read()
        if self.failure is None:
            self.restore_words()
        self.jobs.verify_first()

    def chain_words(self) -> Line:
        """Say how the chain stands."""
        return self.jobs.chain_words()

    def standing(self) -> Line:
        """Say what runs, else what always holds."""
        always: Line = (own("Read only. Rows are never edited; a correction is a new row.", role="dim"),)
        return self.jobs.saving_words() or always

    def action_ledger_verify(self) -> None:
        """Verify the chain now and say what was found; while that runs, stop it."""
        self.jobs.verify_or_stop()

    def action_ledger_save(self) -> None:
        """Ask for a file and save the rows that are meant into it."""
        self.jobs.save()

    # -- what others do --------------------------------------------------------------------------------------------

    def _tick(self) -> None:
        self.draw_status()
        if self.failure is None:
            self.lookout.look_again(self._poll)

    async def _poll(self) -> None:
        """Show rows that were added meanwhile; the cursor stays on its row."""
        head = await self.lookout.ask(ledger_view.head)
        if head is not None and head != self.head:
            await self.read()
            if head[0] <= _VERIFIED_AGAIN:
                self.jobs.verify_first()

    # -- keys ------------------------------------------------------------------------------------------------------

    def action_open(self) -> None:
        """Show everything about the row on a page of its own, with the session behind it."""
        self.work(self._open_whole, "details")

    async def _open_whole(self) -> None:
        from curator_tui.tui.screens.reading import ReadScreen

        looked = self.at_hand()
        if isinstance(looked, RowLook):
            page = await self._whole_row(looked)
            title = say("row {}", looked.details.row.seq)
        elif looked is not None:
            _, evidence = await self.app.clerk.evidence_of(looked)
            page = source_page(looked, self.you, self.now, evidence, whole=True)
            title = say("entry of {}", looked.target)
        else:
            return
        if self.is_current and self.at_hand() is looked:
            self.app.push_screen(ReadScreen(title, page))

    async def _whole_row(self, looked: RowLook) -> Page:
        look = Look(context=None, marks=self.app.palette.mono, key=False, whole=True)
        page = row_page(looked, self.you, self.now, look, whole=True)
        asked: list[Proposal] = [one.proposal for one in looked.details.decisions if one.proposal is not None]
        evidence = await self.app.clerk.evidence(asked[0]) if len(asked) == 1 else None
        if evidence is None:
            return page
        return page._replace(lines=(*page.lines, *evidence_lines(evidence, texts_of(asked[0]))))

    def action_ledger_backup(self) -> None:
        """Go to the backup that was taken with the row, or to its change where none was."""
        looked = self.at_hand()
        if isinstance(looked, RowLook):
            self._to_past(looked.details.row.form)
        elif isinstance(looked, Origin) and looked.seq is not None:
            self.work(partial(self._find_backup, looked.seq), "backup")
        else:
            self._to_past(None)

    async def _find_backup(self, seq: int) -> None:
        found = await self.app.clerk.ask(lambda desk: window(desk, [seq]).rows.get(seq))
        self._to_past(found.form if found is not None else None)

    def _to_past(self, form: RowForm | None) -> None:
        if form is not None and form.action != REFUSED:
            self.app.go(HISTORY, form.backup or form.change)
        else:
            self.say((own("there is no change behind this row, so the history does not have it"),))

    def action_ledger_view(self) -> None:
        """Go on to the next view: rows, live entries, tombstones."""
        views = tuple(LedgerView)
        self.view = views[(views.index(self.view) + 1) % len(views)]
        self.show_view()

    def action_ledger_totals(self) -> None:
        """Show what the rows that are meant say together."""
        from curator_tui.tui.screens.reading import ReadScreen

        page = self.totals_page()
        if page.lines:
            words = say("these {}: {}", self.view, self.filter_words())
            self.app.push_screen(ReadScreen(words, page))
        else:
            self.say((own("still counting"),))

    def action_view_diff(self) -> None:
        """Change between the diff and plain texts."""
        self.look = self.look._replace(plain=not self.look.plain)
        self.draw_row()

    def action_view_context(self) -> None:
        """Show more or fewer unchanged entries."""
        self.look = self.look._replace(context=CONTEXTS[(CONTEXTS.index(self.look.context) + 1) % len(CONTEXTS)])
        self.draw_row()

    def action_view_theme(self) -> None:
        """Change to the next palette; without colours changed words get signs."""
        super().action_view_theme()
        self.look = self.look._replace(marks=self.app.palette.mono)
        self.draw_row()

    def action_refresh(self) -> None:
        """Read everything again."""
        self.work(self._begin, "ledger")

    def action_back(self) -> None:
        """Go back: from the text, from what runs, from the filter, then to the queue."""
        if not self.jobs.saving:
            super().action_back()
        elif not self.leave_text():
            self.jobs.stop_saving()
