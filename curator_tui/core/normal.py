"""Unicode normal forms in linear time, whatever the text.

Normalising sorts each run of combining marks, and the time for one run grows with the square of its length: a letter
under a million marks would hold a scan, and with it a plan under the lock, for seconds. Writing systems need a few
marks on a letter, so a longer run is normalised in pieces, as Unicode's stream-safe format (UAX 15) allows for.
"""

from __future__ import annotations

import re
from typing import Literal
from unicodedata import normalize

LONGEST_RUN = 30
"""Marks that are sorted together (the number of the stream-safe format)."""

# No mark is a word character; the signs that share this class with them are not reordered, so pieces do them no harm.
_LONG_RUN = re.compile(rf"[^\w\s\x00-\x7f]{{{LONGEST_RUN + 1},}}")

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


def normal(form: Form, text: str) -> str:
    """Return ``text`` in a normal form; a run of more than 30 marks is taken in pieces of 30."""
    if text.isascii():
        return text
    if _LONG_RUN.search(text) is None:
        return normalize(form, text)
    pieces: list[str] = []
    start = 0
    for run in _LONG_RUN.finditer(text):
        for cut in range(run.start() + LONGEST_RUN, run.end(), LONGEST_RUN):
            pieces.append(normalize(form, text[start:cut]))
            start = cut
    pieces.append(normalize(form, text[start:]))
    return "".join(pieces)
