"""What is said in the status row: all of it, in as many rows as the window can spare; columns keep a blank between."""

from __future__ import annotations

from pathlib import Path

from curator_tui.core.changes import Kind, Receipt
from curator_tui.curator.rejecting import rows_of
from curator_tui.tui.screens.rejecting import RejectManyScreen
from curator_tui.tui.shown import own, words_of
from curator_tui.tui.words import noted
from tests.tui.desks import desk_with, every_state, item, painted, review, running, settle

LONG = " ".join(f"word{n}" for n in range(20))  # 130 cells


async def test_what_is_too_long_for_one_row_takes_more_and_gives_them_back(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        rows = painted(app).split("\n")
        review(app).say((own(LONG),))
        await settle(pilot)
        now = painted(app).split("\n")
        assert " ".join(" ".join(now[-3:-1]).split()) == LONG
        assert now[-1] == rows[-1], "the keys stay where they are"
        review(app).say((own("short"),))
        await settle(pilot)
        assert painted(app).split("\n")[-2].strip() == "short"
        assert painted(app).split("\n")[-3] == rows[-3]


async def test_a_low_window_spares_no_second_row(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(80, 12)) as (app, pilot):
        review(app).say((own(LONG),))
        await settle(pilot)
        now = painted(app).split("\n")
        assert now[-2].rstrip().endswith("…")
        assert "word0 " not in now[-3]


def test_a_document_whose_name_fills_its_column_and_the_words_stand_apart(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("inv00001", "add", "Backups run on Sunday", target="project")])
    rows, _ = rows_of(desk, ("inv00001",))
    *_, line = RejectManyScreen(rows).lines()
    assert "proje… inv00001  unknown" in words_of((*line.prefix, *line.body))


def test_what_was_done_is_said_before_what_else_is_worth_saying() -> None:
    done = (own("rejected it. u undoes it"),)
    receipt = Receipt("c1", Kind.DECIDE, notes=("still waiting: alt00002", "the file was edited by hand"))
    told = words_of(noted(receipt, done))
    assert told == "rejected it. u undoes it; still waiting: alt00002; the file was edited by hand"
    assert words_of(noted(receipt, ())) == "still waiting: alt00002; the file was edited by hand"
    assert words_of(noted(Receipt("c1", Kind.DECIDE), done)) == "rejected it. u undoes it"
