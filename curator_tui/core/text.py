"""Safe, reversible display of text that did not come from our own source code.

Here lives the one filter between stored text and a screen, a log or a plain print: whatever could act on a
terminal or hide from a reader becomes a visible token, and :func:`unvisible` gives the exact text back. Cell
widths and grapheme boundaries for short lines live here too. What does *not* live here: judging text (that is
``core.scanning``), the markup of a user interface library, and colours.

A token is ``⟨`` + name + ``⟩``; the name is the usual abbreviation of a C0 control (``⟨ESC⟩``) or the code
point (``⟨U+200B⟩``). The two brackets themselves always become tokens, so each one on a screen is ours.

Positions and lengths count code points; widths count terminal cells. Nothing here raises on any string.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from unicodedata import category, east_asian_width

from curator_tui.core.patterns import late

# fmt: off
_C0_NAMES = (
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF", "CR", "SO", "SI",
    "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
)
# fmt: on
_NAMES = {chr(i): name for i, name in enumerate(_C0_NAMES)} | {"\x7f": "DEL"}
_NAMED = {name: char for char, name in _NAMES.items()}

# What is marked, as ranges of a regular expression: what acts (C0, C1, separators), what Unicode calls
# default ignorable (DerivedCoreProperties), what has no agreed glyph (private use, noncharacters, lone
# surrogates), the blank Braille cell, and our own brackets. Above U+3FFFD nothing has a glyph of its own.
_MARKED_BMP = (
    r"\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\u2800\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff⟨⟩"
)
_MARKED_ABOVE = (
    r"\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U0001fffe\U0001ffff\U0002fffe\U0002ffff"
    r"\U0003fffe-\U0010ffff"
)

# Scripts, as whole blocks without their punctuation: enough to ask "is this a letter of such a script".
_PICTURES = (
    r"©®‼⁉™ℹ\u2194-\u2199\u21a9\u21aa\u231a-\u23ffⓂ\u25a0-\u27bf\u2934\u2935\u2b05-\u2b55〰〽㊗㊙"
    r"\U0001f000-\U0001f1e5\U0001f200-\U0001faff"
)
_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
_JOINING = (  # Arabic and its kin, the Indic family, Burmese, Khmer, Mongolian, younger cursive scripts
    r"\u0620-\u0669\u066e-\u06d3\u06d5-\u06dc\u06df-\u06e8\u06ea-\u06fc\u06ff\u0710-\u074a\u074d-\u077f"
    r"\u07ca-\u07f5\u0840-\u085b\u0860-\u0963\u0966-\u0dff\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u1807"
    r"\u1820-\u18aa\u1a20-\u1aad\u1b00-\u1b4c\u1b80-\u1bf3\u1c00-\u1c37\ua800-\ua827\ua840-\ua873\ua880-\ua8c5"
    r"\ua8e0-\ua8f7\ua980-\ua9c0\uabc0-\uabed\ufb50-\ufdcf\ufdf0-\ufdfb\ufe70-\ufefc\U00010ac0-\U00010ae6"
    r"\U00010d00-\U00010d3f\U00010f30-\U00010f6f\U00011000-\U000116cf\U0001e900-\U0001e95f"
)
_UNSPACED = (  # Thai, Lao, Tibetan, Burmese, Khmer, Tai: a zero width space is their word boundary
    r"\u0e00-\u0e4e\u0e80-\u0ece\u0f40-\u0fbc\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u1950-\u19df\uaa60-\uaa7f"
)
_MONGOLIAN = r"\u1807\u1820-\u18aa"
_HEBREW_POINTS = r"\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
_TAG_LETTER = "[\U000e0061-\U000e007a]"
_TAG = "[\U000e0030-\U000e0039\U000e0061-\U000e007a]"

_QUICK = late(f"[{_MARKED_BMP}\U0001bca0-\U0010ffff]")  # a superset of what is marked, and faster
_RUN = late(f"[{_MARKED_BMP}{_MARKED_ABOVE}]+")
_MAY_STAY = late(r"[\u034f\u1160\u180b-\u180f\u200b-\u200d\u2800\ufe00-\ufe0f\U000e0000-\U000e0fff]")
_TOKEN = late(f"⟨(?:U\\+([0-9A-F]{{4,6}})|({'|'.join(_NAMED)}))⟩")
_ASCII_MARKED = re.compile(r"[^\n\x20-\x7e]|\\(?=u\{)")
_ASCII_TOKEN = late(r"\\u\{([0-9A-F]{1,6})\}")
_LINE_SIGN = " ⏎ "
_UNCUTTABLE = re.compile(f"(⟨[^⟩]*⟩|{_LINE_SIGN})")


@cache
def _in_place() -> re.Pattern[str]:
    """What a run of marked characters may begin with because the character before it takes it.

    Everything else in a run is a stray. Sources: Unicode chapter 23 (joiners, variation selectors), UTS 51
    (emoji ZWJ and tag sequences; a subdivision flag is a region of two letters and one to four more), UTS 37
    (registered ideographic variations stay below U+E0130; letters written as selectors do not),
    StandardizedVariants.txt. Compiled at first use: most text needs none of it.
    """
    return re.compile(
        rf"(?<=[{_PICTURES}])[\ufe0e\ufe0f]?\u200d(?=[{_PICTURES}])"
        rf"|(?<=[{_PICTURES}])[\ufe0e\ufe0f]"
        r"|(?<=[0-9#*])\ufe0f(?=\u20e3)"
        rf"|(?<=\U0001f3f4){_TAG_LETTER}{{2}}{_TAG}{{1,4}}\U000e007f"
        rf"|(?<=[{_JOINING}])(?:\u200d|\u200c(?=[\w{_JOINING}]))"
        rf"|(?<=\w)\u200c(?=[{_JOINING}])"
        rf"|(?<=[{_HAN}])[\ufe00-\ufe02\U000e0100-\U000e012f]"
        rf"|(?<=[{_UNSPACED}])\u200b(?=[{_UNSPACED}])"
        rf"|(?<=[{_MONGOLIAN}])(?:[\u180b-\u180d\u180f]\u180e?|\u180e)"
        rf"|(?<=[{_HEBREW_POINTS}])\u034f(?=[{_HEBREW_POINTS}])"
        r"|(?<=[\u2801-\u28ff])\u2800+"
        r"|(?<=[\u1100-\u115e\ua960-\ua97c])\u1160"
        r"|(?<=[0\u2205-\u22ff\u2a00-\u2aff\u1000-\u109f\ua840-\ua873\uaa60-\uaa7f])\ufe00"
        r"|(?<=[、。！，．：；？\u2654-\u265f])[\ufe00\ufe01]"
        r"|(?<=[\U00013000-\U0001342f])[\ufe00-\ufe06]"
    )


def code_point(char: str) -> str:
    """Write one character as ``U+XXXX`` (four to six upper-case hexadecimal digits)."""
    return f"U+{ord(char):04X}"


@lru_cache(maxsize=8192)
def _token(char: str) -> str:
    return f"⟨{_NAMES.get(char) or code_point(char)}⟩"


def _mark_run(found: re.Match[str]) -> str:
    run = found.group()
    kept = _in_place().match(found.string, found.start()) if _MAY_STAY.match(run) else None
    if kept is None:
        return "".join(map(_token, run))
    size = kept.end() - kept.start()
    return run[:size] + "".join(map(_token, run[size:]))


def visible(text: str, *, newlines: bool = True) -> str:
    r"""Return ``text`` with every character that may act or hide replaced by a visible token.

    Tokens cover control characters (tab too), bidirectional controls, stray zero-width and other invisible
    characters, line separators, tag characters, private use, noncharacters, lone surrogates and the token
    brackets. Joiners, selectors and tags where a writing system or an emoji needs them stay as they are.

    Args:
        text: any string.
        newlines: keep ``\n`` as a line break; otherwise it becomes ``⟨LF⟩``.

    Returns:
        A string that :func:`unvisible` turns back into ``text``; ``text`` itself when nothing is marked.
    """
    shown = text if _QUICK.search(text) is None else _RUN.sub(_mark_run, text)
    return shown if newlines or "\n" not in shown else shown.replace("\n", _token("\n"))


def _unmark(found: re.Match[str]) -> str:
    number, name = found.groups()
    if name:
        return _NAMED[name]
    value = int(number, 16)
    return chr(value) if value <= 0x10FFFF else found.group()


def unvisible(shown: str) -> str:
    """Undo :func:`visible` for every string; what is not a token stays as it is."""
    return _TOKEN.sub(_unmark, shown)


def marked(text: str) -> Iterator[tuple[int, int]]:
    """Yield the runs ``(start, end)`` of characters that :func:`visible` shows as tokens, in order."""
    if _QUICK.search(text) is None:
        return
    in_place = _in_place().match
    for found in _RUN.finditer(text):
        start, end = found.span()
        kept = in_place(text, start) if _MAY_STAY.match(text, start) else None
        if kept is not None:
            start = kept.end()
        if start < end:
            yield start, end


def ascii_visible(text: str, *, newlines: bool = True) -> str:
    r"""Return ``text`` in printable ASCII, for a terminal that does not speak UTF-8.

    Every other character becomes ``\u{200B}``; a backslash does so only where the data itself would read as
    such a token. :func:`ascii_unvisible` undoes it for every string.
    """
    shown = _ASCII_MARKED.sub(lambda found: f"\\u{{{ord(found.group()):X}}}", text)
    return shown if newlines else shown.replace("\n", "\\u{A}")


def ascii_unvisible(shown: str) -> str:
    """Undo :func:`ascii_visible`; what is not a token stays as it is."""

    def char(found: re.Match[str]) -> str:
        value = int(found.group(1), 16)
        return chr(value) if value <= 0x10FFFF else found.group()

    return _ASCII_TOKEN.sub(char, shown)


_PICTURE = late(f"[{_PICTURES}]")
_ATTACHED = re.compile("[\u200c\u200d\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_LINKERS = frozenset("\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d")
_LEAD, _VOWEL, _TRAIL, _SYLLABLE, _REGION, _EXTEND, _PICT, _INDIC, _BREAK, _OTHER = range(10)
_RANGES = (  # conjoining Hangul, regional indicators
    ("\u1100", "\u115f", _LEAD),
    ("\ua960", "\ua97c", _LEAD),
    ("\u1160", "\u11a7", _VOWEL),
    ("\ud7b0", "\ud7c6", _VOWEL),
    ("\u11a8", "\u11ff", _TRAIL),
    ("\ud7cb", "\ud7fb", _TRAIL),
    ("\uac00", "\ud7a3", _SYLLABLE),
    ("\U0001f1e6", "\U0001f1ff", _REGION),
    ("\x00", "\x1f", _BREAK),
    ("\x7f", "\x9f", _BREAK),
)
# Which kind may follow the kind before it inside one grapheme, where two neighbours decide it.
_CONTINUES = {
    _LEAD: {_LEAD},
    _SYLLABLE: {_LEAD},
    _VOWEL: {_LEAD, _VOWEL, _SYLLABLE},
    _TRAIL: {_LEAD, _VOWEL, _SYLLABLE, _TRAIL},
}


@lru_cache(maxsize=8192)
def _kind(char: str) -> int:
    """Class of a character for grapheme boundaries (a practical subset of UAX 29)."""
    for first, last, kind in _RANGES:
        if first <= char <= last:
            return kind
    if _ATTACHED.match(char) or category(char) in {"Mn", "Me", "Mc"}:
        return _EXTEND
    if _PICTURE.match(char):
        return _PICT
    return _INDIC if "\u0900" <= char <= "\u0dff" and category(char) == "Lo" else _OTHER


def _joins(cluster: str, char: str) -> bool:
    """Whether ``char`` continues the grapheme ``cluster``."""
    before, kind = cluster[-1], _kind(char)
    if kind == _EXTEND:
        return _kind(before) != _BREAK
    if kind == _PICT:
        return before == "\u200d" and _kind(cluster[0]) == _PICT
    if kind == _REGION:
        return len(cluster) == 1 and _kind(before) == _REGION
    if kind == _INDIC:
        return before in _LINKERS or (before == "\u200d" and cluster[-2:-1] in _LINKERS)
    return _kind(before) in _CONTINUES.get(kind, ()) or (before == "\r" and char == "\n")


def graphemes(text: str) -> list[str]:
    """Cut ``text`` into what a reader sees as single characters; their join is ``text``.

    Knows combining marks, variation selectors, emoji ZWJ, skin tone and tag sequences, flags, keycaps, Hangul
    jamo and Indic conjuncts: a practical subset of UAX 29, without its prepended marks.
    """
    if text.isascii() and "\r" not in text:
        return list(text)
    clusters: list[str] = []
    cluster = text[:1]
    for char in text[1:]:
        if _joins(cluster, char):
            cluster += char
        else:
            clusters.append(cluster)
            cluster = char
    if cluster:
        clusters.append(cluster)
    return clusters


@lru_cache(maxsize=8192)
def _cluster_width(cluster: str) -> int:
    """Cells of one grapheme: 0, 1 or 2, and more for a conjunct of several spacing letters."""
    first = _kind(cluster[0])
    if first == _REGION:
        return min(len(cluster), 2)
    if "\ufe0f" in cluster or first in {_PICT, _LEAD}:
        return 2 if "\ufe0f" in cluster or any(east_asian_width(char) in "WF" for char in cluster) else 1
    return sum(map(_char_width, cluster))


def _char_width(char: str) -> int:
    if _kind(char) in {_EXTEND, _VOWEL, _TRAIL, _BREAK} or category(char) == "Cf":
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def cell_width(text: str) -> int:
    """Terminal cells ``text`` takes on one line; controls count 0, so pass what :func:`visible` returned."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(map(_cluster_width, graphemes(text)))


