"""Answering: a question as it is looked at, and what an answer to it would do, as an item a screen can show.

Here: these values and carrying out exactly what they show. Not here: the rules (``core.challenges``), questions and
requests (``asides``).
"""

from __future__ import annotations

from typing import NamedTuple

from curator_tui.core.changes import Receipt
from curator_tui.core.documents import TARGETS
from curator_tui.core.errors import UnknownItem
from curator_tui.core.origins import Origin
from curator_tui.core.preflight import State
from curator_tui.core.proposals import Edit
from curator_tui.core.questions import Question
from curator_tui.core.requests import AnswerVerb, OverrideCode
from curator_tui.core.review import needs_second_key
from curator_tui.core.settling import Settlement
from curator_tui.core.splicing import splice
from curator_tui.core.text import visible
from curator_tui.curator.desk import Desk
from curator_tui.curator.items import Item
from curator_tui.curator.looking import Looked, documents_between
from curator_tui.curator.origins import origin_of
from curator_tui.curator.room import room_for


class AskedLook(NamedTuple):
    """One question as it is looked at.

    Attributes:
        question: the question, beside the documents as last read.
        digest: what keeping the entry is bound to.
        origin: where the entry came from; None while it was not looked up, or when it does not stand there.
    """

    question: Question
    digest: str
    origin: Origin | None = None

    @property
    def id(self) -> str:
        """Id of the question."""
        return self.question.id


def look_at_question(desk: Desk, question: Question) -> AskedLook:
    """Work out what keeping the entry is bound to.

    Raises:
        UnknownItem: the question is not open any more.
    """
    return AskedLook(question, answer_digest(desk, question.id, AnswerVerb.KEEP))


def with_origin(desk: Desk, looked: AskedLook) -> AskedLook:
    """Add where the entry came from; it reads the whole ledger."""
    asked = looked.question.challenge
    if asked.entry is None or not looked.question.present:
        return looked
    return looked._replace(origin=origin_of(desk, asked.target, asked.entry))


def look_at_answer(desk: Desk, question: str, verb: AnswerVerb, edit: Edit | None = None) -> Looked:
    """Work out what an answer would do to the documents as last read.

    Raises:
        UnknownItem: the question cannot be answered so.
    """
    edit = edit or Edit()
    item = answer_item(desk, question, verb, edit.contents.get(0) if verb is AnswerVerb.CORRECT else None)
    return Looked(item, item.found, edit, item.digest, needs_second_key(item.found), documents_between(item.found))


def answer_digest(desk: Desk, question: str, verb: AnswerVerb) -> str:
    """Return what an answer that writes no text of its own is bound to now.

    Raises:
        UnknownItem: the question is not open.
    """
    preview = desk.answer_preview(desk.answering(question, verb))
    if preview.question is None:
        raise _not_open(question)
    return preview.digest


def answer_item(desk: Desk, question: str, verb: AnswerVerb, content: str | None = None) -> Item:
    """Return what an answer would do, in the form in which a waiting proposal is looked at.

    Args:
        desk: the desk.
        question: its id.
        verb: ``correct`` or ``remove``.
        content: the new text, for ``correct``.

    Raises:
        UnknownItem: the question is not open, or its entry does not stand there any more.
    """
    preview = desk.answer_preview(desk.answering(question, verb, content))
    if preview.question is None or preview.found is None:
        raise _not_open(question)
    snapshot, found = desk.snapshot(), preview.found
    entries = {target: snapshot.document(target).entries for target in TARGETS}
    after = {target: part.after for target, part in found.outcome.items() if part.after != entries[target]}
    spliced = {target: splice(snapshot.document(target), texts) for target, texts in after.items()}
    settlement = Settlement((), (), (), (), {**entries, **after}, spliced, preview.digest)
    return Item(found, (question,), 1, settlement, preview.digest, preview.digest, room=room_for(desk.queue, found))


def carry_out_answer(
    desk: Desk,
    question: str,
    verb: AnswerVerb,
    content: str | None = None,
    *,
    shown: str,
    override: frozenset[State] = frozenset(),
    reason: OverrideCode | None = None,
    note: str = "",
) -> Receipt:
    """Give an answer as it was shown; where its outcome is another one by now nothing is written."""
    request = desk.answering(question, verb, content, shown=shown, override=override, reason=reason, note=note)
    return desk.carry_out(request)


def _not_open(question: str) -> UnknownItem:
    return UnknownItem(
        f"The question {visible(question, newlines=False)} cannot be answered like this any more.",
        way_out="Read again what is asked.",
    )
