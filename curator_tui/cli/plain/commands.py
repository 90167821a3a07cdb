"""The commands: every word that can be typed, when it means something, and what it does.

Here: the one list that typing, help and the offers read. Not here: what a command does (the modules beside).

A number is never a command: it means a row of the list printed last, or one of the choices under a question, so that
no number decides anything. A command may be shortened as long as no other begins so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext

from msgspec import Struct

from curator_tui.cli.plain import asides, deciding, documents, looking, planning, records, rejecting, taking_back
from curator_tui.cli.plain.answers import Asked
from curator_tui.cli.plain.leaving import Leave
from curator_tui.cli.plain.talk import HELP, Shown, Talk
from curator_tui.core.counting import number_typed
from curator_tui.core.errors import UsageError
from curator_tui.core.preflight import State
from curator_tui.core.proposals import editable
from curator_tui.core.review import OVERRIDABLE, approval_problem
from curator_tui.core.text import one_line

When = Callable[[Talk], bool]


class Command(Struct, frozen=True):
    """One command.

    Attributes:
        word: what is typed.
        does: what it does, in a clause.
        run: carries it out, given what was typed behind the word.
        when: whether it means something now.
        takes: what may be typed behind the word.
        decides: it decides about the item in hand, so on a pipe it needs the code of what was printed.
        writes: it is asked for so that something is written.
    """

    word: str
    does: str
    run: Callable[[Talk, str], None]
    when: When
    takes: str = ""
    decides: bool = False
    writes: bool = False


def _always(_: Talk) -> bool:
    return True


def _waiting(talk: Talk) -> bool:
    return len(talk.desk.queue) > 0


def _of(shown: Callable[[Shown], bool]) -> When:
    return lambda talk: talk.place.shown is not None and shown(talk.place.shown)


def _deciding(shown: Callable[[Shown], bool]) -> When:
    return lambda talk: not talk.desk.read_only and _of(shown)(talk)


def _writing(talk: Talk) -> bool:
    return not talk.desk.read_only


def _approvable(shown: Shown) -> bool:
    return approval_problem(shown.looked.found, OVERRIDABLE) is None


def _any(_: Shown) -> bool:
    return True


def _pickable(shown: Shown) -> bool:
    return bool({State.STALE, State.AMBIGUOUS} & set(shown.looked.found.conditions))


def _help(talk: Talk, _: str) -> None:
    """List what can be typed now."""
    talk.say("What can be typed now. A number means a row of the list printed last, never a command.")
    if not talk.answers.typed:
        talk.say(
            "This is no terminal for input and output: what decides must end with the code that was printed with it."
        )
    for command in COMMANDS:
        if command.when(talk):
            words = f"{command.word} {command.takes}".rstrip()
            talk.say(f"{words}: {command.does}.")
    talk.say("A command may be shortened as long as no other begins so.")


def _quit(_: Talk, __: str) -> None:
    raise Leave(0, "Good.")


COMMANDS: Sequence[Command] = (
    Command("approve", "approve the item as it was printed", deciding.approve, _deciding(_approvable), decides=True),
    Command("reject", "reject the item", deciding.reject, _deciding(_any), "[REASON]", decides=True),
    Command(
        "log-only", "close it without writing; the ledger keeps a row", deciding.log_only, _deciding(_any),
        decides=True,
    ),
    Command("defer", "take it out of the queue until a day, or until you reopen it", asides.defer, _deciding(_any),
            "[DAY]", decides=True),
    Command("edit", "write your own version, line by line", deciding.edit,
            _deciding(lambda shown: bool(editable(shown.looked.item.found.proposal))), "[STEP]"),
    Command("editor", "write your own version in your editor", deciding.editor,
            _deciding(lambda shown: bool(editable(shown.looked.item.found.proposal))), "[STEP]"),
    Command("inside", "change only the words inside the entry", deciding.inside,
            _of(lambda shown: bool(shown.looked.item.found.inside))),
    Command("pick", "choose the entry it takes", deciding.pick, _of(_pickable), "[NUMBER]"),
    Command("rebase", "give it another entry", deciding.pick, _of(_pickable), "[NUMBER]"),
    Command("original", "back to the item as it was proposed", deciding.original,
            _of(lambda shown: not shown.looked.edit.empty)),
    Command("skip", "put the item to the end for this run", looking.skip, _of(_any)),
    Command("next", "open the next item", looking.next_item, _waiting),
    Command("previous", "open the item before", looking.previous_item, _of(_any)),
    Command("again", "print the item again", looking.again, _of(_any)),
    Command("record", "print the bytes of its record", looking.record, _of(_any)),
    Command("list", "print the queue", looking.list_queue, _always),
    Command("more", "print more of the queue", looking.more, lambda talk: talk.place.from_row > 0),
    Command("filter", "narrow the queue; alone, all of it again", looking.filter_queue, _waiting,
            "[STATE or WORDS, or field:word, as for:user, age:>3d]"),
    Command("open", "open an item", looking.open_item, _waiting, "ID"),
    Command("plan", "decide many as one change: everything ready, all of the list, or what is named", planning.plan,
            lambda talk: _writing(talk) and _waiting(talk), "[list, or NUMBERS or IDS]", writes=True),
    Command("reject list", "reject all of the list as one change, of the filter that holds",
            rejecting.reject_list, lambda talk: _writing(talk) and _waiting(talk), "[REASON]", writes=True),
    Command("undo", "undo your newest change, or the one that is named", taking_back.undo, _writing, "[CHANGE]",
            writes=True),
    Command("redo", "redo what you undid last", taking_back.redo, _writing, writes=True),
    Command("history", "list the backups", taking_back.history, _always),
    Command("diff", "compare two backups, or one with now", taking_back.diff, _always, "BACKUP [BACKUP]"),
    Command("rollback", "roll back to a backup", taking_back.rollback_to, _writing, "BACKUP [user or memory]",
            writes=True),
    Command("documents", "read both documents out", documents.documents, _always),
    Command("add", "add an entry of your own", documents.add, _writing, "user or memory", writes=True),
    Command("correct", "put your own text in the place of an entry", documents.correct, _writing, "ENTRY",
            writes=True),
    Command("remove", "remove an entry", documents.remove, _writing, "ENTRY", writes=True),
    Command("challenge", "dispute an entry: it is marked, and a question waits", asides.challenge, _writing, "ENTRY",
            writes=True),
    Command("questions", "list the questions about disputed entries", asides.questions, _always),
    Command("question", "read a question out", asides.question, _always, "NUMBER or ID"),
    Command("answer", "answer a question", asides.answer, _writing, "[NUMBER or ID] keep, correct or remove",
            writes=True),
    Command("deferred", "list what is deferred", asides.deferred, _always),
    Command("reopen", "bring a deferred or decided item back", asides.reopen, _writing, "ID", writes=True),
    Command("changes", "list what was changed; a number undoes that change alone", records.recorded, _always),
    Command("ledger", "list the rows of the ledger, or those a filter means", records.ledger, _always, "[FILTER]"),
    Command("older", "list older rows of the ledger", records.older, lambda talk: talk.place.before_row is not None),
    Command("row", "read a row of the ledger out", records.row, _always, "NUMBER"),
    Command("verify", "verify the ledger", records.verify, _always),
    Command("skills", "list the skill writes that wait for Hermes", records.skills, _always),
    Command("skill", "read out what a skill write would change", records.skill, _always, "ID"),
    Command("profile", "list the profiles, or go to one", documents.profiles, _always, "[NAME]"),
    Command("status", "say what is bound, what waits, how full the documents are", looking.status, _always),
    Command("help", "list what can be typed now", _help, _always),
    Command("quit", "leave", _quit, _always),
)  # fmt: skip


def offer(talk: Talk) -> str:
    """Say in one sentence what can be typed about the item in hand."""
    first_of_all = next(place for place, command in enumerate(COMMANDS) if command.word == "list")
    about = [command for command in COMMANDS[:first_of_all] if command.when(talk)]
    return "You can type: " + ", ".join(command.word for command in about) + "; or help."


def obey(talk: Talk, asked: Asked) -> None:
    """Carry out one typed line."""
    words = asked.text.strip()
    if words.partition(" ")[0].isdecimal():
        words = _numbered(talk, words)
    word, _, rest = words.partition(" ")
    if not word:
        return
    command, rest = _command(word.lower(), rest)
    with talk.wanting() if command.decides or command.writes else nullcontext():
        _carry_out(talk, command, asked._replace(text=rest))


def _carry_out(talk: Talk, command: Command, asked: Asked) -> None:
    rest = asked.text
    if command.decides:
        shown = looking.in_hand(talk)
        deciding.writable(talk)
        rest = talk.free(asked, shown.code)
    command.run(talk, rest)


def _numbered(talk: Talk, words: str) -> str:
    """Return what a number stands for, with what was typed behind it."""
    number, _, rest = words.partition(" ")
    typed = one_line(number, 40)
    place = number_typed(number)
    if not talk.place.numbers:
        raise UsageError(
            f"No list was printed that {typed} could be a row of.",
            way_out="Type list for the queue. A command is typed as a word.",
        )
    if place is None or place not in talk.place.numbers:
        raise UsageError(f"There is no number {typed} in the list.", way_out=f"It holds {talk.place.list_of}.")
    return f"{talk.place.numbers[place]} {rest}".rstrip()


def _command(word: str, rest: str) -> tuple[Command, str]:
    """Return the command that a word means, or the one of two words that begins so, and what was typed behind it."""
    word = "help" if word in HELP else word
    single = [command for command in COMMANDS if " " not in command.word]
    exact = [command for command in single if command.word == word]
    found = exact or [command for command in single if command.word.startswith(word)]
    if len(found) == 1:
        second, _, behind = rest.strip().partition(" ")
        longer = f"{found[0].word} {second.lower()}"
        return next(((one, behind) for one in COMMANDS if one.word == longer), (found[0], rest))
    if not found:
        raise UsageError(f"I do not know {one_line(word, 40)}.", way_out="Type help for what can be typed.")
    names = ", ".join(command.word for command in found)
    raise UsageError(f"{one_line(word, 40)} may be {names}.", way_out="Type more of the word.")
