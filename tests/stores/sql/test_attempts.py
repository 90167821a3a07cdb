"""Who may not ask for something is told so, and a row of the ledger says that they asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from curator_tui.core.documents import Target
from curator_tui.core.errors import NotAllowed, StoreError
from curator_tui.core.operations import Action, Operation
from curator_tui.core.plans import plan as core_plan
from curator_tui.core.requests import ActorKind, Decision, Kind, Request, Verb
from curator_tui.curator.authority import EVERYTHING, authority_of
from curator_tui.curator.desk import Desk
from curator_tui.curator.opening import DatabaseScope, open_desk
from curator_tui.stores.sql.database import Login
from curator_tui.stores.sql.opening import open_database
from curator_tui.stores.sql.roles import AGENT, AUDITOR, CURATOR, PRIVACY, ROLES, SERVICE, SUBJECT
from curator_tui.stores.sql.store import SqlStore
from tests.postgres import Server
from tests.stores.ground import ADA, Scope
from tests.stores.homes import decide, make_home

LOGINS = {role: f"curator_tui_test_{role.removeprefix('memory_')}" for role in ROLES}
Sit = Callable[[str], Desk]


@pytest.fixture
def home(server: Server, tmp_path: Path) -> Scope:
    home = make_home(Scope("postgres", tmp_path / "home", server))
    home.place.change("SELECT 1")
    for role, login in LOGINS.items():
        server.let_in(login, role)
    return home


@pytest.fixture
def sit(home: Scope) -> Iterator[Sit]:
    opened: list[Desk] = []

    def open_as(role: str) -> Desk:
        assert home.server is not None
        url = home.server.as_login(home.place.url, LOGINS[role])
        opened.append(open_desk(database=DatabaseScope(url, ADA.tenant, ADA.user), environ={}, through="cli"))
        return opened[-1]

    yield open_as
    for desk in opened:
        desk.close()


def bind(home: Scope, role: str) -> None:
    home.place.change("INSERT INTO memory_bindings (role, tenant_id, user_id) VALUES (?, 'acme', 'ada')", LOGINS[role])


def rows(home: Scope) -> list[dict[str, object]]:
    store = home.open()
    try:
        assert store.check() == []
        return [row.row or {} for row in store.book.rows()]
    finally:
        store.close()


def test_what_a_login_may_ask_for_follows_from_its_groups() -> None:
    def kinds(*groups: str, keeper: bool = False) -> frozenset[Kind]:
        return authority_of(Login("x", frozenset(groups), keeper)).kinds

    assert authority_of(None) is EVERYTHING
    assert kinds() == kinds(CURATOR) == kinds(CURATOR, AGENT) == kinds(AGENT, keeper=True) == frozenset(Kind)
    assert kinds(AGENT) == kinds(SERVICE) == kinds(AUDITOR) == kinds(PRIVACY) == kinds(AGENT, SUBJECT) == frozenset()
    assert kinds(SUBJECT) == {Kind.CORRECT, Kind.CHALLENGE, Kind.UNDO, Kind.REDO, Kind.OBSERVE}
    assert authority_of(Login("x", frozenset({AGENT}))).kind is ActorKind.AGENT


def test_an_agent_gets_no_desk_and_each_minute_of_trying_is_one_row(home: Scope, sit: Sit) -> None:
    for _ in range(3):
        with pytest.raises(NotAllowed, match="a person decides"):
            sit(AGENT)
    with pytest.raises(NotAllowed):
        sit(SERVICE)
    found = rows(home)
    assert [(row["action"], row["reason"], row["actor"]) for row in found] == [
        ("refused", "may-not-decide", {"kind": kind, "name": LOGINS[role], "through": "cli"})
        for role, kind in ((AGENT, "agent"), (SERVICE, "service"))
    ]
    # the repeats are told by the first change after their minute, as those of any refused attempt
    home.place.change(
        """
        UPDATE memory_meta SET value = replace(value, '"at": 1', '"at": ') WHERE name = 'refused'
        """
    )
    store = home.open()
    assert store.transact(decide("later", ["item0"]), core_plan).done
    store.close()
    later = rows(home)[2:]
    assert [(row["action"], row.get("repeats")) for row in later if row["action"] == "refused"] == [("refused", 2)]


def test_somebody_who_audits_looks_and_decides_nothing(home: Scope, sit: Sit) -> None:
    desk = sit(AUDITOR)
    desk.refresh()
    assert desk.read_only
    assert len(desk.queue.proposals()) == 3
    with pytest.raises(NotAllowed, match="memory_auditor"):
        desk.decide([Decision("item0", Verb.REJECT)])
    assert [row["reason"] for row in rows(home)] == ["may-not-decide"]
    assert not desk.store.check()


def test_a_person_corrects_their_own_memory_and_decides_nothing(home: Scope, sit: Sit) -> None:
    bind(home, SUBJECT)
    desk = sit(SUBJECT)
    desk.refresh()
    assert [row.id for row in desk.queue.proposals()] == ["item0", "item1", "item2"]
    assert desk.correct([Operation(Action.ADD, Target.MEMORY, content="a new fact")]).done
    assert desk.undo().done
    with pytest.raises(NotAllowed):
        desk.decide([Decision("item0", Verb.REJECT)])
    with pytest.raises(NotAllowed):
        desk.carry_out(Request(desk.stamp(), Kind.ROLLBACK, backup="any"))
    assert [row.get("reason") for row in rows(home)][-2:] == ["may-not-decide", "may-not-write"]
    assert home.documents()[Target.MEMORY] == b"one"
    assert desk.store.check() == []


def test_nothing_but_such_a_row_can_be_added_through_the_one_function(home: Scope) -> None:
    assert home.server is not None
    before = home.place.contents()
    with psycopg.connect(home.server.as_login(home.place.url, LOGINS[AGENT])) as connection:
        for values in (("nonsense", "cli"), ("may-not-decide", "'; DROP TABLE memory_ledger"), (None, None)):
            with pytest.raises(psycopg.errors.InvalidParameterValue):
                connection.execute("SELECT memory_refuse(%s, %s)", values)
            connection.rollback()
        connection.execute("SELECT memory_refuse('may-not-decide', 'cli')")  # bound to nothing
        # nothing the caller makes stands in for what the function asks
        connection.execute("CREATE TEMP TABLE memory_ledger (LIKE memory_scopes)")
        connection.execute("SET search_path = pg_temp, public")
        connection.execute("SELECT set_config('memory.tenant', '=acme', true), set_config('memory.user', '=ada', true)")
        connection.execute("SELECT set_config('memory.agent', '=', true)")
        connection.execute("SELECT memory_refuse('may-not-decide', 'cli')")
    changed = {name for name, held in home.place.contents().items() if held != before[name]}
    assert changed == {"memory_ledger", "memory_changes", "memory_meta", "memory_scopes"}
    assert len(rows(home)) == 1


def test_what_cannot_be_noted_is_refused_all_the_same(home: Scope, sit: Sit) -> None:
    home.place.execute("DROP FUNCTION memory_refuse(text, text)")
    with pytest.raises(NotAllowed):
        sit(AGENT)


def test_the_doctor_says_where_attempts_are_found_that_the_server_refused(home: Scope) -> None:
    store = home.open()
    (words,) = store.probe()
    assert "server's log (stderr)" in words
    store.close()
    name = home.place.url.split("/")[3].split("?")[0]
    home.place.execute(f'ALTER DATABASE "{name}" SET log_min_messages = fatal')
    store = SqlStore(open_database(home.place.address), ADA)
    assert "notes no attempt" in store.probe()[0]
    store.close()


def test_an_agent_that_goes_past_the_desk_is_refused_by_the_server(home: Scope) -> None:
    assert home.server is not None
    place = home.place
    store = SqlStore(open_database(type(place)(home.server.as_login(place.url, LOGINS[AGENT])).address), ADA)
    before = place.contents()
    for request in (decide("x", ["item0"]), decide("y", ["item0"], Verb.REJECT)):
        with pytest.raises(StoreError, match="may not"):
            store.transact(request, core_plan)
    assert {problem.code for problem in store.check()} != set(), "nothing is called whole that may not be read"
    assert store.snapshot().entries()[Target.MEMORY] == ("one",), "what it may, it does"
    store.close()
    assert place.contents() == before
