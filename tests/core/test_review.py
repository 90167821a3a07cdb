"""Review: which conditions a decision may pass."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from curator_tui.core.changes import Verb
from curator_tui.core.documents import Target, parse
from curator_tui.core.preflight import STATES, State
from curator_tui.core.review import (
    BLOCKING,
    OVERRIDABLE,
    shown_digest,
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
