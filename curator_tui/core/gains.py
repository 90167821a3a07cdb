"""Gains: entries that say what another entry says, so that removing one makes room.

Here: which entries are alike, in what way, and what removing one would save. Not here: deciding (a person does, on the
diff), how alike texts are (``likeness``).

That two entries are alike never means that one of them may go: contradictions look more alike than honest repeats. So
only two relations promise room, and both can be read off the words: the same words, and all words of one in the other,
denials counted. For anything else that is alike it is said in what the two differ, and no room is promised.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import combinations

from msgspec import Struct

from curator_tui.core.documents import DELIMITER
from curator_tui.core.likeness import fold, similar
from curator_tui.core.losses import DENIAL, words

ALIKE: float = 78.0
"""Likeness from which a pair is worth a look."""

_PAIRS = 4_000  # pairs of one document that are compared
_COMMON = 40  # entries that share a word, beyond which the word says nothing
_LONGEST = 4_000  # characters of an entry that is compared
_TOLD = 4  # words that two entries differ in, of which the first are told


class Likeness(StrEnum):
    """In what way two entries are alike."""

    SAME = "the same words"
    WITHIN = "all its words stand in the other"
    ALIKE = "alike, not the same"


class Gain(Struct, frozen=True):
    """A pair of entries of which one may be superfluous.

    Attributes:
        likeness: in what way they are alike.
        drop: the entry that would go.
        keep: the entry that would stay.
        saved: characters that removing it frees, its delimiter included.
        differ: for those that are only alike, words that stand in one of them, of each the first few.
    """

    likeness: Likeness
    drop: str
    keep: str
    saved: int
    differ: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    @property
    def certain(self) -> bool:
        """Whether nothing that the dropped entry says would be missing."""
        return self.likeness is not Likeness.ALIKE


def gains(entries: Sequence[str]) -> tuple[Gain, ...]:
    """Return the pairs of a document that may make room, certain ones first, those that free most at the front.

    Of a very long document not every pair is compared; each entry is dropped by at most one of them.
    """
    bags = [Counter(word.form for word in words(entry[:_LONGEST])) for entry in entries]
    found: dict[str, Gain] = {}
    for one, other in _pairs(bags):
        gain = _gain(entries[one], entries[other], bags[one], bags[other])
        if gain is not None and (gain.drop not in found or (gain.certain and not found[gain.drop].certain)):
            found[gain.drop] = gain
    kept = [gain for gain in found.values() if not (gain.keep in found and found[gain.keep].keep == gain.drop)]
    return tuple(sorted(kept, key=lambda gain: (not gain.certain, -gain.saved, gain.drop)))


def room_in(found: Sequence[Gain]) -> int:
    """Return how many characters the certain ones free together."""
    return sum(gain.saved for gain in found if gain.certain)


def _pairs(bags: Sequence[Counter[str]]) -> Iterator[tuple[int, int]]:
    """Yield pairs that share words, those that share most first, earlier entries first in each."""
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for at, bag in enumerate(bags):
        for form in bag:
            holders[form].append(at)
    shared: Counter[tuple[int, int]] = Counter()
    for form, places in holders.items():
        if form != DENIAL and 1 < len(places) <= _COMMON:
            shared.update(combinations(places, 2))
    yield from (pair for pair, _ in shared.most_common(_PAIRS))


def _gain(earlier: str, later: str, one: Counter[str], other: Counter[str]) -> Gain | None:
    denied = one[DENIAL] == other[DENIAL]
    if fold(earlier) == fold(later) or (one == other and sum(one.values()) > 1):
        drop, keep = (earlier, later) if len(earlier) > len(later) else (later, earlier)
        return Gain(Likeness.SAME, drop, keep, _saved(drop))
    if denied and one and one <= other:
        return Gain(Likeness.WITHIN, earlier, later, _saved(earlier))
    if denied and other and other <= one:
        return Gain(Likeness.WITHIN, later, earlier, _saved(later))
    if similar(earlier[:_LONGEST], later[:_LONGEST]) < ALIKE:
        return None
    differ = tuple(list(one - other)[:_TOLD]), tuple(list(other - one)[:_TOLD])
    return Gain(Likeness.ALIKE, earlier, later, _saved(earlier), differ)


def _saved(entry: str) -> int:
    return len(entry) + len(DELIMITER)
