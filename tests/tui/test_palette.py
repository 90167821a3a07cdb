"""The command palette, the help overlay, another profile: everything by name, nothing by surprise."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import Paste

from curator_tui.core.documents import Target
from curator_tui.core.requests import ChallengeCode
from curator_tui.curator.desk import Desk
from curator_tui.tui.actions import REVIEW, of_screen
from curator_tui.tui.app import CuratorApp, Timing
from curator_tui.tui.pasting import Discarded
from curator_tui.tui.screens.profiles import ProfilesScreen
from curator_tui.tui.shown import words_of
from curator_tui.tui.widgets.one_line import Said
from tests.homes import make_home
from tests.tui.desks import (
    FAST,
    NET,
    cursor,
    desk_on,
    desk_with,
    every_state,
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


async def test_every_action_can_be_found_by_name(tmp_path: Path) -> None:
    from curator_tui.tui.palette import ActionsProvider

    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, _):
        provider = ActionsProvider(app.screen)
        offered = [hit.text async for hit in provider.discover()]
        for action in of_screen(REVIEW):
            if action.id != "palette":
                searched = [hit.text async for hit in provider.search(action.help.split(";")[0].split("(")[0])]
                assert any(action.help in text and action.label in text for text in searched if text), action.id
                assert any(action.help in text for text in offered if text) is not action.decides, action.id


@pytest.mark.parametrize("typed", ["", "w", "x", "q", "wq", "ap", "rove"])
async def test_what_decides_is_chosen_by_no_accident(tmp_path: Path, typed: str) -> None:
    from curator_tui.tui.palette import ActionsProvider

    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        deciding = {action.help for action in of_screen(REVIEW) if action.decides}
        found = [hit.text async for hit in ActionsProvider(app.screen).search(typed)] if typed else []
        assert not [text for text in found if text and any(words in text for words in deciding)]
        await press(pilot, "colon", *typed, "enter")
        assert len(waiting(desk)) == 13
        assert desk.store.book.rows()[1:] == []


async def test_a_key_of_a_question_is_offered_by_what_it_does_there(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [])
    desk.challenge(Target.MEMORY, NET, ChallengeCode.WRONG)
    async with running(desk) as (_, pilot):
        await press(pilot, "g", "colon", *"keep")
        assert "keep  (a)" in painted_text(pilot)
        assert "approve" not in painted_text(pilot)


async def test_what_decides_is_not_chosen_faster_than_it_could_be_read(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, timing=FAST._replace(dwell=30.0)) as (app, pilot):
        await press(pilot, "colon", *"approve", "enter")
        assert "too fast: nothing was chosen" in status(app)
        assert len(waiting(desk)) == 13


async def test_an_action_chosen_by_name_acts_on_what_is_on_screen(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "colon", *"skip for", "enter")
        assert app.screen is review(app)
        assert cursor(app) == "add00002"
        assert len(waiting(desk)) == 13


async def test_an_item_is_closed_without_writing_by_name(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    first = desk.snapshot().document(Target.MEMORY).raw
    async with running(desk) as (app, pilot):
        closed = cursor(app)
        await press(pilot, "colon", *"log only", "enter")
        await until(lambda: closed not in waiting(desk), pilot)
        assert "closed without writing" in status(app)
        assert desk.read_documents().document(Target.MEMORY).raw == first


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_the_help_says_what_a_would_do(tmp_path: Path, size: tuple[int, int]) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=size) as (_, pilot):
        await press(pilot, "question_mark")
        text = painted_text(pilot)
        assert "a now: all seen: a approves" in text
        assert "approve what is on screen" in text


def painted_text(pilot: object) -> str:
    return painted(pilot.app)  # type: ignore[attr-defined]


async def test_a_source_that_arrives_later_does_not_start_the_clock_anew(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, timing=Timing(dwell=0.0, quiet=0.0, poll=0.0, rest=0.05)) as (app, pilot):
        await press(pilot, "j")
        since = app.gate._since
        looked = review(app).model.looked
        assert looked is not None
        assert looked.id == "add00002"
        assert review(app).model.source_of(looked) is not None
        assert app.gate._since == since


async def test_another_profile_opens_in_place(tmp_path: Path) -> None:
    root = make_home(tmp_path / "hermes", memory="one", pending=[item("add00001", "add", "fact")])
    make_home(root, memory="work", pending=[item("wrk00001", "add", "work fact")], profile="work")
    (root / "memories" / "MEMORY.md").write_text("one", encoding="utf-8")
    opened: list[str] = []

    def switch(name: str) -> Desk:
        opened.append(name)
        return desk_on(root / "profiles" / "work")

    first = desk_on(root)
    app = CuratorApp(first, timing=FAST, switch=switch)
    async with app.run_test(size=(80, 24), notifications=True, tooltips=True) as pilot:
        await until(lambda: review(app).live.started, pilot)
        assert cursor(app) == "add00001"
        await press(pilot, "P")
        assert isinstance(app.screen, ProfilesScreen), status(app)
        await press(pilot, "enter")
        assert opened == ["work"]
        assert cursor(app) == "wrk00001"
        assert ":work" in painted(app)
        await press(pilot, "a")
        assert "wrk00001" not in {path.stem for path in (root / "profiles/work/pending/memory").glob("*.json")}
    assert waiting(first) == {"add00001"}, "the desk that was given stays open and untouched"


async def test_what_is_ignored_while_the_palette_is_open_is_said_in_it(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "colon")
        for count in (14, 3):
            app.post_message(Discarded(count))
            await settle(pilot)
            (said,) = app.screen.query(Said)
            assert words_of(said.line).strip() == f"ignored {count} keys right behind a pasted text"
        assert said.is_on_screen
        assert said.region.height == 1


@pytest.mark.parametrize("key", ["question_mark", "colon"])
async def test_a_paste_and_ctrl_c_are_answered_above_a_screen(tmp_path: Path, key: str) -> None:
    """In the help nothing takes a text; in the palette every line of it stands in the field."""
    async with running(desk_with(tmp_path, [])) as (app, pilot):
        await press(pilot, key, "ctrl+c")
        await until(lambda: "ctrl+c does not leave: ctrl+q does" in painted(app))
        app.post_message(Paste("first\nlast"))
        told = "ignored pasted text: 10 characters" if key == "question_mark" else "first last"
        await until(lambda: told in painted(app))


async def test_the_palette_opens_over_a_plan(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "Backups run on Sunday")])
    async with running(desk) as (app, pilot):
        await press(pilot, "asterisk", "b", "colon", *"leave it out")
        await until(lambda: "leave out: leave it out, or put it back" in painted(app), pilot)
        await press(pilot, "enter")
        await until(lambda: "left out by you: 1" in painted(app))


async def test_the_line_below_the_title_is_told_whole_in_a_narrow_window(tmp_path: Path) -> None:
    home = make_home(tmp_path / "hermes", memory="one", pending=[], config={"write_approval": False})
    async with running(desk_on(home), size=(60, 24)) as (app, _):
        rows = " ".join(line.strip() for line in painted(app).splitlines()[1:3])
        assert rows == "gate OFF: writes go straight in - hermes config set memory.write_approval true"
