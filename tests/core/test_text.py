"""Display of any text: tokens, the way back, graphemes, cells, one line."""

from __future__ import annotations

import time
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core.text import (
    ascii_unvisible,
    ascii_visible,
    cell_width,
    code_point,
    graphemes,
    marked,
    one_line,
    unvisible,
    visible,
)

_SPECIAL = "\x00\t\n\r\x1b\x7f\x85\x9b\xad\u034f\u200b\u200c\u200d\u200e\u2028\u202e\u2066\ufe0e\ufe0f\ufeff\u20e3"
_CLOSE = "⟨⟩⏎ \\u{}U+0123ABCFESCLF\u0628\u0915\u094d❤\U0001f468\U0001f3fd\U0001f3f4\U000e0067\U000e007f\U0001f1e9a1"
ANY = st.text(
    st.one_of(st.characters(codec=None), st.sampled_from(_SPECIAL + _CLOSE), st.characters(categories=["Cs"]))
)

IN_PLACE = [
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # family
    "\U0001f469\U0001f3fd\u200d\U0001f4bb",  # with a skin tone
    "\U0001f3f3\ufe0f\u200d\U0001f308",  # rainbow flag
    "\U0001f3f4\u200d\u2620\ufe0f",  # pirate flag
    "\u2764\ufe0f\u200d\U0001f525",  # heart on fire
    "\U0001f441\ufe0f\u200d\U0001f5e8\ufe0f",
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # England
    "\U0001f1e9\U0001f1ea",
    "1\ufe0f\u20e3 #\ufe0f\u20e3",
    "\u2764\ufe0f \u2764\ufe0e \u00a9\ufe0f \u2122\ufe0f \u25b6\ufe0f",
    "\u0645\u06cc\u200c\u0631\u0648\u062f",  # Persian
    "PDF\u200c\u0647\u0627",  # Persian ending after a Latin name
    "\u0915\u094d\u200d\u0937 \u0915\u094d\u200c\u0937",  # Devanagari
    "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sinhala
    "\u845b\U000e0100",  # ideographic variation
    "\u1781\u17d2\u1789\u17bb\u17c6\u200b\u1785\u1784\u17cb",  # Khmer word boundary
    "\u182e\u180b\u1822",  # Mongolian
    "\u05e9\u05b8\u034f\u05c1",  # Hebrew points
    "\u2813\u2800\u2811",  # Braille
    "\u2229\ufe00",  # mathematical variation
]
MARKED = {
    "\x1b[2J": "⟨ESC⟩[2J",
    "a\tb": "a⟨TAB⟩b",
    "\x00\x07\r\x7f": "⟨NUL⟩⟨BEL⟩⟨CR⟩⟨DEL⟩",
    "\x9b1m": "⟨U+009B⟩1m",
    "x\u202ey": "x⟨U+202E⟩y",
    "hot\u200bfix": "hot⟨U+200B⟩fix",
    "a\u200cb": "a⟨U+200C⟩b",
    "\u200d\U0001f468": "⟨U+200D⟩\U0001f468",
    "a\ufe0f": "a⟨U+FE0F⟩",
    "\u2764\ufe0f\ufe0f": "\u2764\ufe0f⟨U+FE0F⟩",
    "葛\U000e0161": "葛⟨U+E0161⟩",
    "😀\U000e0100": "😀⟨U+E0100⟩",
    "\U0001f3f4\U000e0067\U000e007f": "\U0001f3f4⟨U+E0067⟩⟨U+E007F⟩",
    "שלום\u200f": "שלום⟨U+200F⟩",
    "\u2028\u2029\x85": "⟨U+2028⟩⟨U+2029⟩⟨U+0085⟩",
    "so\xadft": "so⟨U+00AD⟩ft",
    "\ufff9\u206a\u3164\u034f\u180e\u2063": "⟨U+FFF9⟩⟨U+206A⟩⟨U+3164⟩⟨U+034F⟩⟨U+180E⟩⟨U+2063⟩",
    "\ud800\ufffe\ue000\U0010ffff": "⟨U+D800⟩⟨U+FFFE⟩⟨U+E000⟩⟨U+10FFFF⟩",
    "⟨ESC⟩": "⟨U+27E8⟩ESC⟨U+27E9⟩",
}


