"""What a list of the past reads: heads for a label or a prefix, never the documents of every change."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_tui.core.operations import Action, Operation
from curator_tui.curator import history
from curator_tui.curator.opening import open_desk
from tests.homes import make_home
from tests.worlds import MEMORY


def test_backups_and_prefixes_are_found_by_heads_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = open_desk(home=make_home(tmp_path / "home", memory="Uses zsh"), profile=None, environ={}, through="cli")
    made = [desk.correct([Operation(Action.ADD, MEMORY, content=f"fact {n}")]).change for n in range(3)]
    assert all(made)
    monkeypatch.setattr(type(desk.store.book), "changes", None)
    rows, problems = history.backups(desk)
    assert not problems
    named = {row.change.id: row.change for row in rows if row.change is not None}
    assert set(named) == set(made)
    assert all(not change.before and not change.closed for change in named.values())
    assert made[0] is not None
    found = history.find_change(desk, made[0][:10])
    assert (found.id, found.after[MEMORY]) == (made[0], "Uses zsh\n§\nfact 0".encode())
    desk.close()
