r"""Writing systems: character ranges for regular expressions, and how a text is cut into tokens for display.

Python's ``\w`` knows neither scripts nor marks: a Chinese sentence is one "word", and a vowel sign of Hindi
is none. Ranges are those of the Unicode block list, kept whole where all letters and marks of a block
behave alike; the rare historic scripts are left to ``\w``. Not here: which words carry a fact
(:mod:`curator_tui.core.losses`, which uses the ranges too), and what is done with tokens
(:mod:`curator_tui.core.diffs`).
"""

from __future__ import annotations

import unicodedata
from typing import Final

from curator_tui.core.patterns import late

HAN: Final = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
"""Ideographs, with the marks that repeat one."""

HIRAGANA: Final = "\u3041-\u309f"

KATAKANA: Final = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
"""Without the middle dot, which parts words."""

HANGUL: Final = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"

UNSPACED: Final = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0eff\u1000-\u103f\u1050-\u109f\u1780-\u17d3"
"""Thai, Lao, Burmese, Khmer: letters and marks, without digits and signs; no blanks stand between words."""

MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u1dc0-\u1dff\ufe20-\ufe2f"  # Latin, Greek, Cyrillic
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Hebrew
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"  # Arabic
    "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a4d"
    "\u0abc-\u0acd\u0b3c-\u0b57\u0bbe-\u0bcd\u0c3e-\u0c56\u0cbc-\u0cd6\u0d3b-\u0d4d\u0dca-\u0ddf"  # Indic
)
"""Marks that belong to the letter before them in scripts that do put blanks between words."""

_PIECES = late(
    rf"[{HAN}{HIRAGANA}{UNSPACED}]"  # no blanks between words: one character at a time
    rf"|[{KATAKANA}]+"  # one foreign word
    r"|\d+(?:[.,:]\d+)+(?!\w)"  # a version, an address, a time: 5.1 is not 5, a full stop and 1
    rf"|(?:[^\W{HAN}{HIRAGANA}{KATAKANA}{UNSPACED}]|[{MARKS}])+"
    r"|[^\w\s]|\s+"
)
_ASCII_PIECES = late(r"\d+(?:[.,:]\d+)+(?!\w)|\w+|[^\w\s]|\s+")  # what the one above finds in ASCII
_JOINER = "\u200d"
_SKIN = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"  # skin tones follow their emoji
_CLUSTER: Final = 32  # characters of one joined emoji: longer chains are cut, so that joining stays linear


def tokens(text: str) -> list[str]:
    """Cut a text into words, numbers, signs and runs of blanks; their join is the text.

    Scripts without blanks between words are cut into characters. Marks and joined emoji stay with what they
    follow.
    """
    if text.isascii():
        return _ASCII_PIECES.findall(text)
    pieces: list[str] = _PIECES.findall(text)
    joined: list[str] = []
    for piece in pieces:
        if joined and not piece.isascii() and _belongs(piece, joined[-1]):
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


def _belongs(piece: str, before: str) -> bool:
    """Whether a piece is a mark on the one before it, or a further part of a joined emoji."""
    if before.isspace() or len(before) >= _CLUSTER:
        return False
    if len(piece) == 1 and (piece == _JOINER or piece in _SKIN or unicodedata.category(piece)[0] == "M"):
        return True
    return before[-1] == _JOINER and unicodedata.category(piece[0]) == "So"
