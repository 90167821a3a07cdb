"""An answer to COMMIT that does not come: resolved to applied or not applied by the operation id, never guessed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator_tui.core.changes import Change, Planner, View
from curator_tui.core.documents import parse
from curator_tui.core.errors import Unfinished, WriteFailed
from curator_tui.core.requests import Request
from curator_tui.stores.sql.addresses import address_of
from curator_tui.stores.sql.opening import open_database
from curator_tui.stores.sql.store import SqlStore
from curator_tui.stores.sql.transacting import Patience
from tests.postgres import URL_VARIABLE, Server
from tests.proxy import Proxy, losing
from tests.stores.consistency import check
from tests.stores.ground import ADA, Scope
from tests.stores.homes import MEMORY, added, correct, documents, make_home, planned


@pytest.fixture
def home(server: Server, tmp_path: Path) -> Scope:
    if not server.ours:
        pytest.skip(f"{URL_VARIABLE} names a server that may have no socket to stand before")
    return make_home(Scope("postgres", tmp_path / "home", server))


@pytest.fixture
def proxy(home: Scope) -> Iterator[Proxy]:
    # the path of a socket must be short
    with tempfile.TemporaryDirectory(prefix="pg-") as folder, losing(home.place.url, Path(folder)) as running:
        yield running


def _store(proxy: Proxy, answer: float = 15.0) -> SqlStore:
    return SqlStore(open_database(address_of(proxy.url)), ADA, Patience(5.0, answer))


def _entries(home: Scope) -> tuple[str, ...]:
    return parse(MEMORY, documents(home)["MEMORY.md"]).entries


@pytest.mark.parametrize("rounds", [10, pytest.param(200, marks=pytest.mark.slow)])
def test_a_lost_answer_is_found_and_never_doubled(home: Scope, proxy: Proxy, rounds: int) -> None:
    store = _store(proxy)
    for number in range(rounds):
        proxy.lose = "answer"
        receipt = store.transact(correct(f"c{number}"), planned({MEMORY: added(f"fact {number}")}, image=False))
        assert receipt.change is not None
        # whoever repeats it all the same gets the first answer
        again = store.transact(correct(f"c{number}"), planned({MEMORY: added("something else")}))
        assert again.change == receipt.change
    assert proxy.lost == rounds
    assert _entries(home) == ("one", *(f"fact {number}" for number in range(rounds)))
    assert len(store.book.rows()) == rounds
    store.close()
    assert check(home) == []
    print(f"{proxy.lost} of {rounds} answers lost, {rounds} effects")


def test_a_commit_that_did_not_arrive_changed_nothing_and_says_so(home: Scope, proxy: Proxy) -> None:
    store = _store(proxy)
    for number in range(5):
        proxy.lose = "commit"
        with pytest.raises(WriteFailed, match="nothing was changed"):
            store.transact(correct(f"c{number}"), planned({MEMORY: added(f"fact {number}")}))
    assert _entries(home) == ("one",)
    assert store.transact(correct("c0"), planned({MEMORY: added("fact 0")})).change
    assert _entries(home) == ("one", "fact 0")
    store.close()
    assert check(home) == []


def test_nobody_to_ask_is_told_as_not_known_and_repeating_is_safe(home: Scope, proxy: Proxy) -> None:
    store = _store(proxy, answer=0.3)
    proxy.lose = "answer"

    def plan(view: View, request: Request) -> Change:
        proxy.refusing = True
        return planned({MEMORY: added("fact")})(view, request)

    with pytest.raises(Unfinished, match="not known") as caught:
        store.transact(correct("c"), plan)
    assert caught.value.code == "unknown-outcome"
    proxy.refusing = False
    assert store.transact(correct("c"), planned({MEMORY: added("something else")})).change
    assert _entries(home) == ("one", "fact")
    assert len(store.book.rows()) == 1
    store.close()


def test_a_transaction_that_is_still_under_way_is_waited_for(home: Scope, proxy: Proxy) -> None:
    """The COMMIT never arrives and the server does not know that nobody waits: its row stays locked."""
    store = SqlStore(open_database(address_of(proxy.url)), ADA, Patience(0.2, 0.5))
    proxy.lose = "stall"
    with pytest.raises(Unfinished, match="not known"):
        store.transact(correct("c"), planned({MEMORY: added("fact")}))
    proxy.close()  # now the server hears of it, and rolls back
    store.close()
    direct = home.open()
    assert direct.transact(correct("c"), planned({MEMORY: added("fact")})).change
    assert _entries(home) == ("one", "fact")
    direct.close()


def test_a_connection_that_is_lost_before_the_commit_changed_nothing(home: Scope, proxy: Proxy) -> None:
    store = _store(proxy)
    with pytest.raises(WriteFailed, match="nothing was changed"):
        store.transact(correct("c"), _cutting(home, planned({MEMORY: added("fact")})))
    assert _entries(home) == ("one",)
    # the next one connects anew
    assert store.transact(correct("c"), planned({MEMORY: added("fact")})).change
    store.close()


def _cutting(home: Scope, plan: Planner) -> Planner:
    """Return a plan during which the server ends all other connections."""

    def cut(view: View, request: Request) -> Change:
        home.place.rows(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid()"
        )
        return plan(view, request)

    return cut
