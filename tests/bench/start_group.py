"""Group ``start``: from the start of the process to the first frame that shows what the program is for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.bench import homes
from tests.bench.cli_group import START
from tests.bench.rows import Row, Skipped, compared, interleaved
from tests.bench.terminal import Terminal
from tests.bench.workplace import Workplace

BARE = "from tests.bench.bare_app import main; main()"
_READY = b"bare-and-ready"


def measure(place: Workplace) -> Iterator[Row | Skipped]:
    """Measure a bare application, a small and a large home in turn."""
    small, large = place.home(40), place.home(place.many)
    jobs = [
        partial(_bare, place),
        partial(_ours, place, small),
        partial(_ours, place, large),
        partial(_readable, place, small),
        partial(_readable, place, large),
    ]
    for job in jobs:
        job()  # compiles what is not compiled yet
    bare, few, many, few_read, many_read = interleaved(place.times(15), *jobs)
    rows = _first_rows(place, large)
    yield compared("first frame, 40 waiting", bare, few, 1.35, note="floor: a bare Textual app")
    note = f"the first frame shows {rows} rows that came from records"
    yield compared(f"first frame, {place.many:,} waiting", bare, many, 1.6, note=note)
    note = "states of the screenful and the outcome of the first item are there"
    yield compared("first item readable, 40 waiting", bare, few_read, note=note)
    yield compared(f"first item readable, {place.many:,} waiting", bare, many_read, note=note)


def _bare(place: Workplace) -> float:
    with Terminal(place, BARE) as terminal:
        return terminal.wait_for(lambda text: _READY in text) - terminal.started


def _ours(place: Workplace, home: Path) -> float:
    """Time the first frame that holds a row of the queue: a heading alone does not count."""
    with Terminal(place, START, ["--home", str(home)]) as terminal:
        return terminal.wait_for(shows_records) - terminal.started


def _readable(place: Workplace, home: Path) -> float:
    """Time the frame from which on a person could decide: the outcome of an item with what a key would do."""
    with Terminal(place, START, ["--home", str(home)]) as terminal:
        return terminal.wait_for(lambda text: b"all seen: a approves" in text) - terminal.started


def shows_records(text: bytes) -> bool:
    """Whether what was painted holds a row that came from a record."""
    return homes.TAG.search(text.decode("utf-8", "replace")) is not None


def _first_rows(place: Workplace, home: Path) -> int:
    """Count the rows of the first frame whose tags are those of waiting records."""
    with Terminal(place, START, ["--home", str(home)]) as terminal:
        terminal.wait_for(shows_records)
        terminal.settle(0.005)
        painted = terminal.screen()
    waiting = {tag for record in homes.records(place.many) for tag in homes.TAG.findall(str(record["payload"]))}
    tags = {tag for line in painted for tag in homes.TAG.findall(line)}
    if not tags or not tags <= waiting:
        raise AssertionError(f"the first frame shows what does not wait: {sorted(tags - waiting)}")
    return len(tags)
