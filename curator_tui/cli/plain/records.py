"""Records line by line: the ledger, the recorded changes of which any one can be undone, and waiting skill writes.

Here: what is read out. Not here: undoing (``taking_back``), what a filter means (``core.ledger_filters``), what a skill
write would do (``core.skills``). Nothing here decides.
"""

from __future__ import annotations

from collections.abc import Iterator

from curator_tui.cli.ledger import NO_ROW_MEANT, verification_words
from curator_tui.cli.plain.item import deed_named
from curator_tui.cli.plain.looking import PAGE
from curator_tui.cli.plain.talk import Talk
from curator_tui.cli.plain.words import age_words, labelled, sentence
from curator_tui.cli.row_words import acted_words, reverted_words, subject_words, unseen_words
from curator_tui.core.actors import actor_words
from curator_tui.core.counting import counted, number_typed
from curator_tui.core.documents import FILE_NAMES, TARGETS
from curator_tui.core.endings import one_deed
from curator_tui.core.errors import CuratorError, UsageError
from curator_tui.core.ledger import CHAIN_WORDS
from curator_tui.core.line_diffs import LineDiff
from curator_tui.core.reason_words import reason_word
from curator_tui.core.row_form import RowForm
from curator_tui.core.text import one_line, visible
from curator_tui.core.times import utc_words
from curator_tui.core.tracing import moment_of
from curator_tui.curator import ledger_queries, ledger_view
from curator_tui.curator import skills as door
from curator_tui.curator.history import changes, find_change, undo_preview
from curator_tui.curator.ledger_queries import LedgerRow, TextState, details
from curator_tui.curator.row_subjects import Subject, subjects

_NAMED = 3


# -- the ledger ------------------------------------------------------------------------------------------------------


def ledger(talk: Talk, rest: str) -> None:
    """List the newest rows of the ledger, or those that a filter means; a number reads one out."""
    _rows(talk, rest.strip(), None)


def older(talk: Talk, _: str) -> None:
    """List older rows of the ledger."""
    _rows(talk, talk.place.ledger_words, talk.place.before_row)


def _rows(talk: Talk, words: str, before: int | None) -> None:
    talk.desk.refresh()
    wanted = ledger_queries.understood(talk.desk, words)
    found = ledger_queries.page(talk.desk, wanted, before=before, count=PAGE)
    talk.place.ledger_words, talk.place.before_row = words, found.before
    talk.number([f"row {row.seq}" for row in found.rows], "rows of the ledger: a number reads that one out")
    for number, row in enumerate(found.rows, 1):
        talk.say(f"{number}. {_row_words(talk, row)}")
    if found.rows:
        talk.say("The ledger itself holds no words: those above are the ones still kept beside it.")
    elif found.before is None:
        talk.say(NO_ROW_MEANT if words else "The ledger is empty: nothing was decided here yet.")
    if found.before is not None:
        talk.say("older lists older rows.")


def _row_words(talk: Talk, row: LedgerRow) -> str:
    form = row.form
    if form is None:
        return f"Row {row.seq} cannot be read; verify says what is damaged."
    about = subjects(talk.desk, row)
    if words := CHAIN_WORDS[form.action] if form.action in CHAIN_WORDS else reverted_words(talk.desk, form):
        return f"Row {row.seq}, {_deed(talk, form)}: {words}."
    named = "; ".join(_subject(one, form.action) for one in about[:_NAMED])
    more = f"; and {len(about) - _NAMED} more" if len(about) > _NAMED else ""
    return f"Row {row.seq}, {_deed(talk, form)}{f': {named}{more}' if named else ''}."


def _meaning(talk: Talk, form: RowForm) -> str:
    """Say what a row means that is about another change, or about the whole book; nothing of any other."""
    if form.action in CHAIN_WORDS:
        return CHAIN_WORDS[form.action]
    words = reverted_words(talk.desk, form)
    return f"It reverts this: {words}" if words else ""


def _deed(talk: Talk, form: RowForm) -> str:
    at = moment_of(form.at)
    when = age_words(talk.desk.now() - at) if at is not None else "at an unknown time"
    flags = "".join(
        f", {word}" for word, is_so in (("recovered", form.recovered), ("partly applied", bool(form.partly))) if is_so
    )
    action = visible(one_deed(form.action), newlines=False)
    return f"{action} by {acted_words(form.actor, talk.desk.actor)}, {when}{flags}"


def _subject(one: Subject, told: str = "") -> str:
    """Say what became of something and what it is; ``told`` was said already and is not said twice."""
    name = f", {visible(one.id, newlines=False)}" if one.id else ""
    did = f"{visible(one.did, newlines=False)}: " if one.did != told else ""
    return f"{did}{subject_words(one)}{name}"


def row(talk: Talk, rest: str) -> None:
    """Read one row of the ledger out."""
    number = number_typed(rest.strip())
    if number is None:
        raise UsageError("Which row?", way_out="Type ledger, then a number; or row and the number a row has.")
    found = details(talk.desk, number)
    form = found.row.form
    if form is None:
        talk.say(_row_words(talk, found.row))
        return
    talk.say(f"Row {form.seq}, {_deed(talk, form)}, {visible(form.at, newlines=False)}.")
    if words := _meaning(talk, form):
        talk.say(sentence(words))
    parts = (*form.decisions, *form.deferrals)
    for number, one in enumerate(subjects(talk.desk, found.row)):
        talk.say(sentence(_subject(one)))
        if number < len(form.decisions):
            part = form.decisions[number]
            talk.say(*_why(part.reason, part.override, part.seen))
        elif number < len(parts) and form.deferrals:
            until = form.deferrals[number - len(form.decisions)].until
            talk.say(f"  Until {visible(until, newlines=False)}." if until else "  Until it is reopened.")
    for detail in found.decisions:
        if detail.note is not None:
            talk.say(*labelled(f"In words, about {visible(detail.form.proposal, newlines=False)}", detail.note))
    if found.note is not None:
        talk.say(*labelled("In words", found.note))
    talk.say(*_why(form.reason, form.override))
    for target in TARGETS:
        sizes = [found.documents.get((target, moment)) for moment in ("before", "after")]
        if any(sizes):
            talk.say(f"{FILE_NAMES[target]}: {_size(sizes[0])} before, {_size(sizes[1])} after.")
    talk.say("Its hash is right." if found.sound else "It is NOT as it was written: type verify.")
    how = " Type undo and that id to undo it alone." if _undoable(talk, form.change) else ""
    talk.say(f"Change {visible(form.change, newlines=False)}.{how}")


