"""The application on a database: it opens, decides and undoes there, and says that it is no home."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from curator_tui.core.documents import Target
from curator_tui.core.requests import Actor, ActorKind, Decision, Verb
from curator_tui.curator.opening import DatabaseScope, open_desk
from curator_tui.tui import leaving
from tests.cli.test_database import fill
from tests.databases import made
from tests.tui.desks import cursor, go_to, painted, press, running, until
from tests.tui.test_live import look_again


async def test_the_application_decides_in_a_database_and_takes_it_back(tmp_path: Path) -> None:
    place = made("sqlite", tmp_path, None)
    fill(place)
    desk = open_desk(database=DatabaseScope(place.url, "acme", "ada"), environ={}, through="tui", first=24)
    async with running(desk) as (app, pilot):
        assert ":ada, tenant acme" in painted(app)
        await press(pilot, "a")
        assert "Has a cat" in desk.read_documents().entries()[Target.MEMORY]
        await press(pilot, "u")
        await press(pilot, "7")
        assert "A database has no profiles." in painted(app)
    rows = place.rows("SELECT kind FROM memory_changes ORDER BY seq")
    assert [kind for (kind,) in rows] == ["observe", "decide", "undo"]


async def test_who_else_looks_at_an_item_is_shown_and_the_next_free_one_is_offered(tmp_path: Path) -> None:
    place = made("sqlite", tmp_path, None)
    fill(place)
    desk, other = (
        open_desk(database=DatabaseScope(place.url, "acme", "ada"), environ={}, through="tui") for _ in range(2)
    )
    other.actor = Actor(ActorKind.PERSON, "ann", "tui")
    other.claims.take("c0000004")
    async with running(desk) as (app, pilot):
        assert "@ann Owns a canoe" in painted(app)
        assert "is looking at this" not in painted(app)
        await press(pilot, "a")
        assert cursor(app) == "c0000002", "the next row is ann's"
        await go_to(pilot, app, "c0000004")
        assert "ann is looking at this" in painted(app)
        other.decide([Decision("c0000004", Verb.REJECT)])
        await look_again(app, pilot)
        assert "already decided: reject by ann at " in painted(app)
    other.close()


async def test_a_decision_that_waits_for_another_program_is_given_up_by_leaving_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaving, "LEAVE_SECONDS", 0.3)
    place = made("sqlite", tmp_path, None)
    fill(place)
    desk = open_desk(database=DatabaseScope(place.url, "acme", "ada"), environ={}, through="tui", first=24)
    async with running(desk) as (app, pilot):
        with closing(sqlite3.connect(place.address.file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            await pilot.press("a")
            await until(lambda: app.deciding)
            app.leave_with(0)
            await until(lambda: not app.is_running)
            other.execute("ROLLBACK")
    assert "nothing was changed: it was given up before it was stored" in app.farewell
    assert not app.overdue
    assert place.rows("SELECT kind FROM memory_changes WHERE kind = 'decide'") == []
