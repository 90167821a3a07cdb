"""The ledger: every alteration is seen, and no row holds a word of anybody's text."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from curator_tui.core.ledger import (
    GENESIS,
    SealedRow,
    canonical,
    checkpoint,
    commitment,
    committed,
    digest_of,
    item_name,
    mark_partly,
    mark_recovered,
    new_row,
    row_hash,
    seal,
    session_name,
    verify_checkpoint,
    verify_commitment,
)
from curator_tui.core.preflight import State
from curator_tui.core.proposals import Edit
from curator_tui.core.requests import Kind, ReasonCode, Request
from curator_tui.core.times import utc_text
from curator_tui.core.verification import Held, verify
from tests.memory_store import MemoryStore
from tests.worlds import MEMORY, USER, add, approve, chain_problems, drop, item, reject, stamp, swap


def chain(count: int = 4) -> tuple[SealedRow, ...]:
    """Return a sealed chain of rows as plans make them."""
    rows = [
        new_row(
            stamp(n),
            "approve",
            decisions=[{"proposal": "a1b2c3d4", "decision": "approve", "record": committed(b"s" * 16, b"x", n)}],
        )
        for n in range(count)
    ]
    return seal(rows, (0, GENESIS))


def codes(rows) -> list[str]:
    """Return the codes of all problems of a chain."""
    return [problem.code for problem in chain_problems(rows)]


# -- form ---------------------------------------------------------------------------------------------------------


def test_a_value_has_one_canonical_text() -> None:
    """Sorted keys, no spaces, no escapes; the order of making does not matter; what has no single form is refused."""
    assert canonical({"b": 1, "a": ["é", None]}) == '{"a":["é",null],"b":1}'
    assert digest_of({"a": 1, "b": 2}) == digest_of({"b": 2, "a": 1}) != digest_of({"a": 1, "b": 3})
    with pytest.raises(ValueError, match="JSON"):
        canonical(float("nan"))


def test_times_are_utc_to_the_millisecond() -> None:
    """The same text on every machine."""
    assert utc_text(1_790_000_000.1239) == "2026-09-21T14:13:20.123Z"


def test_empty_parts_are_left_out_of_a_row() -> None:
    """A row says what there is; numbers that are zero stay."""
    row = new_row(stamp(1), "approve", backup=None, decisions=[], note="", documents={}, chosen=[0], size=0)
    assert {"chosen", "size"} <= set(row)
    assert not {"backup", "decisions", "note", "documents"} & set(row)
    assert row["actor"] == {"kind": "person", "name": "tester", "through": "cli"}


def test_rows_are_numbered_from_one_without_gaps_and_bound_to_the_one_before() -> None:
    """Sealing in one go or row by row gives the same chain."""
    rows = chain(3)
    assert [row.seq for row in rows] == [1, 2, 3]
    first = seal([{k: v for k, v in rows[0].row.items() if k not in {"seq", "prev"}}], (0, GENESIS))
    rest = seal(
        [{k: v for k, v in row.row.items() if k not in {"seq", "prev"}} for row in rows[1:]], (1, first[0].hash)
    )
    assert (*first, *rest) == rows
    whole = verify(rows, lambda _: Held())
    assert (whole.problems, whole.head, whole.rows) == ((), (3, rows[-1].hash), 3)
    assert verify([], lambda _: Held()).head == (0, GENESIS)


# -- tampering ----------------------------------------------------------------------------------------------------


def _leaves(value, path=()):
    """Yield the path of every value inside a row."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _leaves(part, (*path, name))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _leaves(part, (*path, place))
    else:
        yield path


def _altered(row: SealedRow, path, *, gone: bool) -> SealedRow:
    body = json.loads(row.body)
    place = body
    for step in path[:-1]:
        place = place[step]
    if gone:
        del place[path[-1]]
    else:
        place[path[-1]] = place[path[-1]] + 1 if isinstance(place[path[-1]], int) else f"{place[path[-1]]}x"
    return replace(row, body=canonical(body))


def test_altering_or_deleting_any_single_value_of_any_row_is_detected() -> None:
    """100 % of all fields of all rows, the newest included."""
    rows = chain(3)
    tried = 0
    for place, row in enumerate(rows):
        for path in _leaves(row.row):
            for gone in (False, True):
                broken = [*rows[:place], _altered(row, path, gone=gone), *rows[place + 1 :]]
                assert chain_problems(broken), (place, path, gone)
                tried += 1
    assert tried > 60


@given(st.data())
def test_altering_any_character_of_a_stored_row_is_detected(data: st.DataObject) -> None:
    """Body or hash, one character replaced, added or taken: never silent, never a crash."""
    rows = list(chain(3))
    place = data.draw(st.integers(0, 2))
    name = data.draw(st.sampled_from(["body", "hash"]))
    text = getattr(rows[place], name)
    at = data.draw(st.integers(0, len(text)))
    new = text[:at] + data.draw(st.text(max_size=1)) + text[at + data.draw(st.integers(0, 1)) :]
    assume(new != text)
    rows[place] = replace(rows[place], **{name: new})
    assert chain_problems(rows)


