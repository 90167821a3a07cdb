"""The numbered cases, worked through the screens with keys: what is shown, what is written, and what stays.

Each world is the one of ``tests/cases/cases.json``; the same cases pass in the core (``tests/core``) and on the command
line (``tests/cli``). What a case wants of texts that last (exit codes, printed lists) is there; here is what a person
sees before a key and what the key does.
"""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from curator_tui.core.documents import Target, parse
from curator_tui.core.requests import ChallengeCode
from curator_tui.core.text import cell_width
from curator_tui.curator.desk import Desk
from curator_tui.tui.app import CuratorApp
from curator_tui.tui.screens.moved_on import MovedOnScreen
from curator_tui.tui.screens.planning import PlanScreen
from curator_tui.tui.screens.second import SecondScreen
from tests.homes import home_for_case, load_case, make_home, record, stage, write
from tests.tui.desks import (
    cursor,
    desk_on,
    entries,
    go_to,
    painted,
    press,
    review,
    running,
    settle,
    status,
    waiting,
)  # fmt: skip

WIDE = (140, 40)


class World:
    """The world of one case and a desk on it."""

    def __init__(self, path: Path, name: str, staged: Sequence[dict[str, Any]] = ()) -> None:
        self.home = home_for_case(path / "home", name)
        for one in staged:
            stage(self.home, one)
        self.desk = desk_on(self.home)

    def raw(self, target: str = "memory") -> bytes:
        """The bytes of a document."""
        return (self.home / "memories" / f"{target.upper()}.md").read_bytes()

    def entries(self, target: str = "memory") -> tuple[str, ...]:
        """The entries of a document after a reload."""
        return parse(Target(target), self.raw(target)).entries

    def queue(self) -> set[str]:
        """What lies in the queue folder."""
        return {file.stem for file in (self.home / "pending" / "memory").glob("*.json")}

    def states(self) -> dict[str, str]:
        """The state every item shows before anything is pressed."""
        return {one.id: str(self.desk.queue.conditions(one.id)[0]) for one in self.desk.queue.proposals()}


def divider(app: CuratorApp) -> str:
    """What the line over the facts says: what ``a`` does, or what keeps it locked."""
    return "".join(piece.text for piece in review(app).model.lock_words())


def said(app: CuratorApp) -> str:
    """Everything on screen with the white space of columns and line ends as single spaces."""
    return " ".join(painted(app).replace("│", " ").split())


def backups(world: World) -> list[str]:
    """The backups that a change made; the one of the first sight does not count."""
    return [file.name for file in (world.home / "memories").glob("backups/*") if not file.name.endswith("-first")]


def endings(desk: Desk) -> dict[str, str]:
    """How each item of the newest ledger row ended."""
    parts = desk.store.book.rows()[-1].row["decisions"]
    return {part["proposal"]: part["decision"] for part in parts}


async def test_t01_an_entry_with_the_separator_line_cannot_be_approved(tmp_path: Path) -> None:
    world = World(tmp_path, "T01")
    before = world.raw()
    async with running(world.desk) as (app, pilot):
        for name in ("a1000001", "a1000002"):
            await go_to(pilot, app, name)
            assert "separator line" in painted(app), "said before anything is pressed"
            await press(pilot, "a")
            assert world.raw() == before
        await go_to(pilot, app, "a1000003")
        await press(pilot, "a")
        assert world.raw().startswith(before)
        assert len(world.entries()) == 3
        assert world.queue() == {"a1000001", "a1000002"}


async def test_t02_windows_line_endings_are_three_entries_and_stay(tmp_path: Path) -> None:
    world = World(tmp_path, "T02")
    async with running(world.desk) as (app, pilot):
        await press(pilot, "m")
        text = painted(app)
        assert "3 entries" in text
        assert all(entry in text for entry in ("Uses pnpm, not npm", "Lives in UTC+2", "Prefers short answers"))
        assert "⟨CR⟩" not in text
        await press(pilot, "q")
        lines = [line for line in painted(app).splitlines() if line.startswith(("- ", "+ "))]
        assert [line.split(None, 2)[2].strip() for line in lines] == ["Lives in UTC+2"]
        await press(pilot, "a")
        assert world.raw() == "Uses pnpm, not npm\r\n§\r\nPrefers short answers".encode()


