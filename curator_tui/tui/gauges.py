"""Rows of gauges: how full a document is now and afterwards, always with the numbers beside the bar.

Here: the two rows that show sizes. Not here: the gauge itself (``facts``), sizes and limits (``core.documents``).
"""

from __future__ import annotations

from curator_tui.core.documents import TARGETS, pressure
from curator_tui.core.preflight import Snapshot
from curator_tui.curator.looking import DocumentView
from curator_tui.tui.facts import file_name, fullness, gauge
from curator_tui.tui.shown import EMPTY, Line, own, say, width_of

CELLS = 10  # of the bar of a document


def outcome_gauge(view: DocumentView) -> tuple[Line, Line]:
    """Return the gauge of a document now, and its size afterwards."""
    outcome = view.outcome
    now = gauge(outcome.size_before, outcome.limit, CELLS)
    left: Line = (own(" {} ", file_name(view.target), role="head"), *now)
    growth = outcome.size_after - outcome.size_before
    signed = say("+{}", growth) if growth >= 0 else say("{}", growth)
    if outcome.limit is None:
        return left, (own("after: {} ({}) ", outcome.size_after, signed),)
    word = pressure(outcome.size_after, outcome.limit)
    role = {"ok": "text", "high": "warn", "over": "bad"}.get(word, "text")
    full = fullness(outcome.size_after, outcome.limit)
    sized = own("after: {} {}% ({}) ", outcome.size_after, full, signed, role=role)
    told = {"over": (own("OVER by {} ", outcome.size_after - outcome.limit, role="bad"),)}
    return left, (sized, *told.get(word, EMPTY))


def standing_gauges(snapshot: Snapshot, width: int) -> Line:
    """Return one gauge per document as they stand, with bars as long as the width lets all their numbers be."""
    lines = [_standing(snapshot, cells) for cells in range(CELLS, 0, -1)]
    return next((line for line in lines if width_of(line) <= width), lines[-1])


def _standing(snapshot: Snapshot, cells: int) -> Line:
    line: Line = EMPTY
    for target in TARGETS:
        document = snapshot.document(target)
        size = gauge(document.size, snapshot.limits.get(target), cells)
        told = size if document.usable else (own("{}", document.presence, role="bad"),)
        line = (*line, own(" {} ", file_name(target), role="head"), *told, own("  "))
    return line
