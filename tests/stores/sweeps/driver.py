"""Carries out operations one after the other, each in a child of its own, between two marker calls a trace can find.

``python tests/stores/sweeps/driver.py`` reads one JSON line for each: ``[MODULE:FUNCTION, HOME, FILE]``. The function
takes the home's path and returns a receipt or anything else. The driver prints the id of the child, and when it has
ended its exit code (negative for a signal). The child waits for SIGUSR1 before it begins, so that it can be traced. It
writes into the file: ``done``, ``not-applied`` for a receipt that says so, ``refused CODE`` for an error of our tree,
or a traceback.

Children are forked: interpreter and modules are loaded once and not for each of thousands of points. Every child begins
as a copy of the same process, which has carried out nothing itself.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

BEGIN = "/curator-tui-sweep-begins"
END = "/curator-tui-sweep-ends"
GO = signal.SIGUSR1
_PR_SET_PTRACER = 0x59616D61
_ANYBODY = ctypes.c_ulong(-1)


def resolve(dotted: str) -> Callable[[Path], Any]:
    """Import ``module:function``."""
    module, _, name = dotted.partition(":")
    function: Callable[[Path], Any] = getattr(importlib.import_module(module), name)
    return function


def mark(name: str) -> None:
    """Make a system call that nothing else makes."""
    with contextlib.suppress(OSError):
        os.stat(name)


def main() -> int:
    """Carry out what is asked for until nothing is asked any more."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
    # what is imported lazily is loaded before the marks, so that a sweep does not count it
    for name in ("sqlite3", "yaml", "curator_tui.core.errors"):
        importlib.import_module(name)
    signal.pthread_sigmask(signal.SIG_BLOCK, {GO})
    trace_me = ctypes.CDLL(None).prctl
    for line in sys.stdin:
        dotted, home, file = json.loads(line)
        operation = resolve(dotted)
        # before the fork: a call of the child that a trace sees in one run and not in the next shifts all that follow
        out = os.open(file, os.O_WRONLY)
        ready, say_ready = os.pipe()
        child = os.fork()
        if child == 0:
            trace_me(_PR_SET_PTRACER, _ANYBODY, 0, 0, 0)  # where only a parent may trace
            os.write(say_ready, b"!")
            signal.sigwait({GO})
            _carry_out(operation, Path(home), out)
        os.close(say_ready)
        os.read(ready, 1)
        print(child, flush=True)
        os.close(ready)
        os.close(out)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
    return 0


def _carry_out(operation: Callable[[Path], Any], home: Path, out: int) -> None:
    """Do it, report and end this process."""
    from curator_tui.core.errors import CuratorError

    code = 1
    try:
        mark(BEGIN)
        try:
            receipt = operation(home)
            answer = "done" if getattr(receipt, "done", True) else "not-applied"
        except CuratorError as error:
            answer = f"refused {error.code}: {error}"
        mark(END)
        os.write(out, answer.encode())
        code = 0
    except BaseException:
        os.write(out, traceback.format_exc().encode())
    finally:
        os._exit(code)


if __name__ == "__main__":
    raise SystemExit(main())
