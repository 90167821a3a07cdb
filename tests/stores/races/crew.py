"""The crew of a race: worker processes, the pipe they all start from, and their answers as values.

Here: processes and transport. Not here: what a worker does (``worker``), what must hold afterwards (``outcome``).
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import selectors
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from curator_tui.core.changes import NotApplied, Receipt
from curator_tui.stores.book.receipts import receipt_from
from tests.stores.ground import Scope
from tests.stores.races.outcome import where

WORKER = Path(__file__).with_name("worker.py")
# Long enough for any bounded wait of ours; only a process that hangs for good gets there.
PATIENCE = 90.0
Command = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What a worker answered: receipts, or the error of our tree it got."""

    who: str
    receipts: tuple[Receipt, ...] = ()
    error: str = ""
    message: str = ""
    took: float = 0.0
    cpu: float = 0.0

    @property
    def receipt(self) -> Receipt:
        assert len(self.receipts) == 1, self
        return self.receipts[0]

    @property
    def won(self) -> bool:
        """Whether all that was asked for was done."""
        return not self.error and self.receipt.done and self.receipt.change is not None

    @property
    def refusal(self) -> NotApplied:
        """Why the one thing that was asked for was not done."""
        assert not self.error, self
        assert self.receipt.change is None, self
        assert len(self.receipt.not_applied) == 1, self
        return self.receipt.not_applied[0]


class Process:
    """A child that reads and writes lines of JSON; a context manager that ends it."""

    def __init__(self, command: Sequence[str], start: int, env: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=(start,), env=env, bufsize=0
        )
        # lines are cut here and not by a buffered file, whose buffer a selector does not know
        self._heard = b""
        # whether somebody waits for an answer of it
        self.owes = False
        self._selector = selectors.DefaultSelector()
        assert self._process.stdout is not None
        self._selector.register(self._process.stdout, selectors.EVENT_READ)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def pid(self) -> int:
        return self._process.pid

    def say(self, command: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        os.write(self._process.stdin.fileno(), json.dumps(command).encode("ascii") + b"\n")

    def hear(self) -> dict[str, Any]:
        """Return the next answer.

        Nothing may hang, so a child that stays silent is a failure; so is anything it did not expect itself.
        """
        assert self._process.stdout is not None
        while b"\n" not in self._heard:
            if not self._selector.select(PATIENCE):
                raise AssertionError(f"process {self.pid} gave no answer within {PATIENCE:g} seconds")
            more = os.read(self._process.stdout.fileno(), 1 << 16)
            assert more, f"process {self.pid} ended without an answer"
            self._heard += more
        line, _, self._heard = self._heard.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        assert "crash" not in answer, answer["crash"]
        return answer

    def speaks(self, within: float) -> bool:
        """Whether an answer comes within some seconds."""
        return b"\n" in self._heard or bool(self._selector.select(within))

    def stop(self) -> None:
        """Stop it where it is and wait until it stands."""
        os.kill(self.pid, signal.SIGSTOP)
        self.await_stop()

    def await_stop(self) -> None:
        """Wait until it has been stopped, by us or by a failpoint; ending or answering instead is a failure."""
        found: list[int] = []

        def look() -> None:
            with contextlib.suppress(ChildProcessError):
                status = os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
                found.append(0 if status is None else status.si_code)

        # a thread, because waiting for a child knows no time limit
        waiter = threading.Thread(target=look, daemon=True)
        waiter.start()
        while waiter.is_alive() and not self.speaks(0):
            waiter.join(0.05)
        assert found == [os.CLD_STOPPED], f"process {self.pid} did not stop: {found or self.hear()}"

    def go_on(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """End it without a chance to tidy up."""
        self._process.kill()
        self._process.wait()

    def end(self) -> None:
        if self._process.poll() is None:
            self.go_on()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        self._selector.close()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.kill()


class Crew:
    """Named workers that start together; a context manager that ends them."""

    def __init__(self, names: Sequence[str]) -> None:
        self._gate, self._opener = os.pipe()
        self.workers: dict[str, Process] = {}
        for name in names:
            self.workers[name] = self._hire()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers.values():
            worker.end()
        os.close(self._gate)
        os.close(self._opener)

    def _hire(self) -> Process:
        return Process([sys.executable, str(WORKER), str(self._gate)], self._gate)

    @property
    def gate(self) -> int:
        """The reading end of the pipe: a process that takes a byte from it has started."""
        return self._gate

    def replace(self, name: str) -> None:
        """Put a new process in the place of one that is of no use any more."""
        self.workers[name].kill()
        self.workers[name].end()
        self.workers[name] = self._hire()

    def mend(self) -> None:
        """Make the crew fit for the next race: a failed one may have left a worker at the start."""
        for name, worker in list(self.workers.items()):
            if worker.owes:
                self.replace(name)
        while select.select([self._gate], [], [], 0)[0]:
            os.read(self._gate, 1)

    def open(self, home: Path | Scope, wait: float = 30.0) -> None:
        """Let every worker open a desk on a home or a scope; ``wait`` is how long it waits for locks."""
        place = list(where(home)["database"]) if isinstance(home, Scope) else str(home)
        for name, worker in self.workers.items():
            worker.say({"do": "open", "home": place, "name": name, "wait": wait})
        for worker in self.workers.values():
            worker.hear()

    def prepare(self, who: str, command: Command, *, start: bool = True) -> None:
        """Let one worker look at things; it then waits for the start, or goes on at once."""
        worker = self.workers[who]
        worker.owes = True
        worker.say({"failpoints": "", "after": 0.0, "start": start, **command})
        worker.hear()

    def start(self, count: int) -> None:
        """Let all who are prepared go, with one write."""
        os.write(self._opener, b"!" * count)

    def answer(self, who: str) -> Answer:
        """Return how it ended for one worker."""
        plain = self.workers[who].hear()
        self.workers[who].owes = False
        receipts = tuple(receipt_from(json.dumps(part).encode()) for part in plain.pop("receipts", ()))
        return Answer(who, receipts, **plain)

    def race(self, commands: Mapping[str, Command]) -> dict[str, Answer]:
        """Let some workers do something at the same moment and return their answers."""
        for who, command in commands.items():
            self.prepare(who, command)
        self.start(len(commands))
        return {who: self.answer(who) for who in commands}

    def alone(self, who: str, command: Command) -> Answer:
        """Let one worker do something while nobody else does anything."""
        self.prepare(who, command, start=False)
        return self.answer(who)


def decide(item: str, verb: str = "approve", *, bound: bool = False, content: str = "", **more: Any) -> Command:
    """Decide about an item; with ``bound`` only what was looked at, with ``content`` after an edit."""
    return {"do": "decide", "item": item, "verb": verb, "bound": bound, "content": content, **more}


def undo(change: str, *, bound: bool = False, **more: Any) -> Command:
    """Take back a change."""
    return {"do": "undo", "change": change, "bound": bound, **more}


def rollback(backup: str, *, bound: bool = False, **more: Any) -> Command:
    """Restore both documents of a backup."""
    return {"do": "rollback", "backup": backup, "bound": bound, **more}


def add(*texts: str, **more: Any) -> Command:
    """Add entries to MEMORY.md, one change each."""
    return {"do": "add", "texts": texts, **more}
