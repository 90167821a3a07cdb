"""Picking the entry of an item that finds none or several, and what that entry shall say.

Here: from the key to the choice, and from the choice to an edit that is shown. Not here: the menus (``choosing``,
``rebasing``), deciding. Nothing is written before the outcome of the choice was on screen.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from curator_tui.core.operations import Action
from curator_tui.core.preflight import State
from curator_tui.core.requests import ReasonCode, Verb
from curator_tui.curator.looking import Looked, look
from curator_tui.tui.actions import key_for
from curator_tui.tui.review.part import Part
from curator_tui.tui.shown import own, say, shown_line

if TYPE_CHECKING:
    from curator_tui.tui.screens.rebasing import Rebased


class Picking(Part):
    """What ``a`` does with a stale or ambiguous item."""

    def choose_entry(self, looked: Looked, state: State) -> None:
        """Let a person pick the entry that an item shall take; the choice is shown as an outcome before it counts."""
        operation = looked.found.proposal.operations[looked.failed_step]
        texts = looked.choices(self.model.board.snapshot) if self.model.board is not None else ()
        if state is State.STALE and operation.action is Action.REPLACE and texts:
            self._rebase(looked, texts)
        else:
            self._pick(looked, state, texts)

    def _pick(self, looked: Looked, state: State, texts: tuple[str, ...]) -> None:
        from curator_tui.tui.screens.choosing import REJECT, ChooseScreen

        operation = looked.found.proposal.operations[looked.failed_step]
        gone = operation.action is Action.REMOVE and state is State.STALE

        def chosen(index: int | None) -> None:
            if index == REJECT:
                self.screen.deciding.decide_now(looked, Verb.REJECT, ReasonCode.STALE if state is State.STALE else None)
            elif index is not None:
                self._show_on(looked, texts[index])
            else:
                self.screen.say((own("it waits as it did"),))

        title = say("which entry shall it {}?", operation.action)
        menu = ChooseScreen(title, texts, rejects=True, gone=gone, about=operation.content or "")
        self.app.push_screen(menu, chosen)

    def _rebase(self, looked: Looked, texts: tuple[str, ...]) -> None:
        from curator_tui.tui.screens.rebasing import RebaseScreen

        def chosen(answer: Rebased | None) -> None:
            if answer is None:
                self.screen.say((own("it waits as it did"),))
            elif answer.way == "keep":
                self.screen.deciding.decide_now(looked, Verb.REJECT, ReasonCode.STALE)
            elif answer.way == "take":
                self._show_on(looked, answer.entry)
            else:
                self.screen.work(partial(self._write_on, looked, answer), "wanted")

        operation = looked.found.proposal.operations[looked.failed_step]
        title = say("{}: its entry is gone or changed", shown_line(looked.id))
        self.app.push_screen(RebaseScreen(title, operation, texts, marks=self.app.palette.mono), chosen)

    def _show_on(self, looked: Looked, entry: str) -> None:
        """Show what the item would do to an entry."""
        self.screen.showing.open_item(looked.id, looked.picked(entry))
        keys = key_for("decide.approve"), key_for("clear")
        self.screen.say_of_item((own("so it would change that entry; {} approves, {} goes back", *keys, role="warn"),))

    async def _write_on(self, looked: Looked, answer: Rebased) -> None:
        """Open the editor on an entry, with the combined draft or the proposed text in it."""
        found = await self.app.clerk.ask(lambda desk: look(desk, looked.id, looked.picked(answer.entry)))
        if not self.screen.is_current or self.model.looked is not looked:
            return
        made_by_rule = "a draft made by a rule: it counts as yours once you save it"
        text, told = answer.text, made_by_rule if answer.way == "draft" else ""
        own_text = self.app.session.drafts.get((looked.id, looked.failed_step))
        if own_text is not None:
            # what a person wrote is never written over; a draft that was asked for stands below it
            below = answer.way == "draft" and text not in own_text
            text = "\n".join(filter(None, (own_text, text))) if below else own_text
            told = "your draft, and below it the one made by a rule" if below else "your draft"
        self.screen.deciding.open_edit(found, told, {looked.failed_step: text})
