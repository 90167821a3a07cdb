"""Deciding about the item in hand: approve, reject, one's own version, inside only, pick and rebase.

Here: from a typed word to a request, and from its receipt to sentences. Not here: whether an approval is allowed
(``core.review``), what was printed (``looking``). An approval carries the digest of what was printed; the store
compares it and answers *moved* where the outcome is another one by now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from curator_tui.cli.answers import reason_and_note
from curator_tui.cli.item_words import named_reason
from curator_tui.cli.plain.item import stake_lines
from curator_tui.cli.plain.looking import in_hand, item_is, moved, show
from curator_tui.cli.plain.talk import Shown, Talk
from curator_tui.cli.plain.words import failed_line, labelled, left_words, sentence
from curator_tui.core.counting import number_typed
from curator_tui.core.errors import ReadOnly, UsageError
from curator_tui.core.operations import Action
from curator_tui.core.preflight import State
from curator_tui.core.proposals import editable
from curator_tui.core.reason_words import PASSING, REJECTING, code_meant, reason_word
from curator_tui.core.requests import Decision, OverrideCode, Reason, ReasonCode, Verb
from curator_tui.core.review import OVERRIDABLE, approval_problem
from curator_tui.core.text import one_line
from curator_tui.curator.looking import Looked

Reasoned = tuple[str, str]
Code = TypeVar("Code", bound=str)
_WAYS: Mapping[State, str] = {
    State.STALE: "Type rebase to give it an entry, or reject.",
    State.AMBIGUOUS: "Type pick and the number of a matching entry, or reject.",
    State.OVER_LIMIT: "Type edit to shorten it, plan to do it together with what makes room, or reject.",
    State.INVALID: "Type edit to mend it, or reject.",
    State.UNREADABLE: "Type record to see its bytes; it can only be rejected.",
}
_MENDED = frozenset({State.INVALID, State.OVER_LIMIT})  # what a text of one's own may mend


def _way(looked: Looked, state: State) -> str:
    """Return what can be typed about an item that is held up by a condition."""
    if state in _MENDED and not editable(looked.item.found.proposal):
        return "Type reject."
    return _WAYS.get(state, "Type reject.")


def _whole_only(looked: Looked) -> str:
    """Return what can be typed about an item of which no other version can be made."""
    problem = approval_problem(looked.found, OVERRIDABLE)
    return _way(looked, problem[0]) if problem is not None else "Type reject, or approve to take it as it stands."


def writable(talk: Talk) -> None:
    """Refuse before anything is asked where nothing may be written."""
    if talk.desk.read_only:
        raise ReadOnly


# -- approve and reject ----------------------------------------------------------------------------------------------


def approve(talk: Talk, rest: str) -> None:
    """Approve the item in hand as it was printed; what is flagged or lossy is asked for once more."""
    shown = in_hand(talk)
    _no_words(rest)
    looked = shown.looked
    if (problem := approval_problem(looked.found, OVERRIDABLE)) is not None:
        raise UsageError(f"Not approved. {sentence(named_reason(*problem))}", way_out=_way(looked, problem[0]))
    reason_code: Reason | None = None
    note = ""
    if looked.override:
        answer = _second_answer(talk, looked)
        if answer is None:
            return
        reason_code, note = answer
    _send(talk, shown, Verb.APPROVE, reason_code, note)


def _no_items(talk: Talk, shown: Shown, rest: str) -> None:
    """Refuse a reason that is the number or id of an item: who types one means that item, not the one in hand.

    Raises:
        UsageError: it is one.
    """
    words = rest.split()
    queue = talk.desk.queue
    if words and (
        all(number_typed(word) is not None for word in words)
        or (words[0] != shown.looked.id and queue.proposal(words[0]) is not None)
    ):
        raise UsageError(
            f"{one_line(words[0], 40)} is no reason, and this rejects the item in hand.",
            way_out="Open the other one first, then type reject. Nothing was decided.",
        )


def _no_words(rest: str) -> None:
    if rest.strip():
        raise UsageError("This is about the item in hand and takes no more words.", way_out="Nothing was decided.")


def _second_answer(talk: Talk, looked: Looked) -> tuple[Reason | None, str] | None:
    """Ask once more, naming what is at stake; None when the answer is no."""
    reason: Reason | None = None
    note = ""
    if State.FLAGGED in looked.override:
        taken = why_it_may_pass(talk)
        if taken is None:
            return None
        reason, note = taken
    said = looked.override - {State.LOSSY} if looked.found.lost else looked.override  # the facts themselves come next
    lines = [sentence(named_reason(state, looked.found.reasons[state])) for state in sorted(said)]
    lines += stake_lines(looked.found)
    question = "Approve it all the same?" if reason else "Replace the whole entry all the same?"
    other = "inside" if looked.offers_inside else ""
    answer = talk.choice(question, lines, other, "to see it changed only inside the entry")
    if answer and answer == other:
        inside(talk, "")
    return (reason, note) if answer == "yes" else None


def why_it_may_pass(talk: Talk) -> tuple[OverrideCode, str] | None:
    """Ask why a finding may be passed; None when it may not."""
    talk.say("Why may it pass? The answer goes into the ledger.")
    answer = reason_asked(talk, PASSING, "for no")
    if answer is None:
        return None
    return OverrideCode(answer[0]), answer[1]


def reason_asked(talk: Talk, codes: Mapping[Code, str], otherwise: str, *, decides: bool = False) -> Reasoned | None:
    """Print what reasons there are and what each is for, and ask for one.

    A slip, as a command typed in the wrong place, is no reason.

    Args:
        talk: the conversation.
        codes: the codes with their words.
        otherwise: what anything else means.
        decides: the answer is the last that is asked for.

    Returns:
        The code, with a person's own words behind it; None for no.
    """
    named = enumerate(codes.items(), 1)
    choices = [sentence(f"{number}. {reason_word(code)}: {words}") for number, (code, words) in named]
    talk.say(*choices)
    question = f"Type a number or a word, and your own words behind it or none; anything else {otherwise}:"
    asked = talk.ask(question, choices)
    answer = _reason(talk.free(asked, "") if decides else asked.text, tuple(map(str, codes)))
    if answer is None:
        talk.say("No.", "Nothing was decided.")
    return answer


def _reason(text: str, codes: Sequence[str]) -> Reasoned | None:
    word, _, own = text.strip().partition(" ")
    place = number_typed(word)
    if place is not None and 1 <= place <= len(codes):
        word = codes[place - 1]
    code = code_meant(word.lower(), codes)
    return None if code is None else (code, own.strip())


def reject(talk: Talk, rest: str) -> None:
    """Reject the item in hand, with the reason that was typed or is asked for."""
    shown = in_hand(talk)
    _no_items(talk, shown, rest)
    code, note = reason_and_note(rest.strip() or None)
    if code is None and talk.answers.typed:
        talk.say("Why is it rejected?")
        answer = reason_asked(talk, REJECTING, "gives up", decides=True)
        if answer is None:
            return
        code, note = ReasonCode(answer[0]), answer[1]
    _send(talk, shown, Verb.REJECT, code, note)


def log_only(talk: Talk, rest: str) -> None:
    """Close the item in hand without writing anything of it."""
    shown = in_hand(talk)
    _no_words(rest)
    _send(talk, shown, Verb.LOG_ONLY, None, "")


def _send(talk: Talk, shown: Shown, verb: Verb, reason: Reason | None, note: str) -> None:
    looked = shown.looked
    seen = "100%" if talk.answers.typed else "none"  # nobody can say who reads the other end of a pipe
    decision = replace(looked.decision(verb, shown.evidence), reason=reason, note=note, seen=seen)
    bound = looked.digest if verb is Verb.APPROVE else None
    with talk.writing():
        _carry_out(talk, looked, decision, bound)


def _carry_out(talk: Talk, looked: Looked, decision: Decision, bound: str | None) -> None:
    receipt = talk.desk.decide([decision], shown=bound)
    if receipt.change is not None:
        talk.place.shown = None
        talk.forget_list()
        talk.told(receipt)
        talk.say(left_words(len(talk.desk.queue)))
        return
    talk.desk.refresh()
    changed = receipt.moved or any(one.state == "moved" for one in receipt.not_applied)
    if changed and talk.desk.queue.proposal(looked.id) is not None:
        moved(talk, looked.id, looked.edit)
        return
    talk.place.shown = None
    talk.say(*(failed_line(one) for one in receipt.causes or receipt.not_applied), "Nothing was written.")


# -- other versions --------------------------------------------------------------------------------------------------


def inside(talk: Talk, _: str) -> None:
    """Print the variant that changes only the matched words inside the entry; approve takes it."""
    looked = in_hand(talk).looked
    if not looked.item.found.inside:
        raise UsageError("This item has no variant inside the entry.", way_out=_whole_only(looked))
    show(talk, looked.id, looked.inside_only)


def original(talk: Talk, _: str) -> None:
    """Print the item as it was proposed, without one's own changes."""
    show(talk, in_hand(talk).looked.id)


