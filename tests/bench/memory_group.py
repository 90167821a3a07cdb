"""Group ``memory``: the most memory that is ever resident, of the application and of a bare one."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.cli_group import START
from tests.bench.rows import Row, Samples, Skipped
from tests.bench.start_group import BARE, shows_records
from tests.bench.terminal import Terminal
from tests.bench.workplace import Workplace

_REST = 6.0
"""Seconds after which everything that is computed behind the first frame is done."""


def measure(place: Workplace) -> Iterator[Row | Skipped]:
    """Measure once the application has computed everything and rests."""
    floor = _peak(place, BARE, [])
    if floor is None:
        yield Skipped("peak memory", "this system does not tell it")
        return
    for waiting in (place.few, place.many):
        ours = _peak(place, START, ["--home", str(place.home(waiting))])
        assert ours is not None
        goal = 1.6 if waiting == place.many else None
        yield Row(f"peak memory, {waiting:,} waiting", ours, floor, goal, unit="MB", note="floor: a bare Textual app")


def _peak(place: Workplace, code: str, words: list[str]) -> float | None:
    samples = Samples()
    for _ in range(place.times(3)):
        with Terminal(place, code, words) as terminal:
            terminal.wait_for(shows_records if words else lambda text: b"bare-and-ready" in text)
            terminal.watch(0.3 if place.quick else _REST)
            peak = terminal.peak_megabytes()
        if peak is None:
            return None
        samples.add(peak)
    return samples.median("MB")