def _undoable(talk: Talk, change: str) -> bool:
    """Whether a change can be undone as things are: what was found, and what was undone, cannot."""
    try:
        preview = undo_preview(talk.desk, find_change(talk.desk, change).id)
    except CuratorError:
        return False
    return preview is not None and preview.refused is None


def _why(reason: str, override: list[str], seen: str = "") -> Iterator[str]:
    if reason:
        yield f"  Reason: {visible(reason_word(reason), newlines=False)}."
    if override:
        yield f"  Passed knowingly: {visible(', '.join(override), newlines=False)}."
    if unseen := unseen_words(seen):
        yield f"  {sentence(unseen)}"


def _size(part: TextState | None) -> str:
    if part is None:
        return "not known"
    return "no file" if part.state == "absent" else counted(part.size, "character")


def verify(talk: Talk, _: str) -> None:
    """Verify the chain of the ledger, and what is kept beside it."""
    talk.say(*map(sentence, verification_words(ledger_view.verify(talk.desk))))


# -- changes ---------------------------------------------------------------------------------------------------------


def recorded(talk: Talk, _: str) -> None:
    """List recorded changes, newest first; a number says what undoing that one alone would do, and asks."""
    talk.desk.refresh()
    found = changes(talk.desk, PAGE)
    talk.number([f"undo {change.id}" for change in found], "changes: a number says what undoing that one would do")
    for number, change in enumerate(found, 1):
        undone = ", undone" if change.undone_by else ""
        words = sentence(deed_named(talk.desk, change))
        who = actor_words(change.maker, talk.desk.actor)
        when = f"{age_words(talk.desk.now() - change.at)}, {utc_words(change.at)}"
        talk.say(f"{number}. {words[:-1]}, by {who}, {when}{undone}; change {change.id}.")
    if not found:
        talk.say("Nothing was changed here yet.")
        return
    talk.say("Type a number to undo one change alone; you are asked first, and what came later stays.")


# -- skills ----------------------------------------------------------------------------------------------------------


def skills(talk: Talk, _: str) -> None:
    """List the skill writes that wait; Hermes applies or drops them."""
    found = door.waiting(talk.desk)
    talk.number([f"skill {write.id}" for write in found.writes], "skill writes: a number reads that one out")
    if not found.writes:
        talk.say("No skill waits here.")
        return
    for number, write in enumerate(found.writes, 1):
        when = age_words(talk.desk.now() - write.at) if write.at is not None else "at an unknown time"
        what = f"{one_line(write.action, 20) or 'an action that could not be read'} {one_line(write.name, 40)}".rstrip()
        where = f", file {one_line(write.file, 40)}" if write.file else ""
        trouble = f"; {write.problem.message}" if write.problem is not None else ""
        talk.say(f"{number}. Skill write: {what}{where}, {when}, {visible(write.id)}{trouble}.")
    if found.left_out:
        talk.say(f"{found.left_out} more were not read.")
    talk.say("Type a number to hear what one would change. Hermes applies or drops them, this program does not.")


def skill(talk: Talk, rest: str) -> None:
    """Read out what one waiting skill write would change, and how Hermes is told to apply or drop it."""
    if not rest.strip():
        raise UsageError("Which skill write?", way_out="Type skills for what waits.")
    command = talk.row(rest.strip())
    name = command.removeprefix("skill ") if command.startswith("skill ") else rest.strip()
    found = door.shown(talk.desk, door.find(talk.desk, name))
    write, commands = found.write, found.commands
    name = one_line(write.name, 60) or "a skill without a name"
    talk.say(f"Skill write {visible(write.id)}: {one_line(write.action, 20) or 'unreadable'} {name}.")
    if write.agent_says:
        talk.say(*labelled("The agent says, its own claim", write.agent_says))
    talk.say(*(sentence(problem.message) for problem in found.effect.problems))
    talk.say(*(sentence(f"Finding: {finding.reason}") for finding in found.findings))
    if found.effect.diff is not None:
        talk.say(*_lines(found.effect.diff))
    if commands.caution:
        talk.say(sentence(f"Note: {commands.caution}"))
    for what, words in (("apply", commands.apply), ("drop", commands.drop)):
        if words:
            talk.say(f"To {what} it, start {commands.start} and type there: {words}")


def _lines(diff: LineDiff) -> Iterator[str]:
    names = {"same": "Stays", "gone": "Goes", "new": "New"}
    for line in diff.lines:
        if line.kind == "gap":
            yield f"{counted(line.left_out, 'line')} between stay as they are."
        else:
            yield f"{names[line.kind]}: {visible(line.text)}"
    if diff.cut:
        yield f"{counted(diff.cut, 'more line')} not read out."
    yield f"{counted(diff.new, 'new line')}, {diff.gone} gone."
