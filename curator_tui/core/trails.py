"""Trails: how the entries of one document came and went, step by step, as far as that is recorded.

Here: the steps, and the walk over them that says for each entry which step brought it. Not here: who proposed what such
a step wrote (``origins``), where the texts of a step are kept (the stores).

A revert brings nothing new: what it lets stand again came where it first came from. And where the text of a step is
gone, nobody can tell what it brought; then an entry's step is unknown, and never a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct

from curator_tui.core.requests import Actor

Entries = tuple[str, ...]


class Way(StrEnum):
    """By what kind of step a document came to stand otherwise."""

    DECIDED = "decided"
    CORRECTED = "corrected"
    REVERTED = "reverted"
    OUTSIDE = "outside"
    FIRST_SEEN = "first seen"


class Step(Struct, frozen=True):
    """One recorded step of one document.

    Attributes:
        seq: sequence number of its ledger row; order comes from here.
        at: clock of that row, UTC seconds; None when it names no moment. What others wrote, they wrote by then.
        change: id of the change the row is of.
        way: what kind of step it was.
        actor: who made it.
        before: the entries right before it; None where nobody can tell any more.
        after: the entries right after it, likewise.
        back_to: for a revert: entries return as they stood right before this sequence number; None when not known.
        chosen: for a revert: whether a person chose texts for it, which may be new ones.
        replaces: for a correction: whether it put a text in the place of another one.
    """

    seq: int
    at: float | None
    change: str
    way: Way
    actor: Actor
    before: Entries | None
    after: Entries | None
    back_to: int | None = None
    chosen: bool = False
    replaces: bool = False


class Came(Struct, frozen=True):
    """How an entry came to stand: the step that brought it and what stood before; ``step`` is None for unknown."""

    step: Step | None = None
    before: Entries = ()


UNKNOWN = Came()


class Trail:
    """The walk over the steps of one document, oldest first."""

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        self._now: dict[str, Came] | None = None
        self._past: dict[str, list[tuple[float, Came | None]]] = {}
        for step in steps:
            self._walk(step)

    @property
    def now(self) -> Entries | None:
        """The entries that stand after the last step; None where nobody can tell."""
        return None if self._now is None else tuple(self._now)

    def came(self, text: str) -> Came | None:
        """Return how an entry that stands now came there; None for one that no step knows of."""
        if self._now is None:
            return UNKNOWN
        return self._now.get(text)

    def came_before(self, text: str, seq: int) -> Came | None:
        """Return how an entry that stood right before a sequence number had come there; None when it did not stand."""
        found: Came | None = None
        for moment, came in self._past.get(text, ()):
            if moment >= seq:
                break
            found = came
        return found

    def ever(self, text: str) -> Sequence[Came]:
        """Return every known coming of a text, oldest first."""
        return [came for _, came in self._past.get(text, ()) if came is not None]

    def _walk(self, step: Step) -> None:
        before = step.before if step.before is not None else self.now
        if before is not None:
            self._settle(before, step.seq - 0.5)  # behind the row before, in front of this one
        if step.after is None or before is None:
            self._lose(step)
            return
        standing = self._now or {}
        self._put({text: standing.get(text) or self._coming(text, step, before) for text in step.after}, step.seq)

    def _settle(self, entries: Entries, moment: float) -> None:
        """Take note of what stands there although no step brought it."""
        standing = self._now or {}
        self._put({text: standing.get(text, UNKNOWN) for text in entries}, moment)

    def _lose(self, step: Step) -> None:
        """Forget where anything came from: it may have gone and come back in this step."""
        entries = step.after if step.after is not None else ()
        for text in self._past:
            self._past[text].append((step.seq, UNKNOWN))
        self._now = None
        if step.after is not None:
            self._put(dict.fromkeys(entries, UNKNOWN), step.seq)

    def _put(self, entries: dict[str, Came], moment: float) -> None:
        standing = self._now or {}
        for text, came in entries.items():
            if standing.get(text) is not came:
                self._past.setdefault(text, []).append((moment, came))
        for text in standing:
            if text not in entries:
                self._past[text].append((moment, None))
        self._now = entries

    def _coming(self, text: str, step: Step, before: Entries) -> Came:
        """Return how a text came that did not stand before a step."""
        if step.way is Way.FIRST_SEEN:
            return UNKNOWN
        if step.way is not Way.REVERTED:
            return Came(step, before)
        if step.back_to is not None and (found := self.came_before(text, step.back_to)) is not None:
            return found
        ever = set(map(id, self.ever(text)))
        if len(ever) == 1:
            return self.ever(text)[0]
        return Came(step, before) if step.chosen and not ever else UNKNOWN
