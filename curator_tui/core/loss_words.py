"""Loss words: how the facts that a replace would drop are counted and named in a message.

Here: the words. Not here: which facts are lost (``losses``), lists of all of them (the surfaces).
"""

from __future__ import annotations

from collections.abc import Sequence

from curator_tui.core.counting import counted
from curator_tui.core.text import one_line

_NAMED = 2
_WIDTH = 60
_JOINS = ";:,. "  # what joined a fact to the next one


def lost_words(lost: Sequence[str]) -> str:
    """Say that facts would be lost, and how many, where they are listed beside it."""
    return f"{counted(len(lost), 'fact')} standing in the same entry would be lost"


def lost_named(lost: Sequence[str]) -> str:
    """Name the first facts, each as shown text on one line, and how many more there are."""
    names = [f"'{one_line(one.strip().rstrip(_JOINS) or one, _WIDTH)}'" for one in lost[:_NAMED]]
    more = f" and {len(lost) - _NAMED} more" if len(lost) > _NAMED else ""
    return ", ".join(names) + more
