"""Live refresh: what others do shows up, and nothing that is looked at moves by itself."""

from __future__ import annotations

import asyncio
import gc
import threading
from pathlib import Path
from typing import Any

import pytest

from curator_tui.core.changes import Receipt
from curator_tui.core.errors import Locked, Unreadable
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Board
from curator_tui.curator.values import Facts
from curator_tui.tui.app import CuratorApp, Timing
from curator_tui.tui.review import live
from tests.homes import stage, write
from tests.tui.desks import (
    FAST,
    MEMORY,
    cursor,
    desk_on,
    desk_with,
    entries,
    every_state,
    go_to,
    home_with,
    item,
    painted,
    press,
    review,
    running,
    settle,
    status,
    until,
    waiting,
)  # fmt: skip


async def look_again(app: CuratorApp, pilot: Any) -> None:
    """Let the screen poll once."""
    review(app).live.tick()
    await settle(pilot)


async def test_a_new_record_shows_up_and_the_cursor_stays(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "los00001")
        row = review(app).queue.cursor - review(app).queue.top
        before = painted(app).splitlines()[9:]
        for number in range(5):
            stage(tmp_path / "hermes", item(f"new{number:05d}", "add", f"new fact {number}", age=10_000))
        await look_again(app, pilot)
        assert cursor(app) == "los00001"
        assert review(app).queue.cursor - review(app).queue.top == row, "not even its row on the screen moves"
        assert painted(app).splitlines()[9:] == before
        assert "18 waiting" in painted(app)


async def test_what_a_look_found_shows_also_when_the_cursor_moved_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_with(tmp_path, every_state())
    really, let_go = live._look_again, threading.Event()

    def held(*asked: Any, **more: Any) -> Any:
        found = really(*asked, **more)
        let_go.wait(60)
        return found

    async with running(desk) as (app, pilot):
        stage(tmp_path / "hermes", item("new00001", "add", "a new fact", age=10_000))
        (tmp_path / "hermes" / "pending" / "memory" / "add00001.json").unlink()
        monkeypatch.setattr(live, "_look_again", held)
        review(app).live.tick()
        await asyncio.sleep(0)
        review(app).action_move_down()
        let_go.set()
        await settle(pilot)
        assert cursor(app) == "add00002"
        assert "add00002" not in app.session.changed, "the look was at the item before"
        assert review(app).model.board is not None
        ids = {row.id for row in review(app).model.board.rows}
        assert "new00001" in ids
        assert "add00001" not in ids


