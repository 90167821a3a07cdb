"""The application on all people of a tenant: one queue whose rows say whose they are, and the list of these people."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_tui.core.documents import Target
from curator_tui.curator.desk import Desk
from curator_tui.curator.opening import DatabaseScope, open_beside, open_desk
from tests.databases import Place, made
from tests.people import add, remember, stage
from tests.tui.desks import painted, paste, press, review, running, status, until


@pytest.fixture
def place(tmp_path: Path) -> Place:
    found = made("sqlite", tmp_path, None)
    for at, user in enumerate(("ann", "bob", "cyd")):
        remember(found, user, "Uses zsh")
        stage(found, user, [("own", add(f"Knows {user}"), 10.0 + at), ("all", add("Closed on Friday"), 20.0 + at)])
    return found


def desk_on(place: Place) -> Desk:
    named = DatabaseScope(place.url, "acme")
    return open_desk(database=named, environ={}, through="tui", first=24, many=True)


def memory_of(place: Place, user: str) -> str:
    query = "SELECT content FROM agent_memory WHERE user_id = ? AND memory_type = ?"
    return str(place.rows(query, user, str(Target.MEMORY))[0][0])


async def test_one_queue_says_whose_each_row_is_and_decides_where_it_belongs(place: Place) -> None:
    async with running(desk_on(place)) as (app, pilot):
        text = painted(app)
        assert "nant acme:all people" in text
        assert "6 waiting 4+ ready" in text, "what is alike is one row"
        assert "ann        Knows ann" in text
        assert "whose      ann" in text
        await press(pilot, "a")
        assert memory_of(place, "ann") == "Uses zsh\n§\nKnows ann"
        assert "whose      bob" in painted(app)
        await press(pilot, "2")
        assert "tenant acme:bob" in painted(app), "what shows one memory says whose it is"
        await press(pilot, "1", "u")
        assert memory_of(place, "ann") == "Uses zsh"
        await press(pilot, "space")
        assert "a plan is about one person" in status(app)
        await press(pilot, "/")
        await paste(pilot, "user:cyd")
        await press(pilot, "enter")
        assert "there is no field" not in painted(app)
        assert [row.whose for row in review(app).model.rows.items()] == ["cyd"]  # type: ignore[union-attr] # it is there


async def test_the_same_fact_is_decided_for_everybody_and_taken_back(place: Place) -> None:
    async with running(desk_on(place)) as (app, pilot):
        await press(pilot, "j", "j", "j")
        assert "the same fact is proposed 3 times: b decides for all" in painted(app)
        await press(pilot, "b")
        text = painted(app)
        assert "the same for 3 people" in text
        assert "for ann, bob, cyd; one change" in text
        await press(pilot, "y")
        assert "for 3 people" in status(app)
        assert [memory_of(place, user) for user in ("ann", "cyd")] == ["Uses zsh\n§\nClosed on Friday"] * 2
        assert "3 waiting" in painted(app)
        await press(pilot, "u")
        assert [memory_of(place, user) for user in ("ann", "bob", "cyd")] == ["Uses zsh"] * 3
        assert "6 waiting" in painted(app)


async def test_people_stand_where_a_home_has_profiles_and_each_opens(place: Place) -> None:
    async with running(desk_on(place)) as (app, pilot):
        app.switch = lambda key: open_beside(app.clerk.desk, key, {})
        await press(pilot, "7")
        await until(lambda: "cyd" in painted(app), pilot)
        assert "[7 People]" in painted(app)
        assert "   bob" in painted(app)
        assert "[------] 0%" in painted(app)
        await press(pilot, "/")
        await paste(pilot, "y")
        await until(lambda: "ann" not in painted(app), pilot)
        await press(pilot, "enter", "enter")
        await until(lambda: app.clerk.desk.over_one, pilot)
        assert app.clerk.desk.bound().scope == "cyd, tenant acme"
        assert "2 waiting" in painted(app)
        await press(pilot, "7")
        await until(lambda: " * cyd" in painted(app), pilot)
        await press(pilot, "k", "enter")
        await until(lambda: not app.clerk.desk.over_one, pilot)
        assert "6 waiting" in painted(app)
