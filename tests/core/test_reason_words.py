"""Menus of reasons: every code has its own words, and what two menus mean alike they say alike."""

from __future__ import annotations

from itertools import combinations

import pytest

from curator_tui.core.reason_words import DISPUTING, PASSING, REJECTING, code_meant, reason_word
from curator_tui.core.requests import ChallengeCode, OverrideCode, ReasonCode

MENUS = {"rejecting": REJECTING, "disputing": DISPUTING, "passing": PASSING}


def test_every_code_has_words_but_the_one_that_says_nothing_on_a_screen() -> None:
    assert set(REJECTING) == set(ReasonCode) - {ReasonCode.REQUEST}
    assert set(DISPUTING) == set(ChallengeCode)
    assert set(PASSING) == set(OverrideCode)


@pytest.mark.parametrize("name", sorted(MENUS))
def test_no_two_choices_of_a_menu_begin_alike(name: str) -> None:
    for one, other in combinations(MENUS[name].values(), 2):
        assert one[:12] != other[:12], (one, other)


def test_the_same_reason_is_one_word_in_both_menus_and_means_the_same() -> None:
    rejecting = {reason_word(code): words for code, words in REJECTING.items()}
    disputing = {reason_word(code): words for code, words in DISPUTING.items()}
    assert rejecting.keys() & disputing.keys() == {"wrong", "outdated", "sensitive", "other"}
    for word in rejecting.keys() & disputing.keys():
        assert rejecting[word] == disputing[word]


def test_a_word_and_its_code_mean_the_same_code() -> None:
    for codes in (ReasonCode, ChallengeCode, OverrideCode):
        for code in codes:
            assert code_meant(str(code), codes) == code_meant(reason_word(code), codes) == code
    assert code_meant("outdated", ReasonCode) == ReasonCode.STALE
    assert code_meant("sensitive", ChallengeCode) == ChallengeCode.PRIVATE
    assert code_meant("private", ReasonCode) is None


@pytest.mark.parametrize("name", sorted(MENUS))
def test_a_choice_stays_on_one_line_of_a_narrow_window(name: str) -> None:
    assert max(len(words) for words in MENUS[name].values()) <= 57
