"""The words of one entry before and after: what stayed, what is gone, what is new.

Not here: how tokens are cut (:mod:`curator_tui.core.scripts`), the entries of a document
(:mod:`curator_tui.core.diffs`), colours and wrapping (widgets). Spans carry raw text.

Lines that stand once on both sides are aligned first, then words between them. Readable diffs come from
difflib; an agent may write text on which difflib takes seconds, so its work is counted, and beyond a bound
rapidfuzz (bit-parallel, same law, more fragments) takes over; beyond another one texts are shown whole.
Lengths are characters, that is Unicode code points.
"""

from __future__ import annotations

import bisect
import string
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import Match, SequenceMatcher
from typing import Final, Literal

from msgspec import Struct

from curator_tui.core.scripts import tokens

MAX_COMPARED: Final = 20_000
"""Characters of either text above which its words are not compared: ten times a scope's usual limit."""

MAX_COST: Final = 20_000
"""Sum over words of count before times count after above which difflib is not asked (``libraries`` 3.1)."""

MAX_WORK: Final = 60_000
"""Comparisons in one diff after which difflib is stopped: at a low cost it can still recurse deeply."""

_SIGNS: Final = frozenset(string.punctuation + "，。、；：！？（）「」『』“”‘’«»…–—·")
_ISLAND: Final = 3  # visible characters, and tokens, of an island that may be joined
_SLIDE: Final = 40  # tokens that an insertion or deletion may be moved along

SpanKind = Literal["same", "gone", "new"]
Block = tuple[int, int, int, int]
"""A changed stretch: tokens ``[i1, i2)`` before become tokens ``[j1, j2)`` after."""


class Span(Struct, frozen=True):
    """A stretch of text that stayed, went or came.

    Attributes:
        text: raw text, never empty.
        kind: ``same`` stands in both texts, ``gone`` only before, ``new`` only after.
    """

    text: str
    kind: SpanKind


class _Grant(Struct):
    """The comparisons difflib may still make in one diff."""

    left: int = MAX_WORK


class _TooMuch(Exception):
    """difflib has done the work it was granted."""


class _Bounded(SequenceMatcher[str]):
    """A matcher that stops once its searches have cost more comparisons than granted."""

    a: Sequence[str]
    b2j: dict[str, list[int]]

    def __init__(self, before: Sequence[str], after: Sequence[str], grant: _Grant) -> None:
        super().__init__(_is_filler, before, after, autojunk=False)
        self._grant = grant
        self._sums = [0]
        for token in before:
            self._sums.append(self._sums[-1] + len(self.b2j.get(token, ())) + 1)

    def find_longest_match(self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None) -> Match:
        self._grant.left -= self._sums[len(self.a) if ahi is None else ahi] - self._sums[alo]
        if self._grant.left < 0:
            raise _TooMuch
        return super().find_longest_match(alo, ahi, blo, bhi)


def _is_filler(token: str) -> bool:
    """Whether a token only stands between words: it may lengthen a match but never begins one."""
    return token.isspace() or token in _SIGNS


def comparable(before: str, after: str) -> bool:
    """Whether the words of two texts are compared at all (:data:`MAX_COMPARED`)."""
    return max(len(before), len(after)) <= MAX_COMPARED


def word_diff(before: str, after: str) -> tuple[Span, ...]:
    """Compare the words of one entry before and after.

    Law: ``same`` and ``gone`` joined are ``before``; ``same`` and ``new`` joined are ``after``. Neighbours
    differ in kind, and what is gone stands before what came in its place. Longer texts (:func:`comparable`)
    come back whole.
    """
    if before != after and not comparable(before, after):
        return _spans([("gone", before), ("new", after)])
    parts: list[tuple[SpanKind, str]] = []
    grant = _Grant()
    for old_text, new_text, anchor in _between_lines(before, after):
        old, new = tokens(old_text), tokens(new_text)
        done = 0
        for i1, i2, j1, j2 in _blocks(old, new, grant):
            parts.append(("same", "".join(old[done:i1])))
            parts += [("gone", "".join(old[i1:i2])), ("new", "".join(new[j1:j2]))]
            done = i2
        parts.append(("same", "".join(old[done:]) + anchor))
    return _spans(parts)


def _spans(parts: Sequence[tuple[SpanKind, str]]) -> tuple[Span, ...]:
    """Parts as spans, without empty ones; neighbours of one kind become one."""
    spans: list[Span] = []
    for kind, text in parts:
        if text and spans and spans[-1].kind == kind:
            spans[-1] = Span(spans[-1].text + text, kind)
        elif text:
            spans.append(Span(text, kind))
    return tuple(spans)


