"""Undo and redo from both screens: what is asked, what is said, and that nothing is undone that was not shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from curator_tui.core.changes import Applied, NotApplied, Receipt
from curator_tui.core.endings import Ending
from curator_tui.core.requests import Kind
from curator_tui.curator.desk import Desk
from curator_tui.tui.app import CuratorApp
from curator_tui.tui.screens.base import DeskScreen
from curator_tui.tui.screens.history import HistoryScreen
from curator_tui.tui.screens.moved_on import MovedOnScreen
from curator_tui.tui.screens.reverted import RevertScreen
from curator_tui.tui.screens.reverting import done_words, undo_line
from curator_tui.tui.screens.review import ReviewScreen
from curator_tui.tui.screens.second import AskScreen
from curator_tui.tui.screens.sending import Done, done_line
from curator_tui.tui.shown import own, say, words_of
from tests.tui.desks import (
    FAST,
    NOW,
    desk_on,
    desk_with,
    entries,
    every_state,
    item,
    painted,
    press,
    put_record,
    review,
    running,
    settle,
    status,
    waiting,
)  # fmt: skip

ONE = item("p1", "replace", "Office is in Lille", "Office is in Lyon")
SCREENS = pytest.mark.parametrize("way", ["1", "3"], ids=["review", "history"])


def documents(path: Path) -> Path:
    return path / "hermes" / "memories" / "MEMORY.md"


def with_another(path: Path, job: Callable[[Desk], Receipt]) -> None:
    """Do something at another desk of the same person, as a second process does."""
    other = desk_on(path / "hermes")
    job(other)
    other.close()


async def look_again(app: CuratorApp, pilot: Pilot[object]) -> None:
    """Let the screen look at what others did, once."""
    screen = app.screen
    assert isinstance(screen, DeskScreen)
    screen.live.tick() if isinstance(screen, ReviewScreen) else screen.lookout.look_again(screen._poll)
    await settle(pilot)


def at_home(app: CuratorApp, way: str) -> bool:
    """Whether the screen that the keys led to is on top again."""
    return app.screen is review(app) if way == "1" else isinstance(app.screen, HistoryScreen)


@SCREENS
async def test_a_change_of_this_run_is_undone_and_redone_at_once(tmp_path: Path, way: str) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "a", way, "u")
        assert at_home(app, way)
        assert "Backups run on Sunday" not in entries(desk)
        assert "undone: approved memory: 'Backups run on Sunday'; 1 back in the queue" in status(app)
        await press(pilot, "U")
        assert at_home(app, way)
        assert "Backups run on Sunday" in entries(desk)
        assert "redone: approved memory: 'Backups run on Sunday'" in status(app), "not that an undo was undone"


async def test_the_status_row_names_what_is_undone_next(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())

    def standing(app: CuratorApp) -> str:
        return words_of(review(app).standing())

    async with running(desk) as (app, pilot):
        await press(pilot, "a", "a")
        assert "Undo ready: approved user: 'Likes rye bread'" in standing(app)
        await press(pilot, "u")
        assert "Undo ready: approved memory: 'Backups run on Sunday'" in standing(app)
        await press(pilot, "U")
        assert "Undo ready: approved user: 'Likes rye bread'" in standing(app)
        await press(pilot, "u")
        assert "Undo ready: approved memory: 'Backups run on Sunday'" in standing(app)
        await press(pilot, "u")
        assert "Undo ready" not in standing(app)
        assert "Backups run on Sunday" not in entries(desk)


async def test_no_undo_is_promised_of_what_kept_nothing(tmp_path: Path) -> None:
    """Of a rejected secret nothing is kept: ``u`` goes on to what was done before it, and the status row says so."""
    secret = item("s1", "add", "The token is ghp_" + "Zq3x9Lm2Vb7Rt5Kd8Wn4Yc6Jf1Hs0PgAu2Ei")
    desk = desk_with(tmp_path, [item("a1", "add", "Backups run on Sunday"), secret])
    async with running(desk) as (app, pilot):
        await press(pilot, "a")
        assert status(app).endswith("u undoes it")
        await press(pilot, "x")
        assert "rejected s1" in status(app)
        assert "undoes it" not in status(app)
        assert "approved memory: 'Backups run on Sunday'" in words_of(review(app).standing())


def test_an_undo_is_promised_where_there_is_something_to_undo_and_only_there() -> None:
    """One line for all decisions, so one place that asks."""
    told = Done(say("deferred it"), say("; back on Monday"), (own("one of them was gone"),))
    put_off = Receipt("c1", Kind.DEFER, applied=(Applied("a", Ending.DEFER),))
    empty = Receipt("c1", Kind.DEFER)
    assert words_of(done_line(put_off, told)) == "deferred it; back on Monday. u undoes it; one of them was gone"
    assert words_of(done_line(empty, told)) == "deferred it; back on Monday. one of them was gone"
    assert words_of(done_line(empty, Done(say("deferred it")))) == "deferred it"


def test_what_was_given_up_is_no_success() -> None:
    cause = "another program wrote the user document while the change was interrupted; that part was given up"
    failed = NotApplied("p2", "moved", "partly-applied", cause)
    applied = (Applied("p1", Ending.APPROVE),)
    told = Done(say("decided 2 items"))
    part = done_line(Receipt("c1", Kind.DECIDE, applied=applied, not_applied=(failed,), backup="b"), told)
    assert words_of(part) == f"decided 2 items. u undoes it; p2: {cause}"
    none = done_line(Receipt("c1", Kind.ROLLBACK, not_applied=(failed,)), told)
    assert words_of(none) == f"only in part, and so not done: decided 2 items. p2: {cause}"
    assert "good" not in {piece.role for piece in none}


def test_a_revert_promises_its_own_way_back_only_where_there_is_one() -> None:
    told = say("rejected it")
    undone = Receipt("u1", Kind.UNDO, returned=("a",))
    assert words_of(done_words(told, undone, redo=False)).endswith("1 back in the queue  (U redoes it)")
    assert words_of(done_words(told, Receipt("u1", Kind.UNDO), redo=False)) == "undone: rejected it"


@SCREENS
async def test_a_change_of_an_earlier_run_is_named_first(tmp_path: Path, way: str) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (_, pilot):
        await press(pilot, "a")
    async with running(desk) as (app, pilot):
        await press(pilot, way, "u")
        assert isinstance(app.screen, AskScreen)
        assert "approved memory: 'Backups run on Sunday'" in painted(app)
        await press(pilot, "u")
        assert "Backups run on Sunday" in entries(desk), "only y means yes"
        await press(pilot, "u", "y")
        assert at_home(app, way)
        assert "Backups run on Sunday" not in entries(desk)
    async with running(desk) as (app, pilot):
        await press(pilot, way, "U")
        assert isinstance(app.screen, AskScreen), "a redo is a change like any other"
        await press(pilot, "y")
        assert "Backups run on Sunday" in entries(desk)


@SCREENS
async def test_what_is_not_the_change_that_is_named_is_asked_for(tmp_path: Path, way: str) -> None:
    """The newest change was undone elsewhere since the status row named it; ``u`` would take the one before it."""
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "a", "a", way)
        with_another(tmp_path, lambda other: other.undo())
        await press(pilot, "u")
        assert isinstance(app.screen, AskScreen)
        assert "a change of this run: approved memory: 'Backups run on Sunday'" in painted(app)
        await press(pilot, "n")
        assert "Backups run on Sunday" in entries(desk)
        await press(pilot, "u", "y")
        assert "Backups run on Sunday" not in entries(desk)


async def test_what_is_not_the_undo_that_was_made_last_is_asked_for(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "a", "a", "u", "u")
        with_another(tmp_path, lambda other: other.redo())
        await press(pilot, "U")
        assert isinstance(app.screen, AskScreen)
        assert re.search(r"undone in this run, .* ago: approved user: 'Likes rye bread'", painted(app))


@pytest.mark.parametrize("way", ["1", "2", "3", "5"])
async def test_the_status_row_drops_what_was_undone_elsewhere(tmp_path: Path, way: str) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "a", "a", way)
        app.screen._until = 0.0  # the message had its time
        app.screen.draw_status()
        assert "Undo ready: approved user: 'Likes rye bread' 0s ago (u)" in status(app)
        with_another(tmp_path, lambda other: other.undo())
        await look_again(app, pilot)
        assert "approved memory: 'Backups run on Sunday'" in words_of(undo_line(app.session, NOW))
        with_another(tmp_path, lambda other: other.redo())
        await look_again(app, pilot)
        assert "approved user: 'Likes rye bread'" in words_of(undo_line(app.session, NOW))


@SCREENS
async def test_nothing_to_undo_says_so(tmp_path: Path, way: str) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, way, "u")
        assert "nothing to undo" in status(app)
        await press(pilot, "U")
        assert "nothing to redo" in status(app)


@SCREENS
async def test_a_refusal_says_why(tmp_path: Path, way: str) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "a", way)
        documents(tmp_path).write_bytes(b"\xff\xfe broken")
        await press(pilot, "u")
        assert "nothing was written" in status(app)
        assert "cannot be read" in status(app)
        assert documents(tmp_path).read_bytes() == b"\xff\xfe broken"


@SCREENS
async def test_a_document_that_changed_after_the_question_says_so(tmp_path: Path, way: str) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (_, pilot):
        await press(pilot, "a")
    async with running(desk) as (app, pilot):
        await press(pilot, way, "u")
        with documents(tmp_path).open("a", encoding="utf-8") as file:
            file.write("\n§\nby another program")
        await press(pilot, "y")
        assert "nothing was written: it changed meanwhile" in status(app)
        assert "Backups run on Sunday" in entries(desk)
        await press(pilot, "u", "y")
        assert "Backups run on Sunday" not in entries(desk)
        assert "by another program" in entries(desk)


@SCREENS
async def test_what_could_not_come_back_is_named(tmp_path: Path, way: str) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(140, 30)) as (app, pilot):
        await press(pilot, "a")
        put_record(tmp_path / "hermes", item("add00001", "add", "another claim under the same id"))
        await press(pilot, way, "u")
        assert "Backups run on Sunday" not in entries(desk)
        assert "undone: approved memory: 'Backups run on Sunday'" in status(app)
        assert "add00001 cannot come back: a record waits under that id" in status(app)


@SCREENS
async def test_entries_that_moved_on_are_asked_for(tmp_path: Path, way: str) -> None:
    desk = desk_with(tmp_path, [ONE], memory=["Office is in Lyon"])
    async with running(desk) as (app, pilot):
        await press(pilot, "a", way)
        documents(tmp_path).write_text("Office is in Lille, 3rd floor", encoding="utf-8")
        await press(pilot, "u")
        assert isinstance(app.screen, MovedOnScreen)
        assert re.search(r"^ ?the entry changed since \(approved", painted(app), re.MULTILINE), "it ends cut"
        await press(pilot, "1", "y")
        assert isinstance(app.screen, RevertScreen)
        assert app.screen.styles.background.a == 1, "nothing of the screen behind it sticks out at its edges"
        assert entries(desk) == ("Office is in Lille, 3rd floor",), "what comes of it is shown first"
        assert "Office is in Lyon" in painted(app)
        assert "p1" not in waiting(desk)
        await press(pilot, "y")
        assert at_home(app, way)
        assert entries(desk) == ("Office is in Lyon",)
        assert "p1" in waiting(desk)


async def test_a_choice_counts_only_for_the_texts_it_was_made_from(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [ONE], memory=["Office is in Lyon"])
    async with running(desk) as (app, pilot):
        await press(pilot, "a")
        documents(tmp_path).write_text("Office is in Lille, 3rd floor", encoding="utf-8")
        await press(pilot, "u", "1")
        documents(tmp_path).write_text("Office is in Lille, 4th floor, since May", encoding="utf-8")
        await press(pilot, "y")
        assert entries(desk) == ("Office is in Lille, 4th floor, since May",)
        assert "it changed meanwhile" in status(app)


async def test_what_comes_of_a_choice_is_bound_to_what_was_shown(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [ONE], memory=["Office is in Lyon"])
    async with running(desk) as (app, pilot):
        await press(pilot, "a")
        documents(tmp_path).write_text("Office is in Lille, 3rd floor", encoding="utf-8")
        await press(pilot, "u", "1", "y")
        documents(tmp_path).write_text("Office is in Lille, 4th floor, since May", encoding="utf-8")
        await press(pilot, "y")
        assert entries(desk) == ("Office is in Lille, 4th floor, since May",)
        assert "it changed meanwhile" in status(app)


async def test_a_rollback_needs_its_preview_on_screen_for_a_moment(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (_, pilot):
        await press(pilot, "a")
    async with running(desk, timing=FAST._replace(dwell=30.0)) as (app, pilot):
        await press(pilot, "3", "r")
        assert "too fast" in status(app)
        assert "Backups run on Sunday" in entries(desk)


async def test_a_document_that_cannot_be_read_has_no_size(tmp_path: Path) -> None:
    """Unreadable is never shown as empty."""
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(180, 30)) as (app, pilot):
        await press(pilot, "a")
        documents(tmp_path).write_bytes(b"\xff\xfe broken")
        await press(pilot, "R", "3", "G")
        assert "MEMORY.md is undecodable" in painted(app)
        assert "memory undecodable -> 251" in painted(app), "what the rollback would do"
        await press(pilot, "m")
        text = painted(app)
        assert "undecodable: not known what stands in it" in text
        assert "0/2200" not in text
