"""Deferring on the review screen: away from the queue until a day, and back before it.

Here: from the key to the change, and what is said of it. Not here: the day (``until``), the rules (``core.deferrals``).
Unlike skipping it is a decision: stored, told in the ledger, undone by ``u``. It writes nothing into memory, so an item
has to be on screen and no more; a row of several wordings is deferred whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from curator_tui.core.changes import Receipt
from curator_tui.curator.desk import Desk
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import counted
from curator_tui.tui.review.marking import StillMarked, lost_words, still_marked
from curator_tui.tui.review.part import Part
from curator_tui.tui.screens.sending import Done
from curator_tui.tui.shown import Shown, own, say
from curator_tui.tui.words import item_words

_NOTHING = Shown("")


class Deferring(Part):
    """The key ``S``."""

    def ask_until(self) -> None:
        """Ask until when the item shall be away; where items are marked, it is about all of them."""
        if marked := self.app.session.marked_records:
            if self.screen.is_free():
                self.screen.work(partial(self._ask_day_of_marked, marked), "defer")
            return
        looked = self.screen.deciding.at_hand()
        if looked is not None and self.screen.deciding.is_shown(looked):
            found = looked.item.found
            painted = {looked.id: found.proposal.digest}
            words = item_words(found.proposal)
            job = partial(self._ask_day, looked.item.members, painted, words, deferred=looked.deferred)
            self.screen.work(job, "defer")

    async def _ask_day_of_marked(self, marks: Mapping[str, str]) -> None:
        """Ask until when the marked items shall be away: the records behind their rows that are still the same."""
        still: StillMarked = await self.app.clerk.ask(lambda desk: still_marked(desk, marks))
        self.screen.marking.drop(still.lost)
        left_out = say(" ({})", lost_words(still.lost)) if still.lost else _NOTHING
        await self._ask_day(tuple(still.kept), still.kept, counted(len(still.kept), "item"), left_out)

    async def _ask_day(
        self,
        names: Sequence[str],
        painted: Mapping[str, str],
        words: Shown,
        left_out: Shown = _NOTHING,
        *,
        deferred: bool = False,
    ) -> None:
        """Ask until when; each item is bound to the record that was painted, or that is listed now."""
        from curator_tui.tui.screens.until import UntilScreen

        listed = await self.app.clerk.ask(lambda desk: desk.digests_of(names))
        bound = {**listed, **painted}
        if not bound:
            self.screen.say((own("none of these items waits any more"),))
        elif self.screen.is_current:
            title, today = say("defer {} until{}", words, left_out), self.app.clerk.desk.today()
            ask = UntilScreen(title, today, frozenset(bound.items()), deferred=deferred)
            self.app.push_screen(ask, partial(self._take_day, bound, words))

    def _take_day(self, names: Mapping[str, str], words: Shown, day: str | None) -> None:
        from curator_tui.tui.screens.until import BACK_NOW

        if day is None:
            self.screen.say((own("nothing deferred"),))
        elif day == BACK_NOW:
            self._send(partial(_reopen, names=names), say("{} waits again", words))
        else:
            until = say("back on {}", Shown(day)) if day else say("{} lists it", key_for("view.deferred"))
            self._send(partial(_defer, names=names, day=day), say("deferred {}; {}", words, until))

    def _send(self, job: Callable[[Desk], Receipt], words: Shown) -> None:
        def told(receipt: Receipt) -> Done:
            return Done(words, away=[item.id for item in receipt.applied])

        self.screen.going_on.send(job, told, self.screen.showing.nearest_in)


def _defer(desk: Desk, *, names: Mapping[str, str], day: str) -> Receipt:
    return desk.defer(tuple(names), day, digests=names)


def _reopen(desk: Desk, *, names: Mapping[str, str]) -> Receipt:
    return desk.reopen(tuple(names))
