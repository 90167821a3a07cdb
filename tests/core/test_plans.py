"""Plans: one change per request, with everything that is recorded beside its effect, or a reason why there is none."""

from __future__ import annotations

import json
from contextlib import nullcontext
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from curator_tui.core.changes import Decided, Waiting
from curator_tui.core.documents import parse, unreadable
from curator_tui.core.endings import Ending
from curator_tui.core.errors import UsageError
from curator_tui.core.ledger import commitment, item_name
from curator_tui.core.operations import Action, Operation, Problem
from curator_tui.core.preflight import Snapshot, State
from curator_tui.core.proposals import Edit
from curator_tui.core.requests import Kind, Pinned, ReasonCode, Request
from tests.strategies import entry_lists, operations
from tests.worlds import (
    MEMORY,
    PERSON,
    USER,
    add,
    after,
    approve,
    decide,
    drop,
    hows,
    item,
    joined,
    planned,
    reasons,
    reject,
    snapshot,
    stamp,
    swap,
    view,
)

TOKEN = "CI token is ghp_" + "A1b2C3d4" * 4 + "E5f6"


def correct(found, *steps: Operation, **parts):
    """Plan a person's own operations."""
    return planned(view(found), Request(stamp(), Kind.CORRECT, corrections=steps, **parts))


# -- decisions ----------------------------------------------------------------------------------------------------


def test_an_approval_carries_everything_a_store_needs() -> None:
    """New bytes, what they replace, an image of both documents, the record to unlink, one row, the receipt."""
    found = view(snapshot("tea", "cup"), item("a1b2c3d4", add("x")))
    change = decide(found, approve("a1b2c3d4"))
    assert change.documents == {MEMORY: joined("tea", "x")}
    assert change.before == {MEMORY: b"tea"}
    assert [image.files for image in change.images] == [{MEMORY: b"tea", USER: b"cup"}]
    closed = change.closed[0]
    assert (closed.proposal, closed.ending, closed.keep) == ("a1b2c3d4", "approve", b"record a1b2c3d4")
    assert closed.digest == found.waiting["a1b2c3d4"].proposal.digest
    assert [row["action"] for row in change.rows] == ["approve"]
    assert change.known == {MEMORY: joined("tea", "x"), USER: b"cup"}
    receipt = change.receipt
    assert (receipt.change, receipt.backup, receipt.done) == (change.id, change.images[0].id, True)
    assert {t: (s.size, s.limit) for t, s in receipt.sizes.items()} == {MEMORY: (7, 2200), USER: (3, 1375)}


def test_a_rejection_touches_no_document_and_takes_no_image() -> None:
    """The record leaves the queue with its bytes kept for undo."""
    change = decide(view(snapshot("tea"), item("a", add("x"))), reject("a", reason=ReasonCode.WRONG))
    assert (change.documents, change.images) == ({}, ())
    assert change.closed[0].keep == b"record a"
    assert change.rows[0]["decisions"][0]["reason"] == "wrong"
    assert change.receipt.backup is None


def test_an_item_without_effect_closes_without_write_or_image_and_is_marked_recovered() -> None:
    """T12: what was written before a crash is closed, not written again."""
    change = decide(view(snapshot("tea"), item("a", add("tea"))), approve("a"))
    assert (change.documents, change.images, hows(change)) == ({}, (), {"a": "already in effect"})
    assert change.rows[0]["decisions"][0]["recovered"] is True
    assert change.rows[0]["action"] == "approve"


def test_what_cannot_be_applied_stays_waiting_with_its_own_reason() -> None:
    """One failure neither hides nor stops another; nothing is said to be applied that was not."""
    found = view(
        snapshot(joined("green tea", "black tea"), memory_limit=25),
        item("stale", drop("canoe")),
        item("many", drop("tea")),
        item("large", add("x" * 30)),
        item("good", add("y")),
    )
    change = decide(found, *(approve(name) for name in ("stale", "many", "large", "good")))
    assert {name: state for name, (state, _) in reasons(change).items()} == {
        "stale": "stale",
        "many": "ambiguous",
        "large": "over-limit",
    }
    assert hows(change) == {"good": "approve"}
    assert [part.proposal for part in change.closed] == ["good"]
    assert not change.receipt.done


