"""A filter of a place is there again when one comes back, unless it was taken away or one row is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_tui.tui.screens.filtering import Filtering
from curator_tui.tui.widgets.filter_input import FilterInput
from tests.tui.desks import desk_with, every_state, painted, press, running, settle

PLACES = "324567"
KEPT = "q"


def place(app: object) -> Filtering:
    """Return the place that is open."""
    screen = app.screen  # type: ignore[attr-defined]
    assert isinstance(screen, Filtering)
    return screen


def rows(screen: Filtering) -> int:
    """Return how many rows the list of a place shows."""
    return len(screen.queue.source)


@pytest.mark.slow
async def test_a_filter_is_there_again_when_one_comes_back(tmp_path: Path) -> None:
    async with running(desk_with(tmp_path, every_state()), size=(120, 40)) as (app, pilot):
        whole: dict[str, int] = {}
        for key in PLACES:
            await press(pilot, key)
            assert place(app).words == "", "every place has its own"
            whole[key] = rows(place(app))
            await press(pilot, "slash", KEPT, "enter")
        for key in PLACES:
            await press(pilot, key)
            assert place(app).words == KEPT, key
            assert rows(place(app)) != whole[key] or not whole[key], key
            await press(pilot, "q")
            assert rows(place(app)) == whole[key], key
            await press(pilot, "3" if key != "3" else "4", key)
            assert place(app).words == "", "what was taken away stays away"
        app.session.filters["history"] = KEPT
        app.go("history", "a-change")
        await settle(pilot)
        assert place(app).words == "", "who comes for one row sees all of them"


@pytest.mark.parametrize("place", ["1", "2", "4"])
async def test_enter_in_an_empty_filter_leaves_no_field_behind(tmp_path: Path, place: str) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, place, "slash", "enter")
        assert not app.screen.query(FilterInput)
        await press(pilot, "escape")
        assert "without enter" not in painted(app)
