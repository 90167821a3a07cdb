"""Preflight: every condition, their precedence, the reasons, and what is offered beside them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from curator_tui.core.documents import Target, parse, size_of, unreadable
from curator_tui.core.operations import Action, Operation, Problem, apply_batch
from curator_tui.core.preflight import STATES, Snapshot, State, conditions_of, preflight, room_makers
from curator_tui.core.proposals import Edit, Proposal, edited
from curator_tui.core.review import (
    OVERRIDABLE,
    approval_problem,
    needs_second_key,
    plan_problem,
)
from tests.strategies import entry_lists, operations
from tests.worlds import MEMORY, USER, add, drop, item, joined, snapshot, swap

HIDDEN = "a\u202eb"  # a direction override: a hard finding whatever else the rules know
TOKEN = "CI token is ghp_" + "A1b2C3d4" * 4 + "E5f6"
NET = "[net] router is 10.0.0.1 [nas] web port 8080 [print] tray 2 holds A5"


def look(proposal: Proposal, memory: bytes | str | None = "", **parts):
    """Preflight a proposal against a memory document."""
    return preflight(proposal, snapshot(memory, **parts))


# -- states -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("proposal", "memory", "limit", "conditions"),
    [
        (item("a", add("x")), "tea", 200, ["ready"]),
        (item("a", add("x")), None, 200, ["ready"]),
        (item("a", swap("tea", "cup")), "tea", 200, ["ready"]),
        (item("a", drop("tea")), "tea", 200, ["ready"]),
        (item("a", add("tea")), "tea", 200, ["no-change"]),
        (item("a", swap("tea", "tea")), "tea", 200, ["no-change"]),
        (item("a", swap("bash", "zsh")), "zsh", 200, ["no-change"]),
        (item("a", add("x"), drop("x")), "tea", 200, ["no-change"]),
        (item("a", add("tea"), swap("bash", "tea")), "tea", 200, ["no-change"]),
        (item("a", drop("gone")), "tea", 200, ["stale"]),
        (item("a", swap("gone", "x")), "tea", 200, ["stale"]),
        (item("a", swap("tea", "x", pin="green tea")), "tea", 200, ["stale"]),
        (item("a", drop("tea")), joined("green tea", "black tea"), 200, ["ambiguous"]),
        (item("a", add("x" * 20)), "tea", 20, ["over-limit"]),
        (item("a", swap("8080", "port 9090")), NET, 200, ["lossy"]),
        (item("a", swap("old", "new")), joined("old", "new"), 200, ["invalid"]),
        (item("a", add(HIDDEN)), "tea", 200, ["flagged"]),
        (item("a", add(HIDDEN)), HIDDEN, 200, ["no-change", "flagged"]),
        (item("a", swap("gone", HIDDEN)), "tea", 200, ["stale", "flagged"]),
        (item("a", swap("tea", HIDDEN)), joined("green tea", "black tea"), 200, ["ambiguous", "flagged"]),
        (item("a", add(HIDDEN + "x" * 20)), "tea", 20, ["flagged", "over-limit"]),
        (item("a", swap("8080", "port 9090 " + HIDDEN)), NET, 200, ["flagged", "lossy"]),
        (item("a", swap("8080", "port 9090"), add("x" * 80)), NET, 90, ["over-limit", "lossy"]),
        (item("a", swap("8080", "port 9090"), add(HIDDEN + "x" * 80)), NET, 90, ["flagged", "over-limit", "lossy"]),
        (item("a", swap("old", HIDDEN)), joined("old", HIDDEN), 200, ["invalid", "flagged"]),
    ],
)
def test_each_condition_is_found_and_listed_in_order_of_precedence(proposal, memory, limit, conditions) -> None:
    """The set names everything that holds; the state shown is its first; each but ready has its own reason."""
    found = look(proposal, memory, memory_limit=limit)
    assert [str(state) for state in found.conditions] == conditions
    assert found.state == conditions[0]
    assert conditions_of(proposal, snapshot(memory, memory_limit=limit)) == found.conditions
    assert set(found.reasons) == {*found.conditions} - {State.READY}
    assert all(problem.code and problem.message for problem in found.reasons.values())


def test_a_broken_record_is_invalid_with_its_own_reason_and_has_no_outcome() -> None:
    """What the reader of records said is what is shown."""
    found = look(item("a", problem=Problem("unknown-target", "unknown target project")))
    assert (found.state, found.reason.message) == (State.INVALID, "unknown target project")
    assert found.outcome == {}
    broken = look(item("a", problem=Problem("unreadable-record", "unreadable JSON"), unreadable=True))
    assert broken.conditions == (State.UNREADABLE,)


def test_a_record_without_operations_is_never_taken_for_one_without_effect() -> None:
    """An empty list of steps would close without a question; it is invalid instead."""
    assert look(item("a")).conditions == (State.INVALID,)


def test_texts_of_broken_records_are_scanned_too() -> None:
    """What is shown, and what a rejection would keep, is looked at even where nothing can be applied."""
    broken = item("a", add(TOKEN), problem=Problem("unknown-action", "unknown action patch"))
    assert look(broken).conditions == (State.INVALID, State.FLAGGED)
    assert look(broken).holds_secret
    closed = Snapshot({MEMORY: unreadable(MEMORY, "no permission")}, {MEMORY: 200})
    assert preflight(item("a", add(TOKEN)), closed).holds_secret


@pytest.mark.parametrize("document", [unreadable(MEMORY, "no permission"), parse(MEMORY, b"tea \xff")])
def test_a_document_that_cannot_be_read_blocks_its_items_and_only_those(document) -> None:
    """Unreadable is never empty: nothing is computed for it, while the other document goes on."""
    found = Snapshot({MEMORY: document, USER: parse(USER, b"cup")}, {MEMORY: 200, USER: 200})
    blocked = preflight(item("a", add("x")), found)
    assert blocked.conditions == (State.UNREADABLE,)
    assert blocked.outcome == {}
    assert document.trouble in blocked.reason.message
    assert preflight(item("b", add("x", USER)), found).conditions == (State.READY,)
    assert preflight(item("c", add("x", USER), add("y", MEMORY)), found).conditions == (State.UNREADABLE,)


# -- size ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("content", "state"), [("x" * 4, State.READY), ("x" * 5, State.OVER_LIMIT)])
def test_equal_to_the_limit_still_fits(content: str, state: State) -> None:
    """The delimiter counts three: 3 + 3 + 4 = 10."""
    assert look(item("a", add(content)), "tea", memory_limit=10).state is state


def test_the_reason_says_by_how_much_it_would_be_over() -> None:
    """Size, limit and surplus, for each document that is over."""
    found = look(item("a", add("zzzzzzzzzz")), joined("x" * 100, "y" * 97), memory_limit=200)
    assert "213/200" in found.reason.message
    assert "13 over" in found.reason.message
    both = preflight(item("a", add("xxxx"), add("yyyyy", USER)), snapshot("tea", "cup", memory_limit=9, user_limit=9))
    assert "memory would be 10/9 (1 over)" in both.reason.message
    assert "user would be 11/9 (2 over)" in both.reason.message


def test_a_document_over_its_limit_may_shrink_even_when_it_stays_over() -> None:
    """Strictly smaller passes; the same size and larger do not; effect-free closes."""
    memory = joined("x" * 30, "y" * 30)
    assert look(item("a", drop("xxx")), memory, memory_limit=20).state is State.READY
    assert look(item("a", swap("x" * 30, "z" * 29)), memory, memory_limit=20).state is State.READY
    assert look(item("a", swap("x" * 30, "z" * 30)), memory, memory_limit=20).state is State.OVER_LIMIT
    assert look(item("a", swap("x" * 30, "z" * 31)), memory, memory_limit=20).state is State.OVER_LIMIT
    assert look(item("a", add("x" * 30)), memory, memory_limit=20).state is State.NO_CHANGE


def test_only_the_end_of_a_batch_has_to_fit() -> None:
    """A batch may grow past the limit on its way."""
    assert look(item("a", add("x" * 20), drop("tea" * 5)), "tea" * 5, memory_limit=20).state is State.READY


def test_a_limit_that_is_not_known_refuses_nothing_and_is_not_the_default() -> None:
    """None means not known, however large the text."""
    found = preflight(item("a", add("x" * 50_000)), snapshot("tea", memory_limit=None))
    assert found.conditions == (State.READY,)
    assert found.outcome[MEMORY].limit is None
    absent = Snapshot({MEMORY: parse(MEMORY, b"tea")}, {})
    assert preflight(item("a", add("x" * 50_000)), absent).conditions == (State.READY,)


# -- outcome ------------------------------------------------------------------------------------------------------


def test_the_outcome_is_the_true_effect() -> None:
    """Entries and sizes before and after, and which entry took the place of which."""
    found = look(item("a", swap("tea", "coffee"), add("cup")), joined("green tea", "x"), memory_limit=100)
    outcome = found.outcome[MEMORY]
    assert (outcome.before, outcome.after) == (("green tea", "x"), ("coffee", "x", "cup"))
    assert (outcome.size_before, outcome.size_after, outcome.limit) == (13, 16, 100)
    assert outcome.changed == (("green tea", "coffee"),)
    assert found.growth() == 3


def test_an_item_that_cannot_be_applied_shows_its_documents_unchanged() -> None:
    """Before equals after, so no screen paints an effect that will not come."""
    outcome = look(item("a", add("x"), drop("gone")), "tea").outcome[MEMORY]
    assert outcome.before == outcome.after == ("tea",)


@given(st.data())
def test_a_ready_item_leaves_exactly_its_batch_and_fits(data: st.DataObject) -> None:
    """Whatever is drawn: ready means applied as the rules say, with an effect, inside the limit or shrinking."""
    standing = tuple(data.draw(entry_lists))
    steps = data.draw(st.lists(operations(standing), min_size=1, max_size=3))
    limit = data.draw(st.one_of(st.none(), st.integers(0, 80)))
    found = preflight(item("a", *steps), snapshot(joined(*standing), memory_limit=limit))
    result = apply_batch({MEMORY: standing, USER: ()}, steps)
    assert found.conditions == tuple(state for state in STATES if state in found.conditions)
    after = found.outcome[MEMORY].after
    assert after == (standing if result.failure else result.entries[MEMORY])
    if State.READY in found.conditions:
        assert found.conditions == (State.READY,)
        assert after != standing
        assert limit is None or size_of(after) <= limit or size_of(after) < size_of(standing)


# -- stale and ambiguous ------------------------------------------------------------------------------------------


def test_a_stale_item_shows_the_entry_nearest_to_what_it_meant() -> None:
    """The person sees what became of the entry before anything is pressed."""
    memory = joined("Uses Krita 5.2 for drawings", "Prefers metric units")
    found = look(item("a", swap("Krita 5.0", "Uses Krita 5.1 for drawings")), memory)
    assert found.nearest == "Uses Krita 5.2 for drawings"
    assert "Krita 5.0" in found.reason.message
    pinned = look(item("a", swap("Krita", "x", pin="Uses Krita 5.0 for drawings")), memory)
    assert pinned.nearest == "Uses Krita 5.2 for drawings"
    assert "gone or changed" in pinned.reason.message


def test_nothing_near_is_said_as_nothing() -> None:
    """An unrelated entry is not offered."""
    assert look(item("a", drop("Owns a canoe")), "Prefers metric units").nearest is None


def test_entries_that_match_and_those_alike_are_counted_apart() -> None:
    found = look(item("a", swap("the shop", "x")), joined("the shop opens", "the shop closes", "The shop's hours"))
    assert (found.state, len(found.candidates), found.alike) == (State.AMBIGUOUS, 3, 1)
    assert found.reasons[State.AMBIGUOUS].message == "2 entries match 'the shop', 1 more almost"
    plain = look(item("a", swap("the shop", "x")), joined("the shop opens", "the shop closes"))
    assert (plain.alike, plain.reasons[State.AMBIGUOUS].message) == (0, "2 entries match 'the shop'")


def test_what_differs_by_typography_alone_is_offered_as_a_candidate() -> None:
    """Quotes and dashes an agent lost explain a stale item and complete the choice of an ambiguous one."""
    assert look(item("a", drop("it's tea")), "it’s tea time").candidates == ("it’s tea time",)
    memory = joined("it's tea", "says it's tea", "it’s tea time")
    several = look(item("a", drop("'s tea")), memory)
    assert several.candidates == ("it's tea", "says it's tea", "it’s tea time")
    assert several.reason.message.startswith("2 entries match")


def test_a_replace_that_would_repeat_an_entry_names_both() -> None:
    """Old entry, standing entry, and the way out."""
    found = look(item("a", swap("Likes tea", "Drinks tea")), joined("Likes tea", "Drinks tea"))
    assert found.reason.code == "duplicate-entry"
    for words in ("Likes tea", "Drinks tea", "remove this one instead"):
        assert words in found.reason.message


# -- lossy --------------------------------------------------------------------------------------------------------


def test_a_replace_that_drops_facts_beside_its_match_is_lossy_and_names_them() -> None:
    """T06: the anchor names a few words, the content holds only the new ones."""
    found = look(item("a", swap("web port 8080", "[nas] web port 9090")), NET)
    assert found.conditions == (State.LOSSY,)
    assert found.lost == ("[net] router is 10.0.0.1", "[print] tray 2 holds A5")
    assert "2 facts" in found.reason.message
    assert found.inside == {0: "[net] router is 10.0.0.1 [nas] web port 9090 [print] tray 2 holds A5"}


def test_what_another_operation_keeps_is_not_lost() -> None:
    """New texts are all contents of the proposal, not only the replace's own."""
    split = item(
        "a",
        swap("web port 8080", "[nas] web port 9090"),
        add("[net] router is 10.0.0.1"),
        add("[print] tray 2 holds A5"),
    )
    assert look(split, NET).conditions == (State.READY,)