async def test_t03_a_byte_order_mark_is_no_part_of_the_first_entry(tmp_path: Path) -> None:
    world = World(tmp_path, "T03")
    async with running(world.desk) as (app, pilot):
        await press(pilot, "m")
        assert "35/2200" in painted(app)
        assert "U+FEFF" not in painted(app)
        await press(pilot, "q")
        await go_to(pilot, app, "a3000001")
        assert "U+FEFF" not in painted(app).split("-- change")[0].split("AGE")[1].split("MEMORY.md")[1]
        await press(pilot, "a")
        assert world.entries() == ("Likes the light theme", "Works nights")
        await go_to(pilot, app, "a3000002")
        assert "flagged" in painted(app)
        assert "⟨U+FEFF⟩" in painted(app)
        assert "\ufeff" not in painted(app)


@pytest.mark.parametrize("inside", [True, False])
async def test_t05_a_block_written_by_hand_is_not_swapped_unseen(tmp_path: Path, inside: bool) -> None:
    world = World(tmp_path, "T05")
    async with running(world.desk, size=(100, 40)) as (app, pilot):
        text = said(app)
        assert "2 headings" in text
        assert "could be split" in text
        assert "Atlas is the NAS" in text
        assert "Borealis is retired" in text
        before = world.raw()
        await press(pilot, "a")
        assert isinstance(app.screen, SecondScreen)
        assert "Atlas is the NAS" in painted(app)
        assert "4 of 5 text lines would be gone, 1 changed" in painted(app)
        await press(pilot, "a")
        assert world.raw() == before, "the key that asked does not answer"
        await press(pilot, *(("a", "i") if inside else ("a", "y")))
        if inside:
            assert world.raw() == before, "shown first"
            assert "- Bins: Monday evening" in painted(app)
            await press(pilot, "a")
            assert world.entries() == (before.decode().replace("Bins: Tuesday", "Bins: Monday"),)
        else:
            assert world.entries() == ("Bins: Monday evening",)


async def test_t06_replace_means_the_whole_entry_and_inside_only_the_words(tmp_path: Path) -> None:
    world = World(tmp_path, "T06")
    async with running(world.desk, size=WIDE) as (app, pilot):
        text = painted(app)
        assert "loses      [net] router is 10.0.0.1" in text
        assert "[print] tray 2 holds A5" in text
        assert "lossy" in divider(app)
        await press(pilot, "I")
        wanted = "[net] router is 10.0.0.1 [nas] web port 9090 [print] tray 2 holds A5"
        assert wanted.split("[print]", maxsplit=1)[0].strip() in painted(app)
        assert world.entries()[0] != wanted
        await press(pilot, "a")
        assert world.entries() == (wanted, "Prefers metric units")


async def test_t07_a_vanished_anchor_is_stale_before_anything_is_pressed(tmp_path: Path) -> None:
    world = World(tmp_path, "T07")
    assert world.states() == {"a7000001": "stale", "a7000002": "ready"}
    async with running(world.desk) as (app, pilot):
        await go_to(pilot, app, "a7000001")
        text = painted(app)
        assert "Uses Krita 5.2 for drawings" in text, "the nearest entry"
        assert "Uses Krita 5.1 for drawings" in text, "and what it would be set back to"
        await press(pilot, "b")
        assert "no entry matches: Krita 5.0" in painted(app)
        assert "left out: 1" in painted(app)
        await press(pilot, "enter", "q", "y")
        assert world.entries() == ("Uses Krita 5.2 for drawings", "Prefers metric units", "Backups run on Sunday")
        await press(pilot, "b")
        assert "nothing in this plan can be applied" in painted(app)
        await press(pilot, "q")
        assert world.queue() == {"a7000001"}


