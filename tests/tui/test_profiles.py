"""The profiles screen: how each stands, opening another one, and that two of them never mix."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from curator_tui.core.errors import NoStore, UsageError
from curator_tui.curator.desk import Desk
from curator_tui.curator.profiles import Glance, ProfileOrder, in_order
from curator_tui.tui.app import CuratorApp
from curator_tui.tui.screens import profiles as module
from curator_tui.tui.screens.choosing import ChooseScreen
from curator_tui.tui.screens.profiles import ProfilesScreen
from curator_tui.tui.screens.second import AskScreen
from curator_tui.tui.themes import DARK, MONO, Palette
from tests.homes import make_home, picture, stage_skill, write
from tests.tui.desks import (
    FAST,
    cursor,
    desk_on,
    entries,
    home_with,
    item,
    painted,
    press,
    review,
    settle,
    status,
    until,
    waiting,
)  # fmt: skip
from tests.tui.test_hostile import ACTING

GATE = {"write_approval": True}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A home with two profiles whose items have the same ids, and one that is broken."""
    root = home_with(tmp_path / "hermes", [item("add00001", "add", "of default"), item("add00002", "add", "two")])
    waits = [item("add00001", "add", "of work", age=86_400 * 3), item("wrk00001", "add", "w"), item("c", "add", "c")]
    work = make_home(root, memory="m" * 1100, user="Ana", pending=waits, config=GATE, profile="work")
    stage_skill(work, "5c000001", "delete", name="look")
    broken = make_home(root, memory="x", profile="broken")
    write(broken / "memories" / "MEMORY.md", b"\xff")
    return root


@asynccontextmanager
async def at(
    root: Path, *, size: tuple[int, int] = (80, 24), palette: Palette = DARK, switch: bool = True
) -> AsyncIterator[tuple[CuratorApp, Pilot[object]]]:
    """Run the application on the default profile, with a way to open the others."""

    def opened(name: str) -> Desk:
        if not (root / "profiles" / name).is_dir():
            raise NoStore(f"There is no profile {name}.", way_out="Look again.")
        return desk_on(root / "profiles" / name)

    app = CuratorApp(desk_on(root), timing=FAST, palette=palette, switch=opened if switch else None)
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        await until(lambda: review(app).live.started, pilot)
        yield app, pilot


def screen(app: CuratorApp) -> ProfilesScreen:
    found = app.screen
    assert isinstance(found, ProfilesScreen)
    return found


async def changed_to(app: CuratorApp, pilot: Pilot[object], name: str) -> None:
    """Wait until the desk of another profile is open."""
    await until(lambda: app.clerk.desk.bound().scope == name, pilot)


def row(app: CuratorApp, name: str) -> list[str]:
    """Return the words of a profile's row."""
    return next(line.split() for line in painted(app).splitlines() if line[3:].startswith(name))


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_each_profile_has_its_counts_ages_fullness_and_gate(root: Path, size: tuple[int, int]) -> None:
    async with at(root, size=size) as (app, pilot):
        await press(pilot, "7")
        assert "[7 Profiles]" in painted(app).splitlines()[0]
        assert "3 profiles, 1 with !" in painted(app)
        assert "! not all readable" in status(app)
        asked = [] if size[0] < 92 else ["0"]
        assert ("DISPUTED" in painted(app)) is bool(asked)
        assert row(app, "work") == ["work", "3", *asked, "3d", "1", "[###---]", "50%", "[------]", "0%", "on", "never"]
        assert row(app, "default")[:4] == ["*", "default", "2", *(asked or ["1h"])]
        assert row(app, "broken")[:2] == ["!", "broken"]
        assert "undecodable" in row(app, "broken")
        text = painted(app)
        assert "1 of its documents and records" in text, "the cursor begins at the first other one"
        await press(pilot, "G")
        assert "3 memory writes, the oldest for 3d" in painted(app)
        assert "1100/2200 50%" in painted(app)
        assert "enter opens work" in painted(app)
        await press(pilot, "?")
        assert "! something in it cannot be read" in painted(app)


async def test_looking_at_profiles_writes_nothing(root: Path) -> None:
    async with at(root) as (_, pilot):
        before = picture(root / "profiles")
        await press(pilot, "7", "j", "k", "R", "G", "g", "T", "q")
        assert picture(root / "profiles") == before


