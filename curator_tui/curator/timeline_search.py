"""Looking through a timeline of any length beside other work: which rows a filter means.

Here: the small language of its filter, and the search in portions, newest rows first. Not here: keys with values
(``core.ledger_filters``, the same as in the ledger), what stands in a row (``timeline``).

The language: words that must stand in what a row is of, ``!word`` for one that must not, and ``key:value`` as in the
ledger.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

from msgspec import Struct

from curator_tui.core.ledger_filters import LedgerFilter, parse_filter, row_matches
from curator_tui.core.word_filter import NAMING, turned
from curator_tui.curator.desk import Desk
from curator_tui.curator.timeline import Moment, Told, tell

_PORTION = 60


class Wanted(Struct, frozen=True):
    """A filter, understood.

    Attributes:
        words: what must stand there, case folded.
        without: what must not.
        keys: what the ledger's filter means.
        text: as it was typed.
    """

    words: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    keys: LedgerFilter = LedgerFilter()
    text: str = ""

    @property
    def empty(self) -> bool:
        """Whether every row is meant."""
        return not (self.words or self.without or self.keys.terms)


def understood(desk: Desk, text: str) -> Wanted:
    """Return what a typed filter means now.

    Raises:
        UsageError: a key or its value means nothing.
    """
    words = text.split()
    plain = [turned(word.casefold()) for word in words if ":" not in word]
    keys = parse_filter(" ".join(word for word in words if ":" in word), desk.now())
    return Wanted(
        tuple(word for word, negated in plain if not negated),
        tuple(word for word, negated in plain if negated),
        keys,
        text,
    )


def matches(desk: Desk, told: Told, wanted: Wanted) -> bool:
    """Whether a row is meant."""
    if wanted.keys.terms and not row_matches(told.form, wanted.keys, desk.actor):
        return False
    if not (wanted.words or wanted.without):
        return True
    text = "\n".join(_texts(desk, told)).casefold()
    names = "\n".join(_ids(told)).casefold()

    def stands(word: str) -> bool:
        return word in text or (len(word) >= NAMING and word in names)

    return all(map(stands, wanted.words)) and not any(map(stands, wanted.without))


def _ids(told: Told) -> list[str]:
    """Return the ids of a row, which its line does not show."""
    closed = told.change.closed if told.change is not None and told.moment.own else ()
    return [told.moment.change, told.moment.backup, *(item.proposal for item in closed)]


def _texts(desk: Desk, told: Told) -> list[str]:
    """Return everything in words that a row is of."""
    found = [told.trouble]
    if told.unreviewed or told.moment.suffix:
        found.append("outside")
    if told.plan:
        found.append("plan")
    if told.form is not None:
        found += [told.form.action, *(part.decision for part in told.form.decisions)]
    change = told.change
    if change is not None and told.moment.own:
        maker = change.maker.name or str(change.maker.kind)
        found += [maker, str(change.kind)]
        found += ["you"] if change.maker.name == desk.actor.name else []
    for proposal in told.items.values():
        found += [part for step in proposal.operations for part in (step.content, step.match, step.pin) if part]
    found += [one.text for one in told.about if one.text is not None and not one.secret]
    return [*found, *(word for reason in told.reasons.values() for word in reason)]


class Portion(Struct, frozen=True):
    """What one step of a search found: the rows that are meant, and how many it looked at."""

    found: tuple[Moment, ...]
    looked: int


def search(desk: Desk, moments: Sequence[Moment], wanted: Wanted) -> Generator[Portion, None, None]:
    """Look through a timeline, newest rows first; yields what each step found."""
    for start in range(0, len(moments), _PORTION):
        part = moments[start : start + _PORTION]
        told = tell(desk, part, whole=True, images=False, words=bool(wanted.words or wanted.without))
        yield Portion(tuple(one for one in part if matches(desk, told[one.id], wanted)), len(part))
