"""The first frame: what waits is shown at once, and nothing is claimed that was not read yet."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from curator_tui.core.errors import Unreadable
from curator_tui.core.preflight import State
from curator_tui.curator.desk import Desk
from curator_tui.curator.opening import open_desk
from tests.tui.desks import every_state, home_with, item, painted, review, running, settle, until

LONG = [item(f"add{n:05d}", "add", f"fact number {n}", age=100_000 - n) for n in range(200)]


def glancing(home: Path, first: int = 24) -> Desk:
    return open_desk(home=home, profile=None, environ={}, through="tui", first=first)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Hold back everything but the glance until the event is set."""
    go_on = threading.Event()
    whole = Desk.refresh

    def refresh(desk: Desk, **more: bool) -> bool:
        go_on.wait(60)
        return whole(desk, **more)

    monkeypatch.setattr(Desk, "refresh", refresh)
    return go_on


async def test_rows_stand_before_anything_else_was_read(tmp_path: Path, held: threading.Event) -> None:
    desk = glancing(home_with(tmp_path / "h", LONG))
    async with running(desk, wait=False) as (app, pilot):
        await until(lambda: all(words in painted(app) for words in ("fact number 0", "200 waiting", "reading…")))
        text = painted(app)
        assert "fact number 0" in text
        assert "200 waiting" in text
        assert "… ready" in text
        assert str(tmp_path)[-10:] in text or ":default" in text
        assert "reading…" in text
        assert "0/2,200" not in text, "a document that was not read has no size"
        assert not desk.queue.whole
        held.set()
        await settle(pilot)
        assert "200 ready" in painted(app)
        assert review(app).model.looked is not None


async def test_keys_before_the_rest_was_read_decide_nothing(tmp_path: Path, held: threading.Event) -> None:
    desk = glancing(home_with(tmp_path / "h", LONG))
    async with running(desk, wait=False) as (app, pilot):
        await until(lambda: "fact number 0" in painted(app))
        for key in ("a", "x", "e", "m", "b", "y", "a"):
            await pilot.press(key)
        assert len(list((tmp_path / "h" / "pending" / "memory").iterdir())) == 200
        held.set()
        await settle(pilot)
    assert len(list((tmp_path / "h" / "pending" / "memory").iterdir())) == 200


async def test_the_cursor_begins_at_what_is_ready(tmp_path: Path) -> None:
    desk = glancing(home_with(tmp_path / "h", every_state()), first=3)
    async with running(desk) as (app, _):
        row = review(app).showing.current_row()
        assert row is not None
        assert row.state is State.READY
        looked = review(app).model.looked
        assert looked is not None
        assert looked.id == row.id


async def test_a_store_that_cannot_be_read_after_the_glance_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = glancing(home_with(tmp_path / "h", LONG))

    def refresh(_: Desk, **__: bool) -> bool:
        raise Unreadable("the disk is gone.", way_out="Bring it back.")

    monkeypatch.setattr(Desk, "refresh", refresh)
    async with running(desk) as (app, _):
        assert "the disk is gone" in painted(app)
