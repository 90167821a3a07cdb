"""Counting: a number and the form of its noun."""

from __future__ import annotations

import pytest

from curator_tui.core.counting import counted


@pytest.mark.parametrize(
    ("number", "noun", "many", "words"),
    [
        (1, "entry", "", "1 entry"),
        (0, "entry", "", "0 entries"),
        (2, "day", "", "2 days"),
        (3, "row", "", "3 rows"),
        (2, "question about an entry", "questions about entries", "2 questions about entries"),
        (1, "question about an entry", "questions about entries", "1 question about an entry"),
    ],
)
def test_a_noun_is_in_the_plural_unless_there_is_one(number: int, noun: str, many: str, words: str) -> None:
    assert counted(number, noun, many) == words
