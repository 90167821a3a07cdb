"""What the banner says whatever screen is open: a hint for the first run, faults of the key map.

Here: these words. Not here: when they are shown (``screens.base``), what holds of the store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from curator_tui.tui.actions import key_for
from curator_tui.tui.shown import EMPTY, Line, Shown, message, own, say

if TYPE_CHECKING:
    from curator_tui.tui.keymap import KeyMap


def keys_notice(keys: KeyMap | None) -> Line:
    """Say what of a person's own keys does not hold: the first of it, and where the rest is told."""
    if keys is None or not keys.troubles:
        return EMPTY
    first, more = keys.troubles[0], len(keys.troubles) - 1
    where = say("line {}, ", first.line) if first.line else Shown("")
    about = say("{}: ", message(first.action)) if first.action else Shown("")
    rest = say(" ({} more)", more) if more else Shown("")
    words = say("{}{}{}{}: default keys there", where, about, message(first.words), rest)
    return (own("key map: {} - curator-tui keys --check", words, role="warn"),)


def first_hint() -> Line:
    """Say what somebody who never saw the application needs to know, on one line of a narrow window."""
    keys = (key_for(name) for name in ("decide.approve", "undo", "help", "clear"))
    words = own("New here? Nothing is written until {}; {} undoes it; {} shows every key ({}: ok)", *keys)
    return (words._replace(role="note"),)
