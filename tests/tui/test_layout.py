"""Laying out: rows known little by little are the rows of the whole page, and no line is made before it is needed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_tui.tui.layout import Layout, rows_needed
from curator_tui.tui.page_lines import Page, PageLine
from curator_tui.tui.shown import own, shown, words_of

WORDS = st.text(st.sampled_from("ab 漢é\u0301-⟨"), max_size=60)
LINES = st.lists(st.builds(lambda text, cut, change: (text, cut, change), WORDS, st.booleans(), st.none() | st.just(0)))


def page_of(lines: list[tuple[str, bool, int | None]]) -> Page:
    body = [PageLine((own("{}", shown(text)),), (own("- "),), change, cut=cut) for text, cut, change in lines]
    return Page("", "", tuple(body))


@given(LINES, st.integers(1, 30))
def test_a_row_is_the_same_however_far_the_page_was_laid_out(
    lines: list[tuple[str, bool, int | None]], width: int
) -> None:
    page = page_of(lines)
    whole, slow = Layout(page, width), Layout(page, width)
    assert whole.advance()
    rows = [whole.row(at) for at in range(len(whole))]
    assert [row.part[0] for row in rows] == sorted(row.part[0] for row in rows)
    met = []
    while not slow.complete:
        before = len(slow)
        slow.advance(0.0)  # a line at a time
        met += [slow.row(at) for at in range(before, len(slow))]
    assert met == rows
    assert rows_needed(page, width) == len(rows)
    for number in range(len(lines)):
        first = whole.first(number)
        assert first is not None
        assert rows[first].part[:2] == (number, 0)
        of = rows[first].part[2]
        assert [row.part for row in rows[first : first + of]] == [(number, part, of) for part in range(of)]


def test_only_as_many_lines_are_worked_out_as_are_asked_for() -> None:
    page = page_of([("some words", False, None)] * 1000)
    layout = Layout(page, 20)
    layout.advance(line=10)
    assert len(layout) == 11
    assert layout.first(11) is None
    assert layout.first(-1) is None
    assert not layout.complete


def test_without_columns_there_are_no_rows() -> None:
    layout = Layout(page_of([("words", False, 0)]), 0)
    assert layout.advance()
    assert len(layout) == 0


@pytest.mark.parametrize("more", [False, True])
def test_a_line_that_stands_for_more_is_never_whole(more: bool) -> None:
    page = Page("", "", (PageLine((own("the rest is left out"),), change=0, more=more),))
    layout = Layout(page, 10)
    layout.advance(1.0)
    rows = [layout.row(at) for at in range(len(layout))]
    assert "".join(words_of(row.line) for row in rows).replace(" ", "") == "therestisleftout"
    assert {part for _, part, _ in (row.part for row in rows)} == set(range(len(rows)))
    assert {row.part[2] for row in rows} == {len(rows) + more}


def test_a_lead_that_is_cut_stays_apart_from_what_it_leads_to() -> None:
    line = PageLine((own("alternatives"),), (own(" wordings    "), own("d7da3b20 ")), cut=True)
    layout = Layout(Page("", "", (line,)), 48)
    layout.advance(1.0)
    assert words_of(layout.row(0).line) == " wordings    d… alternatives"
