"""How alike texts are: near-duplicates, matches that fail by typography, the entry nearest to a lost anchor.

Not here: whether two alike entries are the same fact, an update or a contradiction (the relation
classifier). A high figure never means "same": contradictions ("40 a minute", "60 a minute") score higher
than honest duplicates (measured, ``libraries`` 3.2).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from curator_tui.core.normal import normal

MAX_LENGTH: Final = 10_000
"""Characters of a text that count for its likeness: five times a scope's usual limit, and bounded in time."""

NEAR_SCORE: Final = 65.0
"""Likeness (0 to 100) from which an entry is offered in place of one that is gone."""

_HEAD: Final = 1_000  # characters of a text that count for the nearest entry
_SHORTEST: Final = 4  # characters of an anchor from which finding it inside an entry says something
_INSIDE_SCORE: Final = 75.0  # likeness of an anchor and a place inside an entry from which it counts
_PART: Final = 64  # characters of an anchor that is looked for inside entries: one machine word, fast
_SCANNED: Final = 400_000  # characters of entries looked at for the nearest one

_SIGNS: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′ʼ´`＇", "'"),
        **dict.fromkeys("“”„‟″«»＂", '"'),
        **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
        "…": "...",
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", None),  # nothing a reader sees
    }
)
_BLANKS = re.compile(r"\s+")  # any run of blanks: no-break, narrow, ideographic, tab, line end


def similar(a: str, b: str) -> float:
    """Likeness of two texts, 0 to 100, whatever their case, punctuation and word order.

    The better of two figures: of all words in sorted order, and of the shared words against each side's
    rest. So a text whose words all stand in the other one scores 100. From about 78 a pair is worth a look
    (``libraries`` 3.2).
    """
    from rapidfuzz import fuzz, utils  # ten milliseconds of a start that often needs none of it

    one, two = utils.default_process(a[:MAX_LENGTH]), utils.default_process(b[:MAX_LENGTH])
    if not one or not two:
        return 100.0 if a.strip() == b.strip() else 0.0
    return max(fuzz.token_sort_ratio(one, two), fuzz.token_set_ratio(one, two))


def fold(text: str) -> str:
    """A text without typography: one kind of quote, dash and blank, composed letters, no case, no invisibles.

    Only what an agent loses when it copies a text is folded: letters of different scripts stay different.
    """
    composed = normal("NFC", text.translate(_SIGNS)).casefold()
    return _BLANKS.sub(" ", normal("NFC", composed)).strip()


def near_typography(match: str, entries: Sequence[str]) -> tuple[str, ...]:
    """The entries that do not hold the match but would if typography did not count, in order.

    They explain a stale item ("differs only in typography") and complete the choice for an ambiguous one.
    They are never matches: the person picks.
    """
    wanted = fold(match)
    exact = match.strip()
    if not wanted:
        return ()
    return tuple(entry for entry in entries if exact not in entry and wanted in fold(entry))


def nearest(texts: Sequence[str], entries: Sequence[str]) -> tuple[str, float] | None:
    """The entry nearest to what a stale operation speaks of, with its likeness (0 to 100), or None.

    Args:
        texts: what the operation gives: its match, and its content if it has one.
        entries: the entries that stand now.

    A text is compared as a whole, word order aside; a short one is also looked for inside each entry, as an
    anchor is. Only the beginnings of long texts count, so that no text can make the screen wait.
    """
    from rapidfuzz import utils

    wanted = [folded for text in texts if (folded := utils.default_process(text[:_HEAD]))]
    best: tuple[str, float] | None = None
    cutoff = NEAR_SCORE
    scanned = 0
    for entry in entries:
        folded = utils.default_process(entry[:_HEAD])
        scanned += len(folded)
        if scanned > _SCANNED:
            break
        score = max((_nearness(text, folded, cutoff) for text in wanted), default=0.0)
        if score > cutoff or (best is None and score >= cutoff):
            best, cutoff = (entry, score), score
    return best


def _nearness(text: str, entry: str, cutoff: float) -> float:
    """How near a folded text is to a folded entry; 0 below the cutoff."""
    from rapidfuzz import fuzz

    score = fuzz.token_sort_ratio(text, entry, score_cutoff=cutoff)
    if _SHORTEST <= len(text) <= _PART and len(text) < len(entry):
        inside = 0.95 * fuzz.partial_ratio(text, entry, score_cutoff=max(cutoff, _INSIDE_SCORE))
        score = max(score, inside if inside >= cutoff else 0.0)
    return score
