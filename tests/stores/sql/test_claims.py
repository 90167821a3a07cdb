"""Claims: one desk at a time looks at an item, for a while, and nothing else hangs on it."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from curator_tui.core.documents import Target
from curator_tui.core.operations import Action, Operation
from curator_tui.core.requests import Actor, ActorKind, Decision, Verb
from curator_tui.curator.desk import Desk
from curator_tui.stores.sql.opening import open_database
from curator_tui.stores.sql.records import record_bytes
from curator_tui.stores.sql.scopes import whose
from curator_tui.stores.sql.store import SqlStore
from tests.databases import Place


@pytest.fixture
def desks(place: Place) -> Iterator[tuple[Desk, Desk]]:
    """Two curators at one queue of three items."""
    opened = [
        Desk(SqlStore(open_database(place.address), whose("acme", "ada", "")), Actor(ActorKind.PERSON, name, "tui"))
        for name in ("ann", "bob")
    ]
    store = opened[0].store
    assert isinstance(store, SqlStore)
    adds = {f"c{at}": Operation(Action.ADD, Target.MEMORY, content=f"Fact {at}") for at in (1, 2, 3)}
    store.stage([(name, record_bytes([step], created_at=float(name[1]))) for name, step in adds.items()], "agent")
    for desk in opened:
        desk.refresh()
    yield opened[0], opened[1]
    for desk in opened:
        desk.close()


def test_a_claim_is_seen_by_others_and_leaves_no_row_of_the_ledger(desks: tuple[Desk, Desk], place: Place) -> None:
    ann, bob = desks
    ann.claims.take("c1")
    bob.claims.take("c1")
    assert (ann.claims.look(), bob.claims.look()) == ({}, {"c1": "ann"})
    ann.claims.take("c2")
    assert bob.claims.look() == {"c2": "ann"}, "a desk holds one claim at a time"
    ann.close()
    assert bob.claims.look() == {}
    assert place.rows("SELECT count(*) FROM memory_ledger") == [(0,)]


def test_a_claim_ends_by_itself(desks: tuple[Desk, Desk], place: Place) -> None:
    ann, bob = desks
    ann.claims.take("c1")
    left = place.rows("SELECT until FROM memory_claims")[0][0]
    place.change("UPDATE memory_claims SET until = ?", left - 61)
    assert bob.claims.look() == {}
    assert bob.claims.first_free(["c1"]) == "c1"
    assert ann.claims.look() == {"c1": "bob"}


def test_the_next_free_item_is_offered(desks: tuple[Desk, Desk]) -> None:
    ann, bob = desks
    assert ann.claims.first_free(["c1", "c2", "c3"]) == "c1"
    assert bob.claims.first_free(["c1", "c2", "c3"]) == "c2"
    assert bob.claims.first_free(["c1"]) is None
    assert ann.claims.first_free(["c3", "c1"]) == "c3", "the order is that of the list"
    assert ann.claims.first_free(["c9"]) is None, "what does not wait is not offered"


def test_somebody_who_only_looks_takes_nothing(desks: tuple[Desk, Desk], place: Place) -> None:
    ann, bob = desks
    bob.read_only = True
    bob.claims.take("c1")
    ann.claims.take("c2")
    assert place.rows("SELECT proposal FROM memory_claims") == [("c2",)]
    assert bob.claims.first_free(["c2", "c3"]) == "c3"


def test_a_claim_keeps_nobody_from_deciding_and_the_late_one_is_told_who_did(desks: tuple[Desk, Desk]) -> None:
    ann, bob = desks
    ann.claims.take("c1")
    assert bob.decide([Decision("c1", Verb.REJECT)]).change is not None
    late = ann.decide([Decision("c1", Verb.APPROVE)])
    assert late.change is None
    assert [one.code for one in late.not_applied] == ["already-decided"]
    assert late.not_applied[0].message.startswith("already decided: reject by bob at ")
    assert ann.ending_words("c1") == late.not_applied[0].message


def test_desks_that_ask_at_once_get_different_items(desks: tuple[Desk, Desk]) -> None:
    names, found, ready = ["c1", "c2", "c3"], [], threading.Barrier(2)

    def ask(desk: Desk) -> None:
        for _ in range(20):
            ready.wait()
            found.append(desk.claims.first_free(names))
            ready.wait()

    threads = [threading.Thread(target=ask, args=(desk,)) for desk in desks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pairs = list(zip(found[::2], found[1::2], strict=True))
    assert [pair for pair in pairs if None in pair or pair[0] == pair[1]] == []
