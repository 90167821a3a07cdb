"""One person's memory tells nothing of another's: not by what is there, nor by what is refused."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from curator_tui.core.documents import Target
from curator_tui.core.errors import CuratorError
from curator_tui.core.operations import Action, Operation
from curator_tui.core.plans import plan as core_plan
from curator_tui.core.requests import Actor, ActorKind, Decision, Kind, Request, Stamp, Verb
from curator_tui.stores.sql.checking import check_database
from curator_tui.stores.sql.opening import open_database
from curator_tui.stores.sql.records import record_bytes
from curator_tui.stores.sql.roles import AGENT, AUDITOR, SERVICE, SUBJECT
from curator_tui.stores.sql.scopes import Whose
from curator_tui.stores.sql.store import SqlStore
from tests.databases import Place, made
from tests.postgres import Server
from tests.stores.ground import ADA
from tests.stores.homes import decide, stamp

BOB = Whose("acme", "bob", "")
LOGINS = {role: f"curator_tui_test_{role.removeprefix('memory_')}" for role in (AGENT, SERVICE, SUBJECT, AUDITOR)}
CALLS = 100
"""Of each engine; ``APART_WORLDS=50 python -m pytest …`` makes 5,000 in fifty pairs of worlds."""


def opened(url: str, mine: Whose) -> SqlStore:
    return SqlStore(open_database(Place(url).address), mine)


def record(content: str) -> bytes:
    return record_bytes([Operation(Action.ADD, Target.MEMORY, content=content)], origin="a", created_at=1.0)


# -- a scope that is not there and one that is not allowed -----------------------------------------------------------


@pytest.fixture(scope="module")
def served(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = made("postgres", tmp_path_factory.mktemp("apart"), server)
    for role, login in LOGINS.items():
        server.let_in(login, role)
        place.change("INSERT INTO memory_bindings (role, tenant_id, user_id) VALUES (?, 'acme', 'ada')", login)
    for mine in (ADA, BOB):
        store = opened(place.url, mine)
        store.stage([(f"item{at}", record(f"{mine.user} {at}")) for at in range(3)], "agent")
        store.transact(decide(mine.user, ["item0"]), core_plan)
        store.close()
    return place


def attempts(store: SqlStore) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield everything that a handle can be asked, with its name."""
    request = decide("again", ["item1"])
    yield "snapshot", store.snapshot
    yield "facts", lambda: msgspec.structs.replace(store.facts(), scope="")
    yield "queue", lambda: (store.queue.refresh(), len(store.queue), store.queue.peek(5), store.queue.get("item1"))
    yield "author", lambda: store.queue.author("item0", "x")
    yield "book", lambda: (store.book.rows(), store.book.head(), store.book.chain(), store.book.changes())
    yield "one change", lambda: (store.book.change(stamp("bob").change), store.book.receipt(stamp("bob").operation))
    yield "backups", lambda: (store.backups(), store.backup_names(), store.unknown_backups())
    yield "traces", store.traces
    yield "check", store.check
    yield "view", lambda: store.peek(request)
    yield (
        "claims",
        lambda: (store.claims.held(), store.claims.take("item1", "me"), store.claims.take_first(["item1"], "me")),
    )
    yield "stage", lambda: store.stage([("item1", record("one"))], "me")
    yield "decide", lambda: store.transact(request, core_plan)
    yield (
        "correct",
        lambda: store.transact(
            Request(stamp("c"), Kind.CORRECT, corrections=(Operation(Action.ADD, Target.MEMORY, content="x"),)),
            core_plan,
        ),
    )
    yield "refuse", lambda: store.note_refusal("may-not-decide", "cli")


def told(ask: Callable[[], Any], hide: str) -> str:
    try:
        return repr(ask())
    except CuratorError as error:
        return repr((type(error), error.code, error.message.replace(hide, "X"), error.way_out))


