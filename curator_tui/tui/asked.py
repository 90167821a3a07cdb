"""Questions as they are looked at: what is disputed, why, by whom, whether it still stands, where it came from.

Here: the page and the facts of a question, and its answers as wishes. Not here: the value and what answers would do
(``curator.answering``), rules (``core.challenges``), the keys that answer (``review.asking``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from curator_tui.core.actors import actor_words
from curator_tui.core.corrections import Correction
from curator_tui.core.operations import Action, Operation
from curator_tui.core.questions import Question
from curator_tui.core.requests import Actor
from curator_tui.core.word_diffs import word_diff
from curator_tui.curator.answering import AskedLook
from curator_tui.tui.facts import Fact, age, file_name
from curator_tui.tui.page_lines import Look, Page, PageLine, rule
from curator_tui.tui.pages import numbered_lines, side_lines
from curator_tui.tui.shown import Line, Shown, data, message, own, say, shown, shown_line
from curator_tui.tui.wanted import Wanted, quoted

if TYPE_CHECKING:
    from curator_tui.core.origins import Origin

_WHO = 30


def correction_wanted(question: Question) -> Wanted:
    """Return the answer *correct* as a wish whose text a person writes."""
    asked = question.challenge
    operation = Operation(Action.REPLACE, asked.target, content=asked.entry, pin=asked.entry)
    return Wanted(
        Correction((operation,), name=question.id),
        say("correct the disputed entry of {}", file_name(asked.target)),
        say("corrected {}", quoted(asked.entry or "")),
        say("write it and close the question"),
    )


def removal_wanted(question: Question) -> Wanted:
    """Return the answer *remove* as a wish."""
    asked = question.challenge
    return Wanted(
        Correction((Operation(Action.REMOVE, asked.target, pin=asked.entry),), name=question.id),
        say("remove the disputed entry of {}", file_name(asked.target)),
        say("removed {}", quoted(asked.entry or "")),
        say("remove it and close the question"),
        (_disputed(question),),
    )


def question_page(looked: AskedLook, look: Look, details: list[PageLine]) -> Page:
    """Return the page of a question: the entry, and what stands in its place where it is gone."""
    question, asked = looked.question, looked.question.challenge
    lines: list[PageLine] = [rule(say("disputed in {}: {}", file_name(asked.target), Shown(asked.why)))]
    entry = asked.entry if asked.entry is not None else ""
    if asked.entry is None:
        lines.append(PageLine((own("The text of this entry is not kept any more.", role="dim"),), (own("  "),)))
    elif question.present or question.nearest is None:
        lines += numbered_lines(
            shown(entry), None, " " if question.present else "-", "text" if question.present else "gone", 0
        )
    else:
        spans = word_diff(entry, question.nearest)
        lines += side_lines(spans, "gone", 1, 0, look)
        lines += [rule(say("gone or changed; the nearest entry now")), *side_lines(spans, "new", 1, 1, look)]
    rest = [rule(say("details")), *details] if details else []
    changes = 1 + max((line.change for line in lines if line.change is not None), default=-1)
    return Page(question.id, looked.digest, (*lines, *rest), changes)


def question_facts(looked: AskedLook, you: Actor, now: float) -> tuple[Fact, ...]:
    """Return what there is to say about a question, most important first."""
    return tuple(_facts(looked, you, now))


def _facts(looked: AskedLook, you: Actor, now: float) -> Iterator[Fact]:
    asked = looked.question.challenge
    yield Fact(say("question"), _stands(looked.question))
    if asked.note:
        yield Fact(say("says"), (data(asked.note),))
    elif asked.note is None:
        yield Fact(say("says"), (own("the words are not kept any more", role="dim"),))
    who = shown_line(actor_words(asked.actor, you), _WHO)
    yield Fact(
        say("asked by"), (own("{}, {} ago, through {}", who, age(now - asked.at), shown_line(asked.actor.through)),)
    )
    if looked.origin is not None:
        yield Fact(say("origin"), _origin(looked.origin, you, now))
    yield Fact(say("id"), (data(looked.id, "dim"),))


def _stands(question: Question) -> Line:
    asked = question.challenge
    if question.present is None:
        return (own("{} cannot be read, so nothing can be answered now", file_name(asked.target), role="bad"),)
    if question.present:
        return (own("is this entry to stay? It stands there as it was disputed"),)
    return (own("the entry it disputes is gone or changed: nothing is left to be changed", role="warn"),)


def _origin(origin: Origin, you: Actor, now: float) -> Line:
    if not origin.known:
        return (own("unknown origin", role="warn"),)
    words = [own("{}", message(str(origin.proposer)))]
    if origin.at is not None:
        words.append(own(", {} {} ago", say("seen" if origin.noticed else "written"), age(now - origin.at)))
    if origin.approver is not None:
        words.append(own(", approved by {}", shown_line(actor_words(origin.approver, you), _WHO)))
    elif origin.unreviewed:
        words.append(own(", without a review", role="warn"))
    if origin.session:
        words.append(own(", session {}", shown_line(origin.session, _WHO), role="dim"))
    words.append(own("; {}", message(str(origin.claim)), role="dim"))
    return tuple(words)


def _disputed(question: Question) -> Line:
    asked = question.challenge
    note = own(": '{}'", shown_line(asked.note, 60)) if asked.note else own("")
    return (own("Disputed as {}", Shown(asked.why), role="warn"), note)
