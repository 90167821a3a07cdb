"""Which keys there are: their names, those that arrive as others, those that a terminal or a browser keeps for itself.

Here: facts about terminals. Not here: what a key does (``actions``), a person's own keys (``keymap``).
"""

from __future__ import annotations

import string

from textual.keys import _character_to_key

_ALIASES = {
    "ctrl+h": "backspace", "ctrl+i": "tab", "ctrl+m": "enter", "ctrl+j": "enter", "ctrl+[": "escape",
    "ctrl+left_square_bracket": "escape",
}  # fmt: skip
_TERMINAL = {
    "ctrl+c": "the terminal interrupts programs with it",
    "ctrl+z": "it puts the application to sleep",
    "ctrl+q": "it leaves the application at once",
    "ctrl+backslash": "the terminal ends programs with it",
    "ctrl+\\": "the terminal ends programs with it",
    "shift+pageup": "the terminal scrolls with it",
    "shift+pagedown": "the terminal scrolls with it",
    "shift+insert": "the terminal pastes with it",
}
_NOT_ALONE = {
    **dict.fromkeys(("ctrl+w", "ctrl+t", "ctrl+n", "ctrl+l", "f5", "f11", "f12"), "a browser keeps it for itself"),
    **dict.fromkeys(("f1", "f10"), "some terminals open their menu with it"),
    **dict.fromkeys(("ctrl+a", "ctrl+b"), "screen and tmux keep it for themselves"),
    **dict.fromkeys(("ctrl+s",), "some terminals stop their output with it"),
}
_SHORT = {
    "esc": "escape", "pgdn": "pagedown", "pgup": "pageup", "del": "delete", "ins": "insert", "return": "enter",
    " ": "space",
}  # fmt: skip
_MOVING = ("up", "down", "left", "right", "home", "end")
_NAMED = frozenset(
    {"space", "escape", "enter", "tab", "backspace", "delete", "insert", "pageup", "pagedown", *_MOVING}
    | {f"f{number}" for number in range(1, 13)}
    | {f"shift+{name}" for name in (*_MOVING, "tab", "delete")}
    | {f"ctrl+{name}" for name in (*_MOVING, "pageup", "pagedown", "delete")}
    | {f"ctrl+{letter}" for letter in string.ascii_lowercase}
)


def named(text: str) -> str:
    """Return a key as the registry names it: one character as it is, others in small letters and in full."""
    if len(text) == 1 and text != " ":
        return text
    lower = text.lower()
    lead, plus, last = lower.rpartition("+")
    return f"{lead}{plus}{_SHORT.get(last, last)}" if plus and last else _SHORT.get(lower, lower)


def key_problem(key: str, *, alone: bool) -> tuple[str, str] | None:
    """Return why a key cannot be used and what to do, or None.

    Args:
        key: its name (see :func:`named`).
        alone: it is to be the only one of its action.
    """
    if key in _ALIASES:
        return f"{key} arrives as {_ALIASES[key]}", f"Take {_ALIASES[key]} itself, or another one."
    if key in _TERMINAL:
        return f"{key}: {_TERMINAL[key]}", "Take another one."
    if key.startswith(("alt+", "meta+")) or "ctrl+shift+" in key or "shift+ctrl+" in key:
        return f"{key}: terminals and desktops keep such keys for themselves", "Take another one."
    if alone and key in _NOT_ALONE:
        return f"{key}: {_NOT_ALONE[key]}", "Give a second key beside it."
    if key in _NAMED or (len(key) == 1 and key.isprintable() and _character_to_key(key)):
        return None
    return "there is no key of that name", 'A letter or sign, or: "space", "enter", "pgdn", "f2", "ctrl+s".'
