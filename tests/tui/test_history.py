"""History: backups, what a rollback would do, doing it, taking it back; undo where entries moved on."""

from __future__ import annotations

from pathlib import Path

from curator_tui.core.documents import Target
from curator_tui.core.requests import Decision, Verb
from curator_tui.tui.screens.history import HistoryScreen
from curator_tui.tui.screens.moved_on import MovedOnScreen
from curator_tui.tui.screens.second import AskScreen
from tests.tui.desks import (
    cursor,
    desk_with,
    entries,
    every_state,
    item,
    painted,
    press,
    review,
    running,
    settle,
    status,
    waiting,
)  # fmt: skip


async def test_without_backups_it_says_how_one_comes_about(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, read_only=True) as (app, pilot):
        await press(pilot, "3")
        assert "No backup yet" in painted(app)


async def test_rolling_back_one_decision_asks_and_returns_the_item(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        before = entries(desk)
        await press(pilot, "a", "3")
        assert isinstance(app.screen, HistoryScreen)
        text = painted(app)
        assert "rollback: both documents" in text
        assert "Backups run on Sunday" in text
        assert "approved memory: 'Backups run on Sunday'" in text
        changed = entries(desk)
        await press(pilot, "r")
        assert isinstance(app.screen, AskScreen)
        assert entries(desk) == changed, "r alone does nothing"
        assert "1 to the queue" in painted(app)
        await press(pilot, "y")
        assert entries(desk) == before
        assert "add00001" in waiting(desk)
        assert "u undoes it" in status(app)
        await press(pilot, "u")
        assert "Backups run on Sunday" in entries(desk)


async def test_rolling_back_two_decisions_asks_for_y(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        before = entries(desk, Target.USER)
        await press(pilot, "a", "a", "3", "end", "k")
        while "2 changes:" not in painted(app) and app.screen.queue.cursor > 0:  # type: ignore[attr-defined]
            await press(pilot, "k")
        await press(pilot, "r")
        assert isinstance(app.screen, AskScreen)
        await press(pilot, "r")
        assert isinstance(app.screen, HistoryScreen), "only y means yes"
        await press(pilot, "r", "y")
        assert entries(desk, Target.USER) == before
        assert {"add00001", "add00002"} <= waiting(desk)


async def test_a_rollback_of_one_document_keeps_the_other(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "a", "a", "3", "G", "t")
        assert "memory" in painted(app)
        await press(pilot, "r", "y")
        assert "Backups run on Sunday" not in entries(desk)
        assert "Likes rye bread" in entries(desk, Target.USER)


async def test_a_change_on_disk_since_the_preview_asks_again(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "a", "3")
        (tmp_path / "hermes" / "memories" / "MEMORY.md").write_text("by hand", encoding="utf-8")
        await press(pilot, "r", "y")
        assert entries(desk) == ("by hand",)
        assert isinstance(app.screen, AskScreen)
        assert "changed on disk" in painted(app)


async def test_an_undo_whose_entry_moved_on_shows_three_texts(tmp_path: Path) -> None:
    """Case T23."""
    pending = [item("p1", "replace", "Office is in Lille", "Office is in Lyon")]
    desk = desk_with(tmp_path, pending, memory=["Office is in Lyon"])
    file = tmp_path / "hermes" / "memories" / "MEMORY.md"
    for keys, wanted in (
        (("1", "y"), "Office is in Lyon"),
        (("2", "y"), "Office is in Lille"),
        (("3", "y"), "Office is in Lille, 3rd floor"),
    ):
        async with running(desk) as (app, pilot):
            await press(pilot, "a")
            file.write_text("Office is in Lille, 3rd floor\n§\nParking is level -2", encoding="utf-8")
            await press(pilot, "u")
            assert isinstance(app.screen, MovedOnScreen)
            text = painted(app)
            for one in ("Office is in Lyon", "Office is in Lille", "Office is in Lille, 3rd floor"):
                assert one in text
            await press(pilot, "y")
            assert isinstance(app.screen, MovedOnScreen), "y is locked until a text was chosen"
            await press(pilot, *keys, "y")
            assert app.screen is review(app)
            assert entries(desk) == (wanted, "Parking is level -2")
            row = desk.store.book.rows()[-1].row
            assert row["action"] == "undo"
            assert row["reverts"]
            assert cursor(app) == "p1"
            file.write_text("Office is in Lyon", encoding="utf-8")
            await press(pilot, "R")
            await settle(pilot)


async def test_one_may_write_another_text_instead(tmp_path: Path) -> None:
    pending = [item("p1", "replace", "Office is in Lille", "Office is in Lyon")]
    desk = desk_with(tmp_path, pending, memory=["Office is in Lyon"])
    async with running(desk) as (_, pilot):
        await press(pilot, "a")
        (tmp_path / "hermes" / "memories" / "MEMORY.md").write_text("Office is in Lille, now", encoding="utf-8")
        await press(pilot, "u", "e", *"!", "enter", "y", "y")
        assert entries(desk) == ("Office is in Lille, now!",)


async def test_a_rollback_that_would_be_refused_is_previewed_as_refused(tmp_path: Path) -> None:
    """An unreadable document is not shown as if going back would change nothing."""
    desk = desk_with(tmp_path, every_state())
    desk.decide([Decision("add00001", Verb.APPROVE)])
    memory = tmp_path / "hermes" / "memories" / "MEMORY.md"
    memory.unlink()
    memory.mkdir()
    async with running(desk, size=(100, 40)) as (app, pilot):
        await press(pilot, "3")
        assert "MEMORY.md cannot be read" in painted(app)
        assert "nothing would change" not in painted(app)
        await press(pilot, "r")
        assert "cannot be read" in status(app)


async def test_a_backup_that_was_edited_is_refused_in_place_of_its_preview(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "a", "3")
        assert "rollback: both documents" in painted(app)
        before = entries(desk)
        edited = next((tmp_path / "hermes" / "memories" / "backups").glob("*-first")) / "MEMORY.md"
        edited.write_bytes(edited.read_bytes()[:-1] + b"#")
        await press(pilot, "G")
        assert "cannot be used" in painted(app)
        assert "rollback: both documents" not in painted(app), "the preview of another backup is gone"
        await press(pilot, "r")
        assert "cannot be used" in status(app)
        assert entries(desk) == before
        await press(pilot, "k")
        assert "rollback: both documents" in painted(app)


async def test_a_backup_edited_after_its_preview_is_not_restored(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "a", "3", "G")
        before = entries(desk)
        for edited in (tmp_path / "hermes" / "memories" / "backups").glob("*/MEMORY.md"):
            edited.write_bytes(edited.read_bytes()[:-1] + b"#")
        await press(pilot, "r", "y")
        assert entries(desk) == before
        assert "cannot be used" in status(app)
