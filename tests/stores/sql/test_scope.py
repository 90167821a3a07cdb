"""One scope of a database: its rows as services see them, its neighbours, and what is replayed."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from curator_tui.core.changes import Change, View
from curator_tui.core.documents import Presence, parse
from curator_tui.core.errors import Locked, StoreError, UsageError, WriteFailed
from curator_tui.core.operations import Action, Operation
from curator_tui.core.plans import plan as core_plan
from curator_tui.core.requests import Kind, Request, Verb
from curator_tui.stores.book.db import Connected, SqliteDb
from curator_tui.stores.book.looking import ReadOnlyDb
from curator_tui.stores.sql import documents as sql_documents
from curator_tui.stores.sql.database import Again
from curator_tui.stores.sql.documents import migrated
from curator_tui.stores.sql.opening import database_at, open_database
from curator_tui.stores.sql.records import record_bytes
from curator_tui.stores.sql.scopes import Whose, whose
from curator_tui.stores.sql.server import ServerDatabase, ServerReader, ServerSession
from curator_tui.stores.sql.store import SqlStore
from curator_tui.stores.sql.transacting import Patience, replayed
from tests.databases import Place
from tests.postgres import Server
from tests.stores.consistency import check
from tests.stores.failures import all_points, points_of
from tests.stores.ground import ADA, Scope
from tests.stores.homes import MEMORY, USER, added, correct, decide, make_home, open_store, planned, stamp
from tests.stores.operations import BEFORE, RUN

READ = "SELECT content, schema_version, revision, created_at, updated_at FROM agent_memory WHERE memory_type = 'memory'"


@pytest.fixture
def home(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> Scope:
    server: Server | None = request.getfixturevalue("server") if engine == "postgres" else None
    return make_home(Scope(engine, tmp_path / "home", server))


def _removed(text: str) -> Request:
    return Request(stamp(f"remove {text}"), Kind.CORRECT, corrections=(Operation(Action.REMOVE, MEMORY, match=text),))


def _added(text: str) -> Request:
    return Request(stamp(f"add {text}"), Kind.CORRECT, corrections=(Operation(Action.ADD, MEMORY, content=text),))


# -- the table that services share -----------------------------------------------------------------------------------


def test_a_change_writes_only_the_row_whose_content_changed_and_keeps_when_it_was_made(home: Scope) -> None:
    home.place.change("UPDATE agent_memory SET created_at = '2001-02-03 04:05:06', updated_at = created_at")
    users = "SELECT * FROM agent_memory WHERE memory_type = 'user'"
    before = home.place.rows(users)
    store = home.open()
    store.transact(_added("two"), core_plan)
    ((content, version, revision, created, updated),) = home.place.rows(READ)
    assert (content, version, revision) == ("one\n§\ntwo", 1, 2)
    assert str(created) == "2001-02-03 04:05:06"
    assert str(updated) > "2020"
    assert home.place.rows(users) == before
    store.close()


def test_the_row_goes_with_its_last_entry_and_its_revision_never_comes_back(home: Scope) -> None:
    store = home.open()
    store.transact(_added("two"), core_plan)
    store.transact(_removed("two"), core_plan)
    store.transact(_removed("one"), core_plan)
    assert home.place.rows(READ) == []
    assert store.snapshot().document(MEMORY).presence is Presence.EMPTY
    store.transact(_added("three"), core_plan)
    assert home.place.rows(READ)[0][2] == 5
    assert home.place.rows("SELECT memory_revision, user_revision FROM memory_scopes") == [(5, 0)]
    assert [row.row["action"] for row in store.book.rows()] == ["first seen", "add", "remove", "remove", "add"]
    store.close()
    assert check(home) == []


def test_content_of_a_newer_version_is_shown_to_nobody_and_never_written_over(home: Scope) -> None:
    home.place.change("UPDATE agent_memory SET schema_version = 9 WHERE memory_type = 'memory'")
    before = home.place.contents(["agent_memory"])
    store = home.open()
    found = store.snapshot().document(MEMORY)
    assert (found.presence, found.entries) == (Presence.UNREADABLE, ())
    assert "version 9" in found.trouble
    assert store.transact(_added("two"), core_plan).change is None
    assert home.place.contents(["agent_memory"]) == before
    assert store.transact(decide("user", ["item1"]), core_plan).change, "the other document is as good as ever"
    store.close()


def test_content_of_an_older_version_is_migrated_when_read_and_stored_by_the_next_change(
    home: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.place.change("UPDATE agent_memory SET schema_version = 0 WHERE memory_type = 'memory'")
    monkeypatch.setattr(sql_documents.migrated, "__defaults__", ({0: lambda text: f"new {text}"}, 1))
    store = home.open()
    assert store.snapshot().document(MEMORY).entries == ("new one",)
    assert home.place.rows(READ)[0][:2] == ("one", 0), "looking writes nothing"
    store.transact(_added("two"), core_plan)
    assert home.place.rows(READ)[0][:2] == ("new one\n§\ntwo", 1)
    store.close()


def test_the_steps_between_versions_are_taken_in_order_and_nothing_is_dropped() -> None:
    steps = {1: lambda text: text + " b", 2: lambda text: text + " c"}
    assert migrated(b"a", 1, steps, 3) == b"a b c"
    assert migrated(b"a", 2, steps, 3) == b"a c"
    assert migrated(b"a", 3, steps, 3) == b"a"
    assert migrated(b"\xff", 1, steps, 3) == b"\xff"


def test_what_is_no_text_in_a_file_is_shown_as_that(tmp_path: Path) -> None:
    home = make_home(Scope("sqlite", tmp_path / "home", None))
    home.place.change("UPDATE agent_memory SET content = CAST(x'ff41' AS TEXT) WHERE memory_type = 'memory'")
    store = home.open()
    assert store.snapshot().document(MEMORY).presence is Presence.UNDECODABLE
    assert store.transact(_added("two"), core_plan).change is None
    store.close()


# -- neighbours ------------------------------------------------------------------------------------------------------

NEIGHBOURS = (Whose("acme", "bob", ""), Whose("other", "ada", ""), Whose("acme", "ada", "helper"), Whose("", "ada", ""))


def test_scopes_that_differ_in_anything_know_nothing_of_each_other(home: Scope) -> None:
    mine = home.open()
    mine.transact(decide("mine", ["item0"]), core_plan)
    picture = _picture(mine)
    for number, other in enumerate(NEIGHBOURS):
        store = SqlStore(open_database(home.place.address), other)
        assert store.snapshot().entries() == {MEMORY: (), USER: ()}
        assert (store.queue.refresh(), len(store.queue), store.queue.get("item2")) == (False, 0, None)
        assert (store.book.rows(), store.book.changes(), store.backups()[0]) == ([], [], [])
        # the same ids, the same words: nothing is unique beyond a scope
        store.stage([(f"item{at}", record_bytes([_operation(f"fact {number}")])) for at in range(3)], "x")
        assert store.transact(decide("mine", ["item0"]), core_plan).change
        assert store.check() == []
        store.close()
        assert _picture(mine) == picture
    mine.close()
    assert check(home) == []


def _operation(text: str) -> Operation:
    return Operation(Action.ADD, MEMORY, content=text)


def _picture(store: SqlStore) -> object:
    store.queue.refresh()
    return (
        store.snapshot().entries(),
        store.queue.ids(),
        store.book.rows(),
        [change.id for change in store.book.changes()],
        store.backup_names(),
    )


def test_nothing_but_two_tables_says_whose_it_is_and_only_the_queue_of_which_tenant(home: Scope) -> None:
    store = home.open()
    store.transact(decide("mine", ["item0"]), planned({MEMORY: added("fact 0")}))
    ((name,),) = home.place.rows("SELECT scope FROM memory_scopes")
    assert len(name) == 32
    contents = home.place.contents()
    telling = {table for table, rows in contents.items() if "acme" in repr(rows)}
    assert telling == {"agent_memory", "memory_scopes", "memory_proposals", "memory_waiting"}
    store.close()


def test_every_statement_carries_the_scope(home: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[tuple[str, Mapping[str, Any]]] = []

    def note(kind: type, name: str) -> None:
        real = vars(kind)[name]

        def noting(self: Any, what: Any, *more: Any, **values: Any) -> Any:
            if name == "expect":
                said.append((more[0], values))
            elif name == "run_many":
                more = (list(more[0]),)
                said.extend((what, row) for row in more[0])
            else:
                said.extend(what if name == "ask" else [(what, values)])
            return real(self, what, *more, **values)

        monkeypatch.setattr(kind, name, noting)

    kinds = (ReadOnlyDb, Connected, SqliteDb) if home.kind == "sqlite" else (ServerReader, ServerSession)
    for kind in kinds:
        for name in ("all", "run", "run_many", "ask", "expect"):
            if name in vars(kind):
                note(kind, name)
    store = home.open()
    ((scope,),) = home.place.rows("SELECT scope FROM memory_scopes")
    store.transact(decide("one", ["item0"]), core_plan)
    store.transact(Request(stamp("undo"), Kind.UNDO, reverts=stamp("one").change), core_plan)
    store.check(), store.traces(), store.queue.refresh(), store.backups()
    store.close()
    about_tables = [
        (text, values)
        for text, values in said
        if "memory_" in text and not ("memory_schema" in text or "pg_roles" in text)
    ]
    assert len(about_tables) > 100
    for text, values in about_tables:
        if "agent_memory" in text or ("FROM memory_scopes" in text and "s.scope = :scope" not in text):
            assert {"tenant": "acme", "user": "ada", "agent": ""}.items() <= values.items(), text
        elif "memory_rules" in text:
            assert values == {"tenant": "acme"}, text
        else:
            assert values.get("scope") == scope, text
            assert "scope = :scope" in text or "(:scope," in text, text


@pytest.mark.parametrize(
    ("tenant", "user", "agent"),
    [("", None, ""), ("", "", ""), ("", "x" * 129, ""), ("\0", "a", ""), ("", "a", "\ud800")],
)
def test_what_names_nobody_is_a_usage_error(tenant: str, user: str | None, agent: str) -> None:
    with pytest.raises(UsageError):
        whose(tenant, user, agent)


# -- what is replayed ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("isolation", ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"])
def test_no_update_is_lost_on_any_isolation_level(server: Server, tmp_path: Path, isolation: str) -> None:
    home = make_home(Scope("postgres", tmp_path / "home", server))
    failed: list[BaseException] = []

    def work(name: str) -> None:
        store = SqlStore(ServerDatabase(home.place.address, isolation), ADA, Patience(30))
        try:
            for number in range(6):
                store.transact(_added(f"{name}{number}"), core_plan)
        except BaseException as error:  # a thread tells nobody
            failed.append(error)
        store.close()

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    entries = parse(MEMORY, home.documents()[MEMORY]).entries
    assert sorted(entries) == sorted(["one", *(f"{name}{number}" for name in "abcd" for number in range(6))])
    assert check(home) == []


def test_only_what_the_database_asks_for_is_replayed_and_only_for_a_time(home: Scope) -> None:
    calls: list[int] = []

    def broken(view: View, request: Request) -> Change:
        calls.append(1)
        raise ValueError("a rule")

    store = home.open()
    with pytest.raises(ValueError, match="a rule"):
        store.transact(correct("one"), broken)
    assert len(calls) == 1
    store.close()

    def again() -> None:
        calls.append(1)
        raise Again

    with pytest.raises(Locked, match="nothing was changed"):
        replayed(again, 0.1)
    assert 3 < len(calls) < 60


def test_a_plan_that_meets_a_writer_of_the_queue_is_made_anew(server: Server, tmp_path: Path) -> None:
    """An agent may write another record in the place of one while it is decided: what is there now is decided."""
    home = make_home(Scope("postgres", tmp_path / "home", server))
    store, seen = home.open(), []

    def plan(view: View, request: Request) -> Change:
        seen.append(view.waiting["item0"].raw)
        if len(seen) == 1:
            home.add("item0", "another fact")
        return core_plan(view, request)

    assert store.transact(decide("one", ["item0"]), plan).change
    assert len(seen) == 2
    assert parse(MEMORY, home.documents()[MEMORY]).entries == ("one", "another fact")
    store.close()
    assert check(home) == []


def test_an_approval_makes_few_journeys_to_a_server(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a network each takes a millisecond: the lock with the view, what the row binds, the rest with the commit."""
    home = make_home(Scope("postgres", tmp_path / "home", server))
    store, journeys = home.open(), []
    store.transact(decide("first", ["item0"]), core_plan)
    for name in ("ask", "run", "send", "commit"):
        real = vars(ServerSession)[name]

        def counted(self: Any, *more: Any, real: Any = real, name: str = name, **values: Any) -> Any:
            journeys.append(name)
            return real(self, *more, **values)

        monkeypatch.setattr(ServerSession, name, counted)
    store.transact(decide("second", ["item2"]), core_plan)
    assert journeys == ["ask", "ask", "commit"]
    store.close()


