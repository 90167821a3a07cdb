"""Moments as text: right for every moment of the calendar, and total for every number."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core.times import nearest_moment, utc_stamp, utc_text, utc_words


@given(st.datetimes(timezones=st.just(UTC)))
def test_every_moment_has_its_three_forms(moment: datetime) -> None:
    at = moment.timestamp()
    assert re.fullmatch(r"\d{1,4}-\d\d-\d\d \d\d:\d\d:\d\d UTC|an impossible time .*", utc_words(at))
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", utc_text(at))
    assert re.fullmatch(r"\d{8}T\d{6}\.\d\dZ", utc_stamp(at))


@given(st.floats())
def test_no_number_is_too_strange(at: float) -> None:
    assert utc_words(at).isascii()
    assert len(utc_text(at)) == 24
    assert len(utc_stamp(at)) == 19
    assert nearest_moment(at).tzinfo is UTC


@pytest.mark.parametrize("at", [math.nan, math.inf, -math.inf, 1.79e12, -1e300])
def test_what_is_no_moment_is_not_given_as_one(at: float) -> None:
    assert utc_words(at).startswith("an impossible time (")


def test_a_known_moment() -> None:
    at = 1_790_000_000.1239
    assert utc_words(at) == "2026-09-21 14:13:20 UTC"
    assert utc_text(at) == "2026-09-21T14:13:20.123Z"
    assert utc_stamp(at) == "20260921T141320.12Z"
