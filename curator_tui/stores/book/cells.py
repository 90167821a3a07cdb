"""Cells: values as they come out of our tables, checked, because a file on a disk may hold anything.

Here: telling a value of the kind we write from any other. Not here: which column holds what (``reading``).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from curator_tui.core.errors import Unreadable
from curator_tui.core.text import visible

P = ParamSpec("P")
R = TypeVar("R")


def text(value: Any) -> str:
    """Return a value that must be a text."""
    if not isinstance(value, str):
        raise TypeError
    return value


def text_or_none(value: Any) -> str | None:
    """Return a value that must be a text or missing."""
    return None if value is None else text(value)


def whole(value: Any) -> int:
    """Return a value that must be a whole number."""
    if not isinstance(value, int):
        raise TypeError
    return value


def number(value: Any) -> float:
    """Return a value that must be a finite number."""
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError
    return float(value)


def raw(value: Any) -> bytes:
    """Return a stored text as bytes. Another kind of value is another text, which its commitment gives away."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


def raw_or_none(value: Any) -> bytes | None:
    """Return a stored text as bytes, or None for none."""
    return None if value is None else raw(value)


def as_written(read: Callable[P, R]) -> Callable[P, R]:
    """Let a reading method answer with an error of the tree where the book holds what this program never writes."""

    @functools.wraps(read)
    def guarded(*args: P.args, **more: P.kwargs) -> R:
        try:
            return read(*args, **more)
        except (TypeError, ValueError, LookupError, AttributeError, OverflowError, RecursionError) as error:
            book: Any = args[0]
            raise Unreadable(
                f"{visible(book.db.path)} is damaged: it holds what this program never writes.",
                way_out="See what is wrong with: curator-tui doctor",
            ) from error

    return guarded
