"""The conversation: prompt, answer, and what of the store is in hand while it goes on.

Here: the loop, the state of one run, asking, and carrying out what was decided. Not here: what the commands do
(``looking``, ``deciding``, ``planning``, ``taking_back``, ``documents``), which there are (``commands``), rules.

What was printed is remembered with what it was bound to: an approval sends exactly that, and nothing else.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress

from msgspec import Struct, field

from curator_tui.cli.plain.answers import Answers, Asked, code_of
from curator_tui.cli.plain.leaving import ASKED_BY, Leave, Signals
from curator_tui.cli.plain.printer import Printer
from curator_tui.cli.plain.words import receipt_lines
from curator_tui.core.changes import Receipt
from curator_tui.core.counting import counted, number_typed
from curator_tui.core.errors import CuratorError, UsageError
from curator_tui.core.text import one_line
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Looked
from curator_tui.curator.values import Evidence

HELP = frozenset({"help", "?"})
"""What is typed to hear what can be typed at that moment."""
_HELP_AT_A_QUESTION = "A question is open: only what it names can be answered, and no command is taken before that."


class Shown(Struct, frozen=True):
    """The item that was printed whole.

    Attributes:
        looked: what was printed of it, and the digest an approval is bound to.
        lines: the lines, to tell what differs when it changed.
        evidence: where the claim came from, or None.
    """

    looked: Looked
    lines: tuple[str, ...]
    evidence: Evidence | None = None

    @property
    def code(self) -> str:
        """Code of what was printed (see ``answers``)."""
        return code_of(self.lines)


class Place(Struct):
    """Where a person is: what was printed last and what a number means.

    Attributes:
        shown: the item in hand, None for none.
        numbers: what each number of the list printed last stands for, as a command.
        list_of: what that list holds, in words.
        questions: ids of the questions in the order they were listed last; a number goes on meaning one of them while
            it is read out.
        words: what the queue is filtered by (see ``curator.queries``).
        skipped: items put to the end for this run.
        from_row: first row of the next page of the queue.
        ledger_words: what the ledger is filtered by.
        before_row: older rows of the ledger are those in front of this one; None for no more.
    """

    shown: Shown | None = None
    numbers: dict[int, str] = field(default_factory=dict)
    list_of: str = ""
    questions: tuple[str, ...] = ()
    words: str = ""
    skipped: dict[str, None] = field(default_factory=dict)
    from_row: int = 0
    ledger_words: str = ""
    before_row: int | None = None


class Talk:
    """One run of the review line by line.

    Args:
        desk: the bound desk; whoever gave it closes it.
        answers: where lines come from.
        printer: where sentences go.
        switch: opens the desk of another profile.
    """

    def __init__(self, desk: Desk, answers: Answers, printer: Printer, switch: Callable[[str], Desk]) -> None:
        self.desk = desk
        self.answers = answers
        self.printer = printer
        self.switch = switch
        self.place = Place()
        self._given = desk
        self._signals = Signals()
        self._wanted = False  # something was asked for that would write, and did not happen yet
        self._missed = False

    def run(self, begin: Callable[[Talk], None], obey: Callable[[Talk, Asked], None]) -> int:
        """Talk until the person leaves, and return the exit code.

        Where nobody talks, as on a pipe, it is 1 when something that was asked for did not happen.
        """
        try:
            with self._signals.watched():
                begin(self)
                while True:
                    self._obey_once(obey)
        except Leave as leave:
            return self._said_goodbye(leave)
        finally:
            if self.desk is not self._given:
                self.desk.close()

    def _obey_once(self, obey: Callable[[Talk, Asked], None]) -> None:
        asked = self.line(self._prompt())
        try:
            obey(self, asked)
        except CuratorError as error:
            self._missed = True
            self.say(f"{error.message} {error.way_out}".rstrip())

    def _said_goodbye(self, leave: Leave) -> int:
        """Say that it is over and return the exit code."""
        from curator_tui.cli.output import OutputClosed, OutputFailed

        try:
            self.say("", f"{leave.words} Left; what was not answered is not decided.")
        except (OutputClosed, OutputFailed):
            # the terminal went away: its end reads as the end of the input
            self.printer.give_up()
            return leave.code or ASKED_BY[signal.SIGHUP]
        return leave.code or int(self._missed and not self.answers.typed)

    def _prompt(self) -> str:
        with suppress(CuratorError):  # the next command says what is wrong; until then the last count stands
            self.desk.refresh()
        shown = self.place.shown
        what = f"item {one_line(shown.looked.id)}" if shown is not None else f"{len(self.desk.queue)} waiting"
        asked = len(self.desk.queue.deferrals.questions)
        more = f", {counted(asked, 'question')}" if asked else ""
        bound = self.desk.bound()
        return f"{bound.kind.capitalize()} {bound.scope}, {what}{more}. Command:"

    # -- saying and asking -----------------------------------------------------------------------------------------

    def say(self, *lines: str) -> None:
        """Print sentences."""
        self.printer.lines(lines)

    def ask(self, question: str, choices: Sequence[str] = ()) -> Asked:
        """Ask a question until it is answered: a request for help is none, and takes nothing back.

        Args:
            question: the question, which says what can be answered.
            choices: what was printed to choose from, to be printed again with the help.
        """
        while (asked := self.line(question)).text.strip().lower() in HELP:
            self.say(*choices, _HELP_AT_A_QUESTION)
        return asked

    def line(self, question: str) -> Asked:
        """Take one line; what was typed before the question stood there is dropped."""
        if self.answers.forget_ahead():
            self.say("What was typed before this question is dropped.")
        self.printer.question(question, typed=self.answers.typed)
        self.answers.forget_ahead()
        asked = self.answers.line()
        if not asked.typed:
            return asked
        if asked.early and not asked.text:
            self.say("A block of lines decides nothing and was dropped; type one line at a time.")
        return asked

    def confirmed(self, question: str, lines: Iterable[str]) -> bool:
        """Print what is at stake and ask; only the whole word yes means yes.

        Args:
            question: what is asked, without its answers.
            lines: everything that has to be printed before; on a pipe the answer has to end in their code.
        """
        return self.choice(question, lines) == "yes"

    def choice(self, question: str, lines: Iterable[str], other: str = "", what: str = "") -> str:
        """Ask as :meth:`confirmed` does, with another word that decides nothing; return the word, empty for no.

        Args:
            question: what is asked.
            lines: everything that has to be printed before.
            other: the other word, or empty.
            what: what that does, in a clause.
        """
        printed = tuple(lines)
        self.say(*printed)
        code = code_of((*printed, question))
        yes = "yes" if self.answers.typed else f"yes {code}"
        more = f", {other} {what}" if other else ""
        asked = self.ask(f"{question} Type {yes} to do it{more}, anything else for no:")
        words, problem = asked.decides(code)
        word = words.strip().lower()
        if other and word == other:
            return other
        if word != "yes" or problem:
            self._wanted = word == "yes"  # any other word takes back what was asked for
            short = word != "" and "yes".startswith(word)
            no = "No: it takes the whole word yes." if short else "No."
            self.say(problem if word == "yes" else no, "Nothing was decided.")
            return ""
        return word

    def free(self, asked: Asked, code: str) -> str:
        """Return a deciding line without its code.

        Raises:
            UsageError: it may not decide.
        """
        words, problem = asked.decides(code)
        if problem:
            raise UsageError(problem, way_out="Nothing was decided.")
        return words

    def text(self, what: str) -> str | None:
        """Take a text of several lines; None when it is given up, by an empty one."""
        self.say(
            f"Type {what}, one line or more. A line with nothing but a full stop ends it; at once, it gives up. "
            "For a line of that kind in the text itself type one full stop more."
        )
        lines: list[str] = []
        while (line := self.answers.own_line()) != ".":
            lines.append(line[1:] if line.startswith(".") and not line.strip(".") else line)
        text = "\n".join(lines)
        return text if text.strip() else None

    def number(self, commands: Sequence[str], list_of: str) -> None:
        """Let the numbers of a list that is printed stand for commands; after an empty one no number means anything."""
        self.place.numbers = dict(enumerate(commands, 1))
        self.place.list_of = list_of

    def row(self, word: str) -> str:
        """Return the command that a number of the list printed last stands for; empty for anything else."""
        number = number_typed(word)
        return "" if number is None else self.place.numbers.get(number, "")

    def forget_list(self) -> None:
        """Let the numbers of a list about one thing mean nothing any more; those of the queue go on opening rows."""
        if not all(command.startswith("open ") for command in self.place.numbers.values()):
            self.place.numbers = {}

    # -- carrying out ----------------------------------------------------------------------------------------------

    @contextmanager
    def wanting(self) -> Iterator[None]:
        """Carry out a command that would write: it is remembered where it ends without having done so."""
        self._wanted = True
        try:
            yield
        finally:
            self._missed = self._missed or self._wanted
            self._wanted = False

    def told(self, receipt: Receipt) -> None:
        """Print what became of a request."""
        self._wanted = receipt.change is None or bool(receipt.not_applied)
        self.say(*receipt_lines(receipt))

    def writing(self) -> AbstractContextManager[None]:
        """Let something be carried out and told; a signal waits until then."""
        return self._signals.held_back()

    def change_desk(self, desk: Desk) -> None:
        """Go on at another desk, with nothing in hand."""
        before, self.desk, self.place = self.desk, desk, Place()
        if before is not self._given:
            before.close()