def test_an_interrupt_leaves_nothing_and_no_lock(home: Scope) -> None:
    store, other = home.open(), home.open(wait=0.2)

    def interrupted(view: View, request: Request) -> Change:
        raise KeyboardInterrupt

    before = home.place.contents()
    with pytest.raises(KeyboardInterrupt):
        store.transact(correct("one"), interrupted)
    assert home.place.contents() == before
    assert other.transact(correct("two"), planned({MEMORY: added("x")})).change
    assert store.transact(correct("three"), planned({MEMORY: added("y")})).change
    store.close(), other.close()


def test_every_point_of_a_change_is_passed(home: Scope, tmp_path: Path) -> None:
    place, passed = Scope(home.kind, tmp_path / "plan", home.server), set()
    BEFORE["plan"](place)
    passed |= {point.partition(":")[0] for point in points_of(RUN["plan"], place)}
    assert passed == set(all_points("sql")) - {"upgraded", "partitioned"}


# -- the same everywhere ---------------------------------------------------------------------------------------------


def test_the_same_decisions_give_the_same_ledger_on_both_engines(server: Server, tmp_path: Path) -> None:
    heads = set()
    for kind in ("sqlite", "postgres"):
        home = make_home(Scope(kind, tmp_path / kind, server if kind == "postgres" else None))
        store = home.open()
        store.transact(decide("plan", ["item0", "item1", "item2"]), core_plan)
        store.transact(Request(stamp("undo"), Kind.UNDO, reverts=stamp("plan").change), core_plan)
        store.transact(decide("no", ["item2"], Verb.REJECT), core_plan)
        heads.add(store.book.head())
        store.close()
        assert check(home) == []
    assert len(heads) == 1