@pytest.mark.parametrize("verb", [approve, reject])
def test_an_item_called_what_rows_call_another_one_is_told_from_it(verb) -> None:
    """Every text of a change has an id of its own, whatever the files are called."""
    twin = item_name("hello")
    change = decide(view(snapshot(), item("hello", add("tea")), item(twin, add("cup"))), verb("hello"), verb(twin))
    names = [text.id for text in change.texts]
    assert len(names) == len(set(names))
    assert len({part["proposal"] for part in change.rows[0]["decisions"]}) == 2


def test_a_plan_of_nothing_stores_nothing() -> None:
    """When every decision fails the change is empty and no change id is claimed."""
    change = decide(view(snapshot("tea"), item("a", drop("canoe"))), approve("a"))
    assert change.empty
    assert (change.receipt.change, change.receipt.backup) == (None, None)


@pytest.mark.parametrize(
    ("decisions", "action"),
    [
        ([approve("a")], "approve"),
        ([approve("a"), approve("b")], "approve"),
        ([reject("a")], "reject"),
        ([approve("a"), reject("b")], "plan"),
        ([approve("a", edit=Edit(contents={0: "z"}))], "edit"),
    ],
)
def test_the_row_names_what_was_done(decisions, action) -> None:
    """One kind of decision is named, several are a plan."""
    change = decide(view(snapshot("tea"), item("a", add("x")), item("b", add("y"))), *decisions)
    assert change.rows[0]["action"] == action


def test_an_edit_writes_the_edited_text_and_keeps_the_record_as_it_was() -> None:
    """Undo returns what waited, not what was made of it."""
    change = decide(view(snapshot("tea"), item("a", add("x"))), approve("a", edit=Edit(contents={0: "better"})))
    assert after(change) == ("tea", "better")
    assert (change.closed[0].ending, change.closed[0].keep) == ("edit", b"record a")


# -- who was first ------------------------------------------------------------------------------------------------


def test_an_unknown_item_is_said_to_be_unknown() -> None:
    """Also where its name would fake a message; the rest of the plan goes on."""
    change = decide(view(snapshot("tea"), item("a", add("x"))), approve("gone\n\x1b[2J"), approve("a"))
    state, message = reasons(change)["gone\n\x1b[2J"]
    assert state == "unknown"
    assert "\x1b" not in message
    assert "\n" not in message
    assert hows(change) == {"a": "approve"}


def test_the_loser_of_a_race_is_told_who_won_and_when() -> None:
    """One decision per proposal: the second learns verb, person and time."""
    ended = Decided("a", "digest", Ending.REJECT, "c0", replace(PERSON, name="ann"), 1_790_000_000.0)
    change = decide(view(snapshot("tea"), decided={"a": ended}), approve("a"))
    state, message = reasons(change)["a"]
    assert state == "decided"
    assert message == "already decided: reject by ann at 2026-09-21 14:13:20 UTC"


def test_a_record_changed_since_it_was_looked_at_is_not_decided() -> None:
    """A decision bound to a digest never hits another text under the same name."""
    change = decide(view(snapshot("tea"), item("a", add("x"))), approve("a", digest="of another record"))
    assert reasons(change)["a"][0] == "moved"
    assert change.empty


def test_one_item_is_decided_once_per_request() -> None:
    """A repeat is the same decision; a contradiction keeps the first and says so."""
    found = view(snapshot("tea"), item("a", add("x")))
    assert len(decide(found, approve("a"), approve("a")).closed) == 1
    change = decide(found, approve("a"), reject("a"))
    assert hows(change) == {"a": "approve"}
    assert reasons(change)["a"][0] == "decided"


# -- bound to what was shown --------------------------------------------------------------------------------------


