"""Pages about rows of the past: what a change did that took no backup, and how the documents differ between two rows.

Here: the lines, and reading what they need in the clerk's thread. Not here: what going back would do (``going_back``),
columns (``history_rows``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from curator_tui.core.changes import PastChange
from curator_tui.core.documents import Document, Target
from curator_tui.core.errors import CuratorError
from curator_tui.core.reason_words import reason_word
from curator_tui.core.times import utc_words
from curator_tui.curator.deeds import ENDINGS
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import DocumentView, documents_view
from curator_tui.curator.timeline import Moment, Told, standing_at
from curator_tui.tui.actions import key_for, key_out
from curator_tui.tui.facts import age, size_words, summary
from curator_tui.tui.history_rows import Ground, who, words_of_row
from curator_tui.tui.page_lines import BLANK_LINE, Look, Page, PageLine
from curator_tui.tui.pages import document_lines, label_prefix
from curator_tui.tui.shown import Line, Shown, highlighted, message, own, say, shown_line
from curator_tui.tui.words import Names, about_names, item_words, name_of

_LEAD: Line = (own("  "),)


class Compared(NamedTuple):
    """How the documents differ between two rows: from the base to the other, and which both are."""

    base: Moment
    other: Moment
    documents: tuple[DocumentView, ...]
    same: bool


def compare(desk: Desk, moments: Sequence[Moment], base: int, other: int) -> Compared:
    """Compare the documents at two rows.

    Raises:
        CuratorError: the backup of one of them cannot be used.
    """
    before, after = standing_at(desk, moments, base), standing_at(desk, moments, other)
    both: dict[Target, Document] = {target: one for target, one in after.items() if target in before}
    changed: Mapping[Target, Document] = {t: one for t, one in both.items() if one.raw != before[t].raw}
    views = documents_view(before, changed, desk.snapshot().limits)
    return Compared(moments[base], moments[other], views, not changed)


def compared_page(found: Compared, look: Look) -> Page:
    """Return the page of a comparison."""
    if found.same:
        words = own("Both documents are the same at these two rows, byte for byte.")
        return Page("", "", (PageLine((words,), _LEAD),))
    lines = tuple(document_lines(found.documents, look))
    changes = 1 + max((line.change for line in lines if line.change is not None), default=-1)
    return Page("", "", lines, changes)


def sizes_line(documents: Sequence[DocumentView]) -> Line:
    """Return the sizes of documents before and after."""
    line: Line = ()
    for view in documents:
        before = size_words(view.presence, view.outcome.size_before)
        line = (*line, own("{} {} -> {}  ", view.target, before, view.outcome.size_after))
    return line


def about_line(told: Told, ground: Ground) -> PageLine:
    """Say in one line what a row is, by whom and when."""
    at = told.at
    moment = say("{} ago, {}", age(ground.now - at), shown_line(utc_words(at))) if at is not None else say("?")
    undone = own(" (undone)", role="warn") if told.change is not None and told.change.undone_by else own("")
    by = say(", by {}", who(told, ground.you)) if told.change is not None and not told.moment.suffix else Shown("")
    return _line(say("this row"), (own("{}", words_of_row(told)), own("{}, {}", by, moment, role="dim"), undone))


def change_page(told: Told, ground: Ground) -> Page:
    """Return the page of a change that took no backup: it changed no document."""
    change = told.change
    lines = [about_line(told, ground)]
    if change is not None:
        lines += _decisions(told, change)
        lines += _aside(change, {one.id: about_names((one,))[0] for one in told.about if one.id})
        if change.undone_by is not None:
            lines.append(_line(say("undone by"), (own("change {}", shown_line(change.undone_by, 16)),)))
        if change.reverts is not None:
            lines.append(_line(say("reverts"), (own("change {}", shown_line(change.reverts, 16)),)))
        lines.append(_line(say("change"), (own("{}", shown_line(change.id, 16), role="dim"),)))
    ledger = key_for("go.ledger")
    if told.refused:
        note = own("There is nothing to undo; {} says who was refused what, and why.", ledger)
    else:
        keys = key_for("history.revert"), ledger
        note = own("No backup was taken: no document changed. {} undoes this change alone; {} is the ledger.", *keys)
    return Page("", "", (*lines, BLANK_LINE, PageLine((note,), _LEAD)))


def _decisions(told: Told, change: PastChange) -> Iterator[PageLine]:
    for item in change.closed:
        proposal = told.items.get(item.proposal)
        words = item_words(proposal) if proposal is not None else shown_line(item.proposal, 40)
        ending = Shown(ENDINGS.get(item.ending, item.ending))
        yield _line(ending, (own("{}", words),))
        code, note = told.reasons.get(item.proposal, ("", ""))
        if code:
            yield _line(say("reason"), (own("{}", shown_line(reason_word(code), 20)),))
        if note:
            yield _line(say("note"), highlighted(shown_line(note), "text"))
        if proposal is not None:
            yield _line(say("it says"), highlighted(summary(proposal), "text"))
    for item in change.returned:
        proposal = told.items.get(item.proposal)
        words = item_words(proposal) if proposal is not None else shown_line(item.proposal, 40)
        yield _line(say("returned"), (own("{}", words),))


def _aside(change: PastChange, names: Names) -> Iterator[PageLine]:
    for one in change.asides.deferrals:
        until = say("until {}", shown_line(one.until, 12)) if one.until else say("until it is reopened")
        words = say("back in the queue") if one.back else until
        yield _line(say("deferred"), (own("{} {}", name_of(one.proposal, names), words),))
    for dispute in change.asides.challenges:
        entry = shown_line(dispute.entry) if dispute.entry is not None else say("its text is not kept any more")
        yield _line(
            say("disputed"), (own("{} ({}): ", dispute.target, Shown(dispute.why)), *highlighted(entry, "text"))
        )
        if dispute.note:
            yield _line(say("note"), highlighted(shown_line(dispute.note), "text"))
    for answer in change.asides.answers:
        yield _line(say("answered"), (own("{}: {}", name_of(answer.question, names), answer.verb),))


def trouble_page(error: CuratorError) -> Page:
    """Return what stands in the place of a row that cannot be used: why, and the way out."""
    lines = [PageLine((own("{}", message(error.message), role="bad"),), _LEAD)]
    if error.way_out:
        lines.append(PageLine((own("{}", message(error.way_out)),), _LEAD))
    return Page("", "", tuple(lines))


def none_page(*, filtered: bool) -> Page:
    """Return what stands there when no row does, and what to do next."""
    if filtered:
        lines: list[Line] = [(own("No row holds these words."),), (own("{} clears the filter.", key_out()),)]
    else:
        lines = [
            (own("No backup yet: one is taken before every change, so the first decision makes the first."),),
            (own("{} goes to the queue.", key_for("go.review")),),
        ]
    return Page("", "", tuple(PageLine(line, _LEAD) for line in lines))


def _line(label: Shown, body: Line) -> PageLine:
    return PageLine(body, label_prefix(label))
