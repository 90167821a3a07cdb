"""Settling: what many decisions do together, in which order, and what they are bound to."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from curator_tui.core.documents import Target, parse, size_of
from curator_tui.core.preflight import Snapshot, State
from curator_tui.core.proposals import Edit, Proposal
from curator_tui.core.requests import Decision, Verb
from curator_tui.core.settling import Settlement, pinned_proposal, settle
from tests.strategies import entry_lists, operations
from tests.worlds import MEMORY, USER, add, approve, drop, item, joined, reject, snapshot, swap


def run(found: Snapshot, *proposals: Proposal, **parts) -> Settlement:
    """Approve all of these proposals together, in the order given by their times."""
    pinned = {proposal.id: pinned_proposal(proposal, found, {}) for proposal in proposals}
    return settle(found, [approve(name, **parts) for name in pinned], pinned)


def done(settlement: Settlement) -> dict[str, str]:
    """Return how each item ended."""
    return {part.decision.proposal: part.ending for part in settlement.applied}


def not_done(settlement: Settlement) -> dict[str, str]:
    """Return the code of what kept each item from being applied."""
    return {part.decision.proposal: part.problem.code for part in settlement.failed}


# -- order --------------------------------------------------------------------------------------------------------


def test_what_shrinks_comes_before_what_grows_so_that_more_fits() -> None:
    """The growing item is older, yet the document has room for it only after the remove."""
    found = snapshot(joined("a" * 10, "b" * 10), memory_limit=30)
    settled = run(found, item("grow", add("c" * 12), at=1), item("shrink", drop("a" * 10), at=2))
    assert done(settled) == {"shrink": "approve", "grow": "approve"}
    assert settled.sizes() == {MEMORY: 25, USER: 0}
    assert settled.entries[MEMORY] == ("b" * 10, "c" * 12)


def test_growing_items_go_in_while_the_final_document_fits() -> None:
    """In queue order; what is left out says by how much, and a smaller later one may still go in."""
    found = snapshot("a" * 10, memory_limit=30)
    settled = run(found, item("1", add("b" * 10), at=1), item("2", add("c" * 10), at=2), item("3", add("d" * 4), at=3))
    assert done(settled) == {"1": "approve", "3": "approve"}
    assert not_done(settled) == {"2": "over-limit"}
    assert "36/30 (6 over)" in settled.failed[0].problem.message


def test_an_item_of_equal_size_waits_until_an_over_limit_document_has_shrunk() -> None:
    """Only the final documents count: the older equal-size replace fits once the remove is in."""
    found = snapshot(joined("a" * 10, "b" * 10), memory_limit=15)
    settled = run(found, item("same", swap("a" * 10, "c" * 10), at=1), item("shrink", drop("b" * 10), at=2))
    assert not_done(settled) == {}
    assert settled.entries[MEMORY] == ("c" * 10,)


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1), (2, 3, 1), (3, 1, 2)])
def test_a_chain_of_pins_is_followed_whatever_the_queue_order(order: tuple[int, int, int]) -> None:
    """A to B, B to C, C to D in one plan: each waits for the entry it is pinned to."""
    steps = [swap("one", "two is", pin="one"), swap("two", "three is", pin="two is"), swap("t", "four", pin="three is")]
    settled = run(
        snapshot("one"), *(item(str(n), step, at=at) for n, (step, at) in enumerate(zip(steps, order, strict=True)))
    )
    assert settled.entries[MEMORY] == ("four",)
    assert not settled.failed


def test_an_item_freed_by_a_growing_one_is_tried_too() -> None:
    """Waiting under an entry works in the second half of a plan as well."""
    settled = run(
        snapshot("one"),
        item("b", swap("much longer entry", "short", pin="much longer entry"), at=1),
        item("a", swap("one", "much longer entry", pin="one"), at=2),
    )
    assert settled.entries[MEMORY] == ("short",)


def test_two_thousand_items_and_a_chain_of_two_thousand_settle_in_two_seconds() -> None:
    """The work does not grow with the square of the queue."""
    flat = [item(f"{n:08x}", add(f"fact number {n}"), at=n) for n in range(2000)]
    chain = [item(f"{n:08x}", swap(f"v{n}.", f"v{n + 1}.", pin=f"v{n}."), at=-n) for n in range(2000)]
    for proposals, count in ((flat, 2001), (chain, 1)):
        begun = time.thread_time()
        settled = run(snapshot("v0.", memory_limit=10**6), *proposals)
        assert time.thread_time() - begun < 2
        assert len(settled.entries[MEMORY]) == count
        assert len(settled.applied) == 2000


@given(st.data())
def test_a_plan_fits_or_shrinks_whatever_is_in_it(data: st.DataObject) -> None:
    """The final documents read back as planned and are inside the limit, or smaller than they were."""
    standing = tuple(data.draw(entry_lists))
    limit = data.draw(st.integers(0, 60))
    found = snapshot(joined(*standing) if standing else b"", memory_limit=limit)
    proposals = [
        item(f"{n:08x}", *data.draw(st.lists(operations(standing), min_size=1, max_size=2)), at=n)
        for n in range(data.draw(st.integers(1, 5)))
    ]
    settled = run(found, *proposals, override=frozenset(State))
    after = settled.entries[MEMORY]
    assert len(done(settled)) + len(not_done(settled)) == len(proposals)
    assert size_of(after) <= limit or size_of(after) < size_of(standing) or after == standing
    if MEMORY in settled.spliced:
        assert parse(MEMORY, settled.spliced[MEMORY].raw).entries == after
    else:
        assert after == standing


@given(st.data())
def test_an_item_alone_in_a_plan_ends_as_its_preflight_said(data: st.DataObject) -> None:
    """A plan of one is the single approval; equal inputs give equal outputs."""
    standing = tuple(data.draw(entry_lists))
    found = snapshot(joined(*standing) if standing else b"", memory_limit=data.draw(st.integers(0, 60)))
    proposal = pinned_proposal(item("a", data.draw(operations(standing))), found, {})
    settled = settle(found, [approve("a")], {"a": proposal})
    part = (*settled.applied, *settled.failed)[0]
    clean = part.found.state in {State.READY, State.NO_CHANGE}
    assert bool(settled.applied) == clean
    assert settle(found, [approve("a")], {"a": proposal}) == settled


# -- alternatives -------------------------------------------------------------------------------------------------


def test_of_alternatives_in_one_plan_the_first_wins_and_the_others_are_superseded_by_it() -> None:
    """Neither is an error of its own; an exact repeat is in effect already."""
    settled = run(
        snapshot("Prefers tabs"),
        item("first", swap("tabs", "Prefers tabs of width 4"), at=1),
        item("other", swap("Prefers", "Uses tabs, width four"), at=2),
        item("again", swap("Prefers tabs", "Prefers tabs of width 4"), at=3),
    )
    assert done(settled) == {"first": "approve", "again": "already in effect"}
    assert settled.failed[0].problem.message == "superseded by first"
    assert settled.failed[0].state == "stale"


def test_a_repeated_remove_of_one_entry_is_in_effect_once_the_entry_is_gone() -> None:
    """Two wordings of one remove are not a conflict."""
    settled = run(snapshot("Owns a canoe"), item("1", drop("canoe"), at=1), item("2", drop("Owns"), at=2))
    assert done(settled) == {"1": "approve", "2": "already in effect"}


def test_a_repeat_stays_in_effect_where_a_later_item_went_on() -> None:
    """The repeat of a step that another one built upon is neither applied again nor stale."""
    settled = run(
        snapshot("one"),
        item("1", swap("one", "two", pin="one"), at=1),
        item("2", swap("two", "six", pin="two"), at=2),
        item("3", swap("on", "two", pin="one"), at=3),
    )
    assert settled.entries[MEMORY] == ("six",)
    assert done(settled)["3"] == "already in effect"


def test_an_item_stale_before_the_plan_says_so_and_names_nobody() -> None:
    """Only what this plan consumed is superseded."""
    settled = run(snapshot("tea"), item("1", swap("x", "y", pin="never there")), item("2", drop("tea")))
    assert not_done(settled) == {"1": "entry-changed"}


# -- groups -------------------------------------------------------------------------------------------------------

GROUP = (
    item("a9000001", swap("Prefers tabs", "Prefers tabs of width 4", pin="Prefers tabs"), at=1),
    item("a9000002", swap("Prefers tabs", "Uses tabs, width four", pin="Prefers tabs"), at=2),
    item("a9000003", swap("tabs", "Prefers tabs of width 4", pin="Prefers tabs"), at=3),
)


def group(decision, *extra: Proposal) -> Settlement:
    """Settle one decision over the group of three."""
    proposals = {proposal.id: proposal for proposal in (*GROUP, *extra)}
    return settle(snapshot("Prefers tabs"), [decision], proposals)


def closed(settlement: Settlement) -> dict[str, str]:
    """Return how each member was closed along."""
    endings = {part.member.id: (part.ending, part.by) for part in settlement.closed}
    return {name: f"{how} by {by}" if how == "superseded" else str(how) for name, (how, by) in endings.items()}


def test_approving_one_of_a_group_closes_the_others_by_their_outcome() -> None:
    """Equal outcome: already in effect; another: superseded by the winner."""
    settled = group(approve("a9000001", closes=("a9000002", "a9000003")))
    assert closed(settled) == {"a9000002": "superseded by a9000001", "a9000003": "already in effect"}


@pytest.mark.parametrize("verb", [Verb.REJECT, Verb.LOG_ONLY])
def test_rejecting_one_of_a_group_rejects_its_repeats_and_leaves_other_outcomes_waiting(verb) -> None:
    """A person said no to one text; about another nobody said anything."""
    decision = Decision("a9000001", verb, closes=("a9000002", "a9000003"))
    settled = group(decision)
    assert closed(settled) == {"a9000003": str(verb)}
    assert settled.staying == ("a9000002",)


def test_a_member_with_a_decision_of_its_own_neither_stays_nor_is_closed_along() -> None:
    """What is said of it counts, in whatever order."""
    one, other = reject("a9000001", closes=("a9000002",)), approve("a9000002", closes=("a9000001",))
    for decisions in ((one, other), (other, one)):
        settled = settle(snapshot("Prefers tabs"), decisions, {part.id: part for part in GROUP})
        assert closed(settled) == {}
        assert settled.staying == ()


def test_an_edited_winner_supersedes_what_it_no_longer_equals() -> None:
    """What was approved is the edited text, so the former repeat is another outcome."""
    settled = group(approve("a9000001", closes=("a9000003",), edit=Edit(contents={0: "Tabs"})))
    assert done(settled) == {"a9000001": "edit"}
    assert closed(settled) == {"a9000003": "superseded by a9000001"}


def test_equal_removes_of_one_entry_are_in_effect_together() -> None:
    """A remove that repeats the approved one is not superseded by it."""
    twins = [item(name, drop("tabs", pin="Prefers tabs")) for name in ("r1", "r2")]
    assert closed(group(approve("r1", closes=("r2",)), *twins)) == {"r2": "already in effect"}


@pytest.mark.parametrize(
    ("decision", "ending"),
    [
        (approve("p1", closes=("p2", "p3")), "already in effect"),
        (reject("p1", closes=("p2", "p3")), "reject"),
        (approve("p1", closes=("p2", "p3"), edit=Edit(contents={0: "Uses fish"})), "superseded by p1"),
    ],
)
def test_equal_adds_are_decided_together_and_written_once(decision: Decision, ending: str) -> None:
    """One approve writes the text once and closes its repeats; one reject rejects them; an edit supersedes them."""
    repeats = [item(name, add("Uses zsh")) for name in ("p1", "p2", "p3")]
    settled = group(decision, *repeats)
    assert closed(settled) == {"p2": ending, "p3": ending}
    wanted = {"already in effect": ("Uses zsh",), "reject": (), "superseded by p1": ("Uses fish",)}[ending]
    assert settled.entries[MEMORY] == ("Prefers tabs", *wanted)


def test_a_decision_that_fails_closes_nobody() -> None:
    """A flagged winner without override leaves its whole group waiting."""
    bad = item("bad", swap("tabs", "a\u202eb", pin="Prefers tabs"))
    settled = group(approve("bad", closes=("a9000001",)), bad)
    assert (settled.applied, settled.closed) == ((), ())


def test_only_members_of_the_same_group_are_closed() -> None:
    """An item of another entry, of several operations, or unknown is never closed along, whatever was asked."""
    other = item("other", drop("tea", pin="green tea"))
    batch = item("batch", drop("tabs", pin="Prefers tabs"), add("x"))
    settled = group(approve("a9000001", closes=("other", "batch", "gone", "a9000002")), other, batch)
    assert set(closed(settled)) == {"a9000002"}


def test_a_member_is_closed_once_and_not_where_it_has_a_decision_of_its_own() -> None:
    """Two decisions of one plan never end the same item twice."""
    proposals = {proposal.id: proposal for proposal in GROUP}
    decisions = [approve("a9000001", closes=("a9000002", "a9000003")), reject("a9000002", closes=("a9000003",))]
    settled = settle(snapshot("Prefers tabs"), decisions, proposals)
    ends = [*done(settled), *closed(settled)]
    assert sorted(ends) == ["a9000001", "a9000002", "a9000003"]


# -- overrides and edits ------------------------------------------------------------------------------------------


def test_one_override_names_each_condition_it_passes() -> None:
    """Flagged alone does not pass lossy; both together pass; over-limit never."""
    memory = "[net] router is 10.0.0.1 [nas] web port 8080 [print] tray 2 holds A5"
    proposal = item("a", swap("8080", "9090 \u202e"))
    for override, code in ((set(), "flagged"), ({State.FLAGGED}, "lossy"), ({State.LOSSY}, "flagged")):
        settled = run(snapshot(memory), proposal, override=frozenset(override))
        assert [part.state for part in settled.failed] == [code]
    assert done(run(snapshot(memory), proposal, override=frozenset({State.FLAGGED, State.LOSSY}))) == {"a": "approve"}
    full = run(snapshot("tea", memory_limit=3), item("a", add("x")), override=frozenset(State))
    assert not_done(full) == {"a": "over-limit"}


def test_a_decision_about_one_document_leaves_the_other_untouched() -> None:
    """Only what changes is written."""
    settled = run(snapshot("tea", "cup"), item("a", add("mug", USER)))
    assert set(settled.spliced) == {USER}


def test_decisions_that_cancel_each_other_out_write_nothing() -> None:
    """A to B and back is applied twice and changes no document."""
    settled = run(
        snapshot("one"), item("a", swap("one", "two", pin="one"), at=1), item("b", swap("two", "one", pin="two"), at=2)
    )
    assert len(settled.applied) == 2
    assert settled.spliced == {}


def test_rejecting_looks_at_what_is_stored_not_at_what_the_plan_leaves() -> None:
    """A rejection beside an approval is recorded with the conditions a person saw."""
    proposals = {"a": item("a", drop("tea", pin="tea")), "b": item("b", add("tea"))}
    settled = settle(snapshot("tea"), [approve("a"), reject("b")], proposals)
    assert settled.applied[1].found.conditions == (State.NO_CHANGE,)


# -- pins ---------------------------------------------------------------------------------------------------------


def test_recorded_first_sight_pins_win_over_what_the_match_finds_now() -> None:
    """An item means the entry it meant when it was first seen."""
    found = snapshot("Tea at six")
    proposal = item("a", swap("Tea", "coffee"))
    assert pinned_proposal(proposal, found, {0: "Tea at five"}).operations[0].pin == "Tea at five"
    fresh = pinned_proposal(proposal, found, {})
    assert (fresh.operations[0].pin, fresh.pinned_by) == ("Tea at six", "first sight")


def test_a_pin_of_the_record_is_never_replaced() -> None:
    """Hermes's own pin counts; an ambiguous match stays unpinned; a stray number is ignored."""
    proposal = item("a", swap("Tea", "x", pin="Tea at four"), drop("e"), pinned_by="record")
    found = pinned_proposal(proposal, snapshot(joined("Tea at six", "eel")), {0: "Tea at six", 7: "y"})
    assert [operation.pin for operation in found.operations] == ["Tea at four", None]
    assert found.pinned_by == "record"
    assert pinned_proposal(item("b", add("x")), snapshot("tea"), {0: "tea"}).operations[0].pin is None