@pytest.mark.parametrize("role", LOGINS)
def test_a_scope_that_is_not_allowed_is_as_one_that_is_not_there(served: Place, role: str) -> None:
    assert served.server is not None
    url = served.server.as_login(served.url, LOGINS[role])
    before = served.contents()
    stores = [opened(url, mine) for mine in (BOB, Whose("acme", "nobody", ""), Whose("nowhere", "bob", ""))]
    try:
        for there, nobody, nowhere in zip(*map(attempts, stores), strict=True):
            answers = [
                told(ask, mine.user)
                for (_, ask), mine in zip((there, nobody, nowhere), (s.mine for s in stores), strict=True)
            ]
            assert answers[0] == answers[1] == answers[2], there[0]
            assert "bob 1" not in answers[0]
    finally:
        for store in stores:
            store.close()
    assert served.contents() == before


def test_as_many_journeys_are_made_for_either(served: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    assert served.server is not None
    url = served.server.as_login(served.url, LOGINS[AGENT])
    from curator_tui.stores.sql.server import ServerReader

    asked: list[int] = []
    real = ServerReader.ask
    monkeypatch.setattr(
        ServerReader, "ask", lambda self, questions: asked.append(len(questions)) or real(self, questions)
    )
    counts = []
    for mine in (BOB, Whose("acme", "nobody", "")):
        store = opened(url, mine)
        asked.clear()
        for _, ask in attempts(store):
            told(ask, mine.user)
        counts.append(list(asked))
        store.close()
    assert counts[0] == counts[1]


# -- two worlds that differ only in what somebody else has -----------------------------------------------------------


class Other:
    """Bob, who lives in one of two worlds only, and does something between the calls of Ada."""

    def __init__(self, url: str, chance: random.Random) -> None:
        self.store = opened(url, BOB)
        self._chance = chance
        self._at = 0

    def live(self) -> None:
        self._at += 1
        name = f"item{self._chance.randrange(6)}"
        if self._at % 3 == 0:
            self.store.claims.take(name, "bob")
        elif self._at % 3 == 1:
            self.store.stage([(name, record(f"bob {self._at}"))], "bob")
        else:
            verb = self._chance.choice((Verb.APPROVE, Verb.REJECT))
            self.store.transact(decide(f"bob {self._at}", [name], verb), core_plan)


HOSTILE = ("item9", "", "bob", "'; --", "%", "_", "\x00", "\ud800", "item1' OR '1'='1", "*", "item1" * 100)


def forged(chance: random.Random, at: int) -> bytes:
    """Return a record that says all kinds of things of itself that are not its to say."""
    keys = {
        "user_id": "bob", "tenant": "other", "tenant_id": "other", "approved_by": "me", "written_by": "me",
        "author": "me", "trust": "trusted", "actor": {"kind": "person"}, "staged_at": 5, "scope": "x",
    }  # fmt: skip
    picked = {name: keys[name] for name in chance.sample(sorted(keys), 4)}
    plain = msgspec.json.decode(record(f"fact {at}"))
    return msgspec.json.encode({**plain, **picked})


def step(store: SqlStore, chance: random.Random, at: int) -> Callable[[], Any]:
    """Return one call of Ada, drawn by chance."""
    name = chance.choice(HOSTILE) if chance.random() < 0.2 else f"item{chance.randrange(6)}"
    actor = Actor(ActorKind.PERSON, "ada", "cli")
    new = Stamp(actor, f"op {at}", f"{at:016x}", 1_790_000_000.0 + at, f"{at:032d}".encode())
    add = Operation(Action.ADD, Target.MEMORY, content=f"own {chance.randrange(9)}")
    everything = (
        lambda: store.stage([(f"item{chance.randrange(6)}", forged(chance, at))], "agent"),
        lambda: store.transact(Request(new, Kind.DECIDE, decisions=(Decision(name, Verb.APPROVE),)), core_plan),
        lambda: store.transact(Request(new, Kind.DECIDE, decisions=(Decision(name, Verb.REJECT),)), core_plan),
        lambda: store.transact(Request(new, Kind.CORRECT, corrections=(add,)), core_plan),
        lambda: store.transact(Request(new, Kind.UNDO, reverts=store.book.newest_undoable(actor)), core_plan),
        lambda: store.transact(Request(new, Kind.REOPEN, reopen=(name,)), core_plan),
        store.snapshot,
        lambda: (store.queue.refresh(), store.queue.proposals(), store.queue.get(name)),
        lambda: (store.book.rows(), store.book.decided([name]), store.book.index()),
        lambda: (store.backups(), store.backup(name)),
        lambda: (store.check(), store.traces()),
        lambda: (store.claims.held(), store.claims.take(name, "ada")),
        store.facts,
    )
    return chance.choice(everything)


def transcript(place: Place, seed: int, other: Callable[[], None]) -> list[str]:
    chance = random.Random(seed)
    store, said = opened(place.url, ADA), []
    for at in range(CALLS):
        said.append(told(step(store, chance, at), place.address.label).replace(place.address.label, "HERE"))
        if at % 2:
            other()
    said.append(repr(store.check()))
    store.close()
    return said


@pytest.mark.parametrize("seed", range(int(os.environ.get("APART_WORLDS", "1"))))
def test_worlds_that_differ_only_in_somebody_else_answer_the_same(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest, seed: int
) -> None:
    server = request.getfixturevalue("server") if engine == "postgres" else None
    worlds = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        worlds.append(made(engine, folder, server))
    alone = transcript(worlds[0], seed, lambda: None)
    bob = Other(worlds[1].url, random.Random(-1 - seed))
    beside = transcript(worlds[1], seed, bob.live)
    bob.store.close()
    for at, (one, two) in enumerate(zip(alone, beside, strict=True)):
        assert one == two, at
    rows = "SELECT count(*) FROM memory_ledger JOIN memory_scopes USING (scope) WHERE user_id = 'bob'"
    assert worlds[1].rows(rows)[0][0] > 0
    assert len({line for line in alone if "Receipt" in line}) > CALLS / 8, "much was really done"
    assert alone[-1] == "[]"
    owners = "SELECT DISTINCT tenant_id, user_id FROM {} ORDER BY 1, 2"
    assert worlds[0].rows(owners.format("memory_scopes")) == [("acme", "ada")], "nothing that was forged counted"
    assert worlds[0].rows(owners.format("agent_memory")) in ([("acme", "ada")], [])


# -- names that are read as one --------------------------------------------------------------------------------------


def test_people_who_are_easily_taken_for_each_other_are_pointed_out(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    place = made(engine, tmp_path, request.getfixturevalue("server") if engine == "postgres" else None)
    assert check_database(place.address, "acme").notes == ()
    for user in ("ada", "Ada", "\u0430da", "eve"):
        store = opened(place.url, Whose("acme", user, ""))
        store.stage([("item", record("x"))], "agent")
        store.close()
    insert = "INSERT INTO agent_memory (tenant_id, user_id, memory_type, content) VALUES ('acme', ?, 'memory', 'x')"
    place.change(insert, "eve ")
    store = opened(place.url, ADA)
    (words,) = store.facts().warnings
    assert words in store.facts().notes
    assert words == "'ada' is easily taken for somebody else: 'Ada', '\u0430da' (U+0430)"
    store.close()
    assert check_database(place.address, "acme").notes == (
        "easily taken for each other: 'Ada', 'ada', '\u0430da' (U+0430)",
        "easily taken for each other: 'eve', 'eve '",
    )
    assert check_database(place.address, "other").notes == ()
    for mine in (Whose("acme", "bob", ""), Whose("other", "ada", "")):
        store = opened(place.url, mine)
        assert store.facts().warnings == ()
        store.close()
    if place.server is not None:
        place.server.let_in(LOGINS[SUBJECT], SUBJECT)
        place.change(
            "INSERT INTO memory_bindings (role, tenant_id, user_id) VALUES (?, 'acme', 'ada')", LOGINS[SUBJECT]
        )
        store = opened(place.server.as_login(place.url, LOGINS[SUBJECT]), ADA)
        assert store.facts().warnings == (), "whoever may see one memory only is told of nobody"
        store.close()
