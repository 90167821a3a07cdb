"""Line diffs: two texts of many lines as one list of lines, the unchanged far from a change left out.

Here: the unified form that files of skills are shown in. Not here: entries of a document (``diffs``), words of one
entry (``word_diffs``). Lines carry raw text; both time and size are bounded whatever the texts are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, Literal

from msgspec import Struct

CONTEXT: Final = 3
"""Unchanged lines that are shown around a change."""

MAX_LINES: Final = 5_000
"""Lines of either text above which they are not compared: the one counts as gone, the other as new."""

MAX_SHOWN: Final = 2_000
"""Lines of a diff that are kept; the rest is counted."""

LineKind = Literal["same", "gone", "new", "gap"]


class Line(Struct, frozen=True):
    """One line of a diff.

    Attributes:
        kind: ``same``, ``gone``, ``new``, or ``gap`` for unchanged lines left out.
        text: the raw line without its end; empty for a gap.
        before: its number in the old text, from 1; None where it does not stand there.
        after: its number in the new text, likewise.
        left_out: for a gap: how many lines.
    """

    kind: LineKind
    text: str = ""
    before: int | None = None
    after: int | None = None
    left_out: int = 0


class LineDiff(Struct, frozen=True):
    """What changes between two texts.

    Attributes:
        lines: in reading order, at most :data:`MAX_SHOWN`.
        new: number of new lines, also of those not kept.
        gone: number of lines that are gone, likewise.
        cut: how many further lines are not kept.
        whole: True when the texts were too long to be compared.
    """

    lines: tuple[Line, ...]
    new: int
    gone: int
    cut: int = 0
    whole: bool = False


def line_diff(before: str, after: str, context: int = CONTEXT, most: int = MAX_SHOWN) -> LineDiff:
    """Compare two texts line by line.

    Law: the lines that are ``same`` or ``gone`` stand in the old text in their order, those that are ``same`` or
    ``new`` in the new one; without a cut and with endless context nothing of either is missing.
    """
    old, new = _lines(before), _lines(after)
    whole = max(len(old), len(new)) > MAX_LINES
    blocks = [(0, len(old), 0, len(new))] if whole else _blocks(old, new)
    gone = sum(i2 - i1 for i1, i2, _, _ in blocks)
    came = sum(j2 - j1 for _, _, j1, j2 in blocks)
    every = _unified(old, new, blocks, context)
    lines = tuple(islice(every, most))
    cut = gone + came - len(lines) if whole else sum(1 for _ in every)  # those of a whole one may be a million
    return LineDiff(lines, came, gone, max(cut, 0), whole)


def _lines(text: str) -> list[str]:
    """Cut a text at its line feeds only: what else may end a line is a character to be shown."""
    lines = text.split("\n")
    return lines[:-1] if not lines[-1] else lines


def _blocks(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Return the changed stretches: lines ``[i1, i2)`` of the old text become ``[j1, j2)`` of the new one."""
    from rapidfuzz.distance import LCSseq  # ten milliseconds of a start that often needs none of it

    head, most = 0, min(len(old), len(new))
    while head < most and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < most - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    # lines are numbered: rapidfuzz compares hashes, and those may collide
    numbers: dict[str, int] = {}
    one = [numbers.setdefault(line, len(numbers)) for line in old[head : len(old) - tail]]
    two = [numbers.setdefault(line, len(numbers)) for line in new[head : len(new) - tail]]
    found: list[tuple[int, int, int, int]] = []
    for op in LCSseq.opcodes(one, two):
        if op.tag == "equal":
            continue
        i1, i2, j1, j2 = op.src_start + head, op.src_end + head, op.dest_start + head, op.dest_end + head
        if found and found[-1][1] == i1 and found[-1][3] == j1:
            i1, j1 = found[-1][0], found[-1][2]
            found.pop()
        found.append((i1, i2, j1, j2))
    return found


def _unified(
    old: Sequence[str], new: Sequence[str], blocks: Sequence[tuple[int, int, int, int]], context: int
) -> Iterator[Line]:
    at_old = at_new = 0
    for number, (i1, i2, j1, j2) in enumerate(blocks):
        kept = range(at_old, i1)
        yield from _kept(old, kept, at_new - at_old, context if number else 0, context)
        yield from (Line("gone", old[i], i + 1) for i in range(i1, i2))
        yield from (Line("new", new[j], None, j + 1) for j in range(j1, j2))
        at_old, at_new = i2, j2
    if blocks:
        yield from _kept(old, range(at_old, len(old)), at_new - at_old, context, 0)


def _kept(old: Sequence[str], kept: range, shift: int, head: int, tail: int) -> Iterator[Line]:
    """Yield unchanged lines between two changes: ``head`` behind the first, ``tail`` before the second."""
    left_out = len(kept) - head - tail
    if left_out <= 1:
        head, tail, left_out = len(kept), 0, 0
    yield from (Line("same", old[i], i + 1, i + shift + 1) for i in kept[:head])
    if left_out:
        yield Line("gap", left_out=left_out)
    yield from (Line("same", old[i], i + 1, i + shift + 1) for i in kept[len(kept) - tail :])
