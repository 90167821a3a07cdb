"""Counting: a number and the form of its noun."""

from __future__ import annotations

import pytest

from curator_tui.core.counting import characters_at, counted, number_typed


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


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [(0, 1, "character 1"), (4, 4, "character 5"), (0, 3, "characters 1 to 3"), (9, 11, "characters 10 to 11")],
)
def test_a_person_counts_characters_from_one(start: int, end: int, words: str) -> None:
    assert characters_at(start, end) == words


@pytest.mark.parametrize(
    ("word", "number"),
    [("7", 7), ("007", 7), ("0", 0), ("999999999", 999_999_999), ("1000000000", None), ("1" * 5_000, None), ("", None),
     ("-1", None), ("+1", None), ("1_0", None), (" 1", None), ("٣", None), ("²", None), ("1.0", None)],
)  # fmt: skip
def test_what_counts_as_a_typed_number(word: str, number: int | None) -> None:
    assert number_typed(word) == number
