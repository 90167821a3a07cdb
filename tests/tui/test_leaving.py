"""Leaving and changing desks: what a key decided is carried out and told, or told as not done; never dropped."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from textual.pilot import Pilot

from curator_tui.core.changes import Change, View
from curator_tui.core.plans import plan
from curator_tui.core.requests import Decision, Request, Verb
from curator_tui.core.text import visible
from curator_tui.curator.desk import Desk
from curator_tui.tui import app as app_module
from curator_tui.tui import leaving
from curator_tui.tui.app import CuratorApp
from curator_tui.tui.clerk import Clerk, Retired
from curator_tui.tui.places import find_place, load_code
from curator_tui.tui.review import live, showing
from curator_tui.tui.screens.second import AskScreen
from curator_tui.tui.shown import own
from curator_tui.tui.widgets.filter_input import FilterInput
from tests.homes import stage
from tests.tui.desks import (
    desk_on,
    desk_with,
    entries,
    every_state,
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

NEW = "Backups run on Sunday"


class Busy:
    """A clerk kept busy by a look that goes on until it is told to end."""

    def __init__(self, app: CuratorApp) -> None:
        self._end = threading.Event()
        self._look = asyncio.ensure_future(app.clerk.ask(lambda _: self._end.wait(60)))

    def end(self) -> None:
        self._end.set()

    async def gone(self) -> None:
        """Wait for the look itself, whatever became of it."""
        self.end()
        await asyncio.wait([self._look])


async def decide_behind(app: CuratorApp, pilot: Pilot[object], key: str) -> Busy:
    """Press a key that decides while the clerk is busy with something else."""
    busy = Busy(app)
    await pilot.press(key)
    await until(lambda: app.deciding)
    return busy


@pytest.mark.parametrize(("way", "code"), [("q", 0), ("ctrl+q", 0), ("signal", 143)])
async def test_a_queued_decision_is_carried_out_before_the_end(tmp_path: Path, way: str, code: int) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        busy = await decide_behind(app, pilot, "a")
        if way == "signal":
            app.leave_with(code)
        else:
            await pilot.press(way)
        await until(lambda: "leaving as soon as" in status(app))
        assert app.is_running
        await pilot.press("x", "j")  # keys that come too late decide nothing
        await busy.gone()
        await until(lambda: not app.is_running)
        assert app.return_code == code
    assert NEW in entries(desk)
    assert len(waiting(desk)) == 12
    assert "approved memory: 'Backups run on Sunday'" in app.farewell


@pytest.mark.parametrize("place", ["ledger", "history"])
async def test_leaving_while_a_place_is_opened_is_no_failure(tmp_path: Path, place: str) -> None:
    """Its widgets are taken away before it looks for them."""
    load_code(find_place(place))
    async with running(desk_with(tmp_path, every_state())) as (app, _):
        app.go(place)
        app.leave_with(0)
        await until(lambda: not app.is_running)
        assert app.failure is None
        assert app.return_code == 0


async def test_both_keys_at_once_lose_nothing(tmp_path: Path) -> None:
    """The second key arrives before anything of the first has begun."""
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, _):
        screen = review(app)
        app.pressed_at = float("inf")
        screen.action_decide_approve()
        screen.action_quit()
        await until(lambda: not app.is_running)
    assert NEW in entries(desk)


async def test_a_decision_that_came_to_nothing_is_told(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        busy = await decide_behind(app, pilot, "a")
        stage(tmp_path / "hermes", item("add00001", "add", "something else now", age=9000))
        await pilot.press("q")
        await busy.gone()
        await until(lambda: not app.is_running)
    assert NEW not in entries(desk)
    assert "something else now" not in entries(desk)
    assert "changed since it was shown" in app.farewell


async def test_what_came_of_a_decision_is_told_whatever_covers_its_screen(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        busy = await decide_behind(app, pilot, "a")
        await pilot.press("question_mark")
        await until(lambda: len(app.screen_stack) > 1)
        app.leave_with(0)
        await busy.gone()
        await until(lambda: not app.is_running)
    assert app.farewell.startswith("The last decision: approved memory: 'Backups run on Sunday'")
    assert "leaving as soon" not in app.farewell


async def test_a_plan_that_was_carried_out_is_told(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", NEW)])
    async with running(desk) as (app, pilot):
        await press(pilot, "b", "enter", "pagedown", "q")
        busy = await decide_behind(app, pilot, "y")
        app.leave_with(0)
        await busy.gone()
        await until(lambda: not app.is_running)
    assert NEW in entries(desk)
    assert app.farewell == "The last decision: decided 1 item as one plan. u undoes it"


async def test_leaving_waits_no_longer_than_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaving, "LEAVE_SECONDS", 0.3)
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        busy = await decide_behind(app, pilot, "a")
        app.leave_with(143)
        thread = app.clerk._work._thread
        assert thread is not None
        await until(lambda: not app.is_running)
        assert "still being written" in app.farewell
    await busy.gone()
    await until(lambda: not thread.is_alive())
    assert NEW not in entries(desk), "what had not begun by then never begins"


async def test_after_a_crash_too_what_was_decided_is_carried_out(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    with pytest.raises(RuntimeError, match="broken"):
        await _decide_and_break(desk)
    assert NEW in entries(desk)


async def _decide_and_break(desk: Desk) -> None:
    def broken() -> None:
        raise RuntimeError("broken")

    async with running(desk) as (app, pilot):
        busy = await decide_behind(app, pilot, "a")
        app.call_later(broken)
        await until(lambda: app.failure is not None)
        busy.end()


# -- another desk ------------------------------------------------------------------------------------------------------


def two_desks(tmp_path: Path) -> tuple[Desk, Desk]:
    """Return two desks whose items have the same ids."""
    first = desk_on(home_with(tmp_path / "one", every_state()))
    other = [item("add00001", "add", "a fact of the other desk"), item("add00002", "add", "another one")]
    return first, desk_on(home_with(tmp_path / "two", other))


async def test_a_desk_is_not_changed_while_a_decision_is_written(tmp_path: Path) -> None:
    mine, other = two_desks(tmp_path)
    async with running(mine) as (app, pilot):
        app.switch = lambda _: other
        busy = await decide_behind(app, pilot, "a")
        app.open_profile("work")
        await until(lambda: "still being written" in status(app))
        await busy.gone()
        await settle(pilot)
        assert app.clerk.desk is mine
        assert NEW in entries(mine)
        app.open_profile("work")
        await until(lambda: app.clerk.desk is other)
        await settle(pilot)
        await press(pilot, "x")
        assert waiting(other) == {"add00002"}
        assert len(waiting(mine)) == 12


async def test_a_key_pressed_while_the_other_desk_opens_stays_with_its_own(tmp_path: Path) -> None:
    mine, other = two_desks(tmp_path)
    async with running(mine) as (app, pilot):
        begun, opening = threading.Event(), threading.Event()

        def slowly(_: str) -> Desk:
            begun.set()
            opening.wait(60)
            return other

        app.switch = slowly
        app.open_profile("work")
        await until(begun.is_set)
        busy = await decide_behind(app, pilot, "a")
        opening.set()
        await until(lambda: "still being written" in status(app))
        await busy.gone()
        await settle(pilot)
        assert app.clerk.desk is mine
        assert NEW in entries(mine)
        assert "a fact of the other desk" not in entries(desk_on(tmp_path / "two"))


async def test_answers_of_the_desk_before_are_dropped(tmp_path: Path) -> None:
    mine, other = two_desks(tmp_path)
    async with running(mine) as (app, pilot):
        app.switch = lambda _: other
        before = app.clerk
        busy = Busy(app)
        review(app).showing.open_item("add00001")  # the same id waits at the other desk
        app.open_profile("work")
        await until(lambda: app.clerk is not before)
        await busy.gone()
        await settle(pilot)
        assert "a fact of the other desk" in painted(app)
        assert visible(NEW) not in painted(app)


@pytest.mark.parametrize("kind", ["item", "poll"])
async def test_a_read_that_goes_on_while_the_desk_changes_is_not_painted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Its answer comes when the other desk stands on screen already, and an item of the same id with it."""
    mine, other = two_desks(tmp_path)
    async with running(mine) as (app, pilot):
        app.switch = lambda _: other
        screen, before = review(app), app.clerk
        module, name, start = {
            "item": (showing, "look", lambda: screen.showing.open_item("add00001")),
            "poll": (live, "_look_again", screen.live.tick),
        }[kind]
        really = getattr(module, name)
        begun, held = threading.Event(), threading.Event()

        def slowly(desk: Desk, *arguments: Any, **more: Any) -> Any:
            found = really(desk, *arguments, **more)
            if desk is mine:
                begun.set()
                held.wait(60)
            return found

        stage(tmp_path / "one", item("add00009", "add", "a record that makes a look worth telling"))
        monkeypatch.setattr(module, name, slowly)
        start()
        await until(begun.is_set)
        app.open_profile("work")
        await until(lambda: app.clerk is not before and screen.model.looked is not None)
        held.set()
        await until(lambda: before._work._stopped)
        await settle(pilot)
        assert "a fact of the other desk" in painted(app)
        assert visible(NEW) not in painted(app)
        assert " 2 waiting" in painted(app)
        assert "changed on disk" not in painted(app)


