"""The desk over all people of a tenant at any size: ``python -m tests.bench.people [sqlite|postgres] [USERS] [ITEMS]``.

Here: filling a database past the store, and how long somebody waits for the first frame, the next item and a filter;
each beside the same on 200 items. Not here: laws; the tests hold those on small worlds.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import psycopg

from curator_tui.core.requests import Verb
from curator_tui.curator.looking import board, glance, look
from curator_tui.curator.opening import DatabaseScope, open_desk
from curator_tui.curator.people.clusters import cluster_of, decide_cluster
from curator_tui.curator.people.desk import PeopleDesk
from curator_tui.curator.queries import Query
from tests import postgres
from tests.databases import Place, made

_BEGAN = 1_700_000_000.0
_SCOPES = ("scope", "tenant_id", "user_id", "agent_id")
_PROPOSALS = ("scope", "id", "digest", "body", "ordered_at", "written_by", "tenant_id", "alike")
_MEMORY = ("tenant_id", "user_id", "agent_id", "memory_type", "content")
_WAITING = ("scope", "tenant_id", "waiting")
_SHARED = 400
_WORDS = ("tea", "coffee", "trains", "bicycles", "zsh", "python", "rust", "gardens", "chess", "maps")


def _scope(at: int) -> str:
    return sha256(b"%d" % at).hexdigest()[:32]


def _proposals(users: int, items: int) -> Iterator[tuple[Any, ...]]:
    for at in range(items):
        shared = at % 3 == 0 and at < min(users, 3 * _SHARED)
        text = "The office is closed on Friday" if shared else f"Likes {_WORDS[at % 10]} of kind {at}"
        step = {"action": "add", "content": text, "target": "memory"}
        body = json.dumps({"created_at": _BEGAN + at, "operations": [step], "origin": "agent", "says": ""}).encode()
        fact = sha256(json.dumps(["memory", text], separators=(",", ":")).encode()).hexdigest()[:32]
        yield (_scope(at % users), f"i{at}", sha256(body).hexdigest(), body, _BEGAN + at, "agent", "acme", fact)


def fill(place: Place, users: int, items: int) -> None:
    """Let so many items wait for so many people."""
    waits = [items // users + (at < items % users) for at in range(users)]
    rows: dict[str, tuple[tuple[str, ...], Iterator[tuple[Any, ...]]]] = {
        "memory_scopes": (_SCOPES, ((_scope(at), "acme", f"user{at:06}", "") for at in range(users))),
        "agent_memory": (
            _MEMORY,
            (("acme", f"user{at:06}", "", "memory", f"Uses zsh\n§\nLives in town {at}") for at in range(users)),
        ),
        "memory_proposals": (_PROPOSALS, _proposals(users, items)),
        "memory_waiting": (_WAITING, ((_scope(at), "acme", waits[at]) for at in range(users))),
    }
    if place.server is None:
        connection = sqlite3.connect(place.address.file, isolation_level=None)
        connection.execute("BEGIN")
        for trigger in ("memory_proposals_added",):
            (made_by,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", [trigger]).fetchone()
            connection.execute(f"DROP TRIGGER {trigger}")
        for table, (columns, values) in rows.items():
            marks = ", ".join("?" * len(columns))
            connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", values)
        connection.execute(made_by)
        connection.execute("COMMIT")
        connection.execute("ANALYZE")
        connection.close()
        return
    with psycopg.connect(place.keeper) as served:
        served.execute("ALTER TABLE memory_proposals DISABLE TRIGGER USER")
        for table, (columns, values) in rows.items():
            with served.cursor() as cursor, cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy:
                for row in values:
                    copy.write_row(row)
        served.execute("ALTER TABLE memory_proposals ENABLE TRIGGER USER")
    with psycopg.connect(place.keeper, autocommit=True) as served:
        served.execute("VACUUM ANALYZE")


def _timed(job: Callable[[], object]) -> float:
    began = perf_counter()
    job()
    return (perf_counter() - began) * 1000


def _decided(desk: PeopleDesk, name: str, following: str) -> float:
    looked = look(desk, name)
    began = perf_counter()
    desk.decide([looked.decision(Verb.APPROVE)], shown=looked.digest)
    look(desk, following)
    return (perf_counter() - began) * 1000


def measure(place: Place) -> dict[str, float]:
    """Return how long somebody waits, in milliseconds."""
    found: dict[str, float] = {}
    scope = DatabaseScope(place.url, "acme")

    def opened() -> PeopleDesk:
        desk = open_desk(database=scope, environ={}, through="tui", first=24, many=True)
        assert isinstance(desk, PeopleDesk)
        glance(desk)
        return desk

    opened().close()
    began = perf_counter()
    desk = opened()
    found["first frame (open, glance)"] = (perf_counter() - began) * 1000
    found["whole beginning"] = _timed(lambda: (desk.refresh(), board(desk, query=Query(), budget=0.03)))
    began = perf_counter()
    while not desk.queue.advance(0.02):
        pass
    found["all states of the beginning"] = (perf_counter() - began) * 1000
    found["poll"] = median(_timed(lambda: (desk.refresh(), board(desk, query=Query()))) for _ in range(5))
    names = [row.id for row in desk.queue.rows() if row.people == 1][:40]
    nexts = []
    for name, following in zip(names[::2], names[1::2], strict=False):
        nexts.append(_decided(desk, name, following))
    found["decide and next item"] = median(nexts)
    for label, words in (
        ("a common word", "coffee"),
        ("a rare word", "nothingness"),
        ("one person", "user:user000150"),
    ):
        began = perf_counter()
        board(desk, query=Query(words))
        found[f"filter by {label}: first answer"] = (perf_counter() - began) * 1000
        while not desk.queue.advance(0.02):
            pass
        found[f"filter by {label}: all of it"] = (perf_counter() - began) * 1000
    board(desk, query=Query())
    shared = next((row.id for row in desk.queue.rows() if row.people > 1), None)
    if shared is not None:
        began = perf_counter()
        cluster = cluster_of(desk, shared, Verb.APPROVE)
        found[f"look at {len(cluster.members)} alike"] = (perf_counter() - began) * 1000
        found[f"decide {len(cluster.taken)} alike"] = _timed(lambda: decide_cluster(desk, cluster))
    desk.close()
    return found


def main() -> None:
    """Print both sizes beside each other."""
    engine, users, items = (*sys.argv[1:], *("postgres", "100000", "1000000")[len(sys.argv) - 1 :])
    with tempfile.TemporaryDirectory() as folder, postgres.given() as server:
        figures = []
        for place_users, place_items in ((200, 200), (int(users), int(items))):
            place = made(engine, Path(folder), server if engine == "postgres" else None)
            began = perf_counter()
            fill(place, place_users, place_items)
            print(f"filled {place_items} items of {place_users} people in {perf_counter() - began:.0f} s", flush=True)
            figures.append(measure(place))
        for name in dict.fromkeys(name for one in figures for name in one):
            print(f"{name:40}" + "".join(f"{one[name]:12.1f} ms" if name in one else " " * 15 for one in figures))


if __name__ == "__main__":
    main()
