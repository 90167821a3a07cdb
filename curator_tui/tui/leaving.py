"""Leaving: the application, or one desk for another. What a key decided is carried out first, and what came of it told.

Here: waiting for that, within a bounded time; asking for drafts and marks that would be lost; closing what was opened.
Not here: signals and showing another desk (``app``), keys (``listening``), the end of a terminal (``hangup``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from time import monotonic

from textual.app import App
from textual.worker import Worker

from curator_tui.core.errors import CuratorError
from curator_tui.curator.desk import Desk
from curator_tui.tui.actions import PROFILES
from curator_tui.tui.clerk import CANCEL_SECONDS, Clerk
from curator_tui.tui.facts import counted
from curator_tui.tui.session import LastChange, Session
from curator_tui.tui.shown import EMPTY, Line, Shown, message, own, say, shown_line, words_of
from curator_tui.tui.working import DECIDED

LOOK_AGAIN = 0.005  # seconds between two looks whether a decision is carried out
_NAME = 20  # cells for the name of a profile
# longer than the locks of the home and of both documents are waited for, one after the other
LEAVE_SECONDS = 20.0
_LATE = Shown(
    "The last decision was still being written when the time to leave was over. It is done or not done as a whole; "
    "see: curator-tui ledger"
)
_WAITING: Line = (own("leaving as soon as the last decision is written …", role="warn"),)
_UNSAID = Shown("The last decision was worked through; what became of it, see: curator-tui ledger")


class Leaving(App[object]):
    """An application at a desk that it can leave.

    Attributes:
        given: the desk it was started on, which whoever gave it closes.
        clerk: who works at the desk that is open.
        session: what a person is in the middle of there.
        switch: opens the desk of another profile; None where there is only one.
        is_leaving: whether it is on its way out, so that no key counts any more.
        overdue: whether a decision took longer than leaving waits.
        in_use: desks that a thread still worked at when they were left: the end of the process closes them.
        heard: what the screens said since leaving began.
        farewell: what is said on the terminal after it, where leaving overtook a decision.
    """

    given: Desk
    clerk: Clerk
    session: Session
    switch: Callable[[str], Desk] | None = None
    is_leaving = False
    overdue = False
    farewell = Shown("")

    def __init__(self, *, ansi_color: bool | None = None) -> None:
        super().__init__(ansi_color=ansi_color)
        self.in_use: list[Desk] = []
        self.heard: list[Line] = []

    def tell(self, line: Line) -> None:
        """Say something on the screen that is open."""
        raise NotImplementedError

    def begin_at(self, desk: Desk) -> None:
        """Begin anew at another desk."""
        raise NotImplementedError

    def beside(self, job: Callable[[], Coroutine[None, None, None]], group: str, *, alone: bool = False) -> None:
        """Run a job beside the event loop's other work; ``alone`` gives up what of its group still runs.

        It takes the job and not its coroutine: one that is given up before it began must not be left over, for Python
        would complain of it on the terminal.
        """
        worker: Worker[None] = self.run_worker(job, group=group, exclusive=alone)
        self.note_opening(worker)

    def note_opening(self, job: Worker[None]) -> None:
        """Note a job that may open something, so that keys wait for it."""

    async def on_unmount(self) -> None:
        """Let the clerk finish what is being written, after a crash too; a desk that was opened here is closed here."""
        await self._put_aside(self.clerk, 0.0 if self.overdue else LEAVE_SECONDS)

    async def _put_aside(self, clerk: Clerk, limit: float) -> None:
        finished = await clerk.finish(limit)
        # under a change that still runs nothing is closed: the end of the process does it
        if finished and clerk.desk is not self.given:
            finished = await clerk.close_desk(limit)
        clerk.close()
        if not finished:
            self.in_use.append(clerk.desk)

    def leave(self) -> None:
        """Leave; a draft that was never approved is asked for once, and what else would be lost is named with it."""
        self._unless_lost(say("leave"), (), self._lost() if self.session.drafts else EMPTY, lambda: self.leave_with(0))

    def _lost(self) -> Line:
        """Say what a person would lose that no decision was made about."""
        drafts = len({name for name, _ in self.session.drafts})
        marks = len(self.session.marked)
        parts = [counted(number, noun) for number, noun in ((drafts, "draft"), (marks, "mark")) if number]
        words = Shown(" and ".join(parts))
        return (own("{} of this session would be lost.", words, role="warn"),) if parts else EMPTY

    def _unless_lost(self, words: Shown, about: Sequence[Line], lost: Line, then: Callable[[], object]) -> None:
        """Do something that loses what is named, at once where there is nothing of it, else when told to."""
        if not lost:
            then()
            return
        from curator_tui.tui.screens.second import AskScreen

        def answered(yes: bool | None) -> None:
            if yes:
                then()

        self.push_screen(AskScreen(say("{}?", words), [*about, lost], words, decides=False), answered)

    @property
    def deciding(self) -> bool:
        """Whether something that a key decided is not carried out or not told yet."""
        return any(worker.group in DECIDED and not worker.is_finished for worker in self.workers)

    @property
    def has_left(self) -> bool:
        """Whether the screens are being taken away: what looks for a part of them finds none, and that is no fault."""
        return self._exit

    def leave_with(self, code: int) -> None:
        """Leave with an exit code, when everything that was decided is carried out; nothing is decided meanwhile."""
        if not self.is_leaving:
            self.is_leaving = True
            self.beside(partial(self._finish_and_leave, code), "leave")

    async def _finish_and_leave(self, code: int) -> None:
        if self.deciding:
            before = self.session.newest
            self.tell(_WAITING)
            self.heard.clear()
            await self._decided_within(LEAVE_SECONDS)
            if self.deciding:
                await self.clerk.cancel()
                await self._decided_within(CANCEL_SECONDS)
            self.overdue = self.deciding
            self.farewell = _LATE if self.overdue else self._came_of_it(before)
        self.exit(None, code)

    async def _decided_within(self, limit: float) -> None:
        """Wait until what a key decided is carried out and told, at most so many seconds."""
        until = monotonic() + limit
        while self.deciding and monotonic() < until:
            await asyncio.sleep(LOOK_AGAIN)

    def hear(self, line: Line) -> None:
        """Note what a screen says, so that it can be told when leaving takes the screen away."""
        if self.is_leaving and line:
            self.heard.append(line)

    def _came_of_it(self, before: LastChange | None) -> Shown:
        """Return what the last decision came to: what was said of it on any screen, else the change it made."""
        said = list(dict.fromkeys(words_of(line).strip() for line in self.heard))
        last = self.session.newest
        if not said and last is not None and last is not before:
            said = [last.words]
        return say("The last decision: {}", Shown(" ".join(said))) if said else _UNSAID

    def open_profile(self, name: str, words: Shown | None = None) -> None:
        """Open another desk in place of this one; drafts and marks that go are asked for once.

        Args:
            name: the profile, or what names a person at a desk over many.
            words: what that is called; itself where nothing is given.
        """
        bound = self.clerk.desk.bound()
        kind = Shown("profile " if bound.kind == "profile" else "")
        before, after = shown_line(bound.scope, _NAME), words or shown_line(name, _NAME)
        self._unless_lost(
            say("open {}", after),
            [(own("From {}{} to {}{}.", kind, before, kind, after),)],
            self._lost(),
            lambda: self.beside(partial(self._open_profile, name), "switch"),
        )

    async def _open_profile(self, name: str) -> None:
        if self.switch is None or self._in_the_middle():
            return
        opened, before = self.switch, self.clerk
        try:
            desk = await asyncio.to_thread(opened, name)
        except CuratorError as error:
            self.tell((own("{} {}", message(error.message), message(error.way_out), role="bad"),))
            return
        if before is not self.clerk or self._in_the_middle():  # keys went on while it was opened
            await asyncio.to_thread(desk.close)
            return
        self.begin_at(desk)
        left, here = shown_line(before.desk.bound().scope, _NAME), shown_line(desk.bound().scope, _NAME)
        kind = Shown("profile " if desk.bound().kind == "profile" else "")
        self.tell((own("now at {}{}; {} was left as it was", kind, here, left, role="good"),))
        await self._put_aside(before, LEAVE_SECONDS)

    def _in_the_middle(self) -> bool:
        """Say that the desk cannot be changed now, where what is open or under way belongs to this one."""
        if self.deciding:
            self.tell((own("the last decision is still being written: then open the profile again", role="warn"),))
        elif self.screen is not self.screen_stack[0] and getattr(self.screen, "SCREEN", "") != PROFILES:
            self.tell((own("finish what is on screen first, then open the profile again", role="warn"),))
        else:
            return False
        return True
