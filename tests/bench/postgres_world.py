"""Databases for the benchmark, and what stands in them: people with waiting items, the same every time.

Here: a server on a real disk that syncs, worlds of two sizes, and copies of a database. Not here: measuring.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from curator_tui.core.documents import Target
from curator_tui.core.operations import Action, Operation
from curator_tui.core.requests import Actor, ActorKind
from curator_tui.curator.desk import Desk
from curator_tui.stores.sql.addresses import address_of
from curator_tui.stores.sql.granting import grant
from curator_tui.stores.sql.opening import open_database
from curator_tui.stores.sql.records import record_bytes
from curator_tui.stores.sql.scopes import Whose
from curator_tui.stores.sql.store import SqlStore
from curator_tui.stores.sql.upgrading import upgrade
from tests import postgres
from tests.postgres import Server

SAFE = ("fsync=on", "full_page_writes=on", "shared_buffers=256MB", "max_wal_size=4GB", "checkpoint_timeout=30min")
ROOMY = 1_000_000
_PEOPLE = """
    INSERT INTO memory_scopes (scope, tenant_id, user_id)
    SELECT md5(n::text), 'acme', 'user' || n FROM generate_series(0, %(people)s - 1) n
"""
_ITEMS = """
    INSERT INTO memory_proposals (scope, id, digest, body, ordered_at, written_by, tenant_id)
    SELECT md5((CASE WHEN n < 200 * %(busy)s THEN n %% %(busy)s ELSE n %% %(people)s END)::text),
        lpad(to_hex(n), 8, '0'), encode(sha256(int8send(n)), 'hex'),
        convert_to(format(%(body)s, n), 'UTF8'), n, 'an agent', 'acme' FROM generate_series(0, %(items)s - 1) n
"""
_COUNTS = """
    INSERT INTO memory_waiting (scope, tenant_id, waiting)
    SELECT scope, tenant_id, count(*) FROM memory_proposals GROUP BY scope, tenant_id
"""
_BODY = '{"operations":[{"action":"add","content":"fact %s","target":"memory"}],"origin":"","says":""}'


@contextmanager
def server_on(folder: Path) -> Iterator[Server]:
    """Run a server that keeps what it acknowledges, on the disk of a folder."""
    with postgres.running(*SAFE, where=folder) as server:
        yield server


def person(number: int) -> Whose:
    """Return one of the people."""
    return Whose("acme", f"user{number}", "")


def store_of(url: str, mine: Whose) -> SqlStore:
    """Open one person's memory."""
    return SqlStore(open_database(address_of(url)), mine)


def desk_of(url: str, mine: Whose) -> Desk:
    """Open one person's desk."""
    return Desk(store_of(url, mine), Actor(ActorKind.PERSON, "bench", "cli"))


def item(number: int) -> str:
    """Return the id of one of the items that :func:`few` stages."""
    return f"{number:08x}"


def cut(server: Server, parts: int) -> str:
    """Make a database whose tables are cut into parts; return its address."""
    url = server.database()
    upgrade(address_of(url), parts)
    grant(address_of(url))
    return server.as_login(url, postgres.CURATOR)


def few(server: Server, people: int, each: int, parts: int = 0) -> str:
    """Make a database with some people who each have as many items that add a short entry; return its address.

    Args:
        server: where.
        people: how many.
        each: items of each.
        parts: into how many parts its tables are cut; 0 for whole ones.
    """
    url = cut(server, parts) if parts else server.store()
    for number in range(people):
        with closing(store_of(url, person(number))) as store:
            store.stage([(item(place), _record(place)) for place in range(each)], "an agent")
    with psycopg.connect(server.keeper(url)) as keeper:
        keeper.execute("UPDATE memory_scopes SET memory_limit = %s", [ROOMY])
    return url


def _record(place: int) -> bytes:
    return record_bytes([Operation(Action.ADD, Target.MEMORY, content=f"fact {place}")], created_at=float(place))


def copy_of(server: Server, url: str) -> str:
    """Copy a database that nobody is connected to; return the address of the copy."""
    copied = server.database(template=urlsplit(url).path.removeprefix("/"))
    return server.as_login(copied, postgres.CURATOR)


def many(server: Server, items: int, people: int, busy: int) -> str:
    """Make a database with many waiting items of many people, 200 and more of each busy one; return its address."""
    url = server.store()
    with psycopg.connect(server.keeper(url), autocommit=True) as keeper:
        keeper.execute("ALTER TABLE memory_proposals DISABLE TRIGGER USER")
        keeper.execute(_PEOPLE, {"people": people})
        keeper.execute(_ITEMS, {"people": people, "items": items, "busy": busy, "body": _BODY})
        keeper.execute(_COUNTS)
        keeper.execute("ALTER TABLE memory_proposals ENABLE TRIGGER USER")
        keeper.execute("VACUUM ANALYZE")
    return url
