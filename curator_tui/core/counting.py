"""Counting: a number with its noun, a place in a text, and a number as it is typed, each in one way everywhere.

Here: which form of a noun goes with a number, that a person counts characters from 1, and what counts as a number that
was typed. Not here: how the words are shown; offsets that programs read (``cli/JSON.md``), which count from 0.
"""

from __future__ import annotations

_DIGITS = 9


def number_typed(word: str) -> int | None:
    """Return the number that a typed word is; None for any other word, and for one longer than anything is counted.

    Python refuses to read a number of some thousand digits, so that no other code turns typed text into one.
    """
    return int(word) if word.isascii() and word.isdecimal() and len(word) <= _DIGITS else None


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
