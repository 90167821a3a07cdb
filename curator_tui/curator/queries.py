"""Queries over the queue: which rows a person wants to see, under which headings, in which order.

Here: what a person types into the filter, read once, and the test of one row against it. Not here: putting rows in
order (``listing``), the words of headings (the surfaces).

The filter: words are joined by *and*; ``!word`` or ``-word`` leaves out; ``~word`` allows for slips of spelling; a
field narrows one property, to one of several values where commas stand between them: ``state:``, ``op:`` (add, replace,
remove, batch, ask, or the letters that the list shows for them), ``for:`` (document), ``entry:`` (the
id of the entry it would change or remove, or its beginning), ``from:`` (origin), ``id:``, ``age:>3d`` or ``age:<2h``,
``is:`` (marked, skipped, group, question; deferred lists what is deferred instead of what waits). A word is looked for
in all texts of a row as they are displayed, not only in what fits on the line; one of four characters or more in its id
too, which no row shows. A quote is a character like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from enum import StrEnum

from msgspec import Struct

from curator_tui.core.documents import entry_id
from curator_tui.core.preflight import State
from curator_tui.core.proposals import Proposal
from curator_tui.core.questions import Question
from curator_tui.core.text import visible
from curator_tui.core.word_filter import NAMING, turned

_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
DEFERRED = "deferred"
_MARKED = "marked"
QUESTION = "question"
"""The word for the state of a question about an entry."""
OPERATION_LETTERS = {"add": "ADD", "replace": "REP", "remove": "DEL", "batch": "BAT", "ask": "ASK"}
"""The letters of the operation column, by what :func:`operation_name` says; a question asks."""
_ASK = "ask"
_LIKE_ENOUGH = 82.0  # of 100, by the best matching part of the text


class Group(StrEnum):
    """What rows stand under."""

    STATE = "state"
    DOCUMENT = "document"
    ORIGIN = "origin"
    NOTHING = "nothing"


class Sort(StrEnum):
    """The order within a group."""

    OLDEST = "oldest"
    NEWEST = "newest"
    GROWTH = "growth"
    TEXT = "text"


class Query(Struct, frozen=True):
    """What a person wants to see of the queue.

    Attributes:
        words: the filter as typed.
        group: what rows stand under.
        sort: their order within a group.
        marked: item ids that are marked, for ``is:marked``.
        skipped: item ids that were put off for this run: they stand last, under a heading of their own.
    """

    words: str = ""
    group: Group = Group.STATE
    sort: Sort = Sort.OLDEST
    marked: frozenset[str] = frozenset()
    skipped: frozenset[str] = frozenset()

    @property
    def deferred(self) -> bool:
        """Whether what is deferred is wanted, instead of what waits."""
        return any(term.wanted and _names(term, DEFERRED) for term in parse(self.words))

    @property
    def names_marks(self) -> bool:
        """Whether its rows change when a mark does."""
        return any(_names(term, _MARKED) for term in parse(self.words))

    @property
    def names_ages(self) -> bool:
        """Whether its rows change while time passes."""
        return any(term.field == "age" for term in parse(self.words))


class Term(Struct, frozen=True):
    """One word of a filter.

    Attributes:
        field: the property it narrows, empty for any text of the row.
        value: what is looked for, case-folded.
        wanted: False leaves out the rows it fits.
        like: whether slips of spelling are allowed for.
    """

    field: str
    value: str
    wanted: bool = True
    like: bool = False


class Candidate(Struct, frozen=True):
    """What the test of a filter looks at.

    Attributes:
        id: item id of the row.
        members: number of proposals behind it.
        proposal: the row's own proposal.
        text: its texts as :func:`searched` gives them.
        names: ids of all proposals behind it, case-folded.
        state: the state shown, or None while it is not known.
        deferred: whether it is deferred.
    """

    id: str
    members: int
    proposal: Proposal
    text: str
    state: State | None
    deferred: bool = False
    names: str = ""


def parse(words: str) -> tuple[Term, ...]:
    """Read a filter; a word with a colon whose field does not exist is a word like any other."""
    return tuple(_term(word) for word in visible(words, newlines=False).casefold().split())


def _term(word: str) -> Term:
    rest, negated = turned(word)
    wanted = not negated
    name, colon, value = rest.partition(":")
    name = "for" if colon and name == "target" else name
    if colon and value and name in _FIELDS and (name != "age" or _span(value) is not None):
        return Term(name, value, wanted)
    if rest.startswith("~") and len(rest) > 1:
        return Term("", rest[1:], wanted, like=True)
    return Term("", rest, wanted)


def searched(proposal: Proposal) -> str:
    """Return every text of a proposal as it is displayed, case-folded, for :attr:`Candidate.text`."""
    texts = [document_name(proposal), proposal.origin]
    for step in proposal.operations:
        texts += (step.pin or step.match or "", step.content or "")
    if proposal.problem is not None:
        texts.append(proposal.problem.message)
    return visible("\n".join(texts)).casefold()


def fits(terms: Collection[Term], row: Candidate, query: Query, now: float) -> bool:
    """Whether a row is wanted."""
    return all(_matches(term, row, query, now) == term.wanted for term in terms)


def _matches(term: Term, row: Candidate, query: Query, now: float) -> bool:
    if term.field:
        return any(_FIELDS[term.field](value, row, query, now) for value in _values(term))
    if term.like:
        from rapidfuzz import fuzz

        return bool(fuzz.partial_ratio(term.value, row.text, score_cutoff=_LIKE_ENOUGH))
    return term.value in row.text or term.value in str(row.state or "") or _is_named(term.value, row.names)


def _is_named(word: str, names: str) -> bool:
    return len(word) >= NAMING and word in names


def _names(term: Term, kind: str) -> bool:
    """Whether a word asks for a kind of rows, by itself or as one of several; as for a state its beginning will do."""
    return term.field == "is" and any(map(kind.startswith, _values(term)))


def _values(term: Term) -> Iterator[str]:
    """Yield the values of a field, of which one has to fit: they are separated by commas, as in the ledger."""
    return filter(None, term.value.split(","))


def asks(words: str, question: Question, now: float) -> bool:
    """Whether a question is wanted by a filter; its state is ``question``, and what only records have it has not."""
    asked = question.challenge
    said = (asked.entry or "", asked.note or "", asked.actor.name)
    texts = (str(asked.target), str(asked.reason), asked.why, *said)
    text = visible("\n".join((*texts, QUESTION))).casefold()
    return all(_asks(term, question, text, now) == term.wanted for term in parse(words))


def _asks(term: Term, question: Question, text: str, now: float) -> bool:
    if term.field == "age":
        return _older(term.value, question.challenge.at, now)
    known = {
        "state": QUESTION,
        "is": QUESTION,
        "id": question.id.casefold(),
        "op": _ASK,
        "for": str(question.challenge.target),
        "entry": question.entry_id or "",
    }
    if term.field:
        return any(known.get(term.field, "").startswith(value) for value in _values(term))
    return term.value in text or _is_named(term.value, known["id"])


def document_name(proposal: Proposal) -> str:
    """Return the documents a proposal changes, as ``user`` or ``user+memory``; else the target its record names."""
    return "+".join(str(target) for target in proposal.targets) or proposal.target_name


def operation_name(proposal: Proposal) -> str:
    """Return ``add``, ``replace``, ``remove``, or ``batch`` for more than one; empty for a record without any."""
    if len(proposal.actions) > 1 or "batch" in proposal.actions or len(proposal.operations) > 1:
        return "batch"
    return str(proposal.operations[0].action) if proposal.operations else ""


def _begins(value: str, name: str) -> bool:
    return name.startswith(value)


def _is_operation(value: str, name: str) -> bool:
    """Whether a value is the beginning of an operation's name, or of the letters that stand for it."""
    return name.startswith(value) or OPERATION_LETTERS.get(name, "").casefold().startswith(value)