async def test_what_another_look_had_found_shows_with_the_next_one(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        stage(tmp_path / "hermes", item("new00001", "add", "a new fact", age=10_000))
        assert desk.refresh(), "somebody else asked first"
        await look_again(app, pilot)
        assert "14 waiting" in painted(app)


async def test_what_changed_under_the_eyes_is_marked_and_not_redrawn(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        stage(tmp_path / "hermes", item("add00001", "add", "Backups run on Friday", age=9000))
        await look_again(app, pilot)
        text = painted(app)
        assert "Backups run on Sunday" in text
        assert "changed on disk: press R" in text
        assert ">    = ready" in text
        assert "R shows what is there now; then a approves" in text
        assert "approves what you see" not in text
        await press(pilot, "a")
        assert "add00001" in waiting(desk)
        assert "press R" in status(app)
        await press(pilot, "R")
        assert "Backups run on Friday" in painted(app)
        assert "press R" not in painted(app), "it was done"
        await press(pilot, "a")
        assert "Backups run on Friday" in entries(desk)


async def test_an_item_decided_elsewhere_stays_on_screen_until_one_moves(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        (tmp_path / "hermes" / "pending" / "memory" / "add00001.json").unlink()
        await look_again(app, pilot)
        assert cursor(app) == "add00001"
        assert "Backups run on Sunday" in painted(app)
        assert "changed on disk" in painted(app)
        await press(pilot, "a")
        assert "Backups run on Sunday" not in entries(desk)
        await press(pilot, "j")
        assert cursor(app) == "add00002"


@pytest.mark.parametrize("document", [False, True], ids=["record", "document"])
async def test_what_changed_first_and_went_then_keeps_its_row_under_the_cursor(tmp_path: Path, document: bool) -> None:
    """Else the text would show the one item while the keys of the list act on the other."""
    desk = desk_with(tmp_path, every_state())
    path = tmp_path / "hermes" / "pending" / "memory" / "add00001.json"
    async with running(desk) as (app, pilot):
        if document:
            write(tmp_path / "hermes" / "memories" / "MEMORY.md", "\n§\n".join((*MEMORY, "One more")).encode())
        else:
            stage(tmp_path / "hermes", item("add00001", "add", "Backups run on Friday", age=9000))
        await look_again(app, pilot)
        assert "changed on disk: press R" in painted(app)
        path.unlink()
        for _ in range(2):
            await look_again(app, pilot)
            assert "12 waiting" in painted(app)
            assert cursor(app) == "add00001"
        await press(pilot, "s")
        assert "add00002" not in app.session.skipped
        assert cursor(app) == "add00002"


async def test_what_went_and_is_back_as_another_record_stands_in_its_row_once(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    path = tmp_path / "hermes" / "pending" / "memory" / "add00001.json"
    async with running(desk) as (app, pilot):
        path.unlink()
        await look_again(app, pilot)
        assert cursor(app) == "add00001"
        stage(tmp_path / "hermes", item("add00001", "add", "Backups run on Friday", age=9000))
        await look_again(app, pilot)
        assert cursor(app) == "add00001"
        assert review(app).model.gone is None
        assert "changed on disk: press R" in painted(app)
        path.unlink()
        await look_again(app, pilot)
        assert cursor(app) == "add00001"
        await press(pilot, "j")
        assert cursor(app) == "add00002"


async def test_the_first_record_of_an_empty_queue_appears(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [])
    async with running(desk) as (app, pilot):
        assert "Nothing waits." in painted(app)
        stage(tmp_path / "hermes", item("add00001", "add", "a first fact"))
        await look_again(app, pilot)
        assert cursor(app) == "add00001"
        await press(pilot, "a")
        assert "a first fact" in entries(desk)


async def test_a_store_that_cannot_be_read_any_more_is_named_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):

        def refuse(**_more: bool) -> bool:
            raise Unreadable("cannot list the queue: Input/output error.", way_out="Check the disk.")

        with monkeypatch.context() as patched:
            patched.setattr(desk, "refresh", refuse)
            await look_again(app, pilot)
            text = painted(app)
            assert "OFFLINE" in text
            assert "Input/output error" in text
            assert "Backups run on Sunday" in text
            for promise in ("all seen", "a approves", "  ready: applies cleanly"):
                assert promise not in text
            assert "cannot be read now: nothing is decided" in text
            assert "as last read, which need not hold any more: ready: applies cleanly" in " ".join(text.split())
            await press(pilot, "D")
            assert "what is deferred is not known" in status(app)
            for key in ("a", "x", "e", "S"):
                await press(pilot, key)
                assert "cannot be read now: nothing is decided" in status(app)
            assert (tmp_path / "hermes" / "pending" / "memory" / "add00001.json").exists()
        await look_again(app, pilot)
        text = painted(app)
        assert "OFFLINE" not in text
        assert "all seen: a approves" in text
        assert "as last read" not in text


async def test_an_empty_queue_that_cannot_be_read_any_more_is_not_called_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_with(tmp_path, [])
    async with running(desk) as (app, pilot):
        assert "Nothing waits" in painted(app)
        assert "undoes the last change" not in painted(app), "there is none"

        def refuse(**_more: bool) -> bool:
            raise Unreadable("cannot list the queue: Input/output error.", way_out="Check the disk.")

        with monkeypatch.context() as patched:
            patched.setattr(desk, "refresh", refuse)
            await look_again(app, pilot)
            assert "Nothing waits" not in painted(app)
            assert "what waits is not known" in painted(app)
        await look_again(app, pilot)
        assert "Nothing waits" in painted(app)


async def test_a_start_that_could_not_read_is_made_up_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What others wrote is recorded by the session all the same, and nothing that a person moved to moves away."""
    desk = desk_with(tmp_path, every_state())
    write(tmp_path / "hermes" / "memories" / "MEMORY.md", b"Prefers tabs\n\xc2\xa7\nwritten by another program")
    refused = [True]

    def refresh(*, thorough: bool = False) -> bool:
        if refused[0]:
            raise Unreadable("cannot list the queue: Input/output error.", way_out="Check the disk.")
        return really(thorough=thorough)

    really = desk.refresh
    monkeypatch.setattr(desk, "refresh", refresh)
    async with running(desk) as (app, pilot):
        assert "OFFLINE" in painted(app)
        await go_to(pilot, app, "add00002")
        await look_again(app, pilot)
        assert "OFFLINE" in painted(app)
        assert len(desk.store.book.rows()) == 0
        refused[0] = False
        await look_again(app, pilot)
        assert "OFFLINE" not in painted(app)
        assert "gate on" in painted(app)
        assert cursor(app) == "add00002"
        assert len(desk.store.book.rows()) > 0


async def test_what_others_wrote_is_recorded_later_where_the_store_was_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_with(tmp_path, every_state())
    really, tried = desk.observe, []

    def locked() -> Receipt:
        tried.append(1)
        if len(tried) < 3:
            raise Locked("the store is locked by another process.", way_out="Try again.")
        return really()

    monkeypatch.setattr(desk, "observe", locked)
    monkeypatch.setattr(live, "_RECORD_EVERY", 2)
    async with running(desk) as (app, pilot):
        assert "locked by another process" in status(app)
        for expected in (1, 2, 2, 3, 3, 3, 3):
            review(app).say(())
            await look_again(app, pilot)
            assert len(tried) == expected
            assert "locked" not in status(app), "said once"
        assert len(desk.store.book.rows()) > 0


async def test_nothing_is_painted_while_a_question_stands_and_nothing_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, timing=FAST._replace(poll=0.05)) as (app, pilot):
        await press(pilot, "question_mark")
        assert len(app.screen_stack) > 1
        painted_now: list[object] = []
        really = app._display
        monkeypatch.setattr(app, "_display", lambda *what: (painted_now.append(what), really(*what)))
        await asyncio.sleep(0.3)  # several looks
        assert painted_now == []
        stage(tmp_path / "hermes", item("new00001", "add", "came below the help", age=10_000))
        await asyncio.sleep(0.1)
        await press(pilot, "q")
        await until(lambda: "14 waiting" in painted(app))  # what happened meanwhile shows when the question is gone


async def test_a_decision_another_process_took_first_is_told(tmp_path: Path) -> None:
    home = home_with(tmp_path / "hermes", every_state())
    mine, other = desk_on(home), desk_on(home)
    async with running(mine) as (app, pilot):
        from curator_tui.core.requests import Decision, Verb

        other.decide([Decision("add00001", Verb.REJECT)])
        await press(pilot, "a")
        assert "Backups run on Sunday" not in entries(mine)
        assert "add00001: already decided: reject by " in status(app)
        assert cursor(app) != "add00001"


async def test_states_come_in_slices_and_keep_the_rows_in_place(tmp_path: Path) -> None:
    pending = [item(f"add{n:05d}", "add", f"fact number {n}", age=10_000 - n) for n in range(300)]
    desk = desk_with(tmp_path, [*pending, *every_state()])
    async with running(desk, timing=Timing(dwell=0.0, quiet=0.0, poll=0.0)) as (app, pilot):
        board = review(app).model.board
        assert board is not None
        assert board.counts is not None, "all of them are known in the end"
        await go_to(pilot, app, "add00100")
        order = [row.id for row in board.rows]
        await press(pilot, "a")
        now = review(app).model.board
        assert now is not None
        assert [row.id for row in now.rows] == [name for name in order if name != "add00100"]


async def test_a_decision_is_told_as_done_when_the_queue_cannot_be_read_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):

        def refuse(*_: object, **__: object) -> Board:
            raise Unreadable("cannot list the queue: Input/output error.")

        with monkeypatch.context() as patched:
            patched.setattr("curator_tui.tui.clerk.board", refuse)
            await press(pilot, "a")
            assert "Backups run on Sunday" in entries(desk)
            assert "approved" in status(app)
            assert "u undoes it" in status(app)


async def test_facts_that_cannot_be_read_at_the_start_are_told_and_end_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_with(tmp_path, every_state())

    def refuse() -> Facts:
        raise Unreadable("cannot read the configuration: Input/output error.")

    monkeypatch.setattr(desk, "facts", refuse)
    async with running(desk) as (app, _pilot):
        assert app.is_running
        assert "Input/output error" in painted(app)


async def test_the_collector_of_garbage_rests_until_the_queue_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Going through all records takes it longer than a key may wait, so it passes over what is there by then."""
    found: list[bool] = []
    whole = Desk.refresh

    def refresh(desk: Desk, **more: bool) -> bool:
        found.append(gc.isenabled())
        return whole(desk, **more)

    monkeypatch.setattr(Desk, "refresh", refresh)
    desk = desk_with(tmp_path, every_state())
    found.clear()
    gc.disable()  # as the start of the application does
    try:
        async with running(desk):
            assert found[:1] == [False]
            assert gc.isenabled()
            assert gc.get_freeze_count() > 0
    finally:
        gc.enable()
        gc.unfreeze()


async def test_a_place_is_entered_when_its_code_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "one")])
    loaded: list[int] = []
    monkeypatch.setattr("curator_tui.tui.app.is_loaded", lambda _: False)
    monkeypatch.setattr("curator_tui.tui.app.load_code", lambda _: loaded.append(threading.get_ident()))
    async with running(desk) as (app, pilot):
        await press(pilot, "3")
        assert app.screen.SCREEN == "history"
        assert loaded != [threading.get_ident()], "not in the event loop's thread"