async def test_opening_another_lands_on_its_queue(root: Path) -> None:
    async with at(root) as (app, pilot):
        await press(pilot, "P", "G", "enter")
        await changed_to(app, pilot, "work")
        assert app.screen is review(app)
        assert len(app.screen_stack) == 1
        assert ":work" in painted(app).splitlines()[0]
        assert "now at profile work" in status(app)
        assert {"add00001", "wrk00001"} <= waiting(app.clerk.desk)
        await press(pilot, "7", "k", "k", "enter")
        assert ":work" in painted(app).splitlines()[0]
        await press(pilot, "G", "enter")
        assert app.screen is review(app), "enter on the one that is open goes back to its queue"


async def test_the_same_ids_of_two_profiles_never_mix(root: Path) -> None:
    async with at(root) as (app, pilot):
        first = app.clerk.desk
        await press(pilot, "a")
        assert app.session.last is not None
        await press(pilot, "g", "space", "e", "X", "escape")
        marked, seen = set(app.session.marked), app.gate
        assert marked
        assert app.session.drafts
        await press(pilot, "P", "G", "enter")
        assert isinstance(app.screen, AskScreen)
        text = painted(app)
        for part in ("From profile default to profile work", "1 draft and 1 mark", "would be lost"):
            assert part in text, part
        await press(pilot, "n")
        assert app.clerk.desk is first
        assert set(app.session.marked) == marked
        await press(pilot, "enter", "y")
        await changed_to(app, pilot, "work")
        session = app.session
        assert (session.marked, session.drafts, session.skipped, session.last, session.made) == (
            {},
            {},
            {},
            None,
            set(),
        )
        assert app.gate is not seen
        before = entries(first)
        await press(pilot, "u")
        assert "nothing to undo" in status(app)
        assert cursor(app) == "add00001"
        await press(pilot, "a")
        assert "of work" in entries(app.clerk.desk)
        assert entries(first) == before
        assert "add00001" not in waiting(app.clerk.desk)


async def test_marks_alone_are_asked_for_and_nothing_is_not(root: Path) -> None:
    async with at(root) as (app, pilot):
        await press(pilot, "space", "7", "G", "enter")
        assert "1 mark of this session" in painted(app)
        assert "draft" not in painted(app)
        await press(pilot, "y")
        await changed_to(app, pilot, "work")


async def test_a_profile_that_cannot_be_opened_is_told_and_nothing_is_left(root: Path) -> None:
    async with at(root) as (app, pilot):
        first = app.clerk.desk
        await press(pilot, "7", "G")
        (root / "profiles" / "work").rename(root / "elsewhere")
        await press(pilot, "enter")
        assert "There is no profile work" in status(app)
        assert app.clerk.desk is first
        await press(pilot, "R")
        assert "2 profiles" in painted(app)


async def test_a_desk_is_not_left_from_another_screen_while_it_opens(root: Path) -> None:
    async with at(root) as (app, pilot):
        go_on, really = threading.Event(), app.switch
        assert really is not None

        def slowly(name: str) -> Desk:
            go_on.wait(10)
            return really(name)

        app.switch = slowly
        first = app.clerk.desk
        await press(pilot, "7", "G")
        screen(app).action_profiles_open()
        app.go("history")
        go_on.set()
        await settle(pilot)
        assert app.clerk.desk is first
        assert "finish what is on screen first" in status(app)


async def test_order_and_filter_keep_the_cursor_on_its_profile(root: Path) -> None:
    async with at(root) as (app, pilot):
        await press(pilot, "7", "G")
        assert screen(app)._placed == ("default", "broken", "work")
        await press(pilot, "o")
        assert isinstance(app.screen, ChooseScreen)
        await press(pilot, "2")
        assert screen(app)._placed == ("work", "default", "broken")
        assert screen(app)._under_cursor() == "work"
        await press(pilot, "slash", "w", "o", "enter")
        assert len(screen(app).queue.source) == 1
        screen(app).set_words("zzz")
        await settle(pilot)
        assert "No name holds these words" in painted(app)
        await press(pilot, "enter", "q")
        assert len(screen(app).queue.source) == 3
        await press(pilot, "q")
        assert app.screen is review(app)


