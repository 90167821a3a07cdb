"""Saying what takes long: a job that goes on for more than half a second says so, with the seconds, until it ends.

Here: groups of jobs, and by them the words and the clock. Not here: where a screen shows them (``screens.base``); jobs
that count what they did (``slices``) say it themselves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Literal, get_args

from curator_tui.tui.actions import key_for
from curator_tui.tui.shown import EMPTY, Line, Shown, own, say

DecidedGroup = Literal["send", "apply", "roll", "revert", "undo"]
DECIDED: frozenset[str] = frozenset(get_args(DecidedGroup))
"""Groups of jobs that a key decided on: they are carried out to their end, and told, before anything is left."""
OPENING = frozenset({"wanted", "reject", "defer", "open", "prompt", "details", "backup", "source", "undo", "go"})
"""Groups of jobs that open a dialog, a page or another place; of what is decided, only where it has to be asked."""
SAID_AFTER = 0.5
"""Seconds after which it is said that a job goes on; from then on one that opens something can be given up."""
_AGAIN = 1.0
_READING = Shown("reading")
WORDS: dict[str, Shown] = {
    "send": Shown("writing the decision"),
    "apply": Shown("writing it, as one change"),
    "roll": Shown("rolling back"),
    "revert": Shown("writing what goes back"),
    "undo": Shown("reading what would go back"),
    "start": Shown("reading the queue"),
    "redraw": Shown("reading the queue"),
    "page": Shown("putting the list in order"),
    "turn": Shown("reading the list"),
    "text": Shown("laying out the text"),
    "plan": Shown("working the plan out"),
    "item": Shown("reading the item"),
    "reject": Shown("reading the items"),
    "defer": Shown("reading the items"),
    "wanted": Shown("working out what it would do"),
    "open": Shown("opening it"),
    "go": Shown("opening the place"),
    **dict.fromkeys(("prompt", "details", "backup", "source"), _READING),
    **dict.fromkeys(("history", "ledger", "learned", "documents", "skills", "profiles", "preview"), _READING),
}
"""What a job of a group does; one of another group says nothing."""


@contextmanager
def telling(group: str, murmur: Callable[[Line], None]) -> Iterator[None]:
    """Say through ``murmur`` what goes on inside, from half a second on; nothing at the end.

    What is written is carried out to its end, and the words say so; everything else can be left meanwhile.
    """
    words = WORDS.get(group)
    if words is None:
        yield
        return
    loop, began = asyncio.get_running_loop(), monotonic()
    calls: list[asyncio.TimerHandle] = []
    if group in DECIDED:
        out = Shown("it is carried out to its end")
    else:
        out = Shown("esc gives it up") if group in OPENING else say("{} leaves it", key_for("back"))

    def tell() -> None:
        murmur((own("{} … {} s; {}", words, round(monotonic() - began), out, role="note"),))
        calls.append(loop.call_later(_AGAIN, tell))

    calls.append(loop.call_later(SAID_AFTER, tell))
    try:
        yield
    finally:
        calls[-1].cancel()
        if len(calls) > 1:
            murmur(EMPTY)
