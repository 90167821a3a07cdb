"""Line diffs: nothing of either text is missing, and whatever the texts are, time and size are bounded."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core.line_diffs import MAX_LINES, line_diff

texts = st.lists(st.sampled_from(["a", "b", "c", "", "a b"]), max_size=30).map("\n".join)
ENDLESS = 10**6


def lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


@given(texts, texts)
def test_both_texts_can_be_read_off_a_diff(before: str, after: str) -> None:
    found = line_diff(before, after, context=ENDLESS)
    if found.new or found.gone:
        assert [line.text for line in found.lines if line.kind in {"same", "gone"}] == lines(before)
        assert [line.text for line in found.lines if line.kind in {"same", "new"}] == lines(after)
    else:
        assert lines(before) == lines(after)
        assert found.lines == ()
    assert sum(line.kind == "new" for line in found.lines) == found.new
    assert sum(line.kind == "gone" for line in found.lines) == found.gone


@given(texts, texts)
def test_numbers_are_those_of_the_texts_and_gaps_count_what_is_between(before: str, after: str) -> None:
    old, new = lines(before), lines(after)
    at_old = at_new = 0
    for line in line_diff(before, after).lines:
        if line.kind == "gap":
            assert line.left_out > 1
            at_old, at_new = at_old + line.left_out, at_new + line.left_out
            continue
        if line.before is not None:
            assert (line.before, line.text) == (at_old + 1, old[at_old])
            at_old += 1
        if line.after is not None:
            assert (line.after, line.text) == (at_new + 1, new[at_new])
            at_new += 1


def test_a_change_in_the_middle_is_shown_with_three_lines_around_it() -> None:
    before = "\n".join(f"line {n}" for n in range(20))
    found = line_diff(before, before.replace("line 10", "line ten"))
    assert [line.kind for line in found.lines] == ["gap", *["same"] * 3, "gone", "new", *["same"] * 3, "gap"]
    assert (found.lines[0].left_out, found.lines[-1].left_out) == (7, 6)


def test_a_long_diff_is_cut_and_says_by_how_much() -> None:
    found = line_diff("", "\n".join(map(str, range(3_000))))
    assert (len(found.lines), found.cut, found.new) == (2_000, 1_000, 3_000)


def test_texts_that_repeat_and_texts_without_end_take_no_time() -> None:
    start = time.thread_time()
    found = line_diff("x\n" * MAX_LINES, "x\ny\n" * (MAX_LINES // 2))
    assert not found.whole
    huge = line_diff("\n" * 500_000, "a\n" * 500_000)
    assert huge.whole
    assert huge.cut == 1_000_000 - len(huge.lines)
    assert time.thread_time() - start < 2


def test_only_line_feeds_end_a_line() -> None:
    found = line_diff("a\u2028b\x0cc\r\n", "a\u2028b\x0cd\r\n")
    assert [line.text for line in found.lines] == ["a\u2028b\x0cc\r", "a\u2028b\x0cd\r"]
