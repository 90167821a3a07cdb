"""Group ``approve``: one durable decision in process, and how it grows with the queue."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from curator_tui.core.changes import Receipt
from curator_tui.core.requests import Decision, ReasonCode, Verb
from curator_tui.curator.desk import Desk
from tests.bench.floors import DurableFloor
from tests.bench.rows import Row, Samples, Skipped, compared, interleaved, timed
from tests.bench.workplace import Workplace, file_system, opened


def measure(place: Workplace) -> Iterator[Row | Skipped]:
    """Measure approvals in two homes in turn, then undo and reject."""
    floor = DurableFloor(place.new_folder())
    small = _Worker(opened(place.new_home(place.few, roomy=True)))
    large = _Worker(opened(place.new_home(place.many, roomy=True)))
    kind = file_system(place.scratch)
    first = large.approve()
    small.approve()
    times = place.times(60)
    plain, few, many = interleaved(times, lambda: timed(floor.once), small.approve, large.approve)
    note = f"floor: 3 durable replaces + 1 commit, on {kind}; n={times}"
    yield compared(f"one approve, {place.few} waiting", plain, few, 2.5, note=note)
    yield compared(f"one approve, {place.many:,} waiting", plain, many, None)
    yield _growth(place, few, many, 1.3)
    yield Row(f"first approve at {place.many:,}", first * 1e3, note="also records what was seen for the first time")
    floored, undone, undone_many = interleaved(place.times(40), lambda: timed(floor.once), small.undo, large.undo)
    yield compared(f"one undo, {place.few} waiting", floored, undone)
    yield compared(f"one undo, {place.many:,} waiting", floored, undone_many)
    floored, rejected, rejected_many = interleaved(
        place.times(40), lambda: timed(floor.once), small.reject, large.reject
    )
    yield compared(f"one reject, {place.few} waiting", floored, rejected)
    yield compared(f"one reject, {place.many:,} waiting", floored, rejected_many)
    for worker in (small, large):
        worker.desk.close()
    floor.close()


def _growth(place: Workplace, few: Samples, many: Samples, goal: float) -> Row:
    name = f"growth of one approve, {place.few} to {place.many:,}"
    return Row(name, many.median(), few.median(), goal, note="floor: the small home", spread=many.spread)


class _Worker:
    """Decides the oldest item of one home, again and again."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def approve(self) -> float:
        """Approve the oldest item; return the seconds."""
        return self._done(lambda: self.desk.decide([Decision(self._oldest(), Verb.APPROVE)]))

    def reject(self) -> float:
        """Reject the oldest item; return the seconds."""
        decision = Decision(self._oldest(), Verb.REJECT, reason=ReasonCode.NOT_USEFUL)
        return self._done(lambda: self.desk.decide([decision]))

    def undo(self) -> float:
        """Undo the newest change; return the seconds."""
        return self._done(self.desk.undo)

    def _oldest(self) -> str:
        return self.desk.queue.proposals()[0].id

    def _done(self, job: Callable[[], Receipt]) -> float:
        receipts: list[Receipt] = []
        seconds = timed(lambda: receipts.append(job()))
        if not receipts[0].done:
            raise AssertionError(f"a measured decision was not carried out: {receipts[0].not_applied}")
        return seconds
