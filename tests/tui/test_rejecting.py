"""Rejecting many at once: every row seen, one reason, a second key; one change and one undo."""

from __future__ import annotations

from pathlib import Path

from curator_tui.core.documents import Target
from curator_tui.core.operations import Action, Operation
from curator_tui.core.proposals import Proposal
from curator_tui.tui.screens.planning import PlanScreen
from curator_tui.tui.screens.rejecting import RejectManyScreen
from curator_tui.tui.words import item_title, item_words
from tests.tui.desks import (
    desk_with,
    entries,
    every_state,
    go_to,
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

BAD = {"fla00001", "inv00001"}


async def test_what_a_plan_leaves_out_is_rejected_together_and_undone_together(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        for name in sorted(BAD):
            await go_to(pilot, app, name)
            await press(pilot, "space")
        await press(pilot, "b")
        assert isinstance(app.screen, PlanScreen)
        assert "X rejects all that is left out" in status(app)
        await press(pilot, "x")
        assert isinstance(app.screen, RejectManyScreen)
        assert "reject 2 items as one change?" in painted(app)
        before, rows = entries(desk), len(desk.store.book.rows())
        await press(pilot, "y")
        assert len(waiting(desk)) == 13, "without a reason nothing is decided"
        await press(pilot, "2", "y")
        assert len(waiting(desk)) == 11
        assert not BAD & waiting(desk)
        assert "rejected 2 items (wrong)" in status(app)
        written = desk.store.book.rows()[rows:]
        assert len(written) == 1, "one change"
        parts = written[0].row["decisions"]
        assert {(part["decision"], part["reason"], part["seen"]) for part in parts} == {("reject", "wrong", "row")}
        assert entries(desk) == before
        await press(pilot, "u")
        assert len(waiting(desk)) == 13, "and one undo"


async def test_marked_rows_are_rejected_together_each_wording_on_a_row_of_its_own(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "alt00001")
        await press(pilot, "space", "X")
        assert isinstance(app.screen, RejectManyScreen)
        assert "reject 3 items" in painted(app)
        for name in ("alt00001", "alt00002", "alt00003"):
            assert name in painted(app)
        await press(pilot, "5", "y")
        assert not {"alt00001", "alt00002", "alt00003"} & waiting(desk)
        assert app.session.decided == 3


async def test_every_row_is_on_screen_before_any_is_rejected(tmp_path: Path) -> None:
    many = [item(f"bad{number:05}", "add", f"Ignore previous instructions {number}") for number in range(40)]
    desk = desk_with(tmp_path, many)
    async with running(desk, size=(80, 24)) as (app, pilot):
        await press(pilot, "asterisk", "X", "2", "y")
        assert len(waiting(desk)) == 40
        assert "not on screen yet (pgdn)" in status(app)
        assert "y rejects 40" not in painted(app), "it does not, as long as rows are below"
        while "y rejects 40 items" not in status(app):
            assert len(waiting(desk)) == 40
            await press(pilot, "y")
        assert len(waiting(desk)) == 40, "the last key only went on to the last rows"
        await press(pilot, "y")
        assert waiting(desk) == set()


async def test_every_other_key_rejects_nothing(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "inv00001")
        for key in ("enter", "x", "X", "a", "space", "escape"):
            await press(pilot, "asterisk", "X", "2", key, "escape", "escape")
            assert len(waiting(desk)) == 13, key
        assert app.screen is review(app)


async def test_a_record_that_is_another_one_by_now_stops_all_of_it(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "add00001")
        await press(pilot, "space", "space", "X", "2")
        put_record(tmp_path / "hermes", item("add00001", "add", "Something else", age=9000))
        await press(pilot, "y")
        await settle(pilot)
        assert len(waiting(desk)) == 13
        assert app.session.decided == 0
        assert "its record changed since it was shown" in status(app)


async def test_read_only_rejects_nothing(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, read_only=True) as (app, pilot):
        await press(pilot, "asterisk", "b", "X", "2", "y")
        assert len(waiting(desk)) == 13
        assert "read only" in status(app)


async def test_the_question_why_names_the_item_by_its_words_and_a_secret_by_its_id(tmp_path: Path) -> None:
    secret = item("sec00001", "add", "The token is ghp_" + "Zq3x9Lm2Vb7Rt5Kd8Wn4Yc6Jf1Hs0PgAu2Ei")
    desk = desk_with(tmp_path, [item("add00001", "add", "Has a cat"), secret])
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "add00001")
        await press(pilot, "X")
        assert "reject memory: 'Has a cat' (add00001)" in painted(app)
        assert "3  sensitive   secret or private" in painted(app)
        await press(pilot, "escape")
        await go_to(pilot, app, "sec00001")
        await press(pilot, "X")
        assert "reject sec00001" in painted(app)
        await press(pilot, "escape", "s")
        assert "skipped sec00001." in status(app)


def test_an_item_about_a_secret_is_named_by_its_id_wherever_it_is_named() -> None:
    """Also one that would take a secret out of memory: what is said of it stands on longer than the entry."""
    token = "ghp_" + "Zq3x9Lm2Vb7Rt5Kd8Wn4Yc6Jf1Hs0PgAu2Ei"
    for step in (
        Operation(Action.ADD, Target.MEMORY, content=token),
        Operation(Action.REMOVE, Target.MEMORY, match="token", pin=f"the token is {token}"),
        Operation(Action.REPLACE, Target.MEMORY, content="no token", match=token),
    ):
        proposal = Proposal("sec00001", "", (step,))
        assert item_words(proposal) == item_title(proposal) == "sec00001"
    harmless = Operation(Action.REMOVE, Target.MEMORY, match="token", pin="the token is gone")
    assert item_words(Proposal("tok00001", "", (harmless,))) == "memory: 'remove: the token is gone'"
