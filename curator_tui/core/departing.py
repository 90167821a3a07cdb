"""Departing: a record that leaves the queue with a change, and what its row and the answer say of what is kept of it.

Here: one record of a decision or of a redo, as the change holds it and as the row binds it; how one that left before
was decided. Not here: whether its bytes may be kept (``keeping``), which records leave (``settling``, ``reverts``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from curator_tui.core.actors import actor_words
from curator_tui.core.changes import Closed, Decided, Waiting
from curator_tui.core.documents import Target
from curator_tui.core.endings import Ending
from curator_tui.core.keeping import Unkept, why_unkept
from curator_tui.core.ledger import committed, item_name
from curator_tui.core.recording import Recorder, record_salt
from curator_tui.core.requests import Actor
from curator_tui.core.text import visible
from curator_tui.core.times import utc_words


class Departing(Struct, frozen=True):
    """One record that leaves the queue: what waited, how it ends, and why nothing of it is kept (None: it is)."""

    waiting: Waiting
    targets: tuple[Target, ...]
    ending: Ending
    unkept: Unkept | None

    @property
    def id(self) -> str:
        """Item id."""
        return self.waiting.proposal.id

    def closed(self) -> Closed:
        """Return it as the change holds it."""
        keep = self.waiting.raw if self.unkept is None else None
        return Closed(self.id, self.waiting.proposal.digest, self.ending, keep, self.targets)

    def record_part(self, recorder: Recorder) -> dict[str, Any]:
        """Return what the row holds of its bytes."""
        raw = self.waiting.raw
        if self.unkept is not None or raw is None:
            return {"size": self.waiting.proposal.size if raw is None else len(raw), "kept": False}
        return committed(recorder.salt(record_salt(item_name(self.id))), raw, len(raw))


def departing(waiting: Waiting, targets: tuple[Target, ...], ending: Ending, standing: Sequence[str]) -> Departing:
    """Return a record on its way out of the queue.

    Args:
        waiting: it, as it waits.
        targets: documents it names.
        ending: how it ends.
        standing: the entries of both documents before the change and after it.
    """
    return Departing(waiting, targets, ending, why_unkept(waiting.raw, waiting.proposal, standing))


def unkept_ids(parts: Iterable[Departing]) -> tuple[str, ...]:
    """Return the items of which nothing is kept."""
    return tuple(part.id for part in parts if part.unkept is not None)


def unkept_notes(parts: Iterable[Departing]) -> tuple[str, ...]:
    """Say of which items nothing is kept, and why."""
    return tuple(
        f"{visible(part.id, newlines=False)} {part.unkept}: nothing of it was kept, so it cannot come back"
        for part in parts
        if part.unkept is not None
    )


def decided_words(decided: Decided, you: Actor) -> str:
    """Say how, by whom and when a record that does not wait any more was decided."""
    return f"already decided: {decided.ending} by {actor_words(decided.actor, you)} at {utc_words(decided.at)}"