async def test_t09_alternatives_for_one_entry_are_one_row_and_one_decision(tmp_path: Path) -> None:
    world = World(tmp_path, "T09")
    async with running(world.desk) as (app, pilot):
        assert "x3" in painted(app)
        assert [row.id for row in review(app).model.rows.items()] == ["a9000001"]  # type: ignore[union-attr]
        await press(pilot, "b")
        assert "several wordings wait for the same entry" in painted(app)
        await press(pilot, "q", "a")
        assert world.entries()[0] == "Prefers tabs", "another wording was not seen yet"
        await press(pilot, ".")
        assert "Uses tabs, width four" in painted(app)
        await press(pilot, ",", "a")
        assert world.entries() == ("Prefers tabs of width 4", "Timezone is UTC+2")
        assert endings(world.desk) == {
            "a9000001": "approve",
            "a9000002": "superseded",
            "a9000003": "already in effect",
        }
        assert world.queue() == set()
        assert "not applied" not in status(app)


async def test_t10_each_failure_keeps_its_own_reason(tmp_path: Path) -> None:
    world = World(tmp_path, "T10")
    before = world.raw()
    async with running(world.desk, size=WIDE) as (app, pilot):
        await press(pilot, "b")
        assert isinstance(app.screen, PlanScreen)
        text = painted(app)
        for number in (1, 2, 3, 5):
            assert f"no entry matches: gone-{number}" in text
        assert "memory would be 213/200 (13 over)" in text
        assert "left out: 5" in text
        await press(pilot, "y")
        assert world.raw() == before
        assert len(world.queue()) == 5


async def test_t12_an_effect_that_is_there_already_closes_without_a_write(tmp_path: Path) -> None:
    world = World(tmp_path, "T12")
    before = world.raw()
    async with running(world.desk) as (app, pilot):
        for name in ("ac000001", "ac000002"):
            assert cursor(app) == name
            assert "nothing to write, it closes" in divider(app)
            await press(pilot, "a")
            assert world.raw() == before
            assert endings(world.desk) == {name: "already in effect"}
        assert world.queue() == set()
        assert backups(world) == []


async def test_t13_broken_records_are_listed_and_can_only_be_rejected(tmp_path: Path) -> None:
    world = World(tmp_path, "T13")
    assert set(world.states().values()) == {"invalid", "no-change", "unreadable"}
    reasons = {
        "ad000001": "content is missing (found field text)",
        "ad000003": "unknown target project",
        "ad000004": "unreadable JSON",
    }
    before = world.raw()
    async with running(world.desk, size=WIDE) as (app, pilot):
        for name, words in reasons.items():
            await go_to(pilot, app, name)
            assert words in painted(app)
            await press(pilot, "a")
            assert world.queue() >= {name}
        await go_to(pilot, app, "ad000004")
        await press(pilot, "i")
        assert load_case("T13")["input"]["pending_raw_files"]["ad000004.json"] in painted(app)
        await press(pilot, "q")
        await go_to(pilot, app, "ad000002")
        await press(pilot, "a")
        assert endings(world.desk) == {"ad000002": "already in effect"}
        for name in reasons:
            await go_to(pilot, app, name)
            await press(pilot, "x")
        assert world.queue() == set()
        assert world.raw() == before
        assert backups(world) == []


async def test_t21_undo_is_a_stack_and_survives_a_restart(tmp_path: Path) -> None:
    removes = [
        record(f"b400000{number}", "remove", None, text, created_at=number)
        for number, text in enumerate(("Drives a van", "Sails on weekends"), 1)
    ]
    world = World(tmp_path, "T21", removes)
    async with running(world.desk) as (app, pilot):
        await press(pilot, "a", "a", "u")
        assert set(world.entries()) == {"Sails on weekends", "Prefers metric units"}
        assert cursor(app) == "b4000002"
    again = desk_on(world.home)
    async with running(again) as (app, pilot):
        assert set(world.entries()) == {"Sails on weekends", "Prefers metric units"}
        await press(pilot, "u", "y")
        assert world.entries() == ("Drives a van", "Sails on weekends", "Prefers metric units")
        assert cursor(app) == "b4000001"
        await press(pilot, "u")
        assert "nothing to undo" in status(app)