def test_a_decision_bound_to_what_is_there_goes_through() -> None:
    """The digest a preview gave is the one the plan computes again."""
    found = view(snapshot("tea"), item("a", add("x")))
    shown = decide(found, approve("a")).receipt.digest
    assert decide(found, approve("a"), shown=shown).documents == {MEMORY: joined("tea", "x")}


@pytest.mark.parametrize("change_of", ["document", "record", "gone"])
def test_a_decision_bound_to_what_is_not_there_any_more_writes_nothing_at_all(change_of: str) -> None:
    """Not even the part that would still apply; the answer carries the new digest."""
    found = view(snapshot("tea"), item("a", add("x")), item("b", add("y")))
    shown = decide(found, approve("a"), approve("b")).receipt.digest
    if change_of == "document":
        moved = view(snapshot("green tea"), item("a", add("x")), item("b", add("y")))
    elif change_of == "record":
        moved = view(snapshot("tea"), item("a", add("other")), item("b", add("y")))
    else:
        moved = view(snapshot("tea"), item("b", add("y")))
    change = decide(moved, approve("a"), approve("b"), shown=shown)
    assert change.empty
    assert change.receipt.moved
    assert change.receipt.digest != shown
    assert change.receipt.change is None


def test_what_was_not_there_when_it_was_shown_either_does_not_keep_the_rest_from_being_applied() -> None:
    """A digest binds to all that was named, the part that was not there included; nothing drops out of the answer."""
    found = view(snapshot("tea"), item("b", add("y")))
    alone = decide(found, approve("b")).receipt.digest
    both = decide(found, approve("gone"), approve("b")).receipt.digest
    assert alone != both
    done = decide(found, approve("gone"), approve("b"), shown=both)
    assert (hows(done), {name: state for name, (state, _) in reasons(done).items()}) == (
        {"b": "approve"},
        {"gone": "unknown"},
    )
    moved = decide(found, approve("gone"), approve("b"), shown=alone)
    assert moved.empty
    assert moved.receipt.moved
    assert {name: state for name, (state, _) in reasons(moved).items()} == {"gone": "unknown", "b": "moved"}


def test_what_no_person_looked_at_is_planned_on_what_is_there() -> None:
    """Without a shown digest there is nothing to be moved from."""
    change = decide(view(snapshot("green tea"), item("a", add("x"))), approve("a"))
    assert not change.receipt.moved


# -- refused attempts ---------------------------------------------------------------------------------------------


def test_only_a_flagged_item_named_without_override_leaves_a_refused_row() -> None:
    """Stale, ambiguous, over-limit and lossy are answers, not rows."""
    found = view(
        snapshot("[net] router is 10.0.0.1 [nas] web port 8080 [print] tray 2 holds A5", memory_limit=100),
        item("f1a9ed00", add("a\u202eb")),
        item("0ffff000", drop("canoe")),
        item("0fffff00", add("x" * 90)),
        item("105500aa", swap("8080", "9090")),
    )
    change = decide(found, *(approve(name) for name in found.waiting))
    assert [row["action"] for row in change.rows] == ["refused"]
    refused = change.rows[0]["decisions"]
    assert refused == [{"proposal": "f1a9ed00", "decision": "refused", "reason": "direction-override"}]
    assert change.receipt.change is None
    assert change.closed == ()


def test_an_override_is_recorded_with_what_it_passed_and_the_persons_words_apart() -> None:
    """The row names the condition; the words stand in a text of their own."""
    found = view(snapshot("tea"), item("a", add("a\u202eb")))
    change = decide(found, approve("a", override=frozenset({State.FLAGGED, State.LOSSY}), note="known to be harmless"))
    part = change.rows[0]["decisions"][0]
    assert part["override"] == ["flagged"]
    note = next(text for text in change.texts if text.id == part["note"])
    assert note.body == b"known to be harmless"
    assert "harmless" not in json.dumps(change.rows)