@pytest.mark.parametrize(
    "body", ["", "null", "[1]", '{"seq":NaN}', '{"seq":1,"seq":1}', "[" * 100_000, '"\\ud800"', "{}"]
)
def test_a_body_that_is_no_row_is_a_problem_not_a_crash(body: str) -> None:
    """Even where whoever wrote it computed the hash anew."""
    rows = chain(2)
    assert chain_problems([SealedRow(1, row_hash(body), body), rows[1]])


def test_a_row_altered_and_hashed_anew_is_given_away_by_the_row_behind_it() -> None:
    """Whoever can compute hashes has to alter every later row too, and then the checkpoint tells."""
    rows = list(chain(3))
    body = canonical({**rows[0].row, "action": "reject"})
    rows[0] = SealedRow(1, row_hash(body), body)
    assert codes(rows) == ["chain-broken"]


def test_a_row_has_one_form_only() -> None:
    """The same values written otherwise and hashed anew are no row of ours."""
    rows = chain(2)
    body = json.dumps(rows[1].row, sort_keys=True)
    assert codes([rows[0], SealedRow(2, row_hash(body), body)]) == ["row-altered"]


@given(st.permutations(range(4)))
def test_reordering_rows_is_detected(order: list[int]) -> None:
    """Any order but the right one."""
    rows = chain(4)
    assert bool(codes([rows[n] for n in order])) == (order != sorted(order))


@given(st.sets(st.integers(0, 4), min_size=1, max_size=4))
def test_deleting_rows_before_the_end_is_detected(gone: set[int]) -> None:
    """A hole shows by number and by link."""
    rows = chain(5)
    left = [row for place, row in enumerate(rows) if place not in gone]
    tail = set(range(len(left), 5)) == gone
    assert bool(codes(left)) != tail


def test_an_inserted_row_is_detected_even_when_it_is_sealed_properly() -> None:
    """Whoever knows how to seal still cannot put a row between two others."""
    rows = chain(3)
    forged = seal([{"action": "approve"}], (1, rows[0].hash))
    assert codes([rows[0], *forged, *rows[1:]])
    assert codes([rows[0], *forged, replace(rows[1], seq=3), replace(rows[2], seq=4)])


def test_cutting_the_tail_is_seen_against_a_checkpoint_kept_elsewhere_and_only_there() -> None:
    """A shorter chain is whole in itself."""
    rows = chain(4)
    kept = checkpoint((4, rows[-1].hash), "c4a1", 1_790_000_000.0)
    hashes = {row.seq: row.hash for row in rows}
    assert codes(rows[:3]) == []
    assert verify_checkpoint(hashes, kept) is None
    assert verify_checkpoint({seq: name for seq, name in hashes.items() if seq < 4}, kept).code == "tail-cut"
    assert verify_checkpoint({}, kept).code == "tail-cut"
    assert verify_checkpoint({**hashes, 4: "another"}, kept).code == "chain-replaced"
    assert verify_checkpoint({**hashes, 5: "newer"}, kept) is None
    assert verify_checkpoint(hashes, checkpoint((0, ""), "c4a1", 0.0)) is None
    assert verify_checkpoint(hashes, {"seq": "4"}).code == "checkpoint-unreadable"
    json.dumps(kept)


# -- commitments --------------------------------------------------------------------------------------------------


@given(st.binary(max_size=20), st.binary(max_size=20), st.binary(min_size=16, max_size=16))
def test_a_commitment_holds_for_its_text_alone(data: bytes, other: bytes, salt: bytes) -> None:
    """Right text and salt verify, another text does not, and without salt or text nothing can be said."""
    part = committed(salt, data, len(data))
    assert verify_commitment(part, salt, data) is True
    assert verify_commitment(part, salt, other) is (data == other)
    assert verify_commitment(part, None, data) is None
    assert verify_commitment(part, salt, None) is None
    assert verify_commitment({**part, "commit": "é"}, salt, data) is False


def test_equal_texts_have_unlike_commitments_under_unlike_salts() -> None:
    """A row gives nobody the means to guess a short text."""
    one, two = stamp(1), stamp(2)
    assert commitment(one.salt("x"), b"tea") != commitment(two.salt("x"), b"tea")
    assert commitment(one.salt("x"), b"tea") != commitment(one.salt("y"), b"tea")
    assert len(one.salt("x")) == 16


def test_absent_text_is_said_to_be_absent_and_proves_nothing() -> None:
    """A missing document is not an empty one."""
    assert committed(b"s" * 16, None, 0) == {"absent": True}
    assert committed(b"s" * 16, b"", 0) != {"absent": True}
    assert verify_commitment({"absent": True}, b"s" * 16, b"") is None


