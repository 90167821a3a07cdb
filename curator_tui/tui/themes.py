"""Colours: four palettes, the roles that text can play, and the Textual themes made of them.

Here: every colour of the application. Not here: layout (the ``.tcss`` files), which text plays which role.

No meaning rests on colour alone: a state is a word, a change has a sign, a mark is a letter; ``mono``, a terminal
with sixteen colours and ``NO_COLOR`` show the same with bold, underline and reverse: what sixteen colours look like is
each terminal's own, so nobody could promise that they can be read on each other. Contrast is at least 4.5:1 (7:1 in
``contrast``), as it is and brought down to 256 colours, and a test computes it for every role on every ground.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from rich.style import Style
from textual.theme import BUILTIN_THEMES, Theme


class Palette(NamedTuple):
    """The colours of one look; an empty string means the terminal's own colour."""

    name: str
    dark: bool
    ground: str = ""
    bar: str = ""
    raised: str = ""
    text: str = ""
    dim: str = ""
    accent: str = ""
    good: str = ""
    warn: str = ""
    bad: str = ""
    note: str = ""
    cursor: str = ""
    gone: tuple[str, str] = ("", "")
    gone_word: tuple[str, str] = ("", "")
    new: tuple[str, str] = ("", "")
    new_word: tuple[str, str] = ("", "")

    @property
    def mono(self) -> bool:
        """Whether it has no colours at all."""
        return not self.ground


DARK = Palette(
    "dark", dark=True,
    ground="#14171d", bar="#222834", raised="#1b2029", text="#d9dee7", dim="#9ba7b8", accent="#82c4ff",
    good="#8fd694", warn="#e8c768", bad="#ff938a", note="#cdaeff", cursor="#262f4e",
    gone=("#ffc9c4", "#35191e"), gone_word=("#ffffff", "#8a2633"),
    new=("#c6f0cd", "#14301f"), new_word=("#ffffff", "#1d6e39"),
)  # fmt: skip
LIGHT = Palette(
    "light", dark=False,
    ground="#fbfaf7", bar="#e8e6df", raised="#f3f1eb", text="#20242c", dim="#535c6a", accent="#08477f",
    good="#17602a", warn="#6e4a00", bad="#a81f18", note="#5f2ea0", cursor="#d3e2f6",
    gone=("#651410", "#fbe1de"), gone_word=("#3a0402", "#f2a7a0"),
    new=("#0e4720", "#dcf2e1"), new_word=("#04280f", "#92daa3"),
)  # fmt: skip
CONTRAST = Palette(
    "contrast", dark=True,
    ground="#000000", bar="#1c1c1c", raised="#0a0a0a", text="#ffffff", dim="#cfcfcf", accent="#9fd3ff",
    good="#7dff9b", warn="#ffe45c", bad="#ffb0aa", note="#e0c8ff", cursor="#00286a",
    gone=("#ffdedb", "#3d0006"), gone_word=("#ffffff", "#8f0014"),
    new=("#dcffe4", "#002e10"), new_word=("#ffffff", "#005c22"),
)  # fmt: skip
MONO = Palette("mono", dark=True)
PALETTES: Mapping[str, Palette] = {palette.name: palette for palette in (DARK, LIGHT, CONTRAST, MONO)}

# role: (colour of the palette, ground of its own or "", bold, underline, reverse in mono, bold in mono)
_PLAIN: Mapping[str, tuple[str, str]] = {
    "text": ("text", ""),
    "same": ("dim", ""),
    "dim": ("dim", ""),
    "strong": ("text", "b"),
    "head": ("accent", "b"),
    "label": ("dim", ""),
    "key": ("accent", "b"),
    "off": ("dim", "s"),
    "tab": ("accent", "br"),
    "good": ("good", ""),
    "warn": ("warn", "b"),
    "bad": ("bad", "b"),
    "note": ("note", ""),
    "token": ("warn", "br"),
    "mark": ("accent", "b"),
    "ready": ("good", ""),
    "lossy": ("warn", ""),
    "flagged": ("bad", "b"),
    "over-limit": ("warn", ""),
    "stale": ("note", ""),
    "ambiguous": ("note", ""),
    "no-change": ("dim", ""),
    "invalid": ("bad", ""),
    "unreadable": ("bad", ""),
}
_PAIRS = ("gone", "gone_word", "new", "new_word")
_MONO_PAIRS: Mapping[str, str] = {"gone": "", "gone_word": "b", "new": "", "new_word": "b"}
ROLES: tuple[str, ...] = (*_PLAIN, *_PAIRS)


