"""The rows of the people of a tenant as the list shows them, and what is said about the one under the cursor.

Here: columns, the text below. Not here: reading (``curator.people.among``), small gauges (``profile_rows``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curator_tui.core.documents import TARGETS
from curator_tui.curator.people.among import PersonRow
from curator_tui.tui.facts import Fact, age, counted, file_name
from curator_tui.tui.page_lines import Page
from curator_tui.tui.pages import fact_lines
from curator_tui.tui.profile_rows import GAUGE, PERCENT, size_cells, sized_words
from curator_tui.tui.shown import Line, Shown, own, padded, say, shown_line

_WAITING, _OLDEST = 9, 7
_WIDE = 70
_LONGEST_NAME = 48
EVERYBODY = "all people"


class PeopleRows:
    """People in the order they were read, behind a row for all of them.

    Args:
        people: those that were read.
        open_key: the key of the one whose desk is open; None for that of all people.
        now: UTC seconds, for the ages.
    """

    def __init__(self, people: Sequence[PersonRow], open_key: str | None, now: float) -> None:
        self.people = people
        self._open = open_key
        self._now = now

    def __len__(self) -> int:
        return len(self.people) + 1

    def selectable(self, index: int) -> bool:
        """Whether there is such a row."""
        return 0 <= index < len(self)

    def person(self, index: int) -> PersonRow | None:
        """Return the person of a row, None for all of them."""
        return self.people[index - 1] if 0 < index < len(self) else None

    def line(self, index: int, width: int) -> Line:
        """Return one row laid out in columns."""
        one = self.person(index)
        here = self._open is None if one is None else one.key == self._open
        sign = own(" * " if here else "   ", role="mark")
        room = _room(width)
        if one is None:
            return (sign, own("{}", Shown(EVERYBODY), role="head"), own("  one queue, the oldest first", role="dim"))
        name = own("{}", shown_line(one.name, room - 1), role="strong" if here else "text")
        waits = own("{}", one.waiting, role="strong" if one.waiting else "dim")
        since = Shown("") if one.oldest_at is None else age(self._now - one.oldest_at)
        sizes = (piece for target in TARGETS for piece in size_cells(one.documents[target], bar=width >= _WIDE))
        times = padded((own("{}", since, role="dim"),), _OLDEST)
        return (sign, *padded((name,), room), *padded((waits,), _WAITING), *times, *sizes)


def _room(width: int) -> int:
    sizes = 2 * (GAUGE if width >= _WIDE else PERCENT)
    return min(max(width - 3 - _WAITING - _OLDEST - sizes, 6), _LONGEST_NAME)


def people_head(width: int) -> Line:
    """Return the column headings."""
    sized = GAUGE if width >= _WIDE else PERCENT
    words: list[tuple[Shown, int]] = [
        (say("   WHO"), 3 + _room(width)),
        (say("WAITING"), _WAITING),
        (say("OLDEST"), _OLDEST),
        *((Shown(str(target).upper()), sized) for target in TARGETS),
    ]
    return tuple(piece for word, cells in words for piece in padded((own("{}", word, role="label"),), cells))


def person_page(one: PersonRow | None, now: float) -> Page:
    """Return what is said about one person, or about the queue of all of them."""
    if one is None:
        fact = Fact(say("all"), (own("what waits for everybody, in one queue; every row says whose it is"),))
        return Page("", "", tuple(fact_lines([fact])))
    return Page(one.key, "", tuple(fact_lines(_facts(one, now))))


def _facts(one: PersonRow, now: float) -> Iterator[Fact]:
    oldest = own("") if one.oldest_at is None else own(", the oldest for {}", age(now - one.oldest_at))
    count = own("{}", counted(one.waiting, "memory write"), role="strong" if one.waiting else "text")
    yield Fact(say("waiting"), (count, oldest))
    for target in TARGETS:
        yield Fact(file_name(target), sized_words(one.documents[target]))