# -- names --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["b462cf77", "0a1b2c3d", "0a1b2c3d-1111-2222-3333-444455556666"])
def test_generated_names_stand_in_rows_as_they_are(name: str) -> None:
    """They are random and hold nothing."""
    assert item_name(name) == name


@pytest.mark.parametrize(
    "name", ["brother-in-oslo", "B462CF77", "b462cf7", "deadbeef-canoe", "x-y", "a" * 64, "b462cf77\n"]
)
def test_names_that_could_hold_words_are_replaced_by_a_digest(name: str) -> None:
    """A file name is chosen by whoever wrote the file."""
    shown = item_name(name)
    assert re.fullmatch("x-[0-9a-f]{12}", shown)
    assert shown == item_name(name)


@pytest.mark.parametrize("name", ["hello", "x-y", "x-2cf24dba5fb0"])
def test_no_file_can_take_the_row_name_of_another_one(name: str) -> None:
    """What a name is replaced by is itself a name that a file may have."""
    assert item_name(item_name(name)) != item_name(name)


@pytest.mark.parametrize(
    ("name", "shown"),
    [("20260921_141320_0a1b2c", True), ("20260921_141320_0a1b2c3d", True), ("my-session", False), ("", False),
     ("20260921_141320_canoes", False)],
)  # fmt: skip
def test_a_session_is_named_only_by_a_generated_id(name: str, shown: bool) -> None:
    """Anything else is left out."""
    assert session_name(name) == (name if shown else "")


def test_a_recovered_row_says_so_and_a_partly_carried_out_one_names_what_was_given_up() -> None:
    """Given up documents and their decisions leave the row before it is sealed."""
    row = {
        "documents": {"memory": {}, "user": {}},
        "decisions": [{"proposal": "b462cf77"}, {"proposal": item_name("word")}],
    }
    assert mark_recovered(row)["recovered"] is True
    partly = mark_partly(row, ["user"], ["word"])
    assert partly == {"documents": {"memory": {}}, "decisions": [{"proposal": "b462cf77"}], "partly": ["user"]}
    assert mark_partly({"action": "undo"}, ["user"], []) == {"action": "undo", "partly": ["user"]}


# -- no words -----------------------------------------------------------------------------------------------------

# Letters that no code, name or hexadecimal digest of ours is made of.
_rare = st.text(st.sampled_from("jqxzkyñøßЖ漢"), min_size=4, max_size=8)
_names = st.text(st.sampled_from("jqxzky_-"), min_size=4, max_size=12)


@given(st.lists(_rare, min_size=8, max_size=8, unique=True), st.lists(_names, min_size=5, max_size=5, unique=True))
def test_no_word_of_any_text_stands_in_any_row(words: list[str], names: list[str]) -> None:
    """Documents, proposals, edits, notes, sessions, item names, picked texts: nothing of it is in the ledger."""
    old, new, other, note, typed, outside, flagged, reopened = words
    store = MemoryStore(limits={MEMORY: 500, USER: 500})
    store.files = {MEMORY: f"{old}\n§\n{other} and more".encode(), USER: outside.encode()}
    one, two, three, four, five = names
    steps = {
        one: [swap(old, new)],
        two: [drop(other)],
        three: [add(f"{flagged} \u202e")],
        four: [add(reopened)],
        five: [swap(old, flagged), add(note)],
    }
    for number, (name, operations) in enumerate(steps.items()):
        store.stage(name, operations, float(number))
    requests = [
        Request(
            stamp(1),
            Kind.DECIDE,
            decisions=(
                approve(one, note=note, edit=Edit(contents={0: typed}), source=outside),
                approve(three),
                reject(four, reason=ReasonCode.OTHER, note=note),
            ),
        ),
        Request(stamp(2), Kind.CORRECT, corrections=(add(outside),), note=note),
        Request(stamp(3), Kind.REOPEN, reopen=(four,)),
        Request(stamp(4), Kind.DECIDE, decisions=(approve(three, override=frozenset({State.FLAGGED}), note=note),)),
        Request(stamp(5), Kind.UNDO, reverts=stamp(1).change, takes={0: old}),
        Request(stamp(6), Kind.CORRECT, corrections=(add(f"{typed} \u202e"),)),
    ]
    for request in requests:
        store.transact(request)
        store.write_outside(USER, f"{outside} {request.stamp.change}".encode())
    if store.backups():
        store.transact(Request(stamp(7), Kind.ROLLBACK, backup=store.backups()[0].id, note=note))
    text = "".join(row.body for row in store.rows())
    assert len(store.rows()) >= 8
    assert [word for word in (*words, *names) if word in text] == []
    assert chain_problems(store.rows()) == []


def test_the_property_above_would_see_a_word() -> None:
    """The same search finds a note where a note is put into a row by mistake."""
    rows = seal([new_row(stamp(1), "approve", note="jqxz")], (0, GENESIS))
    assert "jqxz" in rows[0].body
    assert item("a", add("jqxz")).operations[0].content == "jqxz"