def _span(value: str) -> tuple[str, float] | None:
    """Read ``>3d``: longer or shorter than so many seconds."""
    sign, number, unit = value[0], value[1:-1], value[-1:]
    if sign not in "<>" or unit not in _UNITS or not (number.isascii() and number.isdigit() and len(number) < 10):
        return None
    return sign, float(number) * _UNITS[unit]


def _of_age(value: str, row: Candidate, _query: Query, now: float) -> bool:
    return _older(value, row.proposal.created_at, now)


def _older(value: str, at: float | None, now: float) -> bool:
    span = _span(value)
    if span is None or at is None:
        return False  # an age that is not known is neither
    age = now - at
    return age > span[1] if span[0] == ">" else age < span[1]


def _is(value: str, row: Candidate, query: Query, _now: float) -> bool:
    kinds = {
        _MARKED: row.id in query.marked,
        "skipped": row.id in query.skipped,
        "group": row.members > 1,
        DEFERRED: row.deferred,
    }
    return any(holds for kind, holds in kinds.items() if kind.startswith(value))


_FIELDS: dict[str, Callable[[str, Candidate, Query, float], bool]] = {
    "state": lambda value, row, _query, _now: str(row.state or "").startswith(value),
    "op": lambda value, row, _query, _now: _is_operation(value, operation_name(row.proposal)),
    "for": lambda value, row, _query, _now: value in document_name(row.proposal).casefold(),
    "entry": lambda value, row, _query, _now: any(
        step.pin is not None and entry_id(step.pin).startswith(value) for step in row.proposal.operations
    ),
    "from": lambda value, row, _query, _now: any(
        value in word.casefold() for word in (row.proposal.origin, row.proposal.author)
    ),
    "id": lambda value, row, _query, _now: row.id.casefold().startswith(value),
    "age": _of_age,
    "is": _is,
}
FIELDS = tuple(_FIELDS)
"""The fields a filter knows."""
_VALUES: dict[str, tuple[str, ...]] = {
    "state": (*map(str, State), QUESTION),
    "op": tuple(OPERATION_LETTERS),
    "is": (_MARKED, "skipped", "group", DEFERRED, QUESTION),
}


