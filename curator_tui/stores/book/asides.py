"""Asides: the tables of deferrals, challenges and answers, written once and never altered.

Here: their statements. Not here: the other tables (``reading``, ``writing``), what follows from what they hold
(``core.asides``). A book of version 1 has none of them, and reading it makes none: then nothing was recorded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from curator_tui.core.asides import Answer, Asides, Challenge, Deferral
from curator_tui.core.documents import Target
from curator_tui.core.requests import Actor, ActorKind, AnswerVerb, ChallengeCode
from curator_tui.core.unbound import RawAside
from curator_tui.stores.book import cells
from curator_tui.stores.book.db import Db, ReadDb, Record
from curator_tui.stores.book.entries import BookEntry
from curator_tui.stores.book.plain import fields_of

# Behind the own columns of each table: who recorded it, when, and whether that is in force.
_DEFERRALS = """
    SELECT x.proposal, x.digest, x.until, x.back,
           x.change_id, c.actor_kind, c.actor_name, c.actor_through, c.at, c.undone_by
    FROM memory_deferrals x JOIN memory_changes c ON c.scope = x.scope AND c.id = x.change_id
    WHERE x.scope = :scope {} ORDER BY c.seq, x.place
"""
_CHALLENGES = """
    SELECT x.question, x.target, e.body, x.reason, n.body, x.entry_text, x.note_text,
           x.change_id, c.actor_kind, c.actor_name, c.actor_through, c.at, c.undone_by
    FROM memory_challenges x JOIN memory_changes c ON c.scope = x.scope AND c.id = x.change_id
    LEFT JOIN memory_texts e ON e.scope = x.scope AND e.id = x.entry_text
    LEFT JOIN memory_texts n ON n.scope = x.scope AND n.id = x.note_text
    WHERE x.scope = :scope {} ORDER BY c.seq
"""
_ANSWERS = """
    SELECT x.question, x.verb,
           x.change_id, c.actor_kind, c.actor_name, c.actor_through, c.at, c.undone_by
    FROM memory_answers x JOIN memory_changes c ON c.scope = x.scope AND c.id = x.change_id
    WHERE x.scope = :scope {} ORDER BY c.seq
"""
_PLAIN_DEFERRALS = """
    SELECT change_id, proposal, digest, until, back FROM memory_deferrals WHERE scope = :scope
    ORDER BY change_id, place
"""
_PLAIN_CHALLENGES = """
    SELECT change_id, question, target, reason, entry_text, note_text FROM memory_challenges WHERE scope = :scope
    ORDER BY question
