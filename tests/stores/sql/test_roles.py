"""Roles of a server: what each may do with every table, past our own code, and which rows it reaches there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from curator_tui.core.errors import StoreError
from curator_tui.core.operations import Action, Operation
from curator_tui.core.plans import plan as core_plan
from curator_tui.stores.sql.bounds import Bound
from curator_tui.stores.sql.granting import grant
from curator_tui.stores.sql.holding import hold
from curator_tui.stores.sql.opening import database_at, open_database
from curator_tui.stores.sql.policies import tables
from curator_tui.stores.sql.records import record_bytes
from curator_tui.stores.sql.roles import AGENT, AUDITOR, PRIVACY, ROLES, SERVICE, SUBJECT
from curator_tui.stores.sql.scopes import Whose
from curator_tui.stores.sql.store import SqlStore
from tests.databases import Place, made
from tests.postgres import Server
from tests.stores.homes import MEMORY, decide

ADA, BOB, EVE = Whose("acme", "ada", ""), Whose("acme", "bob", ""), Whose("other", "eve", "")
LOGINS = {role: f"curator_tui_test_{role.removeprefix('memory_')}" for role in ROLES}
NAMES = [table.name for table in tables()]


@pytest.fixture(scope="module")
def place(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Three people with rows in every table that changes fill, and a login of each group."""
    place = made("postgres", tmp_path_factory.mktemp("roles"), server)
    for role, login in LOGINS.items():
        server.let_in(login, role)
    for mine in (ADA, BOB, EVE):
        values = mine.tenant, mine.user, f"Secret of {mine.user}"
        place.change(
            "INSERT INTO agent_memory (tenant_id, user_id, memory_type, content) VALUES (?, ?, 'memory', ?)", *values
        )
        store = opened(place.url, mine)
        store.stage([record(f"item{at}", f"{mine.user} likes {at}") for at in range(3)], "somebody")
        store.transact(decide(mine.user, ["item0"]), core_plan)
        store.claims.take("item1", "somebody")
        store.close()
    hold(database_at(Place(place.keeper).address).address, LOGINS[SUBJECT], (ADA.tenant, ADA.user, ADA.agent))
    return place


def opened(url: str, mine: Whose) -> SqlStore:
    return SqlStore(open_database(Place(url).address), mine)


def record(name: str, content: str) -> tuple[str, bytes]:
    return name, record_bytes([Operation(Action.ADD, MEMORY, content=content)], created_at=1.0)


class Raw:
    """Somebody who is in and says to the server what they like."""

    def __init__(self, place: Place, role: str, bound: Bound) -> None:
        assert place.server is not None
        self.connection = psycopg.connect(place.server.as_login(place.url, LOGINS[role]))
        for name, value in bound.settings.items():
            self.connection.execute("SELECT set_config(%s, %s, false)", [f"memory.{name}", value])
        self.connection.commit()

    def refused(self, statement: str, *values: Any) -> bool:
        """Try something; it never stays."""
        try:
            return self.connection.execute(statement, values).rowcount <= 0
        except psycopg.errors.InsufficientPrivilege:
            return True
        finally:
            self.connection.rollback()

    def rows(self, statement: str, *values: Any) -> list[Any]:
        try:
            return self.connection.execute(statement, values).fetchall()
        finally:
            self.connection.rollback()


@pytest.fixture
def raw(place: Place, request: pytest.FixtureRequest) -> Iterator[Any]:
    made: list[Raw] = []

    def let_in(role: str, bound: Bound) -> Raw:
        made.append(Raw(place, role, bound))
        return made[-1]

    yield let_in
    for one in made:
        one.connection.close()


def _columns(place: Place, table: str) -> list[str]:
    query = "SELECT attname FROM pg_attribute WHERE attrelid = ?::regclass AND attnum > 0 AND NOT attisdropped"
    return [name for (name,) in place.rows(query, table)]


def _copied(place: Place, table: str) -> str:
    """Return a statement that puts a row of the table there again, under another key."""
    columns = _columns(place, table)
    return f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(columns)} FROM {table} LIMIT 1"


def test_every_table_is_held_by_policies_that_hold_its_owner_too(place: Place) -> None:
    query = """
        SELECT relname, relrowsecurity, relforcerowsecurity, EXISTS (
            SELECT 1 FROM pg_policy WHERE polrelid = pg_class.oid)
        FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
    """
    assert {name for name, *held in place.rows(query) if held != [True] * 3} == {"memory_schema"}


