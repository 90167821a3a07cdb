"""Questions that do not fit the window: no answer counts before all of them could be read."""

from __future__ import annotations

from pathlib import Path

from curator_tui.core.documents import Target
from curator_tui.tui.screens.moved_on import MovedOnScreen
from curator_tui.tui.screens.reverted import RevertScreen
from curator_tui.tui.screens.second import SecondScreen
from tests.tui.desks import desk_with, entries, item, painted, press, review, running, status, waiting

CLAUSES = 40
FACTS = "; ".join(f"machine {number} stands in the room number {number}" for number in range(CLAUSES))


async def test_a_loss_below_the_edge_is_read_before_it_is_confirmed(tmp_path: Path) -> None:
    pending = [item("los00001", "replace", "machine 0 is gone", "machine 0 stands")]
    desk = desk_with(tmp_path, pending, memory=[FACTS])
    async with running(desk) as (app, pilot):
        for _ in range(12):
            await press(pilot, "a")
            if app.screen is not review(app):
                break
        assert isinstance(app.screen, SecondScreen)
        shown = [painted(app)]
        for _ in range(CLAUSES):
            await press(pilot, "y")
            if app.screen is review(app):
                break
            assert "there is more to read" in status(app)
            assert waiting(desk) == {"los00001"}
            shown.append(painted(app))
        assert len(shown) > 1, "the question is longer than the window"
        words = " ".join(" ".join(text.split()) for text in shown)
        for number in range(1, CLAUSES):
            assert f"room number {number}" in words
        assert waiting(desk) == set()
        assert entries(desk, Target.MEMORY) == ("machine 0 is gone",)


async def test_a_long_question_can_be_scrolled(tmp_path: Path) -> None:
    pending = [item("los00001", "replace", "machine 0 is gone", "machine 0 stands")]
    desk = desk_with(tmp_path, pending, memory=[FACTS])
    async with running(desk) as (app, pilot):
        while app.screen is review(app):
            await press(pilot, "a")
        before = painted(app)
        await press(pilot, "pagedown")
        assert isinstance(app.screen, SecondScreen)
        assert painted(app) != before
        await press(pilot, "pageup")
        assert painted(app) == before


async def test_a_text_that_was_not_read_is_not_chosen(tmp_path: Path) -> None:
    def long(word: str) -> str:
        return f"Office is in {word}. " + "It has many rooms. " * 60 + f"The end of {word}"

    desk = desk_with(tmp_path, [item("p1", "replace", long("Lille"), long("Lyon"))], memory=[long("Lyon")])
    async with running(desk) as (app, pilot):
        while waiting(desk):
            await press(pilot, "a")
        moved = long("Lille") + ", 3rd floor"
        (tmp_path / "hermes" / "memories" / "MEMORY.md").write_text(moved, encoding="utf-8")
        await press(pilot, "u")
        assert isinstance(app.screen, MovedOnScreen)
        await press(pilot, "2", "y")
        assert isinstance(app.screen, MovedOnScreen)
        assert entries(desk) == (moved,)
        for _ in range(12):
            await press(pilot, "2")
        assert "y shows what comes of it" in status(app)
        await press(pilot, "y")
        for _ in range(12):  # it is read to its end as well
            if isinstance(app.screen, RevertScreen):
                assert entries(desk) == (moved,)
                await press(pilot, "y")
        assert entries(desk) == (long("Lille"),)
