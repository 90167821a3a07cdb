"""The skills screen: what waits for Hermes and what it would change, what is installed; nothing is ever applied."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from curator_tui.curator.desk import Desk
from curator_tui.tui.screens.reading import ReadScreen
from curator_tui.tui.screens.skills import SkillsScreen
from curator_tui.tui.themes import MONO
from tests.homes import install_skill, make_home, picture, stage_skill, write
from tests.tui.desks import desk_on, home_with, painted, press, review, running, settle, status
from tests.tui.test_hostile import ACTING, CONTROLS, MARKUP

LOOK = "---\nname: look\ndescription: How to look\n---\n# look\n\n" + "".join(f"{n}. Step {n}.\n" for n in range(1, 31))
PATCH = {"name": "look", "old_string": "10. Step 10.\n", "new_string": "10. Look twice.\n11. Go on.\n"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a skill, another profile that shares it, and writes that wait."""
    home = home_with(tmp_path / "hermes", [])
    work = make_home(home, memory="m", profile="work")
    install_skill(home, "tools/look", LOOK)
    install_skill(work, "look", LOOK)
    install_skill(home, ".archive/old", LOOK.replace("look", "old"))
    stage_skill(home, "5c000001", "create", name="fresh", content="---\nname: fresh\n---\n# fresh\n")
    stage_skill(home, "5c000002", "patch", **PATCH)
    stage_skill(home, "5c000003", "delete", name="gone")
    stage_skill(home, "5c000004", "rename", name="look")
    write(home / "pending" / "skills" / "half.json", b'{"id": ')
    return home


def screen(app: object) -> SkillsScreen:
    found = app.screen  # type: ignore[attr-defined]
    assert isinstance(found, SkillsScreen)
    return found


async def go_to(pilot: object, app: object, name: str) -> None:
    """Put the cursor on a waiting write."""
    place = screen(app).queue.source.place(name)  # type: ignore[attr-defined]
    assert place is not None
    screen(app).queue.go(place)
    await settle(pilot)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_a_write_is_compared_with_the_installed_file(home: Path, size: tuple[int, int]) -> None:
    async with running(desk_on(home), size=size) as (app, pilot):
        assert "(5)" in painted(app).splitlines()[0], "the title of the queue says that skills wait, and where"
        await press(pilot, "6")
        assert "5 skill writes wait" in painted(app)
        await go_to(pilot, app, "5c000002")
        text = painted(app)
        for part in (
            "-   16 10. Step 10.",
            "+   16 10. Look twice.",
            "+   17 11. Go on.",
            "    15 9. Step 9.",
            "+2 -1",
        ):
            assert part in text, part
        assert "unchanged lines" in text
        for part in ("hermes, then /skills approve 5c000002", "/skills reject 5c000002", "this program never does"):
            assert part in text, part
        await press(pilot, "y")
        assert app.clipboard == "/skills approve 5c000002"


async def test_what_is_odd_or_unknown_is_listed_with_its_reason(home: Path) -> None:
    async with running(desk_on(home), palette=MONO, size=(100, 30)) as (app, pilot):
        await press(pilot, "6")
        text = painted(app)
        assert len([line for line in text.splitlines() if line.startswith(" ! ")]) == 2, "told without colours"
        assert "unknown action rename" in text
        assert "half: " in text
        await go_to(pilot, app, "5c000003")
        assert "no skill of that name is installed: Hermes refuses it" in painted(app)
        await go_to(pilot, app, "half")
        assert "cannot read it either" in painted(app)
        assert "/skills approve" not in painted(app), "Hermes cannot apply it"
        await press(pilot, "y")
        assert app.clipboard == "/skills reject half"


async def test_looking_at_skills_writes_nothing(home: Path) -> None:
    before = picture(home)
    async with running(desk_on(home), read_only=True) as (_, pilot):
        await press(pilot, "6", "j", "d", "enter", "q", "x", "a", "y", "v", "R")
    assert picture(home) == before


async def test_the_installed_skills_have_one_row_for_each_content(home: Path) -> None:
    (make_home(home, profile="odd") / "skills").write_text("no folder")
    async with running(desk_on(home), size=(160, 40)) as (app, pilot):
        await press(pilot, "6", "v")
        lines = painted(app).splitlines()
        assert any(line.startswith(" ! odd: ") for line in lines), "one that cannot be listed is named, and hides none"
        (row,) = (line[:87].split() for line in lines if line.startswith("   look"))
        assert row == ["look", "default,", "work", "unknown", str(len(LOOK))]
        assert "archived" in next(line for line in lines if line[:10].strip().startswith("old"))
        assert "default: skills/tools/look" in painted(app)
        assert "hermes curator archive look" in painted(app)
        assert "hermes -p work curator archive look" in painted(app)
        await press(pilot, "j")
        assert "archived: no" in painted(app)
        assert "hermes curator restore old" in painted(app)
        await press(pilot, "v")
        assert "5 skill writes wait" in painted(app)


async def test_keys_of_the_text(home: Path) -> None:
    async with running(desk_on(home)) as (app, pilot):
        await press(pilot, "6")
        await go_to(pilot, app, "5c000002")
        await press(pilot, "c")
        assert "unchanged lines around a change: 10" in status(app)
        await press(pilot, "c")
        assert "unchanged lines (" not in painted(app)
        assert "around a change: all" in status(app)
        await press(pilot, "d")
        assert "the words it looks for" in painted(app)
        await press(pilot, "d", "g")
        assert screen(app).queue.cursor == 0
        await press(pilot, "G", "k")
        assert screen(app).queue.cursor == 3
        top = screen(app).reader.top
        await press(pilot, "pagedown", "J")
        assert screen(app).reader.top >= top
        await press(pilot, "pageup", "K", "N", "T")
        assert app.palette.name != "dark"


