"""The clerk: the one thread in which the desk is used, so that the event loop never waits for a disk or a lock.

Here: running jobs on the desk one after the other, looking for evidence and beside the desk in threads of their own,
and coming to an end. Not here: what the jobs are (``curator.looking``), what is painted from their answers. Answers are
values that never change; a thread never touches a widget.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, wait
from functools import partial
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, TypeVar

from curator_tui.core.errors import CuratorError
from curator_tui.core.proposals import Proposal
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import STATES_FIRST, Board, board
from curator_tui.curator.queue_model import GivenUp, never

if TYPE_CHECKING:
    from curator_tui.core.origins import Origin
    from curator_tui.curator.values import Evidence

T = TypeVar("T")
CANCEL_SECONDS = 3.0  # for a change that was cancelled to end


class Retired(Exception):
    """The desk was put aside while the answer was worked out: nobody waits for it any more."""


class _Hands:
    """One thread that does jobs in order. It is a daemon: a job that never ends keeps nobody from leaving."""

    def __init__(self, name: str) -> None:
        self._jobs: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._stopped = False
        self._name = name
        self._thread: Thread | None = None
        self._gate = Lock()  # between putting a job and stopping: one that came too late would never be answered
        self.working = False
        """Whether a job is being done at this moment."""

    def submit(self, job: Callable[[], T]) -> Future[T]:
        """Put a job behind the others; after :meth:`stop` it is cancelled at once."""
        future: Future[T] = Future()
        with self._gate:
            if self._stopped:
                _call_off(future)
                return future
            self._jobs.put((future, job))
            if self._thread is None:
                self._thread = Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
        return future

    def stop(self) -> None:
        """Begin nothing any more; a job that runs is left alone."""
        with self._gate:
            self._stopped = True
            self._jobs.put(None)

    def _run(self) -> None:
        while (taken := self._jobs.get()) is not None:
            self.working = True  # before the look at the flag: whoever set it knows then what still runs
            self._do(*taken)
            self.working = False

    def _do(self, future: Future[Any], job: Callable[[], Any]) -> None:
        if self._stopped:
            _call_off(future)
        elif future.set_running_or_notify_cancel():
            try:
                future.set_result(job())
            except BaseException as error:  # noqa: BLE001 - whatever it is, it is raised where the answer is awaited
                future.set_exception(error)


class Clerk:
    """Does one thing at a time with a desk, in order, so the order of decisions is the order of the ledger."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._work = _Hands("curator-tui-desk")
        self._search = _Hands("curator-tui-evidence")
        self._beside = _Hands("curator-tui-beside")
        self._asked: dict[Future[Any], Event] = {}
        self._changes: set[Future[Any]] = set()
        self._retired = False

    async def ask(self, job: Callable[[Desk], T]) -> T:
        """Run a job that only looks and return its answer; what it raises is raised here.

        One that goes through many items ends at the next of them when nobody waits for it any more.

        Raises:
            Retired: the clerk was retired, or gave up what was asked, before the answer came.
        """
        given_up = Event()
        future = self._work.submit(partial(self._look, job, given_up))
        self._asked[future] = given_up
        future.add_done_callback(lambda done: self._asked.pop(done, None))
        try:
            return await self._answer(asyncio.wrap_future(future))
        except GivenUp:
            raise Retired from None
        except asyncio.CancelledError:
            given_up.set()
            raise

    def _look(self, job: Callable[[Desk], T], given_up: Event) -> T:
        """Do a job in the clerk's thread that may be given up while it runs: only one runs at a time."""
        queue = self.desk.queue
        queue.given_up = given_up.is_set
        try:
            return job(self.desk)
        finally:
            queue.given_up = never

    async def change(self, job: Callable[[Desk], T]) -> T:
        """Run a job that decides something: once it is here it is carried out, whether anybody still waits for it."""
        future = self._work.submit(partial(job, self.desk))
        self._changes.add(future)
        future.add_done_callback(self._changes.discard)
        return await self._answer(asyncio.shield(asyncio.wrap_future(future)))

    @property
    def changing(self) -> bool:
        """Whether something that writes is not carried out yet; what is recorded without a decision counts as well."""
        return bool(self._changes)

    async def evidence(self, proposal: Proposal) -> Evidence | None:
        """Look for where a claim came from; None when no source is known."""
        source = self.desk.evidence
        if source is None:
            return None
        return await self._answer(asyncio.wrap_future(self._search.submit(partial(source.for_proposal, proposal))))

    async def evidence_of(self, origin: Origin) -> tuple[Origin, Evidence | None]:
        """Return the origin of an entry with what the sessions tell of it, and the session behind it, where known."""
        from curator_tui.curator.origins import asked_for, with_found

        evidence = await self.evidence(asked_for(origin)) if origin.item else None
        return (with_found(origin, evidence), evidence) if evidence is not None else (origin, None)

    async def look_beside(self, job: Callable[[Desk], T]) -> T:
        """Run a job that reads what lies beside the bound store, in a thread of its own: no decision waits for it.

        It may take long, and may go on when the desk is closed already; so it opens whatever it reads itself, and
        asks the desk for no more than where it is.

        Raises:
            Retired: the clerk was retired before the answer came.
        """
        return await self._answer(asyncio.wrap_future(self._beside.submit(partial(job, self.desk))))

    async def _answer(self, future: Awaitable[T]) -> T:
        try:
            found = await future
        except Exception:
            if self._retired:
                raise Retired from None
            raise
        if self._retired:
            raise Retired
        return found

    def retire(self) -> None:
        """Drop every answer from now on: another desk is open. What was decided is carried out all the same."""
        self._retired = True
        self._give_up()

    def _give_up(self) -> None:
        for future, given_up in tuple(self._asked.items()):
            given_up.set()
            future.cancel()

    async def finish(self, limit: float) -> bool:
        """Give up what was only asked, and wait until everything that was decided is carried out.

        What is not stored by then is cancelled, where the store can, and waited for a moment more: no thread is left
        behind of which nobody knows whether it still writes.

        Args:
            limit: seconds to wait.

        Returns:
            Whether nothing is under way any more; then the desk may be closed.
        """
        self._give_up()
        last = self._work.submit(_nothing)
        over = asyncio.wrap_future(last)
        await asyncio.wait([over], timeout=limit)
        if not over.done():
            await self.cancel()
            await asyncio.wait([over], timeout=CANCEL_SECONDS)
        return self._is_over(last)

    async def cancel(self) -> None:
        """Give up what was decided and is not stored yet; whoever waits for it is told that nothing was changed.

        The thread that works is left alone: it rolls back by itself, and what it began to store it stores.
        """
        # asking a server may take its time, and has to keep nobody from leaving
        asked = _Hands("curator-tui-cancel")
        await asyncio.wait([asyncio.wrap_future(asked.submit(self.desk.cancel))], timeout=CANCEL_SECONDS)
        asked.stop()

    async def close_desk(self, limit: float) -> bool:
        """Close the desk behind everything that was asked, in the thread that uses it; it may have to wait for a lock.

        Args:
            limit: seconds to wait.

        Returns:
            Whether it is closed; else it will be when the job that runs is over.
        """
        last = self._work.submit(self.desk.close)
        await asyncio.wait([waiting := asyncio.wrap_future(last)], timeout=limit)
        if waiting.done() and not waiting.cancelled():
            waiting.result()
        return last.done()

    def wait(self, limit: float) -> bool:
        """Do as :meth:`finish`, for a thread that is not the event loop's, when the loop itself stands still."""
        self._give_up()
        last = self._work.submit(_nothing)
        wait([last], timeout=limit)
        return self._is_over(last)

    def _is_over(self, last: Future[None]) -> bool:
        return last.done() and not (last.cancelled() and self._work.working)

    def close(self) -> None:
        """Begin nothing any more; answers that still come are dropped."""
        self.retire()
        self._work.stop()
        self._search.stop()
        self._beside.stop()


async def board_after(clerk: Clerk, before: Board) -> Board:
    """Return the queue after a decision, read in a job of its own: what fails in it takes no decision back.

    A queue that cannot be read now is the one of ``before``; the next look at the store says so.
    """
    try:
        return await clerk.ask(lambda desk: board(desk, before, budget=STATES_FIRST))
    except CuratorError:
        return before


def _call_off(future: Future[Any]) -> None:
    """Cancel a job that was not begun, so that whoever waits for it in a thread wakes up, too."""
    future.cancel()
    future.set_running_or_notify_cancel()


def _nothing() -> None:
    """Do nothing: what was put before it is done when it is."""
