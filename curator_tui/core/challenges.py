"""Challenges: disputing an entry, and answering the question that this asks, both as changes.

Here: planning both, what an answer would do, and why it may not. Not here: open questions (``questions``), the
rules that a new text has to pass (``preflight``, ``review``), taking either back (``reverts``).

What is shown of an answer and what is done are one function: a preview refuses what the plan refuses.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from curator_tui.core.actors import actor_words
from curator_tui.core.asides import Answer, Asides, Challenge
from curator_tui.core.changes import Applied, Change, NotApplied, Receipt, View
from curator_tui.core.documents import FILE_NAMES, Document, Target
from curator_tui.core.endings import Ending
from curator_tui.core.ledger import digest_of, new_row
from curator_tui.core.operations import Action, Operation, check_operation, normalise
from curator_tui.core.preflight import Preflight, Snapshot, State, preflight, short
from curator_tui.core.proposals import Proposal
from curator_tui.core.questions import Question, question_at, question_id
from curator_tui.core.recording import MOVED, Recorder, document_notes, receipt_sizes, refused_change
from curator_tui.core.requests import Actor, AnswerVerb, Request, ToAnswer, ToChallenge
from curator_tui.core.review import approval_problem, override_parts, shown_digest
from curator_tui.core.splicing import Spliced, splice
from curator_tui.core.text import visible
from curator_tui.core.times import utc_words

GONE = "the entry it disputes is gone or changed"


def plan_challenge(view: View, request: Request) -> Change:
    """Plan the dispute of an entry that has no open question; the same dispute again is no change.

    An entry has two open questions only where the undo of an undo brought one back beside another.
    """
    asked = request.challenge
    assert asked is not None
    refused = _undisputable(view.snapshot.document(asked.target), asked)
    if refused is not None:
        return _nothing(view, request, Receipt(None, request.kind, not_applied=(refused,)))
    about = (asked.target, asked.entry)
    open_already = [known for known in view.asides.questions() if (known.target, known.entry) == about]
    for known in sorted(open_already, key=lambda one: one.reason != asked.reason):
        if known.reason != asked.reason:
            message = f"that entry is disputed already, as {known.why}: {_where_it_waits(known.question)}"
            refused = NotApplied(known.question, "disputed", "already-disputed", message)
            return _nothing(view, request, Receipt(None, request.kind, not_applied=(refused,)))
        applied = (Applied(known.question, Ending.ALREADY),)
        note = f"that entry is disputed as {known.why} already: {_where_it_waits(known.question)}"
        return _nothing(view, request, Receipt(None, request.kind, applied=applied, notes=(note,)))
    return _challenge_change(view, request, asked)


def _where_it_waits(question: str) -> str:
    """Say where a question waits, and how it is answered there."""
    return f"question {question} waits among the pending ones; answer it there with keep, correct or remove, or undo it"


def _undisputable(document: Document, asked: ToChallenge) -> NotApplied | None:
    name = FILE_NAMES[asked.target]
    if not document.usable:
        return NotApplied("", "unreadable", "document-unreadable", f"{name} cannot be read: {document.trouble}")
    if document.position(asked.entry) is None:
        return NotApplied("", "stale", "entry-changed", f"{name} holds no such entry any more: {short(asked.entry)}")
    return None


def _nothing(view: View, request: Request, receipt: Receipt) -> Change:
    sized = replace(receipt, sizes=receipt_sizes(view, {}))
    return Change(request.stamp.change, request.kind, sized)


def _challenge_change(view: View, request: Request, asked: ToChallenge) -> Change:
    stamp, recorder = request.stamp, Recorder(request.stamp)
    name = question_id(stamp.change)
    note, entry = recorder.note("challenge", request.note), recorder.entry("challenge", asked.entry)
    challenge = Challenge(
        name, asked.target, asked.entry, asked.reason, request.note, stamp.change, stamp.actor, stamp.at,
        entry_text=entry, note_text=note,
    )  # fmt: skip
    row = new_row(
        stamp,
        str(request.kind),
        question=name,
        target=str(asked.target),
        reason=str(asked.reason),
        entry=entry,
        note=note,
    )
    done = Receipt(
        stamp.change, request.kind, applied=(Applied(name, Ending.CHALLENGE),), sizes=receipt_sizes(view, {})
    )
    change = Change(stamp.change, request.kind, done, asides=Asides(challenges=(challenge,)), rows=(row,))
    return recorder.finish(change, view, request, done)


class AnswerPreview(Struct, frozen=True):
    """What an answer would do.

    Attributes:
        question: the question, None when there is none to answer.
        ending: how it would end.
        found: the preflight of what it writes; None for one that writes nothing.
        digest: what the answer is bound to.
        refused: why it cannot be given, with its state, or None.
    """

    question: Question | None
    ending: Ending
    found: Preflight | None
    digest: str
    refused: NotApplied | None = None


def preview_answer(view: View, request: Request) -> AnswerPreview:
    """Work out what an answer would do to the documents as they are."""
    asked = request.answer
    assert asked is not None
    ending = Ending(str(asked.verb))
    challenge = next((one for one in view.asides.questions() if one.question == asked.question), None)
    if challenge is None:
        return AnswerPreview(None, ending, None, "", _no_question(view, asked.question, request.stamp.actor))
    question = question_at(challenge, view.snapshot)
    refused = _unanswerable(question, asked, view.snapshot)
    if refused is not None or asked.verb is AnswerVerb.KEEP or not question.present:
        # where the entry is gone there is nothing left to remove: the question is only closed
        closing = Ending.ALREADY if asked.verb is AnswerVerb.REMOVE else ending
        return AnswerPreview(question, closing, None, _digest(view, asked, question, None), refused)
    found = preflight(_proposal(asked, challenge), view.snapshot)
    digest = _digest(view, asked, question, found)
    return AnswerPreview(question, ending, found, digest, _refusal(asked.question, found, request))


def _unanswerable(question: Question, asked: ToAnswer, snapshot: Snapshot) -> NotApplied | None:
    """Return what keeps a question from being answered at all, or so."""
    document = snapshot.document(question.challenge.target)
    if question.present is None:
        message = f"{FILE_NAMES[document.target]} cannot be read: {document.trouble}"
        return NotApplied(asked.question, str(State.UNREADABLE), "document-unreadable", message)
    if asked.verb is AnswerVerb.CORRECT and not question.present:
        return NotApplied(asked.question, str(State.STALE), "entry-changed", f"{GONE}; answer keep closes the question")
    return None


def _no_question(view: View, name: str, you: Actor) -> NotApplied:
    shown = visible(name, newlines=False)
    answer = view.asides.answered().get(name)
    asked = any(one.question == name for one in view.asides.challenges)
    if answer is not None:
        message = f"already answered: {answer.verb} by {actor_words(answer.actor, you)} at {utc_words(answer.at)}"
        return NotApplied(name, "decided", "already-decided", message)
    if asked:
        return NotApplied(name, "decided", "withdrawn", f"the challenge {shown} was withdrawn")
    return NotApplied(name, "unknown", "unknown-item", f"no question has the id {shown}")


def _proposal(asked: ToAnswer, challenge: Challenge) -> Proposal:
    """Return the answer as a proposal about exactly the disputed entry, under the rules of a person's own words."""
    if asked.verb is AnswerVerb.CORRECT:
        content = None if asked.content is None else normalise(asked.content)
        operation = Operation(Action.REPLACE, challenge.target, content=content, pin=challenge.entry)
    else:
        operation = Operation(Action.REMOVE, challenge.target, pin=challenge.entry)
    problem = check_operation(operation, own_verb=True)
    return Proposal(challenge.question, "", (operation,), actions=(str(operation.action),), problem=problem)