@lru_cache(maxsize=512)
def style(palette: Palette, role: str, ground: str = "ground") -> Style:
    """Return how a role looks on one of the grounds (the page, a bar, a dialog, the cursor row)."""
    if role in _PAIRS:
        return _pair_style(palette, role, ground)
    colour, how = _PLAIN.get(role, _PLAIN["text"])
    cursor = ground == "cursor"
    if palette.mono:
        return Style(
            bold="b" in how or None,
            reverse=(("r" in how) != cursor) or None,
            underline=None,
            dim=(role in {"dim", "off", "label"} and not cursor) or None,
        )
    return Style(
        color=getattr(palette, colour), bgcolor=getattr(palette, ground), bold="b" in how or cursor or None,
        strike=None, reverse=("r" in how and role != "tab") or None,
    )  # fmt: skip


def _pair_style(palette: Palette, role: str, ground: str) -> Style:
    if palette.mono:
        bold = bool(_MONO_PAIRS[role])
        return Style(bold=bold or None, underline=bold or None, reverse=ground == "cursor" or None)
    colour, own_ground = getattr(palette, role)
    return Style(color=colour, bgcolor=own_ground, bold=role.endswith("word") or None)


@lru_cache(maxsize=8)
def textual_theme(palette: Palette) -> Theme:
    """Return the Textual theme of a palette, for the few widgets that Textual draws itself."""
    if palette.mono:
        plain = "ansi_default"
        return Theme(
            name=palette.name, ansi=True, dark=True, primary=plain, secondary=plain, warning=plain, error=plain,
            success=plain, accent=plain, foreground=plain, background=plain, surface=plain, panel=plain, boost=plain,
            variables={
                **BUILTIN_THEMES["ansi-dark"].variables,
                "line": plain,
                "bar": plain,
                "raised": plain,
                "cursor-ground": plain,
            },
        )  # fmt: skip
    return Theme(
        name=palette.name, dark=palette.dark, primary=palette.accent, secondary=palette.note, warning=palette.warn,
        error=palette.bad, success=palette.good, accent=palette.accent, foreground=palette.text,
        background=palette.ground, surface=palette.raised, panel=palette.bar, boost=palette.bar,
        variables={
            "line": palette.dim,
            "bar": palette.bar,
            "raised": palette.raised,
            "cursor-ground": palette.cursor,
            "block-cursor-background": palette.cursor,
            "block-cursor-foreground": palette.text,
            "input-cursor-background": palette.text,
            "input-cursor-foreground": palette.ground,
            "input-selection-background": palette.cursor,
        },
    )  # fmt: skip


def next_palette(name: str) -> Palette:
    """Return the palette after the named one, round and round."""
    names = list(PALETTES)
    return PALETTES[names[(names.index(name) + 1) % len(names)]] if name in names else DARK


def only_mono(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether there are no colours of ours: they are not wanted, or the terminal has too few.

    The terminal is judged as Rich does it, which brings colours down to what it takes a terminal for.
    """
    if "NO_COLOR" in environ:
        return True
    if (forced := environ.get("TEXTUAL_COLOR_SYSTEM", "auto").strip().lower()) != "auto":
        return forced not in {"256", "truecolor"}
    if environ.get("COLORTERM", "").strip().lower() in {"truecolor", "24bit"}:
        return False
    return environ.get("TERM", "").strip().lower().rpartition("-")[2] not in {"256color", "kitty"}


def first_palette(environ: Mapping[str, str] = os.environ, last: str = "") -> Palette:
    """Choose a palette: none of our colours with ``NO_COLOR`` or few colours, else the one that was asked for.

    Args:
        environ: says what the terminal can show, and what is wanted in this run.
        last: the name of the palette that was chosen the last time; empty for none.
    """
    if only_mono(environ):
        return MONO
    for wanted in (environ.get("CURATOR_TUI_THEME", ""), last):
        if wanted in PALETTES:
            return PALETTES[wanted]
    ground = environ.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT if ground in {"7", "15"} else DARK
