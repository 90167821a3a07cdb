"""Group ``lag``: how long the event loop is held, from a key to its row, and the first frame, at three sizes of queue.

Beside each stands a bare list of as many rows in the same run. Keys are pressed from the first frame on, while
everything is read and computed behind it; then other screens are opened, the plan among them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

from tests.bench.probe import FILE
from tests.bench.rows import Row, Samples, Skipped
from tests.bench.start_group import shows_records
from tests.bench.terminal import Terminal
from tests.bench.workplace import Workplace

OURS = "from tests.bench.probe import main; main()"
BARE = "from tests.bench.probe import main_bare; main_bare()"
_GAP = 0.05
_SCREENS = ("2", "1", "3", "1", "4", "1", "5", "1", "b", "q", "m", "q", "?", "q")
_LOOK = 0.8
_files = count()


class Run(NamedTuple):
    """What one run gave: seconds to the first frame, from keys to their rows, and what its probe noted."""

    first: float
    keys: Samples
    lag: list[float]
    held: list[float]


def measure(place: Workplace) -> Iterator[Row | Skipped]:
    """Measure each size in turn with its floor."""
    for waiting in (place.few, place.many, place.most):
        home = place.home(waiting)
        bare = _run(place, BARE, [str(waiting)], b"bare-and-ready", ())
        ours = _run(place, OURS, ["--home", str(home)], b"", _SCREENS)
        at = f"{waiting:,} waiting"
        yield Row(f"first frame, {at}", ours.first * 1e3, bare.first * 1e3, note="with the probe, once")
        yield Row(f"key to painted row, {at}, median", ours.keys.median(), bare.keys.median(),
                  note="from the first frame on")  # fmt: skip
        yield Row(f"key to painted row, {at}, p95", ours.keys.percentile(0.95), bare.keys.percentile(0.95))
        over = sum(held > 0.05 for held in ours.held)
        yield Row(f"event loop held, {at}, worst", max(ours.held) * 1e3, max(bare.held) * 1e3, 50.0, of_floor=False,
                  note=f"{over} times over 50 ms of {len(ours.held)}")  # fmt: skip
        late, floor = Samples(ours.lag), Samples(bare.lag)
        worst = f"worst {late.percentile(1.0):.0f} ms, bare {floor.percentile(1.0):.0f} ms: a busy machine shows here"
        yield Row(f"event loop late, {at}, p99.9", late.percentile(0.999), floor.percentile(0.999), note=worst)


def _run(place: Workplace, code: str, words: list[str], ready: bytes, screens: tuple[str, ...]) -> Run:
    file = place.scratch / f"lag-{next(_files)}.json"
    keys = Samples()
    with Terminal(place, code, words, **{FILE: str(file)}) as terminal:
        shown = (lambda text: ready in text) if ready else shows_records
        first = terminal.wait_for(shown, 60.0) - terminal.started
        for _ in range(place.times(200)):
            terminal.watch(_GAP)
            terminal.settle(0.001)
            pressed = terminal.press("j")
            if terminal.read(2.0):
                keys.add(terminal.settle() - pressed)
        for key in screens:
            terminal.press(key)
            terminal.watch(0.1 if place.quick else _LOOK)
        terminal.press("q")
        terminal.watch(1.5)
    noted = json.loads(Path(file).read_text("ascii"))
    if not keys.values or not noted["held"]:
        raise AssertionError("nothing was measured")
    return Run(first, keys, noted["lag"], noted["held"])
