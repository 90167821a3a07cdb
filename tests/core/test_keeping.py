"""Keeping: no bytes of a secret outlive a change unless the secret itself stands in memory."""

from __future__ import annotations

import json

import pytest

from curator_tui.core.changes import Waiting
from curator_tui.core.keeping import Unkept, why_unkept
from curator_tui.core.preflight import State
from curator_tui.core.proposals import Edit
from curator_tui.core.requests import Decision, ReasonCode, Verb
from tests.worlds import add, approve, decide, drop, item, reject, snapshot, swap, view

TOKEN = "ghp_" + "A1b2C3d4" * 4 + "E5f6"
LINE = f"CI token is {TOKEN}"
KNOWINGLY = {"override": frozenset({State.FLAGGED}), "reason": ReasonCode.REQUEST}


def kept(memory: str, proposal, raw: bytes, decision) -> bytes | None:
    """Decide about one record in a world whose memory holds ``memory``; return what is kept of it."""
    found = view(snapshot(memory), waiting={proposal.id: Waiting(proposal, raw)})
    change = decide(found, decision)
    (closed,) = change.closed
    texts = b"".join(text.body for text in change.texts)
    assert (closed.keep is None) == (change.rows[0]["decisions"][0]["record"].get("kept") is False)
    assert TOKEN.encode() not in texts
    return closed.keep


def test_an_edit_that_takes_the_secret_out_keeps_nothing_of_it() -> None:
    """The record holds what the person did not want in memory; undo of the edit returns no such record."""
    raw = json.dumps({"content": LINE}).encode()
    edit = Edit(contents={0: "CI token is in the vault"})
    assert kept("tea", item("a", add(LINE)), raw, approve("a", edit=edit)) is None


def test_an_edit_that_leaves_the_secret_in_keeps_the_record() -> None:
    """Memory holds it, so the record is one more place of many and undo needs it."""
    raw = json.dumps({"content": LINE}).encode()
    edit = Edit(contents={0: f"{LINE} (for CI)"})
    assert kept("tea", item("a", add(LINE)), raw, approve("a", edit=edit, **KNOWINGLY)) == raw


def test_an_edit_of_a_record_without_a_secret_keeps_it() -> None:
    """The rule is about secrets, not about edits."""
    raw = json.dumps({"content": "x"}).encode()
    assert kept("tea", item("a", add("x")), raw, approve("a", edit=Edit(contents={0: "y"}))) == raw


def test_a_secret_beside_the_content_of_an_approved_record_is_not_kept() -> None:
    """A summary goes nowhere when its item is approved, so what it holds must not stay behind."""
    raw = json.dumps({"content": "x", "summary": LINE}).encode()
    assert kept("tea", item("a", add("x")), raw, approve("a")) is None


@pytest.mark.parametrize("decision", [approve("a"), reject("a"), Decision("a", Verb.LOG_ONLY)])
def test_a_remove_of_a_secret_that_stands_in_memory_keeps_its_record(decision) -> None:
    """Undo returns the entry from the document kept with the change; the record adds no new copy."""
    raw = json.dumps({"old_text": LINE}).encode()
    assert kept(LINE, item("a", drop(LINE, pin=LINE)), raw, decision) == raw


def test_a_secret_that_stands_in_memory_in_part_only_does_not_stand_there() -> None:
    """Another token with the same beginning is another secret."""
    raw = json.dumps({"content": LINE}).encode()
    assert kept(f"CI token is {TOKEN[:-4]}", item("a", add(LINE)), raw, reject("a")) is None


@pytest.mark.parametrize(
    "raw",
    [
        json.dumps({"content": "x", "note": [{"deep": [LINE]}]}).encode(),
        ('{"content": "x", "summary": "' + "".join(f"\\u{ord(c):04x}" for c in TOKEN) + '"}').encode(),
        ('{"summary": "' + TOKEN + '", "summary": "clean"}').encode(),
        ('{"password": "' + "hT9#kQ2vLm8zA1" + '", "content": "x\\n"}').encode(),
        ('{"password": "' + "hT9#kQ2vLm8zA1" + '", "content": "x"}').encode(),
        b"\xff not JSON " + TOKEN.encode(),
        b"[" * 100_000 + b"\\" + TOKEN.encode(),
    ],
    ids=["nested", "escaped", "repeated-name", "by-name-escapes", "by-name", "not-json", "deep"],
)
def test_a_secret_is_found_wherever_a_record_hides_it(raw: bytes) -> None:
    """In any field, under any escape, under a repeated name, in what is no JSON at all."""
    assert why_unkept(raw, item("a", add("x")), ("x",)) is not None


def test_what_could_not_be_scanned_says_so_and_is_not_called_a_secret() -> None:
    """A record too large for the scanner is not kept either, for its own reason."""
    raw = json.dumps({"content": "x", "summary": "word " * 20_000}).encode()
    assert why_unkept(raw, item("a", add("x")), ("x",)) is Unkept.UNCHECKED
    found = view(snapshot("tea"), waiting={"a": Waiting(item("a", add("x")), raw)})
    (note,) = decide(found, reject("a")).receipt.notes
    assert "could not be checked for secrets" in note
    assert "held a secret" not in note


def test_a_record_with_escapes_of_an_approved_secret_is_kept() -> None:
    """What stands in memory is compared as it reads, not as JSON spells it."""
    content = f'token "{TOKEN}"\nfor CI, später'
    raw = json.dumps({"content": content}).encode()
    assert kept("tea", item("a", add(content)), raw, approve("a", **KNOWINGLY)) == raw
    assert kept("old", item("a", swap("old", content, pin="old")), raw, approve("a", **KNOWINGLY)) == raw
