"""Running one operation in a process of its own, traced and hit where a test says.

Here: the drivers (``driver.py``), how a child of theirs is traced with ``strace``, how a run ended. Not here: which
calls there are and which are hit (``tracing``).
"""

from __future__ import annotations

import atexit
import json
import os
import queue
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.stores.sweeps.driver import GO

DRIVER = Path(__file__).with_name("driver.py")
_LONGEST = 120.0  # seconds that one operation may take


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    code: int
    said: str

    @property
    def killed(self) -> bool:
        """Whether it was killed."""
        return self.code == -signal.SIGKILL

    @property
    def done(self) -> bool:
        """Whether it reported success."""
        return self.said.startswith("done")

    @property
    def refused(self) -> bool:
        """Whether it reported that nothing was changed: an error of our tree, or a receipt that says so."""
        return self.said.startswith(("refused", "not-applied")) and not self.unfinished

    @property
    def unfinished(self) -> bool:
        """Whether it said that the next start finishes the change."""
        return self.said.startswith("refused unfinished")


def need_strace() -> None:
    """Skip, loudly, where the machine cannot trace."""
    if shutil.which("strace") is None:
        pytest.skip("NOT SWEPT: strace is not installed")
    probe = subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, check=False)
    if probe.returncode != 0:
        pytest.skip("NOT SWEPT: strace may not trace here")


def run(operation: str, home: Path, inject: Sequence[str] = (), trace: Path | None = None) -> Outcome:
    """Run one operation in a child, with injections where given.

    Args:
        operation: dotted function (``module:function``).
        home: what it is given.
        inject: what ``strace`` is to inject; calls are counted from before the first mark.
        trace: the file that lists its calls.
    """
    with _driver() as driver, tempfile.NamedTemporaryFile(mode="r") as answer:
        child = int(driver.ask(json.dumps([operation, str(home), answer.name])))
        try:
            with _traced(child, inject, trace):
                os.kill(child, GO)
                code = int(driver.hear())
        except BaseException:
            os.kill(child, signal.SIGKILL)
            raise
        return Outcome(code, answer.read().strip())


@contextmanager
def _traced(child: int, inject: Sequence[str], trace: Path | None) -> Iterator[None]:
    """Trace a waiting child until it ends; without anything to inject or to list it is left alone."""
    if not inject and trace is None:
        yield
        return
    options = [part for one in inject for part in ("-e", f"inject={one}")]
    calls = {one.partition(":")[0] for one in inject}
    only = ["-e", f"trace={','.join(sorted(calls))}"] if calls else []
    command = ["strace", "-o", str(trace or os.devnull), *only, *options, "-p", str(child)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as strace:
        assert strace.stderr is not None
        said = strace.stderr.readline()  # told when the child is held, before it can do anything more
        assert "attached" in said, said
        try:
            yield
            strace.wait(_LONGEST)
        except BaseException:
            strace.kill()  # leaving waits for it, and it waits for a child that may hang
            raise


class _Driver:
    """One driver and the pipe to it; it runs one operation at a time."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._process = subprocess.Popen([sys.executable, str(DRIVER)], text=True, bufsize=1, env=environment, **pipes)
        atexit.register(self._process.kill)

    def ask(self, line: str) -> str:
        """Send one line and return the one that answers it."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        return self.hear()

    def hear(self) -> str:
        """Return the next line."""
        out = self._process.stdout
        assert out is not None
        assert select.select([out], [], [], _LONGEST)[0], f"no answer in {_LONGEST} s"
        return out.readline()


_idle: queue.SimpleQueue[_Driver] = queue.SimpleQueue()


@contextmanager
def _driver() -> Iterator[_Driver]:
    """Lend a driver that is idle, or start one; one whose run went wrong is not used again."""
    try:
        driver = _idle.get_nowait()
    except queue.Empty:
        driver = _Driver()
    yield driver
    _idle.put(driver)
