"""Spot checks: which rows of a plan a person has to open before it may be applied.

Here: how many, and the draw. Not here: the other gates of approval (``review``), what was opened (the application knows
that), how the draw is recorded (``decisions``: the parts of drawn decisions say so).

The draw is random, from bytes that nobody who writes records can know or influence: whoever could tell which rows will
be opened would put the bad one among the others. It is kept while rows stay the same, so that nothing is gained by
asking again; rows that changed, or came in, are drawn from as if they were a plan of their own. Rows with a finding are
never left to the draw: each of them is opened.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from curator_tui.core.preflight import Preflight, State

SEED_BYTES = 32
"""How many random bytes a draw takes."""

RowKey = tuple[str, str]
"""A row of a plan: item id, and the digest of what the row does."""


class Drawn(Struct, frozen=True):
    """What was drawn so far for one plan.

    Attributes:
        rows: rows that were to be drawn.
        checks: rows that were drawn, in the order of the draws.
    """

    rows: frozenset[RowKey] = frozenset()
    checks: tuple[RowKey, ...] = ()

    def standing(self, rows: Mapping[str, str]) -> tuple[str, ...]:
        """Return the drawn items whose row is still the one that was drawn."""
        return tuple(name for name, digest in self.checks if rows.get(name) == digest)


def stands_out(found: Preflight) -> bool:
    """Whether a row has to be opened without being drawn: something in it is worth a look, though it stops nothing.

    A row that only closes writes nothing, so there is nothing in it to be found.
    """
    return bool(found.findings) and State.NO_CHANGE not in found.conditions


def spot_check_count(rows: int) -> int:
    """Return how many rows must be opened: 2 up to 20 rows, 3 up to 100, 5 beyond; at most all."""
    wanted = 2 if rows <= 20 else 3 if rows <= 100 else 5
    return min(wanted, rows)


def draw(rows: Mapping[str, str], opened: Collection[str], seed: bytes, before: Drawn | None = None) -> Drawn:
    """Draw the spot checks of a plan, or what is missing of them after it changed.

    Args:
        rows: the digest of what each row does, by item id.
        opened: items whose row, as it is, was opened already: they are never drawn.
        seed: :data:`SEED_BYTES` random bytes.
        before: what was drawn for this plan before.
    """
    before = before or Drawn()
    source = random.Random(seed)  # noqa: S311 - as unknown as its seed, which comes from the operating system
    standing = set(before.standing(rows))
    closed = [name for name in rows if name not in opened and name not in standing]
    fresh = [name for name, digest in rows.items() if (name, digest) not in before.rows]
    among_fresh = [name for name in closed if (name, rows[name]) not in before.rows]
    picked = _pick(source, among_fresh, spot_check_count(len(fresh)))
    missing = spot_check_count(len(rows)) - len(standing) - len(picked)
    picked += _pick(source, [name for name in closed if name not in set(picked)], missing)
    checks = (*before.checks, *((name, rows[name]) for name in picked))
    return Drawn(before.rows | set(rows.items()), checks)


def _pick(source: random.Random, names: Sequence[str], count: int) -> list[str]:
    return source.sample(names, max(min(count, len(names)), 0))