# -- secrets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decision", [reject("a"), replace(reject("a"), verb="log-only")])
def test_a_rejected_secret_leaves_no_bytes_behind_and_says_so(decision) -> None:
    """Nothing is kept for undo, neither in the closed record nor in any text or row."""
    proposal = item("a", add(TOKEN))
    found = view(snapshot("tea"), waiting={"a": Waiting(proposal, f"record {TOKEN}".encode())})
    change = decide(found, decision)
    assert change.closed[0].keep is None
    assert "held a secret: nothing of it was kept" in change.receipt.notes[0]
    assert change.receipt.unkept == ("a",)
    assert not change.receipt.undoable, "nothing is offered that cannot be done"
    assert change.rows[0]["decisions"][0]["record"] == {"size": len(TOKEN) + 7, "kept": False}
    assert not any(b"ghp_" in text.body for text in change.texts)


def test_a_secret_in_any_field_of_a_rejected_record_counts() -> None:
    """A record that cannot be read, or that hides the secret outside its content, keeps nothing either."""
    broken = item("a", problem=Problem("unreadable-record", "unreadable JSON"), unreadable=True)
    summary = item("b", add("harmless"))
    found = view(
        snapshot("tea"),
        waiting={"a": Waiting(broken, b'{"payl ' + TOKEN.encode()), "b": Waiting(summary, TOKEN.encode() + b"\xff")},
    )
    change = decide(found, reject("a"), reject("b"))
    assert [part.keep for part in change.closed] == [None, None]


def test_a_secret_closed_along_with_a_group_leaves_nothing_behind_either() -> None:
    """Rejected along or superseded: nobody wanted it, so it is not kept."""
    plain = item("a", swap("old", "harmless", pin="old"))
    for content, raw in ((TOKEN, b"record b"), ("harmless", TOKEN.encode())):
        secret = item("b", swap("old", content, pin="old"))
        waiting = {"a": Waiting(plain, b"record a"), "b": Waiting(secret, raw)}
        change = decide(view(snapshot("old"), waiting=waiting), approve("a", closes=("b",)))
        assert {part.proposal: part.keep is None for part in change.closed} == {"a": False, "b": True}
    change = decide(view(snapshot("old"), waiting=waiting), reject("a", closes=("b",)))
    assert {part.proposal: part.keep is None for part in change.closed} == {"a": False, "b": True}


def test_a_reject_says_which_other_outcomes_of_its_group_still_wait() -> None:
    """They stay in the queue, and the answer does not pass over that in silence."""
    found = view(
        snapshot("old"), *(item(name, swap("old", text, pin="old")) for name, text in (("a", "x"), ("b", "y")))
    )
    change = decide(found, reject("a", closes=("b",)))
    assert [part.proposal for part in change.closed] == ["a"]
    (note,) = change.receipt.notes
    assert "still waiting" in note
    assert note.endswith(" b")


def test_an_approved_secret_is_kept_because_the_document_holds_it() -> None:
    """Undo of an approval returns its item, whatever it holds."""
    change = decide(view(snapshot("tea"), item("a", add(TOKEN))), approve("a", override=frozenset({State.FLAGGED})))
    assert change.closed[0].keep == b"record a"


# -- groups -------------------------------------------------------------------------------------------------------


def test_a_group_is_closed_in_the_same_change_and_its_words_end_as_words() -> None:
    """Rows and queue say ``superseded``; the receipt says by whom."""
    found = view(
        snapshot("old"), item("a1a1a1a1", swap("old", "x", pin="old")), item("b2b2b2b2", drop("old", pin="old"))
    )
    change = decide(found, approve("a1a1a1a1", closes=("b2b2b2b2",)))
    assert hows(change) == {"a1a1a1a1": "approve", "b2b2b2b2": "superseded by a1a1a1a1"}
    assert {part.proposal: part.ending for part in change.closed} == {"a1a1a1a1": "approve", "b2b2b2b2": "superseded"}
    assert change.rows[0]["decisions"][1]["by"] == "a1a1a1a1"


# -- what others wrote --------------------------------------------------------------------------------------------