def _refusal(name: str, found: Preflight, request: Request) -> NotApplied | None:
    refused = approval_problem(found, request.override)
    if refused is None and found.state is State.NO_CHANGE:
        refused = State.NO_CHANGE, found.reasons[State.NO_CHANGE]
    return None if refused is None else NotApplied(name, str(refused[0]), refused[1].code, refused[1].message)


def _spliced(snapshot: Snapshot, found: Preflight | None) -> dict[Target, Spliced]:
    outcome = found.outcome if found is not None else {}
    changed = {target: part.after for target, part in outcome.items() if part.after != part.before}
    return {target: splice(snapshot.document(target), entries) for target, entries in changed.items()}


def _digest(view: View, asked: ToAnswer, question: Question, found: Preflight | None) -> str:
    """Return what an answer is bound to; what writes nothing is bound to the question and whether its entry stands."""
    part: dict[str, Any] = {"question": question.id, "answer": str(asked.verb), "present": question.present}
    if found is None:
        return digest_of(part)
    part["conditions"] = [str(state) for state in found.conditions]
    documents = {question.challenge.target: view.snapshot.document(question.challenge.target)}
    spliced = _spliced(view.snapshot, found)
    results = {
        target: spliced[target].raw if target in spliced else document.raw for target, document in documents.items()
    }
    return shown_digest([part], documents, results)


def plan_answer(view: View, request: Request) -> Change:
    """Plan the answer to one question: the entry stays, gets another text, or goes."""
    preview = preview_answer(view, request)
    receipt = Receipt(None, request.kind, digest=preview.digest)
    if request.shown not in {None, preview.digest}:
        failed = preview.refused
        if failed is None or preview.question is not None:
            assert request.answer is not None
            failed = NotApplied(request.answer.question, "moved", "moved", MOVED)
        return _nothing(view, request, replace(receipt, not_applied=(failed,), moved=preview.question is not None))
    if preview.refused is not None:
        sized = replace(receipt, not_applied=(preview.refused,), sizes=receipt_sizes(view, {}))
        return refused_change(view, request, sized)
    return _answer_change(view, request, preview)


def _answer_change(view: View, request: Request, preview: AnswerPreview) -> Change:
    asked, stamp, recorder = request.answer, request.stamp, Recorder(request.stamp)
    assert asked is not None
    found, spliced = preview.found, _spliced(view.snapshot, preview.found)
    before = {target: view.snapshot.document(target).raw for target in spliced}
    after: dict[Target, bytes | None] = {target: part.raw for target, part in spliced.items()}
    image = recorder.image(before, view, "before an answer") if after else None
    conditions = found.conditions if found is not None else ()
    row = new_row(
        stamp,
        str(request.kind),
        question=asked.question,
        answer=str(asked.verb),
        documents=recorder.documents(before, after),
        backup=image,
        note=recorder.note("answer", request.note),
        **override_parts(request.override, conditions, request.reason),
    )
    answer = Answer(asked.question, asked.verb, stamp.change, stamp.actor, stamp.at)
    done = Receipt(
        stamp.change,
        request.kind,
        applied=(Applied(asked.question, preview.ending, targets=tuple(after)),),
        backup=image,
        sizes=receipt_sizes(view, after),
        digest=preview.digest,
        notes=(*document_notes(view, spliced), *_closing_notes(preview)),
    )
    change = Change(stamp.change, request.kind, done, documents=after, before=before)
    change = replace(change, asides=Asides(answers=(answer,)), rows=(row,))
    return recorder.finish(change, view, request, done)


def _closing_notes(preview: AnswerPreview) -> tuple[str, ...]:
    gone = preview.question is not None and not preview.question.present
    return (f"{GONE}, so the question was closed and nothing was written",) if gone else ()
