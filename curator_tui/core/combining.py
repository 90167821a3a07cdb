"""Combining: one text out of two that were made from the same one, by rule, as a draft for a person.

Here: the merge of words. Not here: the comparison (``word_diffs``), who takes the draft. Where both changed other words
the result says both; where both changed the same words both wordings stand there, the standing one first, because a
draft that says too much is mended in sight, and one that says too little is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from curator_tui.core.word_diffs import word_diff


class Draft(NamedTuple):
    """A combined text; ``clean`` says that no words were changed on both sides."""

    text: str
    clean: bool


class _Hunk(NamedTuple):
    """Characters ``[start, end)`` of the common text that became other ones."""

    start: int
    end: int
    text: str


def combined(base: str, now: str, proposed: str) -> Draft:
    """Return the changes of both sides in one text.

    Args:
        base: the text both were made from.
        now: the entry as it stands.
        proposed: the text that was proposed for the common one.
    """
    if proposed in {now, base}:
        return Draft(now, True)
    if now == base:
        return Draft(proposed, True)
    parts: list[str] = []
    at, clean = 0, True
    for start, end, ours, theirs in _regions(_hunks(base, now), _hunks(base, proposed)):
        parts.append(base[at:start])
        standing, wanted = _applied(base, start, end, ours), _applied(base, start, end, theirs)
        if not theirs or standing == wanted:
            parts.append(standing)
        elif not ours:
            parts.append(wanted)
        else:
            clean = False
            parts.append(_both(standing, wanted))
        at = end
    return Draft("".join((*parts, base[at:])), clean)


def _hunks(base: str, other: str) -> list[_Hunk]:
    """Return what became of stretches of the common text, in order; none of them touch."""
    found: list[_Hunk] = []
    at = 0
    for span in word_diff(base, other):
        if span.kind == "same":
            at += len(span.text)
            continue
        gone = len(span.text) if span.kind == "gone" else 0
        came = span.text if span.kind == "new" else ""
        if found and found[-1].end == at:
            last = found.pop()
            found.append(_Hunk(last.start, at + gone, last.text + came))
        else:
            found.append(_Hunk(at, at + gone, came))
        at += gone
    return found


def _regions(ours: Sequence[_Hunk], theirs: Sequence[_Hunk]) -> Iterator[tuple[int, int, list[_Hunk], list[_Hunk]]]:
    """Return stretches of the common text that changed on one side or both, hunks that touch each other together."""
    marked = sorted([(hunk, 0) for hunk in ours] + [(hunk, 1) for hunk in theirs])
    sides: tuple[list[_Hunk], list[_Hunk]] = ([], [])
    start = end = -1
    for hunk, side in marked:
        if any(sides) and hunk.start > end:
            yield start, end, *sides
            sides = ([], [])
        if not any(sides):
            start, end = hunk.start, hunk.end
        sides[side].append(hunk)
        end = max(end, hunk.end)
    if any(sides):
        yield start, end, *sides


def _applied(base: str, start: int, end: int, hunks: Sequence[_Hunk]) -> str:
    """Return a stretch of the common text after some of its changes."""
    parts: list[str] = []
    at = start
    for hunk in hunks:
        parts += (base[at : hunk.start], hunk.text)
        at = hunk.end
    return "".join((*parts, base[at:end]))


def _both(standing: str, wanted: str) -> str:
    gap = "" if not standing or not wanted or standing[-1].isspace() or wanted[0].isspace() else " "
    return f"{standing}{gap}{wanted}"
