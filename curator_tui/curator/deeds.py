"""Deeds: what a recorded change did, in the few words that every surface uses for it.

Here: changes that a person made by hand, told apart by what became of the entries, and decisions about items. Not here:
the words that name an item (the surfaces), what a ledger row holds (``core.row_form``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from curator_tui.core.changes import PastChange
from curator_tui.core.documents import parse
from curator_tui.core.endings import SPLIT, Ending, one_deed
from curator_tui.core.requests import Kind
from curator_tui.core.text import visible
from curator_tui.curator.desk import Desk
from curator_tui.curator.ledger_view import own_row

_DONE: Mapping[str, str] = {
    Ending.ADD: "added",
    Ending.REPLACE: "corrected",
    Ending.REMOVE: "removed",
    Ending.MOVE: "moved",
    Ending.TIDY: "tidied",
    SPLIT: "split",
}
_KINDS: Mapping[Kind, str] = {
    Kind.DECIDE: "decided",
    Kind.ROLLBACK: "rolled back",
    Kind.REOPEN: "reopened",
    Kind.UNDO: "an undo",
    Kind.REDO: "a redo",
    Kind.OBSERVE: "first seen",
    Kind.DEFER: "deferred",
    Kind.CHALLENGE: "disputed an entry",
    Kind.ANSWER: "answered a question",
    Kind.IMPORT: "imported",
}
_VERBS: Mapping[Kind, str] = {
    Kind.REOPEN: "reopened",
    Kind.DEFER: "deferred",
    Kind.CHALLENGE: "disputed",
    Kind.ANSWER: "answered about",
}
"""What was done, before the words of what it was done to."""
_REVERTS: Mapping[Kind, str] = {Kind.UNDO: "undid", Kind.REDO: "redid"}
"""What was done to another change, before the words of that change."""
ENDINGS: Mapping[str, str] = {
    Ending.APPROVE: "approved",
    Ending.REJECT: "rejected",
    Ending.EDIT: "approved a version of",
    Ending.ALREADY: "closed",
    Ending.LOG_ONLY: "closed without writing",
}
"""How the item of a decision ended, before the name of the item."""


def deed_with_items(change: PastChange, name: Callable[[str], str]) -> str:
    """Say what a change was; of a decision by its first item, and how many more there were.

    Args:
        change: the change.
        name: the words for an item, from its id.
    """
    if change.kind is not Kind.DECIDE or not change.closed:
        return deed(change)
    first = change.closed[0]
    more = f" and {len(change.closed) - 1} more" if len(change.closed) > 1 else ""
    return f"{ENDINGS.get(first.ending, first.ending)} {name(first.proposal)}{more}"


def deed_about(change: PastChange, names: Sequence[str], action: str = "", *, first: PastChange | None = None) -> str:
    """Say what a change was, by the words of what it was about and how many more there were.

    Args:
        change: the change.
        names: what it was about, in words (see ``row_subjects.meant_by``); without any it is said as :func:`deed` does.
        action: the action of its ledger row, for a change by hand that was listed without its documents.
        first: the change behind an undo or redo (see ``row_subjects.first_of``), by which these are named; else itself.
    """
    if first is not None and first.id != change.id and change.kind in _REVERTS:
        return f"{_REVERTS[change.kind]}: {deed_about(first, names)}"
    by_person = change.kind is Kind.CORRECT
    done = _done_to(change, action)
    if not names or not done:
        return by_hand(action) if by_person and action else deed(change)
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    if by_person:
        return f"{done} {names[0]}{more} by hand"
    return f"{done} {names[0]}{more}{_of_asides(change)}"


def _done_to(change: PastChange, action: str = "") -> str:
    """Return what a change did, before the words of what it did it to; empty where such words are not said of it."""
    if change.kind is Kind.CORRECT:
        return verbs_of(action or _action(change))
    if change.kind is Kind.DECIDE and change.closed:
        return ENDINGS.get(change.closed[0].ending, change.closed[0].ending)
    if change.kind is Kind.DEFER and all(one.back for one in change.asides.deferrals):
        return "took back the deferral of"
    return _VERBS.get(change.kind, "")


def deed_alone(change: PastChange) -> str:
    """Say in a word or two what a change did, where what it did it to stands behind it or elsewhere."""
    return _done_to(change) or deed(change)


def _of_asides(change: PastChange) -> str:
    """Say until when something was deferred, why an entry was disputed, or how a question was answered."""
    asides = change.asides
    if change.kind is Kind.DEFER and asides.deferrals and (until := asides.deferrals[0].until):
        return f" until {visible(until, newlines=False)}"
    if change.kind is Kind.CHALLENGE and asides.challenges:
        return f" ({asides.challenges[0].why})"
    if change.kind is Kind.ANSWER and asides.answers:
        return f": {asides.answers[0].verb}"
    return ""


def deed(change: PastChange) -> str:
    """Say what a change was, without its items."""
    return _KINDS.get(change.kind) or by_hand(_action(change))


def deed_of(desk: Desk, change: PastChange) -> str:
    """Say the same of a change that was listed without its documents: its ledger row tells what was done by hand."""
    if change.kind is not Kind.CORRECT or change.after:
        return deed(change)
    own = own_row(desk, change)
    return by_hand(own.form.action if own is not None else "")


def by_hand(action: str) -> str:
    """Say what a person did by hand, from the action of its ledger row: one word, or several joined by ``+``."""
    return f"{verbs_of(action)} by hand"


def verbs_of(action: str) -> str:
    """Say what the action of a ledger row did to entries: one word, or several joined by ``and``."""
    return " and ".join(dict.fromkeys(_DONE.get(word, "changed") for word in one_deed(action).split("+")))


def _action(change: PastChange) -> str:
    """Return what a change by hand did to the entries; empty where its documents are not at hand."""
    came: Counter[str] = Counter()
    went: Counter[str] = Counter()
    other_order = False
    for target, raw in change.after.items():
        before, after = parse(target, change.before.get(target)), parse(target, raw)
        if not (before.usable and after.usable):
            return ""
        came.update(Counter(after.entries) - Counter(before.entries))
        went.update(Counter(before.entries) - Counter(after.entries))
        other_order = other_order or before.entries != after.entries
    if came and went:
        if came == went:
            return Ending.MOVE
        return SPLIT if went.total() == 1 and came.total() > 1 else Ending.REPLACE
    if came or went:
        return Ending.ADD if came else Ending.REMOVE
    if other_order:
        return Ending.MOVE
    return Ending.TIDY if change.after else ""