def filter_trouble(words: str, more: Collection[str] = ()) -> str:
    """Say which word of a filter is not what it looks like: a field that does not exist, or a value it never has.

    Such a word is still looked for as any other, so this is advice. Empty when there is nothing to say.

    Args:
        words: the filter.
        more: fields that this queue has besides.
    """
    for word in visible(words, newlines=False).casefold().split():
        plain = turned(word)[0]
        if '"' in {plain[:1], plain[-1:]}:
            return "quotes join nothing: they are looked for as they stand, and every word by itself"
        name, colon, value = plain.partition(":")
        name = "for" if name == "target" else name
        if not colon or not value or not name.isalpha():
            continue
        if name in more:
            continue
        if name not in _FIELDS:
            return f"there is no field {name}: (fields: {' '.join((*FIELDS, *more))})"
        if name == "age" and _span(value) is None:
            return "age wants > or <, a number and s, m, h, d or w, as in age:>3d"
        known = _VALUES.get(name)
        parts = [part for part in value.split(",") if part]
        begins = _is_operation if name == "op" else _begins
        if known is not None and not all(any(begins(part, one) for one in known) for part in parts):
            return f"{name}: is one of {' '.join(known)}"
    return ""


def field_help(words: str, more: Collection[str] = ()) -> str:
    """Return what the last word of a filter may go on with: the values of its field, else all fields."""
    last = (visible(words, newlines=False).casefold().split(" ") or [""])[-1]
    last, _ = turned(last)
    name, colon, _ = last.partition(":")
    if colon and name in _VALUES:
        return f"{name}: {' '.join(_VALUES[name])}"
    if colon and name == "age":
        return "age:>3d older, age:<2h younger"
    return " ".join(f"{field}:" for field in (*FIELDS, *more))
