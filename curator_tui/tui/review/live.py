"""Live refresh of the review screen: looking at the store every second, evidence, and what changed under our eyes.

Here: polling and the marks it leaves, and recording what others wrote, which is all that is written here. Not here:
redrawing what is looked at, which only a key does. Everything runs in the clerk's threads.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Mapping
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from textual.timer import Timer

from curator_tui.core.errors import CuratorError, UnknownItem
from curator_tui.core.preflight import State
from curator_tui.core.proposals import Edit
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Board, Looked, board, look
from curator_tui.curator.queries import Query
from curator_tui.tui.review.part import Part
from curator_tui.tui.shown import own, shown_line
from curator_tui.tui.slices import SLICE

if TYPE_CHECKING:
    from curator_tui.tui.screens.review import ReviewScreen

_FIRST_SECONDS = 0.03
_FACTS_EVERY = 5
_RECORD_EVERY = 30  # polls: a look at the store may have to wait while a lock is waited for
_AGES_EVERY = 60.0


class Live(Part):
    """Keeps what is on screen honest."""

    def __init__(self, screen: ReviewScreen) -> None:
        super().__init__(screen)
        self.started = False
        self._polls = 0
        self._ticking: Timer | None = None
        self._polling = False
        self._is_whole = False
        self._recorded = False
        self._record_at = 0

    def start_living(self) -> None:
        """Begin after the first frame: record what others wrote, work out all states, look again every second."""
        self.begin()
        if self.app.timing.poll > 0:
            self._ticking = self.screen.set_interval(self.app.timing.poll, self.tick, pause=not self._is_on_top)

    @property
    def _is_on_top(self) -> bool:
        """Whether no other screen, however small, stands above this one."""
        return self.app.screen is self.screen

    def rest(self) -> None:
        """Rest below another screen: the library paints both anew for whatever happens on the one that is covered."""
        if self._ticking is not None:
            self._ticking.pause()

    def wake(self) -> None:
        """Look again at once: what happened meanwhile was not noticed."""
        if self._ticking is not None:
            self._ticking.resume()
            self.tick()

    def begin(self) -> None:
        """Take the first steps on the desk that is open now; where it cannot be read, each poll tries them again."""
        self._is_whole = self._recorded = self._polling = False
        self.screen.work(self._first_steps, "start")

    async def _first_steps(self) -> None:
        self._polling = True
        try:
            query = self.app.session.query()
            taken = await self.app.clerk.ask(lambda desk: _whole_board(desk, query))
        except CuratorError as error:
            self._lost(error)
            self.started = True
            _collect_from_now_on()
            return
        finally:
            self._polling = False
        self._is_whole = True
        self.app.trouble = None
        self.screen.showing.draw_trouble()
        moved = bool(self.model.wanted[0])
        self.screen.showing.show_board(taken, None if moved else _first(taken, self.app.size.height))
        row = self.screen.showing.current_row()
        if row is None:
            await self.screen.showing.open_no_row()
        elif self.model.looked is None:
            await self.screen.showing.open_now(row.id, Edit())
        if not self.app.read_only:
            await self._record(tell=True)
        if taken.facts.warnings:
            self.screen.say((own("{}", shown_line("; ".join(taken.facts.warnings)), role="warn"),))
        self.work_out_states()
        self.started = True

    def _lost(self, error: CuratorError) -> None:
        """Say that the store cannot be read; nothing on screen says then what holds now."""
        self.screen.lookout.lost(error)
        self.screen.showing.draw_trouble()

    async def _record(self, *, tell: bool = False) -> None:
        """Record what others wrote; where that cannot be done now, it is tried again later, and told only once."""
        self._record_at = self._polls + _RECORD_EVERY
        try:
            await self.app.clerk.change(lambda desk: desk.observe())
        except CuratorError as error:
            if tell:
                self.screen.fail(error)
            return
        self._recorded = True

    def work_out_states(self) -> None:
        """Work out all states in the background."""
        self.screen.work(self._states, "states")

    async def _states(self) -> None:
        try:
            await self._all_states()
        except CuratorError as error:
            self._lost(error)
            return
        finally:
            _collect_from_now_on()
        if self.model.looked is None and self.model.asked is None:
            self._show_first()

    async def _all_states(self) -> None:
        # in slices, so that an item that is asked for meanwhile never waits for more than one
        before = self.model.board
        known = await self.app.clerk.ask(lambda desk: desk.queue.advance(SLICE))
        if not known:
            self.screen.showing.show_board(
                await self.app.clerk.ask(lambda desk: board(desk, before))
            )  # those on screen came first
        while not known:
            known = await self.app.clerk.ask(lambda desk: desk.queue.advance(SLICE))
        before = self.model.board
        self.screen.showing.take_board(await self.app.clerk.ask(lambda desk: board(desk, before)))

    def _show_first(self) -> None:
        row, question = self.screen.showing.current_row(), self.screen.showing.current_question()
        if row is not None:
            self.screen.showing.open_item(row.id)
        elif question is not None:
            self.screen.asking.open_question(question)

    def look_for_evidence(self) -> None:
        """Look for where the claim came from, in a thread of its own, once per item."""
        if self.model.looked is not None and self.model.source_of(self.model.looked) is None:
            self.screen.work(partial(self._evidence, self.model.looked), "evidence")

    async def _evidence(self, looked: Looked) -> None:
        await asyncio.sleep(self.app.timing.rest)  # of many moves in a row only the last is looked up
        found = await self.app.clerk.evidence(looked.item.found.proposal)
        if found is None:
            return
        self.model.sources[looked.id, looked.item.found.proposal.digest] = found
        if self.model.looked is not None and self.model.looked.id == looked.id:
            self.screen.showing.draw_item(keep=True)

    def tick(self) -> None:
        """Look at the store again, unless that is under way or something is being written."""
        self.screen.draw_status()
        if self._polling or self.screen.busy or not self.screen.is_current:
            return
        if self._is_whole:
            self.screen.work(self._poll, "poll", alone=False)
        else:
            self.screen.work(self._first_steps, "start")

    async def _poll(self) -> None:
        """Look at the store again; what is on screen stays, and is marked where it is not true any more."""
        self._polling = True
        self._polls += 1
        wanted = self.model.wanted if self.model.asked is None else ("", Edit())
        before, renew = self.model.board, self._polls % _FACTS_EVERY == 0
        marks = self.app.session.marked_records
        try:
            taken, fresh, gone = await self.app.clerk.ask(lambda desk: _look_again(desk, wanted, before, renew=renew))
            lost = await self.app.clerk.ask(lambda desk: _lost_marks(desk, marks)) if marks else {}
            await self.screen.lookout.learn_of_undos()
        except CuratorError as error:
            self._lost(error)
            return
        finally:
            self._polling = False
        self.screen.lookout.found_again()
        self.screen.showing.draw_trouble()
        if not self._recorded and self._polls >= self._record_at and not self.app.read_only:
            self.screen.work(self._record, "record")
        if self.screen.busy:
            return  # what is being written ends with the queue as it is then
        if self.model.wanted == wanted:
            self._compare(fresh, gone)
        self._compare_question(taken)
        self.screen.marking.drop(lost)
        if taken is not None:
            self.screen.showing.take_board(taken)
            if self.model.looked is None and self.model.asked is None:
                self._show_first()

    def _compare(self, fresh: Looked | None, gone: str | None) -> None:
        """Mark the item on screen when it is not what the store holds any more, and show who else looks at it."""
        if self.model.looked is None or self.model.looked.id != self.model.wanted[0]:
            return
        changed, name = self.app.session.changed, self.model.looked.id
        differs = gone is not None or (fresh is not None and fresh.digest != self.model.looked.digest)
        # its row stays under the cursor whatever became of it before it went: no key may be about the next one
        row = self.screen.showing.current_row() if gone is not None else None
        kept = None
        if gone is not None:
            kept = self.model.gone or (row if row is not None and name in row.members else None)
        if differs == (name in changed) and kept is self.model.gone:
            self._compare_watchers(fresh)
            return  # nothing is painted, every second, to say that nothing happened
        self.model.gone, self.model.ending = kept, gone or ""
        if differs:
            changed.add(name)
        else:
            changed.discard(name)
        self.screen.queue.touch(self.screen.queue.cursor)
        self.screen.showing.draw_ways()

    def _compare_watchers(self, fresh: Looked | None) -> None:
        """Show who else looks at the item on screen, where that is somebody else than before."""
        looked = self.model.looked
        if looked is not None and fresh is not None and fresh.watched_by != looked.watched_by:
            self.model.looked = looked._replace(watched_by=fresh.watched_by)
            self.screen.showing.draw_item(keep=True)

    def _compare_question(self, taken: Board | None) -> None:
        """Mark the question on screen when it is not open any more, or not about what it was about."""
        if self.model.asked is not None and taken is not None:
            known = next((one for one in taken.questions if one.id == self.model.asked.id), None)
            if known != self.model.asked.question:
                self.app.session.changed.add(self.model.asked.id)
                self.screen.showing.draw_ways()


def _collect_from_now_on() -> None:
    """Turn the collector of garbage on, once the queue and its states are there, and have it pass over all of that.

    A start turns it off. Going through what a queue of fifty thousand holds takes it a fifth of a second, in which
    no key is answered, whichever thread it happens in.
    """
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def _whole_board(desk: Desk, query: Query) -> Board:
    """Read everything, and work out states for as long as nobody notices: for a queue of ordinary size, all."""
    desk.refresh()
    return board(desk, query=query, budget=_FIRST_SECONDS)


def _first(taken: Board, screenful: int) -> str | None:
    """Return the item to begin with: the first on screen that is ready, whatever the order is, else the first."""
    rows = tuple(islice(taken.rows, screenful))
    return next((row.id for row in (*(one for one in rows if one.state is State.READY), *rows)), None)


def _lost_marks(desk: Desk, marks: Mapping[str, str]) -> dict[str, str]:
    """Return the marks whose records left the queue, or are others now, as it was last read."""
    there = {name: one.digest for name in marks if (one := desk.queue.proposal(name)) is not None}
    return {name: digest for name, digest in marks.items() if there.get(name) != digest}


def _look_again(
    desk: Desk, wanted: tuple[str, Edit], before: Board | None, *, renew: bool
) -> tuple[Board | None, Looked | None, str | None]:
    """Return the queue if it, the facts or the ages changed, the item on screen as it is now, and how it ended.

    An item that ended in a way nobody knows has no words; one that still waits has not even these.

    Args:
        desk: the desk.
        wanted: the item on screen and its edit; no name for none.
        before: the queue on screen.
        renew: look at the store's facts and at every record, too; that costs more than they change.
    """
    desk.refresh(thorough=renew)
    name, edit = wanted
    fresh: Looked | None = None
    gone: str | None = None
    claims = desk.claims.look()
    if name:
        desk.claims.take(name)
        try:
            fresh = look(desk, name, edit)
        except UnknownItem:
            gone = desk.ending_words(name)
    known = desk.facts() if renew or before is None else before.facts
    older = before is None or desk.now() - before.now >= _AGES_EVERY
    # not what the refresh says: it says so once, and whoever asked first may not have shown it
    worth = (
        older
        or before is None
        or desk.queue.version != before.version
        or (known, claims) != (before.facts, before.claims)
    )
    return (board(desk, before, facts=known, budget=SLICE) if worth else None), fresh, gone
