"""Sizes over time: how large both documents were after each change, by the ledger, which keeps no words of them.

Here: reading that, how large a document was at one change, how it grew over a stretch of time. Not here: drawing it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Mapping, Sequence

from msgspec import Struct, field

from curator_tui.core.documents import Target
from curator_tui.core.row_form import BoundForm, form_of
from curator_tui.core.tracing import moment_of
from curator_tui.curator.desk import Desk

_PORTION = 200


class Point(Struct, frozen=True):
    """A document after one change: sequence number, clock in UTC seconds, size in code points."""

    seq: int
    at: float
    size: int


class Sizes(Struct, frozen=True):
    """The sizes of both documents, oldest first; a clock that was set back never leads back in time."""

    points: Mapping[Target, Sequence[Point]] = field(default_factory=dict)

    def standing(self, target: Target, seq: int) -> int | None:
        """Return the size of a document once a change was made; None where nothing was recorded yet."""
        points = self.points.get(target, ())
        at = bisect_right(points, seq, key=lambda point: point.seq)
        return points[at - 1].size if at else None

    @property
    def began(self) -> float | None:
        """When the first size was recorded, UTC seconds."""
        return min((points[0].at for points in self.points.values() if points), default=None)


def measuring(desk: Desk) -> Generator[int, None, Sizes]:
    """Read the sizes from the whole ledger, beside other work: yields how many rows were read so far."""
    points: dict[Target, list[Point]] = {}
    clock, after = 0.0, 0
    while rows := desk.store.book.rows(after, _PORTION):
        for row in rows:
            form = form_of(row.body)
            if form is None:
                continue
            clock = max(clock, moment_of(form.at) or 0.0)
            for target, moments in form.documents.items():
                made = points.setdefault(target, [])
                if not made and "before" in moments:
                    made.append(Point(row.seq - 1, clock, _size(moments["before"])))
                if "after" in moments:
                    made.append(Point(row.seq, clock, _size(moments["after"])))
        yield rows[-1].seq
        if rows[-1].seq <= after:
            break
        after = rows[-1].seq
    return Sizes(points)


def _size(part: BoundForm) -> int:
    return 0 if part.absent else part.size


def columns(points: Sequence[Point], began: float, now: float, count: int) -> list[int | None]:
    """Return the largest size in each of ``count`` stretches of time of equal length; None before the first one.

    Args:
        points: the sizes, oldest first.
        began: where the first stretch begins, UTC seconds.
        now: where the last one ends.
        count: how many.
    """
    span = max(now - began, 1.0)
    found: list[int | None] = []
    standing: int | None = None
    at = 0
    for column in range(count):
        end = began + span * (column + 1) / count
        most = standing
        while at < len(points) and (points[at].at <= end or column == count - 1):
            standing = points[at].size
            most = standing if most is None else max(most, standing)
            at += 1
        # a column tells what stood there at some time of it; the last one what stands at its end
        found.append(standing if column == count - 1 else most)
    return found
