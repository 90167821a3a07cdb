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
from curator_tui.tui.app import CuratorApp
from curator_tui.tui.shown import words_of
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine
from tests.tui.desks import desk_with, every_state, go_to, painted, press, running, status, waiting


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


async def test_no_screen_promises_a_decision(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, read_only=True) as (app, pilot):
        assert "read only" in status(app)
        for name in ("add00001", "sta00001"):
            await go_to(pilot, app, name)
            divider = words_of(app.screen.query_one("#divider", OneLine).line)
            assert divider.endswith("read only")
            assert " a " not in f" {divider} {status(app)} ", "no key that approves is named"
        await press(pilot, "b")
        assert "read only" in status(app)
        assert "undoes it" not in painted(app)
        assert "rejects all" not in painted(app)
        assert role_of(app, "y") == "off"
        await press(pilot, "X", "1")
        assert "read only" in words_of(app.screen.query_one("#said", OneLine).line)
        assert role_of(app, "y") == "off"


async def test_a_dispute_says_at_once_that_it_takes_no_answer(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, read_only=True) as (app, pilot):
        await press(pilot, "2", "j", "C")
        assert "read only" in words_of(app.screen.query_one("#said", OneLine).line)


def role_of(app: CuratorApp, key: str) -> str:
    """Return the role in which the row of keys shows one."""
    row = app.screen.query_one("#keys", KeyRow)
    return next(one.role for one in row.layout_row(200, read_only=app.read_only) if one.text.strip() == key)


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
