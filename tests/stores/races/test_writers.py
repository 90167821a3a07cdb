"""Many writers at once: no addition is lost without its writer being told, with real Hermes writers too."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator_tui.core.documents import Target, parse
from tests.hermes.client import PYTHON_VARIABLE, VERSION
from tests.stores.ground import KINDS, Ground, Scope
from tests.stores.races import outcome
from tests.stores.races.crew import Crew, Process, add, decide
from tests.stores.thinning import rounds

ADDER = Path(__file__).with_name("hermes_adder.py")


def _texts(who: str, count: int) -> list[str]:
    return [f"{who} notes number {number}" for number in range(count)]


def _rows(home: Path | Scope, action: str) -> int:
    desk = outcome.look(home)
    try:
        return sum(row.row["action"] == action for row in desk.store.book.rows())
    finally:
        desk.close()


@pytest.fixture
def writers(request: pytest.FixtureRequest, count: int) -> Iterator[Crew]:
    """As many curators as are wanted; two are there already."""
    if count == 2:
        yield request.getfixturevalue("pair")
        return
    with Crew([f"writer{number}" for number in range(count)]) as crew:
        yield crew


def sizes(*full: int, fast: tuple[int, int]) -> pytest.MarkDecorator:
    """Run with as many writers and additions each as the issue asks for, and in a small size always."""
    return pytest.mark.parametrize(("count", "each"), [pytest.param(*full, marks=pytest.mark.slow), fast])


def everywhere(*full: int, fast: tuple[int, int]) -> pytest.MarkDecorator:
    """Run on every store, in both sizes."""
    writers, each = full
    sized = [
        param
        for kind in KINDS
        for param in (pytest.param(kind, writers, rounds(kind, each), marks=pytest.mark.slow), (kind, *fast))
    ]
    return pytest.mark.parametrize(("kind", "count", "each"), sized, indirect=["kind"])


@everywhere(8, 40, fast=(2, 5))
def test_every_addition_is_there(writers: Crew, anywhere: Ground, count: int, each: int) -> None:
    home = outcome.build(anywhere / "home", [])
    # a lock may be held against one of eight for longer than a person would wait
    writers.open(home, wait=60)
    answers = writers.race({name: add(*_texts(name, each)) for name in writers.workers})
    assert all(answer.error == "" for answer in answers.values()), answers
    assert all(receipt.done and receipt.change for answer in answers.values() for receipt in answer.receipts)
    wanted = {text for name in writers.workers for text in _texts(name, each)}
    entries = outcome.entries_of(home)
    assert len(entries) == len(wanted) + 1
    assert set(entries) == {*wanted, "always here"}
    for name in writers.workers:
        own = [entry for entry in entries if entry.startswith(f"{name} ")]
        assert own == _texts(name, each), "the additions of one writer changed their order"
    assert _rows(home, "add") == len(wanted)
    assert outcome.problems(home) == []
    print(f"{count} writers x {each}: {len(wanted)} of {count * each} additions there, none refused")


@everywhere(8, 40, fast=(2, 6))
def test_who_does_not_get_the_lock_is_told(writers: Crew, anywhere: Ground, count: int, each: int) -> None:
    """With next to no patience most are refused: what was answered is exactly what is there."""
    home = outcome.build(anywhere / "home", [])
    done: set[str] = set()
    told = 0
    writers.open(home, wait=0.005)
    for number in range(each):
        texts = {name: f"{name} notes number {number}" for name in writers.workers}
        answers = writers.race({name: add(text) for name, text in texts.items()})
        for name, answer in answers.items():
            if answer.error:
                assert answer.error == "locked", answer
                assert isinstance(home, Scope) or "held by" in answer.message
                told += 1
            else:
                assert answer.won, answer
                done.add(texts[name])
    assert len(done) + told == count * each
    assert set(outcome.entries_of(home)) == {*done, "always here"}
    assert _rows(home, "add") == len(done)
    assert outcome.problems(home) == []
    print(f"{count} writers x {each}, impatient: {len(done)} there, {told} told, 0 lost")


def _hermes_python() -> str:
    python = os.environ.get(PYTHON_VARIABLE)
    if not python:
        pytest.skip(
            f"REAL HERMES NOT RACED: set {PYTHON_VARIABLE} to the python of an environment that has "
            f"hermes-agent=={VERSION}"
        )
    return python


def _hire(stack: contextlib.ExitStack, python: str, home: Path, gate: int, count: int) -> list[Process]:
    # a bare environment: no keys, no proxy, no profile of the person who runs the tests
    environment = {"HERMES_HOME": str(home), "HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    command = [python, "-I", str(ADDER), str(gate)]
    return [stack.enter_context(Process(command, gate, environment)) for _ in range(count)]


@sizes(4, 25, fast=(2, 4))
def test_nothing_is_lost_with_hermes_writing_too(
    request: pytest.FixtureRequest, ground: Path, count: int, each: int
) -> None:
    """Everybody adds one entry per round and all start together: Hermes alone would be done in no time."""
    python = _hermes_python()
    crew: Crew = request.getfixturevalue("writers")
    home = outcome.build(ground / "home", [], gate=False)
    with contextlib.ExitStack() as stack:
        agents = _hire(stack, python, home, crew.gate, count)
        crew.open(home, wait=60)
        for number in range(each):
            for name in crew.workers:
                crew.prepare(name, add(f"{name} notes number {number}"))
            for place, agent in enumerate(agents):
                agent.say({"text": f"hermes{place} notes number {number}"})
                agent.hear()
            crew.start(2 * count)
            for name in crew.workers:
                assert (answer := crew.answer(name)).won, answer
            for agent in agents:
                assert (said := agent.hear()["said"])["success"], said
    # what Hermes wrote last was not seen by anybody yet
    crew.alone(next(iter(crew.workers)), {"do": "observe"})
    wanted = [text for name in crew.workers for text in _texts(name, each)]
    wanted += [text for place in range(count) for text in _texts(f"hermes{place}", each)]
    assert sorted(outcome.entries_of(home)) == sorted([*wanted, "always here"])
    assert outcome.problems(home) == []
    assert outcome.all_targets_known(home)
    outside = _seen_from_outside(home)
    # what Hermes wrote in one round was seen in that round or in the next one
    assert outside >= each // 2
    print(
        f"{count} curators and {count} Hermes x {each}: {len(wanted)} of {2 * count * each} additions there, "
        f"{outside} states left by Hermes recorded"
    )


def _seen_from_outside(home: Path) -> int:
    """Hold each state that Hermes left against its row; return how many there were.

    Each such row has an image of what we had known before, so that state can be restored although Hermes wrote over
    it; and each row begins where the change before it ended.
    """
    desk = outcome.look(home)
    try:
        rows = [row.row for row in desk.store.book.rows()]
        images = {image.id: image for image in desk.store.backups()[0]}
        changes = list(reversed(desk.store.book.changes(count=None)))
    finally:
        desk.close()
    observed = {row["change"]: row for row in rows if row["action"] == "outside"}
    after: bytes | None = None
    count = 0
    for change in changes:
        if change.id in observed:
            image = images[observed[change.id]["backup"]]
            assert after is None or image.files[Target.MEMORY] == after
            count += 1
        before = change.before.get(Target.MEMORY)
        if after is not None and Target.MEMORY in change.before:
            old, new = parse(Target.MEMORY, after).entries, parse(Target.MEMORY, before).entries
            assert new[: len(old)] == old, "what Hermes wrote does not continue what stood there"
            assert (new != old) == (change.id in observed)
        after = change.after.get(Target.MEMORY, after)
    return count


def test_hermes_waits_while_we_write(pair: Crew, ground: Path) -> None:
    """We are stopped between reading and writing: Hermes's own lock keeps it out until we are done."""
    python = _hermes_python()
    home = outcome.build(ground / "home", [], gate=False)
    with contextlib.ExitStack() as stack:
        (agent,) = _hire(stack, python, home, pair.gate, 1)
        pair.open(home)
        agent.say({"text": "said by Hermes"})
        agent.hear()
        pair.prepare("ada", add("said by ada", failpoints="planned=stop"), start=False)
        pair.workers["ada"].await_stop()
        pair.start(1)
        assert not agent.speaks(within=0.3), "it wrote although we hold its lock"
        pair.workers["ada"].go_on()
        assert pair.answer("ada").won
        assert agent.hear()["said"]["success"]
    assert outcome.entries_of(home) == ("always here", "said by ada", "said by Hermes")
    assert pair.alone("ben", {"do": "observe"}).error == ""
    assert outcome.problems(home) == []


def test_who_waits_for_hermes_is_told_so_and_what_needs_no_document_goes_on(pair: Crew, ground: Path) -> None:
    items = [outcome.staged(number) for number in range(2)]
    home = outcome.build(ground / "home", items)
    pair.open(home, wait=0.3)
    with (home / "memories" / "MEMORY.md.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        answer = pair.alone("ada", decide(items[0].id))
        assert answer.error == "locked"
        assert "Hermes Agent or another program" in answer.message
        assert 0.3 <= answer.took < 2.3
        assert pair.alone("ben", decide(items[1].id, "reject")).won
    assert pair.alone("ada", decide(items[0].id)).won
    assert outcome.problems(home, items) == []


def test_the_skip_is_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PYTHON_VARIABLE, raising=False)
    with pytest.raises(pytest.skip.Exception, match="REAL HERMES NOT RACED"):
        _hermes_python()
