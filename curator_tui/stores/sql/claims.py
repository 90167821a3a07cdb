"""Claims: who looks at which waiting item just now, so that several curators do not read the same one.

Here: the statements. Claims stand beside the queue: they are no change, no row of a ledger holds them, they keep nobody
from reading or deciding, and each ends by itself. Not here: when one is taken, what is said of it.

A desk holds one claim at a time. The clock is that of the server, or of the machine that has the file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from curator_tui.core.errors import WriteFailed
from curator_tui.stores.book.db import ReadDb, with_list
from curator_tui.stores.sql.addresses import Dialect
from curator_tui.stores.sql.bounds import Bound
from curator_tui.stores.sql.database import Database, Session, Unanswered
from curator_tui.stores.sql.names import name_of
from curator_tui.stores.sql.transacting import replayed

LEASE_SECONDS = 60.0
_WAIT = 0.25  # help that has to be waited for is none
_NOW: Mapping[Dialect, str] = {
    "sqlite": "((julianday('now') - 2440587.5) * 86400.0)",
    "postgresql": "CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS DOUBLE PRECISION)",
}
# What others are about to take or to decide is passed over instead of waited for; a file has only one writer anyway.
_SKIP: Mapping[Dialect, str] = {"sqlite": "", "postgresql": "FOR UPDATE SKIP LOCKED"}
_HELD = """
    SELECT proposal, holder FROM memory_claims WHERE scope = :scope AND desk <> :desk AND until > {now}
"""
_HELD_BY_ALL = """
    SELECT c.scope, c.proposal, c.holder FROM memory_claims c JOIN memory_scopes s ON s.scope = c.scope
    WHERE s.tenant_id = :tenant AND c.desk <> :desk AND c.until > {now}
"""
# Taken in one statement: of two desks that take an item at once, the second finds the first.
_TAKE = """
    INSERT INTO memory_claims (scope, proposal, holder, desk, until)
    VALUES (:scope, :item, :holder, :desk, {now} + :lease)
    ON CONFLICT (scope, proposal) DO UPDATE SET holder = :holder, desk = :desk, until = {now} + :lease
        WHERE memory_claims.desk = :desk OR memory_claims.until <= {now}
"""
_DROP = """
    DELETE FROM memory_claims WHERE (scope, proposal) IN (
        SELECT scope, proposal FROM memory_claims
        WHERE (desk = :desk AND NOT (scope = :scope AND proposal = :item)) OR until <= {now} {skip})
"""
_FREE = """
    SELECT p.id FROM memory_proposals p WHERE p.scope = :scope AND p.id IN (:names) AND NOT EXISTS (
        SELECT 1 FROM memory_claims c
        WHERE c.scope = p.scope AND c.proposal = p.id AND c.desk <> :desk AND c.until > {now})
    ORDER BY {order} LIMIT 1 {skip}
