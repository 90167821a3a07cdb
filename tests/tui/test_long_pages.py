"""Pages far longer than any document should be: no key waits for them, and they are approved as read as any other."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core.text import graphemes
from curator_tui.curator.looking import Looked
from curator_tui.tui.gates import Frame, PaintedGate
from curator_tui.tui.layout import Layout
from curator_tui.tui.page_lines import Page, PageLine
from curator_tui.tui.pages import capped
from curator_tui.tui.review import showing
from curator_tui.tui.screens.editing import EditScreen
from curator_tui.tui.shown import LONGEST, own, shown, stretches, words_of
from tests.bench.hostile import long_texts
from tests.homes import make_home
from tests.tui.desks import desk_on, desk_with, entries, item, painted, press, review, running, settle, status, until

MEGABYTE = 1_000_000
_LAG = (
    2.5  # seconds of this process's own work, for a busy machine takes its time; what this is about took up to thirty
)


class Lag:
    """The most work that was done while the event loop did nothing else, while it is watched."""

    def __init__(self) -> None:
        self.worst = 0.0
        self._watching = asyncio.ensure_future(self._watch())

    async def _watch(self) -> None:
        while True:
            before = process_time()
            await asyncio.sleep(0.002)
            self.worst = max(self.worst, process_time() - before)

    async def end(self) -> float:
        self._watching.cancel()
        await asyncio.wait([self._watching])
        return self.worst


async def test_a_record_of_a_megabyte_holds_no_key(tmp_path: Path) -> None:
    long = [item("big00001", "add", "a\n" * (MEGABYTE // 3)), item("big00002", "add", "some words " * (MEGABYTE // 11))]
    desk = desk_with(tmp_path, [item("add00001", "add", "a small one"), *long])
    async with running(desk) as (app, pilot):
        lag = Lag()
        for name in ("big00001", "big00002", "add00001"):
            place = review(app).model.rows.place(name)  # type: ignore[union-attr]
            assert place is not None
            review(app).queue.go(place)
            await settle(pilot)
            assert app.session.changed == set()
            await press(pilot, "n", "pagedown", "c")
        assert await lag.end() < _LAG
        assert "a small one" in painted(app)


@pytest.mark.parametrize(("name", "text"), list(long_texts(MEGABYTE * 9 // 10)))
async def test_a_key_that_edits_a_record_of_a_megabyte_holds_no_other(tmp_path: Path, name: str, text: str) -> None:
    desk = desk_with(tmp_path, [item("big00001", "add", text)])
    async with running(desk) as (app, pilot):
        lag = Lag()
        await press(pilot, "e")
        assert await lag.end() < _LAG, name
        assert "too long for a field: E ($EDITOR) opens it" in painted(app)
        screen = app.screen
        assert isinstance(screen, EditScreen)
        assert screen._field.words == text, "and it is not lost"
        await press(pilot, "escape")
        assert not app.session.drafts


async def test_a_page_that_is_still_being_made_is_shown_whatever_the_list_does_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list in another order is no other page of the item: it does not make the one on its way superfluous."""
    long = item("big00001", "add", "\n".join(f"line {number} of many zebras" for number in range(2_500)))
    desk = desk_with(tmp_path, [item("add00001", "add", "a small zebra", age=9000), long])
    really, let_go = showing.item_page, threading.Event()

    def held(looked: Looked, *rest: Any) -> Page:
        if looked.id == "big00001":
            let_go.wait(60)
        return really(looked, *rest)

    async with running(desk) as (app, pilot):
        monkeypatch.setattr(showing, "item_page", held)
        screen = review(app)
        screen.queue.go(screen.model.rows.place("big00001"))  # type: ignore[union-attr, arg-type]
        await until(lambda: screen.model.looked is not None and screen.model.looked.id == "big00001")
        screen.set_words("zebra")
        await until(lambda: screen.model.rows is not None and screen.model.rows.listing.query.words == "zebra")
        let_go.set()
        await settle(pilot)
        assert "reading" not in painted(app)
        assert app.gate.frame is not None
        assert app.gate.frame.item == "big00001"


async def test_what_is_long_is_read_to_its_end_and_then_approved(tmp_path: Path) -> None:
    """Heavy enough to be made in a thread, short enough for a person with patience."""
    text = "\n".join(f"line {number} of many" for number in range(2_500))
    home = make_home(
        tmp_path / "hermes",
        memory="Prefers tabs",
        pending=[item("big00001", "add", text)],
        config={"write_approval": True, "memory_char_limit": 100_000},
    )
    desk = desk_on(home)
    async with running(desk, size=(100, 60)) as (app, pilot):
        assert review(app).model.looked is not None
        assert review(app).model.looked.heavy  # type: ignore[union-attr]
        await press(pilot, "a")
        assert "not approved" in status(app)
        for _ in range(100):
            if not app.gate.unseen():
                break
            await press(pilot, "pagedown")
        assert not app.gate.unseen()
        await press(pilot, "a")
    assert entries(desk) == ("Prefers tabs", text)


def test_what_is_left_out_can_never_be_read_and_says_so() -> None:
    lines = capped(PageLine((own("{}", number),), change=0) for number in range(50_000))
    assert "too long to be shown here: a stays locked" in words_of(lines[-1].body)
    page = Page("one", "digest", tuple(lines), 1)
    layout, gate = Layout(page, 80), PaintedGate(dwell=0.0)
    layout.advance()
    gate.begin(Frame("one", "digest", tuple(line.key for line in page.lines)))
    gate.painted([layout.row(at).part for at in range(len(layout))], 1.0)
    assert gate.unseen() == (len(lines) - 1,)


def test_unchanged_lines_that_are_left_out_lock_nothing() -> None:
    lines = capped(PageLine((own("{}", number),), change=0 if number < 10 else None) for number in range(50_000))
    assert "nothing of it changes" in words_of(lines[-1].body)
    assert lines[-1].key is None


def test_nothing_is_capped_that_fits() -> None:
    few = [PageLine((own("{}", number),), change=0) for number in range(100)]
    assert capped(iter(few)) == few


@given(st.lists(st.sampled_from(["word ", "x" * 300, "漢" * 50, "e\u0301" * 40, "\u200b" * 30, "👩‍👩‍👧"]), max_size=60))
def test_a_long_line_goes_on_without_losing_or_splitting_anything(parts: list[str]) -> None:
    text = shown("".join(parts))
    found = list(stretches(text))
    assert "".join(found) == text
    assert all(0 < len(part) <= LONGEST for part in found) or text == ""
    assert all(part.count("⟨") == part.count("⟩") for part in found)
    assert [cluster for part in found for cluster in graphemes(part)] == graphemes(text)
