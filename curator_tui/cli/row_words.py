"""Row words: how a ledger row and its change are said in words, beside the ids and codes that are all it holds itself.

Here: who acted, what the row is about, what a change did. Not here: gathering these texts (``curator.row_subjects``),
whole rows (``ledger``, ``plain.records``).
"""

from __future__ import annotations

from curator_tui.core.actors import actor_words
from curator_tui.core.changes import PastChange
from curator_tui.core.requests import Actor
from curator_tui.core.row_form import ActorForm, RowForm
from curator_tui.core.text import one_line, visible
from curator_tui.curator.deeds import deed_about
from curator_tui.curator.desk import Desk
from curator_tui.curator.row_subjects import HIDDEN, NOT_KEPT, Subject, first_of, meant_by, taken_back

_WORDS = 60


def subject_words(subject: Subject, width: int = _WORDS) -> str:
    """Return the first words of what a row is about, or why there are none."""
    if subject.secret:
        return HIDDEN
    if subject.text is None:
        return NOT_KEPT
    more = f" and {subject.more} more steps" if subject.more > 1 else " and 1 more step" if subject.more else ""
    return f"{one_line(subject.text, width)}{more}"


def deed_in_words(desk: Desk, change: PastChange) -> str:
    """Say what a change was, by the first words of what it was about."""
    about = [one for one in meant_by(desk, change) if one.text is not None or one.id]
    return deed_about(change, [_quoted(one) for one in about], first=first_of(desk, change))


def reverted_words(desk: Desk, form: RowForm) -> str:
    """Say what the row of an undo or redo took back or did again; nothing of any other row."""
    first = taken_back(desk, form)
    return deed_in_words(desk, first) if first is not None else ""


def _quoted(one: Subject) -> str:
    if one.secret:
        return HIDDEN
    return visible(one.id, newlines=False) if one.text is None else f"'{one_line(one.text, _WORDS)}'"


def acted_words(actor: ActorForm, you: Actor) -> str:
    """Say who acted, and through what."""
    through = f" through {visible(actor.through, newlines=False)}" if actor.through else ""
    return f"{actor_words(actor, you)}{through}"
