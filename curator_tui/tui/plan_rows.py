"""The rows of a plan as the list shows them, the lines about what is left out, the page of both documents.

Here: layout only. Not here: what a plan does (``plan_model``), its locks (``screens.planning``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from curator_tui.core.changes import Ending, NotApplied
from curator_tui.core.documents import percent
from curator_tui.core.preflight import State
from curator_tui.core.review import ALTERNATIVES
from curator_tui.tui.facts import file_name, operation_word, size_words, summary, target_word
from curator_tui.tui.gates import Part
from curator_tui.tui.looking import DocumentView
from curator_tui.tui.pages import BLANK_LINE, Look, Page, PageLine, document_lines, rule
from curator_tui.tui.plan_model import Plan, PlanRow
from curator_tui.tui.shown import Line, Piece, Shown, message, own, padded, say, shown_line

_HOW = 9
_WORDS = {Ending.REJECT: "REJECT", Ending.ALREADY: "close"}


class PlanRows:
    """Rows of one plan; ``mark_of`` says how much of a row was seen: ``*`` all, ``o`` the row, ``.`` nothing yet."""

    def __init__(self, plan: Plan, mark_of: Callable[[int], str]) -> None:
        self._rows: Sequence[PlanRow] = plan.rows
        self._checks = frozenset(plan.checks)
        self._mark_of = mark_of

    def __len__(self) -> int:
        return len(self._rows)

    def selectable(self, index: int) -> bool:
        """Whether there is such a row."""
        return 0 <= index < len(self._rows)

    def row(self, index: int) -> PlanRow | None:
        """Return a row."""
        return self._rows[index] if 0 <= index < len(self._rows) else None

    def place(self, name: str) -> int:
        """Return where an item stands."""
        return next((at for at, row in enumerate(self._rows) if row.id == name), 0)

    def line(self, index: int, width: int) -> Line:
        """Return one row laid out in columns."""
        row = self._rows[index]
        item = row.row
        mark = self._mark_of(index)
        check = own(" check ", role="warn") if row.id in self._checks and mark != "*" else own("       ")
        rejects = row.ending is Ending.REJECT
        how = Shown(_WORDS.get(row.ending, row.ending))
        lead: Line = (
            own(" {} ", Shown(mark), role="dim"),
            *padded((own("{}", how, role="bad" if rejects else "good"),), _HOW),
            *padded((own("{}", operation_word(item.proposal)),), 4),
            *padded((own("{}", target_word(item.proposal), role="dim"),), 6),
            own(" "),
        )
        full = say("{}%", percent(row.size, row.limit)) if row.limit and row.writes else Shown("")
        tail: Line = (check, *padded((own("{}", full, role="dim"),), 5, right=True))
        room = max(width - 3 - _HOW - 11 - 12, 0)
        return (*lead, *padded((Piece(summary(item.proposal)),), room), *tail)


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
    total = own("{} items: {}", len(plan.rows), Shown(", ".join(counts)), role="dim")
    return (total, along)


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
