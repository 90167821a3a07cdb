"""Cancellation: a change that is given up leaves nothing, wherever it was; one that was stored stays stored."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator_tui.core.changes import Change, Receipt, View
from curator_tui.core.errors import Cancelled, StoreError
from curator_tui.core.plans import plan as core_plan
from curator_tui.core.requests import Request
from curator_tui.stores.sql import transacting
from curator_tui.stores.sql.server import ServerSession
from curator_tui.stores.sql.sqlite import FileSession
from curator_tui.stores.sql.store import SqlStore
from tests.postgres import Server
from tests.stores.consistency import check
from tests.stores.failures import all_points, points_of
from tests.stores.ground import Scope
from tests.stores.homes import decide, make_home

POINTS = sorted(set(all_points("sql")) - {"upgraded", "partitioned"})
TOO_LATE = {"committing", "committed"}


@pytest.fixture
def home(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> Scope:
    server: Server | None = request.getfixturevalue("server") if engine == "postgres" else None
    return make_home(Scope(engine, tmp_path / "home", server))


@pytest.fixture
def store(home: Scope) -> Iterator[SqlStore]:
    opened = home.open(wait=30.0)
    yield opened
    opened.close()


def test_the_points_are_those_a_change_passes(home: Scope) -> None:
    def change(place: Scope) -> None:
        opened = place.open()
        opened.transact(decide("one", ["item0"]), core_plan)
        opened.close()

    assert {point.partition(":")[0] for point in points_of(change, home)} == set(POINTS)


@pytest.mark.parametrize("point", POINTS)
def test_given_up_at_any_point_nothing_is_stored_or_all_of_it(
    home: Scope, store: SqlStore, point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = home.place.contents()

    def cancelled_here(name: str) -> None:
        if name == point:
            store.cancel()

    for module in (transacting, *map(_module, (FileSession, ServerSession))):
        monkeypatch.setattr(module, "hit", cancelled_here)
    if point in TOO_LATE:
        receipt = store.transact(decide("one", ["item0"]), core_plan)
        assert receipt.done
        assert "item0.json" not in home.waiting()
    else:
        with pytest.raises(Cancelled):
            store.transact(decide("one", ["item0"]), core_plan)
        assert home.place.contents() == before
    monkeypatch.undo()
    assert check(home) == []


def _module(kind: type[object]) -> object:
    import sys

    return sys.modules[kind.__module__]


def test_whoever_waits_for_another_curator_leaves_at_once(home: Scope, store: SqlStore) -> None:
    holder, held, let_go = home.open(), threading.Event(), threading.Event()
    said: list[StoreError | Receipt] = []

    def holding(view: View, request: Request) -> Change:
        held.set()
        assert let_go.wait(30)
        return core_plan(view, request)

    def deciding() -> None:
        try:
            said.append(store.transact(decide("two", ["item1"]), core_plan))
        except StoreError as error:
            said.append(error)

    first = threading.Thread(target=lambda: holder.transact(decide("one", ["item0"]), holding))
    second = threading.Thread(target=deciding)
    first.start()
    assert held.wait(30)
    second.start()
    time.sleep(0.2)  # it waits for the row, or is about to: both have to end
    began = time.monotonic()
    store.cancel()
    second.join(10)
    assert not second.is_alive()
    assert time.monotonic() - began < 5, "the patience is 30 seconds"
    assert [type(one) for one in said] == [Cancelled]
    let_go.set()
    first.join(30)
    holder.close()
    assert "item1.json" in home.waiting()
    assert "item0.json" not in home.waiting()
    assert check(home) == []


def test_a_store_that_gave_up_changes_nothing_any_more_and_can_be_read(home: Scope, store: SqlStore) -> None:
    store.cancel()
    before = home.place.contents()
    for _ in range(2):
        with pytest.raises(Cancelled, match="nothing was changed"):
            store.transact(decide("one", ["item0"]), core_plan)
    assert store.snapshot().entries()
    assert home.place.contents() == before
    other = home.open()
    assert other.transact(decide("two", ["item0"]), core_plan).done
    other.close()
