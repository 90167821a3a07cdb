"""Days: the day until which something is deferred, as a person writes it.

Here: the accepted forms and what is no day to come. Not here: which day it is now (the curator knows clock and
calendar), what is deferred (``deferrals``).

A day is written ``2026-12-24``: such texts sort as the days do. It means the calendar of whoever looks, so that an item
deferred until tomorrow is back on the morning a person calls tomorrow, wherever they are.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from curator_tui.core.errors import UsageError
from curator_tui.core.text import one_line

FORMS = "2026-12-24, tomorrow, 3d or 2w"
_SPAN = re.compile(r"([0-9]{1,6})\s*([dw])", re.ASCII)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_DAYS = {"d": 1, "w": 7}


def day_from(words: str, today: str) -> str:
    """Return the day that a person means.

    Args:
        words: a date, ``tomorrow``, or a number of days (``3d``) or weeks (``2w``) from today.
        today: the person's day, as ``2026-12-24``; empty where the clock shows none.

    Raises:
        UsageError: it is none of these, or no day to come; or it is counted from a day that nobody knows.
    """
    asked, now = words.strip().lower(), date.fromisoformat(today) if today else date.max
    span = _SPAN.fullmatch("1d" if asked == "tomorrow" else asked)
    try:
        days = int(span[1]) * _DAYS[span[2]] if span is not None else None
        found = date.fromisoformat(_dated(asked)) if days is None else now + timedelta(days=days)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{one_line(words, 40)} is no day.", way_out=f"Write it as {FORMS}.") from error
    return to_come(found.isoformat(), today)


def _dated(words: str) -> str:
    """Return what has the form of a date; the library would take others too, such as weeks."""
    return words if _DATE.fullmatch(words) else ""


def to_come(day: str, today: str) -> str:
    """Return a day that is still to come; empty, for no day at all, is one.

    Raises:
        UsageError: it is today or past, when there is nothing left to wait for.
    """
    if day and day <= today:
        raise UsageError(f"{day} is not to come: today is {today}.", way_out=f"Name a later day: {FORMS}.")
    return day
