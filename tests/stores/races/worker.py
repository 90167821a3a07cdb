"""One curator of a race: a long-lived process with a desk of its own that does what it is told.

``python tests/stores/races/worker.py FD``: one JSON command per line on standard input, one JSON answer per line on
standard output; FD is the reading end of the pipe that all workers of a race start from. A command that races is
answered twice: ``ready`` when everything is looked at and prepared, and the outcome after the start.

Here: carrying out commands. Not here: what is asked and what an answer should be (``crew``, the tests).
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from curator_tui.core.changes import Receipt
from curator_tui.core.documents import Target
from curator_tui.core.errors import CuratorError
from curator_tui.core.operations import Action, Operation
from curator_tui.core.proposals import Edit
from curator_tui.core.requests import Actor, ActorKind, Decision, Kind, Request, Stamp, Verb
from curator_tui.curator import history
from curator_tui.curator.desk import Desk
from curator_tui.curator.opening import DatabaseScope, open_desk
from curator_tui.stores import failpoints
from curator_tui.stores.book.receipts import receipt_bytes
from curator_tui.stores.hermes.locks import Waits

Command = Mapping[str, Any]
Act = Callable[[], list[Receipt]]


class Worker:
    """The process: a desk, the way out for answers, and the pipe everybody starts from."""

    def __init__(self, start: int) -> None:
        self._start = start
        # whatever is printed by accident must not look like an answer
        self._answers = os.fdopen(os.dup(1), "w", encoding="ascii")
        os.dup2(2, 1)
        self._desk: Desk | None = None

    @property
    def desk(self) -> Desk:
        assert self._desk is not None
        return self._desk

    def run(self) -> None:
        for line in sys.stdin:
            command = json.loads(line)
            if command["do"] == "open":
                self._open(command)
                self._say({"ready": True})
            else:
                self._race(command)
        self._close()

    def _say(self, answer: Mapping[str, Any]) -> None:
        self._answers.write(json.dumps(answer) + "\n")
        self._answers.flush()

    def _open(self, command: Command) -> None:
        self._close()
        # an open desk, as the application holds one for hours: it has to notice what others do
        place = command["home"]
        named = {"home": Path(place)} if isinstance(place, str) else {"database": DatabaseScope(*place)}
        desk = open_desk(**named, environ={}, through="library")
        desk.actor = Actor(ActorKind.PERSON, command["name"], "library")
        if isinstance(place, str):
            desk.store.writer.waits = Waits(command["wait"])
        else:
            desk.store.writer.patience.wait = command["wait"]
        self._desk = desk

    def _close(self) -> None:
        if self._desk is not None:
            self._desk.close()
            self._desk = None

    def _race(self, command: Command) -> None:
        try:
            act = getattr(self, f"_{command['do']}")(command)
        except Exception:
            self._say({"crash": traceback.format_exc()})
            return
        self._say({"ready": True})
        if command["start"]:
            os.read(self._start, 1)
            head_start = time.perf_counter() + command["after"]
            while time.perf_counter() < head_start:
                pass
        failpoints.reset()
        os.environ[failpoints.VARIABLE] = command["failpoints"]
        began, worked = time.monotonic(), time.process_time()
        answer = _answer(act)
        answer |= {"took": time.monotonic() - began, "cpu": time.process_time() - worked}
        os.environ[failpoints.VARIABLE] = ""
        self._say(answer)

    # -- what can be done: each looks first and returns what remains to be done after the start ----------------------

    def _decide(self, command: Command) -> Act:
        self.desk.refresh()
        contents = {0: command["content"]} if command["content"] else {}
        name, verb = command["item"], Verb(command["verb"])
        decision = Decision(name, verb, edit=Edit(contents=contents), seen="100%")
        shown = None
        if command["bound"]:
            decision = replace(decision, digest=self.desk.item(name).found.proposal.digest)
            shown = self.desk.preview([decision]).digest
        return lambda: [self.desk.decide([decision], shown=shown)]

    def _undo(self, command: Command) -> Act:
        self.desk.refresh()
        shown = None
        if command["bound"]:
            preview = history.undo_preview(self.desk, command["change"])
            assert preview is not None
            shown = preview.digest
        return lambda: [self.desk.undo(command["change"], shown=shown)]

    def _rollback(self, command: Command) -> Act:
        self.desk.refresh()
        shown = history.rollback_preview(self.desk, command["backup"]).digest if command["bound"] else None
        return lambda: [history.rollback(self.desk, command["backup"], shown=shown)]

    def _add(self, command: Command) -> Act:
        return lambda: [self._added(text) for text in command["texts"]]

    def _added(self, text: str) -> Receipt:
        return self.desk.correct([Operation(Action.ADD, Target.MEMORY, content=text)])

    def _visit(self, command: Command) -> Act:
        """Prepare one addition per text, each by a desk that is opened for it and closed again, as commands do."""

        def act() -> list[Receipt]:
            self._close()
            receipts = []
            for text in command["texts"]:
                self._open({"home": command["home"], "name": "visitor", "wait": 60.0})
                receipts.append(self._added(text))
                self._close()
            return receipts

        return act

    def _observe(self, _: Command) -> Act:
        return lambda: [self.desk.observe()]

    def _attempt(self, command: Command) -> Act:
        """Prepare one request whose stamp is given, as a client has it that lost the answer and asks again."""
        stamp = Stamp(
            self.desk.actor, command["operation"], command["change"], command["at"], bytes.fromhex(command["seed"])
        )
        if command["item"]:
            request = Request(stamp, Kind.DECIDE, decisions=(Decision(command["item"], Verb(command["verb"])),))
        else:
            operation = Operation(Action.ADD, Target.MEMORY, content=command["content"])
            request = Request(stamp, Kind.CORRECT, corrections=(operation,))
        self.desk.refresh()
        return lambda: [self.desk.carry_out(request)]


def _answer(act: Act) -> dict[str, Any]:
    try:
        receipts = act()
    except CuratorError as error:
        return {"error": error.code, "message": error.message}
    except Exception:
        return {"crash": traceback.format_exc()}
    return {"receipts": [json.loads(receipt_bytes(receipt)) for receipt in receipts]}


if __name__ == "__main__":
    Worker(int(sys.argv[1])).run()
