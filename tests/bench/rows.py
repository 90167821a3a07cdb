"""Figures and how they are taken: one row per figure, interleaved timing, medians.

Here: the row, the table, the arithmetic. Not here: what is measured (one module per group), floors (``floors``).
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Unit = Literal["ms", "s", "MB"]
_FACTORS = {"ms": 1e3, "s": 1.0, "MB": 1.0}


@dataclass(frozen=True, slots=True)
class Row:
    """One figure.

    Attributes:
        name: what was measured.
        ours: our figure, in ``unit``.
        floor: what cannot be undercut, measured in the same run; None where there is no such thing.
        goal: the most that ``ours`` (or, with ``of_floor``, the ratio) may be; None for figures that are only reported.
        of_floor: whether the goal is a ratio.
        unit: unit of ``ours`` and ``floor``.
        note: what else should be known, in a few words.
        spread: half of the middle half of our samples as a share of their median; how noisy the figure is.
    """

    name: str
    ours: float
    floor: float | None = None
    goal: float | None = None
    of_floor: bool = True
    unit: Unit = "ms"
    note: str = ""
    spread: float | None = None

    @property
    def ratio(self) -> float | None:
        """Ours divided by the floor."""
        return self.ours / self.floor if self.floor else None

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None without a goal."""
        if self.goal is None:
            return None
        value = self.ratio if self.of_floor else self.ours
        return value is not None and value <= self.goal

    def as_json(self, group: str) -> dict[str, Any]:
        """Return the row for ``--json``."""
        return {
            "group": group,
            "name": self.name,
            "unit": self.unit,
            "floor": self.floor,
            "ours": self.ours,
            "ratio": self.ratio,
            "goal": self.goal,
            "goal_is_ratio": self.of_floor,
            "met": self.met,
            "spread": self.spread,
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class Skipped:
    """A figure that could not be taken here, and why; said loudly, never left out."""

    name: str
    why: str

    def as_json(self, group: str) -> dict[str, Any]:
        """Return the line for ``--json``."""
        return {"group": group, "name": self.name, "skipped": self.why}


@dataclass(slots=True)
class Samples:
    """Seconds (or megabytes) of one thing, measured several times."""

    values: list[float] = field(default_factory=list)

    def add(self, value: float) -> None:
        """Take one more sample."""
        self.values.append(value)

    def median(self, unit: Unit = "ms") -> float:
        """Return the median in a unit."""
        return statistics.median(self.values) * _FACTORS[unit]

    def percentile(self, part: float, unit: Unit = "ms") -> float:
        """Return the value that a part of all samples does not exceed."""
        ordered = sorted(self.values)
        return ordered[min(len(ordered) - 1, round(part * (len(ordered) - 1)))] * _FACTORS[unit]

    @property
    def spread(self) -> float | None:
        """How far the middle half of the samples reaches from the median, as a share of it."""
        if len(self.values) < 4 or not (middle := statistics.median(self.values)):
            return None
        low, _, high = statistics.quantiles(self.values, n=4)
        return (high - low) / 2 / middle


def timed(job: Callable[[], object]) -> float:
    """Return the seconds a job takes."""
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def interleaved(times: int, *sources: Callable[[], float]) -> list[Samples]:
    """Take samples from several sources in turn, in changing order, so that a busy moment hits all of them alike."""
    found = [Samples() for _ in sources]
    order = list(range(len(sources)))
    for _ in range(times):
        for index in order:
            found[index].add(sources[index]())
        order.reverse()
    return found


def compared(
    name: str, floor: Samples, ours: Samples, goal: float | None = None, *, unit: Unit = "ms", note: str = ""
) -> Row:
    """Return the row of two sets of samples, the goal being a ratio."""
    return Row(name, ours.median(unit), floor.median(unit), goal, unit=unit, note=note, spread=ours.spread)


_HEAD = ("figure", "floor", "ours", "ratio", "goal", "met", "+/-", "note")


def table(lines: Sequence[Row | Skipped]) -> list[str]:
    """Return the rows of one group as lines of text."""
    cells = [_cells(line) for line in lines if isinstance(line, Row)]
    widths = [max(len(row[column]) for row in [_HEAD, *cells]) for column in range(len(_HEAD) - 1)]
    out = [_aligned(_HEAD, widths), *(_aligned(row, widths) for row in cells)]
    out += [f"SKIPPED  {line.name}: {line.why}" for line in lines if isinstance(line, Skipped)]
    return out


def _cells(row: Row) -> tuple[str, ...]:
    goal = ""
    if row.goal is not None:
        goal = f"<= {row.goal:g} x" if row.of_floor else f"<= {row.goal:g} {row.unit}"
    return (
        row.name,
        _number(row.floor, row.unit),
        _number(row.ours, row.unit),
        "" if row.ratio is None else f"{row.ratio:.2f} x",
        goal,
        {None: "", True: "yes", False: "NO"}[row.met],
        "" if row.spread is None else f"{row.spread:.0%}",
        row.note,
    )


def _number(value: float | None, unit: Unit) -> str:
    if value is None:
        return ""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:.{digits}f} {unit}"


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    figures = [cell.rjust(width) for cell, width in zip(cells[1:-1], widths[1:], strict=True)]
    return "  ".join([cells[0].ljust(widths[0]), *figures, cells[-1]]).rstrip()