def test_who_wrote_a_record_stays_known_when_it_returns(home: Scope) -> None:
    store = home.open()
    store.transact(decide("no", ["item0"], Verb.REJECT), core_plan)
    store.transact(Request(stamp("undo"), Kind.UNDO, reverts=stamp("no").change), core_plan)
    assert home.place.rows("SELECT written_by FROM memory_proposals WHERE id = 'item0'") == [("an agent",)]
    store.close()


def test_a_record_under_an_id_that_waits_is_not_stored(home: Scope) -> None:
    store = home.open()
    raw = record_bytes([_operation("new")])
    assert store.stage([("item0", raw), ("item9", raw)], "x") == ("item0",)
    assert store.queue.refresh()
    assert store.queue.ids() == ("item9", "item0", "item1", "item2")
    store.close()


@pytest.mark.parametrize("spoil", ["DELETE FROM memory_ledger WHERE seq = 2", "UPDATE memory_waiting SET waiting = 9",
                                   "UPDATE memory_image_files SET body = 'x'", "DELETE FROM memory_images",
                                   "UPDATE memory_changes SET actor_name = 'eve'"])  # fmt: skip
def test_what_does_not_agree_is_found(home: Scope, spoil: str) -> None:
    store = home.open()
    store.transact(_added("two"), core_plan)
    assert store.check() == []
    home.place.change(spoil)
    assert store.check() != []
    store.close()


