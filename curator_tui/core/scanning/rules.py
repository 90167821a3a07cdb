"""How a rule is written down and how it is matched: :class:`Rule`, :class:`Subject` and the search in order.

Here lives the machinery that all families share. The rules themselves are data in the modules named
``*_rules.py``, characters are judged in ``characters``, and ``engine`` decides what runs. Everything is linear in
the length of the text: patterns are searched only when one of their literals occurs, gaps are either bounded or
walked once (:func:`in_order`), and no rule reports more than :data:`MOST_PLACES` places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from unicodedata import combining, normalize

from msgspec import Struct

from curator_tui.core.normal import normal
from curator_tui.core.patterns import late
from curator_tui.core.scanning.findings import Finding, Severity

MOST_PLACES = 16

Span = tuple[int, int]


class Subject:
    """The text under a scan in the forms that rules read.

    Attributes:
        text: as stored.
        view: its NFKC form, so that full-width and mathematical letters read as plain ones.
        low: ``view`` in lower case, of the same length.
        cut: the NFKC form was longer than the limit, and ``view`` is only its beginning.
    """

    __slots__ = ("_origins", "cut", "low", "text", "view")

    def __init__(self, text: str, limit: int | None = None) -> None:
        self.text = text
        # One letter stands for eighteen: where it alone passes the limit, the whole form is not even made.
        swells = limit is not None and text.count("\ufdfa") * 18 > limit
        head = text[: limit // 18] if limit is not None and swells else text
        whole = normal("NFKC", head)
        self.view = whole[:limit]
        self.cut = swells or len(self.view) < len(whole)
        low = self.view
        if not low.isascii():
            # One letter changes the length in lower case, the other is taken for an i by a case-blind search.
            low = low.replace("\u0130", "i").replace("\u0131", "i")
        self.low = low.lower()
        self._origins: list[int] | None = None

    def place(self, start: int, end: int) -> Span:
        """Turn a span of ``view`` or ``low`` into the span of ``text`` that it came from."""
        if self.view == self.text:
            return start, end
        if self._origins is None:
            self._origins = _origins(self.text, self.view)
        if not self._origins:
            return 0, len(self.text)
        last = self._origins[max(end - 1, start)]
        return self._origins[start], min(last + 1, len(self.text))


@lru_cache(maxsize=8192)
def _alone(char: str) -> str:
    """NFKC form of one character; empty where it may compose with the one before it."""
    return "" if combining(char) or "\u1160" <= char <= "\u11ff" else normalize("NFKC", char)


def _origins(text: str, view: str) -> list[int]:
    """For each character of ``view`` where in ``text`` it came from; empty where that cannot be told."""
    origins: list[int] = []
    pieces: list[str] = []
    start, length = 0, len(text)
    while start < length:
        end = start + 1
        while end < length and not _alone(text[end]):
            end += 1
        piece = _alone(text[start]) if end == start + 1 else ""
        piece = piece or normal("NFKC", text[start:end])
        pieces.append(piece)
        if len(piece) == 1:
            origins.append(start)
        else:
            origins.extend(start + min(k, end - start - 1) for k in range(len(piece)))
        start = end
    return origins if "".join(pieces).startswith(view) else []


class Rule(Struct, frozen=True):
    r"""One deterministic rule.

    Attributes:
        id: stable name.
        family: group it belongs to.
        severity: what a match counts as, before ``hard_if`` and ``quoted_soft``.
        reason: the sentence a person reads; never holds scanned text.
        hits: texts that must match. ``«36w»`` stands for 36 characters drawn from a class (see the tests), so that
            no secret is written here.
        misses: texts that must not match.
        needs: lower-case literals; the rule is tried only where one of them occurs.
        pattern: regular expression searched in ``Subject.low``, or in ``Subject.view`` when ``cased``.
        parts: in place of ``pattern``, expressions that must follow each other; see :func:`in_order`.
        stop: what may not stand between two parts.
        cased: upper and lower case differ.
        find: a function in place of ``pattern``; it yields spans of ``Subject.low``.
        revision: raised by hand when ``find``, ``accept`` or the code around the rule changes meaning.
        accept: a match (its first group that took part, where it has groups) counts only if this says so.
        hard_if: a pattern on the lines of the match that makes a soft rule hard.
        quoted_soft: a match that only quotes the words (within quotation marks) is soft.
    """

    id: str
    family: str
    severity: Severity
    reason: str
    hits: tuple[str, ...]
    misses: tuple[str, ...]
    needs: tuple[str, ...] = ()
    pattern: str = ""
    parts: tuple[str, ...] = ()
    stop: str = "\n"
    cased: bool = False
    find: Callable[[Subject], Iterable[Span]] | None = None
    revision: int = 1
    accept: Callable[[str], bool] | None = None
    hard_if: str = ""
    quoted_soft: bool = False

    @property
    def meaning(self) -> tuple[object, ...]:
        """What a scan answers depends on: everything but the examples and the functions (see ``revision``)."""
        left_out = {"hits", "misses", "find", "accept"}
        return tuple(getattr(self, name) for name in self.__struct_fields__ if name not in left_out)


def spans(rule: Rule, subject: Subject) -> Iterator[Span]:
    """Yield the places in ``Subject.low`` where the rule matches."""
    haystack = subject.view if rule.cased else subject.low
    if rule.find is not None:
        yield from rule.find(subject)
    elif rule.parts:
        yield from in_order(haystack, rule.parts, rule.stop)
    else:
        for found in late(rule.pattern).finditer(haystack):
            if rule.accept is None or rule.accept(_value(found)):
                yield found.span()


def _value(found: re.Match[str]) -> str:
    """Return what is judged of a match: the first group that took part in it, or all of it where there is none."""
    return next((group for group in found.groups() if group is not None), found.group())


def in_order(text: str, parts: tuple[str, ...], stop: str = "\n") -> Iterator[Span]:
    r"""Yield where ``parts`` follow each other with anything but ``stop`` between them; at most one place.

    With a line break as ``stop``, each part but the last ends in one white-space character, and further white
    space after it, line breaks too, belongs to it; a part that looks behind for ``\s`` owns the white space
    before it. This equals one expression with unbounded gaps, but walks the text once per part where that
    expression would be quadratic.
    """
    reached = [found.span() for found in late(parts[0]).finditer(text)]
    for part in parts[1:]:
        if not reached:
            return
        owns_space = r"(?<=\s" in part
        reached = list(_reach(text, reached, late(part).finditer(text), owns_space=owns_space, stop=stop))
    yield from reached[:1]


def _reach(
    text: str, before: list[Span], found: Iterable[re.Match[str]], *, owns_space: bool, stop: str
) -> Iterator[Span]:
    """Of the matches ``found`` yield those that one of the spans ``before`` leads to."""
    number, gap_start, gap_limit = -1, 0, 0
    for match in found:
        start = match.start()
        moved = number
        while number + 1 < len(before) and before[number + 1][1] <= start - owns_space:
            number += 1
        if number < 0:
            continue
        if number != moved:
            gap_start = _after_space(text, before[number][1])
            gap_limit = text.find(stop, gap_start)
        gap_end = _before_space(text, start) if owns_space else start
        if gap_limit == -1 or gap_limit >= gap_end or gap_start >= gap_end:
            yield before[number][0], match.end()


def _after_space(text: str, at: int) -> int:
    found = late(r"\s*").match(text, at)
    return found.end() if found else at


def _before_space(text: str, at: int) -> int:
    while at > 0 and text[at - 1].isspace():
        at -= 1
    return at


_QUOTES = (
    ("'", "'"),
    ('"', '"'),
    ("`", "`"),
    ("‘", "’"),
    ("“", "”"),
    ("„", "“"),
    ("‚", "‘"),
    ("«", "»"),
    ("»", "«"),
    ("「", "」"),
    ("『", "』"),
    ("《", "》"),
)


def is_quoted(text: str, start: int, end: int) -> bool:
    """Whether the span stands within quotation marks on its line: words that are spoken about, not said."""
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    before = text[line_start:start]
    after = text[end : line_end if line_end >= 0 else len(text)]
    for opening, closing in _QUOTES:
        if closing not in after:
            continue
        if opening != closing:
            if before.rfind(opening) > before.rfind(closing):
                return True
        else:
            # An apostrophe inside a word opens nothing.
            marks = late(rf"(?<!\w){opening}|{opening}(?!\w)").findall(before)
            if len(marks) % 2:
                return True
    return False


def _severity(rule: Rule, subject: Subject, start: int, end: int) -> Severity:
    if rule.hard_if:
        line_start = subject.low.rfind("\n", 0, start) + 1
        line_end = subject.low.find("\n", end)
        line = subject.low[line_start : line_end if line_end >= 0 else len(subject.low)]
        if late(rule.hard_if).search(line) is None:
            return rule.severity
    elif rule.severity is Severity.SOFT:
        return Severity.SOFT
    quoted = rule.quoted_soft and is_quoted(subject.low, start, end)
    return Severity.SOFT if quoted else Severity.HARD


def findings_of(rule: Rule, subject: Subject) -> Iterator[Finding]:
    """Yield a finding for each place of the rule, at most :data:`MOST_PLACES`."""
    for start, end in islice(spans(rule, subject), MOST_PLACES):
        place = subject.place(start, end)
        yield Finding(rule.id, rule.family, _severity(rule, subject, start, end), *place, rule.reason)
