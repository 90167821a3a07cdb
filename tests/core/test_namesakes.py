"""Names that a person reads as one are found, and those of two people are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core.namesakes import likeness, namesakes

ONE = (
    "ana", "Ana", " ana ", "a na", "ana\u00a0", "\u0430na", "an\u03b1", "a\u200bna", "\uff41\uff4e\uff41", "a\u00adna",
)  # fmt: skip


@pytest.mark.parametrize("name", ONE)
def test_what_is_read_as_one_is_found(name: str) -> None:
    assert likeness(name) == likeness("ana")


@pytest.mark.parametrize(
    ("one", "other"),
    [("Alice", "A1ice"), ("Alice", "AIice"), ("bob", "b0b"), ("rnary", "mary"), ("a-b", "a_b"), ("a-b", "a\u2013b")],
)
def test_signs_that_look_alike_are_one(one: str, other: str) -> None:
    assert likeness(one) == likeness(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ana", "anna"),
        ("jose", "jos\u00e9"),
        ("\u0438\u0432\u0430\u043d", "\u0438\u0432\u0430"),
        ("a.b", "ab"),
        ("u1", "u2"),
    ],
)
def test_others_are_not(one: str, other: str) -> None:
    assert likeness(one) != likeness(other)


def test_groups_name_everybody_once() -> None:
    assert namesakes(["bob", "ana", "Ana", "ana", "eve", "\u0430na"]) == [("Ana", "ana", "\u0430na")]
    assert namesakes([]) == []


@given(st.text(max_size=40))
def test_every_name_is_like_itself_in_any_case_and_with_any_blanks(name: str) -> None:
    assert likeness(name) == likeness(f" {name}\t")
