"""The gates that only a screen can keep: what was painted, what of it was seen, for how long, and how keys arrived.

Here: :class:`PaintedGate` (G1 shown, G2 seen, G3 dwell of the review contract), :class:`KeyGuard` (bursts and held
keys), and what is said of a key that came too fast. Both are plain state machines that are told the time. Not here:
conditions, overrides and spot checks (``core.review``), what other refusals say (the screens).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import Generic, NamedTuple, TypeVar

from msgspec import Struct, field

from curator_tui.tui.shown import Line, Shown, own

Part = tuple[int, int, int]
"""A painted row: the line it belongs to, which part of that line it is, and of how many."""

ChangedLine = tuple[str, int]
"""A changed line as it is remembered: its text, and the how many-th line of its page that says so."""

T = TypeVar("T")


class Frame(NamedTuple):
    """What a pane is about to paint: an item, what a decision about it would be bound to, and its changed lines.

    Attributes:
        item: item id.
        digest: digest an approval of exactly this would carry.
        lines: for every line of the page the text of a changed line, or None for a line that need not be seen.
        record: digest of the item's record, by which a list tells whether it still is the one that was seen.
    """

    item: str
    digest: str
    lines: tuple[str | None, ...] = ()
    record: str = ""


class Locked(Enum):
    """Why the gate is not open."""

    NOT_SHOWN = auto()
    TOO_SOON = auto()
    UNSEEN = auto()


def too_fast_words(what: Shown, locked: Locked, dwell: float) -> Line:
    """Say why a key came too fast for what it is about: it was not painted yet, or not for the seconds of the wait."""
    if locked is Locked.TOO_SOON:
        wait = Shown(f"{dwell:g}")
        return (own("too fast: {} was shown for less than {} s: look, then press again", what, wait, role="warn"),)
    return (own("too fast: {} was not on screen yet when you pressed", what, role="warn"),)


class PaintedGate(Struct):
    """Knows what was last painted and lets an approval through only for that.

    What was seen belongs to a digest: an item whose digest is another one by now counts as seen again only when every
    line that differs was on screen.

    Attributes:
        dwell: seconds an item must have been on screen before a key counts.
    """

    dwell: float = 0.3
    frame: Frame | None = None
    _since: float | None = None
    _keys: tuple[ChangedLine | None, ...] = ()
    _open: set[int] = field(default_factory=set)
    _parts: dict[int, set[int]] = field(default_factory=dict)
    _remembered: dict[str, set[ChangedLine]] = field(default_factory=dict)
    _complete: dict[str, Frame] = field(default_factory=dict)

    def begin(self, frame: Frame) -> None:
        """Note what the pane paints from now on; nothing of it counts as shown before it was painted.

        Lines of the same item that were seen in an earlier frame stay seen: after a change on disk only what differs
        must be looked at again.
        """
        self.frame = frame
        self._since = None
        self._parts = {}
        self._keys = _numbered(frame.lines)
        known = self._remembered.get(frame.item, set())
        self._open = {at for at, key in enumerate(self._keys) if key is not None and key not in known}
        whole = self._complete.get(frame.item)
        if whole is not None and (whole.digest != frame.digest or self._open):
            del self._complete[frame.item]

    def cover(self) -> None:
        """Note that another screen covers the frame: it counts as shown again once it was painted again."""
        if self.frame is not None:
            self.begin(self.frame)

    def hide(self) -> None:
        """Note that nothing decidable is on screen any more."""
        self.frame = None
        self._since = None
        self._open = set()

    def painted(self, parts: Iterable[Part], at: float) -> None:
        """Note which rows of the current frame reached the screen, and when."""
        if self.frame is None:
            return
        if self._since is None:
            self._since = at
        for line, part, of in parts:
            if line in self._open:
                seen = self._parts.setdefault(line, set())
                seen.add(part)
                if len(seen) >= of:
                    self._see(line)
        if not self._open:
            self._complete[self.frame.item] = self.frame

    def _see(self, line: int) -> None:
        assert self.frame is not None
        self._open.discard(line)
        key = self._keys[line]
        if key is not None:
            self._remembered.setdefault(self.frame.item, set()).add(key)

    def rewrapped(self) -> None:
        """Note that rows were broken anew: parts of lines seen half way do not count any more."""
        self._parts = {}

    def unseen(self) -> tuple[int, ...]:
        """Return the changed lines of the current frame that were not seen yet, in order."""
        return tuple(sorted(self._open))

    @property
    def seen(self) -> str:
        """Return how much was seen of what the current frame wants seen, for the ledger; ``none`` without a frame."""
        if self.frame is None:
            return "none"
        wanted = sum(text is not None for text in self.frame.lines)
        return f"{100 * (wanted - len(self._open)) // wanted}%" if wanted else "100%"

    def locked(self, item: str, digest: str, pressed_at: float) -> Locked | None:
        """Return why a key pressed at a moment may not approve this, or None when it may."""
        if self.frame is None or (self.frame.item, self.frame.digest) != (item, digest):
            return Locked.NOT_SHOWN
        if (too_soon := self.shown_problem(item, pressed_at)) is not None:
            return too_soon
        return Locked.UNSEEN if self._open else None

    def shown_problem(self, item: str, pressed_at: float) -> Locked | None:
        """Return why a key may not reject or skip this item (G1 and G3 alone), or None when it may."""
        if self.frame is None or self.frame.item != item or self._since is None or pressed_at < self._since:
            return Locked.NOT_SHOWN
        return Locked.TOO_SOON if pressed_at - self._since < self.dwell else None

    def mark_of(self, item: str, record: str = "") -> str:
        """Return the mark of the S column: ``*`` all seen, ``o`` partly or of an earlier record, ``.`` not yet."""
        whole = self._complete.get(item)
        if whole is not None and whole.record == record:
            return "*"
        return "o" if whole is not None or self._remembered.get(item) else "."

    def opened(self) -> Mapping[str, str]:
        """Return the items of which every change was seen, each with the digest of what was seen."""
        return {item: whole.digest for item, whole in self._complete.items()}

    def forget(self, items: Iterable[str]) -> None:
        """Drop what is known of items that left the queue, so that they start unseen when they come back."""
        for item in items:
            self._remembered.pop(item, None)
            self._complete.pop(item, None)


def _numbered(lines: Sequence[str | None]) -> tuple[ChangedLine | None, ...]:
    """Tell lines of the same text apart: one of them that was seen says nothing of the others."""
    met: Counter[str] = Counter()
    found: list[ChangedLine | None] = []
    for text in lines:
        found.append(None if text is None else (text, met[text]))
        if text is not None:
            met[text] += 1
    return tuple(found)


class Press(NamedTuple, Generic[T]):
    """One key press: the key, when it arrived, and what to hand on when it counts."""

    key: str
    at: float
    printable: bool
    decides: bool
    event: T


class KeyGuard(Struct, Generic[T]):
    """Holds keys that decide back for a moment, to tell a person from a paste, type-ahead and a held key.

    A key that decides waits until nothing followed it for ``quiet`` seconds. If it was part of ``burst`` or more
    different printable keys within ``window`` seconds the whole run is dropped; a key that repeats itself counts once,
    and not at all when it went on repeating after it was acted on. Keys that only move act at once.

    Attributes:
        quiet: seconds of silence after a key that decides; 0 turns the guard off.
        window: seconds in which a run of different keys is no person.
        burst: how many different printable keys make such a run.
        again: seconds after an acted key during which the same key may be a held one.
        again_quiet: seconds of silence wanted then.
    """

    quiet: float = 0.02
    window: float = 0.06
    burst: int = 4
    again: float = 0.7
    again_quiet: float = 0.11
    _held: list[Press[T]] = field(default_factory=list)
    _recent: list[Press[T]] = field(default_factory=list)
    _last: tuple[str, float] = ("", float("-inf"))

    def press(self, press: Press[T]) -> bool:
        """Take a key; True when it acts at once, False when it is held (then ask :meth:`wait`)."""
        self._recent = [old for old in self._recent if press.at - old.at <= self.window] + [press]
        if self.quiet <= 0 or not (press.decides or self._held):
            return True
        self._held.append(press)
        return False

    @property
    def holds(self) -> bool:
        """Whether keys are held, so that every later one is held behind them."""
        return bool(self._held)

    @property
    def wait(self) -> float:
        """Seconds of silence after which the held keys are settled."""
        first = self._held[0] if self._held else None
        if first is not None and first.key == self._last[0] and first.at - self._last[1] <= self.again:
            return self.again_quiet
        return self.quiet

    def settle(self) -> tuple[Sequence[Press[T]], int]:
        """Return the held keys that count, in order, and how many were dropped."""
        held, self._held = self._held, []
        if not held:
            return (), 0
        kept = [] if self._is_burst(held) else self._without_repeats(held)
        self._last = (held[-1].key, held[-1].at)
        return kept, len(held) - len(kept)

    def _without_repeats(self, held: Sequence[Press[T]]) -> list[Press[T]]:
        kept: list[Press[T]] = []
        for at, press in enumerate(held):
            before = held[at - 1] if at else None
            if not (press.decides and before is not None and before.key == press.key):
                kept.append(press)
        key, acted = self._last
        went_on = len(held) > 1 and len(kept) == 1 and held[0].key == key and held[0].at - acted <= self.again
        return [] if went_on else kept

    def _is_burst(self, held: Sequence[Press[T]]) -> bool:
        run = [*(old for old in self._recent if old not in held), *held]
        for at, first in enumerate(run):
            near = {press.key for press in run[at:] if press.printable and press.at - first.at <= self.window}
            if len(near) >= self.burst:
                return True
        return False