# -- what a decision is bound to ----------------------------------------------------------------------------------

BASE = (snapshot("Prefers tabs"), approve("a9000001", closes=("a9000002",)), {p.id: p for p in GROUP})


def _changed(what: str) -> str:
    found, decision, proposals = BASE
    if what == "document":
        found = snapshot("Prefers tabs\n")
    elif what == "record":
        proposals = {**proposals, "a9000001": replace(proposals["a9000001"], digest="another")}
    elif what == "member":
        proposals = {**proposals, "a9000002": replace(proposals["a9000002"], digest="another")}
    elif what == "member gone":
        proposals = {name: found for name, found in proposals.items() if name != "a9000002"}
    elif what == "verb":
        decision = reject("a9000001", closes=("a9000002",))
    elif what == "closes":
        decision = approve("a9000001", closes=("a9000002", "a9000003"))
    elif what == "edit":
        decision = approve("a9000001", closes=("a9000002",), edit=Edit(contents={0: "Tabs"}))
    elif what == "conditions":
        found = snapshot("Prefers tabs", memory_limit=12)
    return settle(found, [decision], proposals).digest


def test_the_digest_changes_with_everything_that_was_on_screen() -> None:
    """Record, members, documents, result, conditions, verb and closed items are all bound."""
    whats = ["", "document", "record", "member", "member gone", "verb", "closes", "edit", "conditions"]
    digests = [_changed(what) for what in whats]
    assert len(set(digests)) == len(whats)
    assert _changed("") == digests[0]


def test_a_document_the_decision_does_not_touch_does_not_move_it() -> None:
    """Work on the other document never takes a painted decision away."""
    one = run(snapshot("tea", "cup"), item("a", add("x"))).digest
    assert run(snapshot("tea", "another cup"), item("a", add("x"))).digest == one
    assert run(snapshot("tea", "cup"), item("a", add("x", Target.USER))).digest != one