@pytest.mark.parametrize("role", [AGENT, AUDITOR])
def test_who_may_decide_nothing_can_write_no_table_by_any_statement(place: Place, raw: Any, role: str) -> None:
    for bound in (ADA.bound, BOB.bound, Bound("acme"), Bound()):
        login = raw(role, bound)
        for table in NAMES:
            first = _columns(place, table)[0]
            may_add = role == AGENT and table in {"memory_proposals", "memory_scopes"}
            assert login.refused(f"UPDATE {table} SET {first} = {first}"), table
            assert login.refused(f"DELETE FROM {table}"), table
            assert login.refused(f"TRUNCATE {table}"), table
            assert login.refused(f"SELECT * FROM {table} FOR UPDATE"), table
            if not may_add:
                assert login.refused(f"INSERT INTO {table} DEFAULT VALUES"), table
                assert login.refused(f"COPY {table} FROM STDIN"), table
            assert login.refused(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY"), table
            assert login.refused(f"DROP TABLE {table}"), table


def test_an_agent_reads_the_documents_of_its_scope_and_its_own_proposals_and_nothing_else(
    place: Place, raw: Any
) -> None:
    login = raw(AGENT, ADA.bound)
    assert login.rows("SELECT content FROM agent_memory") == [("Secret of ada\n§\nada likes 0",)]
    assert login.rows("SELECT user_id FROM memory_scopes") == [("ada",)]
    assert login.rows("SELECT id FROM memory_proposals") == [], "those of others are not its own"
    for table in set(NAMES) - {"agent_memory", "memory_scopes", "memory_proposals", "memory_known", "memory_bindings"}:
        assert login.refused(f"SELECT * FROM {table}"), table


def test_nothing_is_found_by_whoever_is_bound_to_nothing_or_to_less_than_a_scope(place: Place, raw: Any) -> None:
    for role, bounds in {
        AGENT: (Bound(), Bound("acme"), Bound("acme", "ada"), Bound("", "ada", ""), Bound("acme", "", "")),
        SERVICE: (Bound(), Bound("acme"), Bound("acme", "ada")),
        SUBJECT: (Bound(), Bound("acme"), BOB.bound, EVE.bound),
        AUDITOR: (Bound(), Bound(""), Bound("acme", "eve", "")),
        PRIVACY: (Bound(), Bound("")),
    }.items():
        for bound in bounds:
            login = raw(role, bound)
            for table in set(NAMES) - {"memory_bindings"}:
                assert login.refused(f"SELECT * FROM {table}"), (role, bound, table)


def test_a_tenant_is_seen_whole_and_no_other(place: Place, raw: Any) -> None:
    login = raw(AUDITOR, Bound("acme"))
    assert login.rows("SELECT user_id FROM memory_scopes ORDER BY 1") == [("ada",), ("bob",)]
    for table in ("memory_proposals", "memory_ledger", "memory_texts", "memory_claims"):
        every = place.rows(
            f"SELECT count(*) FROM {table} WHERE scope IN (SELECT scope FROM memory_scopes WHERE tenant_id = 'acme')"
        )
        assert login.rows(f"SELECT count(*) FROM {table}") == every, table
        assert every[0][0] > 0, table


def test_an_agent_proposes_in_its_own_scope_under_its_own_name_whatever_it_says(place: Place, raw: Any) -> None:
    scopes = dict(place.rows("SELECT user_id, scope FROM memory_scopes"))
    insert = """
        INSERT INTO memory_proposals (scope, id, digest, body, ordered_at, written_by, tenant_id)
        VALUES (%s, %s, 'd', 'body', 1, %s, %s)
        RETURNING written_by, tenant_id, digest, ordered_at > 1e9, staged_at > '2026-01-01'
    """
    login, mine = raw(AGENT, ADA.bound), LOGINS[AGENT]
    said = [(mine, "acme", hashlib.sha256(b"body").hexdigest(), True, True)]
    for name, tenant in ((mine, "acme"), ("somebody", "acme"), (mine, "other")):
        assert login.rows(insert, scopes["ada"], "new", name, tenant) == said, "what it says of itself is not heard"
    assert login.refused(insert, scopes["bob"], "new", mine, "acme"), "another scope"
    assert login.refused(insert, scopes["eve"], "new", mine, "acme"), "another tenant"
    other = "INSERT INTO memory_scopes (scope, tenant_id, user_id) VALUES ('x', %s, %s)"
    assert login.refused(other, "acme", "bob")
    assert login.refused(other, "acme", "carl")
    assert not raw(AGENT, Bound("acme", "carl", "")).refused(other, "acme", "carl")


def test_the_store_stages_for_an_agent_and_tells_it_nothing_of_others(place: Place) -> None:
    assert place.server is not None
    url = place.server.as_login(place.url, LOGINS[AGENT])
    for mine in (ADA, Whose("acme", "carl", "helper")):
        store = opened(url, mine)
        assert store.stage([record("mine", "one more")], "somebody else") == ()
        assert place.rows("SELECT written_by FROM memory_proposals WHERE id = 'mine'")[-1] == (LOGINS[AGENT],)
        with pytest.raises(StoreError):
            store.transact(decide("forged", ["mine"]), core_plan)
        store.close()
    waiting = place.rows("SELECT waiting FROM memory_waiting JOIN memory_scopes USING (scope) WHERE user_id = 'carl'")
    assert waiting == [(1,)], "it is counted by whoever keeps the tables"
    place.change("DELETE FROM memory_proposals WHERE id = 'mine'")


def test_a_login_that_is_bound_speaks_of_nothing_else_whatever_it_sets(place: Place, raw: Any) -> None:
    address = Place(place.keeper).address
    assert raw(AGENT, BOB.bound).rows("SELECT user_id FROM memory_scopes") == [("bob",)]
    assert hold(address, LOGINS[AGENT], ("acme", "ada", "")) == (
        "the memory of ada in tenant acme, what all agents share",
    )
    try:
        assert raw(AGENT, BOB.bound).rows("SELECT user_id FROM memory_scopes") == []
        assert raw(AGENT, ADA.bound).rows("SELECT user_id FROM memory_scopes") == [("ada",)]
        assert len(hold(address, LOGINS[AGENT], ("acme", None, ""))) == 2
        assert raw(AGENT, BOB.bound).rows("SELECT user_id FROM memory_scopes") == [("bob",)]
        assert raw(AGENT, EVE.bound).rows("SELECT user_id FROM memory_scopes") == []
    finally:
        assert hold(address, LOGINS[AGENT], None) == ()


def test_a_service_writes_documents_of_its_scope_and_decides_nothing(place: Place, raw: Any) -> None:
    login = raw(SERVICE, ADA.bound)
    assert not login.refused("UPDATE agent_memory SET content = 'x'")
    assert login.refused("UPDATE agent_memory SET content = 'x' WHERE user_id = 'bob'")
    assert login.refused("UPDATE agent_memory SET user_id = 'bob'"), "it cannot give its row away"
    assert login.refused("DELETE FROM memory_proposals")
    assert login.refused(_copied(place, "memory_decisions"))
    assert login.refused("UPDATE memory_decisions SET ended_by = 'x'")
    assert login.refused("UPDATE memory_ledger SET body = 'x'")


def test_shared_documents_are_read_and_never_written_by_an_agent_of_its_own(place: Place, raw: Any) -> None:
    login = raw(SERVICE, Bound("acme", "ada", "helper"))
    assert login.rows("SELECT agent_id FROM agent_memory") == [("",)]
    assert login.refused("UPDATE agent_memory SET content = 'x'")
    assert login.refused("UPDATE agent_memory SET agent_id = 'helper'")
    assert login.refused("DELETE FROM agent_memory")


def test_nobody_rewrites_a_ledger(place: Place, raw: Any) -> None:
    for role in ROLES:
        login = raw(role, ADA.bound)
        assert login.refused("UPDATE memory_ledger SET body = 'x'"), role
        assert login.refused("DELETE FROM memory_ledger"), role


def test_installing_again_changes_nothing_and_a_look_at_it_runs_nothing(place: Place, server: Server) -> None:
    policies = "SELECT polrelid::regclass::text, polname, pg_get_expr(polqual, polrelid) FROM pg_policy ORDER BY 1, 2"
    rights = "SELECT relname, relacl::text FROM pg_class WHERE left(relname, 6) = 'memory' ORDER BY 1"
    before = place.rows(policies), place.rows(rights)
    address = Place(place.keeper).address
    assert grant(address).roles == ()
    assert (place.rows(policies), place.rows(rights)) == before
    bare = Place(server.database(template=server.upgraded), server)
    bare.execute("ALTER TABLE memory_ledger NO FORCE ROW LEVEL SECURITY")
    assert grant(bare.address, dry_run=True).statements
    query = "SELECT relforcerowsecurity FROM pg_class WHERE relname = 'memory_ledger'"
    assert bare.rows(query) == [(False,)]
    with psycopg.connect(bare.keeper) as connection:
        for statement in grant(bare.address, dry_run=True).statements:
            connection.execute(statement.encode())
    assert bare.rows(query) == [(True,)], "what is printed is what would be run"


def test_who_keeps_the_tables_installs_it_without_being_a_superuser(server: Server, tmp_path: Path) -> None:
    server.let_in("curator_tui_test_keeper")
    place = Place(server.database(), server)
    place.execute("GRANT ALL ON SCHEMA public TO curator_tui_test_keeper")
    address = Place(server.as_login(place.url, "curator_tui_test_keeper")).address
    from curator_tui.stores.sql.upgrading import upgrade

    upgrade(address)
    assert server.upgraded, "the groups are there"
    assert grant(address).roles == ()
    store = SqlStore(open_database(address), ADA)
    assert store.stage([record("one", "a fact")], "x") == ()
    assert store.transact(decide("d", ["one"]), core_plan).done
    assert store.check() == []
    store.close()
    with pytest.raises(StoreError, match="does not keep"):
        grant(Place(server.as_login(place.url, LOGINS[AUDITOR])).address)


def test_a_login_that_no_policy_holds_is_refused_unless_a_person_says_so(place: Place) -> None:
    with pytest.raises(StoreError) as caught:
        open_database(Place(place.keeper).address)
    assert caught.value.code == "unheld-login"
    assert "--allow-superuser" in caught.value.way_out
    from curator_tui.stores.sql.addresses import address_of

    open_database(address_of(place.keeper, unheld=True)).close()
