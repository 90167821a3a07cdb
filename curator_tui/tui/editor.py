"""A text in the person's own editor, from a screen: the application leaves the terminal to it for as long as it runs.

Here: leaving the screen, and the answer where that cannot be done. Not here: the file and the command
(``curator.editor``), what the text is for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from curator_tui.curator.editor import Runner, run_editor, text_from_editor

if TYPE_CHECKING:
    from textual.app import App

_OTHERWISE = "write it here"
"""What to do without an editor: the answer is shown over the field that the text would have come back to."""


def edit_outside(app: App[object], text: str, run: Runner = run_editor) -> tuple[str | None, str]:
    """Return the edited text, or None with a reason when nothing came of it.

    Args:
        app: the application that leaves the screen meanwhile.
        text: what to begin with.
        run: starts the editor and returns its exit code; given in tests.
    """
    from textual.app import SuspendNotSupported

    try:
        return text_from_editor(app.suspend, text, _OTHERWISE, run)
    except SuspendNotSupported:
        return None, f"this terminal cannot be left for an editor: {_OTHERWISE}"