@pytest.mark.parametrize(
    "keys",
    [("a",), ("x",), ("X", "2"), ("e", "end", *" too", "WAIT", "ctrl+s"), ("S", "1", "y")],
    ids=["approve", "reject", "reject with a reason", "edit", "defer"],
)
async def test_t21_every_decision_is_undone_and_the_item_is_back_at_its_place(
    tmp_path: Path, keys: tuple[str, ...]
) -> None:
    added = [
        record(f"b400000{number}", "add", text, created_at=number)
        for number, text in enumerate(("Owns a canoe", "Owns a kayak", "Owns a raft"), 1)
    ]
    world = World(tmp_path, "T21", added)
    before, file = world.raw(), world.home / "pending" / "memory" / "b4000002.json"
    kept = file.read_bytes()
    async with running(world.desk) as (app, pilot):
        await press(pilot, "j")
        order = [row.id for row in review(app).model.rows.items()]  # type: ignore[union-attr]
        for key in keys:
            if key == "WAIT":
                await settle(pilot)
            else:
                await press(pilot, key)
        assert "b4000002" not in waiting(world.desk)
        assert cursor(app) != "b4000002"
        await press(pilot, "u")
        assert world.raw() == before
        assert file.read_bytes() == kept
        assert cursor(app) == "b4000002"
        assert [row.id for row in review(app).model.rows.items()] == order  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("key", "stands"),
    [("1", "Office is in Lyon"), ("2", "Office is in Lille"), ("3", "Office is in Lille, 3rd floor")],
)
async def test_t23_undo_after_an_edit_by_hand_asks_which_text_shall_stand(
    tmp_path: Path, key: str, stands: str
) -> None:
    world = World(tmp_path, "T23", [record("p1", "replace", "Office is in Lille", "Office is in Lyon")])
    async with running(world.desk) as (app, pilot):
        await press(pilot, "a")
        by_hand = "Office is in Lille, 3rd floor\n§\nParking is level -2"
        write(world.home / "memories" / "MEMORY.md", by_hand.encode())
        await press(pilot, "u")
        assert isinstance(app.screen, MovedOnScreen)
        for text in ("Office is in Lyon", "Office is in Lille", "Office is in Lille, 3rd floor"):
            assert text in painted(app)
        assert world.raw() == by_hand.encode()
        await press(pilot, key, "y")
        assert world.raw() == by_hand.encode(), "what comes of it is shown first"
        await press(pilot, "y")
        assert world.entries() == (stands, "Parking is level -2")
        row = world.desk.store.book.rows()[-1].row
        assert row["action"] == "undo"
        assert row["reverts"] in {one.row["change"] for one in world.desk.store.book.rows()[:-1]}


async def test_t25_a_link_stays_a_link_and_the_mode_stays(tmp_path: Path) -> None:
    world = World(tmp_path, "T25")
    async with running(world.desk) as (_, pilot):
        await press(pilot, "a")
        vault = world.home / "vault" / "MEMORY.md"
        assert (world.home / "memories" / "MEMORY.md").is_symlink()
        assert stat.S_IMODE(vault.stat().st_mode) == 0o660
        assert world.entries() == ("Uses zsh", "Has two monitors")


