"""Long jobs of the ledger screen: verifying the chain and saving rows, each beside other work and given up by a key.

Here: starting them, how far they are, what they said. Not here: what they do (``curator.ledger_view``,
``curator.ledger_files``).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial

from textual.geometry import Size

from curator_tui.core.verification import Verification
from curator_tui.curator import ledger_view
from curator_tui.curator.ledger_files import is_table, saving
from curator_tui.tui.actions import key_for
from curator_tui.tui.ledger_words import counted_words, verification_page
from curator_tui.tui.screens.ledger_ground import View
from curator_tui.tui.screens.ledger_reading import LedgerReading
from curator_tui.tui.shown import Line, Shown, own, say, shown_line
from curator_tui.tui.slices import GivenUp, in_slices

_PROPOSED = "ledger.jsonl"


class LedgerJobs(LedgerReading):
    """The keys ``V`` and ``S``."""

    def __init__(self, size: Size) -> None:
        super().__init__(size)
        self._percent: int | None = None  # of the rows that are verified; None while nothing is
        self._stop_verifying = False
        self._saved: int | None = None  # lines written so far; None while nothing is saved
        self._stop_saving = False

    # -- the chain -------------------------------------------------------------------------------------------------

    @property
    def verified(self) -> Verification | None:
        """What verifying found last in this run."""
        return self.app.session.verified

    def chain_words(self) -> Line:
        """Say how the chain stands, in the title."""
        found, verify = self.verified, key_for("ledger.verify")
        if self._percent is not None:
            return (own("chain … {}%", self._percent, role="note"),)
        if found is None:
            return (own("chain not verified ({})", verify, role="dim"),)
        if found.problems:
            return (own("chain DAMAGED ({})", verify, role="bad"),)
        if found.head == self.head:
            return (own("chain OK to #{}", found.head[0], role="good"),)
        return (own("chain OK to #{}, {} for the rest", found.head[0], verify, role="note"),)

    def verify_first(self) -> None:
        """Verify what was not verified in this run."""
        if self.failure is None and self.head[0] and (self.verified is None or self.verified.head != self.head):
            self.verify(tell=False)

    def verify(self, *, tell: bool) -> None:
        """Verify the whole chain beside other work; ``tell`` shows what was found when it is done."""
        if self._percent is None:
            self._percent, self._stop_verifying = 0, False
            self.draw_head()
            self.work(partial(self._verify, tell=tell), "verify")

    async def _verify(self, *, tell: bool) -> None:
        def told(numbers: Sequence[int]) -> None:
            percent = min(100 * numbers[-1] // max(self.head[0], 1), 99)
            if percent != self._percent:
                self._percent = percent
                self.draw_head()

        try:
            found = await in_slices(self.app.clerk, ledger_view.verifying, told, lambda: not self._stop_verifying)
            self.app.session.verified = found
        except GivenUp:
            self.say((own("verifying was stopped; {} begins again", key_for("ledger.verify")),))
            return
        finally:
            self._percent = None
            self.draw_head()
        self._tell_verified(found, tell=tell)

    def _tell_verified(self, found: Verification, *, tell: bool) -> None:
        if found.problems:
            key = key_for("ledger.verify")
            words = say("the ledger is NOT in order ({}). {} names what is wrong and what to do",
                        counted_words(len(found.problems), "fault"), key)  # fmt: skip
            self.say((own("{}", words, role="bad"),))
            if tell and self.is_current:
                self._show_verification(found)
        elif tell:
            words = say("{} rows and {} kept texts agree; {} texts are gone", found.rows, found.checked, found.open)
            self.say((own("chain OK to #{}: ", found.head[0], role="good"), own("{}", words)))

    def _show_verification(self, found: Verification) -> None:
        from curator_tui.tui.screens.reading import ReadScreen

        self.app.push_screen(ReadScreen(say("the chain of the ledger"), verification_page(found)))

    def action_ledger_verify(self) -> None:
        """Verify the chain now and say what was found; while that runs, stop it."""
        if self._percent is not None:
            self._stop_verifying = True
        elif self.failure is not None:
            self.fail(self.failure)
        else:
            self.verify(tell=True)

    # -- saving ----------------------------------------------------------------------------------------------------

    @property
    def saving(self) -> bool:
        """Whether rows are being saved."""
        return self._saved is not None

    def stop_saving(self) -> None:
        """Give up saving; what was written is removed."""
        self._stop_saving = True

    def action_ledger_save(self) -> None:
        """Ask for a file and save the rows that are meant into it."""
        from curator_tui.tui.screens.reasons import NoteScreen

        if self.app.read_only:
            words = say("read only: no file is written from here either; use: curator-tui ledger export FILE")
            self.say((own("{}", words, role="warn"),))
        elif self.view is View.ENTRIES:
            keys = (key_for("ledger.save"), key_for("ledger.view"))
            self.say((own("{} saves rows of the ledger: press {} until they are shown", *keys, role="warn"),))
        elif self.saving:
            self.say((own("still saving; {} gives it up", key_for("back"), role="warn"),))
        else:
            title = say("save these rows to a new file (.csv: a table; else JSON Lines)")
            self.app.push_screen(NoteScreen(title, _PROPOSED), self._named)

    def _named(self, name: str | None) -> None:
        if name is None or not name.strip():
            self.say((own("not saved"),))
            return
        path = os.path.abspath(os.path.expanduser(name.strip()))
        self._saved, self._stop_saving = 0, False
        self.draw_status()
        self.work(partial(self._save, path), "save")

    async def _save(self, path: str) -> None:
        wanted = self.all_of_view()

        def told(numbers: Sequence[int]) -> None:
            self._saved = numbers[-1]
            self.draw_status()

        try:
            count = await in_slices(
                self.app.clerk, lambda desk: saving(desk, wanted, path), told, lambda: not self._stop_saving
            )
        except GivenUp:
            self.say((own("not saved: {} was removed again", shown_line(path, 60)),))
            return
        finally:
            self._saved = None
        form = Shown("CSV" if is_table(path) else "JSON Lines")
        self.say((own("{} rows saved as {} to ", count, form, role="good"), own("{}", shown_line(path))))

    def standing(self) -> Line:
        """Say what runs, else what always holds."""
        if self._saved is not None:
            return (own("saving: {} rows so far, {} gives it up", self._saved, key_for("back"), role="note"),)
        return (own("Read only. Rows are never edited; a correction is a new row.", role="dim"),)
