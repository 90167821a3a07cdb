"""Many people in one database: a small world of them for tests, and a big one for figures.

Here: filling a database. Not here: any expectation.
"""

from __future__ import annotations

from collections.abc import Iterable

from curator_tui.core.documents import Target
from curator_tui.core.operations import Action, Operation
from curator_tui.stores.sql.opening import open_database
from curator_tui.stores.sql.records import record_bytes
from curator_tui.stores.sql.scopes import whose
from curator_tui.stores.sql.store import SqlStore
from tests.databases import Place

TENANT = "acme"


def add(text: str, target: Target = Target.MEMORY) -> Operation:
    """Return the operation that adds an entry."""
    return Operation(Action.ADD, target, content=text)


def stage(place: Place, user: str, records: Iterable[tuple[str, Operation, float]], tenant: str = TENANT) -> None:
    """Let records wait for one person: item id, what it does, and when it was proposed."""
    store = SqlStore(open_database(place.address), whose(tenant, user, ""))
    store.stage([(name, record_bytes([step], origin="agent", created_at=at)) for name, step, at in records], "agent")
    store.close()


def remember(place: Place, user: str, content: str, target: Target = Target.MEMORY, tenant: str = TENANT) -> None:
    """Put a document into the table that a service reads."""
    insert = "INSERT INTO agent_memory (tenant_id, user_id, memory_type, content) VALUES (?, ?, ?, ?)"
    place.change(insert, tenant, user, str(target), content)
