"""Counting: a number with its noun, and a place in a text, each said in one way everywhere.

Here: which form of a noun goes with a number, and that a person counts characters from 1. Not here: how the words are
shown; offsets that programs read (``cli/JSON.md``), which count from 0.
"""

from __future__ import annotations


def counted(number: int, noun: str, many: str = "") -> str:
    """Return a number with its noun, in the plural unless it is one.

    Args:
        number: how many there are.
        noun: the word for one.
        many: the word for several, where it is not ``noun`` with an s, or with ies for a y.
    """
    if number == 1:
        return f"{number} {noun}"
    if not many:
        many = f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"
    return f"{number} {many}"


def characters_at(start: int, end: int) -> str:
    """Say which characters of a text are meant, as a person counts them: code points, the first is 1.

    Args:
        start: offset of the first one, from 0.
        end: offset behind the last one; not behind ``start`` where a place between two characters is meant.
    """
    return f"character {start + 1}" if end <= start + 1 else f"characters {start + 1} to {end}"