"""
_PLAIN_ANSWERS = "SELECT change_id, question, verb FROM memory_answers WHERE scope = :scope ORDER BY change_id"


class AsidesReader:
    """The part of a book reader that knows these tables.

    Attributes:
        db: where they are.
        scope: whose book it is.
    """

    db: ReadDb
    scope: str

    def has_asides(self) -> bool:
        """Whether these tables can be asked: a book of version 1 has none; from a newer one somebody took them."""
        if self.db.has_table("memory_deferrals"):
            return True
        version = self.db.one("PRAGMA user_version")
        return version is not None and version[0] != 1

    def asides(self) -> Asides:
        """Return all deferrals, challenges and answers, in force or not, each oldest first.

        Raises:
            Unreadable: the book has no such tables although its version has them.
        """
        return self._asides("", scope=self.scope)

    def asides_by_change(self, chosen: str, **values: Any) -> dict[str, Asides]:
        """Return what each of the changes recorded whose ids the query ``chosen`` gives, of those that did."""
        return by_change(self._asides(f"AND x.change_id IN ({chosen})", **values))

    @cells.as_written
    def _asides(self, which: str, **values: Any) -> Asides:
        if not self.has_asides():
            return Asides()
        return Asides(
            tuple(_deferral(row) for row in self.db.all(_DEFERRALS.format(which), **values)),
            tuple(_challenge(row) for row in self.db.all(_CHALLENGES.format(which), **values)),
            tuple(_answer(row) for row in self.db.all(_ANSWERS.format(which), **values)),
        )

    @cells.as_written
    def raw_asides(self) -> tuple[RawAside, ...]:
        """Return every record as it stands there, also one whose change is not."""
        if not self.has_asides():
            return ()
        found: list[RawAside] = []
        for change, name, digest, until, back in self.db.all(_PLAIN_DEFERRALS, scope=self.scope):
            parts = {"digest": str(digest), "until": until, "back": bool(back)}
            found.append(RawAside("deferral", str(change), str(name), parts))
        for change, name, target, reason, entry, note in self.db.all(_PLAIN_CHALLENGES, scope=self.scope):
            parts = {"target": target, "reason": reason, "entry": entry, "note": note}
            found.append(RawAside("challenge", str(change), str(name), parts))
        for change, name, verb in self.db.all(_PLAIN_ANSWERS, scope=self.scope):
            found.append(RawAside("answer", str(change), str(name), {"verb": verb}))
        return tuple(found)


def by_change(found: Asides) -> dict[str, Asides]:
    """Return what each change recorded, of those that recorded anything."""
    deferrals: defaultdict[str, list[Deferral]] = defaultdict(list)
    for one in found.deferrals:
        deferrals[one.change].append(one)
    said = {change: Asides(tuple(ones)) for change, ones in deferrals.items()}
    said |= {one.change: Asides(challenges=(one,)) for one in found.challenges}
    return said | {one.change: Asides(answers=(one,)) for one in found.answers}


def _by(cell: Sequence[Any]) -> dict[str, Any]:
    """Return what all three have in common, from the last columns of a row."""
    change, kind, name, through, at, undone_by = cell
    return {
        "change": cells.text(change),
        "actor": Actor(ActorKind(kind), cells.text(name), cells.text(through)),
        "at": cells.number(at),
        "undone": cells.text_or_none(undone_by) is not None,
    }


def _deferral(row: Record) -> Deferral:
    proposal, digest, until, back, *by = row
    return Deferral(cells.text(proposal), cells.text(digest), cells.text(until), bool(cells.whole(back)), **_by(by))


def _challenge(row: Record) -> Challenge:
    question, target, entry, reason, note, entry_text, note_text, *by = row
    return Challenge(
        cells.text(question),
        Target(target),
        _words(entry),
        ChallengeCode(reason),
        _words(note) if note_text else "",
        entry_text=cells.text(entry_text),
        note_text=cells.text(note_text),
        **_by(by),
    )


def _answer(row: Record) -> Answer:
    question, verb, *by = row
    return Answer(cells.text(question), AnswerVerb(verb), **_by(by))


def _words(body: Any) -> str | None:
    """Return a kept text; what is gone says nothing, and what is no UTF-8 is for its commitment to give away."""
    return None if body is None else cells.raw(body).decode("utf-8", "replace")


def add_asides(db: Db, scope: str, entry: BookEntry) -> None:
    """Record the deferrals, challenges and answers of one change, inside a transaction that the caller has begun."""
    common = {"scope": scope, "change": entry.change}
    db.run_many(
        """
        INSERT INTO memory_deferrals (scope, change_id, place, proposal, digest, until, back)
        VALUES (:scope, :change, :place, :proposal, :digest, :until, :back)
        """,
        [
            {**common, "place": place, **fields_of(one), "back": int(one.back)}
            for place, one in enumerate(entry.deferrals)
        ],
    )
    db.run_many(
        """
        INSERT INTO memory_challenges (scope, question, change_id, target, entry_text, reason, note_text)
        VALUES (:scope, :question, :change, :target, :entry, :reason, :note)
        """,
        [{**common, **fields_of(one)} for one in entry.challenges],
    )
    db.run_many(
        "INSERT INTO memory_answers (scope, change_id, question, verb) VALUES (:scope, :change, :question, :verb)",
        [{**common, **fields_of(one)} for one in entry.answers],
    )
