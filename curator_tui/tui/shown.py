"""Text on its way to the screen: the one place that turns data into something a widget may paint.

Here: :data:`Shown` (text that went through the display filter), :class:`Piece` and :data:`Line` (text with the role it
plays), wrapping by terminal cells, and the forms Textual and Rich want. Not here: what a page says (``pages``,
``facts``), which colours a role has (``themes``), the filter itself (``core.text``).

``Shown`` is a type of its own, so the type checker refuses raw text where painted text is wanted, and a test refuses
any other way into a widget. Markup is never interpreted: nothing here parses it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, NewType

from rich.cells import cell_len

from curator_tui.core.text import graphemes, one_line, unvisible, visible

if TYPE_CHECKING:
    from textual.content import Content

Shown = NewType("Shown", str)
Value = int | Shown | StrEnum

_WORDS = re.compile(r"\n|[^\S\n]+|\S+")
_BRACKETS = "⟨⟩…"  # of tokens and of what was cut: the driver draws them in whatever the terminal has
_within: list[str] = []
_MARKS = re.compile(r"(⟨[^⟩]*⟩)")


class Piece(NamedTuple):
    """A stretch of painted text and the role that gives it its style (``themes.ROLES``)."""

    text: Shown
    role: str = "text"


Line = tuple[Piece, ...]
EMPTY: Line = ()
LONGEST = 2_000
"""Characters of a line from which on it goes on as another one; wider than any window."""
_NEAR = 200
HIDDEN = "token"
"""The role of tokens that stand for hidden characters."""


def show_within(encoding: str | None) -> None:
    """Show what a terminal's encoding cannot take as tokens from now on; None for one that takes everything."""
    _within.clear()
    if encoding is not None:
        _within.append(encoding)


def _taken(text: str) -> str:
    if not _within or text.isascii():
        return text
    return "".join(char if char in _BRACKETS or _takes(char) else f"⟨U+{ord(char):04X}⟩" for char in text)


def _takes(char: str) -> bool:
    try:
        char.encode(_within[0])
    except UnicodeEncodeError:
        return False
    return True


def shown(text: str) -> Shown:
    """Return data as it may be painted: acting and hiding characters visible, line breaks kept."""
    return Shown(_taken(visible(text)))


def shown_line(text: str, width: int | None = None) -> Shown:
    """Return data as one line, cut to ``width`` cells with the number of hidden characters."""
    return Shown(_taken(one_line(text, width)))


def message(text: str) -> Shown:
    """Return a message of the core or the door, whose quotes may be visible already, as one line.

    Undoing before doing makes this the same for raw and for filtered text, so no token is marked twice.
    """
    return Shown(_taken(visible(unvisible(text), newlines=False)))


def say(template: str, *values: Value) -> Shown:
    """Fill our own words with numbers, names of states and text that was made visible before."""
    return Shown(template.format(*values) if values else template)


def own(template: str, *values: Value, role: str = "text") -> Piece:
    """Return our own words as a piece."""
    return Piece(say(template, *values), role)


def data(text: str, role: str = "text") -> Piece:
    """Return data as one piece on one line."""
    return Piece(shown_line(text), role)


def highlighted(text: Shown, role: str, hidden_role: str = HIDDEN) -> Line:
    """Return painted text as pieces in which the tokens of hidden characters stand out."""
    parts = _MARKS.split(text)
    return tuple(Piece(Shown(part), hidden_role if n % 2 else role) for n, part in enumerate(parts) if part)


def hidden_in(text: Shown) -> int:
    """Count the tokens of hidden characters in a text, without making pieces of it."""
    return sum(1 for _ in _MARKS.finditer(text))


def width_of(line: Iterable[Piece]) -> int:
    """Return the terminal cells a line takes."""
    return sum(cell_len(piece.text) for piece in line)


def fit(line: Line, width: int) -> Line:
    """Cut a line to ``width`` cells at a character boundary, with an ellipsis where something is left out."""
    if width <= 0:
        return EMPTY
    if width_of(line) <= width:
        return line
    kept: list[Piece] = []
    left = width - 1
    for piece in line:
        taken, used = _head(piece.text, left)
        if taken:
            kept.append(Piece(Shown(taken), piece.role))
        left -= used
        if taken != piece.text:
            break
    role = kept[-1].role if kept else "text"
    return (*kept, Piece(Shown("…"), role))


def _head(text: str, width: int) -> tuple[str, int]:
    """Return the longest beginning of ``text`` that fits, and its cells."""
    if text.isascii():
        return text[:width], min(len(text), width)
    used, end = 0, 0
    for cluster in graphemes(text):
        cells = cell_len(cluster)
        if used + cells > width:
            break
        used += cells
        end += len(cluster)
    return text[:end], used


def wrap(line: Line, width: int) -> list[Line]:
    """Break a line into rows of at most ``width`` cells, at spaces where possible; nothing is left out.

    Only a single space at a break disappears; longer white space moves on, so that a change of spaces can be seen.
    """
    rows = _Rows(max(width, 2))
    for piece in line:
        plain = piece.text.isascii()
        if plain and "\n" not in piece.text and rows.used + len(piece.text) <= rows.width:
            rows.put(piece.text, piece.role)
            rows.used += len(piece.text)
        else:
            rows.break_piece(piece, len if plain else cell_len)
    return [tuple(_joined(row)) for row in rows.made]


