"""Waiting records: every sentence the desk says about a broken one, and that nothing in a record can break the desk."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core.documents import Target
from curator_tui.core.operations import Action, Operation
from curator_tui.core.proposals import ITEM_ID
from curator_tui.stores.hermes.names import RECORD_LIMIT
from curator_tui.stores.hermes.records import DEPTH_LIMIT, item_id, parse_record
from tests.homes import load_case, record


def parsed(value: Any, **dump: Any):
    return parse_record("a1.json", json.dumps(value, **dump).encode())


def with_payload(**payload: Any) -> dict[str, Any]:
    return {"id": "a1", "subsystem": "memory", "payload": payload}


def problem_of(value: Any) -> str:
    problem = parsed(value).problem
    return problem.message if problem else ""


def test_a_single_add_becomes_one_operation_with_its_claims_beside_it():
    value = record("b462cf77", "add", "Use git switch", origin="background_review", summary="add to memory: …")
    raw = json.dumps(value, indent=2, ensure_ascii=False).encode()
    found = parse_record("b462cf77.json", raw)
    assert found.id == "b462cf77"
    assert found.digest == hashlib.sha256(raw).hexdigest()
    assert found.operations == (Operation(Action.ADD, Target.MEMORY, None, "Use git switch"),)
    assert (found.actions, found.target_name, found.origin) == (("add",), "memory", "background_review")
    assert (found.agent_says, found.created_at, found.size) == ("add to memory: …", 1790000000.5, len(raw))
    assert (found.problem, found.unreadable, found.pinned_by) == (None, False, "")


def test_content_and_match_are_normalised_as_they_will_be_stored():
    found = parsed(record("a1", "replace", "  new\r\ntext\r ", "\n old\r\ntext "))
    assert found.operations[0].content == "new\ntext"
    assert found.operations[0].match == "old\ntext"


def test_fields_an_action_does_not_need_are_ignored_as_hermes_ignores_them():
    assert parsed(record("a1", "add", "fact", "old")).operations[0] == Operation(
        Action.ADD, Target.MEMORY, None, "fact"
    )
    removed = parsed(record("a1", "remove", 5, "old"))  # type: ignore[arg-type]
    assert removed.operations[0] == Operation(Action.REMOVE, Target.MEMORY, "old")
    assert removed.problem is None


def test_a_batch_keeps_its_order_and_ignores_keys_it_does_not_know():
    found = parsed(
        with_payload(
            action="batch",
            target="user",
            operations=[
                {"action": "remove", "old_text": "x", "why": {"deep": [1]}},
                {"action": "replace", "old_text": "y", "content": "z"},
                {"action": "add", "content": "w", "target": "user"},
            ],
        )
    )
    assert found.actions == ("remove", "replace", "add")
    assert [operation.action for operation in found.operations] == [Action.REMOVE, Action.REPLACE, Action.ADD]
    assert {operation.target for operation in found.operations} == {Target.USER}
    assert found.problem is None


def test_a_pin_of_newer_hermes_is_the_whole_entry_and_says_who_pinned():
    single = parsed(with_payload(action="replace", target="memory", old_text="a", content="b", matched_entry="a c "))
    assert (single.operations[0].pin, single.pinned_by) == ("a c", "record")
    batch = parsed(
        with_payload(action="batch", operations=[{"action": "remove", "old_text": "a", "matched_entry": "a"}])
    )
    assert (batch.operations[0].pin, batch.pinned_by, batch.unpinned) == ("a", "record", False)


def test_new_text_stands_for_content_and_content_wins():
    assert parsed(with_payload(action="add", new_text="n")).operations[0].content == "n"
    assert parsed(with_payload(action="add", new_text="n", content="c")).operations[0].content == "c"
    assert parsed(with_payload(action="add", new_text="n", content=None)).operations[0].content == "n"


@pytest.mark.parametrize("target", [{}, {"target": None}])
def test_a_missing_or_null_target_is_memory(target: dict[str, Any]):
    found = parsed(with_payload(action="add", content="c", **target))
    assert (found.targets, found.target_name) == ((Target.MEMORY,), "memory")


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ({"action": "add", "text": "x"}, "content is missing (found field text)"),
        ({"action": "add", "content": None}, "content is missing"),
        ({"action": "add", "content": "  \n "}, "content is empty"),
        ({"action": "add", "content": 5}, "content is a number, not text"),
        ({"action": "add", "content": ["x"]}, "content is a list, not text"),
        ({"action": "add", "content": "x", "target": "project"}, "unknown target project"),
        ({"action": "add", "content": "x", "target": ""}, "unknown target "),
        ({"action": "add", "content": "x", "target": 7}, "unknown target a number"),
        ({"action": "replace", "content": "x", "match": "y"}, "(found field match)"),
        ({"action": "replace", "content": "x", "old_text": " "}, "the text to match is empty"),
        ({"action": "remove", "old_text": True}, "old_text is true or false, not text"),
        ({"action": "remove", "old_text": "x", "matched_entry": 3}, "matched_entry is a number, not text"),
        ({"action": "patch", "content": "x"}, "unknown action patch"),
        ({"action": "extraction_proposal"}, "unknown action extraction_proposal"),
        ({"content": "x"}, "action is missing"),
        ({"action": 1}, "unknown action a number"),
        ({"action": "batch"}, "operations is missing"),
        ({"action": "batch", "operations": None}, "operations is null, not a list"),
        ({"action": "batch", "operations": {}}, "operations is an object, not a list"),
        ({"action": "batch", "operations": []}, "operations is empty"),
        (
            {"action": "batch", "operations": [{"action": "add", "content": "a"}, None]},
            "operation 2: it is null, not an",
        ),
        ({"action": "batch", "operations": ["x"]}, "operation 1: it is text, not an object"),
        ({"action": "batch", "operations": [{"action": "patch"}]}, "operation 1: unknown action patch"),
        ({"action": "batch", "operations": [{"action": "batch"}]}, "operation 1: unknown action batch"),
        ({"action": "batch", "operations": [{"action": "add", "text": "a"}]}, "operation 1: content is missing (found"),
        (
            {"action": "batch", "operations": [{"action": "add", "content": "a", "target": "user"}]},
            "operation 1: names the target user, but the record is for memory",
        ),
        ({"action": "add", "content": "a\n§\nb"}, "a line that is only §"),
    ],
)
def test_each_broken_contract_has_its_own_words(payload: dict[str, Any], message: str):
    found = parsed({"id": "a1", "payload": payload})
    assert found.problem is not None
    assert message in found.problem.message
    assert not found.unreadable


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "payload is missing"),
        ({"payload": None}, "payload is null, not an object"),
        ({"payload": [1]}, "payload is a list, not an object"),
        ({"payload": {"action": "add", "content": "x"}, "subsystem": "skills"}, "belongs to skills, not to memory"),
        ({"payload": {"action": "add", "content": "x"}, "subsystem": 4}, "belongs to a number, not to memory"),
    ],
)
def test_a_record_that_is_none_of_memory_is_shown_and_cannot_be_applied(value: Any, message: str):
    found = parsed(value)
    assert found.problem is not None
    assert found.problem.message == message
    assert found.operations == ()


def test_what_is_structurally_wrong_carries_no_operation_so_that_an_edit_cannot_mend_it_into_another_document():
    for payload in (
        {"action": "add", "content": "x", "target": "project"},
        {"action": "patch", "content": "x"},
        {"action": "batch", "operations": [{"action": "add", "content": "x"}, {"action": "?"}]},
    ):
        assert parsed({"payload": payload}).operations == ()
    assert parsed({"payload": {"action": "patch"}}).actions == ("patch",)


def test_wrong_words_keep_their_operation_so_that_a_person_can_mend_them():
    found = parsed(with_payload(action="add", text="Has two monitors"))
    assert [operation.action for operation in found.operations] == [Action.ADD]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (1, 1.0),
        (1.25, 1.25),
        ("1790000000.5", 1790000000.5),
        ("yesterday", None),
        ("nan", None),
        ("1e999", None),
        (0, 0.0),
        (-0.5, None),
        (-1e300, None),
        (1e300, None),
        (253_402_300_799, 253_402_300_799.0),
        (253_402_300_800, None),
        (True, None),
        (None, None),
        ([1], None),
    ],
)
def test_a_time_is_a_number_or_nothing(written: Any, read: float | None):
    assert parsed({**record("a1", "add", "x"), "created_at": written}).created_at == read


def test_claims_of_a_wrong_type_are_empty_and_harm_nothing():
    found = parsed({**record("a1", "add", "x"), "summary": 5, "origin": ["x"], "id": {"a": 1}, "action": 9})
    assert (found.agent_says, found.origin, found.problem) == ("", "", None)


@pytest.mark.parametrize(
    ("raw", "code", "message"),
    [
        (b"", "not-json", "unreadable JSON: the file is empty"),
        (b"  \n", "not-json", "unreadable JSON: the file is empty"),
        (b'{"id": "a", "payl', "not-json", "unreadable JSON: Unterminated string starting at (byte 12)"),
        ('{"ä": "§", x}'.encode(), "not-json", "(byte 13)"),
        (b"[1]", "not-an-object", "unreadable JSON: it is a list, not an object"),
        (b'"x"', "not-an-object", "unreadable JSON: it is text, not an object"),
        (b"null", "not-an-object", "unreadable JSON: it is null, not an object"),
        (b'{"a": "\xff"}', "not-utf8", "unreadable JSON: byte 7 is not valid UTF-8"),
        (b'{"a": "\xed\xa0\x80"}', "not-utf8", "unreadable JSON: byte 7 is not valid UTF-8"),
        ("{}".encode("utf-16"), "not-utf8", "byte 0"),
        (b'{"a": NaN}', "not-a-number", "unreadable JSON: NaN is no number in JSON"),
        (b'{"a": -Infinity}', "not-a-number", "unreadable JSON: -Infinity is no number in JSON"),
        (b'{"a": 1e999}', "number-too-large", "unreadable JSON: a number is too large"),
        (b'{"a": 18446744073709551616}', "number-too-large", "larger than 64 bits"),
        (b'{"a": [{"b": -9223372036854775809}]}', "number-too-large", "larger than 64 bits"),
        (b'{"a": ' + b"9" * 5000 + b"}", "number-too-large", "larger than 64 bits"),
        (b'{"a": "\\ud800"}', "lone-surrogate", "half of a surrogate pair"),
        (b'{"a": "\\udc00x"}', "lone-surrogate", "half of a surrogate pair"),
        (b'{"a": 1, "a": 2}', "duplicate-key", "unreadable JSON: the key a comes twice"),
        (b'{"a": 1, "\\u0061": 2}', "duplicate-key", "the key a comes twice"),
        (b'{"a" : 1, "a":2}', "duplicate-key", "the key a comes twice"),
        (b'{"a"\n\t :1,"a"\r\n:2, "x": "\\":"}', "duplicate-key", "the key a comes twice"),
        (b'{"payload": {"action": "add", "action": "remove"}}', "duplicate-key", "the key action comes twice"),
        (b'{"a": ' + b"[" * DEPTH_LIMIT + b"]" * DEPTH_LIMIT + b"}", "too-deep", "deeper than 32"),
        (b'{"a": ' + b"[" * 200_000, "too-deep", "deeper than 32"),
        (b" " * (RECORD_LIMIT + 1), "too-large", "larger than 1,048,576 bytes"),
    ],
)
def test_each_kind_of_unreadable_record_says_why(raw: bytes, code: str, message: str):
    found = parse_record("a1.json", raw)
    assert found.unreadable
    assert found.problem is not None
    assert (found.problem.code, message in found.problem.message) == (code, True), found.problem
    assert found.operations == ()
    assert found.digest == hashlib.sha256(raw).hexdigest()


@pytest.mark.parametrize(
    "raw",
    [
        b'\xef\xbb\xbf{"payload": {"action": "add", "content": "x"}}',
        b'{"payload": {"action": "add", "content": "x"}, "n": 18446744073709551615}',
        b'{"payload": {"action": "add", "content": "x"}, "n": -9223372036854775808}',
        b'{"payload": {"action": "add", "content": "x"}, "s": "a \\":b\\" : c"}',
        b'{"payload": {"action": "add", "content": "x", "old_text" : ": :"}}',
        b'{"payload":{"action":"add","content":"x"},"d":' + b"[" * 30 + b"]" * 30 + b"}",
    ],
)
def test_unusual_but_sound_records_are_read(raw: bytes):
    found = parse_record("a1.json", raw)
    assert found.problem is None
    assert found.operations == (Operation(Action.ADD, Target.MEMORY, None, "x"),)


def test_control_characters_in_a_record_are_read_as_they_are():
    found = parsed(record("a1", "add", "bell \x07 and \x1b[31m"))
    assert (found.problem, found.operations[0].content) == (None, "bell \x07 and \x1b[31m")


def test_hostile_names_in_a_message_are_made_visible():
    assert "\x1b" not in problem_of({"payload": {"action": "\x1b[2J"}})
    assert "\x1b" not in problem_of({"payload": {"action": "add", "\x1b]52;c": "x"}})
    assert "\x1b" not in problem_of({"payload": {"action": "add", "content": "x", "target": "\x1b[2J\nuser"}})
    assert "\n" not in problem_of({"payload": {"action": "add", "content": "x", "target": "\x1b[2J\nuser"}})


@pytest.mark.parametrize(
    ("name", "item"),
    [("b462cf77.json", "b462cf77"), ("A-_9.json", "A-_9"), ("a" * 64 + ".json", "a" * 64)],
)
def test_a_stem_that_is_an_id_is_the_item_id(name: str, item: str):
    assert item_id(name) == item


@pytest.mark.parametrize(
    "name", [".json", ".hidden.json", "a b.json", "a" * 65 + ".json", "ä.json", "a.b.json", "a\n.json", "\udcff.json"]
)
def test_any_other_name_gets_a_hashed_id(name: str):
    assert re.fullmatch(r"x-[0-9a-f]{12}", item_id(name))
    assert parse_record(name, b"{}").id == item_id(name)


@given(st.text(min_size=1).filter(lambda text: "\0" not in text and not re.search("[\ud800-\udfff]", text)))
def test_ids_match_the_grammar_and_so_never_form_a_path(name: str):
    assert ITEM_ID.fullmatch(item_id(name + ".json"))


@given(st.binary(max_size=400))
def test_parsing_never_raises_for_any_bytes(raw: bytes):
    found = parse_record("a1.json", raw)
    assert found.problem is not None
    assert found.digest == hashlib.sha256(raw).hexdigest()


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["add", "memory"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
FIELD = st.sampled_from(["action", "target", "content", "old_text", "new_text", "matched_entry", "operations", "x"])
PAYLOADS = st.dictionaries(FIELD, JSON_VALUES | st.sampled_from(["replace", "remove", "batch", "user"]), max_size=6)


@given(
    st.fixed_dictionaries({"payload": PAYLOADS | JSON_VALUES}, optional={"subsystem": JSON_VALUES, "id": JSON_VALUES})
)
def test_parsing_never_raises_for_any_json(value: Any):
    found = parse_record("a1.json", json.dumps(value).encode())
    assert found.problem is not None or found.operations
    if found.problem is None:
        assert all(operation.content != "" for operation in found.operations)


@given(st.data(), PAYLOADS)
def test_a_repeated_key_is_found_wherever_it_stands(data: st.DataObject, payload: dict[str, Any]):
    space = st.sampled_from(["", " ", "\n", "\t ", "\r\n"])
    pairs = [*payload.items(), *([data.draw(st.sampled_from(sorted(payload.items(), key=str)))] if payload else [])]
    body = ",".join(
        f"{data.draw(space)}{json.dumps(key)}{data.draw(space)}:{data.draw(space)}{json.dumps('x')}" for key, _ in pairs
    )
    found = parse_record("a1.json", f'{{"payload": {{{body}}}}}'.encode())
    assert found.unreadable == bool(payload)


def test_case_t12_reads_both_records():
    first, second = (parsed(value) for value in load_case("T12")["input"]["pending"])
    assert first.operations == (Operation(Action.ADD, Target.MEMORY, None, "Editor is Helix"),)
    assert second.operations == (Operation(Action.REPLACE, Target.MEMORY, "Uses bash", "Uses zsh"),)


def test_case_t13_names_what_is_wrong_with_each_record():
    given_case = load_case("T13")["input"]
    wrong_field, no_change, wrong_target = (parsed(value) for value in given_case["pending"])
    assert wrong_field.problem is not None
    assert wrong_field.problem.message == "content is missing (found field text)"
    assert no_change.problem is None
    assert wrong_target.problem is not None
    assert wrong_target.problem.message == "unknown target project"
    broken = parse_record("ad000004.json", given_case["pending_raw_files"]["ad000004.json"].encode())
    assert broken.problem is not None
    assert broken.problem.message.startswith("unreadable JSON")
    assert (broken.id, broken.unreadable, broken.created_at) == ("ad000004", True, None)


def test_cases_t27_and_t28_keep_every_code_point():
    assert parsed(load_case("T27")["input"]["pending"][0]).operations[0].content == "x"
    found = [parsed(value, ensure_ascii=False).operations[0].content for value in load_case("T28")["input"]["pending"]]
    assert found == [value["payload"]["content"] for value in load_case("T28")["input"]["pending"]]
