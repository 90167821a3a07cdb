"""Deeds: what a recorded change did, in the few words that every surface uses for it.

Here: changes that a person made by hand, told apart by what became of the entries, and decisions about items. Not here:
the words that name an item (the surfaces), what a ledger row holds (``core.row_form``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from curator_tui.core.changes import PastChange
from curator_tui.core.documents import parse
from curator_tui.core.endings import Ending
from curator_tui.core.requests import Kind
from curator_tui.core.row_form import form_of
from curator_tui.curator.desk import Desk

_DONE: Mapping[str, str] = {
    Ending.ADD: "added",
    Ending.REPLACE: "corrected",
    Ending.REMOVE: "removed",
    Ending.MOVE: "moved",
    Ending.TIDY: "tidied",
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
}
ENDINGS: Mapping[str, str] = {
    Ending.APPROVE: "approved",
    Ending.REJECT: "rejected",
    Ending.EDIT: "approved an edit of",
    Ending.ALREADY: "closed",
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


def deed(change: PastChange) -> str:
    """Say what a change was, without its items."""
    return _KINDS.get(change.kind) or by_hand(_action(change))


def deed_of(desk: Desk, change: PastChange) -> str:
    """Say the same of a change that was listed without its documents: its ledger row tells what was done by hand."""
    if change.kind is not Kind.CORRECT or change.after:
        return deed(change)
    row = next(iter(desk.store.book.rows(change.seq - 1, 1)), None)
    form = form_of(row.body) if row is not None else None
    return by_hand(form.action if form is not None and form.change == change.id else "")


def by_hand(action: str) -> str:
    """Say what a person did by hand, from the action of its ledger row: one word, or several joined by ``+``."""
    words = dict.fromkeys(_DONE.get(word, "changed") for word in action.split("+"))
    return f"{' and '.join(words)} by hand"


def _action(change: PastChange) -> str:
    """Return what a change by hand did to the entries; empty where its documents are not at hand."""
    came: Counter[str] = Counter()
    went: Counter[str] = Counter()
    for target, raw in change.after.items():
        before, after = parse(target, change.before.get(target)), parse(target, raw)
        if not (before.usable and after.usable):
            return ""
        came.update(Counter(after.entries) - Counter(before.entries))
        went.update(Counter(before.entries) - Counter(after.entries))
    if came and went:
        return Ending.MOVE if came == went else Ending.REPLACE
    if came or went:
        return Ending.ADD if came else Ending.REMOVE
    return Ending.TIDY if change.after else ""
