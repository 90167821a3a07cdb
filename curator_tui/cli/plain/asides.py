"""Asides line by line: deferring the item in hand, what is deferred, disputing an entry, and answering questions.

Here: what is read out and asked. Not here: the rules (``core.deferrals``, ``core.challenges``), how an entry is named
(``documents``), deciding about items (``deciding``). Everything is printed before it is asked for, and an answer to a
question is bound to exactly what was printed of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from curator_tui.cli.aside_words import back_words, standing_of, until_words
from curator_tui.cli.plain.deciding import reason_asked, why_it_may_pass, writable
from curator_tui.cli.plain.documents import entry_named
from curator_tui.cli.plain.item import first_text, what_it_does
from curator_tui.cli.plain.looking import in_hand
from curator_tui.cli.plain.talk import Talk
from curator_tui.cli.plain.words import (
    age_words,
    changed_lines,
    failed_line,
    labelled,
    left_words,
    outcome_lines,
    sentence,
)
from curator_tui.core.actors import actor_words
from curator_tui.core.challenges import AnswerPreview
from curator_tui.core.changes import Receipt
from curator_tui.core.counting import counted, number_typed
from curator_tui.core.days import FORMS, day_from
from curator_tui.core.documents import FILE_NAMES
from curator_tui.core.errors import UnknownItem, UsageError
from curator_tui.core.operations import normalise
from curator_tui.core.questions import Question
from curator_tui.core.reason_words import DISPUTING, reason_word
from curator_tui.core.requests import AnswerVerb, ChallengeCode, OverrideCode, Request
from curator_tui.core.review import OVERRIDABLE
from curator_tui.core.text import one_line, visible

_WORDS = 60


# -- deferring -------------------------------------------------------------------------------------------------------


def defer(talk: Talk, rest: str) -> None:
    """Defer the item in hand, with all that waits for its entry, until the day that was typed or is asked for."""
    looked = in_hand(talk).looked
    words = rest.strip()
    if not words and talk.answers.typed:
        asked = talk.ask(f"Until when? Type {FORMS}, or open for no day; anything else gives up:")
        words = talk.free(asked, "").strip()
        if not words:
            talk.say("No.", "Nothing was decided.")
            return
    day = "" if words in {"", "open"} else day_from(words, talk.desk.today())
    digests = {**talk.desk.digests_of(looked.item.others), looked.id: looked.found.proposal.digest}
    with talk.writing():
        receipt = talk.desk.defer(tuple(digests), day, digests=digests)
        _told(talk, receipt)
        if receipt.applied:
            talk.say(back_words(day))
        talk.say(left_words(len(talk.desk.queue)))


def deferred(talk: Talk, _: str) -> None:
    """List what is deferred, what is back first at the front; a number asks whether it is brought back now."""
    talk.desk.refresh()
    found = talk.desk.deferred()
    talk.number([f"reopen {one.id}" for one in found], "deferred items: a number asks whether that one is back now")
    if not found:
        talk.say("Nothing is deferred.")
        return
    for number, one in enumerate(found, 1):
        talk.say(f"{number}. {_deferred_words(talk, one.id)}, {until_words(one.deferral)}, item {visible(one.id)}.")
    talk.say("Type a number to bring an item back before its day.")


def reopen(talk: Talk, rest: str) -> None:
    """Bring a deferred or decided item back to the queue, once it was asked for."""
    writable(talk)
    command = talk.row(rest.strip())
    name = command.removeprefix("reopen ") if command.startswith("reopen ") else rest.strip()
    if not name:
        raise UsageError("Bring back which item?", way_out="Type deferred for what is deferred, or the id of an item.")
    talk.desk.refresh()
    if _refused(talk, talk.desk.reopening([name])):
        return
    deferral = talk.desk.deferral(name)
    until = f" It is deferred {until_words(deferral)}." if deferral is not None else ""
    lines = (f"To bring back: {_deferred_words(talk, name)}, item {visible(name, newlines=False)}.{until}",)
    if talk.confirmed("Bring it back to the queue now?", lines):
        with talk.writing():
            _told(talk, talk.desk.reopen([name]))


def _deferred_words(talk: Talk, name: str) -> str:
    """Say what an item would do and its first words, as far as it can be read in the queue folder."""
    proposal = next((one for one in talk.desk.queue.deferred() if one.id == name), None)
    if proposal is None:
        return "an item that does not wait"
    words = f": {one_line(text, _WORDS)}" if (text := first_text(proposal)) else ""
    return f"It {what_it_does(proposal)}{words}"


def _refused(talk: Talk, request: Request) -> bool:
    """Say why a request would be refused as things are, so that nothing is asked for in vain; whether it would be."""
    refused = talk.desk.dry_run(request).receipt.not_applied
    if refused:
        talk.say(*map(failed_line, refused), "Nothing was written.")
    return bool(refused)


def _told(talk: Talk, receipt: Receipt) -> None:
    talk.place.shown = None
    talk.forget_list()
    talk.told(receipt)


# -- disputing -------------------------------------------------------------------------------------------------------


def challenge(talk: Talk, rest: str) -> None:
    """Dispute an entry: it stays, marked, and a question waits until it is answered."""
    writable(talk)
    entry = entry_named(talk, rest)
    talk.say(*labelled(f"Entry {entry.id} of {FILE_NAMES[entry.target]}", entry.text))
    talk.say("Why is it disputed?")
    reason = reason_asked(talk, DISPUTING, "gives up")
    if reason is None:
        return
    if _refused(talk, talk.desk.challenging(entry.target, entry.text, ChallengeCode(reason[0]), note=reason[1])):
        return
    lines = (
        f"To dispute as {reason_word(reason[0])}: entry {entry.id} of {FILE_NAMES[entry.target]}.",
        *(labelled("In your words", reason[1]) if reason[1] else ()),
        "It stays in memory, marked, and a question waits until somebody answers it: keep, correct or remove.",
    )
    if talk.confirmed("Dispute it?", lines):
        with talk.writing():
            _told(talk, talk.desk.challenge(entry.target, entry.text, ChallengeCode(reason[0]), note=reason[1]))
            talk.say("Type questions for what waits to be answered.")


# -- questions -------------------------------------------------------------------------------------------------------


def questions(talk: Talk, _: str) -> None:
    """List the open questions; a number reads one out."""
    talk.desk.refresh()
    found = talk.desk.questions()
    talk.number([f"question {one.id}" for one in found], "questions: a number reads that one out")
    talk.place.questions = tuple(one.id for one in found)
    if not found:
        talk.say("No question waits: nothing is disputed.")
        return
    for number, one in enumerate(found, 1):
        talk.say(f"{number}. {_question_words(talk, one)}.")
    talk.say(f"{counted(len(found), 'question')}. Type a number to hear one.")


def _question_words(talk: Talk, question: Question) -> str:
    asked = question.challenge
    entry = one_line(asked.entry, _WORDS) if asked.entry is not None else "its text is gone"
    who, when = actor_words(asked.actor, talk.desk.actor), age_words(talk.desk.now() - asked.at)
    name = FILE_NAMES[asked.target]
    return f"An entry of {name}, disputed as {asked.why} by {who}, {when}: {entry}; question {question.id}"


def question(talk: Talk, rest: str) -> None:
    """Read a question out; a number chooses an answer, which is asked for once more before it counts."""
    listed = talk.place.questions if _about_questions(talk) else ()
    found = _asked(talk, rest.strip())
    talk.say(*_question_lines(talk, found))
    verbs = _answers_to(found)
    for number, verb in enumerate(verbs, 1):
        talk.say(f"{number}. {verb}: {_MEANS[verb]}.")
    talk.number([f"answer {found.id} {verb}" for verb in verbs], "answers: a number says what that one would do")
    talk.place.questions = listed
    talk.say("Type a number; nothing is written before you were asked.")


def _about_questions(talk: Talk) -> bool:
    """Whether what was printed last is the list of questions, or one of them with its answers."""
    return any(command.startswith(("question ", "answer ")) for command in talk.place.numbers.values())


_MEANS = {
    AnswerVerb.KEEP: "the entry stays as it is",
    AnswerVerb.CORRECT: "you write its new text",
    AnswerVerb.REMOVE: "the entry goes",
}


def _answers_to(found: Question) -> tuple[AnswerVerb, ...]:
    """Return how a question can be answered as things are: one whose entry is gone is only closed."""
    return tuple(AnswerVerb) if found.present else (AnswerVerb.KEEP,)


def _asked(talk: Talk, word: str) -> Question:
    """Return the question that a number or an id means, or an unambiguous beginning of one.

    A number goes on meaning the question of that number while one of the list is read out.
    """
    listed = talk.place.questions if _about_questions(talk) else ()
    number = number_typed(word) or 0
    name = listed[number - 1] if 0 < number <= len(listed) else word
    talk.desk.refresh()
    found = [one for one in talk.desk.questions() if name and one.id.startswith(name)]
    if len(found) != 1:
        what = "Which question?" if not name else f"No one question is called {one_line(name, 40)}."
        raise UnknownItem(what, way_out="Type questions for their numbers and ids.")
    return found[0]


def _question_lines(talk: Talk, found: Question) -> Iterator[str]:
    asked = found.challenge
    yield sentence(_question_words(talk, found))
    if asked.entry is not None:
        yield from labelled("The entry", asked.entry)
    if asked.note != "":
        yield from labelled("Said about it", asked.note if asked.note is not None else "(its words are gone)")
    yield from map(sentence, standing_of(found))
    if found.nearest is not None and asked.entry is not None:
        yield "What may stand in its place:"
        yield from changed_lines(asked.entry, found.nearest)


def answer(talk: Talk, rest: str) -> None:
    """Say what an answer would do, and ask whether it is given."""
    writable(talk)
    name, verb = _named_answer(talk, rest.split())
    found = _asked(talk, name)
    content: str | None = None
    if verb is AnswerVerb.CORRECT:
        talk.say(*labelled("The entry", found.challenge.entry or "(its text is gone)"))
        text = talk.text("its whole new text")
        if text is None:
            talk.say("The answer was given up; nothing was decided.")
            return
        content = normalise(text)
    _answer(talk, found, verb, content)


def _named_answer(talk: Talk, words: list[str]) -> tuple[str, AnswerVerb]:
    """Return which question is meant and the answer: both typed, or one of them as it was printed last."""
    printed = next(iter(talk.place.numbers.values()), "").split()
    in_hand = printed[1:2] if printed[:1] == ["answer"] else []
    if len(words) == 1 and (row := talk.row(words[0]).split())[:1] == ["answer"]:
        words = row[1:]
    elif len(words) == 1:
        words = [*in_hand, *words]
    if len(words) != 2 or words[1] not in set(AnswerVerb):
        raise UsageError(
            "Answer which question, and how?",
            way_out="Type questions, then answer, the number or id of one, and keep, correct or remove.",
        )
    return words[0], AnswerVerb(words[1])


def _answer(talk: Talk, found: Question, verb: AnswerVerb, content: str | None) -> None:
    why: tuple[OverrideCode, str] | None = None
    preview = talk.desk.answer_preview(talk.desk.answering(found.id, verb, content))
    if preview.refused is not None and preview.refused.state in OVERRIDABLE:
        talk.say(failed_line(preview.refused))
        if (why := why_it_may_pass(talk)) is None:
            return
        passing = talk.desk.answering(found.id, verb, content, override=OVERRIDABLE, reason=why[0], note=why[1])
        preview = talk.desk.answer_preview(passing)
    if preview.refused is not None:
        talk.say(failed_line(preview.refused), "Nothing was written.")
    elif talk.confirmed(f"Answer {verb} all the same?" if why else f"Answer {verb}?", (*_effect(found, preview),)):
        code, note = why or (None, "")
        passed = OVERRIDABLE if why else frozenset()
        request = talk.desk.answering(
            found.id, verb, content, shown=preview.digest, override=passed, reason=code, note=note
        )
        with talk.writing():
            receipt = talk.desk.carry_out(request)
            if receipt.moved:
                talk.place.shown = None
                talk.say("Moved: it changed since it was printed; nothing was written. Type questions to hear it anew.")
            else:
                _told(talk, receipt)


def _effect(found: Question, preview: AnswerPreview) -> Iterator[str]:
    yield f"To answer: question {found.id} about an entry of {FILE_NAMES[found.challenge.target]}, {preview.ending}."
    outcome = preview.found.outcome if preview.found is not None else {}
    for target, part in outcome.items():
        yield from outcome_lines(target, part)
    if not outcome:
        yield "Nothing is written: the question is closed."
