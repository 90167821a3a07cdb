"""One grammar for every filter: the signs that turn a word around, values with commas, and what ``none`` means."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from curator_tui.core.asides import Challenge
from curator_tui.core.documents import Target
from curator_tui.core.learned import LearnedTerm, parse_learned
from curator_tui.core.ledger_filters import origin_matches, parse_filter, row_matches
from curator_tui.core.origins import Origin
from curator_tui.core.preflight import State
from curator_tui.core.proposals import Proposal
from curator_tui.core.questions import Question
from curator_tui.core.requests import OUTSIDE, ChallengeCode
from curator_tui.core.row_form import RowForm, form_of
from curator_tui.core.word_filter import meant, turned
from curator_tui.curator.queries import Candidate, Query, asks, filter_trouble, fits, parse


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("!tea", ("tea", True)),
        ("-tea", ("tea", True)),
        ("tea", ("tea", False)),
        ("-", ("-", False)),
        ("!", ("!", False)),
        ("--force", ("--force", False)),
        ("", ("", False)),
    ],
)
def test_both_signs_turn_a_word_around(word: str, found: tuple[str, bool]) -> None:
    assert turned(word) == found


@pytest.mark.parametrize("sign", ["!", "-"])
def test_every_filter_takes_both_signs(sign: str) -> None:
    assert not parse(f"{sign}state:ready")[0].wanted
    assert parse_filter(f"{sign}action:reject", 0.0).terms[0].negated
    assert parse_learned(f"{sign}kind:skill", 0.0) == (LearnedTerm("kind", ("skill",), negated=True),)
    assert meant(f"tea {sign}rum", ["tea"])
    assert not meant(f"tea {sign}rum", ["tea and rum"])


def test_the_queue_takes_several_values_as_the_ledger_does_and_either_name_of_a_document() -> None:
    row = Candidate("a", 1, Proposal("a", "", target_name="memory"), "tea", State.STALE)
    assert fits(parse("state:ready,stale"), row, Query(), 0.0)
    assert not fits(parse("state:ready,lossy"), row, Query(), 0.0)
    assert fits(parse("target:memory"), row, Query(), 0.0)
    assert parse("target:memory") == parse("for:memory")
    assert parse_filter("for:user", 0.0).terms == parse_filter("target:user", 0.0).terms
    assert filter_trouble("state:ready,stale target:user") == ""
    assert filter_trouble("state:ready,nonsense") != ""


@pytest.mark.parametrize(
    ("screen", "seen", "meant_by"),
    [
        ("", False, {"seen:none", "seen:0", "seen:<100", "-seen:100"}),
        ("none", True, {"seen:none", "seen:0", "seen:<100", "-seen:100"}),
        ("row", True, {"seen:row", "seen:>0", "seen:<100", "-seen:100"}),
        ("0%", True, {"seen:0", "seen:<100", "-seen:100"}),
        ("40%", True, {"seen:>0", "seen:<100", "-seen:100"}),
        ("100%", True, {"seen:>0", "seen:100"}),
        ("", True, {"seen:>0", "seen:100"}),
    ],
)
def test_none_is_what_was_on_no_screen_and_less_than_all(screen: str, seen: bool, meant_by: set[str]) -> None:
    origin = replace(Origin(Target.USER, "tea", "abc"), screen=screen, seen=seen)
    wanted = ("seen:none", "seen:0", "seen:row", "seen:>0", "seen:<100", "seen:100", "-seen:100", "seen:50")
    found = {one for one in wanted if origin_matches(origin, parse_filter(one, 0.0), OUTSIDE)}
    assert found == meant_by


def row_of(action: str, *seen: str) -> RowForm:
    parts = [{"proposal": f"c000000{number}", "decision": "approve", "seen": one} for number, one in enumerate(seen)]
    row = {"seq": 1, "prev": "", "action": action, "at": "", "change": "c", "actor": {}, "decisions": parts}
    form = form_of(json.dumps(row))
    assert form is not None
    return form


@pytest.mark.parametrize(
    ("row", "meant_by"),
    [
        (row_of("approve", "row", "row"), {"seen:row", "seen:<100", "-seen:100%", "action:plan seen:<100"}),
        (
            row_of("plan", "100%", "none"),
            {"seen:100%", "seen:none", "seen:<100", "-seen:100%", "action:plan seen:<100"},
        ),
        (row_of("approve", "100%", "100%"), {"seen:100%"}),
        (row_of("approve", "none"), {"seen:none", "seen:<100", "-seen:100%"}),
        (row_of("undo"), set()),
        (row_of("redo", "", ""), set()),
    ],
)
def test_of_several_decisions_any_that_is_meant_means_the_row_and_turned_around_any_that_is_not(
    row: RowForm, meant_by: set[str]
) -> None:
    wanted = ("seen:row", "seen:none", "seen:<100", "seen:100%", "-seen:100%", "action:plan seen:<100")
    assert {one for one in wanted if row_matches(row, parse_filter(one, 0.0), OUTSIDE)} == meant_by


@pytest.mark.parametrize(
    ("words", "expected"),
    [("bench 0", False), ("bench 7", True), ("bench c000", True), ("bench c00", False), ("bench !0", True)],
)
def test_a_word_means_what_is_shown_and_an_id_only_by_four_characters_of_it(words: str, *, expected: bool) -> None:
    row = Candidate("c0000001", 1, Proposal("c0000001", ""), "tools of bench 7", State.READY, names="c0000001")
    assert fits(parse(words), row, Query(), 0.0) is expected
    disputed = Challenge("q-c0000001", Target.MEMORY, "tools of bench 7", ChallengeCode.WRONG, "", "x", OUTSIDE, 0.0)
    assert asks(words, Question(disputed, present=True), 0.0) is expected
    assert meant(words, ["tools of bench 7"], "c0000001") is expected


def test_quotes_are_told_to_join_nothing() -> None:
    assert filter_trouble('"rye bread"').startswith("quotes join nothing")
    assert filter_trouble('he said "rye') != ""
    assert filter_trouble("12' wide") == ""
