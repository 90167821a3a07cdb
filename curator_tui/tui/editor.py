"""One's own version of a text in ``$VISUAL`` or ``$EDITOR``: leave the screen, edit a private file, come back.

Here: the file, the command, what to do when either fails. Not here: what the text is for. The file is 0600 in a folder
of its own and removed afterwards; on any failure the old text stays.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from textual.app import App, SuspendNotSupported

_LIMIT = 1 << 20
Runner = Callable[[Sequence[str]], int]


def _run(command: Sequence[str]) -> int:
    return subprocess.run(command, check=False).returncode  # noqa: S603 - the person's own editor


def edit_outside(app: App[object], text: str, run: Runner = _run) -> tuple[str | None, str]:
    """Return the edited text, or None with a reason when nothing came of it.

    Args:
        app: the application that leaves the screen meanwhile.
        text: what to begin with.
        run: starts the editor and returns its exit code; given in tests.
    """
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    if not command.strip():
        return None, "no editor is set: export EDITOR, or e edits here"
    try:
        words = shlex.split(command)
    except ValueError:
        return None, "EDITOR cannot be read as a command: check its quotes"
    with tempfile.TemporaryDirectory(prefix="curator-tui-") as folder:
        path = Path(folder, "entry.md")
        path.touch(mode=0o600)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            with app.suspend():
                code = run([*words, str(path)])
        except SuspendNotSupported:
            return None, "this terminal cannot be left for an editor: e edits here"
        except OSError as error:
            return None, f"the editor did not start: {error.strerror}"
        return _read(path, code)


def _read(path: Path, code: int) -> tuple[str | None, str]:
    if code != 0:
        return None, f"the editor ended with code {code}; nothing was taken over"
    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None, "what the editor left cannot be read as text; nothing was taken over"
    if len(raw) > _LIMIT:
        return None, "what the editor left is too long; nothing was taken over"
    return text.rstrip("\n"), ""