def test_a_whole_entry_replace_is_not_lossy_but_its_shrinking_is_seen() -> None:
    """Who names the whole entry means the whole entry; under half of it left is worth a second look."""
    found = look(item("a", swap(NET, "[nas] web port 9090")), NET)
    assert found.conditions == (State.READY,)
    assert [(place.operation, place.finding.rule) for place in found.findings] == [(0, "shrinks")]
    assert look(item("a", swap(NET, NET + "!")), NET).findings == ()


def test_what_is_lossy_is_not_told_a_second_time_as_shrinking() -> None:
    """One loss, one sentence."""
    found = look(item("a", swap("web port 8080", "web port 9090")), NET)
    assert State.LOSSY in found.conditions
    assert found.findings == ()


def test_an_entry_too_long_to_check_is_held_as_lossy() -> None:
    """What was not computed is never taken for clean."""
    long = " ".join(f"word{number}" for number in range(1200))
    found = look(item("a", swap("word7 ", "word7 changed")), long, memory_limit=None)
    assert found.conditions == (State.LOSSY,)
    assert found.reason.code == "too-long-to-check"


# -- gates --------------------------------------------------------------------------------------------------------


def _found(*conditions: State):
    """Return a preflight with exactly these conditions."""
    reasons = {state: Problem(str(state), f"because {state}") for state in conditions if state is not State.READY}
    return replace(look(item("a", add("x"))), conditions=conditions, reasons=reasons)


