"""Group ``keys``: from a key to the last byte of the frame that answers it, on a real pty, at the large home."""

from __future__ import annotations

import time
from collections.abc import Iterator

from tests.bench.cli_group import START
from tests.bench.homes import TAG
from tests.bench.rows import Row, Samples, Skipped
from tests.bench.start_group import shows_records
from tests.bench.terminal import Terminal
from tests.bench.workplace import Workplace

BARE_LIST = "from tests.bench.bare_app import main_list; main_list()"
_REST = 8.0
_PAUSE = 0.03
_DWELL = 0.8
"""Seconds an item is looked at before the next key: it must have been on screen for a moment to be decided."""
_WHOLE = 0.08
"""Silence after which also what is painted behind the first frame counts as painted."""


def measure(place: Workplace) -> Iterator[Row | Skipped]:
    """Press down in a bare list and in ours in turn."""
    home = place.home(place.many)
    with Terminal(place, BARE_LIST) as bare, Terminal(place, START, ["--home", str(home)]) as ours:
        bare.wait_for(lambda text: b"bare-and-ready" in text)
        ours.wait_for(shows_records)
        early = _early(place, ours)
        ours.watch(0.3 if place.quick else _REST)
        bare.settle()
        floor, first, whole = Samples(), Samples(), Samples()
        for _ in range(place.times(200)):
            floor.add(_answer(bare)[0])
            step = _answer(ours)
            first.add(step[0])
            whole.add(step[1])
    at = f"at {place.many:,}"
    yield Row(f"key to painted row {at}, median", first.median(), floor.median(), note="floor: a bare list of lines")
    yield Row(f"key to painted row {at}, p95", first.percentile(0.95), floor.percentile(0.95), 50.0, of_floor=False)
    yield Row(f"key to everything painted {at}, median", whole.median())
    yield Row(f"key to everything painted {at}, p95", whole.percentile(0.95), note="with the outcome of the next item")
    yield from _approvals(place)
    if early.values:
        note = f"worst {max(early.values) * 1e3:.0f} ms of {len(early.values)}"
        yield Row("key to painted row while states are computed", early.median(), note=note)


def _approvals(place: Workplace) -> Iterator[Row]:
    """Approve one item after the other and wait until the next one is the one under the cursor."""
    home = place.new_home(place.many, roomy=True)
    found = Samples()
    with Terminal(place, START, ["--home", str(home)]) as terminal:
        terminal.wait_for(shows_records)
        terminal.watch(1.0 if place.quick else _REST)
        for _ in range(place.times(25)):
            before = _under_cursor(terminal.screen())
            pressed = terminal.press("a")
            terminal.watch(_DWELL)
            moved = [came for came, lines in terminal.frames() if _under_cursor(lines) not in {before, ""}]
            if moved:
                found.add(moved[0] - pressed)
    if not found.values:
        raise AssertionError("no approval moved the cursor on")
    note = f"p95 {found.percentile(0.95):.0f} ms, n={len(found.values)}; 20 ms of it wait for a burst of keys to end"
    yield Row(f"approve to next item at {place.many:,}, median", found.median(), note=note, spread=found.spread)


def _under_cursor(lines: list[str]) -> str:
    """Return the tag of the row the cursor is on; empty when no row shows one."""
    tags = (TAG.findall(line) for line in lines if line.startswith(">"))
    return next((found[0] for found in tags if found), "")


def _early(place: Workplace, terminal: Terminal) -> Samples:
    """Press down while the background work after the start goes on."""
    found = Samples()
    for _ in range(place.times(15)):
        found.add(_answer(terminal)[0])
    return found


def _answer(terminal: Terminal) -> tuple[float, float]:
    """Press down once; return the seconds to the last byte of the first frame, and of everything that followed.

    Raises:
        AssertionError: the key was not answered at all.
    """
    time.sleep(_PAUSE)
    terminal.settle(0.001)
    pressed = terminal.press("j")
    if not terminal.read(2.0):
        raise AssertionError("a key was not answered")
    first = terminal.settle()
    return first - pressed, max(first, terminal.settle(_WHOLE)) - pressed
