"""The rows of the profiles as the list shows them, and what is said about the one under the cursor.

Here: columns, small gauges, the text below. Not here: reading a profile (``curator.profiles``), opening one
(``leaving``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from curator_tui.core.documents import TARGETS, Presence, Standing, pressure
from curator_tui.curator.profiles import Glance
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import Fact, age, counted, file_name, fullness, gauge
from curator_tui.tui.page_lines import Page, PageLine
from curator_tui.tui.pages import fact_lines
from curator_tui.tui.shown import EMPTY, Line, Piece, Shown, data, message, own, padded, say, shown_line

_WAITING, _DISPUTED, _OLDEST, _SKILLS, _GATE, _DECIDED = 8, 9, 7, 7, 5, 8
_CELLS = 6
GAUGE, PERCENT = _CELLS + 8, 7  # with and without a bar
_LONGEST_NAME = 40
_ROOMY, _WIDE, _MIDDLE = 92, 78, 56  # columns from which there are questions, bars, and times
_GATES = {True: ("on", "dim"), False: ("OFF", "bad"), None: ("?", "warn")}


def in_trouble(one: Glance) -> bool:
    """Whether something of a profile cannot be read, which the list says by ``!``."""
    return bool(one.trouble or one.unreadable)


class ProfileRows:
    """Profiles in order.

    Args:
        names: the profiles.
        known: a glance at each of those that were looked at already.
        bound: the one whose desk is open.
        now: UTC seconds, for the ages.
    """

    def __init__(self, names: Sequence[str], known: Mapping[str, Glance], bound: str, now: float) -> None:
        self.names = names
        self._known = known
        self._bound = bound
        self._now = now

    def __len__(self) -> int:
        return len(self.names)

    def selectable(self, index: int) -> bool:
        """Whether there is such a row."""
        return 0 <= index < len(self.names)

    def name(self, index: int) -> str | None:
        """Return the profile of a row."""
        return self.names[index] if 0 <= index < len(self.names) else None

    def place(self, name: str) -> int | None:
        """Return where a profile stands."""
        return self.names.index(name) if name in self.names else None

    def line(self, index: int, width: int) -> Line:
        """Return one profile laid out in columns; what was not read yet is ``…``, what is not known ``?``."""
        name = self.names[index]
        one = self._known.get(name)
        here = name == self._bound
        sign = own(" * " if here else "   ", role="mark")
        if one is not None and in_trouble(one):
            sign = own(" ! " if not here else "*! ", role="bad")
        room = _room(width)
        lead: Line = (sign, *padded((own("{}", shown_line(name, room - 1), role="strong" if here else "text"),), room))
        if one is None:
            return (*lead, own("…", role="dim"))
        return (*lead, *self._columns(one, width))

    def _columns(self, one: Glance, width: int) -> Iterator[Piece]:
        waits = "strong" if one.waiting else "dim"
        yield from padded((own("{}", _number(one.waiting), role=waits),), _WAITING)
        if width >= _ROOMY:
            yield from padded((own("{}", _number(one.disputed), role="strong" if one.disputed else "dim"),), _DISPUTED)
        if width >= _MIDDLE:
            yield from padded((own("{}", _since(one.oldest_at, self._now), role="dim"),), _OLDEST)
            yield from padded((own("{}", _number(one.skills_waiting), role="dim"),), _SKILLS)
        for target in TARGETS:
            yield from size_cells(one.documents.get(target), bar=width >= _WIDE)
        word, role = _GATES[one.gate]
        yield from padded((own("{}", Shown(word), role=role),), _GATE)
        if width >= _MIDDLE:
            yield from padded((own("{}", _decided(one, self._now), role="dim"),), _DECIDED)


def _taken(width: int) -> int:
    """Return the cells of all columns behind the name."""
    times = _OLDEST + _SKILLS + _DECIDED if width >= _MIDDLE else 0
    times += _DISPUTED if width >= _ROOMY else 0
    return _WAITING + times + 2 * (GAUGE if width >= _WIDE else PERCENT) + _GATE


def _room(width: int) -> int:
    """Return the cells of a name, no more than bring the numbers out of sight of it."""
    return min(max(width - 3 - _taken(width), 4), _LONGEST_NAME)


def profile_head(width: int) -> Line:
    """Return the column headings."""
    sized = GAUGE if width >= _WIDE else PERCENT
    words: list[tuple[Shown, int]] = [
        (say("   PROFILE"), 3 + _room(width)),
        (say("WAITING"), _WAITING),
        *([(say("DISPUTED"), _DISPUTED)] if width >= _ROOMY else []),
        *([(say("OLDEST"), _OLDEST), (say("SKILLS"), _SKILLS)] if width >= _MIDDLE else []),
        *((Shown(str(target).upper()), sized) for target in TARGETS),
        (say("GATE"), _GATE),
        *([(say("DECIDED"), _DECIDED)] if width >= _MIDDLE else []),
    ]
    return tuple(piece for word, cells in words for piece in padded((own("{}", word, role="label"),), cells))


def _number(value: int | None) -> Shown:
    return say("?") if value is None else say("{}", value)


def _since(at: float | None, now: float) -> Shown:
    return Shown("") if at is None else age(now - at)


def _decided(one: Glance, now: float) -> Shown:
    return say("never") if one.decided_at is None else age(now - one.decided_at)


def size_cells(part: Standing | None, *, bar: bool) -> Line:
    """Return a small gauge that rounds down and its number in percent; what has no size says why."""
    cells = GAUGE if bar else PERCENT
    if part is None or part.size is None:
        word = say("?") if part is None else say("{}", part.presence)
        return padded((own("{}", word if bar else say("?"), role="bad"),), cells)
    if part.limit is None:
        return padded((own("{} of ?", part.size, role="warn"),), cells)
    full = fullness(part.size, part.limit)
    role = {"high": "warn", "over": "bad"}.get(pressure(part.size, part.limit), "text")
    filled = _CELLS if part.size >= part.limit else min(_CELLS - 1, full * _CELLS // 100)
    lead = say("[{}] ", Shown("#" * filled + "-" * (_CELLS - filled))) if bar else Shown("")
    return padded((own("{}{}%", lead, full, role=role),), cells)


def profile_page(name: str, one: Glance | None, now: float, *, bound: bool) -> Page:
    """Return what is said about one profile."""
    if one is None:
        lines: list[PageLine] = [PageLine((own("reading …", role="dim"),), (own("  "),))]
    else:
        lines = list(fact_lines(_facts(one, now, bound=bound)))
    return Page(name, "", tuple(lines))


def _facts(one: Glance, now: float, *, bound: bool) -> Iterator[Fact]:
    if one.trouble:
        yield Fact(say("trouble"), (own("{}", message(one.trouble), role="bad"),))
    if one.waiting is not None:
        oldest = own(", the oldest for {}", age(now - one.oldest_at)) if one.oldest_at is not None else own("")
        count = own("{}", counted(one.waiting, "memory write"), role="strong" if one.waiting else "text")
        yield Fact(say("waiting"), (count, oldest))
    if one.deferred:
        yield Fact(say("deferred"), (own("{}, not counted above", one.deferred, role="dim"),))
    if one.disputed:
        asked = counted(one.disputed, "question about a disputed entry", "questions about disputed entries")
        yield Fact(say("disputed"), (own("{}, to be answered in its queue", asked, role="strong"),))
    if one.skills_waiting:
        yield Fact(say("waiting"), (own("{}, for Hermes to apply", counted(one.skills_waiting, "skill write")),))
    if one.unreadable:
        yield Fact(say("unreadable"), (own("{} of its documents and records", one.unreadable, role="bad"),))
    for target in TARGETS:
        part = one.documents.get(target)
        if part is not None:
            yield Fact(file_name(target), sized_words(part))
    if one.gate is not None:
        told = own("on") if one.gate else own("OFF: writes go straight in, nobody is asked", role="bad")
        yield Fact(say("gate"), (told,))
    last = say("never") if one.decided_at is None else say("{} ago", age(now - one.decided_at))
    yield Fact(say("decided"), (own("last: {}", last),))
    if bound:
        yield Fact(say("here"), (own("this profile is open", role="mark"),))


def sized_words(part: Standing) -> Line:
    """Return the size of a document with a gauge; of one that has none, why."""
    if part.size is None:
        cause = message(part.trouble) if part.trouble else say("nothing of it is known")
        return (own("{}: {}", part.presence, cause, role="bad"),)
    missing: Line = (own("  ({})", part.presence, role="dim"),) if part.presence is not Presence.PRESENT else EMPTY
    return (*gauge(part.size, part.limit, 10), *missing)


def opening_words(name: str, *, bound: bool) -> Line:
    """Say what the key that opens does."""
    key = key_for("profiles.open")
    if bound:
        return (own("{} goes back to its queue", key, role="head"),)
    return (own("{} opens ", key, role="head"), data(name, "head"))
