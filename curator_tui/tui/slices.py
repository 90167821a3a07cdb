"""Long jobs in slices: what takes longer than anybody should wait for is carried out bit by bit in the clerk's thread.

Here: going through the steps of a job, so that whatever is asked meanwhile waits for one slice only, and a job can be
given up between two. Not here: the jobs (generators of ``curator``), what is painted of them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from time import perf_counter
from typing import TypeVar

from curator_tui.curator.desk import Desk
from curator_tui.curator.queue_model import GivenUp
from curator_tui.tui.clerk import Clerk

SLICE = 0.008  # seconds that whatever is asked meanwhile may have to wait
Y = TypeVar("Y")
R = TypeVar("R")


async def in_slices(
    clerk: Clerk,
    begin: Callable[[Desk], Generator[Y, None, R]],
    told: Callable[[Sequence[Y]], None],
    going_on: Callable[[], bool] = lambda: True,
) -> R:
    """Carry out a job and return its answer; what it raises is raised here.

    Args:
        clerk: in whose thread it runs.
        begin: makes the job.
        told: takes what the job yielded in each slice.
        going_on: asked between two slices whether it is still wanted.

    Raises:
        GivenUp: it was not wanted any more; what it had begun is put away.
    """
    job: list[Generator[Y, None, R]] = []

    def go_on(desk: Desk) -> tuple[list[Y], tuple[R] | None]:
        if not job:
            job.append(begin(desk))
        found: list[Y] = []
        until = perf_counter() + SLICE
        while not found or perf_counter() < until:
            try:
                found.append(next(job[0]))
            except StopIteration as done:
                return found, (done.value,)
        return found, None

    while True:
        found, answer = await clerk.ask(go_on)
        if found:
            told(found)
        if answer is not None:
            return answer[0]
        if not going_on():
            await clerk.ask(lambda _: job[0].close())
            raise GivenUp
