"""Text that attacks the terminal or the toolkit: shown as it is, on every screen, and never acted on."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from textual.events import Paste

from curator_tui.core.documents import Target
from curator_tui.core.operations import Action, Operation
from curator_tui.core.preflight import State
from curator_tui.core.requests import Decision, OverrideCode, ReasonCode, Verb
from curator_tui.core.text import visible
from tests.homes import load_case
from tests.tui.desks import (
    cursor,
    desk_with,
    entries,
    every_state,
    go_to,
    item,
    painted,
    press,
    running,
    settle,
    status,
    waiting,
)  # fmt: skip

MARKUP = (
    "[/b]", "path [/ x", "[link='http://evil']docs[/link]", "[@click=app.leave]benign words[/]", "[red]x[/red]",
    "a[0] [1,2] [true, false]", "[b", "[['a','[/b]']]", "[on red]x", r"\[b]x", "x [/] y",
)  # fmt: skip
CONTROLS = tuple(load_case("T31")["input"]["memory"].split("\n§\n"))
ACTING = [chr(code) for code in (*range(32), 0x7F, *range(0x80, 0xA0), 0x202E, 0x2066, 0x200B, 0xFEFF) if code != 10]


def hostile_items() -> list[dict[str, object]]:
    """Return two items per string: an addition and a replacement whose entry holds it."""
    texts = [*MARKUP, *CONTROLS]
    made = [item(f"add{n:05d}", "add", f"says {text} here", summary=text, origin=text) for n, text in enumerate(texts)]
    made += [item(f"rep{n:05d}", "replace", f"now {text}", f"stands {text} there") for n, text in enumerate(texts)]
    return made


async def test_every_item_shows_its_text_as_it_is(tmp_path: Path) -> None:
    texts = [*MARKUP, *CONTROLS]
    desk = desk_with(tmp_path, hostile_items(), memory=[f"stands {text} there" for text in texts])
    async with running(desk, size=(220, 60)) as (app, pilot):
        for number, text in enumerate(texts):
            await go_to(pilot, app, f"add{number:05d}")
            shown = painted(app)
            assert visible(f"says {text} here") in shown
            assert not set(ACTING) & set(shown)
            await go_to(pilot, app, f"rep{number:05d}")
            shown = painted(app)
            assert not set(ACTING) & set(shown)
            assert visible(f"- {number + 1:<4}stands {text} there") in shown
        assert app.is_running


@pytest.mark.parametrize("text", ["[/b] path [/ x", "[@click=app.leave]go[/]", CONTROLS[0], CONTROLS[2]])
async def test_every_screen_bears_it(tmp_path: Path, text: str) -> None:
    pending = [
        item("hos00001", "add", f"says {text} here", summary=text, origin=text),
        item("hos00002", "replace", f"now {text}", "Prefers", summary=text),
    ]
    desk = desk_with(tmp_path, pending, memory=["Prefers tabs", f"Prefers {text} there"])
    async with running(desk, size=(120, 40)) as (app, pilot):
        for keys in (
            *(("i",), ("m",), ("e",), ("X",), ("b",), ("b", "enter"), ("question_mark",), ("G", "a"), ("3",)),
            ("4", "v", "enter"),
            ("5", "enter"),
        ):
            await press(pilot, *keys)
            assert not set(ACTING) & set(painted(app)), keys
            assert app.is_running
            await press(pilot, "escape", "escape")
        await go_to(pilot, app, "hos00001")
        await press(pilot, "x", "3")
        assert not set(ACTING) & set(painted(app))


async def test_the_history_and_what_it_asks_bear_it(tmp_path: Path) -> None:
    """Every text at once: in rows, notes and reasons, the diff, the comparison, the three texts, the result."""
    texts = [*MARKUP, *CONTROLS]
    pending = [item("hos00001", "add", " ".join(texts)), item("hos00002", "add", "[@click=app.leave]x[/]\x1b[2J")]
    desk = desk_with(tmp_path, pending, memory=[f"stands {text} there" for text in texts])
    flagged = frozenset({State.FLAGGED})
    desk.decide([Decision("hos00001", Verb.APPROVE, override=flagged, reason=OverrideCode.REQUEST)])
    desk.decide([Decision("hos00002", Verb.REJECT, reason=ReasonCode.OTHER, note=" ".join(texts))])
    texts_by_hand = (f"stands {texts[0]} there", f"now {texts[1]} [/b]", "now [@click=app.leave]other[/]")
    for old, new in pairwise(texts_by_hand):
        made = desk.correct(
            [Operation(Action.REPLACE, Target.MEMORY, match=old, content=new)],
            override=flagged,
            reason=OverrideCode.REQUEST,
        )
        assert made.done
    async with running(desk, size=(140, 40)) as (app, pilot):
        await press(pilot, "3")
        for keys in (
            ("enter",), ("q", "j", "v"), ("1", "y"), ("q", "j", "enter"), ("q", "G", "enter"), ("q", "b", "g"),
            ("enter",), ("q", "q", "r"), ("q", "slash", *"[/b]"), ("escape", "d", "m", "h"),
        ):  # fmt: skip
            await press(pilot, *keys)
            assert not set(ACTING) & set(painted(app)), keys
            assert app.is_running, keys


async def test_the_documents_and_what_changes_them_bear_it(tmp_path: Path) -> None:
    """Every text at once: in the list, whole, in a field, in previews, the dispute, the prompt block."""
    memory = [f"stands {text} there" for text in (*MARKUP, *CONTROLS)]
    pending = [item("hos00001", "remove", None, memory[0], origin=MARKUP[0])]
    desk = desk_with(tmp_path, pending, memory=[*memory, f"# {CONTROLS[0]}\n- {MARKUP[0]}\n- {CONTROLS[1]}"])
    async with running(desk, size=(120, 40)) as (app, pilot):
        await press(pilot, "2", "G")
        for keys in (("k",), ("enter",), ("e",), ("D",), ("B",), ("C",), ("v", "g", "v"), ("G", "S"), ("A",)):
            await press(pilot, *keys)
            assert not set(ACTING) & set(painted(app)), keys
            assert app.is_running
            if app.screen.is_modal:
                await press(pilot, "escape")


async def test_a_click_on_hostile_text_does_nothing(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("hos00001", "add", "[@click=app.leave]go[/]" * 3)])
    async with running(desk) as (app, pilot):
        for row in (3, 8, 9, 10, 11, 18, 19, 20, 21):
            for column in (20, 40):
                await pilot.click(offset=(column, row))
        await settle(pilot)
        assert app.is_running
        assert waiting(desk) == {"hos00001"}


async def test_what_is_typed_into_the_filter_is_only_text(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "slash", "[", "slash", "b")
        assert app.is_running
        assert app.session.words == "[/b"


async def test_a_paste_decides_nothing(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        app.post_message(Paste("aaaa"))
        await settle(pilot)
        assert "ignored pasted text" in status(app)
        assert cursor(app) == "add00001"
        assert len(waiting(desk)) == 13


async def test_a_message_may_quote_a_hostile_name(tmp_path: Path) -> None:
    raw = {"[red]\x1b]52;c;x\x07.json": b"{", "normal.json": b"{"}
    desk = desk_with(tmp_path, [], raw=raw)
    async with running(desk) as (app, pilot):
        await press(pilot, "x")
        assert not set(ACTING) & set(painted(app))
        assert app.is_running


async def test_looking_changes_no_byte(tmp_path: Path) -> None:
    text = "\n§\n".join(CONTROLS)
    desk = desk_with(tmp_path, [], memory=CONTROLS)
    file = tmp_path / "hermes" / "memories" / "MEMORY.md"
    before = file.read_bytes()
    async with running(desk, size=(40, 12)) as (_, pilot):
        await press(pilot, "m", "j", "q", "3", "q")
    assert file.read_bytes() == before
    assert before.decode() == text
    assert len(entries(desk)) == len(CONTROLS)