async def test_trouble_and_a_filter_of_the_desk_before_are_gone(tmp_path: Path) -> None:
    mine, other = two_desks(tmp_path)
    async with running(mine) as (app, pilot):
        app.switch = lambda _: other
        await press(pilot, "slash", "r", "y", "e", "enter")
        app.trouble = (own("OFFLINE: the disk of the first desk"),)
        review(app).showing.draw_head()
        app.open_profile("work")
        await until(lambda: app.clerk.desk is other)
        await settle(pilot)
        assert "OFFLINE" not in painted(app)
        assert not app.screen.query(FilterInput)
        assert "a fact of the other desk" in painted(app)


async def test_a_closed_clerk_answers_nobody(tmp_path: Path) -> None:
    clerk = Clerk(desk_with(tmp_path, every_state()))
    begun, gate = threading.Event(), threading.Event()

    def fails(_: Desk) -> Any:
        begun.set()
        gate.wait(60)
        raise OSError("the desk is closed")

    asked = asyncio.ensure_future(clerk.ask(fails))
    await until(begun.is_set)
    clerk.close()
    gate.set()
    with pytest.raises(Retired):
        await asked


@pytest.mark.parametrize("read", [
    lambda desk: desk.queue.conditions("add00001"),
    lambda desk: desk.queue.found("add00001"),
    lambda desk: desk.read_again(["add00001"]),
], ids=["conditions", "found", "read again"])  # fmt: skip
async def test_a_long_look_that_nobody_waits_for_ends_at_its_next_item(
    tmp_path: Path, read: Callable[[Desk], object]
) -> None:
    """Whoever leaves a plan of thousands does not wait for it afterwards, and a change is never given up."""
    clerk = Clerk(desk_with(tmp_path, every_state()))
    begun, ended = threading.Event(), threading.Event()

    def long(desk: Desk) -> None:
        end = monotonic() + 60
        try:
            while monotonic() < end:
                read(desk)
                begun.set()
        finally:
            if monotonic() < end:
                ended.set()

    asked = asyncio.ensure_future(clerk.ask(long))
    await until(begun.is_set)
    asked.cancel()
    assert await clerk.change(read), "what comes behind it is not given up along"
    assert ended.is_set()
    clerk.close()


