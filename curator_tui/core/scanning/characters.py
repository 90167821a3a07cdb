"""Judges single characters: controls, terminal sequences and everything that is not seen.

Here live the families ``control``, ``terminal`` and ``invisible``. Which characters are suspicious at all,
and where a writing system or an emoji needs them, is decided in one place, ``core.text`` (what is marked on a
screen is what is judged here); the words of a text are judged by the pattern rules of the other modules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from unicodedata import category

from curator_tui.core.patterns import late
from curator_tui.core.scanning.character_rules import CLASSES, RULES
from curator_tui.core.scanning.findings import Finding, Severity
from curator_tui.core.scanning.rules import MOST_PLACES, Rule, Span
from curator_tui.core.text import code_point, marked

REVISION = 2
"""Raised by hand when the code below judges differently with the same data."""

_SOFT_IDS = frozenset(rule.id for rule in RULES if rule.severity is Severity.SOFT)
_ENOUGH = 1000
_MARK = "direction-mark"
_ELSEWHERE = frozenset({"", "soft-hyphen"})
_CLASS_RUNS = late("|".join(f"([{chars}]+)" for chars, _ in CLASSES) + r"|([\s\S])")
_CLASS_IDS = (*(name for _, name in CLASSES), "reserved")

# ECMA-48 and xterm: a sequence begins with ESC or its 8-bit form; strings run to BEL or ST, or swallow the rest.
_STRING_END = r"(?:[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?)"
_SEQUENCES = (
    ("control-sequence", r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"),
    ("system-command", rf"(?:\x1b\]|\x9d){_STRING_END}"),
    ("device-string", rf"(?:\x1b[PX^_]|[\x90\x98\x9e\x9f]){_STRING_END}"),
    ("escape", r"\x1b[ -/]*[0-~]?"),
)
_SEQUENCE = late("|".join(f"({pattern})" for _, pattern in _SEQUENCES))

_INTRODUCER = late(r"[\x1b\x80-\x9f]")

# The highest stacks in use, of Tibetan and of pointed and chanted Hebrew, have eight or nine marks. No mark is a word
# character or a blank, so only such runs are looked at closely.
_HIGHEST_STACK = 10
_MAY_BE_MARKS = late(rf"[^\w\s\x00-\x7f]{{{_HIGHEST_STACK + 1},}}")

_RTL = late(r"[\u0590-\u0605\u0620-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_RTL_LETTER = late(r"[\u05d0-\u05ea\u0620-\u064a\u066e-\u06d3\u0710-\u072f\u074d-\u07a5]")
_WORD = late(r"[\w\xad]+")
_LOOSE = late(r"\xad[^\S\n\r]")
# Words worth hiding from a search (English: the language of the known attacks), from their first letter.
_WORTH_HIDING = late(
    r"ignor|disregard|overrid|bypass|forget|forgot|approv|reject|review|confirm|verif|allow|grant|delet|disabl"
    r"|execut|system|prompt|instruct|password|passwd|secret|token|credential|admin|permission|policy|security"
)


class _Tally:
    """Collects places per rule, the first few of each."""

    def __init__(self) -> None:
        self.found: dict[str, list[Span]] = {}
        self.hard = 0

    @property
    def hopeless(self) -> bool:
        """So many hard places that the rest of the text need not be looked at."""
        return self.hard > _ENOUGH

    def add(self, rule: str, start: int, end: int, weight: int = 1) -> None:
        """Note a place; ``weight`` is how many characters of interest it holds."""
        self.hard += 0 if rule in _SOFT_IDS else weight
        places = self.found.setdefault(rule, [])
        if places and places[-1][1] == start:
            places[-1] = (places[-1][0], end)
        elif len(places) < MOST_PLACES:
            places.append((start, end))


def find(text: str) -> Iterator[Finding]:
    """Yield the findings of the three character families in ``text``, ordered by rule and place."""
    tally = _Tally()
    if "\xad" in text:
        _soft_hyphens(text, tally)
    if not text.isascii():
        _stacked_marks(text, tally)
    in_place = _DirectionMarks(text)
    for start, end in _outside(marked(text), list(_terminal(text, tally))):
        for found in _CLASS_RUNS.finditer(text, start, end):
            name, place = _CLASS_IDS[(found.lastindex or 1) - 1], found.span()
            if name == "zero-width" and place[0] == 0 and text[0] == "\ufeff":
                tally.add("byte-order-mark", 0, 1)
                place = (1, place[1])
            if place[0] < place[1] and name not in _ELSEWHERE and not (name == _MARK and in_place(*place)):
                tally.add(name, *place)
        if tally.hopeless:
            break
    for rule in RULES:
        for start, end in tally.found.get(rule.id, ()):
            yield Finding(rule.id, rule.family, rule.severity, start, end, _reason(rule, text[start:end]))


def _reason(rule: Rule, place: str) -> str:
    """Name the code points of the place, at most three, then say what is wrong with them."""
    if rule.family == "terminal":
        return f"{code_point(place[0])} begins {rule.reason}."
    named = ["U+00AD"] if rule.id == "split-word" else [code_point(char) for char in dict.fromkeys(place[:64])]
    more = " and others" if len(named) > 3 else ""
    return f"{', '.join(named[:3])}{more}: {rule.reason}."


def _stacked_marks(text: str, tally: _Tally) -> None:
    """Note runs of marks that are too long for one letter; a mark of an emoji or a script in place is in none."""
    for found in _MAY_BE_MARKS.finditer(text):
        start = found.start()
        for is_mark, run in groupby(found.group(), key=lambda char: category(char)[0] == "M"):
            end = start + sum(1 for _ in run)
            if is_mark and end - start > _HIGHEST_STACK:
                tally.add("stacked-marks", start, end)
            start = end


def _terminal(text: str, tally: _Tally) -> Iterator[Span]:
    if _INTRODUCER.search(text) is None:
        return
    for found in _SEQUENCE.finditer(text):
        tally.add(_SEQUENCES[(found.lastindex or 1) - 1][0], *found.span())
        yield found.span()
        if tally.hopeless:
            return


def _outside(runs: Iterable[Span], taken: list[Span]) -> Iterator[Span]:
    """Yield the parts of ``runs`` that no span of ``taken`` covers; both are in order."""
    number = 0
    for run_start, end in runs:
        start = run_start
        while number < len(taken) and taken[number][1] <= start:
            number += 1
        at = number
        while at < len(taken) and taken[at][0] < end:
            if start < taken[at][0]:
                yield start, taken[at][0]
            start = max(start, taken[at][1])
            at += 1
        if start < end:
            yield start, end


class _DirectionMarks:
    """Tells direction marks in place from strays; asked about runs in their order.

    One mark on a line with right-to-left text is ordinary, also beside a Latin name or a full stop. In a row,
    or between two right-to-left letters, it does nothing a writer could want.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._line_end = -1
        self._right_to_left = False

    def __call__(self, start: int, end: int) -> bool:
        text = self._text
        if start > self._line_end:
            line_start = text.rfind("\n", 0, start) + 1
            line_end = text.find("\n", start)
            self._line_end = len(text) if line_end < 0 else line_end
            self._right_to_left = _RTL.search(text, line_start, self._line_end) is not None
        if not self._right_to_left or end - start > 1:
            return False
        return not (start and _RTL_LETTER.match(text, start - 1) and _RTL_LETTER.match(text, end))


