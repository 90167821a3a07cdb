"""Splitting: no word is lost, nothing is cut that belongs together, the parts stand where the whole stood."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core.corrections import corrected
from curator_tui.core.splitting import Way, split_correction, splits
from tests.worlds import MEMORY, joined, snapshot

BY_HAND = "## Home\n- Bins: Tuesday evening\n\n## Machines\n- Atlas is the NAS\n- Borealis is retired"
_LINES = st.sampled_from(
    ["# Notes", "## Home", "- one", "- two", "  - inner", "  goes on", "plain", "", "```", "1. first", "* star", "§x"]
)


def parts(text: str) -> dict[str, tuple[str, ...]]:
    """Return the parts of each way."""
    return {str(one.way): one.parts for one in splits(text)}


def words(text: str) -> list[str]:
    """Return the words of a text without list marks."""
    return re.findall(r"[a-zA-Z§]+", text)


def test_a_block_of_headings_and_lists_is_split_at_either() -> None:
    assert parts(BY_HAND) == {
        "headings": ("## Home\n- Bins: Tuesday evening", "## Machines\n- Atlas is the NAS\n- Borealis is retired"),
        "list items": ("Home: Bins: Tuesday evening", "Machines: Atlas is the NAS", "Machines: Borealis is retired"),
    }


@pytest.mark.parametrize(
    ("text", "way", "wanted"),
    [
        ("One fact.\n\nAnother fact.", Way.BLANKS, ("One fact.", "Another fact.")),
        ("a: 1\nb: 2", Way.LINES, ("a: 1", "b: 2")),
        ("- a\n  more of a\n- b\n  - inner\n- c", Way.ITEMS, ("a\n  more of a", "b\n  - inner", "c")),
        ("# All\n## Home\nx\n## Work\ny", Way.HEADINGS, ("# All\n## Home\nx", "## Work\ny")),
        ("- a\n- ```\n- no item\n\n# no heading\n```\n- b", Way.ITEMS,
         ("a", "```\n- no item\n\n# no heading\n```", "b")),
        ("# Empty\n# Full\n- x\n- y", Way.ITEMS, ("Empty", "Full: x", "Full: y")),
        ("intro\n1. one\n2. two", Way.ITEMS, ("intro", "one", "two")),
    ],
)  # fmt: skip
def test_what_belongs_together_is_not_cut(text: str, way: Way, wanted: tuple[str, ...]) -> None:
    assert parts(text)[str(way)] == wanted


@pytest.mark.parametrize("text", ["One fact.", "", "# Only a heading", "- one item", "```\na\n\nb\n```", "x" * 30_000])
def test_a_single_fact_is_not_split(text: str) -> None:
    assert splits(text) == ()


@given(st.lists(_LINES, max_size=12))
def test_no_word_is_lost_and_their_order_stays(lines: list[str]) -> None:
    """Headings may come again before each of their items; a part that repeats another counts once."""
    text = "\n".join(lines)
    for one in splits(text):
        assert len(one.parts) > 1
        assert all(part == part.strip() and part for part in one.parts)
        assert set(words(text)) == set(words("\n".join(one.parts)))
        if one.way is not Way.ITEMS and len(set(lines)) == len(lines):
            assert words(text) == words("\n".join(one.parts))


def test_the_parts_stand_where_the_whole_stood_as_one_change() -> None:
    found = snapshot(joined("first", BY_HAND, "last"))
    for one in splits(BY_HAND):
        done = corrected(found, split_correction(found.document(MEMORY).entries, MEMORY, BY_HAND, one.parts))
        assert done.found.outcome[MEMORY].after == ("first", *one.parts, "last")


def test_a_part_that_stands_there_already_is_not_written_twice() -> None:
    found = snapshot(joined("a: 1\nb: 2", "b: 2"))
    entries = found.document(MEMORY).entries
    done = corrected(found, split_correction(entries, MEMORY, "a: 1\nb: 2", ("a: 1", "b: 2")))
    assert done.found.outcome[MEMORY].after == ("a: 1", "b: 2")
    both = snapshot(joined("a: 1\nb: 2", "b: 2", "a: 1"))
    entries = both.document(MEMORY).entries
    done = corrected(both, split_correction(entries, MEMORY, "a: 1\nb: 2", ("a: 1", "b: 2")))
    assert done.found.outcome[MEMORY].after == ("b: 2", "a: 1")