@given(
    st.sets(st.sampled_from([state for state in STATES if state is not State.READY]), min_size=1),
    st.sets(st.sampled_from(STATES)),
)
def test_an_approval_passes_only_what_one_override_names(held: set[State], override: set[State]) -> None:
    """No-change closes; all but flagged and lossy block whatever is overridden; those two must both be named."""
    conditions = tuple(state for state in STATES if state in held)
    refused = approval_problem(_found(*conditions), frozenset(override))
    if State.NO_CHANGE in held:
        assert refused is None
    elif held - OVERRIDABLE:
        assert refused is not None
        assert refused[0] in held - OVERRIDABLE
    else:
        assert (refused is None) == (held <= override)


@pytest.mark.parametrize(
    ("conditions", "asked"),
    [
        ((State.READY,), set()),
        ((State.LOSSY,), {State.LOSSY}),
        ((State.FLAGGED,), {State.FLAGGED}),
        ((State.FLAGGED, State.LOSSY), {State.FLAGGED, State.LOSSY}),
        ((State.FLAGGED, State.OVER_LIMIT), set()),
        ((State.NO_CHANGE, State.FLAGGED), set()),
        ((State.STALE, State.FLAGGED), set()),
    ],
)
def test_the_second_key_asks_for_each_condition_that_can_be_passed(conditions, asked) -> None:
    """One question names them all; where something else blocks there is no question."""
    assert needs_second_key(_found(*conditions)) == asked


