"""Group ``diffs``: the worst that hostile texts can do to the comparison a reviewer waits for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curator_tui.core.diffs import entry_diff, word_diff
from curator_tui.core.documents import Target
from curator_tui.core.losses import inside_only, lost_facts, shrinks_below_half
from curator_tui.core.word_diffs import MAX_COMPARED
from tests.bench import hostile
from tests.bench.rows import Row, Skipped, timed
from tests.bench.workplace import Workplace

USUAL = 2_200
LARGEST = 1 << 20
GOAL = 150.0


def measure(place: Workplace) -> Iterator[Row | Skipped]:
    """Measure every pair at four sizes, and documents of very many entries."""
    sizes = (USUAL,) if place.quick else (USUAL, MAX_COMPARED, MAX_COMPARED + 1, LARGEST)
    for size in sizes:
        found = [(_pair_cost(place, before, after), name) for name, before, after in hostile.pairs(size)]
        yield _worst(f"worst pair of {size:,} characters", found)
    size = USUAL if place.quick else LARGEST
    found = [(_entries_cost(place, before, after), name) for name, before, after in hostile.many_entries(size)]
    yield _worst(f"worst document of {size:,} characters", found)


def _worst(name: str, found: Sequence[tuple[tuple[float, str], str]]) -> Row:
    (seconds, part), case = max(found)
    return Row(name, seconds * 1e3, goal=GOAL, of_floor=False, note=f"{case} ({part}), of {len(found)}")


def _pair_cost(place: Workplace, before: str, after: str) -> tuple[float, str]:
    """Return the seconds of everything that is computed for one changed entry, and which part took most."""
    half = before[len(before) // 3 : len(before) // 2]
    parts = {
        "entries": lambda: entry_diff([before], [after], [(before, after)]),
        "words": lambda: word_diff(before, after),
        "losses": lambda: (
            lost_facts(before, half, [after], after),
            inside_only(before, half, after),
            shrinks_below_half(before, after),
        ),
    }
    # the least of a few runs: what is asked is how much work a text can make, not how busy the machine was
    costs = {part: min(timed(job) for _ in range(place.times(3))) for part, job in parts.items()}
    return sum(costs.values()), max(costs, key=lambda part: costs[part])


def _entries_cost(place: Workplace, before: Sequence[str], after: Sequence[str]) -> tuple[float, str]:
    seconds = min(timed(lambda: entry_diff(before, after)) for _ in range(place.times(3)))
    return seconds, str(Target.MEMORY)
