"""Refused attempts: one row for the first, and one with a number for its repeats within a minute.

Here: which attempts are the same, which of them are rows, and when a number is due. Not here: what is refused
(``review``), what else stands in a row (``ledger``).

A row of the ledger is never edited, so a number cannot be added to the first one. The first attempt is a row at once.
Its repeats within a minute are counted beside the ledger, in the same transaction that answers them; the next request
that is planned after that minute, whoever makes it, puts their number into a row of its own before anything else it
writes. A clock that went back ends the minute too: then there are more rows, never fewer. Where counting fails the
attempt has failed with it, so it is refused all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

REFUSED = "refused"
WINDOW_S = 60.0
# What two attempts must have in common to be the same: ids and codes, as they stand in the row.
_SAME = ("actor", "decisions", "reason")


class Refused(Struct, frozen=True):
    """A refused attempt that has its row, while its repeats are counted.

    Attributes:
        part: who was refused what and why, as it stands in the row; no words.
        at: the clock of the row, UTC seconds.
        since: the same clock as rows write it.
        repeats: attempts since that no row speaks of yet.
    """

    part: Mapping[str, Any]
    at: float
    since: str
    repeats: int = 0

    def counts(self, at: float) -> bool:
        """Whether a repeat at this moment is counted rather than written."""
        return 0.0 <= at - self.at < WINDOW_S

    def number(self) -> dict[str, Any]:
        """Return the parts of the row that says how often it was repeated."""
        return {**self.part, "repeats": self.repeats, "since": self.since}


class Attempts(Struct, frozen=True):
    """What becomes of the refused attempts of one request.

    Attributes:
        due: those before it whose repeats are to be told now, in a row of their own each.
        rows: the rows of the request itself, without repeats.
        counting: those whose repeats are counted from now on; None when nothing is to be stored for it.
    """

    due: tuple[Refused, ...]
    rows: tuple[dict[str, Any], ...]
    counting: tuple[Refused, ...] | None


def tell(before: Sequence[Refused], rows: Sequence[dict[str, Any]], at: float) -> Attempts:
    """Work out which refused attempts are rows and which are counted.

    Args:
        before: the attempts whose repeats were counted so far.
        rows: the rows a request would write if each attempt had one.
        at: the clock of the request, UTC seconds.
    """
    due = tuple(one for one in before if one.repeats and not one.counts(at))
    running = [one for one in before if one.counts(at)]
    written: list[dict[str, Any]] = []
    counted = False
    for row in rows:
        part = {name: row[name] for name in _SAME if name in row}
        place = next((place for place, one in enumerate(running) if one.part == part), None)
        if row.get("action") != REFUSED:
            written.append(row)
        elif place is None:
            written.append(row)
            running.append(Refused(part, at, row["at"]))
        else:
            running[place] = replace(running[place], repeats=running[place].repeats + 1)
            counted = True
    changes = counted or ((due or written) and tuple(running) != tuple(before))
    return Attempts(due, tuple(written), tuple(running) if changes else None)
