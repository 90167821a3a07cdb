"""The rows of a plan as the list shows them, the lines about what is left out, the page of both documents.

Here: layout only. Not here: what a plan does (``curator.planning``), its locks (``screens.planning``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from curator_tui.core.changes import NotApplied
from curator_tui.core.documents import percent
from curator_tui.core.endings import Ending
from curator_tui.core.operations import StepResult
from curator_tui.core.preflight import State
from curator_tui.core.review import ALTERNATIVES
from curator_tui.curator.looking import DocumentView
from curator_tui.curator.planning import Plan, PlanRow
from curator_tui.curator.queue_model import Row
from curator_tui.tui.facts import counted, file_name, finding_facts, operation_word, size_words, summary, target_word
from curator_tui.tui.gates import Part
from curator_tui.tui.page_lines import BLANK_LINE, Look, Page, PageLine, rule
from curator_tui.tui.pages import document_lines, fact_lines, numbered_lines
from curator_tui.tui.shown import Line, Piece, Shown, message, own, padded, say, shown, shown_line

_HOW, _NOTE = 9, 10
_WORDS = {Ending.REJECT: "REJECT", Ending.ALREADY: "close"}
_FOUND = {"removes-more": say(" ! loses"), "shrinks": say(" ! shrinks")}


class PlanRows:
    """The list of one plan: its rows, and in their places those that the person left out.

    ``mark_of`` says how much of a row was seen: ``*`` all, ``o`` the row, ``.`` nothing yet.
    """

    def __init__(self, plan: Plan, mark_of: Callable[[int], str]) -> None:
        planned = {row.id: row for row in plan.rows}
        dropped = {row.id: row for row in plan.dropped}
        self._rows: Sequence[PlanRow | Row] = tuple(planned.get(name) or dropped[name] for name in plan.order)
        self._checks = frozenset(plan.checks)
        self._mark_of = mark_of

    def __len__(self) -> int:
        return len(self._rows)

    def selectable(self, index: int) -> bool:
        """Whether there is such a row."""
        return 0 <= index < len(self._rows)

    def row(self, index: int) -> PlanRow | Row | None:
        """Return a row of the plan, or what was left out in its place."""
        return self._rows[index] if 0 <= index < len(self._rows) else None

    def keys(self) -> tuple[str | None, ...]:
        """Return what has to be seen of each row; of what is left out nothing has to."""
        return tuple(f"{row.id} {row.digest}" if isinstance(row, PlanRow) else None for row in self._rows)

    def place(self, name: str) -> int | None:
        """Return where an item stands, None where it is not in the list."""
        return next((at for at, row in enumerate(self._rows) if row.id == name), None)

    def line(self, index: int, width: int) -> Line:
        """Return one row laid out in columns."""
        row = self._rows[index]
        if isinstance(row, PlanRow):
            rejects = row.ending is Ending.REJECT
            how = own("{}", Shown(_WORDS.get(row.ending, row.ending)), role="bad" if rejects else "good")
            note = self._note(row, index)
            full = say("{}%", percent(row.size, row.limit)) if row.limit and row.writes else Shown("")
            mark, item = self._mark_of(index), row.row
        else:
            how, note, full, mark, item = own("left out", role="dim"), own(" by you", role="dim"), Shown(""), " ", row
        lead: Line = (
            own(" {} ", Shown(mark), role="dim"),
            *padded((how,), _HOW),
            *padded((own("{}", operation_word(item.proposal)),), 4),
            *padded((own("{}", target_word(item.proposal), role="dim"),), 6),
            own(" "),
        )
        tail: Line = (*padded((note,), _NOTE), *padded((own("{}", full, role="dim"),), 5, right=True), own(" "))
        room = max(width - 3 - _HOW - 11 - _NOTE - 6, 0)
        return (*lead, *padded((Piece(summary(item.proposal)),), room), *tail)

    def _note(self, row: PlanRow, index: int) -> Piece:
        """Return what there is to a row besides what it does: a finding, which stays when it was opened, or a check."""
        if row.stands_out:
            return own("{}", _FOUND.get(row.found.findings[0].finding.rule, say(" ! finding")), role="warn")
        to_open = row.id in self._checks and self._mark_of(index) != "*"
        return own(" check", role="warn") if to_open else own("")


def parts(first: int, last: int) -> list[Part]:
    """Return a window of rows as a gate counts them: each row is one line of one part."""
    return [(at, 0, 1) for at in range(first, last + 1)]


def left_lines(left: Sequence[NotApplied]) -> list[PageLine]:
    """Return one line per item that is left out, with its reason."""
    lines = []
    for one in left:
        role = one.state if one.state in set(State) else "warn"
        word = Shown(one.state)
        words = message(one.message)
        if one.code == ALTERNATIVES.code:
            word, role = say("wordings"), "note"
        lead = (*padded((own(" {}", word, role=role),), 13), own("{} ", shown_line(one.id, 16), role="dim"))
        lines.append(PageLine((own("{}", words),), lead, cut=True))
    return lines


def row_lines(row: PlanRow, *, marks: bool) -> Iterator[PageLine]:
    """Return the page of one row: what was found about it, then what it does, or the entry that says it already."""
    proposal = row.row.proposal
    yield PageLine((own("{}: ", operation_word(proposal), role="head"), own("{}", summary(proposal))))
    if row.ending is Ending.REJECT:
        yield PageLine((own("it is rejected: nothing of this would be done", role="bad"),))
    yield from fact_lines(finding_facts(row.found))
    if row.ending is Ending.ALREADY:
        yield from _already(row)
    else:
        yield from document_lines(row.documents, Look(marks=marks, key=False))


def _already(row: PlanRow) -> Iterator[PageLine]:
    """Return the entries that say already what a row wants said; like a change, all of it has to be seen."""
    number = 0
    for step in row.found.steps:
        target = step.operation.target
        before = row.found.outcome[target].before
        if step.result is StepResult.ALREADY and step.after in before:
            yield rule(say("says it already, in {}", file_name(target)))
            at = before.index(step.after) + 1
            yield from numbered_lines(shown(before[at - 1]), at, " ", "text", number)
            number += 1


def size_lines(documents: Sequence[DocumentView]) -> Iterator[Line]:
    """Return one line per document that changes: its size before and after, and its limit."""
    for view in documents:
        if view.outcome.before != view.outcome.after:
            yield (own("{}  ", file_name(view.target)), *_sizes(view))


def total_line(plan: Plan) -> Line:
    """Return how many of a plan's items end how, all of them, and what comes along."""
    endings = Counter(row.ending for row in plan.rows)
    written = sum(row.writes for row in plan.rows)
    counts = [say("{} written", written)] if written else []
    if closes := endings[Ending.ALREADY]:
        counts.append(say("{} closed without a write", closes))
    if rejects := endings[Ending.REJECT]:
        counts.append(say("{} rejected", rejects))
    along = own("; {} more closed as repeats", plan.closed, role="dim") if plan.closed else own("")
    if not counts:
        return (own("no item is in it", role="dim"),)
    return (own("{}: {}", counted(len(plan.rows), "item"), Shown(", ".join(counts)), role="dim"), along)


