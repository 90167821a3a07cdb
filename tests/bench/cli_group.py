"""Group ``cli``: whole processes of the command line against an interpreter that does nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial

from tests.bench.rows import Row, Skipped, compared, interleaved, timed
from tests.bench.workplace import Workplace

START = "import sys; from curator_tui.__main__ import main; sys.exit(main(sys.argv[1:]))"
"""What the installed command does; ``-m`` would add the search of a module to every start."""


def measure(place: Workplace) -> Iterator[Row | Skipped]:
    """Measure help, status and the list of what waits."""
    few, many = str(place.home(place.few)), str(place.home(place.many))
    lines = {
        "--version": ["--version"],
        "--help": ["--help"],
        f"status, {place.few} waiting": ["--home", few, "status"],
        f"status, {place.many:,} waiting": ["--home", many, "status"],
        f"status --line, {place.few} waiting": ["--home", few, "status", "--line"],
        f"status --line, {place.many:,} waiting": ["--home", many, "status", "--line"],
        f"pending --json, {place.few} waiting": ["--home", few, "pending", "--json"],
        f"pending --json, {place.many:,} waiting": ["--home", many, "pending", "--json"],
    }
    nothing = partial(run_once, place, ["-c", "pass"])
    for name, words in lines.items():
        ours = partial(run_once, place, ["-c", START, *words])
        ours()
        repeats = 5 if f"{place.many:,}" in name else 15
        floor, found = interleaved(place.times(repeats), nothing, ours)
        yield compared(f"curator-tui {name}", floor, found, note="floor: python -c pass" if name == "--version" else "")


def run_once(place: Workplace, words: list[str]) -> float:
    """Run the interpreter once and return the seconds.

    Raises:
        CalledProcessError: it failed, so there is nothing to be measured.
    """
    environment = place.environment()

    def job() -> None:
        subprocess.run(
            [sys.executable, *words], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True
        )

    return timed(job)
