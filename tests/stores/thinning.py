"""Thinning: how much of a long test runs on a database when ``CURATOR_TUI_SWEEP=thin`` says that time is short.

What is raced and killed on a home stays whole: that a change of a home is never half done rests on many steps of ours,
and in a database on one transaction.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
THIN = os.environ.get("CURATOR_TUI_SWEEP") == "thin"
_SHARE = 10
_STEP = 4


def rounds(kind: str, full: int) -> int:
    """Return how many of so many rounds are run on a kind of store."""
    return max(1, full // _SHARE) if THIN and kind != "hermes" else full


def some(kind: str, points: Sequence[T]) -> Sequence[T]:
    """Return the points that are hit on a kind of store; the first and the last are always among them."""
    return [*points[:-1:_STEP], points[-1]] if THIN and kind != "hermes" else points
