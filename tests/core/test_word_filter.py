"""Word filters: every word, no word that is not wanted, hidden characters as they are displayed."""

from __future__ import annotations

import pytest

from curator_tui.core.word_filter import meant

TEXTS = ("deploy-Shop", "SKILL.md", "a\u202eb")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("", True),
        ("shop", True),
        ("shop skill", True),
        ("shop bread", False),
        ("!bread", True),
        ("shop !skill", False),
        ("!", False),
        ("u+202e", True),
        ("\u202e", True),
        ("\u200b", False),
    ],
)
def test_a_row_is_meant_by_all_words_and_by_none_that_is_not_wanted(words: str, found: bool) -> None:
    assert meant(words, TEXTS) is found


def test_a_word_stands_in_one_text_and_never_across_two() -> None:
    assert not meant("ab", ("a", "b"))
