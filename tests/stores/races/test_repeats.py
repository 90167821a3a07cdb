"""The same operation id twice, one after the other and from two processes at once: one effect, the same answer."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.stores.races import outcome
from tests.stores.races.crew import Answer, Command, Crew
from tests.stores.races.outcome import Staged, staged
from tests.stores.races.test_decisions import Race, race, sizes

__all__ = ["race"]
AT = 1_796_000_000.25


def _attempt(item: Staged | None, number: int, again: str = "", verb: str = "approve") -> Command:
    """Return one request; ``again`` makes another attempt of it, with the same operation id and its own change id."""
    seed = hashlib.sha256(f"{number}{again}".encode()).hexdigest()
    return {
        "do": "attempt",
        "operation": f"operation {number}",
        "change": seed[:16],
        "at": AT + number,
        "seed": seed,
        "item": item.id if item is not None else "",
        "verb": verb,
        "content": f"said once {number}",
    }


def _same(first: Answer, second: Answer) -> None:
    assert first.won, first
    assert second.won, second
    assert first.receipt == second.receipt


def _counts(home: Path) -> tuple[int, int]:
    desk = outcome.look(home)
    try:
        return len(desk.store.book.rows()), len(desk.store.book.changes(count=None))
    finally:
        desk.close()


@pytest.mark.parametrize("again", ["", "again"], ids=["the very same request", "a new attempt"])
@sizes(100, 5)
def test_at_the_same_moment(race: Race, again: str) -> None:
    verbs = ("approve", "reject", "log-only")
    for home, number, (item,) in race.homes(lambda number: [staged(number)]):
        wanted = None if number % 4 == 3 else item
        verb = verbs[number % 3]
        before = _counts(home)
        answers = race.run(_attempt(wanted, number, verb=verb), _attempt(wanted, number, again, verb))
        _same(*answers.values())
        rows, changes = _counts(home)
        # the first change in a home comes with a row about what was found there
        assert changes == before[1] + 1
        assert rows == before[0] + (2 if before[1] == 0 else 1)
        race.wins[verb if wanted else "add"] += 1
    race.report("same operation twice")


def test_later_also_when_everything_changed_meanwhile(pair: Crew, ground: Path) -> None:
    items = [staged(number) for number in range(6)]
    home = outcome.build(ground / "home", items)
    pair.open(home)
    first = pair.alone("ada", _attempt(items[0], 0))
    for number, item in enumerate(items[1:], 1):
        assert pair.alone("ben", _attempt(item, number, verb="reject")).won
    pair.open(home)
    for again in ("", "again"):
        for who in ("ada", "ben"):
            _same(first, pair.alone(who, _attempt(items[0], 0, again)))
    assert _counts(home) == (len(items) + 1, len(items))
    assert outcome.problems(home, items) == []
