"""The two documents line by line: their entries, and a person's own add, correct and remove; and the other profiles.

Here: what is read out and asked. Not here: how an entry is named (``curator.naming``), the rules of a correction
(``core.corrections``): they are those of a proposal, on what is there now.
"""

from __future__ import annotations

from collections.abc import Iterator

from curator_tui.cli.plain.deciding import why_it_may_pass, writable
from curator_tui.cli.plain.looking import status
from curator_tui.cli.plain.talk import Talk
from curator_tui.cli.plain.words import entry_lines, failed_line, labelled, snapshot_lines
from curator_tui.core.changes import Change
from curator_tui.core.counting import characters_at, number_typed
from curator_tui.core.diffs import entry_diff
from curator_tui.core.documents import FILE_NAMES, TARGETS, Target, parse
from curator_tui.core.errors import UsageError
from curator_tui.core.operations import Action, Operation, normalise
from curator_tui.core.preflight import findings_of
from curator_tui.core.requests import Kind, OverrideCode, Request
from curator_tui.core.review import OVERRIDABLE
from curator_tui.curator.naming import Entry, document_hints, entries, find_entry

_ROWS = 1_000
"""More rows than both documents have entries."""


def documents(talk: Talk, _: str) -> None:
    """Read both documents out, entry by entry."""
    talk.desk.refresh()
    snapshot = talk.desk.snapshot()
    listed = entries(snapshot)
    sizes = dict(zip(TARGETS, snapshot_lines(snapshot), strict=True))
    for target in TARGETS:
        talk.say(sizes[target])
        for number, entry in enumerate(listed, 1):
            if entry.target is target:
                talk.say(*_entry_lines(number, entry))
        talk.say(*(f"Note: {hint}" for hint in document_hints(snapshot.document(target))))
    talk.number([f"correct {entry.id}" for entry in listed], "entries: a number corrects that entry")
    talk.say("Type add user or add memory for a new entry; correct, remove or challenge and a number or id for one.")


def _entry_lines(number: int, entry: Entry) -> Iterator[str]:
    yield from labelled(f"{number}. Entry {entry.id}, {len(entry.text)} characters", entry.text)
    for finding in findings_of(entry.text):
        where = characters_at(finding.start, finding.end)
        yield f"  {finding.severity} finding {finding.rule}: {finding.reason.rstrip('.')} ({where})"


def add(talk: Talk, rest: str) -> None:
    """Take an entry of one's own, print what it does, and ask."""
    writable(talk)
    if rest.strip() not in set(Target):
        raise UsageError("Add to which document?", way_out="Type add user, or add memory.")
    target = Target(rest.strip())
    text = talk.text(f"the new entry of {FILE_NAMES[target]}")
    if text is not None:
        _correct(talk, Operation(Action.ADD, target, content=normalise(text)))


def correct(talk: Talk, rest: str) -> None:
    """Take a text of one's own for an entry, print what it does, and ask."""
    writable(talk)
    entry = entry_named(talk, rest)
    talk.say(*labelled(f"Entry {entry.id} of {FILE_NAMES[entry.target]}", entry.text))
    text = talk.text("its whole new text")
    if text is not None:
        _correct(talk, Operation(Action.REPLACE, entry.target, content=normalise(text), pin=entry.text))


def remove(talk: Talk, rest: str) -> None:
    """Print an entry, and ask whether it goes."""
    writable(talk)
    entry = entry_named(talk, rest)
    _correct(talk, Operation(Action.REMOVE, entry.target, pin=entry.text))


def entry_named(talk: Talk, rest: str) -> Entry:
    """Return the entry that a person names: by its number in the list printed last, or as anywhere else."""
    word = rest.strip()
    if not word:
        raise UsageError("Which entry?", way_out="Type documents for their numbers and ids.")
    command = talk.row(word)
    talk.desk.refresh()
    number = number_typed(word)
    # a longer one may be the beginning of an id
    if number is not None and number < _ROWS and not command.startswith("correct "):
        raise UsageError(
            f"{word} is no row of a list of entries that was printed last.",
            way_out="Type documents for their numbers and ids, or the first words of an entry.",
        )
    name = command.removeprefix("correct ") if command.startswith("correct ") else word
    return find_entry(talk.desk.snapshot(), name)


def _correct(talk: Talk, operation: Operation) -> None:
    why: tuple[OverrideCode, str] | None = None
    planned = _planned(talk, operation, passing=False)
    held = planned.receipt.not_applied
    if held and held[0].state in OVERRIDABLE:
        talk.say(*map(failed_line, held))
        if (why := why_it_may_pass(talk)) is None:
            return
        planned = _planned(talk, operation, passing=True)
    if planned.receipt.not_applied:
        talk.say(*map(failed_line, planned.receipt.not_applied), "Nothing was written.")
    elif not planned.documents:
        talk.say("Nothing was to do: memory holds that entry already.")
    elif talk.confirmed("Write it all the same?" if why else "Write it?", tuple(_effect(talk, planned))):
        with talk.writing():
            code, note = why or (None, "")
            passed = OVERRIDABLE if why else frozenset()
            receipt = talk.desk.correct([operation], override=passed, reason=code, note=note)
            talk.place.shown = None
            talk.forget_list()
            talk.told(receipt)


def _planned(talk: Talk, operation: Operation, *, passing: bool) -> Change:
    passed = OVERRIDABLE if passing else frozenset()
    reason = OverrideCode.REQUEST if passing else None  # nothing of a dry run is kept
    request = Request(talk.desk.stamp(), Kind.CORRECT, corrections=(operation,), override=passed, reason=reason)
    return talk.desk.dry_run(request)


def _effect(talk: Talk, planned: Change) -> Iterator[str]:
    for target, raw in planned.documents.items():
        before, after = talk.desk.snapshot().document(target), parse(target, raw)
        yield f"{FILE_NAMES[target]}: {before.size} characters now, {after.size} afterwards."
        yield from entry_lines(entry_diff(before.entries, after.entries))


# -- profiles --------------------------------------------------------------------------------------------------------


def profiles(talk: Talk, rest: str) -> None:
    """List the profiles beside the bound one, or go to one of them."""
    facts = talk.desk.facts()
    name = rest.strip()
    if not name:
        talk.say(f"Bound: {facts.label}, {facts.kind} {facts.scope}.")
        talk.say(*(f"{number}. {one}" for number, one in enumerate(facts.profiles, 1)))
        talk.number([f"profile {one}" for one in facts.profiles], "profiles: a number goes to that one")
        talk.say("Type a number to go there." if facts.profiles else "There is no other profile.")
        return
    row = talk.row(name)
    named = row.removeprefix("profile ") if row.startswith("profile ") and name not in facts.profiles else name
    talk.change_desk(talk.switch(named))
    status(talk, "")
