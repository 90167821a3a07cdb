"""Menus of reasons: every code has its own words, and what two menus mean alike they say alike."""

from __future__ import annotations

from itertools import combinations

import pytest

from curator_tui.core.reason_words import DISPUTING, PASSING, REJECTING
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


def test_the_same_reason_names_its_other_word() -> None:
    pairs = ((ReasonCode.STALE, ChallengeCode.OUTDATED), (ReasonCode.SENSITIVE, ChallengeCode.PRIVATE))
    for rejecting, disputing in pairs:
        assert disputing in REJECTING[rejecting]
        assert rejecting in DISPUTING[disputing]
        assert REJECTING[rejecting].partition(": ")[2] == DISPUTING[disputing].partition(": ")[2] != ""


@pytest.mark.parametrize("name", sorted(MENUS))
def test_a_choice_stays_on_one_line_of_a_narrow_window(name: str) -> None:
    assert max(len(words) for words in MENUS[name].values()) <= 57