def _pieces(shown: str) -> Iterator[str]:
    """Cut a shown line so that a cut between two pieces splits neither a token nor a grapheme."""
    for number, part in enumerate(_UNCUTTABLE.split(shown)):
        if number % 2:
            yield part
        else:
            yield from graphemes(part)


def _in_one_line(text: str) -> str:
    return visible(text).replace("⏎", _token("⏎")).replace("\n", _LINE_SIGN)


def one_line(text: str, width: int | None = None) -> str:
    """Return ``text`` as one line for lists and messages.

    Line breaks are shown as `` ⏎ `` (a ``⏎`` in the data becomes a token), all else as in :func:`visible`.

    Args:
        text: any string.
        width: cells available; ``None`` for no limit.

    Returns:
        The whole line, or its beginning, cut between graphemes, with ``… +N`` where ``N`` is the number of
        code points of ``text`` not shown. Never wider than ``width``; where not even that sign fits, ``…``.
    """
    if width is None:
        return _in_one_line(text)
    # Only a beginning can be seen; many zero-width marks are cut early rather than measured to their end.
    total, looked_at = len(text), 16 * max(width, 4)
    shown = _in_one_line(text[:looked_at])
    if total <= looked_at and cell_width(shown) <= width:
        return shown
    best, kept, used, taken = "", "", 0, 0
    for piece in (*_pieces(shown), ""):
        sign = f"… +{total - taken}"
        if used + len(sign) <= width and taken < total:
            best = kept + sign
        if used >= width:
            break
        kept += piece
        used += cell_width(piece)
        taken += 1 if piece[:1] == "⟨" or piece == _LINE_SIGN else len(piece)
    return best or "…"[: max(width, 0)]
