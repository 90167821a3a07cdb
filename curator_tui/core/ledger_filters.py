"""Filters of the ledger: what a person types to see some rows only, and which rows that means.

Here: the small language, and holding rows and origins against it. Not here: reading rows (``curator.ledger_queries``).

The language: words separated by blanks, all of which must hold; ``key:value``, several values separated by commas, a
dash or ``!`` in front to turn one around; a number is that of a row, and any other word of four characters or more is
looked for in ids. ``who:you action:approve seen:<100``.

One row may hold many decisions, each seen in its own measure. ``seen:`` means a row if it means any of them, and turned
around if any of them is not meant: a change that was read in part stands under ``seen:100`` and under ``-seen:100``. A
row without a decision, or with one that does not say what was seen, stands under neither.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from curator_tui.core.actors import YOU
from curator_tui.core.endings import Ending, one_deed
from curator_tui.core.errors import UsageError
from curator_tui.core.origins import Origin, Proposer
from curator_tui.core.reason_words import reason_word
from curator_tui.core.recording import OBSERVED
from curator_tui.core.refused import REFUSED
from curator_tui.core.requests import Actor, ActorKind
from curator_tui.core.row_form import RowForm
from curator_tui.core.text import one_line
from curator_tui.core.tracing import moment_of
from curator_tui.core.word_filter import NAMING, turned

KEYS: Mapping[str, str] = {
    "who": "you, a name, or person, policy, agent, service, outside",
    "action": "approve, edit, reject, plan, add, replace, remove, undo, redo, rollback, outside, refused, …",
    "target": "user or memory",
    "seen": "how much of the change was on a screen: 40%, <100, >=50, row (its row in a plan) or none; <100 means both",
    "since": "a day (2026-03-01) or an age (7d, 12h)",
    "until": "a day or an age",
    "reason": "a reason: its word or code",
    "source": "a session, or unknown",
    "is": "unreviewed, refused, tombstone, unreadable, recovered; for entries unknown, unseen",
}
_STATES = frozenset({"unreviewed", "refused", "tombstone", "unreadable", "recovered", "unknown", "unseen"})
_COMPARED = re.compile(r"(<=|>=|<|>|=)?\s*([0-9]{1,3})%?")
_AGE = re.compile(r"([0-9]{1,5})([hdw])")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
}
_NONE, _ROW = "none", "row"
_BETWEEN = (1, 99)  # percent: of what only its row in a plan was seen, more than nothing and less than all
_DECIDED = frozenset({Ending.APPROVE, Ending.EDIT, Ending.REJECT, Ending.LOG_ONLY})
_LONGEST = 1_000


class Term(Struct, frozen=True):
    """One thing that must hold: a key of :data:`KEYS` (empty for a free word), its values, and whether it must not."""

    key: str
    values: tuple[str, ...]
    negated: bool = False
    moment: float | None = None


class LedgerFilter(Struct, frozen=True):
    """What a person typed, understood.

    Attributes:
        terms: all of them must hold; none means every row.
        text: as it was typed.
    """

    terms: tuple[Term, ...] = ()
    text: str = ""


def parse_filter(text: str, now: float) -> LedgerFilter:
    """Understand a filter.

    Args:
        text: what was typed.
        now: the present, UTC seconds, for ages.

    Raises:
        UsageError: a key or a value means nothing; it says which, and what would.
    """
    if len(text) > _LONGEST:
        raise UsageError(f"The filter is longer than {_LONGEST} characters.", code="filter")
    return LedgerFilter(tuple(_term(word, now) for word in text.split()), text)


def _term(word: str, now: float) -> Term:
    plain, negated = turned(word)
    key, colon, rest = plain.partition(":")
    key = "target" if colon and key == "for" else key
    if not colon:
        return Term("", (key.casefold(),), negated)
    if key not in KEYS:
        raise unknown_key(key, KEYS)
    values = tuple(value.casefold() for value in rest.split(",") if value)
    if not values:
        raise meaningless(key, rest, KEYS)
    moment = typed_moment(key, values[0], now, KEYS) if key in {"since", "until"} else None
    if key == "seen" and not all(value in {_ROW, _NONE} or _COMPARED.fullmatch(value) for value in values):
        raise meaningless(key, rest, KEYS)
    if key == "is" and not set(values) <= _STATES:
        raise meaningless(key, rest, KEYS)
    return Term(key, values, negated, moment)


def meaningless(key: str, value: str, keys: Mapping[str, str]) -> UsageError:
    """Return the error of a value that means nothing under its key; ``keys`` says what each key takes."""
    return UsageError(f"{key}:{one_line(value, 20)} means nothing.", way_out=f"{key} takes {keys[key]}.", code="filter")


def unknown_key(key: str, keys: Mapping[str, str]) -> UsageError:
    """Return the error of a key that no filter of this kind knows."""
    return UsageError(
        f"{one_line(key, 20)} is nothing a filter knows.", way_out=f"Use one of: {', '.join(keys)}.", code="filter"
    )


def typed_moment(key: str, value: str, now: float, keys: Mapping[str, str]) -> float:
    """Return the moment that a day or an age means, UTC seconds.

    Raises:
        UsageError: it means none.
    """
    age = _AGE.fullmatch(value)
    if age is not None:
        return now - (int(age[1]) * _UNITS[age[2]]).total_seconds()
    try:
        found = datetime.fromisoformat(value.upper())
        return (found if found.tzinfo is not None else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError) as error:
        raise meaningless(key, value, keys) from error


# -- rows ----------------------------------------------------------------------------------------------------------


def row_matches(row: RowForm | None, wanted: LedgerFilter, you: Actor) -> bool:
    """Whether a row is meant; one that cannot be read (None) is meant by everything and by ``is:unreadable``."""
    if row is None:
        return all((term.key, term.values) == ("is", ("unreadable",)) and not term.negated for term in wanted.terms)
    return all(_row_meant(row, term, you) for term in wanted.terms)


def _row_meant(row: RowForm, term: Term, you: Actor) -> bool:
    if term.key == "seen":
        return any(_seen(part.seen, term) for part in row.decisions if part.seen)
    return _ROW_TESTS[term.key](row, term, you) != term.negated


def _who(row: RowForm, term: Term, you: Actor) -> bool:
    return _acted(row.actor.kind, row.actor.name, term, you)


def _acted(kind: str, name: str, term: Term, you: Actor) -> bool:
    mine = (kind, name) == (str(you.kind), you.name)
    names = {kind.casefold(), name.casefold()} - {""}
    return any(mine if value == YOU else value in names for value in term.values)


def _action(row: RowForm, term: Term, _: Actor) -> bool:
    words = {row.action, one_deed(row.action), *row.action.split("+"), *(part.decision for part in row.decisions)}
    words.update(part.decision for part in row.deferrals)
    if len(row.decisions) > 1 and row.action in _DECIDED:
        words.add("plan")  # as several decisions of one kind are called elsewhere, too
    return any(value == word.casefold() or value == word.replace(" ", "-") for word in words for value in term.values)


def _target(row: RowForm, term: Term, _: Actor) -> bool:
    return any(str(target) in term.values for target in row.documents)


def seen_percent(seen: str) -> int | None:
    """Return how much of a change was on screen as a number; None where a row says none: ``row``, or nothing at all."""
    if seen == _NONE:
        return 0
    number = seen.removesuffix("%")
    return int(number) if number.isascii() and number.isdigit() and len(number) <= 3 else None


def painted(seen: str) -> bool:
    """Whether a row says that what was decided stood on a screen, whole or as a row of a plan."""
    return seen not in {"", _NONE}


def _seen(seen: str, term: Term) -> bool:
    return any(_seen_so(seen, value) for value in term.values) != term.negated


def _seen_so(seen: str, value: str) -> bool:
    """What was never on a screen is ``none``; that, and what was there as a row only, is less than all."""
    if value in {_ROW, _NONE}:
        return seen == value
    if seen == _ROW:
        return all(_compares(number, value) for number in _BETWEEN)
    number = seen_percent(seen)
    return number is not None and _compares(number, value)


def _compares(number: int, value: str) -> bool:
    compared = _COMPARED.fullmatch(value)
    return compared is not None and _COMPARE[compared[1] or "="](number, int(compared[2]))


def _since(row: RowForm, term: Term, _: Actor) -> bool:
    return _in_time(moment_of(row.at), term)


def _in_time(at: float | None, term: Term) -> bool:
    if at is None or term.moment is None:
        return False
    return at >= term.moment if term.key == "since" else at < term.moment


def _reason(row: RowForm, term: Term, _: Actor) -> bool:
    codes = {row.reason, *(part.reason for part in row.decisions)}
    return bool({*codes, *map(reason_word, codes)} & set(term.values))


def _source(row: RowForm, term: Term, _: Actor) -> bool:
    sources = {part.source for part in row.decisions} - {""}
    return any(value in sources or (value == "unknown" and not sources) for value in term.values)


def _is(row: RowForm, term: Term, _: Actor) -> bool:
    states = {
        "unreviewed": row.action in OBSERVED,
        "refused": row.action == REFUSED,
        "tombstone": bool(row.tombstones),
        "recovered": row.recovered,
    }
    return any(states.get(value, False) for value in term.values)


def _word(row: RowForm, term: Term, _: Actor) -> bool:
    value = term.values[0]
    if value == str(row.seq) or len(value) < NAMING:
        return value == str(row.seq)
    ids = [row.change, row.backup, row.reverts, row.restored, *row.undoes]
    ids += [name for part in row.decisions for name in (part.proposal, part.by, part.source)]
    ids += [row.question, *(part.proposal for part in row.deferrals)]
    ids += [stone.id for stone in row.tombstones]
    return any(value in one.casefold() for one in ids)


_ROW_TESTS: Mapping[str, Callable[[RowForm, Term, Actor], bool]] = {
    "": _word,
    "who": _who,
    "action": _action,
    "target": _target,
    "since": _since,
    "until": _since,
    "reason": _reason,
    "source": _source,
    "is": _is,
}


# -- entries -------------------------------------------------------------------------------------------------------


def origin_matches(origin: Origin, wanted: LedgerFilter, you: Actor) -> bool:
    """Whether the source of a live entry is meant by the same filter that is used for rows."""
    return all(_origin_meant(origin, term, you) for term in wanted.terms)


def _origin_meant(origin: Origin, term: Term, you: Actor) -> bool:
    if term.key == "seen":
        return _seen(_seen_of(origin), term)
    return _ORIGIN_TESTS[term.key](origin, term, you) != term.negated


def _origin_who(origin: Origin, term: Term, you: Actor) -> bool:
    actor = origin.approver
    if actor is not None and _acted(str(actor.kind), actor.name, term, you):
        return True
    outside = {str(ActorKind.OUTSIDE)} if origin.proposer is Proposer.PROGRAM else set()
    return bool({str(origin.proposer), *str(origin.proposer).split(", "), *outside} & set(term.values))


def _seen_of(origin: Origin) -> str:
    """As for rows; where nothing was recorded, what a person wrote or approved elsewhere counts as seen whole."""
    return origin.screen or ("100%" if origin.seen else _NONE)


def _origin_source(origin: Origin, term: Term, _: Actor) -> bool:
    return any(value == origin.session or (value == "unknown" and not origin.known) for value in term.values)


def _origin_is(origin: Origin, term: Term, _: Actor) -> bool:
    states = {"unknown": not origin.known, "unseen": not origin.seen, "unreviewed": origin.unreviewed}
    return any(states.get(value, False) for value in term.values)


_ORIGIN_TESTS: Mapping[str, Callable[[Origin, Term, Actor], bool]] = {
    "": lambda origin, term, _: any(
        len(term.values[0]) >= NAMING and term.values[0] in one
        for one in (origin.id, origin.item.casefold(), origin.change, origin.session)
    ),
    "who": _origin_who,
    "action": lambda origin, term, _: str(origin.ending or "") in term.values,
    "target": lambda origin, term, _: str(origin.target) in term.values,
    "since": lambda origin, term, _: _in_time(origin.at, term),
    "until": lambda origin, term, _: _in_time(origin.at, term),
    "reason": lambda origin, term, _: False,  # noqa: ARG005 - an entry has no reason code
    "source": _origin_source,
    "is": _origin_is,
}
