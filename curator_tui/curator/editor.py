"""One's own version of a text in ``$VISUAL`` or ``$EDITOR``: leave the screen, edit a private file, come back.

Here: the file, the command, what to do when either fails. Not here: what the text is for, how a screen is left. The
file is 0600 in a folder of its own and removed afterwards; on any failure the old text stays. Leaving the screen has no
way back from an exception, so whatever goes wrong meanwhile becomes a reason before the screen is taken again.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

_LIMIT = 1 << 20
_KEYS_OF_THE_EDITOR = (signal.SIGINT, signal.SIGQUIT)
Runner = Callable[[Sequence[str]], int]
Leaving = Callable[[], contextlib.AbstractContextManager[object]]


def run_editor(command: Sequence[str]) -> int:
    """Run the editor to its end and return its exit code."""
    return subprocess.run(command, check=False).returncode  # noqa: S603 - the person's own editor


def text_from_editor(leave: Leaving, text: str, otherwise: str, run: Runner = run_editor) -> tuple[str | None, str]:
    """Return the edited text, or None with a reason when nothing came of it.

    Args:
        leave: gives the terminal to the editor for as long as it runs.
        text: what to begin with.
        otherwise: what to do where no editor is set.
        run: starts the editor and returns its exit code; given in tests.
    """
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    if not command.strip():
        return None, f"no editor is set: export EDITOR, or {otherwise}"
    try:
        words = shlex.split(command)
    except ValueError:
        return None, "EDITOR cannot be read as a command: check its quotes"
    try:
        with tempfile.TemporaryDirectory(prefix="curator-tui-", ignore_cleanup_errors=True) as folder:
            path = Path(folder, "entry.md")
            path.touch(mode=0o600)
            path.write_bytes(text.encode("utf-8", "surrogatepass"))
            problem = _leave(leave, [*words, str(path)], run)
            return (None, problem) if problem else _read(path)
    except OSError as error:
        return None, f"no file could be made for the editor: {_cause(error)}"


def _leave(leave: Leaving, command: Sequence[str], run: Runner) -> str:
    """Run the editor in the place of the application; return why nothing is taken over, or nothing."""
    with leave(), _keys_of_the_terminal_spare_us():
        try:
            code = run(command)
        except (OSError, ValueError) as error:
            return f"the editor did not start: {_cause(error)}"
    return f"the editor ended with code {code}; nothing was taken over" if code else ""


def _cause(error: OSError | ValueError) -> str:
    number = error.errno if isinstance(error, OSError) else None
    return os.strerror(number) if number is not None else "it is no usable command"


@contextlib.contextmanager
def _keys_of_the_terminal_spare_us() -> Iterator[None]:
    """Let the keys that interrupt mean the editor only: the terminal sends both signals to every process in it.

    A handler that does nothing is not handed on to the editor, as ignoring the signal would be.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, lambda *_: None) for number in _KEYS_OF_THE_EDITOR}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)


def _read(path: Path) -> tuple[str | None, str]:
    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None, "what the editor left cannot be read as text; nothing was taken over"
    if len(raw) > _LIMIT:
        return None, "what the editor left is too long; nothing was taken over"
    return text.rstrip("\n"), ""
