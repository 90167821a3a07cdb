"""Refused attempts on a home: counted in the book across restarts, told in the ledger, refused whatever happens."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from curator_tui.core.changes import Receipt
from curator_tui.core.errors import WriteFailed
from curator_tui.core.refused import WINDOW_S
from curator_tui.core.requests import Decision, Verb
from curator_tui.curator.desk import Desk
from curator_tui.curator.opening import open_desk
from curator_tui.stores.book.intents import IntentWriter
from tests.homes import make_home, record

NOW = 1_790_000_000.0


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with one flagged item."""
    pending = [record("f1a9ed00", "add", "a\u202eb"), record("c1ea0000", "add", "x")]
    return make_home(tmp_path / "home", memory="tea", pending=pending)


def attempt(home: Path, name: str = "f1a9ed00", at: float = NOW) -> Receipt:
    """Approve an item without an override, in a program of its own."""
    desk = desk_at(home, at)
    try:
        return desk.decide([Decision(name, Verb.APPROVE)])
    finally:
        desk.close()


def desk_at(home: Path, at: float) -> Desk:
    """Open a desk whose clock stands still."""
    desk = open_desk(home=home, profile=None, environ={}, through="cli")
    desk._clock = lambda: at
    return desk


def rows(home: Path) -> list[tuple[str, int]]:
    """Return action and number of repeats of every row behind the first contact."""
    desk = desk_at(home, NOW)
    found = [sealed.row for sealed in desk.store.book.rows()]
    desk.close()
    assert found[0] is not None
    assert found[0]["action"] == "first seen"
    return [(row["action"], row.get("repeats", 0)) for row in found[1:] if row is not None]


def test_repeats_are_counted_across_restarts_and_told_by_the_next_change(home: Path) -> None:
    for second in range(3):
        assert attempt(home, at=NOW + second).not_applied[0].state == "flagged"
    assert rows(home) == [("refused", 0)]
    assert attempt(home, "c1ea0000", at=NOW + WINDOW_S).change is not None
    assert rows(home) == [("refused", 0), ("refused", 2), ("approve", 0)]


@pytest.mark.parametrize("kept", ["garbage", "{}", '[{"part": 1}]', '[{"part": {}, "at": "x"}]', "[" * 5000])
def test_a_damaged_count_keeps_nobody_from_working_and_an_attempt_is_a_row_again(home: Path, kept: str) -> None:
    attempt(home)
    with sqlite3.connect(home / "curator-tui" / "book.sqlite") as book:
        changed = book.execute("UPDATE memory_meta SET value = ? WHERE name = 'refused'", (kept,)).rowcount
    book.close()
    assert changed == 1
    attempt(home)
    assert rows(home) == [("refused", 0), ("refused", 0)]
    assert attempt(home, "c1ea0000").change is not None


@pytest.mark.parametrize("before", [0, 1], ids=["row", "count"])
def test_an_attempt_that_cannot_be_recorded_is_refused_all_the_same(
    home: Path, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    desk = desk_at(home, NOW)
    desk.observe()
    desk.close()
    for _ in range(before):
        attempt(home)

    def full(*_: object, **__: object) -> None:
        raise WriteFailed("the disk is full.")

    monkeypatch.setattr(IntentWriter, "finish", full)
    with pytest.raises(WriteFailed):
        attempt(home)
    monkeypatch.undo()
    assert (home / "memories" / "MEMORY.md").read_bytes() == b"tea"
    assert (home / "pending" / "memory" / "f1a9ed00.json").exists()
    desk = desk_at(home, NOW)
    assert len(desk.store.book.rows()) == 1 + before
    desk.close()
