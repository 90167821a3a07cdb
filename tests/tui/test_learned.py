"""Everything learned on screen: one list of entries and skills, filtered, corrected and removed from the row."""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from textual.events import Paste

from curator_tui.core.documents import Target
from curator_tui.core.proposals import Proposal
from curator_tui.core.requests import Decision, Verb
from curator_tui.core.skills import InstalledSkill, SkillHolder
from curator_tui.curator.desk import Desk
from curator_tui.curator.skills import installed_commands
from curator_tui.curator.values import Evidence, Quote
from curator_tui.tui.app import CuratorApp
from curator_tui.tui.screens.documents import DocumentsScreen
from curator_tui.tui.screens.learned import LearnedScreen
from curator_tui.tui.screens.ledger import LedgerScreen
from curator_tui.tui.screens.proposing import ProposeScreen
from curator_tui.tui.screens.reading import ReadScreen
from curator_tui.tui.screens.writing import WriteScreen
from curator_tui.tui.themes import MONO
from tests.homes import install_skill, make_home, write
from tests.tui.desks import (
    FAST,
    desk_on,
    entries,
    home_with,
    item,
    painted,
    press,
    review,
    running,
    settle,
    status,
    until,
)  # fmt: skip

TEXT = "---\nname: look\ndescription: How to look\n---\n1. Look.\n"


