"""Terminals without our signs, or without UTF-8: the same rows in ASCII, and no text that cannot be told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len

from curator_tui.tui.glyphs import GLYPHS
from curator_tui.tui.shown import show_within, shown, shown_line
from tests.tui.desks import every_state, home_with, item
from tests.tui.terminal import Terminal

MANY = [*every_state(), *(item(f"add{n:05d}", "add", f"fact number {n}", age=n) for n in range(100, 130))]


@pytest.fixture(autouse=True)
def _everything() -> Iterator[None]:
    yield
    show_within(None)


def visited(home: Path, **environ: str) -> bytes:
    """Visit every kind of row, box and line, and return what was sent."""
    terminal = Terminal(home, environ=environ)
    try:
        terminal.wait_for("a approve")
        terminal.read(0.5)
        for keys in ("G", "g", "?", "q", "b", "q", "i", "q", "X", "\x1b", "3", "1", "4", "1"):
            terminal.answer(keys)
        assert terminal.leave() == 0
    finally:
        terminal.close()
    return terminal.received


def test_every_sign_has_one_cell_and_so_has_what_stands_for_it() -> None:
    assert {plain for plain in GLYPHS.values() if not plain.isascii() or len(plain) != 1} == set()
    assert {chr(sign) for sign in GLYPHS if cell_len(chr(sign)) != 1} == set()


def test_asked_for_ascii_nothing_else_is_sent(tmp_path: Path) -> None:
    sent = visited(home_with(tmp_path / "h", MANY), CURATOR_TUI_ASCII="1")
    assert sent.isascii(), re.findall(rb"[^\x00-\x7f]+", sent)[:5]
    assert b"|" in sent


def test_a_terminal_without_utf8_gets_what_it_can_take_and_the_rest_as_tokens(tmp_path: Path) -> None:
    first = item("kas00001", "add", "Käse 日本 €", age=9500)
    home = home_with(tmp_path / "h", [first, *MANY], memory=["日"], user=["x"])
    sent = visited(home, PYTHONIOENCODING="iso8859-1:backslashreplace")
    text = sent.decode("iso8859-1")
    assert "Käse <U+65E5><U+672C> <U+20AC>" in re.sub(r"\x1b\[[0-9;]*m", "", text)
    assert "\\u" not in text, "nothing was left to the encoder"


def test_what_a_terminal_cannot_take_is_told_apart_from_what_hides() -> None:
    show_within("ascii")
    assert shown("é日\u202e⟨") == "⟨U+00E9⟩⟨U+65E5⟩⟨U+202E⟩⟨U+27E8⟩"
    assert shown_line("plain") == "plain"
    show_within(None)
    assert shown("é日") == "é日"