def test_a_file_is_made_by_the_first_change_and_not_before(tmp_path: Path) -> None:
    place = Place(f"sqlite:///{tmp_path}/deep/memory.db")
    store = SqlStore(open_database(place.address), ADA)
    assert store.snapshot().entries() == {MEMORY: (), USER: ()}
    assert (store.queue.refresh(), store.book.rows(), store.check(), store.backups()[0]) == (False, [], [], [])
    assert not (tmp_path / "deep").exists()
    assert store.transact(_added("one"), core_plan).change
    assert store.snapshot().entries()[MEMORY] == ("one",)
    assert len(store.book.rows()) == 1
    store.close()
    assert [file.name for file in (tmp_path / "deep").iterdir()] == ["memory.db"]


def test_tables_that_are_not_of_this_version_are_refused(bare: Place) -> None:
    bare.execute("CREATE TABLE other (x INTEGER)")
    with pytest.raises(StoreError, match="no tables of ours") as caught:
        open_database(bare.address)
    assert "db upgrade" in caught.value.way_out


def test_text_that_a_server_cannot_hold_is_refused_and_nothing_is_changed(server: Server, tmp_path: Path) -> None:
    home = make_home(Scope("postgres", tmp_path / "home", server))
    store = home.open()
    with pytest.raises(WriteFailed, match="nothing was changed"):
        store.transact(correct("one"), planned({MEMORY: added("a\0b")}))
    assert parse(MEMORY, home.documents()[MEMORY]).entries == ("one",)
    assert store.book.change("a\0b") is None
    assert store.book.change("\ud800") is None
    store.close()
    assert database_at(home.place.address).dialect == "postgresql"
    assert open_store(home).check() == []


@pytest.mark.parametrize("name", ["\x00", "\ud800", "a\udcffb"])
def test_a_name_that_no_database_can_hold_is_one_that_nothing_has(home: Scope, name: str) -> None:
    store = home.open()
    assert store.queue.get(name) is None
    assert store.book.decided([name]) == {}
    receipt = store.transact(decide("strange", [name]), core_plan)
    assert (receipt.change, len(receipt.not_applied)) == (None, 1)
    for write in (
        lambda: store.stage([(name, record_bytes([_operation("x")]))], "x"),
        lambda: store.claims.take(name, "x"),
    ):
        if name == "\x00" and home.kind == "sqlite":
            break  # a file can hold that one
        with pytest.raises(StoreError):
            write()
    store.close()
    assert check(home) == []
