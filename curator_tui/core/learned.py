"""Learned: everything a profile has learned as one list, with when and from whom, as far as that is known.

Here: the row that an entry and a skill have in common, its order, and the filter over both. Not here: where entries
come from (``origins``), which skills there are (``skills``).

A time is one that a ledger or Hermes recorded, or unknown; it is never that of a file. What has none stands last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from curator_tui.core.documents import Target
from curator_tui.core.ledger_filters import meaningless, typed_moment, unknown_key
from curator_tui.core.origins import Origin, Proposer
from curator_tui.core.scanning import Finding, Severity
from curator_tui.core.skills import InstalledSkill
from curator_tui.core.word_filter import NAMING, turned

FILTER_KEYS: Mapping[str, str] = {
    "kind": "user, memory or skill",
    "since": "a day (2026-03-01) or an age (7d, 12h)",
    "until": "a day or an age",
    "source": "agent, review, person, program, hub or unknown",
    "profile": "the name of a profile that holds a skill",
    "is": "unseen, unreviewed, flagged, archived or unknown",
}
_STATES = frozenset({"unseen", "unreviewed", "flagged", "archived", "unknown"})


class LearnedKind(StrEnum):
    """What was learned: an entry of one of the two documents, or a skill."""

    USER = "user"
    MEMORY = "memory"
    SKILL = "skill"


class Source(StrEnum):
    """From whom it came."""

    AGENT = "agent"
    REVIEW = "review"
    PERSON = "person"
    PROGRAM = "program"
    HUB = "hub"
    UNKNOWN = "unknown"


_PROPOSERS: Mapping[Proposer, Source] = {
    Proposer.AGENT: Source.AGENT,
    Proposer.REVIEW: Source.REVIEW,
    Proposer.PERSON: Source.PERSON,
    Proposer.PROGRAM: Source.PROGRAM,
    Proposer.UNKNOWN: Source.UNKNOWN,
}


class Learned(Struct, frozen=True):
    """One thing that was learned.

    Attributes:
        kind: which kind of thing.
        id: entry id, or the beginning of the digest of a skill; empty for a skill that cannot be read.
        title: the entry, or the name of the skill; raw.
        at: when it came, UTC seconds; None for unknown.
        noticed: True when it stood there by that time, and since when is not known.
        source: from whom it came.
        size: code points; of a skill those of its SKILL.md.
        findings: what the scanner sees in it.
        origin: for an entry where it came from.
        skill: for a skill what is known of it.
    """

    kind: LearnedKind
    id: str
    title: str
    at: float | None
    noticed: bool
    source: Source
    size: int
    findings: tuple[Finding, ...] = ()
    origin: Origin | None = None
    skill: InstalledSkill | None = None

    @property
    def unseen(self) -> bool:
        """Whether it is an entry that no person ever approved, corrected or added."""
        return self.origin is not None and not self.origin.seen

    @property
    def flagged(self) -> bool:
        """Whether the scanner has a hard finding in it."""
        return any(finding.severity is Severity.HARD for finding in self.findings)


def learned_entry(origin: Origin, findings: Sequence[Finding]) -> Learned:
    """Return the row of an entry."""
    kind = LearnedKind.USER if origin.target is Target.USER else LearnedKind.MEMORY
    source = _PROPOSERS[origin.proposer]
    size = len(origin.text)
    return Learned(
        kind, origin.id, origin.text, origin.at, origin.noticed, source, size, tuple(findings), origin=origin
    )


def learned_skill(skill: InstalledSkill, findings: Sequence[Finding]) -> Learned:
    """Return the row of a skill; where its holders record different sources nobody can tell."""
    known = {"agent": Source.AGENT, "hub": Source.HUB}
    source = known.get(skill.sources[0], Source.UNKNOWN) if len(skill.sources) == 1 else Source.UNKNOWN
    return Learned(
        LearnedKind.SKILL,
        skill.digest[:12],
        skill.name,
        skill.at,
        noticed=False,
        source=source,
        size=skill.size,
        findings=tuple(findings),
        skill=skill,
    )


def in_order(rows: Iterable[Learned], *, newest_first: bool = True) -> tuple[Learned, ...]:
    """Return rows by their time; those without one stand last in either order, as they came."""
    found = list(rows)
    timed = [row for row in found if row.at is not None]
    timed.sort(key=lambda row: row.at or 0.0, reverse=newest_first)
    return (*timed, *(row for row in found if row.at is None))


class LearnedTerm(Struct, frozen=True):
    """One thing that must hold, or must not: a key of :data:`FILTER_KEYS`, empty for words of the title."""

    key: str
    values: tuple[str, ...]
    negated: bool = False
    moment: float | None = None


def parse_learned(text: str, now: float) -> tuple[LearnedTerm, ...]:
    """Understand a filter: ``kind:skill since:30d -is:archived`` and words that stand in the title.

    Raises:
        UsageError: a key or a value means nothing; it says which, and what would.
    """
    return tuple(_term(word, now) for word in text.split())


def _term(word: str, now: float) -> LearnedTerm:
    plain, negated = turned(word)
    key, colon, rest = plain.partition(":")
    if not colon:
        return LearnedTerm("", (plain.casefold(),), negated)
    if key not in FILTER_KEYS:
        raise unknown_key(key, FILTER_KEYS)
    values = tuple(value.casefold() for value in rest.split(",") if value)
    allowed = {"kind": {*map(str, LearnedKind)}, "source": {*map(str, Source)}, "is": _STATES}.get(key)
    if not values or (allowed is not None and not set(values) <= allowed):
        raise meaningless(key, rest, FILTER_KEYS)
    moment = typed_moment(key, values[0], now, FILTER_KEYS) if key in {"since", "until"} else None
    return LearnedTerm(key, values, negated, moment)


def learned_matches(row: Learned, terms: Sequence[LearnedTerm]) -> bool:
    """Whether a row is meant by a filter; what has no time is in no span of time."""
    return all(_TESTS[term.key](row, term) != term.negated for term in terms)


def _titled(row: Learned, term: LearnedTerm) -> bool:
    about = row.skill.description if row.skill is not None else ""
    word = term.values[0]
    return word in row.title.casefold() or word in about.casefold() or (len(word) >= NAMING and row.id.startswith(word))


def _is(row: Learned, term: LearnedTerm) -> bool:
    states = {
        "unseen": row.unseen,
        "unreviewed": row.origin is not None and row.origin.unreviewed,
        "flagged": row.flagged,
        "archived": row.skill is not None and row.skill.archived,
        "unknown": row.source is Source.UNKNOWN,
    }
    return any(states[value] for value in term.values)


_TESTS: Mapping[str, Callable[[Learned, LearnedTerm], bool]] = {
    "": _titled,
    "kind": lambda row, term: str(row.kind) in term.values,
    "since": lambda row, term: row.at is not None and row.at >= (term.moment or 0.0),
    "until": lambda row, term: row.at is not None and row.at < (term.moment or 0.0),
    "source": lambda row, term: str(row.source) in term.values,
    "profile": lambda row, term: (
        row.skill is not None and any(holder.profile in term.values for holder in row.skill.holders)
    ),
    "is": _is,
}
