"""Aside words: how deferrals and questions are said in the text form.

Here: lines. Not here: waiting items (``item_words``), JSON (``shapes``), printing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curator_tui.cli.ages import age
from curator_tui.cli.item_words import actions_of, preview
from curator_tui.cli.tables import block, padded
from curator_tui.cli.words import changed_lines
from curator_tui.core.actors import actor_words
from curator_tui.core.asides import Deferral
from curator_tui.core.documents import FILE_NAMES
from curator_tui.core.proposals import Proposal
from curator_tui.core.questions import Question
from curator_tui.core.requests import Actor
from curator_tui.core.text import cell_width, one_line


def until_words(deferral: Deferral) -> str:
    """Say until when something is deferred."""
    return f"until {deferral.until}" if deferral.until else "until you reopen it"


def back_words(day: str) -> str:
    """Say when what was deferred just now waits again; without a day nothing but a person brings it back."""
    return f"Back on {day}." if day else "Back when you reopen it."


def deferred_lines(found: Sequence[tuple[Proposal, Deferral]], width: int) -> Iterator[str]:
    """List the deferred items, those that come back first at the front."""
    if not found:
        yield "Nothing is deferred."
        return
    cells = [(p.id, until_words(d), one_line(p.target_name, 8) or "?", actions_of(p)) for p, d in found]
    widths = [max(map(cell_width, column)) for column in zip(*cells, strict=True)]
    for row, (proposal, _) in zip(cells, found, strict=True):
        head = "  " + "  ".join(map(padded, row, widths)) + "  "
        yield (head + preview(proposal, max(16, width - cell_width(head)))).rstrip()
    yield f"{len(found)} deferred. Bring one back now with: curator-tui reopen ID"


def rewritten_line(deferral: Deferral) -> str:
    """Say why an item that was deferred is back before its day."""
    return f"was deferred {until_words(deferral)}; its record was written again since, so it is back"


def question_rows(questions: Sequence[Question], now: float, width: int) -> Iterator[str]:
    """List the open questions."""
    if questions:
        yield f"questions ({len(questions)})"
    for question in questions:
        asked = question.challenge
        head = f"  {question.id}  {asked.target}  {asked.why}  {age(now - asked.at)}  "
        yield (head + one_line(asked.entry or "(its text is gone)", max(16, width - cell_width(head)))).rstrip()
        yield from (f"      {words}" for words in standing_of(question))


def standing_of(question: Question) -> Iterator[str]:
    """Say what became of the entry, where it does not stand as it was disputed."""
    if question.present is None:
        yield f"{FILE_NAMES[question.challenge.target]} cannot be read"
    elif not question.present:
        yield "the entry is gone or changed since"


def question_lines(question: Question, you: Actor, now: float) -> Iterator[str]:
    """Show one question in full, and how it can be answered."""
    asked = question.challenge
    yield f"{question.id}  question about an entry of {FILE_NAMES[asked.target]}"
    yield f"  disputed as {asked.why} by {actor_words(asked.actor, you)}, {age(now - asked.at)} ago"
    yield from block(asked.entry if asked.entry is not None else "(its text is gone)", "  entry: ")
    if asked.note != "":
        yield from block(asked.note if asked.note is not None else "(its words are gone)", "  note:  ")
    yield from (f"  {words}" for words in standing_of(question))
    if question.nearest is not None and asked.entry is not None:
        yield "  what may stand in its place:"
        yield from changed_lines(asked.entry, question.nearest)
    answer = f"curator-tui answer {question.id}"
    if question.present is False:
        yield f"  to close it: {answer} keep"
        return
    yield f"  to keep the entry: {answer} keep"
    yield f"  to correct it: {answer} correct TEXT"
    yield f"  to remove it: {answer} remove"
