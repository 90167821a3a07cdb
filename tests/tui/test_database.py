"""The application on a database: it opens, decides and undoes there, and says that it is no home."""

from __future__ import annotations

from pathlib import Path

from curator_tui.core.documents import Target
from curator_tui.curator.opening import DatabaseScope, open_desk
from tests.cli.test_database import fill
from tests.databases import made
from tests.tui.desks import painted, press, running


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
