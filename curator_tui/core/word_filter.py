"""Word filters: whether a row of a short list is meant by the words a person typed.

Here: the plain filter, words and ``!words``. Not here: filters with fields of their own (``curator.queries``,
``ledger_filters``, ``learned``).
"""

from __future__ import annotations

from collections.abc import Iterable

from curator_tui.core.text import visible


def meant(words: str, texts: Iterable[str]) -> bool:
    """Whether every word stands in one of the texts, and none that begins with ``!`` does.

    Letter case does not count, and hidden characters are looked for as they are displayed.
    """
    whole = visible("\n".join(texts)).casefold()
    return all(_holds(word, whole) for word in visible(words, newlines=False).casefold().split())


def _holds(word: str, whole: str) -> bool:
    return word[1:] not in whole if word.startswith("!") and len(word) > 1 else word in whole
