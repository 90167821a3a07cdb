"""Group ``diffs``: the worst that hostile texts can do to the comparison a reviewer waits for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curator_tui.core.diffs import entry_diff
from curator_tui.core.documents import Target, parse, render
from curator_tui.core.losses import inside_only, lost_facts, shrinks_below_half
from curator_tui.core.operations import Action, Operation
from curator_tui.core.preflight import Snapshot, findings_of, preflight
from curator_tui.core.proposals import Proposal
from curator_tui.core.word_diffs import MAX_COMPARED, word_diff
from tests.bench import hostile
from tests.bench.rows import Row, Skipped, timed
from tests.bench.workplace import Workplace

USUAL = 2_200
LARGEST = 1 << 20
GOAL = 150.0


def measure(place: Workplace) -> Iterator[Row | Skipped]:
    """Measure every pair at four sizes, and documents of very many entries."""
    sizes = (USUAL,) if place.quick else (USUAL, MAX_COMPARED, LARGEST)
    for size in sizes:
        found = [(_pair_cost(place, before, after), name) for name, before, after in hostile.pairs(size)]
        yield _worst(f"worst pair of {size:,} characters", found)
    for size in sizes:
        found = [(_look_cost(place, before, after), name) for name, before, after in hostile.pairs(size)]
        yield _worst(f"worst preflight of {size:,} characters", found, goal=None)
    for size in (USUAL,) if place.quick else (10 * USUAL, LARGEST):
        found = [(_entries_cost(place, before, after), name) for name, before, after in hostile.many_entries(size)]
        yield _worst(f"worst document of {size:,} characters", found, goal=None)


def _worst(name: str, found: Sequence[tuple[tuple[float, str], str]], goal: float | None = GOAL) -> Row:
    (seconds, part), case = max(found)
    return Row(name, seconds * 1e3, goal=goal, of_floor=False, note=f"{case} ({part}), of {len(found)}")


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


def _look_cost(place: Workplace, before: str, after: str) -> tuple[float, str]:
    """Return the seconds of judging a record that wants ``after`` in place of an entry made of ``before``."""
    document = parse(Target.MEMORY, render([before[:USUAL], "another entry"]))
    entry = document.entries[0]
    swap = Operation(Action.REPLACE, Target.MEMORY, entry[100:150], after.strip(), entry)
    snapshot = Snapshot({Target.MEMORY: document})

    def judge() -> None:
        findings_of.cache_clear()
        preflight(Proposal("hostile", "digest", (swap,)), snapshot)

    return min(timed(judge) for _ in range(place.times(2))), "preflight with a cold scan"


def _entries_cost(place: Workplace, before: Sequence[str], after: Sequence[str]) -> tuple[float, str]:
    """Return the seconds of comparing two documents of very many entries."""
    seconds = min(timed(lambda: entry_diff(before, after)) for _ in range(place.times(3)))
    return seconds, f"{len(before):,} entries"
