"""The clerk: the one thread in which the desk is used, so that the event loop never waits for a disk or a lock.

Here: running jobs on the desk one after the other, and looking for evidence in a thread of its own. Not here: what
the jobs are (``looking``), what is painted from their answers. Answers are values that never change; a thread never
touches a widget.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from curator_tui.core.proposals import Proposal
from curator_tui.curator.desk import Desk

if TYPE_CHECKING:
    from curator_tui.evidence.port import Evidence

T = TypeVar("T")


class Clerk:
    """Does one thing at a time with a desk, in order, so the order of decisions is the order of the ledger."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._work = ThreadPoolExecutor(1, "curator-tui-desk")
        self._search = ThreadPoolExecutor(1, "curator-tui-evidence")
        self.writing = 0

    async def ask(self, job: Callable[[Desk], T]) -> T:
        """Run a job on the desk and return its answer; what it raises is raised here."""
        return await asyncio.get_running_loop().run_in_executor(self._work, job, self.desk)

    async def change(self, job: Callable[[Desk], T]) -> T:
        """Run a job that decides something; leaving the application waits for it."""
        self.writing += 1
        try:
            return await asyncio.shield(self.ask(job))
        finally:
            self.writing -= 1

    async def evidence(self, proposal: Proposal) -> Evidence | None:
        """Look for where a claim came from; None when no source is known."""
        source = self.desk.evidence
        if source is None:
            return None
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._search, source.for_proposal, proposal)

    def close(self) -> None:
        """Finish what is being written and stop; searches for evidence are given up."""
        self._search.shutdown(wait=False, cancel_futures=True)
        self._work.shutdown(wait=True, cancel_futures=True)
