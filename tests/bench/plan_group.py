"""Group ``plan``: many decisions previewed together and committed as one change."""

from __future__ import annotations

from collections.abc import Iterator

from curator_tui.core.requests import Decision, Verb
from tests.bench.rows import Row, Samples, Skipped, interleaved, timed
from tests.bench.workplace import Workplace, opened


def measure(place: Workplace) -> Iterator[Row | Skipped]:
    """Measure a plan over the oldest items of the large home."""
    size = 20 if place.quick else 200
    desk = opened(place.new_home(place.many, roomy=True))
    plan = [Decision(found.id, Verb.APPROVE) for found in desk.queue.proposals()[:size]]
    cold = timed(lambda: desk.preview(plan))
    warm = interleaved(place.times(15), lambda: timed(lambda: desk.preview(plan)))[0]
    note = f"first time {cold * 1e3:.0f} ms"
    name = f"a plan of {size} previewed, at {place.many:,}"
    yield Row(name, warm.median(), goal=50.0, of_floor=False, note=note, spread=warm.spread)
    commit, undo = Samples(), Samples()
    for _ in range(place.times(5)):
        commit.add(timed(lambda: desk.decide(plan)))
        undo.add(timed(desk.undo))
    yield Row("the same plan committed", commit.median(), spread=commit.spread)
    yield Row("and undone", undo.median(), spread=undo.spread)
    desk.close()