def _sizes(view: DocumentView) -> Line:
    outcome = view.outcome
    of = say("/{}", outcome.limit) if outcome.limit is not None else Shown("")
    before = size_words(view.presence, outcome.size_before)
    if outcome.before == outcome.after:
        return (own("{}{}, unchanged", before, of),)
    growth = outcome.size_after - outcome.size_before
    signed = say("+{}", growth) if growth >= 0 else say("{}", growth)
    return (own("{}{} -> {}{}  ({})", before, of, outcome.size_after, of, signed),)


def result_page(plan: Plan, *, marks: bool) -> Page:
    """Return both documents as they will be, whole, with what goes and what comes marked."""
    look = Look(context=None, marks=marks, key=False, whole=True)
    lines: list[PageLine] = []
    changes = 0
    for view in plan.documents:
        lines += [rule(file_name(view.target)), PageLine(_sizes(view), (own("  "),)), BLANK_LINE]
        if not view.entries:
            lines.append(PageLine((own("no entries", role="dim"),), (own("  "),)))
        for line in document_lines((view,), look):
            lines.append(line._replace(change=line.change + changes) if line.change is not None else line)
        changes = max((line.change + 1 for line in lines if line.change is not None), default=0)
        lines.append(BLANK_LINE)
    return Page("", "", tuple(lines), changes)
