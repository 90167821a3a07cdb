"""Normal forms: the right text, and never more than linear time."""

from __future__ import annotations

import time
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core.normal import LONGEST_RUN, normal
from curator_tui.core.scanning import scan

MARKS = "\u0301\u0323"


@given(st.text(max_size=LONGEST_RUN))
def test_texts_without_long_runs_get_the_form_of_unicode(text: str) -> None:
    """No run of thirty signs can be longer than thirty marks."""
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert normal(form, text) == unicodedata.normalize(form, text)


@given(st.text(alphabet="ae\u0301\u0323\u0308 \u00e9", max_size=200))
def test_a_long_run_loses_nothing(text: str) -> None:
    """Decomposed and sorted, the pieces hold the same signs as the whole."""
    assert sorted(normal("NFD", text)) == sorted(unicodedata.normalize("NFD", text))


def test_a_mountain_of_marks_is_folded_and_scanned_in_linear_time() -> None:
    """A letter under 60,000 marks took more than a second in one piece."""
    text = "a" + MARKS * 30_000
    began = time.thread_time()
    normal("NFKC", text)
    scan(text)
    assert time.thread_time() - began < 0.5
