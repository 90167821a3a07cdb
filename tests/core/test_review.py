"""Review: which conditions a decision may pass."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from curator_tui.core.documents import Target, parse
from curator_tui.core.operations import Problem
from curator_tui.core.preflight import STATES, Preflight, State
from curator_tui.core.requests import Verb
from curator_tui.core.review import (
    BLOCKING,
    OVERRIDABLE,
    different_outcomes,
    may_go_along,
    may_join_plan,
    plan_problem,
    same_outcome,
    shown_digest,
    wanted_override,
)
from tests.worlds import add, approve, drop, item, swap


def test_every_condition_either_blocks_or_can_be_overridden_or_needs_nothing() -> None:
    """No state is forgotten by the gates, and none is in two of them."""
    assert {*BLOCKING, *OVERRIDABLE, State.NO_CHANGE, State.READY} == set(STATES)
    assert not set(BLOCKING) & OVERRIDABLE


@given(st.lists(st.sampled_from(STATES), min_size=1, unique=True))
def test_one_rule_says_what_may_go_along_and_it_looks_at_every_condition(conditions: list[State]) -> None:
    """Ready alone, or nothing to do; making room never admits what is also flagged or lossy."""
    found = Preflight(item("a", add("x")), tuple(conditions), {s: Problem(s, s) for s in STATES}, {})
    assert may_go_along(conditions) == (plan_problem(found) is None)
    if may_go_along(conditions):
        assert State.NO_CHANGE in conditions or conditions == [State.READY]
        assert may_join_plan(conditions)
    if State.NO_CHANGE not in conditions and {State.FLAGGED, State.LOSSY, State.AMBIGUOUS} & set(conditions):
        assert not may_join_plan(conditions)
    assert may_join_plan([State.OVER_LIMIT])
    assert may_join_plan([State.STALE])


def test_outcomes_differ_by_what_stands_afterwards_and_not_by_the_words_that_find_it() -> None:
    """Another match for the same entry is the same outcome; where nothing is pinned the words are all there is."""
    one = item("a", swap("Prefers", "Prefers spaces", pin="Prefers tabs"))
    assert same_outcome(one, item("b", swap("tabs", "Prefers spaces", pin="Prefers tabs")))
    others = [
        item("c", swap("tabs", "Prefers tabs of 4", pin="Prefers tabs")),
        item("d", drop("tabs", pin="Prefers tabs")),
        item("e", swap("tabs", "Prefers spaces", pin="Also tabs")),
        item("f", swap("tabs", "Prefers spaces")),
        item("g", swap("Prefers", "Prefers spaces")),
    ]
    assert not any(same_outcome(one, other) for other in others)
    assert different_outcomes([one, one, *others]) == 1 + len(others)
    assert different_outcomes([]) == 0


@given(st.sets(st.sampled_from(STATES)), st.sampled_from(Verb))
def test_an_override_counts_only_for_approvals_and_only_where_it_may(states: set[State], verb: Verb) -> None:
    """Naming over-limit or stale passes nothing; a rejection passes nothing either."""
    decision = replace(approve("a", override=frozenset(states)), verb=verb)
    assert wanted_override(decision) == (states & OVERRIDABLE if verb is Verb.APPROVE else set())


def test_a_shown_digest_is_bound_to_absence_too() -> None:
    """A document that would be deleted, emptied or left out gives three digests."""
    memory = {Target.MEMORY: parse(Target.MEMORY, b"tea")}
    digests = {
        shown_digest([], memory, {Target.MEMORY: None}),
        shown_digest([], memory, {Target.MEMORY: b""}),
        shown_digest([], memory, {}),
        shown_digest([], {}, {}),
    }
    assert len(digests) == 4
