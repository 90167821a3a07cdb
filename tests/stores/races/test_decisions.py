"""Two curators decide at the same moment: exactly one decision, and the other is told who made it and when.

Every round has a fresh item and a common start. The fast sizes show that the races run; the full ones (marked slow)
are those that the issue asks for.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.stores.ground import KINDS, Ground, Scope
from tests.stores.races import outcome
from tests.stores.races.crew import Answer, Command, Crew, decide, rollback, undo
from tests.stores.races.outcome import Staged, staged
from tests.stores.thinning import rounds

PER_HOME = 50


def sizes(full: int, fast: int, everywhere: int = 0) -> pytest.MarkDecorator:
    """Run a race on every store in its full size when slow tests are wanted, and in a small one always.

    Args:
        full: rounds of the full size.
        fast: rounds of the small one, on a home.
        everywhere: rounds of the small one on databases; 0 leaves them to the full size.
    """
    slow = [pytest.param(kind, rounds(kind, full), marks=pytest.mark.slow) for kind in KINDS]
    small = [("hermes", fast), *((kind, everywhere) for kind in KINDS[1:] if everywhere)]
    return pytest.mark.parametrize(("kind", "rounds"), [*slow, *small], indirect=["kind"])


@dataclass
class Race:
    """One race: its crew, the rounds in their homes, and who won how often.

    Attributes:
        crew: the two who race.
        folder: where the homes are made.
        rounds: how many rounds there are.
        wins: how often each won, and how often both did.
        edits: what was written in place of an item's content, by item id.
    """

    crew: Crew
    folder: Ground
    rounds: int
    wins: Counter[str] = field(default_factory=Counter)
    edits: dict[str, str] = field(default_factory=dict)
    _chance: random.Random = field(default_factory=lambda: random.Random(20))

    def homes(self, make: Callable[[int], list[Staged]]) -> Iterator[tuple[Path | Scope, int, list[Staged]]]:
        """Give each round its home and its items, and hold every home to the oracle once its rounds are over."""
        for begin in range(0, self.rounds, PER_HOME):
            numbers = range(begin, min(begin + PER_HOME, self.rounds))
            items = {number: make(number) for number in numbers}
            flat = [item for some in items.values() for item in some]
            home = outcome.build(self.folder / f"home{begin}", flat)
            self.crew.open(home)
            for number in numbers:
                yield home, number, items[number]
            assert outcome.problems(home, flat, self.edits) == []

    def run(self, ada: Command, ben: Command) -> dict[str, Answer]:
        """Start both; now and then one of them gets a head start of up to three milliseconds."""
        late = self._chance.choice(["ada", "ben"])
        head_start = self._chance.choice([0.0, 0.0, self._chance.uniform(0.0, 0.003)])
        commands = {"ada": dict(ada), "ben": dict(ben)}
        commands[late]["after"] = head_start
        return self.crew.race(commands)

    def one_decides(self, home: Path | Scope, item: Staged, answers: dict[str, Answer]) -> str:
        """Check a round that only one can win; return who did."""
        winners = [who for who, answer in answers.items() if answer.won]
        assert len(winners) == 1, answers
        winner, loser = answers[winners[0]], answers[next(who for who in answers if who != winners[0])]
        assert [part.id for part in winner.receipt.applied] == [item.id]
        desk = outcome.look(home)
        try:
            decided = desk.store.book.decided([item.id])[item.id]
        finally:
            desk.close()
        assert (decided.actor.name, decided.change) == (winner.who, winner.receipt.change)
        assert decided.ending == winner.receipt.applied[0].ending
        refusal = loser.refusal
        assert (refusal.id, refusal.state, refusal.code) == (item.id, "decided", "already-decided")
        assert refusal.message == outcome.told(decided)
        self.wins[winner.who] += 1
        return winner.who

    def report(self, what: str) -> None:
        """Say what the race came to."""
        print(f"{what}: {self.rounds} of {self.rounds} rounds, {dict(self.wins)}")


@pytest.fixture
def race(pair: Crew, anywhere: Ground, rounds: int) -> Race:
    return Race(pair, anywhere, rounds)


def _bound(number: int) -> bool:
    """Every other round is bound to what was looked at, as on screen; the rest are typed blindly."""
    return number % 2 == 0


@sizes(500, 10, 4)
def test_approve_against_approve(race: Race) -> None:
    for home, number, (item,) in race.homes(lambda number: [staged(number)]):
        command = decide(item.id, bound=_bound(number))
        race.one_decides(home, item, race.run(command, command))
    race.report("approve against approve")


@sizes(500, 10, 4)
def test_approve_against_reject(race: Race) -> None:
    for home, number, (item,) in race.homes(lambda number: [staged(number)]):
        approve, reject = decide(item.id, bound=_bound(number)), decide(item.id, "reject", bound=_bound(number))
        race.one_decides(home, item, race.run(approve, reject))
    race.report("approve against reject")


@sizes(100, 6)
def test_approve_against_an_edit(race: Race) -> None:
    # a remove has no text that could be edited
    for home, number, (item,) in race.homes(lambda number: [staged(number + number // 2)]):
        race.edits[item.id] = f"fact {number} in other words"
        edit = decide(item.id, bound=_bound(number), content=race.edits[item.id])
        race.one_decides(home, item, race.run(decide(item.id, bound=_bound(number)), edit))
    race.report("approve against edit")


def _pair(number: int) -> list[Staged]:
    return [staged(2 * number), staged(2 * number + 1)]


def _both_or_one_moved(race: Race, answers: dict[str, Answer], *, bound: bool) -> None:
    """Two changes of one document that do not contradict each other.

    Typed blindly both happen, in some order. Bound to what was shown only the first does: the other was shown a
    document that is not there any more.
    """
    winners = [who for who, answer in answers.items() if answer.won]
    assert len(winners) == (1 if bound else 2), answers
    race.wins["both" if len(winners) == 2 else winners[0]] += 1
    for who in answers.keys() - set(winners):
        receipt = answers[who].receipt
        assert receipt.moved, answers
        assert (receipt.change, receipt.applied, receipt.returned, receipt.closed) == (None, (), (), ())


@sizes(100, 6)
def test_approve_against_undo_of_the_decision_before(race: Race) -> None:
    for _, number, (item, before) in race.homes(_pair):
        first = race.crew.alone("ben", decide(before.id))
        assert first.won
        assert first.receipt.change is not None
        answers = race.run(decide(item.id, bound=_bound(number)), undo(first.receipt.change, bound=_bound(number)))
        _both_or_one_moved(race, answers, bound=_bound(number))
        assert answers["ben"].receipt.returned == ((before.id,) if answers["ben"].won else ())
    race.report("approve against undo")


@sizes(100, 6)
def test_approve_against_rollback(race: Race) -> None:
    for home, number, (item, before) in race.homes(_pair):
        first = race.crew.alone("ben", decide(before.id))
        assert first.won
        assert first.receipt.backup is not None
        answers = race.run(decide(item.id, bound=_bound(number)), rollback(first.receipt.backup, bound=_bound(number)))
        _both_or_one_moved(race, answers, bound=_bound(number))
        returned = set(answers["ben"].receipt.returned)
        assert before.id in returned or not answers["ben"].won
        # an approval that came first was taken back as well, one that came second stands on what was restored
        desk = outcome.look(home)
        try:
            waits = desk.store.queue.get(item.id) is not None
        finally:
            desk.close()
        assert waits == (item.id in returned or not answers["ada"].won)
    race.report("approve against rollback")


@sizes(100, 6)
def test_reject_against_rollback(race: Race) -> None:
    """A reject touches no document and a rollback does not take it back: both always happen."""
    for _, number, (item, before) in race.homes(_pair):
        first = race.crew.alone("ben", decide(before.id))
        assert first.receipt.backup is not None
        answers = race.run(decide(item.id, "reject"), rollback(first.receipt.backup, bound=_bound(number)))
        assert answers["ada"].won, answers
        assert answers["ben"].won, answers
        assert item.id not in answers["ben"].receipt.returned
        race.wins["both"] += 1
    race.report("reject against rollback")


@sizes(100, 6)
def test_undo_against_undo(race: Race) -> None:
    for _, number, (item,) in race.homes(lambda number: [staged(number)]):
        change = race.crew.alone("ben", decide(item.id, "approve" if number % 4 else "reject")).receipt.change
        assert change is not None
        answers = race.run(undo(change, bound=_bound(number)), undo(change, bound=_bound(number)))
        winners = [who for who, answer in answers.items() if answer.won]
        assert len(winners) == 1, answers
        loser = answers[next(who for who in answers if who != winners[0])]
        assert answers[winners[0]].receipt.returned == (item.id,)
        assert (loser.refusal.state, loser.refusal.code) == ("decided", "already-undone")
        race.wins[winners[0]] += 1
    race.report("undo against undo")


@sizes(100, 6)
def test_rollback_against_rollback(race: Race) -> None:
    for _, number, (item,) in race.homes(lambda number: [staged(number)]):
        backup = race.crew.alone("ben", decide(item.id)).receipt.backup
        assert backup is not None
        answers = race.run(rollback(backup, bound=_bound(number)), rollback(backup, bound=_bound(number)))
        winners = [who for who, answer in answers.items() if answer.won]
        assert len(winners) == 1, answers
        loser = answers[next(who for who in answers if who != winners[0])]
        assert loser.receipt.change is None
        assert loser.receipt.moved or loser.refusal.code == "no-change", answers
        race.wins[winners[0]] += 1
    race.report("rollback against rollback")
