"""What a statement may reach is said with it and ends with it, whoever had the connection before."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator_tui.stores.sql.bounds import NOTHING, Bound
from curator_tui.stores.sql.database import Database
from curator_tui.stores.sql.opening import database_at
from tests.databases import Place, made
from tests.postgres import Server

SEEN = """
    SELECT current_setting('memory.tenant', true), current_setting('memory.user', true),
        current_setting('memory.agent', true)
"""


@pytest.fixture
def served(server: Server, tmp_path: Path) -> Place:
    return made("postgres", tmp_path, server)


@pytest.fixture
def database(served: Place) -> Iterator[Database]:
    opened = database_at(served.address)
    yield opened
    opened.close()


def seen(bound: Bound) -> tuple[str, str, str]:
    return (bound.settings["tenant"], bound.settings["user"], bound.settings["agent"])


def test_an_empty_name_is_something_else_than_none() -> None:
    assert seen(NOTHING) == ("", "", "")
    assert seen(Bound("", "ada", "")) == ("=", "=ada", "=")
    assert seen(Bound("acme")) == ("=acme", "", "")


def test_it_is_gone_with_the_statement_and_with_the_transaction(database: Database) -> None:
    bound = Bound("acme", "ada", "helper")
    assert database.reader(bound).one(SEEN) == seen(bound)
    assert database.reader(bound).ask([(SEEN, {}), (SEEN, {})]) == [[seen(bound)]] * 2
    assert [word or "" for word in database.reader().one(SEEN) or ()] == ["", "", ""]
    with database.session(bound) as session:
        session.begin(1.0)
        assert session.one(SEEN) == seen(bound)
        session.commit()
        assert [word or "" for word in session.one(SEEN) or ()] == ["", "", ""]
        session.rollback()


def test_threads_that_take_turns_at_one_pool_never_see_what_another_is_bound_to(database: Database) -> None:
    wrong: list[object] = []

    def look(number: int) -> None:
        for turn in range(20):
            bound = Bound(f"tenant {number}", f"user {turn}", "")
            if turn % 3:
                found = database.reader(bound).one(SEEN)
            else:
                with database.session(bound) as session:
                    session.begin(1.0)
                    found = session.one(SEEN)
                    session.rollback()
            if found != seen(bound):
                wrong.append((bound, found))

    threads = [threading.Thread(target=look, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
