"""Outcome diffs of a document: which entries stayed, came, went or changed, in reading order.

Not here: the words of one changed entry (:mod:`curator_tui.core.word_diffs`), how they are painted (widgets), which
facts a change drops (:mod:`curator_tui.core.losses`).

The diff is of the real outcome, entries before against entries after, never of a match against a content.
Nothing is made visible or escaped: texts are raw and pass through the display filter before they are
painted.
"""

from __future__ import annotations

import bisect
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, Literal

from msgspec import Struct

from curator_tui.core.word_diffs import ascending, comparable

PAIR_SCORE: Final = 55.0
"""Likeness (0 to 100) from which a removed and an added entry of one gap count as one changed entry."""

_ALL_PAIRS: Final = 200  # pairs of one gap up to which every removed entry is compared with every added one
_PAIRINGS: Final = 6_000  # comparisons of entries in one document
_HEAD: Final = 400  # characters of an entry that count when it is compared

EntryKind = Literal["same", "added", "removed", "changed"]


class EntryDiff(Struct, frozen=True):
    """What happened to one entry of a document.

    Attributes:
        kind: ``same``, ``added``, ``removed`` or ``changed``.
        before: the entry before; None for an added one.
        after: the entry after; None for a removed one.
        index_before: its place before, from 0; None for an added one.
        index_after: its place after, from 0; None for a removed one.
        whole: a changed entry too long for a comparison of words: the old text counts as gone, the new one
        as new.
    """

    kind: EntryKind
    before: str | None
    after: str | None
    index_before: int | None
    index_after: int | None
    whole: bool = False


def entry_diff(
    before: Sequence[str], after: Sequence[str], changed: Sequence[tuple[str, str]] = ()
) -> tuple[EntryDiff, ...]:
    """Compare the entries of one document before and after, in reading order of the outcome.

    Args:
        before: the entries before.
        after: the entries after.
        changed: what replacements did, in their order, as (old entry, new entry); these are shown as
        ``changed``.
            Any other removed and added entries at the same place are ``changed`` only if they are similar.

    Every entry before and after appears exactly once. An entry that only moved is removed here and added
    there.
    """
    links = _links(before, after, changed)
    anchors = ascending(links)
    moved = {j: i for i, j in links.items() if before[i] != after[j] and anchors.get(i) != j}
    crossing = set(moved.values())
    result: list[EntryDiff] = []
    left = _PAIRINGS
    i0 = j0 = 0
    for i1, j1 in (*anchors.items(), (len(before), len(after))):
        removed = [i for i in range(i0, i1) if i not in crossing]
        added = [j for j in range(j0, j1) if j not in moved]
        candidates = list(islice(_candidates(len(removed), len(added)), left))
        left -= len(candidates)
        pairs = _similar(before, after, [(removed[r], added[a]) for r, a in candidates])
        result += _gap(before, after, removed, range(j0, j1), moved | pairs)
        if i1 < len(before):
            result.append(_pair(before, after, i1, j1))
        i0, j0 = i1 + 1, j1 + 1
    return tuple(result)


def _links(before: Sequence[str], after: Sequence[str], changed: Sequence[tuple[str, str]]) -> dict[int, int]:
    """For each entry before that is known to live on, as it was or replaced, its place after."""
    origin: dict[str, str] = {}
    for old, new in changed:
        origin[new] = origin.pop(old, old)  # a, then b, then c: what became c is a
    standing = set(before)
    known = {old: new for new, old in origin.items() if new not in standing}
    places: defaultdict[str, deque[int]] = defaultdict(deque)
    for j, entry in enumerate(after):
        places[entry].append(j)
    links: dict[int, int] = {}
    for i, entry in enumerate(before):
        for text in (known.pop(entry, entry), entry):
            if places[text]:
                links[i] = places[text].popleft()
                break
    return links


def _candidates(removed: int, added: int) -> Iterator[tuple[int, int]]:
    """Which removed and added entries of one gap are compared: all of a few, neighbours of many."""
    for r in range(removed):
        middle = r * added // removed
        near = range(added) if removed * added <= _ALL_PAIRS else range(max(0, middle - 3), min(added, middle + 4))
        for a in near:
            yield r, a


def _similar(before: Sequence[str], after: Sequence[str], candidates: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Pairs of similar entries, best first and without crossing, as place after to place before."""
    if not candidates:
        return {}
    from rapidfuzz import fuzz, utils  # ten milliseconds and four megabytes; many a session needs none of it

    folded: dict[str, str] = {}

    def head(text: str) -> str:
        if text not in folded:
            folded[text] = utils.default_process(text[:_HEAD])
        return folded[text]

    scored = []
    for i, j in candidates:
        score = fuzz.token_sort_ratio(head(before[i]), head(after[j]), score_cutoff=PAIR_SCORE)
        if score and head(before[i]):
            scored.append((-score, i, j))
    taken: list[tuple[int, int]] = []
    for _, i, j in sorted(scored):
        at = bisect.bisect_left(taken, (i, j))
        if (at == 0 or (taken[at - 1][0] < i and taken[at - 1][1] < j)) and (
            at == len(taken) or (i < taken[at][0] and j < taken[at][1])
        ):
            taken.insert(at, (i, j))
    return {j: i for i, j in taken}


def _gap(
    before: Sequence[str],
    after: Sequence[str],
    removed: Sequence[int],
    places: range,
    pairs: Mapping[int, int],
) -> Iterator[EntryDiff]:
    """What happened between two anchors: removed entries stand before the added ones of their place."""
    waiting = deque(removed)
    own = frozenset(removed)
    pending: list[EntryDiff] = []
    for j in places:
        i = pairs.get(j)
        if i is None:
            pending.append(EntryDiff("added", None, after[j], None, j))
            continue
        if i in own:
            while (index := waiting.popleft()) != i:
                yield EntryDiff("removed", before[index], None, index, None)
        yield from pending
        pending = []
        yield _pair(before, after, i, j)
    for index in waiting:
        yield EntryDiff("removed", before[index], None, index, None)
    yield from pending


def _pair(before: Sequence[str], after: Sequence[str], i: int, j: int) -> EntryDiff:
    """One entry that lives on."""
    if before[i] == after[j]:
        return EntryDiff("same", before[i], after[j], i, j)
    return EntryDiff("changed", before[i], after[j], i, j, whole=not comparable(before[i], after[j]))
