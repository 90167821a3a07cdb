"""Many at once: the preview, its locks, applying it as one change, and taking it back as one."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from curator_tui.core.changes import Receipt
from curator_tui.core.documents import Target
from curator_tui.core.requests import Request
from curator_tui.core.row_form import form_of
from curator_tui.curator.desk import Desk
from curator_tui.curator.planning import Plan, Wish, make_plan
from curator_tui.tui.plan_rows import PlanRows
from curator_tui.tui.screens.planning import PlanScreen
from curator_tui.tui.widgets.row_list import RowList
from tests.tui.desks import (
    FAST,
    cursor,
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
    until,
    waiting,
)  # fmt: skip


def facts(count: int, size: int = 12) -> list[dict[str, object]]:
    return [item(f"add{n:05d}", "add", f"fact {n:03d} ".ljust(size, "x"), age=9000 - n) for n in range(count)]


async def unlock(app: object, pilot: object) -> None:
    """Open every spot check and see every row."""
    for _ in range(30):
        await press(pilot, "n", "enter")  # type: ignore[arg-type]
        if not isinstance(app.screen, PlanScreen):  # type: ignore[attr-defined]
            continue
        if not app.screen.locked():  # type: ignore[attr-defined]
            return
        await press(pilot, "pagedown")  # type: ignore[arg-type]


async def test_everything_ready_is_previewed_and_the_rest_named(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(100, 40)) as (app, pilot):
        await press(pilot, "b")
        assert isinstance(app.screen, PlanScreen)
        text = painted(app)
        assert "4 items" in text
        await press(pilot, "J")
        text += painted(app)
        for name in ("los00001", "fla00001", "ovr00001", "amb00001", "sta00001", "inv00001"):
            assert name in text, "left out, with its reason"
        assert "MEMORY.md" in text
        assert len(waiting(desk)) == 13


async def test_y_is_locked_until_spot_checks_were_opened(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "b", "y")
        assert "y is locked" in status(app)
        assert len(waiting(desk)) == 13
        await unlock(app, pilot)
        before = entries(desk), entries(desk, Target.USER)
        await press(pilot, "y")
        assert app.screen is review(app)
        assert len(waiting(desk)) == 9
        await press(pilot, "u")
        assert len(waiting(desk)) == 13, "one change, one undo"
        assert (entries(desk), entries(desk, Target.USER)) == before


async def test_every_row_has_to_be_painted(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, facts(40), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "b")
        screen = app.screen
        assert isinstance(screen, PlanScreen)
        assert screen._unread() > 0
        await press(pilot, *["pagedown"] * 5)
        assert screen._unread() == 0
        assert screen._checks_left()


async def test_what_does_not_fit_is_left_out_with_its_size(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, facts(4, 900), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "asterisk", "b")
        text = painted(app)
        assert "2 items" in text
        assert "left out: 2," in text
        assert "/2200" in text
        await unlock(app, pilot)
        await press(pilot, "y")
        assert len(entries(desk)) == 3
        assert len(waiting(desk)) == 2


async def test_marked_alternatives_and_flagged_items_never_ride_along(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "asterisk", "b")
        await unlock(app, pilot)
        await press(pilot, "y")
        left = waiting(desk)
        assert {"alt00001", "alt00002", "alt00003", "los00001", "fla00001", "sta00001"} <= left
        assert "Prefers tabs" in entries(desk)


async def test_a_row_can_be_left_out_or_rejected_instead(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, facts(4), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "asterisk", "b", "minus")
        assert "3 items" in painted(app)
        await press(pilot, "j", "x")
        assert "REJECT" in painted(app)
        await unlock(app, pilot)
        await press(pilot, "y")
        assert len(entries(desk)) == 3
        assert len(waiting(desk)) == 1
    written = [part.reason for row in desk.store.book.rows() if (form := form_of(row.body)) for part in form.decisions]
    assert written == ["", "", ""], "nobody gave a reason"


async def test_what_the_store_has_to_say_of_a_plan_is_said(tmp_path: Path) -> None:
    """As of a single decision: on the review screen, whatever screen decided it."""
    desk = desk_with(tmp_path, [item("add00001", "add", "fact")], memory=["one"])
    path = tmp_path / "hermes" / "memories" / "MEMORY.md"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    async with running(desk, size=(140, 24)) as (app, pilot):
        await press(pilot, "b", "enter", "pagedown", "q", "y")
        assert app.screen is review(app)
        words = "decided 1 item as one plan. u undoes it; the byte-order mark at the start of MEMORY.md was dropped"
        assert status(app).strip() == words


async def test_a_change_meanwhile_stops_the_plan(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, facts(3), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "b")
        await unlock(app, pilot)
        (tmp_path / "hermes" / "memories" / "MEMORY.md").write_text("other", encoding="utf-8")
        await press(pilot, "y")
        assert entries(desk) == ("other",)
        assert isinstance(app.screen, PlanScreen)
        assert "nothing was written" in status(app)
        await press(pilot, "y")
        assert entries(desk)[0] == "other", "every row does what was read of it, so it need not be read again"
        assert len(entries(desk)) == 4


async def test_a_row_that_became_another_one_must_be_opened_before_it_can_be_applied(tmp_path: Path) -> None:
    """A record that is replaced after its plan was read does not ride on what was seen of the old one."""
    desk = desk_with(tmp_path, facts(5), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "b")
        await unlock(app, pilot)
        put_record(tmp_path / "hermes", item("add00001", "add", "EVIL 001", age=8999))
        await press(pilot, "y")
        assert "nothing was written" in status(app)
        await press(pilot, "y", "y")
        assert entries(desk) == ("one",)
        assert isinstance(app.screen, PlanScreen)
        assert app.screen._checks_left() == ("add00001",)
        assert "y is locked" in status(app)
        await press(pilot, "n", "enter")
        assert "EVIL 001" in painted(app)
        await press(pilot, "q", "y")
        assert "EVIL 001" in entries(desk), "read, so it may be applied"
        seen = {part["proposal"]: part["seen"] for part in desk.store.book.rows()[-1].row["decisions"]}
        assert seen["add00001"] == "100%"


async def test_a_row_that_became_another_one_off_screen_must_be_painted_again(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, facts(40), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "b", *["pagedown"] * 5)
        screen = app.screen
        assert isinstance(screen, PlanScreen)
        await press(pilot, "home")
        assert screen._unread() == 0
        put_record(tmp_path / "hermes", item("add00039", "add", "EVIL 039", age=9000 - 39))
        await press(pilot, "minus")
        assert screen._unread() == 1
        await press(pilot, *["pagedown"] * 5)
        assert screen._unread() == 0


async def test_rows_painted_for_an_earlier_plan_count_for_nothing(tmp_path: Path) -> None:
    """The report of a paint may arrive after the rows were exchanged."""
    desk = desk_with(tmp_path, facts(40), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "b")
        screen = app.screen
        assert isinstance(screen, PlanScreen)
        unread = screen._unread()
        rows = screen.query_one("#rows", RowList)
        rows.source, now = PlanRows(Plan(), lambda _: "."), rows.source
        late = RowList.Painted(rows, 0, 39)
        rows.source = now
        rows.post_message(late)
        await settle(pilot)
        assert screen._unread() == unread
        rows.post_message(RowList.Painted(rows, 0, 39))
        await settle(pilot)
        assert screen._unread() == 0


async def test_what_was_seen_on_the_review_screen_counts_only_as_long_as_it_is_that(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, facts(3), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "j", "j", "b")
        screen = app.screen
        assert isinstance(screen, PlanScreen)
        assert screen._checks_left() == (), "all three were read one by one"
        await press(pilot, "q")
        put_record(tmp_path / "hermes", item("add00001", "add", "EVIL 001", age=8999))
        await press(pilot, "b")
        assert isinstance(app.screen, PlanScreen)
        assert app.screen._checks_left() == ("add00001",)


async def test_y_needs_the_plan_on_screen_for_a_moment(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, facts(2), memory=["one"])
    async with running(desk, timing=FAST._replace(dwell=30.0)) as (app, pilot):
        await press(pilot, "j", "b")
        screen = app.screen
        assert isinstance(screen, PlanScreen)
        assert not screen.locked()
        await press(pilot, "y")
        assert "too fast" in status(app)
        assert entries(desk) == ("one",)
        screen._gate.dwell = 0.0
        await press(pilot, "y")
        assert len(entries(desk)) == 3


async def test_y_applies_no_row_that_was_left_out_a_moment_before(tmp_path: Path) -> None:
    """The keys come faster than the plan can be worked out again."""
    desk = desk_with(tmp_path, facts(2), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "j", "b")
        screen = app.screen
        assert isinstance(screen, PlanScreen)
        screen.action_plan_drop()
        screen.action_plan_apply()
        await settle(pilot)
        assert entries(desk) == ("one",)


async def test_the_draw_stands_in_the_ledger_and_stays_while_rows_do(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, facts(30), memory=["one"])
    async with running(desk, size=(80, 60)) as (app, pilot):
        await press(pilot, "asterisk", "b")
        screen = app.screen
        assert isinstance(screen, PlanScreen)
        assert screen._plan is not None
        drawn = screen._plan.checks
        assert len(drawn) == 3
        await screen._replan()
        assert screen._plan.checks == drawn, "asking again draws nothing else"
        await unlock(app, pilot)
        await press(pilot, "y")
        parts = desk.store.book.rows()[-1].row["decisions"]
        assert {part["proposal"] for part in parts if part.get("drawn")} == set(drawn)
        assert all(part["seen"] == "100%" for part in parts if part.get("drawn"))


async def test_nobody_who_writes_records_can_foresee_the_draw(tmp_path: Path) -> None:
    """The same records twice: other rows are drawn, because the bytes come from the desk's own source."""
    desk = desk_with(tmp_path, facts(60), memory=["one"])
    wish = Wish(tuple(f"add{n:05d}" for n in range(60)))
    desk._entropy = lambda count: b"1" * count
    first = make_plan(desk, wish)
    desk._entropy = lambda count: b"2" * count
    second = make_plan(desk, wish)
    assert first.digest == second.digest
    assert first.checks != second.checks


