"""Reason words: what each reason code is for, in the words that every menu shows beside it.

Here: the words, one line per code, and the order of the menus. Not here: the codes (``requests``), asking for one (the
surfaces). Where two menus have the same reason under different codes, a person reads one word for both: rejecting as
``stale`` and disputing as ``outdated`` are both *outdated*, which no state is called, and ``sensitive`` and ``private``
are both *sensitive*. Programs go on reading the codes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from curator_tui.core.requests import ChallengeCode, OverrideCode, ReasonCode

_WORDS: Mapping[str, str] = {ReasonCode.STALE: "outdated", ChallengeCode.PRIVATE: "sensitive"}
_OUTDATED = "it was true and is not any more"
_SENSITIVE = "secret or private: no prompt should hold it"
_OTHER = "something else, in your own words"


def reason_word(code: str) -> str:
    """Return the word that a person reads and types for a reason code; most codes are their own word."""
    return _WORDS.get(code, code)


def code_meant(word: str, codes: Iterable[str]) -> str | None:
    """Return which of some codes is meant by a word, which may be the code itself; None for none of them."""
    known = tuple(codes)
    return word if word in known else next((code for code in known if reason_word(code) == word), None)


REJECTING: Mapping[ReasonCode, str] = {
    ReasonCode.DUPLICATE: "another entry says this already",
    ReasonCode.WRONG: "it was never true",
    ReasonCode.SENSITIVE: _SENSITIVE,
    ReasonCode.STALE: _OUTDATED,
    ReasonCode.NOT_USEFUL: "true, but not worth its room in every prompt",
    ReasonCode.OTHER: _OTHER,
}
"""Why an item is rejected. ``request`` is a code of the command line and no row: whoever rejects has asked for it."""

DISPUTING: Mapping[ChallengeCode, str] = {
    ChallengeCode.WRONG: "it was never true",
    ChallengeCode.OUTDATED: _OUTDATED,
    ChallengeCode.PRIVATE: _SENSITIVE,
    ChallengeCode.NOT_SAID: "true or not, nobody ever said it",
    ChallengeCode.OTHER: _OTHER,
}
"""Why an entry is disputed."""

PASSING: Mapping[OverrideCode, str] = {
    OverrideCode.REQUEST: "the finding is right, and I want exactly this",
    OverrideCode.FALSE_ALARM: "it is a false alarm: the finding is wrong here",
    OverrideCode.OTHER: _OTHER,
}
"""Why what was found may pass."""