def edit(talk: Talk, rest: str) -> None:
    """Take one's own text for the item in hand and print what it would do; approve takes it."""
    _edit(talk, rest, _typed_text)


def editor(talk: Talk, rest: str) -> None:
    """Take one's own text from ``$VISUAL`` or ``$EDITOR``."""
    _edit(talk, rest, _editor_text)


def _edit(talk: Talk, rest: str, taken: Callable[[Talk, str], str | None]) -> None:
    looked = in_hand(talk).looked
    step = _step(looked, rest)
    text = taken(talk, looked.text_to_edit(step))
    if text is None:
        talk.say("Your version was given up; nothing was decided.")
        return
    show(talk, looked.id, looked.edited({**looked.edit.contents, step: text}))


def _typed_text(talk: Talk, begin: str) -> str | None:
    talk.say(*labelled("The text so far", begin))
    return talk.text("the whole new text of the entry")


def _editor_text(talk: Talk, begin: str) -> str | None:
    from contextlib import nullcontext

    from curator_tui.curator.editor import text_from_editor

    text, problem = text_from_editor(nullcontext, begin, "edit takes it line by line")
    if problem:
        talk.say(f"{problem[:1].upper()}{problem[1:]}.")
    return text


def _step(looked: Looked, rest: str) -> int:
    """Return which step of a batch is meant, from 0."""
    steps = editable(looked.item.found.proposal)
    if not steps:
        raise UsageError("There is no text to edit in this item.", way_out=_whole_only(looked))
    words = rest.strip()
    if not words and len(steps) == 1:
        return steps[0]
    place = number_typed(words)
    if place is not None and place - 1 in steps:
        return place - 1
    numbers = ", ".join(str(step + 1) for step in steps)
    raise UsageError("Which step of it?", way_out=f"Type edit and one of these numbers: {numbers}.")


