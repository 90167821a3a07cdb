"""Two panes: their shares, the zoom, the mouse on the line between them, and what is remembered of it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from curator_tui.curator.queries import Group, Sort
from curator_tui.tui.app import CuratorApp
from curator_tui.tui.remembered import Remembered, Shares, recall, remember, state_path
from curator_tui.tui.screens.base import DeskScreen
from tests.tui.desks import (
    FAST,
    desk_with,
    every_state,
    go_to,
    item,
    painted,
    press,
    review,
    running,
    settle,
    status,
    until,
    waiting,
)


def widths(app: CuratorApp) -> tuple[int, int]:
    screen = app.screen
    assert isinstance(screen, DeskScreen)
    return screen.query_one("#left").outer_size.width, screen.query_one("#right").outer_size.width


def heights(app: CuratorApp) -> tuple[int, int]:
    return app.screen.query_one("#left").outer_size.height, app.screen.query_one("#right").outer_size.height


async def test_the_list_gets_wider_and_narrower_side_by_side(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(140, 40)) as (app, pilot):
        assert widths(app) == (77, 63)
        await press(pilot, ">", ">")
        assert widths(app) == (91, 49)
        await press(pilot, *"<" * 3)
        assert widths(app) == (70, 70)
        assert app.remembered.panes == {"review": Shares(beside=500)}
        assert "FOR" in painted(app)
        await press(pilot, *"<" * 9)
        assert widths(app)[0] == 21, "never too narrow to be read"
        assert "FOR" not in painted(app), "headings stand over the columns that are left"


async def test_above_each_other_it_gets_higher_and_lower(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        before = heights(app)
        await press(pilot, ">")
        assert heights(app)[0] > before[0]
        assert sum(heights(app)) == sum(before)
        await pilot.resize_terminal(140, 40)
        await settle(pilot)
        assert widths(app) == (77, 63), "the share of the height says nothing of the width"


async def test_zoom_shows_the_text_then_the_list_then_both(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    for size in ((80, 24), (140, 40)):
        async with running(desk, size=size) as (app, pilot):
            await go_to(pilot, app, "add00001")
            await press(pilot, "z")
            assert "WHAT IT DOES" not in painted(app)
            assert "all seen: a approves" in painted(app)
            assert not app.screen.query_one("#left").display
            assert app.screen.query_one("#right").outer_size.width == size[0]
            await press(pilot, "z")
            assert not app.screen.query_one("#right").display
            assert app.screen.query_one("#left").outer_size.width == size[0]
            await press(pilot, "z")
            assert app.screen.query_one("#left").display
            assert app.screen.query_one("#right").display
            await press(pilot, "z", "escape")
            assert app.screen.query_one("#left").display


async def test_what_the_zoom_hides_is_not_decided(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "one"), item("add00002", "add", "two")])
    async with running(desk) as (_, pilot):
        await press(pilot, "z", "z", "a", "x")
        assert waiting(desk) == {"add00001", "add00002"}
        await press(pilot, "z", "a")
        assert len(waiting(desk)) == 1


async def test_where_one_pane_fits_there_is_nothing_to_divide(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    remembered = Remembered(panes={"review": Shares(600, 600)}, hinted=True)
    async with running(desk, size=(56, 24), remembered=remembered) as (app, pilot):
        assert heights(app)[0] > 15, "a share that was remembered counts only where there are two"
        await press(pilot, ">")
        assert "only one pane fits" in status(app)
        await press(pilot, "z")
        assert app.screen.query_one("#right").display
        assert not app.screen.query_one("#left").display


@pytest.mark.parametrize(("size", "at", "to"), [((140, 40), (69, 10), (89, 10)), ((80, 24), (30, 8), (30, 12))])
async def test_the_line_between_the_panes_can_be_dragged(
    tmp_path: Path, size: tuple[int, int], at: tuple[int, int], to: tuple[int, int]
) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=size) as (app, pilot):
        line = app.screen.query_one("#left").region
        at = (line.right - 1, at[1]) if size[0] > 110 else (at[0], line.bottom)
        await pilot.mouse_down(offset=at)
        await pilot.hover(offset=to)
        await pilot.mouse_up(offset=to)
        await settle(pilot)
        moved = app.screen.query_one("#left").region
        assert (moved.right - 1, to[1]) == to if size[0] > 110 else moved.bottom == to[1]
        await pilot.hover(offset=(5, 5))
        await settle(pilot)
        assert app.screen.query_one("#left").region == moved, "let go is let go"


async def test_each_screen_has_shares_of_its_own_and_begins_with_them(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    known = Remembered(panes={"history": Shares(beside=300)}, group=Group.DOCUMENT, sort=Sort.NEWEST, hinted=True)
    async with running(desk, size=(140, 40), remembered=known) as (app, pilot):
        assert widths(app) == (77, 63)
        assert " memory  9 waiting, 7 rows " in painted(app), "its rows stand under their documents"
        board = review(app).model.board
        assert board is not None
        assert (board.listing.query.group, board.listing.query.sort) == (Group.DOCUMENT, Sort.NEWEST)
        await press(pilot, "3")
        assert widths(app) == (42, 98)


async def test_the_first_run_says_what_somebody_new_needs_and_only_once(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "one"), item("add00002", "add", "two")])
    known = Remembered()
    for key in ("escape", "?", "a"):
        known.hinted = False
        async with running(desk, remembered=known) as (app, pilot):
            assert "New here? Nothing is written until a; u undoes it; ? shows every key (esc: ok)" in painted(app)
            assert known.hinted
            await press(pilot, "j", "k")
            assert "New here?" in painted(app)
            await press(pilot, key, *("q" if key == "?" else ""))
            assert "New here?" not in painted(app)
    async with running(desk, remembered=known) as (app, _):
        assert "New here?" not in painted(app)


async def test_the_hint_for_a_first_run_goes_with_the_first_decision(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, timing=FAST._replace(quiet=0.001), remembered=Remembered()) as (app, pilot):
        assert "New here?" in painted(app)
        await press(pilot, "x")
        await until(lambda: app.session.past, pilot)
        assert "New here?" not in painted(app), (
            "a key that is held back until it is known to be one is one all the same"
        )


# -- the file --------------------------------------------------------------------------------------------------------


def test_what_is_kept_is_for_the_person_only_and_comes_back(tmp_path: Path) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path / "state")}
    now = Remembered(theme="light", panes={"review": Shares(40, 0)}, hinted=True)
    remember(now, Remembered(), environ)
    assert recall(environ) == now
    path = Path(state_path(environ))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert os.listdir(path.parent) == ["screens.json"]


def test_nothing_is_written_where_nothing_changed(tmp_path: Path) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path / "state")}
    remember(Remembered(), Remembered(), environ)
    assert not (tmp_path / "state").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a folder to another")
def test_root_keeps_nothing_in_the_folder_of_another(tmp_path: Path) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path / "not" / "there")}
    os.chown(tmp_path, 12345, 12345)
    remember(Remembered(theme="light"), Remembered(), environ)
    assert os.listdir(tmp_path) == []
    os.chown(tmp_path, 0, 0)
    remember(Remembered(theme="light"), Remembered(), environ)
    assert recall(environ).theme == "light"


def test_two_runs_at_a_time_keep_what_each_changed(tmp_path: Path) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path)}
    remember(Remembered(theme="light"), Remembered(), environ)
    remember(Remembered(panes={"review": Shares(30)}), Remembered(), environ)
    assert recall(environ) == Remembered(theme="light", panes={"review": Shares(30)})


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'{"theme": 7}', b'{"group": "no"}', b"\xff" * 9, b"0" * 100_000])
def test_a_damaged_one_counts_for_nothing_and_is_replaced(tmp_path: Path, raw: bytes) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path)}
    path = Path(state_path(environ))
    path.parent.mkdir()
    path.write_bytes(raw)
    assert recall(environ) == Remembered()
    remember(Remembered(theme="mono"), Remembered(), environ)
    assert recall(environ) == Remembered(theme="mono")


def test_what_cannot_be_written_or_read_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "curator-tui").write_text("a file in the place of the folder")
    environ = {"XDG_STATE_HOME": str(tmp_path)}
    assert recall(environ) == Remembered()
    remember(Remembered(theme="mono"), Remembered(), environ)
    os.unlink(tmp_path / "curator-tui")
    (tmp_path / "curator-tui").mkdir()
    os.mkfifo(tmp_path / "curator-tui" / "screens.json")
    assert recall(environ) == Remembered()


def test_shares_out_of_reason_are_held_within_it() -> None:
    known = Remembered(panes={"review": Shares(beside=4_000, above=-3)})
    assert (known.share("review", beside=True), known.share("review", beside=False)) == (850, 150)
    assert known.share("history", beside=True) == 0