class _Rows:
    """Rows as they are filled; ``used`` counts the cells of the last one."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.made: list[list[Piece]] = [[]]
        self.used = 0

    def put(self, text: str, role: str) -> None:
        """Put text on the last row."""
        if text:
            self.made[-1].append(Piece(Shown(text), role))

    def _begin(self) -> None:
        self.made.append([])
        self.used = 0

    def break_piece(self, piece: Piece, measure: Callable[[str], int]) -> None:
        """Put a piece on as many rows as it takes; ``measure`` returns the cells of a word."""
        text, role = piece
        start = 0  # of what belongs to the last row
        for found in _WORDS.finditer(text):
            word, at = found.group(), found.start()
            cells = measure(word)
            ends = word == "\n" or (self.used + cells > self.width and word == " ")
            if ends or (self.used + cells > self.width and self.used and cells <= self.width):
                self.put(text[start:at], role)
                self._begin()
                start = found.end() if ends else at
            if ends:
                continue
            if self.used + cells > self.width:
                self.put(text[start:at], role)
                start = found.end()
                self._chop(word, role)
            else:
                self.used += cells
        self.put(text[start:], role)

    def _chop(self, word: str, role: str) -> None:
        for number, part in enumerate(_chopped(word, self.width - self.used, self.width)):
            if number:
                self._begin()
            self.put(part, role)
            self.used += cell_len(part)


def _chopped(word: str, room: int, width: int) -> Iterable[str]:
    """Cut a word that is wider than a row: the first part fits into ``room``, the others into ``width``."""
    part: list[str] = []
    used = 0
    for cluster in graphemes(word):
        cells = cell_len(cluster)
        if used + cells > room:
            yield "".join(part)
            part, used, room = [], 0, width
        part.append(cluster)
        used += cells
    yield "".join(part)


def _joined(row: Iterable[Piece]) -> list[Piece]:
    """Join neighbours of one role, so that a row paints as few segments as it has styles."""
    joined: list[Piece] = []
    for piece in row:
        if joined and joined[-1].role == piece.role:
            joined[-1] = Piece(Shown(joined[-1].text + piece.text), piece.role)
        else:
            joined.append(piece)
    return joined


def padded(line: Line, width: int, *, right: bool = False, role: str = "text") -> Line:
    """Return a line cut or filled to exactly ``width`` cells, for a column."""
    cut = fit(line, width)
    space = Piece(Shown(" " * (width - width_of(cut))), role)
    if not space.text:
        return cut
    return (space, *cut) if right else (*cut, space)


def spread(left: Line, right: Line, width: int, *, keep_right: bool = False) -> Line:
    """Put one part at each end of a row; where both do not fit the right part goes, or the left one is cut.

    Words at the end of the left part that stand apart from it go whole where that makes enough room.
    """
    room = width - width_of(left)
    if width_of(right) + 1 > room:
        if not keep_right or width_of(right) + 8 > width:
            return fit(left, width)
        most = width - width_of(right) - 1
        apart = len(left) > 1 and left[-1].text.startswith("  ") and width_of(left[:-1]) <= most
        left = left[:-1] if apart else fit(left, most)
        room = width - width_of(left)
    gap = Piece(Shown(" " * (room - width_of(right))))
    return (*left, gap, *right)


def lines_of(text: Shown, role: str, hidden_role: str = HIDDEN) -> Iterator[Line]:
    """Split painted text at its line breaks into lines in which hidden characters stand out.

    A line that is much longer than any window goes on as the next one, so that none takes long to be broken into rows.
    """
    for part in text.split("\n"):
        for stretch in stretches(part):
            yield highlighted(Shown(stretch), role, hidden_role)


def stretches(text: str) -> Iterator[str]:
    """Cut text into parts of at most :data:`LONGEST` characters: behind a space where possible, never in a token."""
    start = 0
    while len(text) - start > LONGEST:
        end = start + LONGEST
        space = text.rfind(" ", end - _NEAR, end)
        cut = space + 1 if space >= 0 else _whole_before(text, end)
        yield text[start:cut]
        start = cut
    yield text[start:]


def _whole_before(text: str, end: int) -> int:
    """Return a place shortly before ``end`` that is within neither a token nor a grapheme."""
    first = end - _NEAR
    opened = text.rfind("⟨", first, end)
    if opened > first and text.find("⟩", opened, end) < 0:
        return opened
    if text.isascii():
        return end
    clusters = graphemes(text[first : end + 1])
    return max(end + 1 - len(clusters[-1]), first + 1) if len(clusters) > 1 else end


def words_of(line: Line) -> Shown:
    """Return what a line says, without the roles of its pieces."""
    return Shown("".join(piece.text for piece in line))


def content(line: Line) -> Content:
    """Return a line as Textual's content, without styles, for places that only Textual draws (the palette)."""
    from textual.content import Content

    return Content(words_of(line))
