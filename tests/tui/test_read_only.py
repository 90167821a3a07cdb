"""Read only: nothing is decided, on no screen and by no way into the desk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curator_tui.core.documents import Target
from curator_tui.core.errors import ReadOnly
from curator_tui.core.operations import Action, Operation
from curator_tui.core.requests import Decision, Verb
from curator_tui.curator.history import rollback
from tests.tui.desks import desk_with, every_state, painted, press, running, status, waiting


def contents(place: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}


async def test_it_decides_nothing_and_says_why(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, read_only=True) as (app, pilot):
        assert "READ ONLY" in painted(app)
        for key in ("a", "x", "X", "u"):
            await press(pilot, key)
            assert "read only" in status(app)
        assert len(waiting(desk)) == 13
        assert desk.store.book.rows() == []


@pytest.mark.parametrize("keys", [("ctrl+s",), ("tab", "a")])
async def test_it_holds_in_the_editor(tmp_path: Path, keys: tuple[str, ...]) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, read_only=True) as (app, pilot):
        await press(pilot, "e", "B", *keys)
        assert "read only" in status(app)
        assert len(waiting(desk)) == 13
        await press(pilot, "escape", "q")
        assert "1 draft" in painted(app)
        await press(pilot, "y")
        assert not app.is_running, "leaving decides nothing, so it may be answered"


def test_the_desk_itself_refuses_every_change(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    desk.read_only = True
    changes: list[Callable[[], object]] = [
        lambda: desk.decide([Decision("add00001", Verb.APPROVE)]),
        lambda: desk.correct([Operation(Action.ADD, Target.MEMORY, content="one more")]),
        lambda: desk.reopen(["add00001"]),
        lambda: rollback(desk, "nothing"),
        desk.observe,
        desk.undo,
        desk.redo,
        desk.recover,
    ]
    before = contents(tmp_path)
    for change in changes:
        with pytest.raises(ReadOnly):
            change()
    assert contents(tmp_path) == before