async def test_nobody_waits_for_a_clerk_that_was_closed(tmp_path: Path) -> None:
    """A hang-up may come after an orderly end: there is nothing left to wait for."""
    clerk = Clerk(desk_with(tmp_path, every_state()))
    assert await clerk.ask(lambda _: 1) == 1
    clerk.close()
    began = monotonic()
    assert clerk.wait(20.0)
    assert await clerk.finish(20.0)
    assert monotonic() - began < 5.0


async def test_a_closed_clerk_still_says_that_a_change_runs(tmp_path: Path) -> None:
    clerk = Clerk(desk_with(tmp_path, every_state()))
    begun, gate = threading.Event(), threading.Event()

    def long(_: Desk) -> None:
        begun.set()
        gate.wait(60)

    changing = asyncio.ensure_future(clerk.change(long))
    await until(begun.is_set)
    clerk.close()
    assert not clerk.wait(0.0)
    gate.set()
    with pytest.raises(Retired):
        await changing
    await until(lambda: clerk.wait(0.0))


@pytest.mark.parametrize("late", [False, True])
def test_the_desk_is_closed_after_the_end_but_not_under_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: bool
) -> None:
    """What took longer than leaving waits goes on in its thread until the process ends."""
    desk = desk_with(tmp_path, every_state())
    closed: list[bool] = []
    monkeypatch.setattr(desk, "close", lambda: closed.append(True))
    monkeypatch.setattr(app_module, "terminal_problem", lambda: None)
    if late:
        monkeypatch.setattr(leaving, "LEAVE_SECONDS", 0.2)
    begun, gate = threading.Event(), threading.Event()

    def long(_: Desk) -> None:
        begun.set()
        gate.wait(60)

    def runs(app: CuratorApp) -> None:
        async def leave() -> None:
            if late:
                app.run_worker(app.clerk.change(long), group="send")
                await until(begun.is_set)
            app.leave_with(0)
            await until(lambda: not app.is_running)

        async def whole() -> None:
            async with app.run_test():
                await leave()

        asyncio.run(whole())

    monkeypatch.setattr(CuratorApp, "run", runs)
    assert app_module.run(desk) == 0
    gate.set()
    assert closed == ([] if late else [True])


