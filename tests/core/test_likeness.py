"""Laws and pinned values of likeness: the near-duplicate figure and matches that fail only by typography."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core.likeness import fold, near_typography, similar


@given(st.text(), st.text())
def test_likeness_is_symmetric_and_bounded(a: str, b: str) -> None:
    assert similar(a, b) == pytest.approx(similar(b, a))
    assert 0 <= similar(a, b) <= 100
    assert similar(a, a) == 100


def test_likeness_forgets_case_signs_and_order() -> None:
    assert similar("Prefers dark mode, always!", "always: DARK mode (prefers)") == 100
    assert similar("Prefers dark mode", "Backups run on Sunday") < 60


def test_a_contradiction_is_as_alike_as_a_duplicate() -> None:
    """The reason why the figure alone never says that two entries are the same fact."""
    assert similar("Rate limit is 40 per minute", "Rate limit is 60 per minute") > 78


def test_likeness_of_signs_only() -> None:
    assert similar("***", "***") == 100
    assert similar("***", "---") == 0


@pytest.mark.parametrize(
    ("entry", "match"),
    [
        ("User’s editor is “Helix”", 'User\'s editor is "Helix"'),
        ("Works 9–17, Monday—Friday", "works 9-17, monday-friday"),
        ("Router\u00a0is\u202fAtlas", "Router is Atlas"),
        ("Line one\nline two", "Line one line two"),
        ("Uses soft\u00adhyphens\u200b", "softhyphens"),
        ("And so on…", "and so on..."),
        (unicodedata.normalize("NFD", "Lives in Zürich"), unicodedata.normalize("NFC", "in Zürich")),
    ],
)
def test_matches_that_fail_only_by_typography(entry: str, match: str) -> None:
    assert match not in entry
    assert near_typography(match, ["Prefers metric units", entry]) == (entry,)


def test_exact_matches_are_not_near_ones() -> None:
    assert near_typography("Helix", ["Uses Helix", "uses HELIX"]) == ("uses HELIX",)


def test_other_scripts_and_other_words_stay_different() -> None:
    assert near_typography("paypal", ["p\u0430ypal"]) == ()
    assert near_typography("tea", ["Likes coffee"]) == ()


@pytest.mark.parametrize("match", ["", "   ", "\u200b"])
def test_an_invisible_match_is_near_nothing(match: str) -> None:
    assert near_typography(match, ["Likes tea"]) == ()


@given(st.text())
def test_folding_is_stable(text: str) -> None:
    assert fold(fold(text)) == fold(text)