def test_orders_put_what_is_not_known_last_and_equal_ones_by_name() -> None:
    known = {
        "default": Glance("default", 2, 500.0),
        "a": Glance("a", 7, 900.0),
        "b": Glance("b", None, None),
        "c": Glance("c", 7, 100.0),
    }
    names = ["c", "b", "a", "default", "z"]
    assert in_order(names, known) == ("default", "a", "b", "c", "z")
    assert in_order(names, known, ProfileOrder.WAITING) == ("a", "c", "default", "b", "z")
    assert in_order(names, known, ProfileOrder.AGE) == ("c", "default", "a", "b", "z")


async def test_a_home_with_one_profile_says_so(tmp_path: Path) -> None:
    async with at(home_with(tmp_path / "hermes", [])) as (app, pilot):
        await press(pilot, "7")
        assert "no other profile" in painted(app)
        assert "hermes profile create" in painted(app)
        await press(pilot, "enter")
        assert app.screen is review(app)


async def test_where_no_other_can_be_opened_it_says_so(root: Path) -> None:
    async with at(root, switch=False) as (app, pilot):
        await press(pilot, "7", "G", "enter")
        assert "only the profile that is open" in status(app)
        assert "enter opens" not in painted(app)


async def test_profiles_are_filled_in_one_by_one_and_keys_wait_for_none(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, really = threading.Event(), module.glance_at

    def slowly(desk: Desk, profile: str, environ: Any) -> Glance:
        if profile == "work":
            go_on.wait(10)
        return really(desk, profile, environ)

    monkeypatch.setattr(module, "glance_at", slowly)
    async with at(root) as (app, pilot):
        await pilot.press("7")
        await until(lambda: "broken" in painted(app) and "reading 1 more" in painted(app))
        assert row(app, "work") == ["work", "…"]
        assert row(app, "default")[2] == "2"
        await app.clerk.ask(lambda desk: desk.snapshot())  # the desk itself is free
        go_on.set()
        await settle(pilot)
        assert row(app, "work")[1] == "3"


async def test_a_look_that_fails_does_not_end_looking(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    really = module.glance_at

    def fails(desk: Desk, profile: str, environ: Any) -> Glance:
        raise UsageError("not now.", way_out="later")

    async with at(root) as (app, pilot):
        await press(pilot, "7", "G")
        monkeypatch.setattr(module, "glance_at", fails)
        await press(pilot, "R")
        assert "not now" in status(app)
        monkeypatch.setattr(module, "glance_at", really)
        (root / "profiles" / "work" / "pending" / "memory" / "c.json").unlink()
        screen(app)._tick()
        await settle(pilot)
        assert row(app, "work")[1] == "2"


async def test_the_list_follows_what_happens_elsewhere(root: Path) -> None:
    async with at(root) as (app, pilot):
        await press(pilot, "7", "G")
        (root / "profiles" / "work" / "pending" / "memory" / "c.json").unlink()
        make_home(root, memory="n", profile="newer")
        screen(app)._tick()
        await settle(pilot)
        assert row(app, "work")[1] == "2"
        assert screen(app)._under_cursor() == "work"
        assert "newer" in painted(app)


async def test_a_hundred_profiles_are_there_at_once(tmp_path: Path) -> None:
    root = home_with(tmp_path / "hermes", [])
    for number in range(100):
        make_home(root, memory="Uses zsh", pending=[item("c1", "add", "x")], config=GATE, profile=f"p{number:03}")
    async with at(root) as (app, pilot):
        began = time.perf_counter()
        await pilot.press("7")
        await until(lambda: "p003" in painted(app))
        listed = time.perf_counter() - began
        await settle(pilot)
        took = time.perf_counter() - began
        assert len(screen(app).known) == 101
        assert listed < took < 15.0, (listed, took)


async def test_hostile_text_is_shown_as_it_is(root: Path) -> None:
    work = root / "profiles" / "work"
    write(work / "config.yaml", b"memory:\n  memory_char_limit: '\x1b]52;c;x\x07[@click=app.leave]'\n")
    (root / "profiles" / "x").symlink_to("/nowhere\x1b[2J")
    async with at(root, palette=MONO) as (app, pilot):
        for keys in (("7",), ("G",), ("enter",)):
            await press(pilot, *keys)
            assert not set(ACTING) & set(painted(app)), keys
        assert app.is_running


@pytest.mark.parametrize("size", [(1, 1), (60, 16)])
async def test_every_size_is_borne(root: Path, size: tuple[int, int]) -> None:
    async with at(root, size=size) as (app, pilot):
        await press(pilot, "7", "j", "tab", "slash", "escape", "o", "escape")
        assert app.is_running
