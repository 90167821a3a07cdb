"""Regular expressions that are compiled at their first use.

Wide character classes cost a start milliseconds each, and most starts need few of them. Here: that one step. Not here:
any pattern.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub")


class _Late:
    """Stands for a pattern; the first call compiles it, later ones go straight to the compiled one."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self.flags = flags

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self.flags)
        # two threads may both get here: each stores the same
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


@cache
def late(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return what behaves as ``re.compile(pattern, flags)`` when it is searched with, and compiles it then.

    The same pattern is compiled once, so one that is data may be asked for by name each time. A pattern that is wrong
    fails at its first use, not here.
    """
    return cast("re.Pattern[str]", _Late(pattern, flags))
