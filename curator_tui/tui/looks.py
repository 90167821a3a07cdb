"""Turning how a diff is drawn: in one column, in two or as plain texts, and with how much around a change.

Here: the next look, and what is said of it. Not here: drawing (``pages``, ``side_by_side``).
"""

from __future__ import annotations

from curator_tui.tui.page_lines import AUTO, CONTEXTS, Look
from curator_tui.tui.shown import Line, Shown, own, say
from curator_tui.tui.side_by_side import ROOM


def next_form(look: Look, width: int) -> tuple[Look, Line]:
    """Return the look after this one in a text of so many columns: one column, two where they fit, plain texts."""
    fits = width >= ROOM
    split = fits and not (look.split or look.plain)
    turned = look._replace(split=split, plain=not split and not look.plain)
    narrow = own(" (two columns need a wider text)", role="dim") if turned.plain and not fits else own("")
    words = Shown("two columns" if split else "plain texts" if turned.plain else "one column")
    return turned, (own("{}", words), narrow)


def next_context(look: Look) -> tuple[Look, Line]:
    """Return the look with the next number of unchanged entries around a change."""
    context = CONTEXTS[(CONTEXTS.index(look.context) + 1) % len(CONTEXTS)]
    words = say("as many as fit") if context == AUTO else say("all") if context is None else say("{}", context)
    return look._replace(context=context), (own("unchanged entries around a change: {}", words),)
