"""Tracing: from ledger rows and the document bytes still kept with them to the steps of each document.

Here: what of the kept bytes is what its row was made of, which state a revert went back to, what stood between two
rows. Not here: what the steps mean for an entry (``trails``, ``origins``), reading any of it (the stores).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import Struct, field

from curator_tui.core.documents import Target, parse
from curator_tui.core.ledger import commitment
from curator_tui.core.recording import CHANGED_OUTSIDE, FIRST_SEEN, OBSERVED
from curator_tui.core.requests import OUTSIDE, REVERTING, Actor, ActorKind, AnswerVerb, Kind
from curator_tui.core.row_form import BoundForm, RowForm
from curator_tui.core.times import known as known_moment
from curator_tui.core.trails import Entries, Step, Way

Kept = Mapping[Target, bytes | None]

_CORRECTIONS = frozenset({"add", "replace", "remove", "move", "tidy"})


class Trace(Struct, frozen=True):
    """One ledger row about documents, with what is still kept of them.

    Attributes:
        row: the row.
        before: bytes right before it (None: there was no file); a document that is missing here is kept no more.
        after: bytes right after it, likewise.
    """

    row: RowForm
    before: Kept = field(default_factory=dict)
    after: Kept = field(default_factory=dict)


def proven(part: BoundForm | None, raw: bytes | None, salt: bytes | None) -> bool:
    """Whether kept bytes may be what a row was made of; without a salt nothing speaks against them."""
    if part is None or (part.absent and raw is None):
        return True
    if part.absent or raw is None:
        return False
    return salt is None or not part.commit or commitment(salt, raw) == part.commit


def moment_of(text: str) -> float | None:
    """Return the moment that a row names, UTC seconds; None where it names none."""
    try:
        return known_moment(datetime.fromisoformat(text).timestamp())
    except (ValueError, OverflowError, OSError):
        return None


def actor_of(row: RowForm) -> Actor:
    """Return who made a row; a kind that nobody knows counts as another program."""
    kinds = {str(kind): kind for kind in ActorKind}
    return Actor(kinds.get(row.actor.kind, ActorKind.OUTSIDE), row.actor.name, row.actor.through)


def steps_of(target: Target, traces: Sequence[Trace], last: Kept) -> list[Step]:
    """Return the steps of one document, oldest first.

    Args:
        target: which document.
        traces: every row that touches a document, oldest first.
        last: the last known bytes of each document, for what the newest step left behind.
    """
    own = [trace for trace in traces if target in trace.row.documents]
    places = _Places(traces)
    steps: list[Step] = []
    following = last
    for trace in reversed(own):
        after = trace.after if target in trace.after else following
        steps.append(_step(target, trace, after, places))
        following = trace.before
    steps.reverse()
    return steps


def _step(target: Target, trace: Trace, after: Kept, places: _Places) -> Step:
    row = trace.row
    observed = row.action in OBSERVED
    return Step(
        row.seq,
        moment_of(row.at),
        row.change,
        _way(row),
        OUTSIDE if observed else actor_of(row),
        _entries(target, trace.before),
        _entries(target, after),
        places.back_to(row),
        bool(row.chosen),
        "replace" in _operations(row),
    )


def _way(row: RowForm) -> Way:
    if row.action == FIRST_SEEN:
        return Way.FIRST_SEEN
    if row.action == CHANGED_OUTSIDE:
        return Way.OUTSIDE
    if row.action in REVERTING:
        return Way.REVERTED
    return Way.CORRECTED if _operations(row) <= _CORRECTIONS else Way.DECIDED


def _operations(row: RowForm) -> set[str]:
    """Return what a person's own change did, by the words of operations; an answer says it in words of its own."""
    if row.action == Kind.ANSWER:
        return {"replace" if row.answer == AnswerVerb.CORRECT else row.answer}
    return set(row.action.split("+"))


def _entries(target: Target, kept: Kept) -> Entries | None:
    if target not in kept:
        return None
    document = parse(target, kept[target])
    return document.entries if document.usable else None


class _Places:
    """Where in the order the states stand that a revert goes back to."""

    def __init__(self, traces: Sequence[Trace]) -> None:
        self._changes = {trace.row.change: trace.row.seq for trace in traces if trace.row.action not in OBSERVED}
        # the image of a first sight shows what that row found, every other one what stood right before its row
        self._images = {
            trace.row.backup: trace.row.seq + (trace.row.action == FIRST_SEEN) for trace in traces if trace.row.image
        }

    def back_to(self, row: RowForm) -> int | None:
        if row.action == Kind.ROLLBACK:
            return self._images.get(row.restored)
        return self._changes.get(row.reverts) if row.reverts else None