"""
R = TypeVar("R")


class DatabaseClaims:
    """The claims of one desk.

    Args:
        database: where.
        desk: random name of this desk; the same person may sit at two.
        bound: what the desk may reach.
    """

    def __init__(self, database: Database, desk: str, bound: Bound) -> None:
        self._database = database
        self._bound = bound
        self._desk = desk
        self._holds = False

    def _said(self, statement: str, **more: str) -> str:
        dialect = self._database.dialect
        return statement.format(now=_NOW[dialect], skip=_SKIP[dialect], **more)

    def held(self, reader: ReadDb, scope: str) -> Mapping[str, str]:
        """Return who else looks at what in a scope, by item id."""
        rows = reader.all(self._said(_HELD), scope=scope, desk=self._desk) if scope else []
        return {str(item): str(holder) for item, holder in rows}

    def held_by_all(self, reader: ReadDb, tenant: str) -> list[tuple[str, str, str]]:
        """Return who else looks at what among all people of a tenant: scope, item and holder."""
        rows = reader.all(self._said(_HELD_BY_ALL), tenant=tenant, desk=self._desk)
        return [(str(scope), str(item), str(holder)) for scope, item, holder in rows]

    def take(self, scope: str, item: str, holder: str, lease: float = LEASE_SECONDS) -> bool:
        """Take an item, or go on holding it, for so many seconds; what this desk held before is let go of.

        Returns:
            False where another desk holds it.

        Raises:
            StoreError: nobody can be asked now.
        """

        def act(session: Session) -> bool:
            values = {"scope": scope, "item": item, "desk": self._desk}
            session.run(self._said(_DROP), **values)
            return self._take(session, values, holder, lease)

        return bool(scope) and self._written(act)

    def take_first(self, scope: str, items: Sequence[str], holder: str, lease: float = LEASE_SECONDS) -> str | None:
        """Take the first of some items that waits and is free; desks that do so at once get different ones.

        Returns:
            Its id, None where none is free.

        Raises:
            StoreError: nobody can be asked now.
        """
        statement, values = with_list(_FREE, "names", items)
        order = "CASE p.id " + " ".join(f"WHEN :{name} THEN {at}" for at, name in enumerate(values)) + " END"

        def act(session: Session) -> str | None:
            asked = session.one(self._said(statement, order=order), scope=scope, desk=self._desk, **values)
            if asked is None:
                return None
            known = {"scope": scope, "item": str(asked[0]), "desk": self._desk}
            session.run(self._said(_DROP), **known)
            return str(asked[0]) if self._take(session, known, holder, lease) else ""

        # "" says that another desk was faster by a moment
        for _ in items:
            taken = self._written(act) if scope else None
            if taken != "":
                return taken
        return None

    def _take(self, session: Session, item: Mapping[str, str], holder: str, lease: float) -> bool:
        self._holds = True
        return session.run(self._said(_TAKE), holder=holder, lease=lease, **item) == 1

    def release(self) -> None:
        """Let go of what this desk holds.

        Raises:
            StoreError: nobody can be asked now; the claim ends by itself.
        """
        if self._holds:
            self._holds = False
            self._written(lambda session: session.run(self._said(_DROP), desk=self._desk, scope="", item=""))

    def _written(self, act: Callable[[Session], R]) -> R:
        """Do something in a short transaction of its own."""

        def once() -> R:
            with self._database.session(self._bound) as session:
                session.begin(_WAIT)
                done = act(session)
                session.send()
                session.commit()
                return done

        try:
            return replayed(once, _WAIT)
        except Unanswered as error:
            raise WriteFailed("whether it was noted is not known.") from error


class ScopeClaims:
    """The claims of a desk at one scope (``port.Claims``).

    Args:
        claims: the claims of the desk.
        at: returns what to read from, and the name of the scope.
    """

    def __init__(self, claims: DatabaseClaims, at: Callable[[], tuple[ReadDb, str]]) -> None:
        self._claims = claims
        self._at = at

    def held(self) -> Mapping[str, str]:
        """Return who else looks at what, by item id."""
        return self._claims.held(*self._at())

    def take(self, item: str, holder: str) -> bool:
        """Take an item, or go on holding it; see :meth:`DatabaseClaims.take`."""
        return self._claims.take(self._at()[1], item, holder)

    def take_first(self, items: Sequence[str], holder: str) -> str | None:
        """Take the first that is free; see :meth:`DatabaseClaims.take_first`."""
        return self._claims.take_first(self._at()[1], items, holder)

    def release(self) -> None:
        """Let go of what this desk holds."""
        self._claims.release()


class TenantClaims:
    """The claims of a desk at which all people of a tenant are (``port.Claims``).

    Args:
        claims: the claims of the desk.
        at: returns what to read from, and the tenant.
        split: returns scope and item of a name in the queue of all.
    """

    def __init__(
        self,
        claims: DatabaseClaims,
        at: Callable[[], tuple[ReadDb, str]],
        split: Callable[[str], tuple[str, str]],
    ) -> None:
        self._claims = claims
        self._at = at
        self._split = split

    def held(self) -> Mapping[str, str]:
        """Return who else looks at what, by the name of the item."""
        return {name_of(scope, item): holder for scope, item, holder in self._claims.held_by_all(*self._at())}

    def take(self, item: str, holder: str) -> bool:
        """Take an item, or go on holding it; see :meth:`DatabaseClaims.take`."""
        return self._claims.take(*self._split(item), holder)

    def take_first(self, items: Sequence[str], holder: str) -> str | None:
        """Take the first that is free; one after the other, since each has a scope of its own."""
        return next((item for item in items if self._free(item, holder)), None)

    def _free(self, item: str, holder: str) -> bool:
        scope, own = self._split(item)
        return self._claims.take_first(scope, [own], holder) is not None

    def release(self) -> None:
        """Let go of what this desk holds."""
        self._claims.release()
