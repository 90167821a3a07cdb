"""Word filters: whether a row of a short list is meant by the words a person typed.

Here: the plain filter, words and ``!words`` or ``-words``. Not here: filters with fields of their own
(``curator.queries``, ``ledger_filters``, ``learned``).
"""

from __future__ import annotations

from collections.abc import Iterable

from curator_tui.core.text import visible

NAMING = 4
"""Characters of an id from which a word means it: fewer stand in too many ids, which no list shows."""


def turned(word: str) -> tuple[str, bool]:
    """Return a word of any filter without the sign that turns it around, and whether it has one.

    The sign is ``!`` or a dash, in every filter; a sign that stands alone or before another sign is part of the word.
    """
    if word[:1] in {"!", "-"} and word[1:2] not in {"", "!", "-"}:
        return word[1:], True
    return word, False


def meant(words: str, texts: Iterable[str], name: str = "") -> bool:
    """Whether every word stands in one of the texts, and none that is turned around does.

    In an id, the name, a word is looked for that has :data:`NAMING` characters.

    Letter case does not count, and hidden characters are looked for as they are displayed.
    """
    whole = visible("\n".join(texts)).casefold()
    named = name.casefold()
    return all(_holds(word, whole, named) for word in visible(words, newlines=False).casefold().split())


def _holds(word: str, whole: str, name: str) -> bool:
    plain, negated = turned(word)
    return (plain in whole or (len(plain) >= NAMING and plain in name)) != negated