async def test_a_desk_is_closed_in_the_thread_that_used_it_and_nobody_waits_for_ever(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    clerk, threads, gate = Clerk(desk), [], threading.Event()

    def slow() -> None:
        threads.append(threading.current_thread().name)
        gate.wait(60)

    desk.close = slow  # type: ignore[method-assign]
    assert not await clerk.close_desk(0.02), "the loop goes on although a lock is waited for"
    gate.set()
    assert clerk.wait(60.0)
    assert threads == ["curator-tui-desk"]


def test_a_store_is_not_closed_under_a_change(tmp_path: Path) -> None:
    """Closing waits for the change; then nothing of it is missing."""
    desk = desk_with(tmp_path, every_state())
    begun, gate = threading.Event(), threading.Event()

    def planned(view: View, request: Request) -> Change:
        begun.set()
        gate.wait(60)
        return plan(view, request)

    request = desk.deciding([Decision("add00001", Verb.APPROVE)])
    changing = threading.Thread(target=desk.store.transact, args=(request, planned))
    changing.start()
    assert begun.wait(60)
    closing = threading.Thread(target=desk.close)
    closing.start()
    closing.join(0.2)
    assert closing.is_alive()
    gate.set()
    for thread in (changing, closing):
        thread.join(60)
        assert not thread.is_alive()
    after = desk_on(tmp_path / "hermes")
    assert NEW in entries(after)
    assert not after.recovery_pending()


async def test_drafts_are_asked_for_before_a_desk_is_left(tmp_path: Path) -> None:
    mine, other = two_desks(tmp_path)
    async with running(mine) as (app, pilot):
        app.switch = lambda _: other
        await press(pilot, "space", "k", "e", "B", "escape", "q")
        assert "1 draft and 1 mark of this session would be lost" in painted(app), "leaving names all of it"
        await press(pilot, "n")
        app.open_profile("work")
        await settle(pilot)
        assert isinstance(app.screen, AskScreen)
        await press(pilot, "n")
        assert app.clerk.desk is mine
        assert app.session.drafts
        app.open_profile("work")
        await settle(pilot)
        await press(pilot, "y")
        await until(lambda: app.clerk.desk is other)


@pytest.mark.parametrize("keys", [(), ("i",), ("e",), ("2", "C")], ids=["queue", "page", "text", "dialog"])
async def test_ctrl_c_says_how_to_leave_and_that_is_true_there(tmp_path: Path, keys: tuple[str, ...]) -> None:
    """In a text ``q`` is a letter, in a page it goes back: only one key leaves from everywhere."""
    async with running(desk_with(tmp_path, every_state())) as (app, pilot):
        await press(pilot, *keys)
        await press(pilot, "ctrl+c")
        assert "ctrl+c does not leave: ctrl+q does" in painted(app)
        assert not app._notifications
        await press(pilot, "escape", *(keys if keys != ("e",) else ()), "ctrl+q")
        assert app.is_leaving
