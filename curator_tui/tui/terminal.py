"""The terminal the application is started on: whether it can be drawn there, and within which characters.

Here: looking at it before the start. Not here: drawing, a terminal that goes away (``hangup``), job control
(``sleeping``).
"""

from __future__ import annotations

import os
import sys
from typing import Any

from textual.app import App

from curator_tui.tui.shown import show_within

ASCII_VARIABLE = "CURATOR_TUI_ASCII"


def draw_within(app: App[Any], encoding: str, *, ascii_only: bool) -> None:
    """Have everything drawn with what the terminal can show.

    Args:
        app: not yet running.
        encoding: of the terminal; what it cannot take of a text is shown as tokens.
        ascii_only: draw no line or sign of ours that is not ASCII, as it is done for any encoding but UTF-8.
    """
    within = None if encoding.lower().replace("-", "") == "utf8" else encoding
    show_within(within)
    if ascii_only or within is not None or ASCII_VARIABLE in os.environ:
        from curator_tui.tui.glyphs import ascii_driver

        app.driver_class = ascii_driver(app.driver_class)


def terminal_problem() -> str | None:
    """Say why the application cannot run here, or None when it can."""
    way_out = "Line by line it works anywhere: curator-tui review --plain."
    if not (sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()):
        return f"curator-tui: the application needs a terminal for input and output. {way_out}"
    if os.environ.get("TERM", "dumb") in {"", "dumb", "unknown"}:
        return f"curator-tui: TERM is {os.environ.get('TERM', '')!a}, a terminal that cannot show it. {way_out}"
    return None
