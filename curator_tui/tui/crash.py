"""When the application itself fails: a report without anybody's words, and two lines on the terminal.

Here: what is written down of an error. Not here: errors of a store, which the screens show. The report holds types,
files, lines and names of functions; no message, no local variable and no argument, because any of them may quote a
memory.
"""

from __future__ import annotations

import contextlib
import os
import platform
import tempfile
import traceback
from importlib.metadata import PackageNotFoundError, version


def report_lines(error: BaseException) -> list[str]:
    """Return the report of an error: its types and where it passed through."""
    lines = [
        f"curator-tui {_version('curator-tui')}, textual {_version('textual')}, Python {platform.python_version()}"
    ]
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        lines.append(f"{type(cause).__module__}.{type(cause).__qualname__}")
        frames = traceback.extract_tb(cause.__traceback__)
        lines.extend(f"  {_short(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames)
        # a failed worker wraps what it failed with
        inner = getattr(cause, "error", None)
        cause = inner if isinstance(inner, BaseException) else cause.__cause__ or cause.__context__
    return lines


def _short(name: str) -> str:
    """Return the end of a file name: where Python is installed says nothing about the error."""
    parts = name.split(os.sep)
    return "/".join(parts[-3:])


def _version(name: str) -> str:
    with contextlib.suppress(PackageNotFoundError):
        return version(name)
    return "(not installed)"


def write_report(error: BaseException) -> str:
    """Write the report to a private file and return its name, or empty when that fails too."""
    try:
        handle, name = tempfile.mkstemp(prefix="curator-tui-crash-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write("\n".join(report_lines(error)) + "\n")
    except OSError:
        return ""
    return name


def last_words(error: BaseException) -> str:
    """Return the two lines shown after a crash."""
    name = write_report(error)
    where = f"A report without any memory text: {name}" if name else "No report could be written."
    kind = type(error).__qualname__
    what = f"curator-tui stopped on an error of its own ({kind})."
    return f"{what} What was decided is told by: curator-tui ledger\n{where}\n"
