"""Days: what a person may write, and that only days to come are taken."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core.days import day_from, to_come
from curator_tui.core.errors import UsageError

TODAY = "2026-12-24"


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("2026-12-25", "2026-12-25"),
        ("tomorrow", "2026-12-25"),
        (" Tomorrow ", "2026-12-25"),
        ("1d", "2026-12-25"),
        ("3d", "2026-12-27"),
        ("3 d", "2026-12-27"),
        ("2w", "2027-01-07"),
        ("2028-02-29", "2028-02-29"),
        ("9999-12-31", "9999-12-31"),
    ],
)
def test_every_form_means_its_day(words: str, day: str) -> None:
    assert day_from(words, TODAY) == day


@pytest.mark.parametrize(
    "words",
    ["", "soon", "today", "0d", "-1d", "3", "d", "2026-12-24", "2026-12-23", "1970-01-01", "2027-02-29", "2026-13-01",
     "2026-W52-1", "20261231", "2026-1-2", "999999w", "99999999d", "tomorrow 3d", "３d", "2026-12-25T10:00", "\x1b[2J"],
)  # fmt: skip
def test_what_is_no_day_to_come_is_a_usage_error_that_says_what_is_one(words: str) -> None:
    with pytest.raises(UsageError) as caught:
        day_from(words, TODAY)
    assert "tomorrow, 3d or 2w" in caught.value.way_out
    assert "\x1b" not in caught.value.message


@given(st.dates(max_value=date(9000, 1, 1)), st.integers(1, 3000))
def test_days_from_today_are_counted_on_the_calendar(now: date, count: int) -> None:
    assert day_from(f"{count}d", now.isoformat()) == (now + timedelta(days=count)).isoformat()
    assert day_from(f"{count}w", now.isoformat()) == day_from(f"{count * 7}d", now.isoformat())
    assert day_from("tomorrow", now.isoformat()) > now.isoformat()


@pytest.mark.parametrize(("words", "today"), [("3d", ""), ("30d", "9999-12-24"), ("999999w", TODAY)])
def test_what_is_counted_beyond_the_calendar_or_from_no_day_is_no_day(words: str, today: str) -> None:
    with pytest.raises(UsageError):
        day_from(words, today)
    assert day_from("9999-12-31", today) == "9999-12-31"


def test_no_day_at_all_is_to_come() -> None:
    assert to_come("", TODAY) == ""
    with pytest.raises(UsageError):
        to_come(TODAY, TODAY)
