"""A curator that is stopped for any time: it never writes what is stale, and it never makes another one spin.

Processes are stopped by signals and waited for by the kernel; nothing here rests on a sleep that was long enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stores.races import outcome
from tests.stores.races.crew import Crew, add, decide, rollback, undo
from tests.stores.races.outcome import staged

# Every place inside a transaction where a holder of our lock can be stopped, with what stands once it is killed there:
# whether its change happened.
PLACES = {
    "locked": False,
    "planned": False,
    "document_written": False,
    "prepared": False,
    "begun": False,
    "document_renamed": True,
    "documents_synced": True,
    "record_closed": True,
    "queue_synced": True,
    "finished": True,
}


@pytest.fixture
def two() -> Iterator[Crew]:
    """A pair of its own, because one of them is stopped and killed."""
    with Crew(["ada", "ben"]) as crew:
        yield crew


@pytest.mark.parametrize("bound", [True, False], ids=["bound", "blind"])
@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_who_slept_while_another_decided_writes_nothing(pair: Crew, ground: Path, verb: str, bound: bool) -> None:
    items = [staged(number) for number in range(4)]
    home = outcome.build(ground / "home", items)
    pair.open(home)
    for number, item in enumerate(items):
        pair.prepare("ada", decide(item.id, verb, bound=bound))
        pair.workers["ada"].stop()
        winner = pair.alone("ben", decide(item.id, "reject" if number % 2 else "approve"))
        assert winner.won
        pair.workers["ada"].go_on()
        pair.start(1)
        loser = pair.answer("ada")
        assert (loser.refusal.state, loser.refusal.code) == ("decided", "already-decided")
        assert " by ben at " in loser.refusal.message
        assert loser.receipt.moved == bound
    assert outcome.problems(home, items) == []


def test_who_slept_while_the_document_changed_is_shown_it_anew(pair: Crew, ground: Path) -> None:
    items = [staged(number) for number in range(3)]
    home = outcome.build(ground / "home", items)
    pair.open(home)
    done = pair.alone("ben", decide(items[1].id)).receipt
    assert done.change is not None
    assert done.backup is not None
    commands = [decide(items[0].id, bound=True), undo(done.change, bound=True), rollback(done.backup, bound=True)]
    for number, command in enumerate(commands):
        pair.prepare("ada", command)
        pair.workers["ada"].stop()
        assert pair.alone("ben", add(f"meanwhile {number}")).won
        pair.workers["ada"].go_on()
        pair.start(1)
        answer = pair.answer("ada")
        assert answer.receipt.moved
        assert answer.receipt.change is None
    assert outcome.entries_of(home)[-3:] == ("meanwhile 0", "meanwhile 1", "meanwhile 2")
    assert outcome.problems(home, items) == []


@pytest.mark.parametrize(
    "wait", [pytest.param(5.0, marks=pytest.mark.slow, id="as shipped"), pytest.param(0.4, id="short")]
)
def test_a_stopped_holder_is_named_within_the_bound_and_nobody_spins(pair: Crew, ground: Path, wait: float) -> None:
    items = [staged(number) for number in range(3)]
    home = outcome.build(ground / "home", items)
    pair.open(home, wait=wait)
    pair.prepare("ada", decide(items[0].id, failpoints="planned=stop"), start=False)
    pair.workers["ada"].await_stop()
    answers = [pair.alone("ben", decide(items[1].id, verb)) for verb in ("approve", "reject")]
    for answer in answers:
        assert answer.error == "locked", answer
        assert f"process {pair.workers['ada'].pid}, decide" in answer.message
        assert wait <= answer.took < wait + 2.0
        assert answer.cpu < 0.1 + wait / 10, "it used the processor while it waited"
    # it was only late: what it had begun is still right, because nobody else could write
    pair.workers["ada"].go_on()
    assert pair.answer("ada").won
    assert pair.alone("ben", decide(items[1].id)).won
    assert outcome.problems(home, items) == []
    print(
        f"stopped holder: named after {[round(answer.took, 2) for answer in answers]} of {wait:g} s, "
        f"processor {[round(answer.cpu, 3) for answer in answers]} s"
    )


@pytest.mark.parametrize(
    ("place", "same"),
    [
        pytest.param(place, same, marks=() if (place, same) == ("document_renamed", True) else pytest.mark.slow)
        for place in PLACES
        for same in (True, False)
    ],
)
def test_a_killed_holder_is_no_obstacle(two: Crew, ground: Path, place: str, same: bool) -> None:
    items = [staged(number) for number in range(3)]
    home = outcome.build(ground / "home", items)
    two.open(home, wait=5)
    two.prepare("ada", decide(items[0].id, failpoints=f"{place}=stop"), start=False)
    two.workers["ada"].await_stop()
    two.prepare("ben", decide(items[0 if same else 1].id, "reject"))
    two.workers["ada"].kill()
    two.start(1)
    answer = two.answer("ben")
    assert answer.took < 2.0, "it waited for a process that is not there any more"
    assert answer.error == "", answer
    if same and PLACES[place]:
        # the change of the one who was killed was past the point of no return, so it was finished first
        assert answer.refusal.code == "already-decided"
        assert " by ada at " in answer.refusal.message
    else:
        assert answer.won, answer
    assert (items[0].content in outcome.entries_of(home)) == PLACES[place]
    assert outcome.problems(home, items) == []
    two.replace("ada")
    two.open(home)
    assert two.alone("ada", decide(items[2].id)).won
    assert outcome.problems(home, items) == []


@pytest.mark.slow
def test_a_waiting_curator_takes_over_at_once_when_the_holder_dies(two: Crew, ground: Path) -> None:
    """The one that waits is already inside its wait when the holder is killed."""
    items = [staged(number) for number in range(2)]
    home = outcome.build(ground / "home", items)
    two.open(home, wait=60)
    two.prepare("ada", decide(items[0].id, failpoints="documents_synced=stop"), start=False)
    two.workers["ada"].await_stop()
    two.prepare("ben", decide(items[1].id), start=False)
    # a byte to be heard would be an answer; there is none as long as the lock is held
    assert not two.workers["ben"].speaks(within=0.2)
    two.workers["ada"].kill()
    answer = two.answer("ben")
    assert answer.won
    assert answer.receipt.recovered
    assert answer.took < 10
    assert outcome.problems(home, items) == []
