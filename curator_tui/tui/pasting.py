"""Pastes as the terminal sends them, between two marks: read as a whole, and nothing right behind one presses a key.

Here: a reader of the terminal's bytes. Not here: where a paste goes (``listening``).

What is pasted was written by others. Textual's own reader looks for sequences inside a paste too, and hands what it
does not know on as keys; and a terminal that does not take escapes out lets a text end its own paste, so that the rest
of it arrives as if it were typed. No person presses a key within a moment of a paste: what comes then is dropped, and
all that follows it without a pause; over a slow line that is a few bytes at a time, for as long as the text lasts.

A mark can come in parts with a pause between them, over a slow line. An escape by itself is a key, so Textual's reader
gives it out after a moment; the rest that comes behind it in one piece is a mark all the same, and never the five keys
it spells. Where each of its characters comes by itself they are keys; what is pasted presses nothing then either.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from time import monotonic

from textual import events
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.driver import Driver
from textual.message import Message

Found = Generator[Message, None, str]
"""What was read, and then what is left of the text."""

BEHIND = 0.25
"""Seconds after a paste within which nothing counts as pressed."""
BULK = 40
"""Characters read at once that no person presses: a key, a click or a move of the mouse is one short sequence."""
QUIET = 0.15
"""Seconds without anything from the terminal, behind a paste, after which what comes belongs to it no more."""
NEVER_ENDED = 5.0
"""Seconds since the last of a paste after which its end was lost on the way, and keys are keys again.

For as long, what comes in long pieces belongs to the paste before it: a slow line brings packets, with pauses."""
LATE = 2.0
"""Seconds within which the rest of a sequence comes that has begun."""
_ESC = "\x1b"
_LONGEST = 32  # characters of a sequence: what goes on longer is none, for Textual's reader either
_UNFINISHED = re.compile(r"\x1b\[[0-?]*")
_REST = re.compile(r"\[[0-?]+")  # in one read, and no person presses two keys within one
_MOVES = re.compile(r"(?:\x1b\[<(?:3[2-9]|[45]\d|6[0-3]);\d+;\d+M)+")  # of the mouse, a button held or not
_APART = 0.5  # seconds between two reads of one paste that no terminal leaves: what is short and later was pressed
_PRESSED = (events.Key, events.MouseDown, events.MouseUp, events.MouseScrollDown, events.MouseScrollUp)


class Discarded(events.Event, bubble=False):
    """Keys and clicks came right behind a paste and were dropped: how many since then."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count


class WholePastes(XTermParser):
    """Reads a paste up to its end, every character of it as text."""

    def __init__(self, debug: bool = False, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(debug)
        self._clock = clock
        self._pasted: list[str] | None = None
        self._tail = ""  # of what was read: a mark may have begun in it
        self._is_told = False  # what a sequence begins with was given out as keys, because its rest was late
        self._read_at = float("-inf")
        self._pasted_at = float("-inf")  # when the last of a paste that is under way was read
        self._dropped = 0  # since the last paste
        self._is_behind = False
        self._until = float("-inf")  # when what is pressed counts again

    def feed(self, data: str) -> Iterable[Message]:
        """Return what the terminal says with some more characters; an empty text is the end of all."""
        if not data:
            yield from super().feed(data)
            return
        now = self._clock()
        if self._pasted is None and _MOVES.fullmatch(data):
            yield from super().feed(data)  # a mouse that only moves presses nothing, and is no text
            return
        is_bulk = len(data) > BULK
        self._is_behind = now < self._until + (NEVER_ENDED if is_bulk else 0.0)
        if self._pasted is not None and now - self._pasted_at > NEVER_ENDED:
            yield from self._end(self._tail)
        if is_bulk or self._pasted is None or now - self._read_at < _APART:
            self._pasted_at = now
        if self._pasted is None:
            data = self._joined(data, late=now - self._read_at > LATE)
        yield from self._sifted(self._read(data))
        self._read_at = self._clock()
        if self._is_behind:
            self._until = max(self._until, self._read_at + QUIET)

    def tick(self) -> Iterable[Message]:
        """Return what the terminal says with having said nothing more: an escape by itself."""
        self._is_behind = self._read_at < self._until
        late = self._clock() - self._read_at > LATE
        if not late and self._pasted is None and _UNFINISHED.fullmatch(self._begun()):
            return  # more than an escape, which a person may have pressed: its rest is on its way
        for message in self._sifted(super().tick()):
            self._is_told = True
            yield message

    def _begun(self) -> str:
        """Return what was read from the last escape on; empty where that is longer ago than any sequence is long."""
        at = self._tail.rfind(_ESC)
        return self._tail[at:] if at >= 0 else ""

    def _joined(self, data: str, *, late: bool) -> str:
        """Return what was read with the beginning of its sequence, where that was given out as keys meanwhile."""
        begun, is_told = self._begun(), self._is_told
        if is_told and late:
            self._tail = ""
        elif is_told and ((begun + data).startswith(BRACKETED_PASTE_START) or (begun == _ESC and _REST.match(data))):
            self._tail = ""
            return begun + data
        return data

    def _sifted(self, found: Iterable[Message]) -> Iterator[Message]:
        """Leave out what nobody can have pressed, and say how much it was since the paste."""
        before = self._dropped
        for message in found:
            if self._is_behind and isinstance(message, _PRESSED):
                self._dropped += 1
            else:
                yield message
        if self._dropped > before:
            yield Discarded(self._dropped)

    def _read(self, data: str) -> Iterator[Message]:
        while data:
            data = yield from self._typed(data) if self._pasted is None else self._paste(data)

    def _typed(self, data: str) -> Found:
        read = self._tail + data
        at = read.find(BRACKETED_PASTE_START)
        if at < 0:
            self._tail = read[-_LONGEST:]
            self._is_told = self._is_told and _ESC not in data
            yield from super().feed(data)
            return ""
        end = at + len(BRACKETED_PASTE_START) - len(self._tail)
        yield from super().feed(data[:end])
        self._pasted, self._tail = [], ""
        return data[end:]

    def _paste(self, data: str) -> Found:
        assert self._pasted is not None
        read = self._tail + data
        at = read.find(BRACKETED_PASTE_END)
        if at < 0:
            keep = 1 - len(BRACKETED_PASTE_END)
            self._pasted.append(read[:keep])
            self._tail = read[keep:]
            return ""
        end = at + len(BRACKETED_PASTE_END) - len(self._tail)
        yield from self._end(read[:at])
        return data[end:]

    def _end(self, last: str) -> Iterator[Message]:
        assert self._pasted is not None
        text = "".join((*self._pasted, last)).replace("\x00", "")
        self._pasted, self._tail = None, ""
        # Textual's reader saw the paste begin; it takes it for an empty one, which nobody pasted
        for message in super().feed(BRACKETED_PASTE_END):
            if not isinstance(message, events.Paste):
                yield message
        yield events.Paste(text)
        self._is_behind, self._dropped = True, 0
        self._until = self._clock() + BEHIND


def read_pastes_whole(driver: type[Driver]) -> None:
    """Have a driver of Textual read pastes as a whole; it makes its reader itself, by the name in its module."""
    for kind in driver.__mro__:
        module = sys.modules[kind.__module__]
        if hasattr(module, "XTermParser"):
            module.XTermParser = WholePastes  # type: ignore[attr-defined]  # a name in a module of Textual
