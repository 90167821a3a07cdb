"""Text on its way to the screen: filtered, cut between characters, wrapped without losing any."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from curator_tui.core.text import visible
from curator_tui.tui.shown import (
    Piece,
    Shown,
    fit,
    highlighted,
    message,
    own,
    padded,
    say,
    shown,
    shown_line,
    spread,
    width_of,
    words_of,
    wrap,
)  # fmt: skip

texts = st.text(max_size=60)


@given(texts, st.integers(2, 40))
def test_wrapping_keeps_every_character_and_every_width(text: str, width: int) -> None:
    rows = wrap((Piece(shown(text), "new"),), width)
    joined = "".join(piece.text for row in rows for piece in row)
    assert joined.replace(" ", "") == visible(text).replace("\n", "").replace(" ", "")
    for row in rows:
        assert width_of(row) <= width or len("".join(piece.text for piece in row)) <= 8


@given(texts, st.integers(0, 40))
def test_a_cut_line_never_is_too_wide(text: str, width: int) -> None:
    assert width_of(fit((Piece(shown_line(text)),), width)) <= width
    assert width_of(padded((Piece(shown_line(text)),), width)) == width


@given(texts)
def test_a_message_is_filtered_once_however_often_it_passes(text: str) -> None:
    once = message(text)
    assert message(once) == once
    assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for char in once)


def test_wide_characters_are_never_split() -> None:
    cut = fit((Piece(shown_line("日本語で👨‍👩‍👧")),), 8)
    assert "".join(piece.text for piece in cut) == "日本語…"
    assert cell_len("".join(piece.text for piece in cut)) == 7


def test_longer_white_space_is_not_swallowed() -> None:
    rows = wrap((own("ab   cd"),), 3)
    assert "".join(piece.text for row in rows for piece in row) == "ab   cd"


def test_hidden_characters_stand_out() -> None:
    pieces = highlighted(shown("a\u200bb"), "new")
    assert [piece.role for piece in pieces] == ["new", "token", "new"]


@pytest.mark.parametrize("template", ["{}", "plain [/b] {{x}}"])
def test_own_words_are_filled_or_left(template: str) -> None:
    assert say(template, 1) in {"1", "plain [/b] {x}"}


def test_the_right_end_gives_way_first_unless_it_is_kept() -> None:
    left, right = (own("left words"),), (own("right"),)
    assert "right" not in "".join(piece.text for piece in spread(left, right, 12))
    kept = spread(left, right, 14, keep_right=True)
    assert "".join(piece.text for piece in kept).endswith("right")
    assert Shown("x") == "x"


def test_words_that_stand_apart_go_whole_before_a_sign_is_cut() -> None:
    left = (own("[###] 97%"), own("  nearly full"))
    assert words_of(spread(left, (own("after: 98%"),), 24, keep_right=True)) == "[###] 97%     after: 98%"
    assert words_of(spread(left, (own("after: 98%"),), 34, keep_right=True)) == "[###] 97%  nearly full  after: 98%"