async def test_m_shows_both_documents_as_they_will_be(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(100, 50)) as (app, pilot):
        await press(pilot, "b", "m")
        text = painted(app)
        await press(pilot, "q")
        await unlock(app, pilot)
        before = entries(desk), entries(desk, Target.USER)
        await press(pilot, "y")
        after = entries(desk), entries(desk, Target.USER)
    assert "MEMORY.md" in text
    assert "USER.md" in text
    assert "251/2200 -> 275/2200  (+24)" in text
    assert "1268/1375 -> 1287/1375  (+19)" in text
    for was, now in zip(before, after, strict=True):
        for number, entry in enumerate(now, 1):
            sign = " " if entry in was else "+"
            assert f"{sign} {number:<4}{entry.splitlines()[0][:60]}" in text
        for entry in set(was) - set(now):
            assert f"- {was.index(entry) + 1:<4}{entry}" in text


async def test_m_says_of_a_document_that_cannot_be_read_that_nothing_is_known(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "Likes rye bread", target="user")])
    (tmp_path / "hermes" / "memories" / "MEMORY.md").write_bytes(b"\xff\xfe broken")
    async with running(desk) as (app, pilot):
        await press(pilot, "b", "m")
        assert "undecodable/2200, unchanged" in painted(app)


async def test_back_decides_nothing_and_keeps_the_marks(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, facts(3), memory=["one"])
    async with running(desk) as (app, pilot):
        await press(pilot, "space", "space", "b", "q")
        assert len(waiting(desk)) == 3
        assert len(app.session.marked) == 2
        assert cursor(app) == "add00002"


async def test_a_plan_that_is_being_written_is_not_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer comes to this screen: whoever leaves early would not hear that everything was decided."""
    desk = desk_with(tmp_path, facts(3), memory=["one"])
    begun, go_on = threading.Event(), threading.Event()
    whole = Desk.carry_out

    def slowly(self: Desk, request: Request) -> Receipt:
        if request.decisions:
            begun.set()
            go_on.wait(60)
        return whole(self, request)

    monkeypatch.setattr(Desk, "carry_out", slowly)
    async with running(desk) as (app, pilot):
        await press(pilot, "b")
        await unlock(app, pilot)
        screen = app.screen
        assert isinstance(screen, PlanScreen)
        await pilot.press("y")
        await until(begun.is_set)
        for key in ("escape", "minus", "x"):
            await pilot.press(key)
        assert app.screen is screen
        assert "still being written" in painted(app)
        go_on.set()
        await settle(pilot)
        assert app.screen is not screen
        assert waiting(desk) == set()
        assert app.session.last is not None, "u undoes it"
