"""Statements: from the form in which the book writes them to the one that the driver of a server takes.

Here: parameters, several rows in one INSERT, values that no server can hold. Not here: sending them (``server``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

_PARAMETER = re.compile(r":([a-z_]\w*)")
# The one row of values of an INSERT; a row that asks something itself is none.
_VALUES = re.compile(r"\bVALUES\s*(\((?:\s*:\w+\s*,?)+\))", re.ASCII)
_ROWS = 50  # rows of one INSERT


@lru_cache(maxsize=512)
def driven(statement: str) -> bytes:
    """Return a statement in the form of the driver; bytes, because its own type asks for a literal."""
    return _PARAMETER.sub(r"%(\1)s", statement.replace("%", "%%")).encode()


def storable(values: Mapping[str, Any]) -> bool:
    """Whether a server can hold these values at all; what it cannot hold, it does not find either."""
    return not any(
        isinstance(value, str) and ("\0" in value or (not value.isascii() and _has_half_a_pair(value)))
        for value in values.values()
    )


def _has_half_a_pair(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text)


def together(statement: str, values: Sequence[Mapping[str, Any]]) -> Iterator[tuple[bytes, Mapping[str, Any]]]:
    """Yield what runs a statement for every set of values: an INSERT some rows at a time, anything else one by one."""
    if len(values) == 1 or _VALUES.search(statement) is None:
        yield from ((driven(statement), one) for one in values)
        return
    for begin in range(0, len(values), _ROWS):
        some = values[begin : begin + _ROWS]
        named = {f"{name}_{place}": value for place, one in enumerate(some) for name, value in one.items()}
        yield driven(_rows_of(statement, len(some))), named


@lru_cache(maxsize=256)
def _rows_of(statement: str, count: int) -> str:
    """Return an INSERT of one row as one of several; the names of its values are numbered."""
    found = _VALUES.search(statement)
    assert found is not None
    rows = ", ".join(_PARAMETER.sub(rf":\1_{place}", found[1]) for place in range(count))
    return statement[: found.start(1)] + rows + statement[found.end(1) :]
