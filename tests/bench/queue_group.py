"""Group ``queue``: reading many records, computing all states, a warm page with counts."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path

from curator_tui.core.preflight import findings_of
from curator_tui.curator.desk import Desk
from curator_tui.curator.queries import Query
from curator_tui.curator.queue_model import QueueModel
from curator_tui.stores.hermes.queue import Queue
from curator_tui.stores.safe_files import Folder
from tests.bench.floors import read_and_parse
from tests.bench.rows import Row, Samples, Skipped, compared, interleaved, timed
from tests.bench.workplace import Workplace, opened

SLICE = 0.008
PAGE = 20


def measure(place: Workplace) -> Iterator[Row | Skipped]:
    """Measure at the large home."""
    home = place.home(place.many)
    count = f"{place.many:,}"
    pending = home / "pending" / "memory"
    floor, ours = interleaved(place.times(9), lambda: timed(lambda: read_and_parse(pending)), lambda: _read(home))
    yield compared(f"{count} records read safely", floor, ours, 1.6, note="against open, read, json.loads")
    yield from _states(place, home, count)
    yield from _warm(place, home, count)


def _read(home: Path) -> float:
    with Folder.open(str(home)) as folder:
        queue = Queue(folder)
        return timed(queue.refresh)


def _states(place: Workplace, home: Path, count: str) -> Iterator[Row]:
    total, longest = Samples(), Samples()
    for _ in range(place.times(5)):
        findings_of.cache_clear()
        desk = opened(home)
        slices = _advance(desk.queue)
        desk.close()
        total.add(sum(slices))
        longest.add(max(slices))
    name = f"all states of {count}, cold"
    yield Row(name, total.median("s"), goal=2.0, of_floor=False, unit="s", spread=total.spread)
    yield Row("longest slice of 8 ms", longest.median(), note=f"worst of all runs {max(longest.values) * 1e3:.1f} ms")


def _advance(queue: QueueModel) -> list[float]:
    slices = []
    while not queue.complete:
        slices.append(timed(lambda: queue.advance(SLICE)))
    return slices


def _filtered(desk: Desk, words: str) -> None:
    desk.listings.page(Query())
    desk.listings.page(Query(words))


def _warm(place: Workplace, home: Path, count: str) -> Iterator[Row]:
    desk = opened(home)
    _advance(desk.queue)
    query = Query()
    first = timed(lambda: desk.listings.page(query))
    lines = desk.listings.page(query).lines

    def page() -> None:
        desk.listings.page(query, lines // 2, PAGE)
        desk.queue.counts()

    samples = interleaved(place.times(30), lambda: timed(page))[0]
    name = f"warm page of {PAGE} with counts at {count}"
    yield Row(name, samples.median(), goal=15.0, of_floor=False, spread=samples.spread)
    yield Row(f"rows put in order at {count}", first * 1e3, note="once, when the last state is known")
    for words in ("tea", "!tea state:ready", "~coffe"):
        desk.listings.page(Query(words))  # texts are made ready for searching once
        found = interleaved(place.times(5), lambda words=words: timed(lambda: _filtered(desk, words)))[0]  # type: ignore[misc]
        yield Row(f"filter {words!r} at {count}", found.median(), spread=found.spread)
    idle = interleaved(place.times(30), lambda: timed(desk.refresh))[0]
    yield Row("another look at an unchanged home", idle.median(), spread=idle.spread)
    names = [row.id for row in desk.queue.rows()]
    step = max(1, len(names) // place.times(100))
    looks = [timed(lambda name=name: desk.item(name)) * 1e3 for name in names[::step]]  # type: ignore[misc]
    note = f"p95 {Samples(looks).percentile(0.95, 's'):.1f} ms, worst {max(looks):.1f} ms of {len(looks)}"
    yield Row(f"one item looked at, at {count}", statistics.median(looks), note=note)
    desk.close()