@pytest.mark.parametrize(("text", "shown"), MARKED.items(), ids=ascii)
def test_what_acts_or_hides_becomes_a_token(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert unvisible(shown) == text


@pytest.mark.parametrize("text", IN_PLACE, ids=ascii)
def test_what_writing_needs_stays(text: str) -> None:
    assert visible(text) == text
    assert list(marked(f"x {text} y")) == []


def test_every_control_is_marked() -> None:
    for code in (*range(10), *range(11, 32), *range(127, 160)):
        assert chr(code) not in visible(f"a{chr(code)}b")
    assert visible("a\nb") == "a\nb"
    assert visible("a\nb", newlines=False) == "a⟨LF⟩b"


@given(ANY)
def test_visible_can_be_undone(text: str) -> None:
    for newlines in (True, False):
        shown = visible(text, newlines=newlines)
        assert unvisible(shown) == text
        assert "\n" not in shown or newlines


@given(ANY)
def test_ascii_visible_is_ascii_and_can_be_undone(text: str) -> None:
    for newlines in (True, False):
        shown = ascii_visible(text, newlines=newlines)
        assert ascii_unvisible(shown) == text
        assert shown.isascii()
        assert shown.replace("\n", "").isprintable()
        assert "\n" not in shown or newlines


@given(ANY)
def test_nothing_shown_can_act(text: str) -> None:
    for char in visible(text).replace("\n", ""):
        in_place = char in "\u200b\u200c\u200d" or "\U000e0000" <= char <= "\U000e0fff"
        assert in_place or category(char) not in {"Cc", "Cs", "Co", "Zl", "Zp"}, char
        assert not "\u202a" <= char <= "\u202e"
        assert not "\u2066" <= char <= "\u2069"


@given(ANY)
def test_marked_covers_exactly_the_tokens(text: str) -> None:
    rest, at = "", 0
    for start, end in marked(text):
        assert at <= start < end
        rest += text[at:start] + visible(text[start:end], newlines=False)
        at = end
    assert unvisible(rest + text[at:]) == text
    assert visible(text) == rest + text[at:]


def test_unknown_tokens_are_left_alone() -> None:
    assert unvisible("⟨x⟩ ⟨U+110000⟩ ⟨U+12⟩ ⟨") == "⟨x⟩ ⟨U+110000⟩ ⟨U+12⟩ ⟨"
    assert ascii_unvisible("\\u{110000} \\u{} \\u41") == "\\u{110000} \\u{} \\u41"


def test_ascii_form_keeps_ordinary_backslashes() -> None:
    assert ascii_visible("C:\\users\\é") == "C:\\users\\\\u{E9}"
    assert ascii_visible("\\u{41}") == "\\u{5C}u{41}"


def test_a_code_point_is_written_as_unicode_writes_it() -> None:
    assert code_point("\u200b") == "U+200B"
    assert code_point("\x1b") == "U+001B"
    assert code_point("\U000e0041") == "U+E0041"


@pytest.mark.parametrize(
    ("text", "clusters", "cells"),
    [
        ("ab", ["a", "b"], 2),
        ("e\u0301x", ["e\u0301", "x"], 2),
        ("中文", ["中", "文"], 4),
        ("\U0001f468\u200d\U0001f4bb!", ["\U0001f468\u200d\U0001f4bb", "!"], 3),
        ("\U0001f44d\U0001f3fd", ["\U0001f44d\U0001f3fd"], 2),
        ("\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", ["\U0001f1e9\U0001f1ea", "\U0001f1eb\U0001f1f7"], 4),
        ("1\ufe0f\u20e3", ["1\ufe0f\u20e3"], 2),
        ("\u2764\ufe0f\u2764", ["\u2764\ufe0f", "\u2764"], 3),
        ("\u1112\u1161\u11ab", ["\u1112\u1161\u11ab"], 2),
        ("\u0915\u094d\u0937\u093f", ["\u0915\u094d\u0937\u093f"], 2),
        ("\r\n\u0301", ["\r\n", "\u0301"], 0),
        ("", [], 0),
        (MARKED_FLAG := "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", [MARKED_FLAG], 2),
    ],
    ids=ascii,
)
def test_graphemes_and_cells(text: str, clusters: list[str], cells: int) -> None:
    assert graphemes(text) == clusters
    assert cell_width(text) == cells


def test_widths_agree_with_the_terminal_library() -> None:
    cells = pytest.importorskip("rich.cells")
    # After a joiner that library skips a letter, which is right for emoji only.
    letters = [text for text in IN_PLACE if not ("\u200d" in text and text[0] < "\u2000")]
    for text in (*letters, "héllo", "한국어", "ไทย ก่", "⟨ESC⟩ ⏎ …", "☀ ⌚ ™️", "שָׁלוֹם", "நி", "ﷺ"):
        assert cell_width(text) == cells.cell_len(text), ascii(text)


@given(ANY)
def test_graphemes_join_to_the_text(text: str) -> None:
    assert "".join(graphemes(text)) == text


def test_on_one_line_breaks_are_shown_and_what_is_cut_is_counted() -> None:
    assert one_line("a\nb\tc") == "a ⏎ b⟨TAB⟩c"
    assert one_line("a⏎b") == "a⟨U+23CE⟩b"
    assert one_line("hello world", 11) == "hello world"
    assert one_line("hello world", 10) == "hello … +5"
    assert one_line("한국어 텍스트는 두 칸", 10) == "한국어… +9"
    assert one_line("ab\x1b[31m red alert", 12) == "ab⟨ESC⟩… +14"
    assert one_line("e\u0301" * 20, 8) == "e\u0301e\u0301e\u0301… +34"
    assert one_line("abc", 1) == "…"
    assert one_line("abc", 0) == ""
    assert one_line("", 5) == ""


@given(ANY, st.integers(0, 40))
def test_one_line_fits_and_counts_what_it_hides(text: str, width: int) -> None:
    shown = one_line(text, width)
    assert "\n" not in shown
    assert cell_width(shown) <= width
    kept, sign, hidden = shown.rpartition("… +")
    if sign and hidden.isdigit() and shown != one_line(text):
        kept = unvisible(kept.replace(" ⏎ ", "\n"))
        assert text.startswith(kept)
        assert len(kept) + int(hidden) == len(text)


def test_clean_text_is_returned_as_it_is_and_fast() -> None:
    for clean in ("The quick brown fox\njumps over it. " * 63, "Жил-был 中文 å\n" * 169):
        text = clean[:2200]
        assert visible(text) is text
        best = 9.0
        for _ in range(200):
            start = time.thread_time()
            visible(text)
            best = min(best, time.thread_time() - start)
        # The aim is 15 µs; the bound leaves room for a slower machine.
        assert best < 60e-6


@pytest.mark.parametrize(
    "unit", ["a\u200d", "\u200d", "\x1b", "\U0001f3f4\U000e0061", "e\u0301", "\u0628\u200c", "⟨"], ids=ascii
)
def test_time_is_linear(unit: str) -> None:
    text = (unit * 65536)[:65536]
    start = time.thread_time()
    assert unvisible(visible(text)) == text
    one_line(text, 40)
    cell_width(text)
    assert time.thread_time() - start < 2