def test_a_bulk_takes_only_what_needs_no_question() -> None:
    """Ready and effect-free items pass; making room never admits a flagged or lossy one."""
    assert plan_problem(_found(State.READY)) is None
    assert plan_problem(_found(State.NO_CHANGE, State.FLAGGED)) is None
    assert plan_problem(_found(State.FLAGGED))[0] is State.FLAGGED
    assert plan_problem(_found(State.LOSSY))[0] is State.LOSSY
    assert "second confirmation" in plan_problem(_found(State.LOSSY))[1].message


# -- room ---------------------------------------------------------------------------------------------------------


def test_room_is_made_by_few_items_largest_first() -> None:
    """One large remove is named rather than two small ones."""
    found = snapshot(joined("a" * 10, "b" * 40, "c" * 20))
    others = [preflight(item(name, drop(name * 10)), found) for name in "abc"]
    assert room_makers(30, others) == ("b",)
    assert room_makers(50, others) == ("b", "c")
    assert room_makers(500, others) == ()


def test_two_items_that_take_one_entry_make_its_room_once() -> None:
    """Alternatives are not added up."""
    found = snapshot(joined("a" * 40, "b" * 20))
    others = [preflight(item(name, drop("a" * 10)), found) for name in ("one", "two")]
    assert room_makers(43, others) == ("one",)
    assert room_makers(60, others) == ()


