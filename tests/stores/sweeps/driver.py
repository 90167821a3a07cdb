"""Runs one operation in a process of its own, between two marker calls that a trace can find.

``python tests/stores/sweeps/driver.py MODULE:FUNCTION HOME``: the function takes the home's path and returns a
receipt or anything else. Printed is ``done``, ``not-applied`` for a receipt that says so, ``refused CODE`` for an error
of our tree, or a traceback.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

BEGIN = "/curator-tui-sweep-begins"
END = "/curator-tui-sweep-ends"


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
    """Run and report."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
    from curator_tui.core.errors import CuratorError

    operation, home = resolve(sys.argv[1]), Path(sys.argv[2])
    # what is imported lazily is loaded before the marks, so that a sweep does not count it
    importlib.import_module("sqlite3")
    with contextlib.suppress(ImportError):
        importlib.import_module("yaml")
    mark(BEGIN)
    try:
        receipt = operation(home)
        answer = "done" if getattr(receipt, "done", True) else "not-applied"
    except CuratorError as error:
        answer = f"refused {error.code}: {error}"
    mark(END)
    print(answer)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
