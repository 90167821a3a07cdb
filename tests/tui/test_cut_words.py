"""What a narrow window leaves of a row: numbers and counts stay whole, and words are cut once and not twice."""

from __future__ import annotations

import json

import pytest
from textual.app import App, ComposeResult

from curator_tui.core.documents import Presence, Target, parse
from curator_tui.core.preflight import Snapshot
from curator_tui.core.row_form import form_of
from curator_tui.curator.ledger_search import Window
from curator_tui.curator.planning import Plan
from curator_tui.curator.row_subjects import Subject
from curator_tui.tui.gauges import standing_gauges
from curator_tui.tui.ledger_rows import what
from curator_tui.tui.plan_rows import total_line
from curator_tui.tui.shown import Line, width_of
from curator_tui.tui.widgets.row_list import RowList
from tests.tui.test_ledger_row_words import BASE

M, U = Target.MEMORY, Target.USER


def text(line: Line) -> str:
    return "".join(piece.text for piece in line)


@pytest.mark.parametrize(("width", "bar"), [(120, 10), (80, 6), (72, 2)])
def test_both_gauges_keep_their_numbers(width: int, bar: int) -> None:
    stands = Snapshot({M: parse(M, b"x" * 1822), U: parse(U, b"x" * 925)}, {M: 2200, U: 1375})
    line = standing_gauges(stands, width)
    assert stands.document(M).presence is Presence.PRESENT
    assert width_of(line) <= width
    assert "1822/2200 82%  nearly full" in text(line)
    assert "925/1375 67%" in text(line)
    assert text(line).index("]") - text(line).index("[") - 1 == bar, "the bar takes what the numbers leave"


@pytest.mark.parametrize("room", range(25, 60))
def test_a_row_of_the_ledger_that_names_one_of_many_is_cut_once(room: int) -> None:
    form = form_of(json.dumps({**BASE, "action": "replace"}))
    assert form is not None
    about = (Subject("removed", "", "Sings in a choir on Wednesday evenings " * 2), Subject("added", "", "pnpm"))
    line = what(form, Window(about={2: about}), room)
    assert width_of(line) <= room
    assert text(line).count("…") == 1
    assert text(line).endswith("…' and 1 more")


def test_a_plan_of_nothing_says_so() -> None:
    assert text(total_line(Plan())) == "no item is in it"


class _Many:
    def __len__(self) -> int:
        return 50

    def selectable(self, index: int) -> bool:
        return 0 <= index < 50

    def line(self, index: int, width: int) -> Line:
        return ()


class _Lists(App[None]):
    def compose(self) -> ComposeResult:
        yield RowList(id="rows")


async def test_headings_are_laid_out_for_what_the_scroll_bar_leaves() -> None:
    app = _Lists()
    async with app.run_test(size=(40, 10)):
        rows = app.query_one(RowList)
        without = rows.row_width
        rows.source = _Many()
        assert (rows.size.width, without, rows.row_width) == (40, 40, 39)
