"""Asides: what changes record beside documents and queue: deferrals, and challenges of entries with their answers.

An aside is one of these and nothing else; what a revert does to them is the business of ``aside_reverts``.

Here: these values and what follows from those in force: what is deferred, which questions are open. Not here: planning
them (``deferrals``, ``challenges``), which changes are in force (the book knows), where they are kept (the stores).

Nothing of this is ever altered or removed. Each belongs to one change and counts as long as that change is in force,
so that an undo, a redo or a rollback of the change is all it takes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from curator_tui.core.documents import Target
from curator_tui.core.reason_words import reason_word
from curator_tui.core.requests import Actor, AnswerVerb, ChallengeCode


class Deferral(Struct, frozen=True):
    """One word on when an item waits again.

    Attributes:
        proposal: item id.
        digest: digest of the record it was said about; of another record it says nothing.
        until: the day the item is back, as ``2026-12-24`` and by the calendar of whoever looks; empty for when it is
            reopened.
        back: whether it brings the item back instead of deferring it.
        change: change id.
        actor: who.
        at: when, UTC seconds.
        undone: whether that change is not in force.
    """

    proposal: str
    digest: str
    until: str
    back: bool
    change: str
    actor: Actor
    at: float
    undone: bool = False

    def holds(self, digest: str, today: str) -> bool:
        """Whether the item is deferred on a day, given the digest of its record as it is now."""
        return self.digest == digest and self.due_after(today)

    def due_after(self, today: str) -> bool:
        """Whether its own day is still to come, or never does."""
        return not self.back and (not self.until or today < self.until)


class Challenge(Struct, frozen=True):
    """One dispute of an entry; a question as long as nobody answered it.

    Attributes:
        question: its id, ``q-`` and 12 hex digits; random.
        target: the document.
        entry: the whole text that is disputed; None when it is not kept any more.
        reason: why.
        note: the person's own words; empty for none, None when they are not kept any more.
        change: change id.
        actor: who disputes it.
        at: when, UTC seconds.
        undone: whether that change is not in force.
        entry_text: id of the kept text of the entry.
        note_text: id of the kept note, or empty.
    """

    question: str
    target: Target
    entry: str | None
    reason: ChallengeCode
    note: str | None
    change: str
    actor: Actor
    at: float
    undone: bool = False
    entry_text: str = ""
    note_text: str = ""

    @property
    def why(self) -> str:
        """The word that a person reads for the reason."""
        return reason_word(self.reason)


class Answer(Struct, frozen=True):
    """One answer to a question: which question, how, and by which change."""

    question: str
    verb: AnswerVerb
    change: str
    actor: Actor
    at: float
    undone: bool = False


class Asides(Struct, frozen=True):
    """Deferrals, challenges and answers, each oldest first."""

    deferrals: tuple[Deferral, ...] = ()
    challenges: tuple[Challenge, ...] = ()
    answers: tuple[Answer, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing."""
        return not (self.deferrals or self.challenges or self.answers)

    def of(self, changes: Collection[str]) -> Asides:
        """Return what these changes recorded."""
        return Asides(
            tuple(one for one in self.deferrals if one.change in changes),
            tuple(one for one in self.challenges if one.change in changes),
            tuple(one for one in self.answers if one.change in changes),
        )

    def after(self, out: Collection[str], restored: Collection[str]) -> Asides:
        """Return the same as it counts once some changes are out of force and others are in it again."""

        def then(change: str, undone: bool) -> bool:
            return change in out or (undone and change not in restored)

        return Asides(
            tuple(replace(one, undone=then(one.change, one.undone)) for one in self.deferrals),
            tuple(replace(one, undone=then(one.change, one.undone)) for one in self.challenges),
            tuple(replace(one, undone=then(one.change, one.undone)) for one in self.answers),
        )

    def latest(self) -> dict[str, Deferral]:
        """Return the newest word on each item, of those that count."""
        return {one.proposal: one for one in self.deferrals if not one.undone}

    def answered(self) -> dict[str, Answer]:
        """Return the newest answer that counts of each question that has one."""
        return {one.question: one for one in self.answers if not one.undone}

    def questions(self) -> tuple[Challenge, ...]:
        """Return the open questions, oldest first."""
        answered = self.answered()
        return tuple(one for one in self.challenges if not one.undone and one.question not in answered)


class AsideRevert(Struct, frozen=True):
    """What a revert does to deferrals and questions.

    Attributes:
        back: deferrals that hold no more, so that their items wait again.
        away: deferrals that hold again.
        opened: questions that are open again.
        answered: questions that are answered again.
        withdrawn: questions of challenges that are not in force any more.
    """

    back: tuple[Deferral, ...] = ()
    away: tuple[Deferral, ...] = ()
    opened: tuple[Challenge, ...] = ()
    answered: tuple[Answer, ...] = ()
    withdrawn: tuple[Challenge, ...] = ()


def revert_asides(asides: Asides, out: Collection[str], restored: Collection[str], today: str) -> AsideRevert:
    """Work out what becomes of deferrals and questions when changes go out of force or come into it again.

    Args:
        asides: all that is recorded, in force or not.
        out: ids of the changes that go out of force.
        restored: ids of those that come into it.
        today: the person's day, as ``2026-12-24``.
    """
    then = asides.after(out, restored)
    held, holding = _putting_off(asides, today), _putting_off(then, today)
    before = {one.question: one for one in asides.questions()}
    after = {one.question: one for one in then.questions()}
    there = {one.question for one in then.challenges if not one.undone}
    answers = then.answered()
    return AsideRevert(
        back=tuple(one for name, one in held.items() if name not in holding),
        away=tuple(one for name, one in holding.items() if name not in held),
        opened=tuple(one for name, one in after.items() if name not in before),
        answered=tuple(answers[name] for name in before if name not in after and name in there),
        withdrawn=tuple(one for name, one in before.items() if name not in there),
    )


def line_of(takebacks: Sequence[tuple[str, Sequence[str]]], change: str) -> frozenset[str]:
    """Return a change, all that it took back, all that those took back, and so on: whose words a revert may move."""
    undone = dict(takebacks)
    line: set[str] = set()
    todo = [change]
    while todo:
        name = todo.pop()
        if name not in line:
            line.add(name)
            todo.extend(undone.get(name, ()))
    return frozenset(line)


def _putting_off(asides: Asides, today: str) -> dict[str, Deferral]:
    return {name: one for name, one in asides.latest().items() if one.due_after(today)}
