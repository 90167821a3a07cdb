"""Words for recorded changes, shared by undo and history. Here: a few words per change. Not here: anything else."""

from __future__ import annotations

from curator_tui.core.changes import Ending, Kind, PastChange
from curator_tui.tui.shown import Shown, say, shown_line

_KINDS = {
    Kind.DECIDE: "decided",
    Kind.CORRECT: "corrected by hand",
    Kind.ROLLBACK: "rolled back",
    Kind.REOPEN: "reopened",
    Kind.UNDO: "an undo",
    Kind.REDO: "a redo",
    Kind.OBSERVE: "first seen",
}
_ENDINGS = {
    Ending.APPROVE: "approved",
    Ending.REJECT: "rejected",
    Ending.EDIT: "approved an edit of",
    Ending.ALREADY: "closed",
}


def change_words(change: PastChange) -> Shown:
    """Say what a recorded change was."""
    if change.kind is not Kind.DECIDE or not change.closed:
        return say("{}", Shown(_KINDS[change.kind]))
    first = change.closed[0]
    more = say(" and {} more", len(change.closed) - 1) if len(change.closed) > 1 else Shown("")
    return say("{} {}{}", Shown(_ENDINGS.get(first.ending, first.ending)), shown_line(first.proposal, 16), more)