async def test_n_goes_through_the_changes_and_then_to_the_next_row(home: Path) -> None:
    stage_skill(
        home, "5c000000", "edit", name="look", content=LOOK.replace("Step 1.", "one").replace("Step 30", "last")
    )
    async with running(desk_on(home)) as (app, pilot):
        await press(pilot, "6", "c", "c")
        await go_to(pilot, app, "5c000000")
        at = screen(app).queue.cursor
        assert "1. one" in painted(app)
        await press(pilot, "n")
        assert "30. last" in painted(app)
        assert screen(app).queue.cursor == at
        await press(pilot, "n")
        assert screen(app).queue.cursor == at + 1


async def test_enter_shows_everything_about_a_row(home: Path) -> None:
    async with running(desk_on(home)) as (app, pilot):
        await press(pilot, "6", "j", "enter")
        assert isinstance(app.screen, ReadScreen)
        for part in ("skill write 5c000001", "/skills approve 5c000001", "+    1 ---", "agent says", "digest"):
            assert part in painted(app), part
        await press(pilot, "q", "v", "enter")
        assert isinstance(app.screen, ReadScreen)
        assert "Step 1." in painted(app)


async def test_the_filter_keeps_rows_with_all_words_and_the_first_way_back_ends_it(home: Path) -> None:
    async with running(desk_on(home)) as (app, pilot):
        await press(pilot, "6", "slash", "l", "o", "o", "enter")
        assert len(screen(app).queue.source) == 2
        assert "filter: 2" in painted(app)
        screen(app).set_words("look !rename")
        assert len(screen(app).queue.source) == 1
        screen(app).set_words("zzz")
        await settle(pilot)
        assert "No row holds these words." in painted(app)
        await press(pilot, "q")
        assert len(screen(app).queue.source) == 5, "the first way back is out of the filter"
        await press(pilot, "q")
        assert app.screen is review(app)


async def test_without_skills_it_says_what_to_do(tmp_path: Path) -> None:
    async with running(desk_on(home_with(tmp_path / "hermes", []))) as (app, pilot):
        assert "6(" not in painted(app).splitlines()[0]
        await press(pilot, "6")
        assert "No skill write waits" in painted(app)
        assert "skills.write_approval" in painted(app)
        await press(pilot, "enter", "n", "d", "c", "v")
        assert "No skill is installed" in painted(app)


async def test_a_queue_that_cannot_be_listed_is_named(tmp_path: Path) -> None:
    home = home_with(tmp_path / "hermes", [])
    (home / "pending" / "skills").write_text("no folder")
    async with running(desk_on(home)) as (app, pilot):
        await press(pilot, "6")
        assert "not a folder" in painted(app)
        assert "Move it away" in painted(app)
        await press(pilot, "v", "v", "R")
        assert "not a folder" in painted(app)


async def test_the_list_follows_the_folder_and_the_cursor_stays(home: Path) -> None:
    async with running(desk_on(home)) as (app, pilot):
        await press(pilot, "6")
        await go_to(pilot, app, "5c000003")
        stage_skill(home, "5b000000", "delete", name="look")
        os.unlink(home / "pending" / "skills" / "5c000001.json")
        screen(app)._tick()
        await settle(pilot)
        assert screen(app).queue.source.row(screen(app).queue.cursor).id == "5c000003"  # type: ignore[attr-defined]
        assert "delete look" not in painted(app).splitlines()[-14]
        assert "fresh" not in painted(app)


async def test_an_unreadable_memory_hides_no_skill(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from curator_tui.core.errors import Unreadable

    async with running(desk_on(home)) as (app, pilot):

        def refresh(_: Desk, **__: bool) -> bool:
            raise Unreadable("the queue is gone.", way_out="Bring it back.")

        monkeypatch.setattr(Desk, "refresh", refresh)
        await press(pilot, "6")
        assert "5 skill writes wait" in painted(app)


@pytest.mark.parametrize("text", ["".join((*MARKUP, *CONTROLS)), "a\u202eb\u2028c\x1b]52;c;x\x07\t"])
async def test_hostile_text_is_shown_as_it_is(tmp_path: Path, text: str) -> None:
    home = home_with(tmp_path / "hermes", [])
    install_skill(home, "look", f"---\nname: look\ndescription: {text!r}\n---\n{text}\nold\n")
    stage_skill(home, "5c000001", "patch", name="look", old_string="old", new_string=text)
    stage_skill(home, "5c000002", "create", name=text, content=text, category=text)
    stage_skill(home, "5c000003", text, name=text, file_path=text)
    write(home / "pending" / "skills" / "[red]\x1b]52;c;x\x07.json", b"{")
    async with running(desk_on(home), size=(120, 40)) as (app, pilot):
        for keys in (("6",), ("j",), ("enter",), ("q", "d"), ("j",), ("v",), ("enter",)):
            await press(pilot, *keys)
            assert not set(ACTING) & set(painted(app)), keys
            assert app.is_running


@pytest.mark.parametrize("size", [(1, 1), (40, 10)])
async def test_every_size_is_borne(home: Path, size: tuple[int, int]) -> None:
    async with running(desk_on(home), size=size) as (app, pilot):
        await press(pilot, "6", "j", "tab", "enter", "escape", "v", "slash", "escape")
        assert app.is_running
