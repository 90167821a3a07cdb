"""Rejecting many line by line: every row is read out, with one reason, before one yes rejects all of them.

Here: what is read out and asked. Not here: which items a name stands for and what a rejection is bound to
(``curator.rejecting``), the item in hand (``deciding``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curator_tui.cli.answers import reason_and_note
from curator_tui.cli.plain.deciding import reason_asked, writable
from curator_tui.cli.plain.item import row_line
from curator_tui.cli.plain.looking import filtered_words, names_of, nothing_waits
from curator_tui.cli.plain.talk import Talk
from curator_tui.cli.plain.words import failed_line, labelled, left_words
from curator_tui.core.counting import counted
from curator_tui.core.errors import UsageError
from curator_tui.core.reason_words import REJECTING, reason_word
from curator_tui.core.requests import ReasonCode
from curator_tui.curator.queue_model import Row
from curator_tui.curator.rejecting import rejection, rows_of


def reject_list(talk: Talk, rest: str) -> None:
    """Read out all that the filter lets through, and ask once whether it is rejected."""
    writable(talk)
    talk.desk.refresh()
    rows, digest = rows_of(talk.desk, names_of(talk))
    if not rows:
        talk.say(nothing_waits(talk))
        return
    why = _why(talk, rest.strip(), len(rows))
    if why is None:
        return
    question = f"Reject {counted(len(rows), 'item')} as one change?"
    if talk.confirmed(question, tuple(_lines(talk, rows, *why))):
        with talk.writing():
            _carry_out(talk, rows, digest, *why)


def _why(talk: Talk, typed: str, count: int) -> tuple[ReasonCode, str] | None:
    """Return the reason for all of them; None when it is given up.

    Raises:
        UsageError: there is none, and nobody to be asked.
    """
    code, note = reason_and_note(typed or None)
    if code is not None:
        return code, note
    what = counted(count, "item")
    if not talk.answers.typed:
        raise UsageError(f"There is no reason to reject {what}.", way_out="Type reject list and the reason.")
    talk.say(f"Why {'is' if count == 1 else 'are'} {what} rejected?")
    answer = reason_asked(talk, REJECTING, "gives up")
    return None if answer is None else (ReasonCode(answer[0]), answer[1])


def _lines(talk: Talk, rows: Sequence[Row], code: ReasonCode, note: str) -> Iterator[str]:
    yield f"To reject as {reason_word(code)}{filtered_words(talk)}: {counted(len(rows), 'item')}. Nothing is done yet."
    yield from (row_line(number, row, talk.desk.now()) for number, row in enumerate(rows, 1))
    if note:
        yield from labelled("In your words", note)
    yield "All of it is one change with one undo; nothing is written into memory."


def _carry_out(talk: Talk, rows: Sequence[Row], digest: str, code: ReasonCode, note: str) -> None:
    seen = "row" if talk.answers.typed else "none"  # nobody can say who reads the other end of a pipe
    receipt = talk.desk.decide([rejection(row, code, note, seen=seen) for row in rows], shown=digest)
    talk.place.shown = None
    talk.forget_list()
    if receipt.change is not None:
        talk.told(receipt)
        talk.say(left_words(len(talk.desk.queue)))
        return
    if receipt.moved:
        talk.say("Moved: something in the list changed since it was printed. Type reject list to hear it anew.")
    talk.say(*(failed_line(one) for one in receipt.causes), "Nothing was written.")
