"""Superseding: a stale item says which decision took its entry, and a look that finds nothing new costs little."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from curator_tui.core.requests import Decision, Verb
from curator_tui.curator.desk import Desk
from curator_tui.curator.opening import open_desk
from tests.homes import make_home, record


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Open a desk on a home whose first item takes the entry that the second one means."""
    pending = [
        record("c0000001", "replace", "Uses fish", "zsh"),
        record("c0000002", "replace", "Uses bash", "zsh"),
        record("c0000003", "add", "Has a cat"),
    ]
    opened = open_desk(
        home=make_home(tmp_path / "home", memory="Uses zsh", pending=pending), profile=None, environ={}, through="cli"
    )
    opened.refresh()
    assert opened.queue.advance(10.0)
    opened.decide([Decision("c0000001", Verb.APPROVE)])
    opened.refresh()
    yield opened
    opened.close()


def test_changes_are_looked_through_once_until_there_are_more(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """An item on screen is read every second; two hundred changes are not."""
    looked: list[object] = []
    changes = desk.store.book.changes

    def counted(*args: int) -> object:
        looked.append(args)
        return changes(*args)

    monkeypatch.setattr(desk.store.book, "changes", counted)
    for _ in range(3):
        assert desk.item("c0000002").superseded_by == "c0000001"
    assert len(looked) == 1
    desk.decide([Decision("c0000003", Verb.APPROVE)])
    assert desk.item("c0000002").superseded_by == "c0000001"
    assert len(looked) == 2


def test_what_was_undone_supersedes_nobody_any_more(desk: Desk) -> None:
    """What was known before the ledger grew is not told again."""
    assert desk.superseders() == {"c0000002": "c0000001"}
    desk.undo()
    desk.refresh()
    assert desk.superseders() == {}
    desk.redo()
    desk.refresh()
    assert desk.superseders() == {"c0000002": "c0000001"}
