"""Splicing: new entries into old bytes, so that what is not changed stays byte for byte.

Here: how the bytes of a document change when its entries do. Not here: the grammar of documents (``documents``), what
an operation means (``operations``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from curator_tui.core.documents import (
    BYTE_ORDER_MARK,
    DELIMITER,
    DELIMITER_LINE,
    SEPARATOR,
    Document,
    decoded,
    parse,
    unify_newlines,
)

_NEWLINE = re.compile("\r\n|\r|\n")


class Spliced(Struct, frozen=True):
    """New bytes of a document.

    Attributes:
        raw: what to store.
        canonical: True when the whole document had to be written anew because splicing would not read back
            right.
        dropped_mark: True when a leading byte-order mark is gone (Hermes 0.19 would blank the first entry for
            it).
    """

    raw: bytes
    canonical: bool
    dropped_mark: bool


def has_mark(document: Document) -> bool:
    """Whether the bytes of a document begin with a byte-order mark, which nothing that is written keeps."""
    return document.raw is not None and document.raw.startswith(BYTE_ORDER_MARK.encode())


def splice(document: Document, entries: Sequence[str]) -> Spliced:
    """Return the bytes that turn ``document`` into ``entries`` and touch nothing else.

    Surviving entries keep their bytes and first position; where their order changes their bytes move with them and the
    delimiters stay where they are. New text takes the file's own line ending.
    When the result would not read back as exactly ``entries`` the canonical form is written and said to be.

    Raises:
        ValueError: no bytes read back as these entries (one of them breaks the contract of ``operations``).
    """
    dropped_mark = has_mark(document)
    wanted = tuple(entries)
    laid_out = bool(wanted and document.entries and document.raw)
    text = _spliced_text(decoded(document.raw or b""), document.entries, wanted) if laid_out else None
    for form in (text, DELIMITER.join(wanted), _guarded(wanted)):
        if form is not None and parse(document.target, form.encode("utf-8")).entries == wanted:
            return Spliced(form.encode("utf-8"), canonical=laid_out and form is not text, dropped_mark=dropped_mark)
    raise ValueError("these entries cannot be stored: they would not read back")


def _guarded(wanted: tuple[str, ...]) -> str:
    """Join entries that only a hand-edited file can hold, kept apart by white space.

    An entry may end in a bare delimiter line, or begin with a byte-order mark, only where it stands last or
    behind white space. Both are read back without the guard.
    """
    guarded = [entry + " " if entry.endswith(DELIMITER_LINE) else entry for entry in wanted[:-1]] + [*wanted[-1:]]
    front = "\n" if wanted and wanted[0].startswith(BYTE_ORDER_MARK) else ""
    return front + DELIMITER.join(guarded)


def _newline_of(text: str) -> str:
    """Return the line ending a file uses most; LF where it has none."""
    counts: dict[str, int] = {}
    for found in _NEWLINE.findall(text):
        counts[found] = counts.get(found, 0) + 1
    return max(counts, key=lambda newline: counts[newline], default="\n")


def _spliced_text(text: str, old: tuple[str, ...], wanted: tuple[str, ...]) -> str:
    kept = set(old) & set(wanted)
    newline = _newline_of(text)
    layout = _layout(text, f"{newline}{DELIMITER_LINE}{newline}")
    pieces = layout.pieces
    order = [entry for entry in wanted if entry in kept]
    if [entry for entry in old if entry in kept] != order:
        pieces = _rearranged(pieces, order)
        old = tuple(dict.fromkeys(entry for _, entry, _ in pieces if entry))
    plan = _gap_plan(old, wanted, kept)
    parts: list[tuple[str, str]] = [(_with_newline(new, newline), layout.separator) for new in plan.front]
    seen: set[str] = set()
    for raw, entry, behind in pieces:
        first = entry not in seen
        seen.add(entry)
        if not entry or entry in kept:
            parts.append((raw, behind))
        elif first and entry in plan.swaps:
            parts.append((_reshape(raw, plan.swaps[entry], newline), behind))
        if first:
            parts += [(_with_newline(new, newline), layout.separator) for new in plan.after.get(entry, ())]
    joined = "".join(raw + behind for raw, behind in parts[:-1]) + parts[-1][0]
    return layout.head + joined + layout.tail


class _Layout(Struct, frozen=True):
    """How a file is written: white space around the whole, each piece, its entry, the delimiter behind it.

    The white space around the whole stays around the whole, so that text added behind a final newline does
    not leave a blank line beside a delimiter.
    """

    head: str
    pieces: list[tuple[str, str, str]]
    tail: str
    separator: str


def _layout(text: str, default: str) -> _Layout:
    raws = SEPARATOR.split(text)
    own = SEPARATOR.findall(text)
    head = raws[0][: len(raws[0]) - len(raws[0].lstrip())] if raws[0].strip() else ""
    raws[0] = raws[0][len(head) :]
    tail = raws[-1][len(raws[-1].rstrip()) :] if raws[-1].strip() else ""
    raws[-1] = raws[-1][: len(raws[-1]) - len(tail)]
    separator = own[0] if len(set(own)) == 1 else default
    behind = [*own, separator]
    pieces = [(raw, unify_newlines(raw).strip(), sep) for raw, sep in zip(raws, behind, strict=True)]
    return _Layout(head, pieces, tail, separator)


def _rearranged(pieces: Sequence[tuple[str, str, str]], order: Sequence[str]) -> list[tuple[str, str, str]]:
    """Put the pieces of these entries into another order, each as it is written; everything else keeps its place."""
    written = {entry: raw for raw, entry, _ in reversed(pieces)}  # of a repeat the first one counts
    coming, left = iter(order), set(order)
    moved: list[tuple[str, str, str]] = []
    for raw, entry, behind in pieces:
        if entry in left:
            left.discard(entry)
            following = next(coming)
            moved.append((written[following], following, behind))
        else:
            moved.append((raw, entry, behind))
    return moved


def _with_newline(entry: str, newline: str) -> str:
    return entry if newline == "\n" else entry.replace("\n", newline)


def _reshape(raw: str, entry: str, newline: str) -> str:
    """Put new text where an old entry stood, keeping the white space around it inside its piece."""
    start = len(raw) - len(raw.lstrip())
    end = len(raw.rstrip())
    return raw[:start] + _with_newline(entry, newline) + raw[end:]


class _GapPlan(Struct, frozen=True):
    front: tuple[str, ...]
    swaps: dict[str, str]
    after: dict[str, tuple[str, ...]]


def _gap_plan(old: tuple[str, ...], wanted: tuple[str, ...], kept: set[str]) -> _GapPlan:
    """Pair what leaves with what comes between two survivors, in order; the surplus is inserted after."""
    swaps: dict[str, str] = {}
    after: dict[str, tuple[str, ...]] = {}
    front: tuple[str, ...] = ()
    for anchor, gone, new in zip(*_gaps(old, wanted, kept), strict=True):
        swaps.update(zip(gone, new, strict=False))
        surplus = tuple(new[len(gone) :])
        if surplus:
            last = gone[-1] if gone else anchor
            if last is None:
                front = surplus
            else:
                after[last] = surplus
    return _GapPlan(front, swaps, after)


def _gaps(
    old: tuple[str, ...], wanted: tuple[str, ...], kept: set[str]
) -> tuple[list[str | None], list[list[str]], list[list[str]]]:
    """Return, for the start and for each survivor, the entries that follow it before the next survivor."""

    def runs(entries: tuple[str, ...]) -> tuple[list[str | None], list[list[str]]]:
        anchors: list[str | None] = [None]
        groups: list[list[str]] = [[]]
        for entry in entries:
            if entry in kept:
                anchors.append(entry)
                groups.append([])
            else:
                groups[-1].append(entry)
        return anchors, groups

    anchors, gone = runs(old)
    _, new = runs(wanted)
    return anchors, gone, new
