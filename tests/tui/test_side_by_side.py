"""The diff in two columns: both sides in full, gaps marked, and what was seen in one form says nothing of another."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from curator_tui.core.text import cell_width
from curator_tui.tui.layout import Layout
from curator_tui.tui.page_lines import Page, PageLine
from curator_tui.tui.shown import own, words_of
from curator_tui.tui.themes import MONO
from tests.tui.desks import desk_with, entries, go_to, item, painted, press, review, running, status

LONG = " ".join(f"word{number:03d}" for number in range(60))


def words(text: str) -> set[str]:
    return set(re.findall(r"word\d{3}", text))


@pytest.mark.parametrize("size", [(80, 24), pytest.param((160, 40), marks=pytest.mark.slow)])
async def test_d_goes_through_two_columns_and_plain_back_to_one(tmp_path: Path, size: tuple[int, int]) -> None:
    staged = [item("rep00001", "replace", "Uses Krita 5.3 for sketches", "Krita 5.2")]
    desk = desk_with(tmp_path, staged)
    async with running(desk, size=size, palette=MONO) as (app, pilot):
        await press(pilot, "d")
        row = next(line for line in painted(app).splitlines() if "- 3" in line)
        assert "Uses Krita [-5.2-] for" in row
        assert "Uses Krita {+5.3+} for" in row, "beside each other, words marked in both"
        assert "│" in row
        assert "two columns" in status(app)
        await press(pilot, "d")
        assert "-- before --" in painted(app)
        await press(pilot, "d")
        lines = painted(app).splitlines()
        assert not any("[-5.2-]" in line and "{+5.3+}" in line for line in lines)


async def test_a_side_that_has_nothing_is_marked_as_a_gap(tmp_path: Path) -> None:
    desk = desk_with(
        tmp_path, [item("add00001", "add", "Owns a canoe"), item("del00001", "remove", None, "Never deploy")]
    )
    async with running(desk) as (app, pilot):
        await press(pilot, "d")
        row = next(line for line in painted(app).splitlines() if "+ 7" in line)
        assert row.split("│")[0].strip() == "·" * 39
        await go_to(pilot, app, "del00001")
        row = next(line for line in painted(app).splitlines() if "- 5" in line)
        assert "····" in row.split("│")[1]


async def test_a_narrow_text_has_no_two_columns_and_says_so(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "Owns a canoe")])
    async with running(desk, size=(62, 24)) as (app, pilot):
        await press(pilot, "d")
        assert review(app).model.look.plain
        assert "need a wider text" in status(app)


async def test_what_was_seen_in_one_form_unlocks_nothing_in_another(tmp_path: Path) -> None:
    """G2 in every form: ``a`` is open only when all of the form on screen was on screen."""
    long = "\n".join(f"line {number} word{number:03d}" for number in range(40))
    desk = desk_with(tmp_path, [item("rep00001", "replace", long, "Prefers tabs")])
    async with running(desk) as (app, pilot):
        for key in ("d", "d", "d", ""):
            assert app.gate.unseen(), "the form before did not count"
            await press(pilot, "a")
            assert "Prefers tabs" in entries(desk)
            if key:
                await press(pilot, key)
        while app.gate.unseen():
            await press(pilot, "n")
        await press(pilot, "d")
        assert app.gate.unseen(), "seen whole in one column, not yet in two"
        await press(pilot, "a")
        assert "Prefers tabs" in entries(desk)
        while app.gate.unseen():
            await press(pilot, "n")
        await press(pilot, "a")
        assert long in entries(desk)


@pytest.mark.parametrize("width", [24, 41, 72, 120])
def test_no_word_of_either_column_is_lost_and_rows_are_as_wide_as_the_pane(width: int) -> None:
    left, right = (own("- 1   ", role="gone"),), (own("+ 1   ", role="new"),)
    line = PageLine((own(LONG, role="gone"),), left, 0, right=(right, (own("word999 日本語 👩‍💻", role="new"),)))
    layout = Layout(Page("", "", (line,)), width)
    layout.advance()
    rows = [layout.row(at).line for at in range(len(layout))]
    told = [words_of(row) for row in rows]
    assert {cell_width(row) for row in told} == {width}
    assert words("".join(row.split("│")[0].strip() + " " for row in told)) >= words(LONG)
    assert "word999" in told[0]
    assert set(told[-1].split("│")[1]) == {"·"}


async def test_sizes_before_and_after_stand_over_each_of_two_documents(tmp_path: Path) -> None:
    both = item("bat00001", "batch")
    both["payload"] = {
        "action": "batch",
        "operations": [
            {"action": "add", "target": "memory", "content": "Owns a canoe"},
            {"action": "add", "target": "user", "content": "Likes rye"},
        ],
    }
    desk = desk_with(tmp_path, [both])
    async with running(desk, size=(100, 40)) as (app, _):
        looked = review(app).model.looked
        assert looked is not None
        if len(looked.documents) == 2:
            assert painted(app).count("after: ") >= 3
