"""Words for reading aloud: ages, sizes, texts and what became of entries, in sentences without signs.

Here: sentences, composed of shown text; each line of a text of the store stands behind a label, so that none can be
taken for ours. Not here: one whole item (``item``), printing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from curator_tui.core.changes import Applied, NotApplied, Receipt
from curator_tui.core.counting import counted
from curator_tui.core.diffs import EntryDiff, entry_diff
from curator_tui.core.documents import FILE_NAMES, TARGETS, Presence, Standing, Target, pressure, standing
from curator_tui.core.endings import Ending
from curator_tui.core.preflight import DocumentOutcome, Snapshot, State
from curator_tui.core.requests import Kind
from curator_tui.core.text import one_line, visible
from curator_tui.core.word_diffs import Span, word_diff

_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))
_FULL = {
    "high": ", nearly full: consolidate now",
    "over": ", over its limit: it may only shrink",
}
MEANINGS: Mapping[State, str] = {
    State.READY: "applies cleanly and fits",
    State.NO_CHANGE: "its effect is already there; approving closes it without writing",
    State.LOSSY: "it would drop facts that stand in the same entry",
    State.FLAGGED: "a finding speaks against it",
    State.OVER_LIMIT: "it does not fit",
    State.AMBIGUOUS: "several entries match; pick one",
    State.STALE: "the entry it meant is gone or changed; rebase it, or reject it",
    State.INVALID: "it breaks the contract of a proposal",
    State.UNREADABLE: "it cannot be read",
}
_JOINS = " \t\n,;"  # what stands between the words of a list


def sentence(text: str) -> str:
    """Return a clause as a sentence, whether it ended as one or not."""
    told = text.strip()
    end = "" if told.endswith((".", "!", "?", ":")) else "."
    return f"{told[:1].upper()}{told[1:]}{end}"


def left_words(number: int) -> str:
    """Say how many items still wait."""
    return f"{counted(number, 'item')} left; next opens one." if number else "Nothing waits any more."


def age_words(seconds: float) -> str:
    """Return how long ago something was, in the largest unit that fits, truncated."""
    if seconds < 0:
        return "in the future"
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{counted(int(seconds // size), unit)} ago"
    return "just now"


def labelled(label: str, text: str) -> Iterator[str]:
    """Show a text of the store whole, every line of it behind words of ours."""
    lines = visible(text).split("\n")
    if len(lines) == 1:
        yield f"{label}: {lines[0]}"
        return
    yield f"{label}, {counted(len(lines), 'line')}:"
    yield from (f"  line {number}: {line}" for number, line in enumerate(lines, 1))


def size_words(size: int, limit: int | None) -> str:
    """Return how full a document is."""
    if limit is None:
        return f"{size} characters, its limit is not known"
    full = size * 100 // limit if limit > 0 else 0  # beyond 100 too, which the number in a prompt never is
    return f"{size} of {limit} characters, {full} percent{_FULL.get(pressure(size, limit), '')}"


def standing_lines(sizes: Mapping[Target, Standing]) -> Iterator[str]:
    """Return one sentence per document; one that cannot be read says so and has no size."""
    for target in TARGETS:
        if target not in sizes:
            continue
        part = sizes[target]
        if part.size is None:
            yield sentence(f"{FILE_NAMES[target]} is {part.presence}: {part.trouble}")
        else:
            missing = ", there is no file yet" if part.presence is Presence.MISSING else ""
            yield f"{FILE_NAMES[target]}: {size_words(part.size, part.limit)}{missing}."


def snapshot_lines(snapshot: Snapshot) -> Iterator[str]:
    """Return one sentence per document as it stands."""
    yield from standing_lines({t: standing(snapshot.document(t), snapshot.limits.get(t)) for t in TARGETS})


def outcome_lines(target: Target, part: DocumentOutcome) -> Iterator[str]:
    """Say what a document becomes: sizes, then every entry that changes, before and after."""
    name = FILE_NAMES[target]
    if part.before == part.after:
        yield f"{name} stays as it is: {size_words(part.size_before, part.limit)}."
        return
    yield f"{name} now: {size_words(part.size_before, part.limit)}."
    yield f"{name} afterwards: {size_words(part.size_after, part.limit)}."
    yield from entry_lines(entry_diff(part.before, part.after, part.changed))


def entry_lines(parts: Iterable[EntryDiff]) -> Iterator[str]:
    """Say what happens to the entries of a document; those that stay are counted."""
    same = 0
    for part in parts:
        if part.kind == "same":
            same += 1
        elif part.kind == "added" and part.after is not None:
            yield from labelled("Entry added", part.after)
        elif part.kind == "removed" and part.before is not None:
            yield from labelled("Entry removed", part.before)
        elif part.before is not None and part.after is not None:
            yield "An entry changes."
            yield from changed_lines(part.before, part.after, whole=part.whole)
    if same:
        yield "1 other entry stays as it is." if same == 1 else f"{same} other entries stay as they are."


def changed_lines(before: str, after: str, *, whole: bool = False) -> Iterator[str]:
    """Show both texts of a changed entry, and the words that go and come."""
    yield from labelled("  Before", before)
    yield from labelled("  After", after)
    if whole:
        return
    spans = word_diff(before, after)
    for kind, words in (("gone", "  Words taken out"), ("new", "  Words put in")):
        if found := _runs(spans, kind):
            yield f"{words}: {found}"


def _runs(spans: Sequence[Span], kind: str) -> str:
    runs = (one_line(_bare(span.text)) for span in spans if span.kind == kind and span.text)
    return "; ".join(runs)


def _bare(text: str) -> str:
    """Leave out what only joins words to their neighbours; a run of nothing else is the change itself."""
    return text.strip(_JOINS) or text.strip() or text


def receipt_lines(receipt: Receipt) -> Iterator[str]:
    """Say what became of a request, everything that did not happen with its own reason."""
    for done in (*receipt.applied, *receipt.closed):
        yield f"{_ENDINGS.get(done.ending, str(done.ending)).format(visible(done.id))}{_by(done)}."
    yield from (f"{visible(name)} is back in the queue." for name in receipt.returned)
    yield from (failed_line(one) for one in receipt.not_applied)
    yield from (sentence(f"Note: {note}") for note in receipt.notes)
    if receipt.change is None:
        yield "Nothing was written."
        return
    if receipt.recovered:
        yield "An interrupted change was finished first."
    yield from standing_lines(receipt.sizes)
    yield f"Change {receipt.change}.{_way_back(receipt, receipt.change) if receipt.undoable else ''}"
    if receipt.backup:
        yield "Agents read this at their next session."


def _way_back(receipt: Receipt, change: str) -> str:
    """Say what takes a change back, never a word that would take back another one.

    Without an id undo passes over undos and redos, and takes the newest change behind them.
    """
    if receipt.kind is Kind.UNDO:
        return " Type redo to redo it."
    return f" Type undo {change} to undo it." if receipt.kind is Kind.REDO else " Type undo to undo it."


_ENDINGS: Mapping[Ending, str] = {
    Ending.APPROVE: "Approved {}",
    Ending.EDIT: "Approved your version of {}",
    Ending.REJECT: "Rejected {}",
    Ending.LOG_ONLY: "Closed {} without writing",
    Ending.ALREADY: "Closed {}, already in effect",
    Ending.SUPERSEDED: "Closed {}, superseded",
    Ending.RETURNED: "Returned {}",
    Ending.ADD: "Added entry {}",
    Ending.REPLACE: "Replaced, now entry {}",
    Ending.REMOVE: "Removed entry {}",
    Ending.ROLLBACK: "Rolled back to {}",
    Ending.UNDO: "Undone: change {}",
    Ending.REDO: "Redone: change {}",
    Ending.DEFER: "Deferred {}",
    Ending.REOPEN: "Reopened {}",
    Ending.CHALLENGE: "Disputed an entry: question {}",
    Ending.WITHDRAWN: "Withdrawn: question {}",
    Ending.KEEP: "The entry stays: question {}",
    Ending.CORRECT: "The entry is corrected: question {}",
}


def _by(done: Applied) -> str:
    return f" by {visible(done.by)}" if done.by else ""


def failed_line(failed: NotApplied) -> str:
    """Say why something asked for did not happen."""
    name = f"{visible(failed.id)}, " if failed.id else ""
    return sentence(f"Not applied: {name}{failed.state}: {failed.message}")
