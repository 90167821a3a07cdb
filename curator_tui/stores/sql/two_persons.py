"""Two persons: the rules of a tenant, and the first approvals that wait for a second one.

Here: the statements. Not here: what a rule means (``core.two_persons``), who may set one. A first approval is a note:
it stands in no ledger, and is gone when its item is decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from curator_tui.core.errors import WriteFailed
from curator_tui.core.two_persons import Noted
from curator_tui.stores.book.db import Db, ReadDb, for_each
from curator_tui.stores.sql.bounds import Bound
from curator_tui.stores.sql.database import WAIT_SECONDS, Database, Unanswered

_RULES = "SELECT name FROM memory_rules WHERE tenant_id = :tenant"
_NOTED = "SELECT proposal, noted_by, digest FROM memory_approvals WHERE scope = :scope AND proposal IN (:names)"
_DROP = "DELETE FROM memory_approvals WHERE scope = :scope AND proposal = :proposal"
_NOTE = "INSERT INTO memory_approvals (scope, proposal, digest, noted_by) VALUES (:scope, :proposal, :digest, :by)"


def rules_of(db: ReadDb, tenant: str) -> frozenset[str]:
    """Return what asks for a second person in a tenant."""
    return frozenset(str(name) for (name,) in db.all(_RULES, tenant=tenant))


def noted_in(db: ReadDb, scope: str, items: Iterable[str]) -> dict[str, Noted]:
    """Return the first approvals of items of a scope, by item id."""
    rows = for_each(db, _NOTED, items, scope=scope)
    return {str(item): Noted(str(by), str(digest)) for item, by, digest in rows}


def note(db: Db, scope: str, noted: Mapping[str, Noted]) -> None:
    """Note first approvals, each in the place of the one before."""
    forget(db, scope, noted)
    db.run_many(
        _NOTE, [{"scope": scope, "proposal": name, "digest": one.digest, "by": one.by} for name, one in noted.items()]
    )


def forget(db: Db, scope: str, items: Iterable[str]) -> None:
    """Drop the first approvals of items that are decided."""
    db.run_many(_DROP, [{"scope": scope, "proposal": name} for name in items])


def set_rules(database: Database, tenant: str, names: Sequence[str]) -> None:
    """Put rules in the place of those that a tenant has.

    Raises:
        StoreError: it was not stored, or nobody knows.
    """
    from curator_tui.stores.sql.transacting import replayed  # which holds to the rules itself

    def once() -> None:
        with database.session(Bound(tenant)) as session:
            session.begin(WAIT_SECONDS)
            session.run("DELETE FROM memory_rules WHERE tenant_id = :tenant", tenant=tenant)
            insert = "INSERT INTO memory_rules (tenant_id, name) VALUES (:tenant, :name)"
            session.run_many(insert, [{"tenant": tenant, "name": name} for name in dict.fromkeys(names)])
            session.send()
            session.commit()

    try:
        replayed(once, WAIT_SECONDS)
    except Unanswered as error:
        raise WriteFailed("whether it was noted is not known.", way_out="Look again: curator-tui db rules") from error
