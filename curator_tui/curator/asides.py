"""Asides: the part of a desk that defers items, disputes entries and answers the questions this asks.

Here: looking at what is deferred and disputed, building these requests, previews. Not here: rules (``core.deferrals``,
``core.challenges``), carrying a request out (``desk``), the queue without what is deferred (``queue_model``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from curator_tui.core.asides import Deferral
from curator_tui.core.changes import Receipt
from curator_tui.core.documents import Target
from curator_tui.core.errors import UnknownItem
from curator_tui.core.preflight import Snapshot, State
from curator_tui.core.questions import Question, question_at
from curator_tui.core.requests import (
    AnswerVerb,
    ChallengeCode,
    Kind,
    OverrideCode,
    Request,
    Stamp,
    ToAnswer,
    ToChallenge,
    ToDefer,
)
from curator_tui.core.text import visible
from curator_tui.curator.calendar import local_day
from curator_tui.curator.queue_model import QueueModel
from curator_tui.stores.port import Store

if TYPE_CHECKING:
    from curator_tui.core.challenges import AnswerPreview


class DeferredItem(Struct, frozen=True):
    """One deferred item as it is listed: its id, and until when, by whom and when it was deferred."""

    id: str
    deferral: Deferral


class AsideDesk:
    """What a desk can do besides deciding; :class:`~curator_tui.curator.desk.Desk` is made of it."""

    store: Store
    queue: QueueModel

    def stamp(self) -> Stamp:
        """Return a fresh stamp."""
        raise NotImplementedError

    def now(self) -> float:
        """Return the clock, UTC seconds."""
        raise NotImplementedError

    def carry_out(self, request: Request) -> Receipt:
        """Hand a request to the store."""
        raise NotImplementedError

    def snapshot(self) -> Snapshot:
        """Return both documents and their limits as last read."""
        raise NotImplementedError

    def today(self) -> str:
        """Return the person's day by the clock of this desk, as ``2026-12-24``."""
        return local_day(self.now())

    # -- deferring --------------------------------------------------------------------------------------------------

    def deferred(self) -> tuple[DeferredItem, ...]:
        """Return the deferred items, those that come back first at the front, those without a day at the end."""
        found = [DeferredItem(one.id, self.queue.deferrals.deferred[one.id]) for one in self.queue.deferred()]
        return tuple(sorted(found, key=lambda one: (not one.deferral.until, one.deferral.until)))

    def digests_of(self, names: Iterable[str]) -> dict[str, str]:
        """Return the digests of waiting records as they were listed; those that left the queue are not there."""
        found = {name: self.queue.proposal(name) for name in names}
        return {name: one.digest for name, one in found.items() if one is not None}

    def deferral(self, name: str) -> Deferral | None:
        """Return the deferral of an item that is deferred, or None."""
        return self.queue.deferrals.deferred.get(name)

    def rewritten(self, name: str) -> Deferral | None:
        """Return the deferral of an item that is back before its day because its record was written again, or None."""
        return self.queue.deferrals.rewritten.get(name)

    def over(self, name: str) -> Deferral | None:
        """Return the deferral of an item that is back because its day has come, or None."""
        return self.queue.deferrals.over.get(name)

    def defer(
        self, names: Sequence[str], until: str = "", *, digests: Mapping[str, str] | None = None, note: str = ""
    ) -> Receipt:
        """Defer waiting items (see :meth:`deferring`)."""
        return self.carry_out(self.deferring(names, until, digests=digests, note=note))

    def deferring(
        self, names: Sequence[str], until: str = "", *, digests: Mapping[str, str] | None = None, note: str = ""
    ) -> Request:
        """Return the request that :meth:`defer` carries out.

        Args:
            names: ids of waiting items.
            until: the day they are back, as ``2026-12-24`` (``core.days`` reads what a person writes); empty for when
                they are reopened.
            digests: proposal digest by item id, of those that were looked at.
            note: the person's own words.

        Raises:
            UsageError: the day is not to come.
        """
        from curator_tui.core.days import to_come

        day, looked = to_come(until, self.today()), digests or {}
        asked = tuple(ToDefer(name, day, looked.get(name)) for name in dict.fromkeys(names))
        return Request(self.stamp(), Kind.DEFER, defer=asked, today=self.today(), note=note)

    # -- disputing --------------------------------------------------------------------------------------------------

    def questions(self) -> tuple[Question, ...]:
        """Return the open questions, oldest first, beside the documents as last read.

        Raises:
            Unreadable: the book cannot be read.
        """
        return tuple(question_at(one, self.snapshot()) for one in self.store.book.asides().questions())

    def asked(self) -> tuple[Question, ...]:
        """Return the open questions, oldest first, beside the documents; both as last read."""
        return tuple(question_at(one, self.snapshot()) for one in self.queue.deferrals.questions)

    def question(self, name: str) -> Question:
        """Return one open question.

        Raises:
            UnknownItem: no open question has that id.
        """
        found = next((one for one in self.questions() if one.id == name), None)
        if found is None:
            raise UnknownItem(
                f"No open question has the id {visible(name, newlines=False)}.",
                way_out="List them with: curator-tui pending",
            )
        return found

    def disputed(self) -> dict[tuple[Target, str], tuple[Question, ...]]:
        """Return the open questions about each entry that stands as it was disputed, by document and whole text."""
        found: dict[tuple[Target, str], tuple[Question, ...]] = {}
        for one in self.questions():
            if one.present and one.challenge.entry is not None:
                key = one.challenge.target, one.challenge.entry
                found[key] = (*found.get(key, ()), one)
        return found

    def reopen(self, names: Sequence[str]) -> Receipt:
        """Return decided items to the queue, and deferred ones before their day."""
        return self.carry_out(self.reopening(names))

    def reopening(self, names: Sequence[str]) -> Request:
        """Return the request that :meth:`reopen` carries out."""
        return Request(self.stamp(), Kind.REOPEN, reopen=tuple(names))

    def challenge(self, target: Target, entry: str, reason: ChallengeCode, *, note: str = "") -> Receipt:
        """Dispute an entry, named by its whole text; the receipt's ``applied`` names the question."""
        return self.carry_out(self.challenging(target, entry, reason, note=note))

    def challenging(self, target: Target, entry: str, reason: ChallengeCode, *, note: str = "") -> Request:
        """Return the request that :meth:`challenge` carries out."""
        asked = ToChallenge(target, entry, reason)
        return Request(self.stamp(), Kind.CHALLENGE, challenge=asked, note=note)

    def answer(
        self, question: str, verb: AnswerVerb, content: str | None = None, *, shown: str | None = None, note: str = ""
    ) -> Receipt:
        """Answer a question without passing any condition (see :meth:`answering`)."""
        return self.carry_out(self.answering(question, verb, content, shown=shown, note=note))

    def answering(
        self,
        question: str,
        verb: AnswerVerb,
        content: str | None = None,
        *,
        shown: str | None = None,
        override: frozenset[State] = frozenset(),
        reason: OverrideCode | None = None,
        note: str = "",
    ) -> Request:
        """Return the request for an answer, to be previewed and carried out.

        Args:
            question: its id.
            verb: how it is answered.
            content: the new text of the entry, for ``correct``.
            shown: digest of the preview that a person looked at, None where nobody did.
            override: conditions passed knowingly.
            reason: why they may pass.
            note: the person's own words.
        """
        return Request(
            self.stamp(),
            Kind.ANSWER,
            answer=ToAnswer(question, verb, content),
            shown=shown,
            override=override,
            reason=reason,
            note=note,
        )

    def answer_preview(self, request: Request) -> AnswerPreview:
        """Return what an answer would do now, also that it is refused; read without a lock."""
        from curator_tui.core.challenges import preview_answer

        return preview_answer(self.store.peek(request), request)
