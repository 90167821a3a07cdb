"""What a row of the ledger says of a deferral, a dispute and an answer: what it was, not the id of its change."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from curator_tui.core.requests import Actor, ActorKind
from curator_tui.core.row_form import form_of
from curator_tui.curator.ledger_search import Window
from curator_tui.curator.row_subjects import Subject
from curator_tui.tui.ledger_rows import LedgerRows, what, when

BASE = {"seq": 2, "prev": "", "at": "", "change": "5eb340aa00112233", "actor": {"kind": "person", "name": "ana"}}
ONE = {"proposal": "a0000001", "decision": "defer", "until": "2026-12-24"}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"action": "defer", "deferrals": [ONE]}, "a0000001 until 2026-12-24"),
        ({"action": "defer", "deferrals": [{**ONE, "until": ""}, ONE]}, "a0000001 until it is reopened and 1 more"),
        ({"action": "reopen", "deferrals": [{**ONE, "decision": "returned"}]}, "a0000001 is back"),
        ({"action": "answer", "question": "q-1", "answer": "keep"}, "keep: the disputed entry"),
        ({"action": "challenge", "question": "q-1", "target": "user", "reason": "wrong"}, "an entry of user  wrong"),
    ],
)
def test_a_row_beside_documents_says_what_it_was(row: dict[str, Any], words: str) -> None:
    form = form_of(json.dumps({**BASE, **row}))
    assert form is not None
    assert "".join(piece.text for piece in what(form, Window(), 60)) == words


@pytest.mark.parametrize(
    ("row", "about", "words"),
    [
        (
            {"action": "defer", "deferrals": [ONE]},
            Subject("defer", "a0000001", "Uses zsh"),
            "until 2026-12-24: 'Uses zsh'",
        ),
        (
            {"action": "reopen", "deferrals": [{**ONE, "decision": "returned"}]},
            Subject("returned", "a0000001", "Uses zsh"),
            "back: 'Uses zsh'",
        ),
        (
            {"action": "challenge", "question": "q-1", "target": "user"},
            Subject("disputed", "q-1", "Ana"),
            "disputed: 'Ana'",
        ),
        ({"action": "challenge", "question": "q-1"}, Subject("disputed", "q-1"), "disputed: q-1 words not kept"),
        ({"action": "remove", "reason": "request"}, Subject("removed", "", "rye"), "removed: 'rye'  request"),
        ({"action": "add"}, Subject("added", "", "k", secret=True), "added: (holds a secret)"),
    ],
)
def test_a_row_is_named_by_the_words_that_are_kept_beside_it(row: dict[str, Any], about: Subject, words: str) -> None:
    form = form_of(json.dumps({**BASE, **row}))
    assert form is not None
    assert "".join(piece.text for piece in what(form, Window(about={2: (about,)}), 60)) == words
    several = "".join(piece.text for piece in what(form, Window(about={2: (about, about)}), 60))
    assert " and 1 more" in several


class Counted(list[int]):
    """A list that counts how many of its members were looked at."""

    def __init__(self, seqs: Iterable[int]) -> None:
        super().__init__(seqs)
        self.looked = 0

    def __getitem__(self, index: Any) -> Any:
        self.looked += 1
        return super().__getitem__(index)


def test_a_row_is_found_among_a_hundred_thousand_without_going_through_them() -> None:
    """The list is shown anew in every slice of a search: each time the row under the cursor is looked for."""
    seqs = Counted(range(200_000, 0, -2))
    rows = LedgerRows(seqs, Window(), Actor(ActorKind.PERSON, "ana", "tui"), 0.0)
    assert [rows.place(seq) for seq in (200_000, 2, 100_000, 99_999, 0, 200_001)] == [0, 99_999, 50_000] + [None] * 3
    assert 0 < seqs.looked < 200


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("now", [4e11, -1e300, float("inf"), float("nan")])
def test_a_clock_beyond_the_calendar_shows_every_row_all_the_same(now: float, wide: bool) -> None:
    assert when(1_790_000_000.0, now, wide=wide).startswith("2026-09-21")
    assert when(now, 1_790_000_000.0, wide=wide)
