"""Changing memory by hand from any screen that lists entries: correct, add, remove, and whatever else is wanted.

Here: from a key to a preview, from its answer to one change, and what is said of it. Not here: what is wanted
(``wanted``), the previews (``proposing``, ``writing``), the rules (``core.corrections``). The contract is that of the
review screen: what is written is what was painted, seen whole and long enough; conditions want a second key; ``u``
undoes it. Where the outcome is another one by then nothing is written and the preview opens again.
"""

from __future__ import annotations

from functools import partial

from curator_tui.core.changes import Receipt
from curator_tui.core.documents import Target
from curator_tui.core.requests import OverrideCode
from curator_tui.curator.correcting import carry_out_correction, look_at_correction, with_edit
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Board, Looked
from curator_tui.tui.screens.editing import Edited
from curator_tui.tui.screens.reverting import Reverting
from curator_tui.tui.screens.sending import Done
from curator_tui.tui.shown import own
from curator_tui.tui.wanted import Wanted, addition, removal, wording
from curator_tui.tui.words import refusal


class Correcting:
    """Changes entries by hand, on a screen that shows what became of it."""

    def __init__(self, screen: Reverting) -> None:
        self.screen = screen

    # -- what can be asked for -------------------------------------------------------------------------------------

    def correct_entry(self, target: Target, text: str) -> None:
        """Open the field on an entry."""
        self.write(wording(target, text))

    def correct_outside(self, target: Target, text: str) -> None:
        """Write another wording for an entry in ``$EDITOR``, then show it in the field with what it would do."""
        from curator_tui.tui.editor import edit_outside

        if not self.screen.is_free():
            return
        wanted = wording(target, text)
        key = (wanted.correction.name, 0)
        drafts = self.screen.app.session.drafts
        found, problem = edit_outside(self.screen.app, drafts.get(key, text))
        if found is not None:
            drafts[key] = found
        self.write(wanted, problem)

    def add_entry(self, target: Target) -> None:
        """Open an empty field for a new entry."""
        self.write(addition(target))

    def remove_entry(self, target: Target, text: str) -> None:
        """Show what removing an entry would do."""
        self.propose(removal(target, text))

    def write(self, wanted: Wanted, problem: str = "") -> None:
        """Open the field for a wish whose text a person writes."""
        if self.screen.is_free():
            self.screen.work(partial(self._write, wanted, problem), "wanted")

    def propose(self, *ways: Wanted) -> None:
        """Show what a wish would do; where there are several ways to carry it out, each of them."""
        if ways and self.screen.is_free():
            self.screen.work(partial(self._propose, ways), "wanted")

    # -- the previews ----------------------------------------------------------------------------------------------

    async def _looks(self, ways: tuple[Wanted, ...]) -> tuple[Looked, ...] | None:
        def job(desk: Desk) -> tuple[Looked, ...]:
            desk.refresh()
            return tuple(look_at_correction(desk, one.correction) for one in ways)

        looks = await self.screen.app.clerk.ask(job)
        return looks if self.screen.is_current else None

    async def _write(self, wanted: Wanted, problem: str) -> None:
        from curator_tui.tui.screens.writing import WriteScreen

        looks = await self._looks((wanted,))
        if looks is not None:
            self.screen.app.push_screen(WriteScreen(wanted, looks[0], problem), partial(self._written, wanted))

    def _written(self, wanted: Wanted, answer: Edited | None) -> None:
        if answer is not None:
            self._send(wanted, answer, (wanted,))
        elif (wanted.correction.name, 0) in self.screen.app.session.drafts:
            self.screen.say((own("nothing was written; your draft is kept for the next time"),))
        else:
            self.screen.say((own("nothing was written"),))

    async def _propose(self, ways: tuple[Wanted, ...]) -> None:
        from curator_tui.tui.screens.proposing import ProposeScreen

        looks = await self._looks(ways)
        if looks is not None:
            self.screen.app.push_screen(ProposeScreen(ways, looks), partial(self._proposed, ways))

    def _proposed(self, ways: tuple[Wanted, ...], answer: tuple[int, Edited] | None) -> None:
        if answer is not None:
            self._send(ways[answer[0]], answer[1], ways)
        else:
            self.screen.say((own("nothing was written"),))

    # -- carrying out ----------------------------------------------------------------------------------------------

    def _send(self, wanted: Wanted, answer: Edited, ways: tuple[Wanted, ...]) -> None:
        correction = with_edit(wanted.correction, answer.looked.edit)
        code = OverrideCode(answer.reason) if answer.reason is not None else None

        def job(desk: Desk) -> Receipt:
            return carry_out_correction(
                desk,
                correction,
                answer.looked.digest,
                override=answer.looked.override,
                reason=code,
                note=answer.note,
            )

        def told(_: Receipt) -> Done:
            return Done(wanted.done, rest=(own("agents read it at their next session"),))

        async def show(receipt: Receipt, taken: Board) -> None:
            self.screen.app.session.forget((wanted.correction.name,))
            await self.screen.reverted(receipt, taken)

        async def refused(receipt: Receipt, taken: Board) -> None:
            await self.screen.reverted(receipt, taken)
            self._tell_refused(receipt)
            if receipt.moved and self.screen.is_current:
                if answer.looked.edit.empty:
                    self.propose(*ways)
                else:
                    self.write(wanted)

        self.screen.sending.send(job, told, refused, show=show)

    def _tell_refused(self, receipt: Receipt) -> None:
        if receipt.moved:
            self.screen.say(
                (own("nothing was written: the documents changed meanwhile. So it would be now", role="warn"),)
            )
        elif receipt.not_applied:
            self.screen.say(refusal(receipt.not_applied[0]))
        else:
            self.screen.say((own("nothing was to do: memory holds that entry already"),))
