"""The plan line by line: what many items would do together, read out before one yes applies all of it.

Here: the reading order, the spot checks and the question. Not here: how a plan is worked out
(``curator.planning``), its rules and which rows are checked (``core``). What is sent is exactly what was
printed, bound to its digest.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from curator_tui.cli.item_words import finding_lines
from curator_tui.cli.plain.deciding import writable
from curator_tui.cli.plain.item import along_lines, effect_lines, stake_lines, what_it_does
from curator_tui.cli.plain.looking import names_of
from curator_tui.cli.plain.talk import Talk
from curator_tui.cli.plain.words import (
    failed_line,
    labelled,
    left_words,
    sentence,
    size_words,
)
from curator_tui.core.changes import Receipt
from curator_tui.core.counting import counted, number_typed
from curator_tui.core.documents import FILE_NAMES, Presence
from curator_tui.core.errors import UsageError
from curator_tui.core.text import one_line
from curator_tui.curator.looking import DocumentView
from curator_tui.curator.planning import Plan, PlanRow, Wish, make_plan

_KINDS = {"same": "stays", "added": "new", "changed": "changed"}


def plan(talk: Talk, rest: str) -> None:
    """Read a plan out and ask once; without words it is about everything that is ready."""
    writable(talk)
    wish = Wish(_named(talk, rest))
    opened: dict[str, str] = {}
    while True:
        made = make_plan(talk.desk, wish)
        if not made.rows:
            talk.say(*(failed_line(one) for one in made.left), "Nothing can be done together now.")
            return
        talk.say(*_plan_lines(made))
        dropped = _checked(talk, made, opened)
        if dropped is None:
            return
        if not dropped:
            break
        wish = replace(wish, dropped=wish.dropped | {dropped}, opened=dict(opened), drawn=made.drawn)
    lines = tuple(_document_lines(made))
    question = f"Apply {counted(len(made.rows), 'item')} as one change?"
    if talk.confirmed(question, lines):
        with talk.writing():
            _apply(talk, made)


def _named(talk: Talk, rest: str) -> tuple[str, ...]:
    """Return the items that are named, by number of the list or by id; none for everything that is ready."""
    if rest.strip() == "list":
        return names_of(talk)
    names = []
    for word in rest.replace(",", " ").split():
        number = number_typed(word)
        listed = talk.place.numbers.get(number, "") if number is not None else ""
        command = listed or f"open {word}"  # an id may be all digits
        name = command.removeprefix("open ")
        if not command.startswith("open ") or talk.desk.queue.proposal(name) is None:
            raise UsageError(f"{one_line(word, 40)} names no waiting item.", way_out="Type list for their numbers.")
        names.append(name)
    return tuple(names)


def _plan_lines(made: Plan) -> Iterator[str]:
    yield f"Plan of {counted(len(made.rows), 'item')}, as one change with one undo. Nothing is done yet."
    for number, row in enumerate(made.rows, 1):
        yield from _row_lines(number, row)
    if made.closed:
        yield f"{counted(made.closed, 'repeat')} for the same entries would be closed along."
    if made.left:
        yield f"Left out, to be decided singly: {len(made.left)}."
        yield from (failed_line(one).replace("Not applied", "Left out", 1) for one in made.left)
    else:
        yield "Nothing is left out."


def _row_lines(number: int, row: PlanRow) -> Iterator[str]:
    what = what_it_does(row.row.proposal) if row.writes else "closes without writing"
    after = f"; {FILE_NAMES[row.target]} then {size_words(row.size, row.limit)}" if row.target is not None else ""
    first = row.row.proposal.operations[0]
    text = one_line(first.content or first.pin or first.match or "", 100)
    yield f"{number}. {one_line(row.id)}, {what}{after}: {text}"
    if row.stands_out:
        yield from map(sentence, finding_lines(row.found))
        yield from along_lines(row.found)


def _checked(talk: Talk, made: Plan, opened: dict[str, str]) -> str | None:
    """Print the drawn rows whole, one after each answer; an item to be left out, nothing to go on, None to give up.

    Args:
        talk: the conversation.
        made: the plan.
        opened: by item the digest of its row as it was printed whole; what was printed here is added. A row that still
            does what was printed is not printed again when another one is left out.
    """
    rows = {row.id: row for row in made.rows}
    checks = [name for name in made.checks if name not in made.opened and opened.get(name) != rows[name].digest]
    for number, name in enumerate(checks, 1):
        taken = _asked_before(talk, made, f"Spot check {number} of {len(checks)} is item {one_line(name)}.")
        if taken != "":
            return taken
        talk.say(*_check_lines(rows[name]))
        opened[name] = rows[name].digest
    return _asked_before(talk, made, "Now both documents as they will be.")


def _asked_before(talk: Talk, made: Plan, what: str) -> str | None:
    """Wait until a person goes on; on a pipe nobody is waited for, since the last answer needs the code of it all."""
    if not talk.answers.typed:
        talk.say(what)
        return ""
    question = f"{what} Type go, or drop and a number of the plan to leave that out; anything else gives up:"
    while True:
        words = talk.free(talk.ask(question), "").strip().lower().split()
        if words == ["go"]:
            return ""
        if words[:1] != ["drop"]:
            break
        place = number_typed(words[1]) if len(words) == 2 else None
        if place is not None and 1 <= place <= len(made.rows):
            return made.rows[place - 1].id
        talk.say(f"Drop which one? The plan has the numbers 1 to {len(made.rows)}.")
    talk.say("The plan was given up; nothing was decided.")
    return None


def _check_lines(row: PlanRow) -> Iterator[str]:
    yield from effect_lines(row.found)
    yield from stake_lines(row.found)


def _document_lines(made: Plan) -> Iterator[str]:
    for view in made.documents:
        yield from _after_lines(view)
    written = sum(row.writes for row in made.rows)
    repeats = f", {made.closed} more closed as repeats" if made.closed else ""
    yield f"{written} written, {len(made.rows) - written} only closed{repeats}; a backup is taken first."
    yield f"Digest {made.digest}."


def _after_lines(view: DocumentView) -> Iterator[str]:
    name = FILE_NAMES[view.target]
    if view.presence in {Presence.UNREADABLE, Presence.UNDECODABLE}:
        yield f"{name} is {view.presence}."
        return
    part = view.outcome
    yield f"{name} afterwards: {size_words(part.size_after, part.limit)}, {counted(len(part.after), 'entry')}."
    for entry in view.entries:
        diff = entry.diff
        if diff.after is not None and diff.index_after is not None:
            yield from labelled(f"Entry {diff.index_after + 1}, {_KINDS.get(diff.kind, diff.kind)}", diff.after)
        elif diff.before is not None:
            yield from labelled("Gone", diff.before)


def _apply(talk: Talk, made: Plan) -> None:
    checked = set(made.checks) | made.opened
    seen = {row.id: ("100%" if row.id in checked else "row") if talk.answers.typed else "none" for row in made.rows}
    decisions = tuple(replace(one, seen=seen[one.proposal]) for one in made.decisions)
    receipt = talk.desk.decide(decisions, shown=made.digest)
    talk.place.shown = None
    talk.forget_list()
    if receipt.change is None:
        talk.say(*_not_done(receipt))
    else:
        talk.told(receipt)
        talk.say(left_words(len(talk.desk.queue)))


def _not_done(receipt: Receipt) -> Iterator[str]:
    if receipt.moved:
        yield "Moved: something in the plan changed since it was printed. Type plan to hear what it does now."
    yield from (failed_line(one) for one in receipt.causes)
    yield "Nothing was written."