def test_only_clean_items_make_room() -> None:
    """A flagged, lossy or growing item is never suggested."""
    found = snapshot(joined(NET, "tea"))
    flagged, growing = item("f", swap(NET, HIDDEN)), item("g", add("x"))
    lossy = item("l", swap("web port 8080", "[nas] web port 9090"))
    others = [preflight(proposal, found) for proposal in (flagged, growing, lossy)]
    assert room_makers(1, others) == ()


# -- snapshot -----------------------------------------------------------------------------------------------------


def test_a_snapshot_digest_changes_with_documents_limits_and_presence() -> None:
    """A hint made for one snapshot is never taken for another."""
    digests = {
        found.digest
        for found in (
            snapshot("tea"),
            snapshot("cup"),
            snapshot(None),
            snapshot(""),
            snapshot("tea", memory_limit=1),
            snapshot("tea", memory_limit=None),
            Snapshot({MEMORY: unreadable(MEMORY, "x")}),
        )
    }
    assert len(digests) == 7


def test_a_target_never_stored_is_missing() -> None:
    """No entry of the mapping means no file."""
    assert Snapshot({}).document(Target.USER).raw is None
    assert preflight(item("a", Operation(Action.ADD, USER, content="x")), Snapshot({})).state is State.READY


def test_a_remove_that_takes_more_than_it_names_is_seen() -> None:
    """Hermes removes the whole entry, whatever part of it the match names."""
    found = look(item("a", drop("web port 8080")), NET)
    assert found.conditions == (State.READY,)
    assert [(place.finding.rule, place.finding.severity) for place in found.findings] == [("removes-more", "soft")]
    assert "2 more facts" in found.findings[0].finding.reason
    assert found.along == {0: ("[net] router is 10.0.0.1", "[print] tray 2 holds A5")}
    whole = look(item("a", drop(NET)), NET)
    assert (whole.findings, whole.along, whole.inside) == ((), {}, {})


def test_a_remove_can_be_taken_down_to_what_it_means() -> None:
    """Inside only is then a replace that leaves the rest of the entry, and takes nothing along."""
    tools = "ripgrep is installed as rg; fd is called fdfind on juniper."
    waiting = item("a", drop("ripgrep is installed as rg"))
    found = look(waiting, tools)
    assert found.along == {0: ("fd is called fdfind on juniper.",)}
    assert found.inside == {0: "fd is called fdfind on juniper."}
    less = look(edited(waiting, Edit(found.inside, inside=frozenset(found.inside))), tools)
    assert less.conditions == (State.READY,)
    assert less.outcome[MEMORY].after == ("fd is called fdfind on juniper.",)
    assert (less.along, less.lost) == ({}, ())
    assert edited(waiting, Edit({0: "a person's own text"})).problem is not None, "a remove has no text to be reworded"
