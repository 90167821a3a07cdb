"""Counting: a number with its noun, said in one way everywhere.

Here: which form of a noun goes with a number. Not here: how the words are shown.
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
