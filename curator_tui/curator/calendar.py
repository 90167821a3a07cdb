"""The calendar: which day it is where the person is.

Here: from the clock to a day. Not here: days as a person writes them (``core.days``), what happens on them.
"""

from __future__ import annotations

from datetime import date


def local_day(at: float) -> str:
    """Return the day of a moment (UTC seconds) by the time zone of this process, as ``2026-12-24``.

    A clock that shows no moment of the calendar gives the empty text, which is before every day: what is deferred then
    stays so.
    """
    try:
        return date.fromtimestamp(at).isoformat()  # noqa: DTZ012 - the person's own calendar is meant
    except (ValueError, OverflowError, OSError):
        return ""