def _soft_hyphens(text: str, tally: _Tally) -> None:
    """Tell hyphenation from hiding.

    A typesetter breaks long words into long pieces, and a copy keeps few of the breaks. Hiding breaks short
    words into short pieces, everywhere, or breaks the very words a reader would stop at. The bound of 3.5
    letters a piece lies between running hyphenation of ordinary prose at every syllable (about 3) and
    compounds (5 and more). At the end of a word a break is left over from the end of a line; with more words
    after it on the same line it is so once at most.
    """
    words = [found for found in _WORD.finditer(text) if "\xad" in found.group()]
    pieces = [piece for word in words for piece in word.group().split("\xad") if piece]
    breaks = sum(word.group().count("\xad") for word in words)
    dense = breaks > 1 and sum(map(len, pieces)) < 3.5 * len(pieces)
    loose = len(_LOOSE.findall(text)) > 1
    for word in words:
        start, end = word.span()
        after = text[end : end + 1]
        if dense or _hides(word.group(), may_end=after in "\n\r" or (after.isspace() and not loose)):
            tally.add("split-word", start, end, word.group().count("\xad"))
            continue
        for at in range(start, end):
            if text[at] == "\xad":
                tally.add("soft-hyphen", at, at + 1)


def _hides(word: str, *, may_end: bool) -> bool:
    """Whether the breaks of one word hide it; ``may_end``: it may end in one."""
    pieces = word.split("\xad")
    if pieces[0] == "" or "" in pieces[1:-1] or (pieces[-1] == "" and not may_end):
        return True
    known = _WORTH_HIDING.match(word.replace("\xad", "").lower())
    # A break after the word ("System|verwaltung") hides nothing.
    return known is not None and len(pieces[0]) < known.end()
