"""``status --line``: one line for shell prompts, tmux and cron, answered without loading anything it can do without.

Here: the words of the line, and the short way to them for an ordinary command line on an ordinary home. Not here: the
verb with all its options (``status``), which is asked whenever anything is out of the ordinary; both say the same.
The line holds words of ours and numbers only, so it can be put into a prompt as it is.
"""

from __future__ import annotations

import os
import sys
import time

from curator_tui.cli.ages import age

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MORE = "..."  # a prompt may know no other characters
NOT_READABLE = "waiting: not readable"
_FLAGS = frozenset({"--line", "--fail-if-pending", "--quiet"})
_VALUES = frozenset({"--home", "--profile", "--width"})


def line_of(waiting: int, oldest: float | None, skills: int | None, now: float, questions: int = 0) -> list[str]:
    """Return the parts of the line, the most important first.

    Args:
        waiting: number of waiting memory writes.
        oldest: when the oldest of them was staged, UTC seconds, as its record claims; None when not known.
        skills: number of waiting skill writes; None when they cannot be counted.
        now: the clock.
        questions: number of disputed entries that wait for an answer.
    """
    parts = [f"{waiting} waiting"]
    if questions:
        parts.append(_number(questions, "question"))
    if oldest is not None:
        parts.append(f"oldest {age(max(0.0, now - oldest))}")
    if skills is None:
        parts.append("skills not readable")
    elif skills:
        parts.append(_number(skills, "skill write"))
    return parts


def _number(number: int, noun: str) -> str:
    # said here and not by core.counting: a prompt asks for this line each time, and loads nothing it can do without
    return f"{number} {noun}{'' if number == 1 else 's'}"


def fitted(parts: Sequence[str], width: int | None) -> str:
    """Join as many parts as fit into ``width`` characters; where not even the first does, whole words of it."""
    kept = list(parts)
    while width is not None and len(kept) > 1 and len(", ".join(kept)) > width:
        kept.pop()
    line = ", ".join(kept)
    if width is None or len(line) <= width:
        return line
    words = line.split(" ")
    beginnings = [" ".join(words[:number]).rstrip(",(:") for number in range(len(words) - 1, 0, -1)]
    for begun in beginnings:
        if len(begun) + len(_MORE) <= width:
            return begun + _MORE
    return beginnings[-1] if beginnings and len(beginnings[-1]) <= width else _MORE[:width]


def answer_quickly(arguments: Sequence[str]) -> int | None:
    """Answer ``status --line`` and return the exit code, or None where the whole command line has to be read."""
    asked = _asked(arguments)
    if asked is None or sys.stdin is None or sys.stdout is None or sys.stderr is None:
        return None
    from curator_tui.curator.quick import quick_look

    width = asked.get("--width")
    if width is not None and not (width.isascii() and width.isdecimal() and len(width) < 5 and int(width) > 0):
        return None
    found = quick_look(asked.get("--home"), asked.get("--profile"))
    if found is None:
        return None
    waits = found.waiting > 0
    if waits or found.skills or "--quiet" not in asked:
        parts = line_of(found.waiting, found.oldest, found.skills, time.time())
        try:
            sys.stdout.write(fitted(parts, None if width is None else int(width)) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 141
    return 1 if waits and "--fail-if-pending" in asked else 0


def _asked(arguments: Sequence[str]) -> dict[str, str] | None:
    """Read a command line that is made of the usual options only; None for any other."""
    asked: dict[str, str] = {}
    words = list(arguments)
    while words:
        word, _, value = words.pop(0).partition("=")
        if word in _VALUES:
            if not value and not (words and (value := words.pop(0))):
                return None
            if word in asked or (word == "--width" and "status" not in asked):
                return None
            asked[word] = value
        elif value or (word in _FLAGS) is not ("status" in asked) or (word not in _FLAGS and word != "status"):
            return None
        else:
            asked[word] = word
    return asked if "--line" in asked else None