def test_first_contact_is_recorded_with_an_image_of_what_stands_there() -> None:
    """A state we did not write can be rolled back to."""
    change = planned(view(snapshot("tea"), known={}), Request(stamp(), Kind.OBSERVE))
    assert [row["action"] for row in change.rows] == ["first seen"]
    assert change.images[0].files == {MEMORY: b"tea", USER: None}
    assert change.rows[0]["actor"]["kind"] == "outside"
    assert change.known == {MEMORY: b"tea", USER: None}
    assert change.receipt.change is None


def test_an_outside_write_is_recorded_with_an_image_of_what_it_replaced() -> None:
    """The last known bytes are imaged before we write over what came after them."""
    found = view(snapshot("by hand"), item("a", add("x")), known={MEMORY: b"tea", USER: None})
    change = decide(found, approve("a"))
    assert [row["action"] for row in change.rows] == ["outside", "approve"]
    known = next(image for image in change.images if image.id.endswith("-known"))
    assert known.files[MEMORY] == b"tea"
    assert next(image for image in change.images if image.id == change.receipt.backup).files[MEMORY] == b"by hand"


def test_bytes_that_cannot_be_decoded_are_known_and_imaged_all_the_same() -> None:
    """Every state that stood between two looks can be restored; only what cannot be read at all is passed over."""
    broken = view(snapshot(b"\xff\xfe", "cup"), item("a", add("x", USER)), known={MEMORY: b"tea", USER: b"cup"})
    change = decide(broken, approve("a"))
    assert change.known[MEMORY] == b"\xff\xfe"
    assert [row["action"] for row in change.rows] == ["outside", "approve"]
    assert change.images[0].files == {MEMORY: b"\xff\xfe", USER: b"cup"}
    assert change.images[1].files[MEMORY] == b"tea"
    closed = Snapshot({MEMORY: unreadable(MEMORY, "no permission"), USER: parse(USER, b"cup")}, {})
    change = decide(view(closed, item("a", add("x", USER)), known={MEMORY: b"tea", USER: b"cup"}), approve("a"))
    assert MEMORY not in change.known
    assert change.images[0].files == {USER: b"cup"}
    assert [row["action"] for row in change.rows] == ["approve"]


def test_nothing_new_is_nothing_to_record() -> None:
    """Observing a known state stores nothing."""
    assert planned(view(snapshot("tea")), Request(stamp(), Kind.OBSERVE)).empty


def test_pins_of_first_sight_are_recorded_once() -> None:
    """With the next change, whatever it is; those the book has are left out."""
    sighted = (Pinned("a", "digest", {0: "tea"}), Pinned("b", "digest", {0: "tea"}))
    found = view(snapshot("tea"), pins={"b": {0: "tea"}})
    change = planned(found, Request(stamp(), Kind.OBSERVE, sighted=sighted))
    assert [pinned.proposal for pinned in change.pinned] == ["a"]
    assert not change.empty


# -- notes on bytes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "steps", "limit", "words"),
    [
        ("\ufefftea", [add("x")], 200, "byte-order mark"),
        ("a\n\n§\nb", [add("x")], 200, "edited by hand"),
        (joined("x" * 30, "y"), [drop("y")], 25, "alone is over the limit"),
        ("a\n§\na\n§\nb\n§\nc", [drop("a"), add("a")], 200, "canonical form"),
    ],
)
def test_what_happened_to_the_bytes_is_said(raw, steps, limit, words) -> None:
    """A dropped mark, a rewritten layout, a file in which Hermes will refuse its own replace and remove."""
    change = decide(view(snapshot(raw, memory_limit=limit), item("a", *steps)), approve("a"))
    assert [words in note for note in change.receipt.notes] == [True]


def test_a_clean_write_has_nothing_to_say() -> None:
    """No note without a cause; a drift the change itself ends is not reported."""
    assert decide(view(snapshot("tea"), item("a", add("x"))), approve("a")).receipt.notes == ()
    mended = decide(view(snapshot("a\n§\nb \n§\nc"), item("a", drop("b"))), approve("a"))
    assert mended.receipt.notes == ()


