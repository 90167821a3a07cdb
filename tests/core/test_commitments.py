"""What is recorded of a change against its commitment: which problems are told where several say the same."""

from __future__ import annotations

from curator_tui.core.commitments import told_once
from curator_tui.core.operations import Problem

UNBOUND = Problem("change-unbound", "what is recorded of change c1 is not what row 7 was made of", ("c1", 7))
KNOWN = Problem("known-altered", "what is kept as the last known MEMORY.md is not what row 7 was made of", (7,))


def test_what_another_problem_says_more_exactly_is_not_told_again() -> None:
    """By what the problems are about, in whatever words and order they are."""
    exact = Problem("text-altered", "a kept text is another one", (7,))
    assert told_once([UNBOUND, KNOWN, exact, exact]) == [exact]
    elsewhere = Problem("change-altered", "another change is recorded otherwise", ("c2", 8))
    assert told_once([UNBOUND, elsewhere, KNOWN]) == [UNBOUND, elsewhere, KNOWN]


def test_words_that_only_mention_a_row_or_a_change_hide_nothing() -> None:
    """A message may hold words of another program, such as the name of a file."""
    other = Problem("lock-unusable", "what stands there is no lock: change c1, row 7")
    assert told_once([UNBOUND, KNOWN, other]) == [UNBOUND, KNOWN, other]


def test_a_sentence_is_told_once_whatever_it_is_about() -> None:
    """Two records of one item in two changes are told in the same words."""
    twice = [Problem("deferral-unbound", "no ledger row bears out it", (change,)) for change in ("c1", "c2")]
    assert told_once([*twice, UNBOUND]) == twice[:1]
