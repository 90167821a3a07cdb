"""How lost facts are named in a message: the first ones, each whole, and how many more."""

from __future__ import annotations

import pytest

from curator_tui.core.loss_words import lost_named, lost_words


@pytest.mark.parametrize(
    ("lost", "named", "counted"),
    [
        (["House rules:;"], "'House rules'", "1 fact standing"),
        (["one;", " two,"], "'one', 'two'", "2 facts standing"),
        (["one", "two", "three"], "'one', 'two' and 1 more", "3 facts standing"),
        ([";"], "';'", "1 fact standing"),
        (["a\x1b[2Jb"], "'a\u27e8ESC\u27e9[2Jb'", "1 fact standing"),
    ],
)
def test_the_first_facts_are_named_without_what_joined_them(lost: list[str], named: str, counted: str) -> None:
    assert lost_named(lost) == named
    assert lost_words(lost).startswith(counted)
