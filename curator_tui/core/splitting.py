"""Splitting: one entry that a person wrote by hand as a block, taken apart into entries of one fact each.

Here: the ways to cut a text, and the correction that puts the parts where the whole stood. Not here: whether the
result fits (``corrections``). No word of the text is lost: each stands in one of the parts, in the order of the text;
only list marks and white space go. An item of a list is unclear without the heading it stands under, so that comes
before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from msgspec import Struct, field

from curator_tui.core.corrections import Correction
from curator_tui.core.documents import Target, entry_id
from curator_tui.core.operations import Action, Operation, check_content, normalise

MAX_LENGTH = 20_000
"""Characters of a text that is taken apart; a longer one is edited by hand."""

_HEADING = re.compile(r"#{1,6}[ \t]+(?P<words>\S.*)")
_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+(?P<words>\S.*)")
_FENCE = re.compile(r"[ \t]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?:```|~~~)")


class Way(StrEnum):
    """Where a text is cut."""

    HEADINGS = "headings"
    ITEMS = "list items"
    BLANKS = "blank lines"
    LINES = "lines"


class Split(Struct, frozen=True):
    """One way to take a text apart, with the parts it gives, two at least."""

    way: Way
    parts: tuple[str, ...]


def splits(text: str) -> tuple[Split, ...]:
    """Return the ways in which a text can be taken apart, those with the fewest parts first; none for a single fact."""
    if len(text) > MAX_LENGTH:
        return ()
    blocks = _blocks(text)
    tries = {Way.HEADINGS: _by_headings(blocks), Way.BLANKS: _by_blanks(blocks), Way.ITEMS: _by_items(blocks)}
    found: dict[tuple[str, ...], Way] = {}
    for way, parts in tries.items():
        _offer(found, way, parts)
    if not found and not any(map(_FENCE.match, text.split("\n"))):
        _offer(found, Way.LINES, text.split("\n"))
    return tuple(Split(way, parts) for parts, way in sorted(found.items(), key=lambda one: len(one[0])))


def _offer(found: dict[tuple[str, ...], Way], way: Way, texts: Iterable[str]) -> None:
    parts = tuple(dict.fromkeys(part for part in map(normalise, texts) if part))
    if len(parts) > 1 and all(check_content(part, own_verb=False) is None for part in parts):
        found.setdefault(parts, way)


class _Block(Struct):
    """A run of lines that is never cut: a heading, an item of a list with what belongs to it, or a paragraph.

    Attributes:
        lines: as they stand.
        heading: the words of a heading; empty for anything else.
        item: the words of the first line of an item; empty for anything else.
        apart: whether a blank line stands before it.
    """

    lines: list[str] = field(default_factory=list)
    heading: str = ""
    item: str = ""
    apart: bool = False

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def _blocks(text: str) -> list[_Block]:
    """Cut a text into its blocks; what stands in a fence belongs together, whatever it looks like."""
    blocks: list[_Block] = []
    blank, fenced, indent = True, False, 0
    for line in text.split("\n"):
        item = None if fenced else _ITEM.match(line)
        heading = None if fenced else _HEADING.fullmatch(line)
        inner = item is not None and bool(blocks) and bool(blocks[-1].item) and len(item["indent"]) > indent
        if fenced or (blocks and line.strip() and not heading and _goes_on(blocks[-1], line, item, blank, inner=inner)):
            blocks[-1].lines.append(line)
        elif line.strip():
            indent = len(item["indent"]) if item is not None else 0
            blocks.append(
                _Block([line], heading["words"] if heading else "", item["words"] if item else "", apart=blank)
            )
        fenced ^= bool(_FENCE.match(line))
        blank = not line.strip()
    return blocks


def _goes_on(before: _Block, line: str, item: re.Match[str] | None, blank: bool, *, inner: bool) -> bool:
    """Whether a line belongs to the block before it."""
    if before.heading:
        return False
    if item is not None:
        return inner
    if before.item:
        return not blank or line[:1].isspace()
    return not blank


def _joined(blocks: Sequence[_Block]) -> str:
    text = ""
    for at, block in enumerate(blocks):
        text += ("\n\n" if at and block.apart else "\n" if at else "") + block.text
    return text


def _gathered(blocks: Sequence[_Block], starts: Sequence[bool]) -> Iterator[str]:
    """Join blocks from each start to the next; headings alone go with what follows them."""
    part: list[_Block] = []
    for block, start in zip(blocks, starts, strict=True):
        if start and any(not one.heading for one in part):
            yield _joined(part)
            part = []
        part.append(block)
    yield _joined(part)


def _by_headings(blocks: Sequence[_Block]) -> list[str]:
    return list(_gathered(blocks, [bool(block.heading) for block in blocks])) if blocks else []


def _by_blanks(blocks: Sequence[_Block]) -> list[str]:
    return list(_gathered(blocks, [block.apart for block in blocks])) if blocks else []


def _by_items(blocks: Sequence[_Block]) -> list[str]:
    """Make an entry of each item, behind the heading it stands under; what is no item stands as it is."""
    if not any(block.item for block in blocks):
        return []
    parts: list[str] = []
    heading = ""
    used = True
    for block in blocks:
        if block.heading:
            if not used:
                parts.append(heading)  # nothing stands under it
            heading, used = block.heading, False
            continue
        used = True
        text = "\n".join([block.item, *block.lines[1:]]) if block.item else block.text
        parts.append(f"{heading}: {text}" if heading else text)
    return parts if used else [*parts, heading]


def split_correction(entries: Sequence[str], target: Target, text: str, parts: Sequence[str]) -> Correction:
    """Return the correction that puts parts in the place of an entry, all in one change.

    A part that stands as another entry already is not written twice; it keeps its place.
    """
    others = [entry for entry in entries if entry != text]
    new = [part for part in parts if part not in set(others)]
    name = f"split-{entry_id(text)}"
    if not new:
        return Correction((Operation(Action.REMOVE, target, pin=text),), name=name)
    first = [Operation(Action.REPLACE, target, content=new[0], pin=text)] if new[0] != text else []
    adds = [Operation(Action.ADD, target, content=part) for part in new[1:]]
    order = tuple(piece for entry in entries for piece in (new if entry == text else (entry,)))
    return Correction((*first, *adds), {target: order}, name=name)