def learned_home(path: Path) -> Path:
    """Build a home that knows two entries by its ledger, two by nothing, and has three skills, one of them put away."""
    pending = [
        item("add00001", "add", "Has a cat", origin="background_review"),
        item("rep00001", "replace", "Uses zsh 5.9", "Uses zsh"),
    ]
    home = home_with(path / "hermes", pending, memory=["Uses zsh", "Owns a NAS"], user=["Ana"])
    work = make_home(home, memory="x", profile="work")
    install_skill(home, "look", TEXT)
    install_skill(work, "look", TEXT)
    install_skill(home, ".archive/old", TEXT.replace("look", "old"))
    install_skill(work, "only-work", TEXT.replace("look", "only-work"))
    usage = {"look": {"created_by": "agent", "created_at": "2026-09-20T10:00:00+00:00"}}
    write(home / "skills" / ".usage.json", json.dumps(usage).encode())
    desk = desk_on(home)
    assert desk.decide([Decision("add00001", Verb.APPROVE, seen="100%")]).change
    assert desk.decide([Decision("rep00001", Verb.APPROVE, seen="100%")]).change
    desk.close()
    return home


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That home, made once: it is only looked at."""
    return learned_home(tmp_path_factory.mktemp("learned"))


@pytest.fixture
def desk(home: Path) -> Generator[Desk, None, None]:
    """A desk on it."""
    opened = desk_on(home)
    yield opened
    opened.close()


@pytest.fixture
def own_desk(tmp_path: Path) -> Generator[Desk, None, None]:
    """A desk on a home of its own, for tests that change something."""
    opened = desk_on(learned_home(tmp_path))
    yield opened
    opened.close()


async def filter_by(pilot: Any, words: str) -> None:
    """Open the filter, put words into it at once, and go back to the list."""
    await press(pilot, "/")
    pilot.app.post_message(Paste(words))
    await settle(pilot)
    await press(pilot, "enter")


def titles(app: CuratorApp) -> list[str]:
    """Return what the rows of the list are of, in its order."""
    assert isinstance(app.screen, LearnedScreen)
    return [row.title for row in app.screen._rows.rows]


async def test_entries_and_skills_are_one_list_and_unknown_times_stand_last(desk: Desk) -> None:
    async with running(desk, read_only=True) as (app, pilot):
        await press(pilot, "5")
        assert set(titles(app)[:2]) == {"Uses zsh 5.9", "Has a cat"}, "both at one moment of a clock that stands still"
        assert titles(app)[2:] == ["look", "Owns a NAS", "Ana", "old"]
        text = painted(app)
        assert re.search(r"skill +09-20 10:00 +agent +x2 look  How to look", text)
        assert re.search(r"memory +unknown +unknown +unseen Owns a NAS", text)
        assert re.search(r"skill +unknown +unknown +archived old", text)
        assert "4 entries, 2 skills" in text
        first = titles(app)
        await press(pilot, "o")
        assert titles(app)[0] == "look"
        assert titles(app)[3:] == first[3:]
        assert "oldest first" in painted(app)


async def test_a_row_is_shown_with_where_it_came_from(desk: Desk) -> None:
    async with running(desk, size=(120, 40), read_only=True) as (app, pilot):
        await press(pilot, "5")
        await filter_by(pilot, "zsh")
        text = painted(app)
        assert "its record says: assistant_tool" in text
        assert "1 text stood in its place: enter" in text
        await press(pilot, "enter")
        assert isinstance(app.screen, ReadScreen)
        assert "-- before this: 1 --" in painted(app)
        await press(pilot, "q", "l")
        assert isinstance(app.screen, LedgerScreen)
        assert "row 3" in painted(app), "the ledger stands at the row that brought the entry"
        assert app.screen.queue.cursor == app.screen.head[0] - 3


async def test_the_pane_and_the_page_of_an_entry_say_the_same_of_what_it_rests_on(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(desk, size=(120, 40), read_only=True) as (app, pilot):

        async def found(proposal: Proposal) -> Evidence:
            assert proposal.id == "rep00001"
            return Evidence("found", "s1", quotes=(Quote("s1", 4, "user", None, "I use zsh 5.9 now"),))

        monkeypatch.setattr(app.clerk, "evidence", found)
        await press(pilot, "5")
        await filter_by(pilot, "zsh")
        await settle(pilot)
        assert "said by the user" in painted(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, ReadScreen)
        assert "said by the user" in painted(app)


async def test_a_skill_names_who_has_it_and_hermes_own_command(desk: Desk) -> None:
    async with running(desk, size=(120, 40), read_only=True) as (app, pilot):
        await press(pilot, "5")
        await filter_by(pilot, "kind:skill")
        text = painted(app)
        assert "default: skills/look" in text
        assert "work: skills/look" in text
        assert "hermes curator archive look" in text
        assert "1. Look." in text
        for key in ("e", "E", "D"):
            await press(pilot, key)
            assert isinstance(app.screen, LearnedScreen)
            assert "hermes curator archive look" in status(app)
        await press(pilot, "j")
        assert "hermes curator restore old" in painted(app)
        await press(pilot, "w")
        assert "only-work" in titles(app)
        await press(pilot, "w")
        assert "only-work" not in titles(app)


async def test_the_filter_means_kind_time_and_source(desk: Desk) -> None:
    meant = {
        "kind:user": ["Ana"],
        "is:archived": ["old"],
        "source:review": ["Has a cat"],
        "is:unseen -kind:user": ["Owns a NAS"],
        "until:2026-09-21": ["look"],
    }
    async with running(desk, read_only=True) as (app, pilot):
        await press(pilot, "5")
        for words, found in meant.items():
            app.screen.set_words(words)  # type: ignore[attr-defined]
            assert titles(app) == found, words
        await filter_by(pilot, " cat")
        assert titles(app) == []
        app.screen.set_words("cat")  # type: ignore[attr-defined]
        assert titles(app) == ["Has a cat"]
        await settle(pilot)
        assert "filter: 1 of 6" in painted(app)
        await press(pilot, "escape")
        assert len(titles(app)) == 6
        await press(pilot, "escape")
        assert app.screen is review(app)


async def test_a_filter_that_means_nothing_says_so_and_one_without_rows_says_what_helps(desk: Desk) -> None:
    async with running(desk, size=(120, 24), read_only=True) as (app, pilot):
        await press(pilot, "5")
        await filter_by(pilot, "kind:nonsense")
        assert "kind:nonsense means nothing" in painted(app)
        assert len(titles(app)) == 6
        await press(pilot, "escape")
        await filter_by(pilot, "zebra")
        assert "Nothing that was learned is meant by this filter" in painted(app)
        await press(pilot, "e", "D", "enter")
        assert isinstance(app.screen, LearnedScreen)


async def test_an_entry_is_corrected_from_its_row_and_u_undoes_it(own_desk: Desk) -> None:
    async with running(own_desk) as (app, pilot):
        await press(pilot, "5")
        await filter_by(pilot, "cat")
        await press(pilot, "e")
        assert isinstance(app.screen, WriteScreen)
        await press(pilot, "s", "ctrl+s")
        assert "Has a cats" in entries(own_desk)
        assert isinstance(app.screen, LearnedScreen)
        assert titles(app) == ["Has a cats"]
        assert "u undoes it" in status(app)
        await press(pilot, "u")
        assert "Has a cat" in entries(own_desk)
        assert titles(app) == ["Has a cat"]


async def test_an_entry_is_removed_only_after_its_preview(own_desk: Desk) -> None:
    async with running(own_desk) as (app, pilot):
        await press(pilot, "5")
        await filter_by(pilot, "kind:user")
        await press(pilot, "D")
        assert isinstance(app.screen, ProposeScreen)
        assert re.search(r"- 1 +Ana", painted(app))
        assert entries(own_desk, Target.USER) == ("Ana",)
        await press(pilot, "y")
        assert entries(own_desk, Target.USER) == ()
        assert titles(app) == []
        await press(pilot, "u")
        assert entries(own_desk, Target.USER) == ("Ana",)


async def test_what_others_write_shows_by_itself(own_desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "hermes" / "memories" / "MEMORY.md"
    async with running(own_desk, timing=FAST._replace(poll=0.1), read_only=True) as (app, pilot):
        await press(pilot, "5")
        await filter_by(pilot, "NAS")
        file.write_bytes(file.read_bytes() + "\n§\nAnother NAS".encode())
        await until(lambda: "Another NAS" in titles(app))


async def test_nothing_learned_and_nothing_readable_say_what_to_do(tmp_path: Path) -> None:
    desk = desk_on(home_with(tmp_path / "hermes", [], memory=[], user=[]))
    async with running(desk, read_only=True) as (app, pilot):
        await press(pilot, "5")
        assert "Nothing was learned yet" in painted(app)
        assert "1 goes to the queue" in painted(app)
        memory = tmp_path / "hermes" / "memories" / "MEMORY.md"
        memory.unlink(missing_ok=True)
        memory.mkdir()
        await press(pilot, "R")
        assert "memory cannot be read" in status(app)
    desk.close()


async def test_hostile_entries_and_skills_are_shown_and_never_acted_on(tmp_path: Path) -> None:
    text = "[/b] path [/ x [@click=app.leave]go[/] \x1b]52;c;x\x07\x9b2J\u202e"
    home = home_with(tmp_path / "hermes", [], memory=[f"says {text}"], user=["Ana"])
    front = json.dumps(f"odd {text}")
    install_skill(home, "odd", f"---\nname: {front}\ndescription: {front}\n---\n{text}\n")
    desk = desk_on(home)
    acting = {chr(code) for code in (*range(32), *range(0x7F, 0xA0), 0x202E) if code != 10}
    async with running(desk, size=(120, 40)) as (app, pilot):
        for keys in (("5",), ("j",), ("j",), ("enter",), ("q", "g", "e"), ("escape", "D"), ("escape", "G", "e")):
            await press(pilot, *keys)
            assert not acting & set(painted(app)), keys
            assert app.is_running
    desk.close()


async def test_without_colours_everything_is_told_by_words(desk: Desk) -> None:
    async with running(desk, size=(100, 30), palette=MONO, read_only=True) as (app, pilot):
        await press(pilot, "5", "G")
        text = painted(app)
        assert "archived" in text
        assert "unseen" in text
        assert "[5" in text
        await press(pilot, "T", "m")
        assert isinstance(app.screen, DocumentsScreen)


def test_hermes_is_named_only_what_a_shell_takes_for_one_word() -> None:
    def named(name: str, **holder: Any) -> list[str]:
        skill = InstalledSkill(name, "", "d", 1, 1, "", (SkillHolder(**{"profile": "work", "folder": "x", **holder}),))
        return [command for _, command in installed_commands(skill, "default")]

    assert named("look") == ["hermes -p work curator archive look", "hermes -p work skills list"]
    assert named("look", source="hub") == ["hermes -p work skills uninstall look", "hermes -p work skills list"]
    assert named("look", archived=True, profile="default") == ["hermes curator restore look", "hermes skills list"]
    for odd in ("two words", "-rf", "$(x)", "a;b", ""):
        assert named(odd) == ["hermes -p work skills list"]