def _between_lines(before: str, after: str) -> Iterator[tuple[str, str, str]]:
    """Cut both texts at the lines they share: what stands before such a line on either side, and the line.

    Only lines with a word that stand exactly once on each side are anchors; the last piece has none.
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    places = {line: j for j, line in enumerate(new)}
    in_old, in_new = Counter(old), Counter(new)
    links = {
        i: places[line]
        for i, line in enumerate(old)
        if in_old[line] == 1 == in_new[line] and any(map(str.isalnum, line))
    }
    i0 = j0 = 0
    for i, j in ascending(links).items():
        yield "".join(old[i0:i]), "".join(new[j0:j]), old[i]
        i0, j0 = i + 1, j + 1
    yield "".join(old[i0:]), "".join(new[j0:]), ""


def ascending(links: Mapping[int, int]) -> dict[int, int]:
    """The longest choice of links in which both sides ascend: what stayed in order (n log n).

    Args:
        links: from a place before to a place after, each at most once, by ascending place before.
    """
    tops: list[int] = []
    last: list[int] = []  # for each length, the entry before that ends the best choice of it
    previous: dict[int, int | None] = {}
    for i, j in links.items():
        at = bisect.bisect_left(tops, j)
        tops[at : at + 1] = [j]
        last[at : at + 1] = [i]
        previous[i] = last[at - 1] if at else None
    chosen: list[int] = []
    step = last[-1] if last else None
    while step is not None:
        chosen.append(step)
        step = previous[step]
    return {i: links[i] for i in reversed(chosen)}


def _blocks(old: Sequence[str], new: Sequence[str], grant: _Grant) -> list[Block]:
    """The changed stretches in reading order, made readable."""
    head = 0
    most = min(len(old), len(new))
    while head < most and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < most - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    mid_old, mid_new = old[head : len(old) - tail], new[head : len(new) - tail]
    found = _by_difflib(mid_old, mid_new, grant)
    if found is None:
        found = _by_rapidfuzz(mid_old, mid_new)
    blocks = [(i1 + head, i2 + head, j1 + head, j2 + head) for i1, i2, j1, j2 in found]
    return _slid(_joined(blocks, old, new), old, new)


def _by_difflib(old: Sequence[str], new: Sequence[str], grant: _Grant) -> list[Block] | None:
    """Readable stretches, or None where the words repeat too often for it."""
    counts = Counter(token for token in new if not _is_filler(token))
    if sum(counts[token] for token in old) > MAX_COST:
        return None
    try:
        opcodes = _Bounded(old, new, grant).get_opcodes()
    except _TooMuch:
        return None
    return [(i1, i2, j1, j2) for tag, i1, i2, j1, j2 in opcodes if tag != "equal"]


def _by_rapidfuzz(old: Sequence[str], new: Sequence[str]) -> list[Block]:
    """Stretches in bounded time. Words are numbered: rapidfuzz compares hashes, and those may collide."""
    from rapidfuzz.distance import LCSseq  # ten milliseconds of a start that often needs none of it

    numbers: dict[str, int] = {}
    one = [numbers.setdefault(token, len(numbers)) for token in old]
    two = [numbers.setdefault(token, len(numbers)) for token in new]
    return [
        (op.src_start, op.src_end, op.dest_start, op.dest_end) for op in LCSseq.opcodes(one, two) if op.tag != "equal"
    ]


def _joined(blocks: Sequence[Block], old: Sequence[str], new: Sequence[str]) -> list[Block]:
    """Join stretches kept apart by a blank, a sign or a tiny word: a rewritten phrase reads as one."""
    merged: list[Block] = []
    for block in blocks:
        if merged and _trivial(merged[-1], block, old, new):
            merged[-1] = (merged[-1][0], block[1], merged[-1][2], block[3])
        else:
            merged.append(block)
    return merged


def _trivial(left: Block, right: Block, old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether what stays between two changed stretches is too little to be worth an island."""
    between = old[left[1] : right[0]]
    if len(between) > _ISLAND or any("\n" in token for token in between):
        return False
    if (left[0] == left[1] and right[0] == right[1]) or (left[2] == left[3] and right[2] == right[3]):
        return False  # two insertions, or two deletions: nothing was rewritten
    visible = sum(len(token) for token in between if not token.isspace())
    return visible == 0 or (visible <= _ISLAND and visible < min(_size(left, old, new), _size(right, old, new)))


def _size(block: Block, old: Sequence[str], new: Sequence[str]) -> int:
    """Characters of the longer side of a changed stretch, counted no further than they matter."""
    gone = old[block[0] : min(block[1], block[0] + _ISLAND + 1)]
    came = new[block[2] : min(block[3], block[2] + _ISLAND + 1)]
    return max(sum(map(len, gone)), sum(map(len, came)))


def _slid(blocks: Sequence[Block], old: Sequence[str], new: Sequence[str]) -> list[Block]:
    """Move each pure insertion or deletion along equal tokens to where it begins and ends like a phrase.

    ``[`` + ``net] one [`` + ``nas]`` becomes ``[net] one `` + ``[nas]``.
    """
    result: list[Block] = []
    for at, (i1, i2, j1, j2) in enumerate(blocks):
        text, start, end = (old, i1, i2) if j1 == j2 else (new, j1, j2)
        shift = 0
        if i1 == i2 or j1 == j2:
            floor = i1 - (result[-1][1] + 1 if result else 0)  # a token stays between neighbours
            ceiling = (blocks[at + 1][0] - 1 if at + 1 < len(blocks) else len(old)) - i2
            shift = _best_shift(text, start, end, min(floor, _SLIDE), min(ceiling, _SLIDE))
        result.append((i1 + shift, i2 + shift, j1 + shift, j2 + shift))
    return result


def _best_shift(text: Sequence[str], start: int, end: int, floor: int, ceiling: int) -> int:
    """By how many tokens a stretch is best moved: at most ``floor`` left or ``ceiling`` right."""
    low = high = 0
    while low < floor and text[start - low - 1] == text[end - low - 1]:
        low += 1
    while high < ceiling and text[start + high] == text[end + high]:
        high += 1

    def phrase(shift: int) -> tuple[int, int]:
        before = text[start + shift - 1] if start + shift else "\n"
        last = text[end + shift - 1]
        return 2 * ("\n" in before) + before.isspace() + last.isspace(), -abs(shift)

    return max(range(-low, high + 1), key=phrase)
