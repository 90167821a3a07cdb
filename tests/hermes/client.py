"""Our end of the pipe to a real Hermes Agent: starts the worker, asks it, and turns its answers into values.

Here: the process and the transport. Not here: what is asked (``generator``) and what an answer should be
(``flags``).
"""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

Documents = Mapping[str, bytes | None]

PYTHON_VARIABLE = "CURATOR_TUI_HERMES_PYTHON"
VERSION = "0.19.0"
_WORKER = Path(__file__).with_name("worker.py")
# rounds per line: a line stays small, and waiting for answers does not count
_CHUNK = 250


@dataclass(frozen=True, slots=True)
class HermesAnswer:
    """What Hermes said to one payload, and both files afterwards."""

    success: bool
    message: str
    raised: str
    documents: Documents


def encode(documents: Documents) -> dict[str, str | None]:
    return {name: None if raw is None else base64.b64encode(raw).decode() for name, raw in documents.items()}


def _decode(documents: Mapping[str, str | None]) -> dict[str, bytes | None]:
    return {name: None if body is None else base64.b64decode(body) for name, body in documents.items()}


class Hermes:
    """One long-lived Hermes interpreter with a home of its own."""

    def __init__(self, python: str, home: Path) -> None:
        home.mkdir(parents=True, exist_ok=True)
        # a bare environment: no keys, no proxy, no profile of the person who runs the tests
        environment = {
            "HERMES_HOME": str(home),
            "HOME": str(home),
            "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8",
        }
        self._log = (home / "worker.log").open("wb")
        self._process = subprocess.Popen(
            [python, "-I", str(_WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environment,
            cwd=home,
        )
        hello = self._read()
        self.version: str = hello["version"]
        self.memories = Path(hello["memories"])

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            log = Path(self._log.name).read_text(errors="replace")
            raise RuntimeError(f"the Hermes worker ended without an answer; its last words:\n{log[-4000:]}")
        return json.loads(line)

    def _ask(self, question: dict[str, Any]) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(question).encode("ascii") + b"\n")
        self._process.stdin.flush()
        return self._read()

    def apply(self, rounds: Sequence[Mapping[str, Any]]) -> Iterator[HermesAnswer]:
        """Let Hermes apply one payload after the other; see the worker for the keys of a round."""
        waiting = iter(rounds)
        while chunk := list(islice(waiting, _CHUNK)):
            for answer in self._ask({"do": "apply", "rounds": chunk}):
                documents = _decode(answer["documents"])
                yield HermesAnswer(answer["success"], answer["message"], answer["raised"], documents)

    def scan(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the ids that Hermes's own scanner gives each text at the strictness of memory writes."""
        return self._ask({"do": "scan", "texts": list(texts)})

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()
        self._log.close()