async def test_t25_a_target_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path, "T25")
    real = os.open

    def refuses(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        # root may write everywhere, so the folder itself refuses
        if flags & os.O_CREAT and str(path).startswith(".curator-tui-"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return real(path, flags, mode, dir_fd=dir_fd)

    async with running(world.desk, size=WIDE) as (app, pilot):
        monkeypatch.setattr(os, "open", refuses)
        await press(pilot, "a")
        monkeypatch.undo()
        assert "vault/MEMORY.md (mode 0660, owner " in status(app)
        assert (world.home / "vault" / "MEMORY.md").read_bytes() == b"Uses zsh"
        assert world.queue() == {"b8000001"}


async def test_t27_a_character_is_a_code_point(tmp_path: Path) -> None:
    world = World(tmp_path, "T27")
    async with running(world.desk, size=(40, 24)) as (app, pilot):
        await press(pilot, "m")
        assert "25/28" in painted(app)
        await press(pilot, "q", "a", "tab")
        assert "user would be 29/28 (1 over)" in status(app)
        assert world.raw("user").decode() == load_case("T27")["input"]["user"]
        assert world.queue() == {"ba000001"}


async def test_t27_columns_stay_aligned_and_cuts_say_how_much_is_hidden(tmp_path: Path) -> None:
    family = "👨\u200d👩\u200d👧"
    wide = [
        record("wide0001", "add", "日本語の設定" * 20, created_at=2.0),
        record("wide0002", "add", family * 60, created_at=3.0),
        record("wide0003", "add", "plain text, " * 20, created_at=4.0),
    ]
    world = World(tmp_path, "T27", wide)
    async with running(world.desk) as (app, _):
        rows = [line for line in painted(app).splitlines() if " ADD memory " in line]
        assert len(rows) == 3
        for line in rows:
            assert cell_width(line) == 80
            cut = line.partition("… +")[0] if "… +" in line else line.partition("…")[0]
            assert "…" in line
            assert not cut.endswith("\u200d")
            assert unicodedata.category(cut[-1]) != "Mn"


async def test_t28_real_writing_passes_and_hidden_text_is_spelled_out(tmp_path: Path) -> None:
    world = World(tmp_path, "T28")
    assert [world.states()[f"bb00000{number}"] for number in range(1, 7)] == ["ready"] * 3 + ["flagged"] * 3
    async with running(world.desk) as (app, pilot):
        await go_to(pilot, app, "bb000004")
        text = painted(app)
        assert "Approve⟨U+200B⟩d vendor" in text
        assert "character 8" in text
        await press(pilot, "a")
        assert isinstance(app.screen, SecondScreen)
        await press(pilot, "y")
        assert not (world.home / "memories" / "USER.md").exists(), "first the reason"
        await press(pilot, "2", "y")
        (entry,) = world.entries("user")
        assert "\u200b" in entry
        assert world.desk.store.book.rows()[-1].row["decisions"][0]["override"] == ["flagged"]
        world.desk.challenge(Target.USER, entry, ChallengeCode.WRONG)
        await press(pilot, "R", "g", "x", "y")
        assert world.entries("user") == (), "an entry can always be opened and removed"


async def test_t31_no_text_acts_on_the_terminal(tmp_path: Path) -> None:
    attack = load_case("T31")["input"]["memory"]
    staged = [record("t3100001", "add", attack.split("\n§\n")[0]), record("t3100002", "replace", "calm", "[red]stop")]
    home = make_home(tmp_path / "home", memory=attack, pending=staged)
    before = (home / "memories" / "MEMORY.md").read_bytes()
    desk = desk_on(home)
    async with running(desk) as (app, pilot):
        seen = [painted(app)]
        for keys in (("m",), ("q", "d"), ("j", "d"), ("i",), ("q", "3"), ("1", "/", "["), ("enter", "?")):
            await press(pilot, *keys)
            seen.append(painted(app))
        await press(pilot, "q", "escape")
        await press(pilot, "m")
        whole = painted(app)
        assert "⟨ESC⟩]52;c;ZWNobyBoaQ==⟨BEL⟩clip" in whole
        assert "[@click=app.quit]go[/]" in "".join(seen) + whole
        assert "⟨U+009B⟩31mred" in whole
        for text in (*seen, whole):
            assert {char for char in text if unicodedata.category(char) == "Cc"} <= {"\n"}
        assert app.is_running
    assert (home / "memories" / "MEMORY.md").read_bytes() == before
    assert len(entries(desk)) == 9
