"""Review: spot checks, and which conditions a decision may pass."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from curator_tui.core.changes import Verb
from curator_tui.core.documents import Target, parse
from curator_tui.core.preflight import STATES, State
from curator_tui.core.review import (
    BLOCKING,
    OVERRIDABLE,
    SpotChecks,
    shown_digest,
    spot_check_count,
    spot_checks,
    wanted_override,
)
from tests.worlds import approve


def test_every_condition_either_blocks_or_can_be_overridden_or_needs_nothing() -> None:
    """No state is forgotten by the gates, and none is in two of them."""
    assert {*BLOCKING, *OVERRIDABLE, State.NO_CHANGE, State.READY} == set(STATES)
    assert not set(BLOCKING) & OVERRIDABLE


@given(st.sets(st.sampled_from(STATES)), st.sampled_from(Verb))
def test_an_override_counts_only_for_approvals_and_only_where_it_may(states: set[State], verb: Verb) -> None:
    """Naming over-limit or stale passes nothing; a rejection passes nothing either."""
    decision = replace(approve("a", override=frozenset(states)), verb=verb)
    assert wanted_override(decision) == (states & OVERRIDABLE if verb is Verb.APPROVE else set())


@pytest.mark.parametrize(("rows", "count"), [(0, 0), (1, 1), (2, 2), (20, 2), (21, 3), (100, 3), (101, 5), (5000, 5)])
def test_more_rows_need_more_spot_checks(rows: int, count: int) -> None:
    """Two up to twenty, three up to a hundred, five beyond, never more than there are."""
    assert spot_check_count(rows) == count


@given(st.integers(0, 150), st.data())
def test_spot_checks_are_drawn_from_what_was_not_opened_and_can_be_drawn_again(rows: int, data: st.DataObject) -> None:
    """Same seed, same pick; nothing twice; nothing that was opened before."""
    ids = [f"{n:08x}" for n in range(rows)]
    opened = frozenset(data.draw(st.lists(st.sampled_from(ids), max_size=rows))) if ids else frozenset()
    picked = spot_checks(ids, opened, "seed")
    assert picked == spot_checks(ids, opened, "seed")
    assert len(set(picked.ids)) == len(picked.ids) == min(spot_check_count(rows), rows - len(opened))
    assert not set(picked.ids) & opened
    assert picked.left(frozenset(picked.ids)) == ()


def test_another_seed_picks_other_rows_in_the_long_run() -> None:
    """The pick is not always the first rows."""
    ids = [f"{n:08x}" for n in range(100)]
    picks = {spot_checks(ids, frozenset(), str(seed)).ids for seed in range(20)}
    assert len(picks) > 15


def test_opening_a_row_leaves_the_others_to_be_opened() -> None:
    """In the order they were picked."""
    checks = SpotChecks(("a", "b", "c"))
    assert checks.left(frozenset({"b"})) == ("a", "c")


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
