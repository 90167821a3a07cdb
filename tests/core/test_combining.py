"""Combining two texts made from one: what only one side changed is taken, and no new word of either side is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core.combining import combined

BASE = "Release date is 7 March"
_texts = st.lists(st.sampled_from(["tea", "rice", "7", "March", "is", "date", ",", "in", "May"]), max_size=8).map(
    " ".join
)


@pytest.mark.parametrize(
    ("base", "now", "proposed", "text"),
    [
        (BASE, f"{BASE}, code freeze on the 4th", "Release date moved to 14 March",
         "Release date moved to 14 March, code freeze on the 4th"),
        ("Uses zsh and tmux", "Uses fish and tmux", "Uses zsh and screen", "Uses fish and screen"),
        ("Likes tea", "Likes green tea", "Likes tea with milk", "Likes green tea with milk"),
    ],
)  # fmt: skip
def test_changes_of_other_words_are_both_there(base: str, now: str, proposed: str, text: str) -> None:
    assert combined(base, now, proposed) == (text, True)


def test_where_both_changed_the_same_words_both_wordings_stand_and_it_is_told() -> None:
    draft = combined("Home city: Porto", "Home city: Lisbon", "Home city: Braga")
    assert not draft.clean
    assert "Lisbon" in draft.text
    assert "Braga" in draft.text
    assert "Porto" not in draft.text


@given(_texts, _texts)
def test_a_side_without_a_change_gives_the_other(base: str, other: str) -> None:
    assert combined(base, base, other) == (other, True)
    assert combined(base, other, base) == (other, True)
    assert combined(base, other, other) == (other, True)


@given(_texts, _texts, _texts)
def test_no_word_that_came_on_either_side_is_lost(base: str, now: str, proposed: str) -> None:
    came = (set(now.split()) | set(proposed.split())) - set(base.split())
    assert came <= set(combined(base, now, proposed).text.split())
