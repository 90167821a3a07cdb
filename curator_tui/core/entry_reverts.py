"""Entry by entry: what reverting one recorded change makes of the documents as they are now.

Here: which entries a change touched, what has moved on since, the new documents. Not here: whether a revert
may be made and what goes with it (``reverts``), restoring an image (``rollbacks``).

A revert touches only the entries the change touched and leaves everything else alone; where an entry moved on
since, a person picks among three texts. If nothing moved since, the exact old bytes return.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from curator_tui.core.changes import MovedOn, PastChange
from curator_tui.core.diffs import entry_diff
from curator_tui.core.documents import TARGETS, Document, Target, grows_past, parse, size_of
from curator_tui.core.likeness import nearest
from curator_tui.core.operations import Problem, check_content, normalise
from curator_tui.core.preflight import State, findings_of, hard_problem, over_words
from curator_tui.core.splicing import splice


class _Pair(Struct, frozen=True):
    """One entry that a change touched: its text before and after (None: not there)."""

    before: str | None
    after: str | None


class _Part(Struct, frozen=True):
    """What a recorded change did to one document: its entries before and after, and the numbered pairs."""

    target: Target
    before: tuple[str, ...]
    after: tuple[str, ...]
    pairs: tuple[tuple[int, _Pair], ...]


def _parts(change: PastChange) -> tuple[_Part, ...]:
    """Return what a recorded change did, document by document; pairs are numbered through all of them."""
    parts: list[_Part] = []
    count = 0
    for target in TARGETS:
        if target in change.after:
            before = parse(target, change.before.get(target)).entries
            after = parse(target, change.after[target]).entries
            pairs = tuple(enumerate(_pairs(before, after), count))
            count += len(pairs)
            parts.append(_Part(target, before, after, pairs))
    return tuple(parts)


def _pairs(before: tuple[str, ...], after: tuple[str, ...]) -> list[_Pair]:
    """Pair what went with what came in its place; an entry that only moved is in no pair.

    A replace may bring an entire other text, so what went and came between two entries that stayed belongs
    together even where the texts are not alike.
    """
    stood, stands = set(before), set(after)
    pairs: list[_Pair] = []
    gone: list[str] = []
    came: list[str] = []

    def close_run() -> None:
        shared = min(len(gone), len(came))
        pairs.extend(_Pair(old, new) for old, new in zip(gone, came, strict=False))
        pairs.extend(_Pair(old, None) for old in gone[shared:])
        pairs.extend(_Pair(None, new) for new in came[shared:])
        gone.clear()
        came.clear()

    for part in entry_diff(before, after):
        if part.kind == "removed" and part.before is not None and part.before not in stands:
            gone.append(part.before)
        elif part.kind == "added" and part.after is not None and part.after not in stood:
            came.append(part.after)
        elif part.kind in {"same", "changed"}:
            close_run()
            if part.kind == "changed":
                pairs.append(_Pair(part.before, part.after))
    close_run()
    return pairs


class Reverted(Struct, frozen=True):
    """What reverting a change would make of the documents.

    Attributes:
        documents: new bytes per document that changes (None: deleted).
        moved_on: entries for which a person has to choose first.
        chosen: numbers of those whose chosen text was taken.
        problem: why it cannot be done, with its state (a chosen text is invalid, or it would not fit), or
            None.
    """

    documents: Mapping[Target, bytes | None]
    moved_on: tuple[MovedOn, ...]
    chosen: tuple[int, ...] = ()
    problem: tuple[State, Problem] | None = None


def revert_documents(
    change: PastChange,
    documents: Mapping[Target, Document],
    limits: Mapping[Target, int | None],
    takes: Mapping[int, str | None],
) -> Reverted:
    """Work out the documents after a change is reverted entry by entry.

    Args:
        change: the recorded change.
        documents: the documents as they are now.
        limits: limits in code points.
        takes: a person's choice for entries that moved on: the text to stand there (None: none), by pair
            number.
    """
    parts = _parts(change)
    chosen = {number: None if text is None else normalise(text) for number, text in takes.items()}
    invalid = _wrong_choice(chosen, parts, documents)
    if invalid is not None:
        return Reverted({}, (), problem=invalid)
    new: dict[Target, bytes | None] = {}
    moved: list[MovedOn] = []
    taken: list[int] = []
    over: list[str] = []
    for part in parts:
        now = documents[part.target]
        if now.raw == change.after[part.target]:
            if change.before.get(part.target) != now.raw:
                new[part.target] = change.before.get(part.target)
            continue
        entries, stuck, used = _revert_entries(now.entries, part, chosen)
        moved.extend(stuck)
        taken.extend(used)
        if tuple(entries) != now.entries:
            size, limit = size_of(entries), limits.get(part.target)
            if limit is not None and grows_past(now.size, size, limit):
                over.append(over_words(part.target, size, limit))
            new[part.target] = splice(now, entries).raw
    problem = (State.OVER_LIMIT, Problem("over-limit", "; ".join(over))) if over else None
    return Reverted(new, tuple(moved), tuple(taken), problem)


def _wrong_choice(
    chosen: Mapping[int, str | None], parts: Sequence[_Part], documents: Mapping[Target, Document]
) -> tuple[State, Problem] | None:
    """Return what is wrong with a text a person typed; texts that stand or stood there need no check.

    A revert asks no second question, so what a scanner holds back has to come in by a correction, which does.
    """
    known = {text for part in parts for text in (*part.before, *part.after, *documents[part.target].entries)}
    typed = [text for text in chosen.values() if text is not None and text not in known]
    for text in typed:
        if (invalid := check_content(text, own_verb=True)) is not None:
            return State.INVALID, invalid
        if (hard := hard_problem(findings_of(text))) is not None:
            return State.FLAGGED, Problem(hard.code, f"{hard.message}; write it as a correction, which asks about that")
    return None


def _revert_entries(
    now: Sequence[str], part: _Part, chosen: Mapping[int, str | None]
) -> tuple[list[str], list[MovedOn], list[int]]:
    entries = list(now)
    stuck: list[MovedOn] = []
    used: list[int] = []
    moved = _moved(now, part)
    for number, pair in part.pairs:
        if number not in moved:
            _take_back(entries, part.before, pair)
        elif number in chosen:
            _choose(entries, part.before, pair, moved[number], chosen[number])
            used.append(number)
        else:
            stuck.append(MovedOn(number, part.target, pair.before, pair.after, moved[number]))
    return _in_old_order(entries, part), stuck, used


def _in_old_order(entries: list[str], part: _Part) -> list[str]:
    """Put entries that a change had moved into the order they had before it, as far as they still stand in its order.

    Only the places of these entries are filled anew; entries that came or changed since keep theirs.
    """
    both = set(part.before) & set(part.after)
    common = [entry for entry in entries if entry in both]
    if common != [entry for entry in part.after if entry in set(common)]:
        return entries  # somebody put them in another order since
    coming = iter([entry for entry in part.before if entry in set(common)])
    return [next(coming) if entry in both else entry for entry in entries]


def _moved(now: Sequence[str], part: _Part) -> dict[int, str | None]:
    """Return the pairs whose new text is not there any more, each with what seems to stand in its place.

    Only entries that came since are looked at, and each is taken for one pair at most. What is gone without a
    trace and was not there before needs no choice; neither does what stands again as it did before.
    """
    fresh = [entry for entry in now if entry not in {*part.before, *part.after}]
    moved: dict[int, str | None] = {}
    for number, pair in part.pairs:
        if pair.after is None or pair.after in now or (pair.before is not None and pair.before in now):
            continue
        found = nearest([pair.after], fresh)
        if found is not None:
            fresh.remove(found[0])
        if found is not None or pair.before is not None:
            moved[number] = found[0] if found is not None else None
    return moved


def _take_back(entries: list[str], before: Sequence[str], pair: _Pair) -> None:
    """Revert one pair that has not moved on."""
    if pair.after is None or pair.after not in entries:
        if pair.before is not None and pair.before not in entries:
            entries.insert(_place(entries, before, pair.before), pair.before)
    elif pair.before is None or pair.before in entries:
        entries.remove(pair.after)
    else:
        entries[entries.index(pair.after)] = pair.before


def _choose(entries: list[str], before: Sequence[str], pair: _Pair, standing: str | None, wanted: str | None) -> None:
    """Carry out a person's choice for one pair that moved on."""
    if standing is None:
        if wanted is not None and wanted not in entries:
            at = len(entries) if pair.before is None else _place(entries, before, pair.before)
            entries.insert(at, wanted)
    elif wanted is None or (wanted != standing and wanted in entries):
        entries.remove(standing)
    else:
        entries[entries.index(standing)] = wanted


def _place(entries: Sequence[str], before: Sequence[str], text: str) -> int:
    """Return where a removed entry belongs: behind the nearest one that stood before it and still stands."""
    for earlier in reversed(before[: before.index(text)]):
        if earlier in entries:
            return entries.index(earlier) + 1
    return 0
