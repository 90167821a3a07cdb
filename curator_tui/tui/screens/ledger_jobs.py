"""Long jobs of the ledger screen: verifying the chain and saving rows, each beside other work and given up by a key.

Here: starting them, how far they are, what they said. Not here: what they do (``curator.ledger_view``,
``curator.ledger_files``).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial

from curator_tui.core.verification import Verification
from curator_tui.curator import ledger_view
from curator_tui.curator.ledger_files import is_table, saving
from curator_tui.curator.queue_model import GivenUp
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import counted
from curator_tui.tui.ledger_words import verification_page
from curator_tui.tui.screens.ledger_ground import LedgerView
from curator_tui.tui.screens.ledger_reading import LedgerReading
from curator_tui.tui.shown import EMPTY, Line, Shown, own, say, shown_line
from curator_tui.tui.slices import in_slices

_PROPOSED = "ledger.jsonl"


class LedgerJobs:
    """What the keys ``V`` and ``S`` begin and give up."""

    def __init__(self, screen: LedgerReading) -> None:
        self.screen = screen
        self._percent: int | None = None  # of the rows that are verified; None while nothing is
        self._stop_verifying = False
        self._saved: int | None = None  # lines written so far; None while nothing is saved
        self._stop_saving = False

    # -- the chain -------------------------------------------------------------------------------------------------

    @property
    def verified(self) -> Verification | None:
        """What verifying found last in this run."""
        return self.screen.app.session.verified

    def chain_words(self) -> Line:
        """Say how the chain stands, in the title."""
        found, verify = self.verified, key_for("ledger.verify")
        if self._percent is not None:
            return (own("chain … {}%", self._percent, role="note"),)
        if found is None:
            return (own("chain not verified ({})", verify, role="dim"),)
        if found.problems:
            return (own("chain DAMAGED ({})", verify, role="bad"),)
        if found.head == self.screen.head:
            return (own("chain OK to #{}", found.head[0], role="good"),)
        return (own("chain OK to #{}, {} for the rest", found.head[0], verify, role="note"),)

    def verify_first(self) -> None:
        """Verify what was not verified in this run."""
        if (
            self.screen.failure is None
            and self.screen.head[0]
            and (self.verified is None or self.verified.head != self.screen.head)
        ):
            self.verify(tell=False)

    def verify(self, *, tell: bool) -> None:
        """Verify the whole chain beside other work; ``tell`` shows what was found when it is done."""
        if self._percent is None:
            self._percent, self._stop_verifying = 0, False
            self.screen.draw_head()
            self.screen.work(partial(self._verify, tell=tell), "verify")

    async def _verify(self, *, tell: bool) -> None:
        def told(numbers: Sequence[int]) -> None:
            percent = min(100 * numbers[-1] // max(self.screen.head[0], 1), 99)
            if percent != self._percent:
                self._percent = percent
                self.screen.draw_head()

        try:
            found = await in_slices(
                self.screen.app.clerk, ledger_view.verifying, told, lambda: not self._stop_verifying
            )
            self.screen.app.session.verified = found
        except GivenUp:
            self.screen.say((own("verifying was stopped; {} begins again", key_for("ledger.verify")),))
            return
        finally:
            self._percent = None
            self.screen.draw_head()
        self._tell_verified(found, tell=tell)

    def _tell_verified(self, found: Verification, *, tell: bool) -> None:
        if found.problems:
            key = key_for("ledger.verify")
            words = say("the ledger is NOT in order ({}). {} names what is wrong and what to do",
                        counted(len(found.problems), "fault"), key)  # fmt: skip
            self.screen.say((own("{}", words, role="bad"),))
            if tell and self.screen.is_current:
                self._show_verification(found)
        elif tell:
            words = say("{} and {} agree; {} gone", counted(found.rows, "row"), counted(found.checked, "kept text"),
                        counted(found.open, "text"))  # fmt: skip
            self.screen.say((own("chain OK to #{}: ", found.head[0], role="good"), own("{}", words)))

    def _show_verification(self, found: Verification) -> None:
        from curator_tui.tui.screens.reading import ReadScreen

        self.screen.app.push_screen(ReadScreen(say("the chain of the ledger"), verification_page(found)))

    def verify_or_stop(self) -> None:
        """Verify the chain now and say what was found; while that runs, stop it."""
        if self._percent is not None:
            self._stop_verifying = True
        elif self.screen.failure is not None:
            self.screen.fail(self.screen.failure)
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

    def save(self) -> None:
        """Ask for a file and save the rows that are meant into it."""
        from curator_tui.tui.screens.reasons import NoteScreen

        if self.screen.app.read_only:
            words = say("read only: no file is written from here either; use: curator-tui ledger export FILE")
            self.screen.say((own("{}", words, role="warn"),))
        elif self.screen.view is LedgerView.ENTRIES:
            keys = (key_for("ledger.save"), key_for("ledger.view"))
            self.screen.say((own("{} saves rows of the ledger: press {} until they are shown", *keys, role="warn"),))
        elif self.saving:
            self.screen.say((own("still saving; {} gives it up", key_for("back"), role="warn"),))
        else:
            title = say("save these rows to a new file (.csv: a table; else JSON Lines)")
            self.screen.app.push_screen(NoteScreen(title, _PROPOSED), self._named)

    def _named(self, name: str | None) -> None:
        if name is None or not name.strip():
            self.screen.say((own("not saved"),))
            return
        path = os.path.abspath(os.path.expanduser(name.strip()))
        self._saved, self._stop_saving = 0, False
        self.screen.draw_status()
        self.screen.work(partial(self._save, path), "save")

    async def _save(self, path: str) -> None:
        wanted = self.screen.all_of_view()

        def told(numbers: Sequence[int]) -> None:
            self._saved = numbers[-1]
            self.screen.draw_status()

        try:
            count = await in_slices(
                self.screen.app.clerk, lambda desk: saving(desk, wanted, path), told, lambda: not self._stop_saving
            )
        except GivenUp:
            self.screen.say((own("not saved: {} was removed again", shown_line(path, 60)),))
            return
        finally:
            self._saved = None
        form = Shown("CSV" if is_table(path) else "JSON Lines")
        self.screen.say(
            (own("{} saved as {} to ", counted(count, "row"), form, role="good"), own("{}", shown_line(path)))
        )

    def saving_words(self) -> Line:
        """Say how much was saved so far; nothing while nothing is saved."""
        if self._saved is None:
            return EMPTY
        return (own("saving: {} so far, {} gives it up", counted(self._saved, "row"), key_for("back"), role="note"),)