# -- corrections --------------------------------------------------------------------------------------------------


def test_a_persons_own_words_obey_the_same_rules() -> None:
    """Normalised, located, measured, written as one change with an image."""
    change = correct(
        snapshot("green tea"), Operation(Action.REPLACE, MEMORY, match=" tea ", content=" coffee\r\nblack\n")
    )
    assert after(change) == ("coffee\nblack",)
    assert change.rows[0]["action"] == "replace"
    assert change.images[0].files[MEMORY] == b"green tea"
    assert change.closed == ()


@pytest.mark.parametrize(
    ("step", "state"),
    [
        (swap("tea", "tea"), "no-change"),
        (drop("canoe"), "stale"),
        (drop("e"), "ambiguous"),
        (add("x" * 40), "over-limit"),
        (Operation(Action.ADD, MEMORY, content="a\tb"), "invalid"),
        (Operation(Action.ADD, MEMORY, content="a\r\n§\r\nb"), "invalid"),
        (swap("tea", "lemon"), "invalid"),
    ],
)
def test_a_correction_that_cannot_be_made_says_why_and_stores_nothing(step, state) -> None:
    """Each with its own state."""
    change = correct(snapshot(joined("tea", "lemon"), memory_limit=30), step)
    assert change.empty
    assert change.receipt.not_applied[0].state == state


def test_an_add_of_what_stands_there_is_done_without_a_write() -> None:
    """The contract: an exact duplicate add is a silent no-op, not a failure; a hidden copy of an entry is no add."""
    change = correct(snapshot(joined("tea", "lemon")), add("tea"))
    assert change.empty
    assert change.receipt.done
    assert change.receipt.change is None
    assert [str(part.ending) for part in change.receipt.applied] == ["already in effect"]


@pytest.mark.parametrize("kind", [Kind.DECIDE, Kind.CORRECT])
def test_a_request_that_passes_a_finding_and_does_not_say_why_cannot_be_made(kind) -> None:
    """Neither a decision nor a correction; the confirmation of a loss names the loss and needs no reason."""
    for override, refused in ((State.FLAGGED, True), (State.LOSSY, False)):
        passed = frozenset({override})
        bare: dict[str, Any] = {"override": passed}
        if kind is Kind.DECIDE:
            bare = {"decisions": (approve("a"), approve("b", override=passed, reason=None))}
        with pytest.raises(UsageError) if refused else nullcontext():
            Request(stamp(), kind, **bare)


def test_a_corrections_reason_stands_in_its_row_as_a_decisions_does() -> None:
    """The code in the row, the words in a text of their own."""
    passed = frozenset({State.FLAGGED})
    change = correct(snapshot("tea"), add("a\u202eb"), override=passed, reason=ReasonCode.REQUEST, note="my own words")
    assert (change.rows[0]["reason"], change.rows[0]["override"]) == ("request", ["flagged"])
    assert any(text.body == b"my own words" for text in change.texts)


def test_a_flagged_correction_needs_its_override_and_leaves_a_row_without_it() -> None:
    """A person's own words are scanned like any other."""
    refused = correct(snapshot("tea"), add("a\u202eb"))
    assert [row["action"] for row in refused.rows] == ["refused"]
    assert refused.documents == {}
    passed = correct(snapshot("tea"), add("a\u202eb"), override=frozenset({State.FLAGGED}), reason=ReasonCode.WRONG)
    assert passed.rows[0]["override"] == ["flagged"]
    assert after(passed) == ("tea", "a\u202eb")


# -- reopen -------------------------------------------------------------------------------------------------------


