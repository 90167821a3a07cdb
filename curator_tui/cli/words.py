"""Words: how documents, receipts and changes are said in the text form of the command line.

Here: lines, composed of shown text. Not here: one waiting item (``item_words``), JSON (``shapes``), printing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from curator_tui.cli.tables import block, shown_block, table
from curator_tui.core.changes import Applied, NotApplied, Receipt
from curator_tui.core.diffs import EntryDiff, entry_diff
from curator_tui.core.documents import (
    FILE_NAMES,
    TARGETS,
    Document,
    Presence,
    Standing,
    Target,
    parse,
    percent,
    pressure,
    standing,
)
from curator_tui.core.preflight import Snapshot
from curator_tui.core.requests import REVERTING, Kind
from curator_tui.core.text import visible
from curator_tui.core.word_diffs import word_diff

_BAR = 20
_PRESSURE = {
    "ok": "",
    "high": "! nearly full: consolidate now",
    "over": "!! over its limit: it may only shrink",
    "unknown": "? its limit is not known",
}
_MARKS = {"same": ("", ""), "gone": ("[-", "-]"), "new": ("{+", "+}")}


def gauge(size: int, limit: int | None) -> str:
    """Return how full a document is: a bar, the percentage, both numbers, and a word from 80 % on."""
    word = _PRESSURE[pressure(size, limit)]
    if limit is None:
        return f"{size}/?  {word}"
    full = percent(size, limit)
    bar = "#" * (full * _BAR // 100)
    return f"[{bar:.<{_BAR}}] {full:>3} %  {size}/{limit}  {word}".rstrip()


def gauges(snapshot: Snapshot) -> Iterator[str]:
    """Return one line per document."""
    yield from size_lines({t: standing(snapshot.document(t), snapshot.limits.get(t)) for t in TARGETS})


def size_lines(sizes: Mapping[Target, Standing]) -> Iterator[str]:
    """Return one line per document; one that cannot be read says so and shows no bar."""
    for target in TARGETS:
        if target in sizes:
            yield f"{FILE_NAMES[target]:<9} {_standing(sizes[target])}"


def _standing(part: Standing) -> str:
    if part.size is None:
        return f"{part.presence}: {part.trouble}"
    missing = "  (no file yet)" if part.presence is Presence.MISSING else ""
    return f"{gauge(part.size, part.limit)}{missing}"


def receipt_lines(
    receipt: Receipt, failed: Sequence[NotApplied], *, would: bool = False, named: Mapping[str, str] | None = None
) -> Iterator[str]:
    """Return what became of a request, each thing that did not happen with its own reason.

    Args:
        receipt: what the store answered.
        failed: everything that did not happen.
        would: True for a preview.
        named: by id, the words of items that are known, as shown text.
    """
    verb = "would apply" if would else "applied"
    rows = [(verb, done.id, "", _ending(done)) for done in receipt.applied]
    rows += [("closed", done.id, "", _ending(done)) for done in receipt.closed]
    if receipt.kind in REVERTING:
        back = "would return" if would else "returned"
        rows += [(back, name, "", "to the queue") for name in receipt.returned]
    rows += [("not applied", one.id, one.state, one.message) for one in failed]
    words = named or {}
    yield from table(
        [(what, visible(name), state, f"{how}  {words.get(name, '')}".rstrip()) for what, name, state, how in rows]
    )
    yield from (f"note: {note}" for note in receipt.notes)
    yield from size_lines(receipt.sizes)
    if receipt.kind is Kind.CORRECT and receipt.applied and receipt.change is None and not would:
        yield "Nothing was to do: memory holds that entry already."
        return
    yield _total(receipt, len(failed), would=would)
    if receipt.recovered:
        yield "An interrupted change was finished first."
    if receipt.change is not None:
        backup = f", backup {receipt.backup}" if receipt.backup else ""
        hint = f" Undo it with: curator-tui undo {receipt.change}" if receipt.undoable else ""
        yield f"Change {receipt.change}{backup}.{hint}"
    if receipt.digest and (would or receipt.moved):
        yield f"digest {receipt.digest}"
    if receipt.applied and receipt.backup and not would:
        yield "Agents read this at their next session."


def _ending(done: Applied) -> str:
    return f"{done.ending} by {visible(done.by)}" if done.by else str(done.ending)


def _total(receipt: Receipt, failed: int, *, would: bool) -> str:
    """Say how much of a request took effect; a revert counts as one thing, and what cannot come back with it apart."""
    done = len(receipt.applied) + (0 if receipt.kind in REVERTING else len(receipt.closed))
    return f"{done} {'would be applied' if would else 'applied'}, {failed} not applied."


def three_texts(receipt: Receipt) -> Iterator[str]:
    """Show the entries that moved on since the change to be reverted: before it, after it, and now."""
    for part in receipt.moved_on:
        yield f"{part.pair + 1}. An entry of {FILE_NAMES[part.target]} changed after that change:"
        for name, text in (("before", part.before), ("after", part.after), ("now", part.now)):
            yield from block("(not there)" if text is None else text, f"   {name:<7}")


def diff_lines(parts: Iterable[EntryDiff]) -> Iterator[str]:
    """Show what happened to the entries of a document; words of a changed one marked, the rest counted."""
    same = 0
    for part in parts:
        if part.kind == "same":
            same += 1
        elif part.kind == "changed" and not part.whole:
            assert part.before is not None
            assert part.after is not None
            yield from changed_lines(part.before, part.after)
        else:
            if part.before is not None:
                yield from block(part.before, "  - ")
            if part.after is not None:
                yield from block(part.after, "  + ")
    if same:
        yield "    1 entry stays as it is" if same == 1 else f"    {same} entries stay as they are"


def document_lines(before: Mapping[Target, bytes | None], after: Mapping[Target, bytes | None]) -> Iterator[str]:
    """Show what becomes of each document, from its bytes before and after (None: it is not there)."""
    for target, raw in after.items():
        now, then = parse(target, before[target]), parse(target, raw)
        yield f"{FILE_NAMES[target]} {standing_words(now)} -> {standing_words(then)}"
        if now.usable and then.usable:
            yield from diff_lines(entry_diff(now.entries, then.entries))


def standing_words(document: Document) -> str:
    """Return the size of a document, or why it has none."""
    return str(document.size) if document.presence == "present" else str(document.presence)


def changed_lines(before: str, after: str, first: str = "  ~ ") -> Iterator[str]:
    """Show one changed entry: ``[-gone-]`` and ``{+new+}`` words in place."""
    marked = "".join(
        visible(span.text).join(_MARKS[span.kind]) if span.text else "" for span in word_diff(before, after)
    )
    yield from shown_block(marked.split("\n"), first)
