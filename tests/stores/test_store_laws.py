"""The laws of a store: everything or nothing, exactly what was planned, and nobody else's work lost, on every store.

One suite for a Hermes home, SQLite and PostgreSQL; what only a home has (files, locks of Hermes, recovery) is tested in
``test_commit`` and ``test_recovery``, what only a database has in ``sql``.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from curator_tui.core.changes import Change, Planner, View
from curator_tui.core.documents import parse
from curator_tui.core.errors import Locked, WriteFailed
from curator_tui.core.operations import Action, Operation
from curator_tui.core.plans import plan as core_plan
from curator_tui.core.requests import Kind, Request, Verb
from curator_tui.stores.port import Store
from tests.stores.consistency import check, state_of
from tests.stores.failures import armed, killed_at, points_of
from tests.stores.ground import KINDS, Ground, Scope
from tests.stores.homes import (
    ME,
    MEMORY,
    USER,
    add_record,
    added,
    copy_home,
    correct,
    decide,
    deleted,
    documents,
    make_home,
    open_store,
    planned,
    reopen,
    stamp,
    take_record,
    waiting,
    write_document,
)
from tests.stores.operations import BEFORE, REAL, RUN
from tests.stores.thinning import some

Home = Path | Scope
_SLOW = pytest.mark.slow
_LONG_REAL = tuple(name for name in REAL if name != "rollback by the core")


@pytest.fixture
def home(ground: Ground) -> Home:
    return make_home(ground / "home")


@pytest.fixture
def store(home: Home) -> Iterator[Store]:
    opened = open_store(home)
    yield opened
    opened.close()
    assert check(home, outside=True) == []


def test_an_approval_writes_document_image_queue_and_ledger(store: Store, home: Home) -> None:
    receipt = store.transact(decide("approve", ["item0"]), planned({MEMORY: added("fact 0")}))
    assert receipt.change == stamp("approve").change
    assert documents(home) == {"MEMORY.md": "one\n§\nfact 0".encode(), "USER.md": b"who"}
    assert list(waiting(home)) == ["item1.json", "item2.json"]
    backups, problems = store.backups()
    assert not problems
    assert backups[0].files == {MEMORY: b"one", USER: b"who"}
    assert [row.row["action"] for row in store.book.rows()] == ["decide"]
    assert store.book.known()[MEMORY] == "one\n§\nfact 0".encode()


@pytest.mark.parametrize("raw", [b"one", b"", None])
def test_a_deleted_document_is_gone(ground: Ground, raw: bytes | None) -> None:
    home = make_home(ground / "home", memory=raw)
    store = open_store(home)
    store.transact(correct("one"), planned({MEMORY: deleted, USER: added("x")}))
    assert documents(home) == {"MEMORY.md": None, "USER.md": "who\n§\nx".encode()}
    assert store.book.known()[MEMORY] is None
    store.close()
    assert check(home) == []


def test_looking_writes_nothing(store: Store, home: Home) -> None:
    before = everything(home)
    store.snapshot()
    store.facts()
    store.queue.refresh()
    store.queue.peek(2)
    store.queue.get("item0")
    store.backups()
    store.check()
    store.traces()
    store.book.changes()
    store.peek(decide("look", ["item0", "gone"]))
    store.peek(replace(correct("look"), backup="20261130T000000Z-none", reverts="none"))
    assert everything(home) == before


def everything(home: Home) -> object:
    """Return every name and byte of a home, or every row of a database and every file beside it."""
    if isinstance(home, Path):
        return {file: file.read_bytes() if file.is_file() else None for file in sorted(home.rglob("*"))}
    # the files first: looking at rows from here makes and removes files of its own
    return sorted(os.listdir(home.folder)) if home.server is None else home.place.contents()


def test_what_others_wrote_is_never_written_over(store: Store, home: Home) -> None:
    """A program that takes no lock writes while a change is planned; where it cannot, it has to wait."""
    plan = planned({MEMORY: added("x")})
    theirs = [b"theirs 1", b"theirs 2"]

    def meanwhile(view: View, request: Request) -> Change:
        change = plan(view, request)
        if theirs:
            write_document(home, MEMORY, theirs.pop(0))
        return change

    if isinstance(home, Scope) and home.kind == "sqlite":
        theirs.clear()
    assert store.transact(correct("one"), meanwhile).change
    entries = ("one", "x") if isinstance(home, Scope) and home.kind == "sqlite" else ("theirs 2", "x")
    assert parse(MEMORY, documents(home)["MEMORY.md"]).entries == entries
    assert len(store.book.rows()) == 1


def test_what_others_wrote_is_imaged_and_recorded_before_it_is_written_over(store: Store, home: Home) -> None:
    store.transact(decide("first", ["item0"]), core_plan)
    write_document(home, MEMORY, b"theirs")
    store.transact(decide("second", ["item2"]), core_plan)
    assert [row.row["action"] for row in store.book.rows()] == ["first seen", "approve", "outside", "approve"]
    assert [backup.files[MEMORY] for backup in store.backups()[0]] == [
        b"one", b"one", "one\n§\nfact 0".encode(), b"theirs",
    ]  # fmt: skip
    assert documents(home)["MEMORY.md"] == "theirs\n§\nfact 2".encode()


def test_a_returned_record_is_the_same_and_never_overwrites(store: Store, home: Home) -> None:
    raw = waiting(home)["item0.json"]
    store.transact(decide("reject", ["item0"], Verb.REJECT), planned())
    assert "item0.json" not in waiting(home)
    add_record(home, "item0", "a stranger")
    assert store.peek(reopen("look", ["item0"])).occupied.keys() == {"item0"}
    assert store.transact(reopen("no place", ["item0"]), planned()).returned == ()
    assert b"a stranger" in waiting(home)["item0.json"]
    take_record(home, "item0")
    assert store.transact(reopen("once more", ["item0"]), planned()).returned == ("item0",)
    assert waiting(home)["item0.json"] == raw
    assert store.book.decided(["item0"]) == {}


def test_the_last_entry_takes_the_document_with_it_and_undo_brings_it_back(store: Store, home: Home) -> None:
    remove = Request(stamp("remove"), Kind.CORRECT, corrections=(Operation(Action.REMOVE, MEMORY, match="one"),))
    assert store.transact(remove, core_plan).change
    assert not documents(home)["MEMORY.md"]
    store.transact(decide("then", ["item1"]), core_plan)
    assert [row.row["action"] for row in store.book.rows()] == ["first seen", "remove", "approve"]
    undo = Request(stamp("undo"), Kind.UNDO, reverts=stamp("remove").change)
    assert store.transact(undo, core_plan).change
    assert documents(home)["MEMORY.md"] == b"one"


def test_a_second_curator_is_told_when_it_takes_too_long(home: Home) -> None:
    store, other = open_store(home), open_store(home, wait=0.05)

    def meanwhile(view: View, request: Request) -> Change:
        with pytest.raises(Locked) as caught:
            other.transact(decide("reject", ["item0"], Verb.REJECT), planned())
        assert caught.value.way_out
        return planned({MEMORY: added("x")})(view, request)

    store.transact(correct("one"), meanwhile)
    assert other.transact(decide("reject", ["item0"], Verb.REJECT), planned()).change
    store.close()
    other.close()
    assert check(home) == []


def test_the_same_operation_twice_has_one_effect(store: Store, home: Home) -> None:
    first = store.transact(decide("approve", ["item0"]), planned({MEMORY: added("fact 0")}))
    before = state_of(home)
    again = replace(decide("approve", ["item0"]), stamp=replace(stamp("other"), operation="operation approve"))
    assert store.transact(again, planned({MEMORY: added("something else")})) == first
    assert state_of(home) == before


def test_a_plan_that_does_nothing_stores_nothing(store: Store, home: Home) -> None:
    store.transact(correct("one"), planned({MEMORY: added("x")}))
    before = state_of(home)
    receipt = store.transact(decide("approve", ["gone"]), planned({MEMORY: added("y")}))
    assert receipt.not_applied[0].id == "gone"
    assert receipt.change is None
    assert state_of(home) == before


def test_a_plan_that_breaks_changes_nothing(store: Store, home: Home) -> None:
    before = state_of(home)

    def broken(view: View, request: Request) -> Change:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.transact(correct("one"), broken)
    assert state_of(home) == before
    store.transact(correct("one"), planned({MEMORY: added("x")}))


def _decide_one(home: Home, name: str, verb: Verb, barrier: object, answers: object) -> None:
    store = open_store(home, wait=30)
    barrier.wait()  # type: ignore[attr-defined]
    edits = {MEMORY: added(f"by {name}")} if verb is Verb.APPROVE else None
    receipt = store.transact(decide(name, ["item0"], verb), planned(edits))
    answers.put((name, receipt.change is not None))  # type: ignore[attr-defined]
    store.close()


@pytest.mark.parametrize("verbs", [(Verb.APPROVE, Verb.APPROVE), (Verb.APPROVE, Verb.REJECT)])
def test_of_concurrent_decisions_exactly_one_wins(ground: Ground, verbs: tuple[Verb, Verb]) -> None:
    context = multiprocessing.get_context("fork")
    for attempt in range(5):
        home = make_home(ground / f"home{attempt}")
        barrier, answers = context.Barrier(4), context.Queue()
        workers = [
            context.Process(target=_decide_one, args=(home, f"w{number}", verbs[number % 2], barrier, answers))
            for number in range(4)
        ]
        for worker in workers:
            worker.start()
        results = dict(answers.get(timeout=60) for _ in workers)
        for worker in workers:
            worker.join()
        assert sum(results.values()) == 1, results
        winner = next(name for name, won in results.items() if won)
        store = open_store(home)
        assert store.book.decided(["item0"])["item0"].change == stamp(winner).change
        assert len(store.book.rows()) == 1
        store.close()
        assert check(home) == []


def _write_many(home: Home, name: str, count: int) -> None:
    store = open_store(home, wait=60)
    for number in range(count):
        store.transact(correct(f"{name}-{number}"), planned({MEMORY: added(f"{name}-{number}")}))
    store.close()


def test_no_update_is_lost_between_processes(home: Home) -> None:
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_write_many, args=(home, f"w{number}", 10)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    entries = set(parse(MEMORY, documents(home)["MEMORY.md"]).entries)
    assert entries == {"one"} | {f"w{worker}-{number}" for worker in range(4) for number in range(10)}
    store = open_store(home)
    assert len(store.book.rows()) == 40
    store.close()
    assert check(home) == []


def test_threads_of_one_process_take_turns(store: Store, home: Home) -> None:

    def work(name: str) -> None:
        for number in range(5):
            store.transact(correct(f"{name}{number}"), planned({MEMORY: added(f"{name}{number}")}))

    threads = [threading.Thread(target=work, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(parse(MEMORY, documents(home)["MEMORY.md"]).entries) == 16


# Many databases of a server take long to make: there one of them stands for the others, whose turn comes in CI.
_ON_SERVER = "plan"


def each_kind_of_change(function: Callable[..., None]) -> Callable[..., None]:
    """Run a test for each kind of change on each store."""
    cases = [
        pytest.param(kind, name, marks=[_SLOW] if kind == "postgres" and name != _ON_SERVER else [])
        for kind in KINDS
        for name in RUN
    ]
    return pytest.mark.parametrize(("ground", "name"), cases, indirect=["ground"])(function)


@each_kind_of_change
def test_one_error_anywhere_is_unchanged_or_done(ground: Ground, name: str) -> None:
    source = ground / "source"
    BEFORE[name](source)
    reference = copy_home(source, ground / "reference")
    points = some(ground.kind, points_of(RUN[name], reference))
    old, new = state_of(source), state_of(reference)
    unchanged = 0
    for number, point in enumerate(points):
        home = copy_home(source, ground / f"home{number}")
        with armed(f"{point}={('eio', 'enospc')[number % 2]}"):
            try:
                RUN[name](home)
                wanted = new
            except WriteFailed:
                wanted = old
                unchanged += 1
        assert check(home) == [], point
        assert state_of(home) == wanted, point
        RUN[name](home)
        assert state_of(home) == new, point
    print(f"{name}: {len(points)} of {len(points)} single errors, {unchanged} unchanged, the others done")
    assert 2 <= unchanged < len(points)


def test_an_observation_makes_no_image_of_what_nobody_changed(store: Store, home: Home) -> None:
    observe = Request(stamp("look"), Kind.OBSERVE)
    assert store.transact(observe, planned()).change
    assert store.book.known() == {MEMORY: b"one", USER: b"who"}
    assert not store.backups()[0]
    assert store.book.newest_undoable(ME) is None


def test_a_row_that_cannot_be_stored_fails_before_anything_happens(store: Store, home: Home) -> None:
    before = state_of(home)
    for odd in ({"x": float("nan")}, {"x": {1}}, {"x": "half a pair \ud800"}):
        plan = planned({MEMORY: added("x")})

        def broken(view: View, request: Request, plan: Planner = plan, odd: dict[str, object] = odd) -> Change:
            change = plan(view, request)
            return replace(change, rows=({**change.rows[0], **odd},))

        with pytest.raises((ValueError, TypeError, WriteFailed)):
            store.transact(correct("one"), broken)
        assert state_of(home) == before
    assert check(home) == []


def test_a_change_without_a_row_is_no_change(store: Store, home: Home) -> None:
    before = state_of(home)
    plan = planned({MEMORY: added("x")})
    with pytest.raises(ValueError, match="no ledger row"):
        store.transact(correct("one"), lambda view, request: replace(plan(view, request), rows=()))
    assert state_of(home) == before


def test_a_change_id_that_was_used_before_fails_before_anything_happens(store: Store, home: Home) -> None:
    store.transact(correct("one"), planned({MEMORY: added("x")}))
    before = state_of(home)
    again = Request(replace(stamp("one"), operation="another"), Kind.CORRECT)
    with pytest.raises(WriteFailed, match="nothing was changed"):
        store.transact(again, planned({MEMORY: added("y")}))
    assert state_of(home) == before


@each_kind_of_change
def test_killed_at_every_point(ground: Ground, name: str) -> None:
    source = ground / "source"
    BEFORE[name](source)
    reference = copy_home(source, ground / "reference")
    points = some(ground.kind, points_of(RUN[name], reference))
    old, new = state_of(source), state_of(reference)
    ends = []
    for number, point in enumerate(points):
        home = copy_home(source, ground / f"home{number}")
        assert killed_at(f"{point}=kill", RUN[name], home), point
        assert check(home) == [], point
        ends.append(state_of(home))
        assert ends[-1] in {old, new}, point
        assert RUN[name](home).change is not None
        assert state_of(home) == new, point
        assert check(home) == [], point
    turn = ends.index(new)
    assert ends == [old] * turn + [new] * (len(ends) - turn), "there is one commit point"
    print(f"{name}: {len(points)} of {len(points)} kills")


@pytest.mark.parametrize("name", ["rollback by the core", *(pytest.param(n, marks=_SLOW) for n in _LONG_REAL)])
def test_what_the_core_plans_killed_at_every_point(ground: Ground, name: str) -> None:
    prepare, operation = REAL[name]
    source = ground / "source"
    prepare(source)
    reference = copy_home(source, ground / "reference")
    points = points_of(operation, reference)
    old, new = state_of(source), state_of(reference)
    assert old != new
    # a point that is passed once for each of twenty records is as good as its first and last passing
    ends = [point for point in points if f"{point.partition(':')[0]}:{int(point.partition(':')[2]) + 1}" not in points]
    firsts = [point for point in points if point.endswith(":1")]
    chosen = some(ground.kind, list(dict.fromkeys([*firsts, *ends])))
    for number, point in enumerate(chosen):
        home = copy_home(source, ground / f"home{number}")
        assert killed_at(f"{point}=kill", operation, home), point
        assert check(home) == [], point
        assert state_of(home) in {old, new}, point
        operation(home)
        assert state_of(home) == new, point
    print(f"{name}: {len(chosen)} of {len(chosen)} kills")
