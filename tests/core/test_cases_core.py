"""The handed cases at the level of the core: exact worlds, exact outcomes; what needs a file is with the stores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curator_tui.core.changes import View
from curator_tui.core.documents import Target, parse
from curator_tui.core.losses import text_lines_lost
from curator_tui.core.operations import Action, Operation, check_operation, normalise
from curator_tui.core.preflight import Preflight, Snapshot, State, preflight
from curator_tui.core.proposals import Edit, Proposal
from curator_tui.core.requests import Kind, Request
from curator_tui.core.settling import pinned_proposal
from tests.worlds import approve, decide, hows, planned, reasons, reject, stamp, view

_CASES = {
    case["id"]: case["input"]
    for case in json.loads((Path(__file__).parent.parent / "cases" / "cases.json").read_text("utf-8"))
}


class Case:
    """One handed world: its documents, limits and waiting records."""

    def __init__(self, name: str) -> None:
        given = _CASES[name]
        limits = given.get("config", {})
        raws = {target: given[target].encode() for target in ("memory", "user") if target in given}
        if "memory_bytes_hex" in given:
            raws["memory"] = bytes.fromhex(given["memory_bytes_hex"])
        self.snapshot = Snapshot(
            {target: parse(target, raws.get(target)) for target in Target},
            {
                Target.MEMORY: limits.get("memory_char_limit", 2200),
                Target.USER: limits.get("user_char_limit", 1375),
            },
        )
        records = [record for record in given.get("pending", []) if record["payload"]["target"] in set(Target)]
        self.proposals = tuple(_proposal(record, self.snapshot) for record in records)
        self.ids = tuple(proposal.id for proposal in self.proposals)

    def view(self, **parts) -> View:
        """Return the view in which all its records wait."""
        return view(self.snapshot, *self.proposals, **parts)

    def states(self) -> dict[str, str]:
        """Return the state every item shows before anything is pressed."""
        return {proposal.id: str(self.found(proposal.id).state) for proposal in self.proposals}

    def found(self, name: str) -> Preflight:
        """Return the preflight of one item."""
        return preflight(next(proposal for proposal in self.proposals if proposal.id == name), self.snapshot)

    def approve(self, *names: str, **parts):
        """Approve items, all of them when none is named."""
        return decide(self.view(), *(approve(name, **parts) for name in names or self.ids))


def _proposal(record: dict, snapshot: Snapshot) -> Proposal:
    payload = record["payload"]
    match, content = payload.get("old_text"), payload.get("content")
    operation = Operation(
        Action(payload["action"]),
        Target(payload["target"]),
        match=None if match is None else normalise(match),
        content=None if content is None else normalise(content),
    )
    plain = Proposal(
        record["id"],
        record["id"],
        (operation,),
        created_at=record["created_at"],
        problem=check_operation(operation),
    )
    return pinned_proposal(plain, snapshot, {})


def written(change, target: Target = Target.MEMORY) -> tuple[str, ...]:
    """Return the entries a reload of the written bytes gives."""
    return parse(target, change.documents[target]).entries


def test_t01_an_entry_with_the_separator_line_is_refused_before_any_write() -> None:
    """The message names the line; a sign inside a line is legal; the first two entries keep their bytes."""
    case = Case("T01")
    assert case.states() == {"a1000001": "invalid", "a1000002": "invalid", "a1000003": "ready"}
    change = case.approve()
    assert set(reasons(change)) == {"a1000001", "a1000002"}
    assert all("separator line" in message for _, message in reasons(change).values())
    assert hows(change) == {"a1000003": "approve"}
    raw = case.snapshot.document(Target.MEMORY).raw
    assert change.documents[Target.MEMORY].startswith(raw)
    assert len(written(change)) == 3
    assert written(change)[2] == "The § sign is fine inside a line"


def test_t02_windows_line_endings_are_read_as_entries_and_kept() -> None:
    """Three entries, none with a carriage return; one goes, the other two keep their CRLF."""
    case = Case("T02")
    entries = case.snapshot.document(Target.MEMORY).entries
    assert entries == ("Uses pnpm, not npm", "Lives in UTC+2", "Prefers short answers")
    outcome = case.found("a2000001").outcome[Target.MEMORY]
    assert set(outcome.before) - set(outcome.after) == {"Lives in UTC+2"}
    change = case.approve()
    assert change.documents[Target.MEMORY] == "Uses pnpm, not npm\r\n§\r\nPrefers short answers".encode()
    assert change.receipt.notes == ()


def test_t03_a_byte_order_mark_is_no_text_at_the_start_and_a_finding_elsewhere() -> None:
    """35 characters, two entries; the replace applies; a mark inside text is flagged with its code point."""
    case = Case("T03")
    document = case.snapshot.document(Target.MEMORY)
    assert (document.size, document.entries[0]) == (35, "Likes the dark theme")
    assert case.states() == {"a3000001": "ready", "a3000002": "flagged"}
    change = case.approve("a3000001")
    assert written(change) == ("Likes the light theme", "Works nights")
    assert not change.documents[Target.MEMORY].startswith(b"\xef\xbb\xbf")
    assert "byte-order mark" in change.receipt.notes[0]
    assert "U+FEFF" in case.found("a3000002").reason.message


def test_t05_a_file_without_separators_is_one_entry_and_a_small_replace_of_it_is_lossy() -> None:
    """Both Machines lines are named as lost; the variant inside the entry keeps them."""
    case = Case("T05")
    assert len(case.snapshot.document(Target.MEMORY).entries) == 1
    found = case.found("a5000001")
    assert found.state is State.LOSSY
    assert {"Atlas is the NAS", "Borealis is retired"} <= set(found.lost)
    outcome = found.outcome[Target.MEMORY]
    assert text_lines_lost(outcome.before[0], outcome.after[0]) == (4, 1, 5)
    assert reasons(case.approve())["a5000001"][0] == "lossy"
    inside = case.approve(edit=Edit(contents={0: found.inside[0]}, inside=frozenset({0})))
    (entry,) = written(inside)
    assert "Bins: Monday evening" in entry
    assert "Atlas is the NAS" in entry
    assert "Borealis is retired" in entry
    assert "Tuesday" not in entry


def test_t06_the_outcome_is_the_whole_entry_not_the_matched_words() -> None:
    """Lost facts are named; the inside variant is exactly the expected text."""
    case = Case("T06")
    found = case.found("a6000001")
    assert found.state is State.LOSSY
    assert found.lost == ("[net] router is 10.0.0.1", "[print] tray 2 holds A5")
    outcome = found.outcome[Target.MEMORY]
    assert outcome.changed[0][1] == "[nas] web port 9090"
    wanted = "[net] router is 10.0.0.1 [nas] web port 9090 [print] tray 2 holds A5"
    assert found.inside == {0: wanted}
    inside = case.approve(edit=Edit(contents={0: wanted}, inside=frozenset({0})))
    assert written(inside) == (wanted, "Prefers metric units")


def test_t07_a_vanished_anchor_is_stale_before_anything_is_pressed() -> None:
    """The nearest entry is shown; the ready item goes in; the stale one stays with its reason."""
    case = Case("T07")
    assert case.states() == {"a7000001": "stale", "a7000002": "ready"}
    found = case.found("a7000001")
    assert found.nearest == "Uses Krita 5.2 for drawings"
    assert found.reason.message == "no entry matches: Krita 5.0"
    change = case.approve()
    assert hows(change) == {"a7000002": "approve"}
    assert reasons(change) == {"a7000001": ("stale", "no entry matches: Krita 5.0")}
    assert [part.proposal for part in change.closed] == ["a7000002"]
    rebased = case.approve("a7000001", edit=Edit(pins={0: "Uses Krita 5.2 for drawings"}))
    assert written(rebased)[0] == "Uses Krita 5.1 for drawings"


def test_t09_alternatives_for_one_entry_form_a_group_and_are_closed_together() -> None:
    """The exact repeat is in effect, the other wording superseded by the winner; neither has failed."""
    case = Case("T09")
    assert len({proposal.group for proposal in case.proposals}) == 1
    assert case.proposals[0].group is not None
    change = decide(case.view(), approve("a9000001", closes=("a9000002", "a9000003")))
    assert hows(change) == {
        "a9000001": "approve",
        "a9000002": "superseded by a9000001",
        "a9000003": "already in effect",
    }
    assert change.receipt.done
    assert written(change) == ("Prefers tabs of width 4", "Timezone is UTC+2")
    refused = decide(case.view(), reject("a9000001", closes=("a9000002", "a9000003")))
    assert set(hows(refused).values()) == {"reject"}
    assert refused.documents == {}


def test_t10_each_failure_keeps_its_own_reason() -> None:
    """Four vanished anchors by name and one that would be 13 over: five reasons, nothing applied."""
    case = Case("T10")
    change = case.approve()
    found = reasons(change)
    for name, words in {
        "aa000001": "gone-1",
        "aa000002": "gone-2",
        "aa000003": "gone-3",
        "aa000005": "gone-5",
    }.items():
        assert found[name][0] == "stale"
        assert words in found[name][1]
    assert found["aa000004"][0] == "over-limit"
    assert "213/200" in found["aa000004"][1]
    assert "13 over" in found["aa000004"][1]
    assert hows(change) == {}
    assert not change.receipt.done
    assert change.empty


def test_t12_what_reached_the_file_before_a_crash_is_closed_without_a_second_write() -> None:
    """An add that stands and a replace whose outcome stands: both are in effect, each row says recovered."""
    case = Case("T12")
    assert set(case.states().values()) == {"no-change"}
    for name in case.ids:
        change = case.approve(name)
        assert hows(change) == {name: "already in effect"}
        assert (change.documents, change.images) == ({}, ())
        assert change.rows[0]["decisions"][0]["recovered"] is True


def test_t13_useless_records_are_told_apart() -> None:
    """A missing content is invalid; a change that changes nothing closes without write or image."""
    case = Case("T13")
    assert case.states() == {"ad000001": "invalid", "ad000002": "no-change"}
    change = case.approve()
    assert hows(change) == {"ad000002": "already in effect"}
    assert (change.documents, change.images) == ({}, ())
    assert reasons(change) == {"ad000001": ("invalid", "content is missing")}
    assert hows(decide(case.view(), reject("ad000001"))) == {"ad000001": "reject"}


def test_t27_a_character_is_a_code_point() -> None:
    """25 of 28; one more entry of one character is refused with 29/28."""
    case = Case("T27")
    assert case.snapshot.document(Target.USER).size == 25
    found = case.found("ba000001")
    assert found.state is State.OVER_LIMIT
    assert "29/28" in found.reason.message


@pytest.mark.parametrize("name", ["T01", "T02", "T03", "T05", "T06", "T07", "T09", "T10", "T12", "T13", "T27"])
def test_looking_at_a_case_changes_no_byte(name: str) -> None:
    """Observing a known world stores nothing."""
    case = Case(name)
    case.states()
    assert decide(case.view()).empty
    assert planned(case.view(), Request(stamp(1), Kind.OBSERVE)).empty