# -- which entry -----------------------------------------------------------------------------------------------------


def pick(talk: Talk, rest: str) -> None:
    """Give the item in hand the entry it shall take, and print what it would do then; approve takes it."""
    looked = in_hand(talk).looked
    step = looked.failed_step
    operations = looked.found.proposal.operations
    if step >= len(operations) or not operations[step].destructive:
        raise UsageError("This item takes no entry.")
    texts = looked.choices(talk.desk.snapshot())
    words = rest.strip()
    place = number_typed(words)
    if place is not None and 1 <= place <= len(texts):
        show(talk, looked.id, looked.picked(texts[place - 1]))
        return
    if words:
        raise UsageError(f"There is no entry {one_line(words, 40)} to choose.", way_out="Type pick for the list.")
    operation = operations[step]
    if operation.action is Action.REMOVE and looked.found.state is State.STALE:
        talk.say("The entry it wanted to remove is gone already: type reject stale.")
    if operation.content is not None:
        talk.say(*labelled("Its text", operation.content))
    for number, text in enumerate(texts, 1):
        talk.say(*labelled(f"{number}. Entry", text))
    talk.number([f"pick {number}" for number in range(1, len(texts) + 1)], "entries: a number gives it that entry")
    talk.say(f"Type a number: item {item_is(looked)} then takes that entry; you see what it would do before it counts.")
