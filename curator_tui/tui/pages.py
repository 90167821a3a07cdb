"""Pages: what the reading pane shows, as lines that can be wrapped, seen and jumped to.

Here: the builders of outcome pages (item, rollback, undo), with entries numbered, words marked and
unchanged entries cut short. Not here: what is said beside the outcome (``facts``), painting (``widgets.reader``), the
comparison itself (``core.diffs``).

A changed line is never shortened: everything that an approval would write or take away can be read in full.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from textual.geometry import Size

from curator_tui.core.operations import Action, Operation
from curator_tui.core.preflight import State
from curator_tui.core.word_diffs import Span
from curator_tui.curator.looking import DocumentView, EntryView, Looked
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import Fact, file_name, raw_text
from curator_tui.tui.gauges import outcome_gauge
from curator_tui.tui.page_lines import Look, Page, PageLine, rule
from curator_tui.tui.shown import (
    EMPTY,
    LONGEST,
    Line,
    Piece,
    Shown,
    highlighted,
    lines_of,
    message,
    own,
    say,
    shown,
    shown_line,
    width_of,
    wrap,
)
from curator_tui.tui.side_by_side import beside, twice

_LABEL = 11
_MOST_LINES, _MOST_TEXT = 6_000, 1_200_000  # nobody reads more; the text of a whole record fits
_ROW_TEXT = 2 * LONGEST  # of what is shown as one row
_REST = Shown("The rest is too long to be shown here; nothing of it changes. On the command line: curator-tui memory")
_TOO_LONG = Shown(
    "This is too long to be shown here: a stays locked. On the command line: curator-tui show, curator-tui approve"
)
_NUMBER = 6


def item_page(looked: Looked, look: Look, details: Sequence[PageLine]) -> Page:
    """Return the page of a waiting item: its outcome, then the details that have no room elsewhere."""
    outcome = capped(document_lines(looked.documents, look) if _has_outcome(looked) else _as_proposed(looked, look))
    rest = [rule(say("details")), *details] if details else []
    raw = looked.item.raw
    if State.UNREADABLE in looked.found.conditions and raw is not None:
        rest += [rule(say("the record as it is")), *_block(raw_text(raw[:4_000]), "dim")]
    changes = 1 + max((line.change for line in outcome if line.change is not None), default=-1)
    return Page(looked.id, looked.digest, (*outcome, *rest), changes)


def capped(lines: Iterable[PageLine]) -> list[PageLine]:
    """Return lines as far as a person may be expected to read them; where a change is left out, it says so for good."""
    kept: list[PageLine] = []
    left = _MOST_TEXT
    rest = iter(lines)
    for line in rest:
        if len(kept) >= _MOST_LINES or left <= 0:
            changes = (one.change for one in chain((line,), rest) if one.change is not None)
            change = next(changes, None)
            words = _REST if change is None else _TOO_LONG
            kept.append(PageLine((own("{}", words, role="warn"),), change=change, more=True))
            break
        kept.append(line)
        left -= sum(len(piece.text) for piece in line.body)
    return kept


def opening_page() -> Page:
    """Return what stands in the place of an item for the moment in which it is read."""
    return Page("", "", (PageLine((own("reading…", role="dim"),), (own("  "),)),))


def empty_page(decided: int, deferred: int = 0, *, filtered: bool, undo: bool = True) -> Page:
    """Return what stands in the place of an item when no row is there: never nothing, and always a next step.

    Args:
        decided: items decided in this session.
        deferred: deferred items.
        filtered: whether rows are left out by a filter.
        undo: whether a change is known that can be undone.
    """
    if filtered:
        lines: list[Line] = [(own("No row holds these words."),), (own("{} clears the filter.", key_for("clear")),)]
    else:
        lines = [
            (own("Nothing waits. ", role="good"), own("{} decided in this session.", decided)),
            EMPTY,
            *(
                [(own("{}  ", key_for("view.deferred"), role="key"), own("lists the {} deferred", deferred))]
                if deferred
                else []
            ),
            *([(own("{}  ", key_for("undo"), role="key"), own("undoes the last change"))] if undo else []),
            (own("{}  ", key_for("go.history"), role="key"), own("history: backups, and how to roll back")),
            (own("{}  ", key_for("go.documents"), role="key"), own("the documents as they are now")),
            (own("{}  ", key_for("quit"), role="key"), own("leaves")),
            EMPTY,
            (
                own(
                    "New writes show up here by themselves. Agents read the documents at their next session.",
                    role="dim",
                ),
            ),
        ]
    return Page("", "", tuple(PageLine(line, (own("  "),)) for line in lines))


def _has_outcome(looked: Looked) -> bool:
    return any(part.outcome.before != part.outcome.after for part in looked.documents)


def document_lines(documents: Sequence[DocumentView], look: Look) -> Iterator[PageLine]:
    """Return the outcome of every document, changes numbered through."""
    look = look.settled(documents)
    first = 0
    for view in documents:
        if len(documents) > 1:
            yield rule(file_name(view.target))
            if look.sizes:
                before, after = outcome_gauge(view)
                yield PageLine((*before, own("  "), *after))
        following = first
        for line in _plain(view) if look.plain else _entries(view.entries, look, first):
            yield line._replace(under=str(view.target))
            following = max(following, line.change + 1) if line.change is not None else following
        first = following


def _plain(view: DocumentView) -> Iterator[PageLine]:
    """Return both texts whole, without marks: before, then after."""
    for number, (words, entries, sign, role) in enumerate(
        ((say("before"), view.outcome.before, "-", "gone"), (say("after"), view.outcome.after, "+", "new"))
    ):
        yield rule(words)
        other = set(view.outcome.after if number == 0 else view.outcome.before)
        for at, entry in enumerate(entries, 1):
            differs = entry not in other
            yield from numbered_lines(shown(entry), at, sign if differs else " ", role if differs else "same",
                                 number if differs else None)  # fmt: skip


def _entries(entries: Sequence[EntryView], look: Look, first: int) -> Iterator[PageLine]:
    changed = [at for at, entry in enumerate(entries) if entry.diff.kind != "same"]
    near = _near(changed, len(entries), look.context)
    hidden = 0
    number = first
    for at, entry in enumerate(entries):
        if entry.diff.kind != "same":
            yield from _gap(hidden, look)
            hidden = 0
            yield from _changed(entry, number, look)
            number += 1
        elif at in near:
            yield from _gap(hidden, look)
            hidden = 0
            yield from map(twice, _standing(entry, look)) if look.split else _standing(entry, look)
        else:
            hidden += 1
    yield from _gap(hidden, look)


def _near(changed: Iterable[int], count: int, context: int | None) -> set[int]:
    if context is None:
        return set(range(count))
    return {near for at in changed for near in range(at - context, at + context + 1)}


def _gap(hidden: int, look: Look) -> Iterator[PageLine]:
    if hidden:
        noun = say("entry") if hidden == 1 else say("entries")
        way = say(" ({} shows more)", key_for("view.context")) if look.key else Shown("")
        yield PageLine((own("... {} unchanged {}{}", hidden, noun, way, role="dim"),), (own("      "),))


def _standing(entry: EntryView, look: Look) -> Iterator[PageLine]:
    diff = entry.diff
    assert diff.after is not None
    assert diff.index_after is not None
    if look.whole:
        yield from numbered_lines(shown(diff.after), diff.index_after + 1, " ", "same", None)
    else:
        whole = len(diff.after) <= _ROW_TEXT
        body = highlighted(shown_line(diff.after if whole else diff.after[:_ROW_TEXT] + "…"), "same")
        yield PageLine(body, _prefix(" ", diff.index_after + 1, "same"), cut=True)


def _changed(entry: EntryView, number: int, look: Look) -> Iterator[PageLine]:
    lines = _unified(entry, number, look)
    return beside(lines) if look.split else lines


def _unified(entry: EntryView, number: int, look: Look) -> Iterator[PageLine]:
    diff = entry.diff
    if diff.kind == "removed":
        assert diff.before is not None
        assert diff.index_before is not None
        yield from numbered_lines(
            _marked(shown(diff.before), "gone_word", look), diff.index_before + 1, "-", "gone", number
        )
    elif diff.kind == "added":
        assert diff.after is not None
        assert diff.index_after is not None
        yield from numbered_lines(
            _marked(shown(diff.after), "new_word", look), diff.index_after + 1, "+", "new", number
        )
    else:
        assert diff.index_before is not None
        assert diff.index_after is not None
        yield from side_lines(entry.spans, "gone", diff.index_before + 1, number, look)
        yield from side_lines(entry.spans, "new", diff.index_after + 1, number, look)


def _marked(text: Shown, role: str, look: Look) -> Shown:
    """Put the signs of a word change around each line of a text, where colours do not tell."""
    if not look.marks:
        return text
    opening, closing = ("[-", "-]") if role == "gone_word" else ("{+", "+}")
    return Shown("\n".join(f"{opening}{part}{closing}" if part else "" for part in text.split("\n")))


def side_lines(spans: Sequence[Span], kind: str, number: int, change: int, look: Look) -> Iterator[PageLine]:
    """Return one side of a changed entry: what stayed and what is gone, or what stayed and what is new."""
    sign = "-" if kind == "gone" else "+"
    for at, row in enumerate(_side_rows(spans, kind, look)):
        yield PageLine(tuple(row), _prefix(sign, None if at else number, kind), change)


def _side_rows(spans: Sequence[Span], kind: str, look: Look) -> Iterator[list[Piece]]:
    row: list[Piece] = []
    for span in spans:
        if span.kind not in {"same", kind}:
            continue
        role = f"{kind}_word" if span.kind == kind else kind
        text = _marked(shown(span.text), role, look) if span.kind == kind else shown(span.text)
        for at, line in enumerate(lines_of(text, role)):
            if at or sum(len(piece.text) for piece in row) > LONGEST:
                yield row
                row = []
            row.extend(line)
    yield row


def numbered_lines(text: Shown, number: int | None, sign: str, role: str, change: int | None) -> Iterator[PageLine]:
    """Return the lines of one text behind its sign and number; those with a change number have to be seen."""
    for at, line in enumerate(lines_of(text, role)):
        yield PageLine(line, _prefix(sign, None if at else number, role), change)


def _prefix(sign: str, number: int | None, role: str) -> Line:
    count = str(number) if number is not None else ""
    return (own("{} {}", Shown(sign), Shown(f"{count:<{_NUMBER - 2}}"), role=role),)


def _as_proposed(looked: Looked, look: Look) -> Iterator[PageLine]:
    """Return a proposal without an outcome as it was written, and what stands in its way."""
    operations = looked.found.proposal.operations
    for number, operation in enumerate(operations):
        yield rule(say("{} in {}", operation.action, file_name(operation.target)))
        place = f"{operation.action} in {operation.target}"
        yield from (line._replace(under=f"{place}, {line.under}") for line in _fields(operation, number))
    if looked.nearest:
        yield rule(say("the nearest entry, if it took this text"))
        yield from side_lines(looked.nearest, "gone", 1, len(operations), look)
        yield from side_lines(looked.nearest, "new", 1, len(operations), look)
    if looked.found.candidates:
        yield rule(say("entries that match"))
        matching = len(looked.found.candidates) - looked.found.alike
        for number, text in enumerate(looked.found.candidates, 1):
            if number == matching + 1:
                yield rule(say("alike, but for typography or case"))
            yield from numbered_lines(shown(text), number, " ", "text", None)
    problem = looked.found.proposal.problem
    if not operations and problem is not None:
        yield PageLine((own("{}", message(problem.message), role="bad"),), change=0)


def _fields(operation: Operation, number: int) -> Iterator[PageLine]:
    standing = operation.pin or operation.match
    if standing is not None:
        words = say("meant") if operation.pin else say("matches")
        yield from _labelled(words, shown(standing), "gone", number)
    if operation.content is not None:
        label = say("adds") if operation.action is Action.ADD else say("becomes")
        yield from _labelled(label, shown(operation.content), "new", number)


def _labelled(label: Shown, text: Shown, role: str, change: int | None) -> Iterator[PageLine]:
    for at, line in enumerate(lines_of(text, role)):
        yield PageLine(line, label_prefix(Shown("") if at else label), change, under=label)


def label_prefix(label: Shown) -> Line:
    """Return a label as the prefix of a line."""
    return (own("{}", Shown(f" {label:<{_LABEL - 1}} "), role="label"),)


def fact_lines(found: Iterable[Fact]) -> Iterator[PageLine]:
    """Return facts as lines with their labels before them."""
    before = ""
    for fact in found:
        yield PageLine(fact.body, label_prefix(fact.label if fact.label != before else Shown("")))
        before = fact.label


def split_facts(told: Sequence[Fact], size: Size) -> tuple[list[PageLine], list[PageLine]]:
    """Divide facts between the pane below the page and the page itself, each whole and in one of them.

    Only the first, the one that says most, stands below in any case: cut to one row where it is longer than the pane.
    """
    below: list[Fact] = []
    rest: list[Fact] = []
    left = size.height
    room = max(size.width - 1 - width_of(label_prefix(Shown(""))), 1)
    for fact in told:
        rows = len(wrap(fact.body, room))
        (below if rows <= left else rest).append(fact)
        left -= rows if rows <= left else 0
    if rest and rest[0] is told[0] and size.height:
        return [line._replace(cut=True) for line in fact_lines(told[:1])], list(fact_lines(told))
    return list(fact_lines(below)), list(fact_lines(rest))


def _block(text: Shown, role: str) -> Iterator[PageLine]:
    for line in lines_of(text, role):
        yield PageLine(line)


def text_lines(text: str, role: str = "text") -> list[PageLine]:
    """Return data as unnumbered lines."""
    return list(_block(shown(text), role))
