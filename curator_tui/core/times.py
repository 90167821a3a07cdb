"""Times: moments as text, always UTC, and total: a number that is no moment of our calendar says so.

Here: the forms of a moment, and which claims count. Not here: clocks (they belong to the curator), ages (they
belong to a surface).
Times in records, session histories and backups were written by others and may be anything.
"""

from __future__ import annotations

from datetime import UTC, datetime

_EARLIEST = datetime.min.replace(tzinfo=UTC)
_LATEST = datetime.max.replace(tzinfo=UTC)
_YEAR_10000 = 253_402_300_800


def known(at: float) -> float | None:
    """Return a claimed moment, or None where nobody can mean it: before 1970, after 9999, not a number."""
    return at if 0 <= at < _YEAR_10000 else None


def _moment(at: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(at, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def nearest_moment(at: float) -> datetime:
    """Return the moment itself, or the end of the calendar it lies beyond."""
    return _moment(at) or (_EARLIEST if at < 0 else _LATEST)


def utc_words(at: float) -> str:
    """Return a moment as people read it, to the second."""
    found = _moment(at)
    return f"an impossible time ({at:g})" if found is None else f"{found:%Y-%m-%d %H:%M:%S} UTC"


def utc_text(at: float) -> str:
    """Return a moment as it is written in rows, to the millisecond."""
    return nearest_moment(at).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def utc_stamp(at: float) -> str:
    """Return a moment as names of images begin: sortable, and harmless as a file name."""
    found = nearest_moment(at)
    return f"{found.year:04}{found:%m%dT%H%M%S.%f}"[:-4] + "Z"
