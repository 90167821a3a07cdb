"""Colours: enough contrast everywhere, and no meaning by colour alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.color import Color, ColorSystem
from rich.console import Console
from rich.style import Style

from curator_tui.core.preflight import STATES
from curator_tui.tui.app import CuratorApp
from curator_tui.tui.themes import (
    CONTRAST,
    DARK,
    LIGHT,
    MONO,
    PALETTES,
    ROLES,
    Palette,
    first_palette,
    next_palette,
    only_mono,
    style,
    textual_theme,
)  # fmt: skip
from tests.tui.desks import FAST, desk_with, every_state, go_to, painted, press, running

GROUNDS = ("ground", "bar", "raised", "cursor")
"""What text can stand on: the page, a bar, a dialog, the cursor row."""
TRUE = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


def luminance(colour: Color) -> float:
    parts = [part / 255 for part in colour.get_truecolor()]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(found: Style, system: ColorSystem) -> float:
    """Return the ratio of WCAG 2 between text and ground, as a terminal of some number of colours shows them."""
    assert found.color is not None
    assert found.bgcolor is not None
    low, high = sorted(luminance(colour.downgrade(system)) for colour in (found.color, found.bgcolor))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("system", [ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT], ids=["full", "256"])
@pytest.mark.parametrize("palette", [DARK, LIGHT, CONTRAST], ids=lambda palette: palette.name)
def test_every_role_can_be_read_on_every_ground(palette: Palette, system: ColorSystem) -> None:
    wanted = 7.0 if palette is CONTRAST else 4.5
    weak = {
        (role, ground): round(found, 2)
        for role in ROLES
        for ground in GROUNDS
        if (found := contrast(style(palette, role, ground), system)) < wanted
    }
    assert weak == {}


def test_every_state_has_a_role_of_its_own_name() -> None:
    assert {str(state) for state in STATES} <= set(ROLES)


def test_without_colours_nothing_sets_one() -> None:
    for role in ROLES:
        for ground in GROUNDS:
            found = style(MONO, role, ground)
            assert found.color is None
            assert found.bgcolor is None


def test_the_cursor_can_be_told_without_colours() -> None:
    assert all(style(MONO, role, "cursor") != style(MONO, role, "ground") for role in ROLES)


def test_palettes_go_round() -> None:
    names = [DARK.name]
    for _ in PALETTES:
        names.append(next_palette(names[-1]).name)
    assert names[0] == names[-1]
    assert set(names) == set(PALETTES)
    for palette in PALETTES.values():
        assert textual_theme(palette).name == palette.name


@pytest.mark.parametrize(
    ("environ", "palette"),
    [
        ({**TRUE, "NO_COLOR": ""}, MONO), ({"TERM": "linux"}, MONO), ({"TERM": "xterm"}, MONO),
        ({"TERM": "screen", "COLORTERM": ""}, MONO), ({**TRUE, "TEXTUAL_COLOR_SYSTEM": "standard"}, MONO), ({}, MONO),
        ({"TERM": "xterm-256color"}, DARK), ({"TERM": "tmux-256color", "COLORFGBG": "0;15"}, LIGHT),
        ({"TERM": "xterm-kitty"}, DARK), ({"TERM": "xterm", "COLORTERM": "24bit"}, DARK),
        ({**TRUE, "COLORFGBG": "0;15"}, LIGHT), ({**TRUE, "COLORFGBG": "15;0"}, DARK), (TRUE, DARK),
        ({**TRUE, "CURATOR_TUI_THEME": "contrast", "COLORFGBG": "0;15"}, CONTRAST),
        ({"TERM": "xterm", "CURATOR_TUI_THEME": "contrast"}, MONO),
    ],
)  # fmt: skip
def test_the_first_palette_fits_the_terminal(environ: dict[str, str], palette: Palette) -> None:
    assert first_palette(environ) is palette


@pytest.mark.parametrize("environ", [{"TERM": "xterm"}, {"TERM": "xterm-256color"}, TRUE, {"TERM": "screen"}])
def test_few_colours_are_seen_where_the_library_sees_them(environ: dict[str, str]) -> None:
    system = Console(force_terminal=True, _environ=environ).color_system
    assert only_mono(environ) == (system not in {"256", "truecolor"})


def test_what_was_chosen_the_last_time_counts_unless_this_run_says_otherwise() -> None:
    assert first_palette(TRUE, "light") is LIGHT
    assert first_palette({**TRUE, "CURATOR_TUI_THEME": "contrast"}, "light") is CONTRAST
    assert first_palette({"TERM": "linux"}, "light") is MONO
    assert first_palette(TRUE, "no such") is DARK


async def test_without_colours_changed_words_and_states_are_told_by_signs(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, palette=MONO) as (app, pilot):
        await go_to(pilot, app, "rep00001")
        text = painted(app)
        assert "[-Porto-]" in text
        assert "{+Lisbon+}" in text
        assert re.search(r"^> .*ready", text, re.MULTILINE), "the cursor has a sign"
        await go_to(pilot, app, "fla00001")
        assert "flagged" in painted(app)


async def test_without_colours_no_colour_reaches_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    desk = desk_with(tmp_path, every_state())
    app = CuratorApp(desk, timing=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        for keys in ((), ("question_mark", "q"), ("X",), ("escape", "b"), ("q", "3"), ("1", "e")):
            await press(pilot, *keys)
            for strip in app.screen._compositor.render_strips():
                filtered = strip.apply_filter(app._filters[-1], app.screen.background_colors[1])
                for segment in filtered:
                    if segment.style is not None:
                        for colour in (segment.style.color, segment.style.bgcolor):
                            assert colour is None or colour.is_default, segment


async def test_the_theme_key_changes_everything_at_once(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        seen = []
        for _ in PALETTES:
            seen.append(app.palette.name)
            await press(pilot, "T")
            assert app.is_running
        assert set(seen) == set(PALETTES)
