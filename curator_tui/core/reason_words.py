"""Reason words: what each reason code is for, in the words that every menu shows beside it.

Here: the words, one line per code, and the order of the menus. Not here: the codes (``requests``), asking for one (the
surfaces). Where two menus have the same reason under different codes, each names the other's word, so that a person
who knows one finds it in the other: rejecting as ``stale`` is disputing as ``outdated``, and neither is the state.
"""

from __future__ import annotations

from collections.abc import Mapping

from curator_tui.core.requests import ChallengeCode, OverrideCode, ReasonCode

_OTHER = "something else, in your own words"

REJECTING: Mapping[ReasonCode, str] = {
    ReasonCode.DUPLICATE: "another entry says this already",
    ReasonCode.WRONG: "it was never true",
    ReasonCode.SENSITIVE: "secret or private: no prompt should hold it",
    ReasonCode.STALE: "outdated: it was true and is not any more",
    ReasonCode.NOT_USEFUL: "true, but not worth its room in every prompt",
    ReasonCode.OTHER: _OTHER,
}
"""Why an item is rejected. ``request`` is a code of the command line and no row: whoever rejects has asked for it."""

DISPUTING: Mapping[ChallengeCode, str] = {
    ChallengeCode.WRONG: "it was never true",
    ChallengeCode.OUTDATED: "stale: it was true and is not any more",
    ChallengeCode.PRIVATE: "sensitive or secret: no prompt should hold it",
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