def test_reopening_returns_the_exact_record_and_touches_no_memory() -> None:
    """Each item that cannot return has its own reason."""
    ended = {
        name: Decided(name, "digest", Ending.REJECT, "c0", PERSON, 0.0, raw)
        for name, raw in {"kept": b"bytes", "bare": None, "busy": b"bytes"}.items()
    }
    found = view(snapshot("tea"), decided=ended, occupied=frozenset({"busy"}))
    change = planned(found, Request(stamp(), Kind.REOPEN, reopen=("kept", "bare", "busy", "never")))
    assert [(part.proposal, part.raw) for part in change.returned] == [("kept", b"bytes")]
    assert {name: state for name, (state, _) in reasons(change).items()} == {
        "bare": "decided",
        "busy": "waiting",
        "never": "unknown",
    }
    assert (change.documents, change.images) == ({}, ())
    assert planned(found, Request(stamp(), Kind.REOPEN, reopen=("never",))).empty


def test_a_request_names_every_item_it_needs_to_be_read() -> None:
    """Decided ones, those closed along, and those to be reopened."""
    request = Request(stamp(), Kind.DECIDE, decisions=(approve("a", closes=("b",)), reject("a")))
    assert request.proposals == ("a", "b")
    assert Request(stamp(), Kind.REOPEN, reopen=("c",)).proposals == ("c",)


@pytest.mark.parametrize(
    ("kind", "decisions", "touches"),
    [(Kind.DECIDE, (reject("a"),), False), (Kind.DECIDE, (reject("a"), approve("b")), True), (Kind.CORRECT, (), True),
     (Kind.ROLLBACK, (), True), (Kind.UNDO, (), True), (Kind.REOPEN, (), False), (Kind.OBSERVE, (), False)],
)  # fmt: skip
def test_only_what_may_write_a_document_takes_its_lock(kind, decisions, touches) -> None:
    """Rejecting, reopening and observing leave Hermes's locks alone."""
    assert Request(stamp(), kind, decisions=decisions).touches_documents is touches


# -- rows and salts -----------------------------------------------------------------------------------------------


def test_every_commitment_of_a_row_can_be_checked_with_a_kept_salt() -> None:
    """Documents before and after, the record, the image: the salt of each is kept under a name the row gives away."""
    found = view(snapshot("tea", "cup"), item("not-a-random-name", add("x")))
    change = decide(found, approve("not-a-random-name"))
    salts = {text.id: text.salt for text in change.texts if text.kind == "salt"}
    row, name = change.rows[0], change.id
    documents = row["documents"]["memory"]
    assert documents["before"]["commit"] == commitment(salts[f"{name}:memory:before"], b"tea")
    assert documents["after"]["commit"] == commitment(salts[f"{name}:memory:after"], joined("tea", "x"))
    part = row["decisions"][0]
    assert part["proposal"] == item_name("not-a-random-name")
    salt = salts[f"{name}:record:{part['proposal']}"]
    assert part["record"]["commit"] == commitment(salt, b"record not-a-random-name")
    image = row["image"]["USER.md"]
    assert image["commit"] == commitment(salts[f"{name}:image:{row['backup']}:user"], b"cup")
    assert len(set(salts.values())) == len(salts)
    assert all(len(salt) == 16 for salt in salts.values())


@given(st.data())
def test_equal_inputs_give_equal_changes_and_every_item_has_one_end(data: st.DataObject) -> None:
    """Planning is pure; each named item is applied, closed along, or refused, and exactly one of these."""
    standing = tuple(data.draw(entry_lists))
    proposals = [
        item(f"{n:08x}", *data.draw(st.lists(operations(standing), min_size=1, max_size=2)), at=n)
        for n in range(data.draw(st.integers(1, 4)))
    ]
    verbs = data.draw(st.lists(st.sampled_from([approve, reject]), min_size=4, max_size=4))
    found = view(snapshot(joined(*standing) if standing else b"", memory_limit=60), *proposals)
    change = decide(found, *(verb(proposal.id) for verb, proposal in zip(verbs, proposals, strict=False)))
    ends = [*hows(change), *reasons(change)]
    assert sorted(ends) == sorted(proposal.id for proposal in proposals)
    assert {part.proposal for part in change.closed} == set(hows(change))
    assert bool(change.images) == bool(change.documents)
