"""The store behind a desk over all people of a tenant: one queue, and the one-scope store of whoever an item is about.

Here: which scope an item belongs to, and opening it. Not here: the queue (``tenant_queue``), changing anything: every
change of one person's memory goes through that person's own store. What the port asks about one memory is answered for
the one that was opened last.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from curator_tui.core.asides import Asides
from curator_tui.core.changes import Backup, Planner, Receipt, Row, View
from curator_tui.core.errors import UnknownItem
from curator_tui.core.operations import Problem
from curator_tui.core.preflight import Snapshot
from curator_tui.core.requests import Request, Stamp
from curator_tui.core.text import visible
from curator_tui.stores.book.db import ReadDb, for_each
from curator_tui.stores.port import Facts, Mended
from curator_tui.stores.sql import scopes
from curator_tui.stores.sql.book import ScopeReader
from curator_tui.stores.sql.bounds import Bound
from curator_tui.stores.sql.claims import DatabaseClaims, TenantClaims
from curator_tui.stores.sql.database import Database
from curator_tui.stores.sql.names import SHORT
from curator_tui.stores.sql.place import ScopePlace
from curator_tui.stores.sql.scopes import NOBODY, Whose
from curator_tui.stores.sql.sqlite import NoDb
from curator_tui.stores.sql.store import SqlStore
from curator_tui.stores.sql.tenant_queue import TenantQueue
from curator_tui.stores.sql.tenants import Listed, Tenant

if TYPE_CHECKING:
    from curator_tui.core.parcels import Parcel
    from curator_tui.core.tracing import Trace
    from curator_tui.core.verification import Held

_KEPT_OPEN = 16
_DEFERRING = "SELECT DISTINCT scope FROM memory_deferrals WHERE scope IN (:names)"
EVERYBODY = "all people"


class TenantStore:
    """All people of a tenant; one thread at a time.

    Args:
        database: where, opened; it is closed with the store.
        tenant: the tenant, empty for the one of a database that has no others.

    Attributes:
        queue: what waits for all of them.
        claims: who looks at what.
    """

    def __init__(self, database: Database, tenant: str) -> None:
        self.database = database
        self.name = tenant
        self._db: ReadDb | None = None
        self._open: OrderedDict[str, SqlStore] = OrderedDict()
        self._whose: dict[str, tuple[str, Whose]] = {}
        self.here = SqlStore(database, Whose(tenant, "", ""), shared=True)
        self.queue = TenantQueue(self.tenant)
        desk = DatabaseClaims(database, secrets.token_hex(8), Bound(tenant))
        self.claims = TenantClaims(desk, lambda: (self.reader(), tenant), self.split)

    # -- all of them -----------------------------------------------------------------------------------------------

    def reader(self) -> ReadDb:
        """Return what reads all people of the tenant."""
        if self._db is None or isinstance(self._db, NoDb):
            self._db = self.database.reader(Bound(self.name))
        return self._db

    def tenant(self) -> Tenant:
        """Return what reads their queue."""
        return Tenant(self.reader(), self.database.dialect, self.name)

    def split(self, name: str) -> tuple[str, str]:
        """Return scope and item of a name in the queue of all; the scope is empty where there is none.

        A name of one letter or more of the scope will do, as long as it means one.
        """
        short, dot, item = name.partition(".")
        if not dot or not short.isalnum():
            return "", name
        if short not in self._whose:
            found = self.tenant().called(short)
            if len(found) != 1:
                return "", name
            self._whose[short] = found[0]
        return self._whose[short][0], item

    def listed(self, name: str) -> Listed | None:
        """Return an item as a page lists it, also one that was not read; None where it does not wait."""
        scope, item = self.split(name)
        return self.queue.listed(name) or (self.tenant().listed(scope, item) if scope else None)

    def whose(self, name: str) -> Whose | None:
        """Return whose an item of the queue of all is."""
        listed = self.queue.listed(name)
        if listed is not None:
            return listed.whose
        scope, _ = self.split(name)
        return self._whose[name.partition(".")[0]][1] if scope else None

    def go_to(self, name: str) -> tuple[SqlStore, str, str]:
        """Open the store of the scope of an item; return it, the item's own id, and the name of the scope in front.

        Raises:
            UnknownItem: no such scope.
        """
        whose = self.whose(name)
        if whose is None:
            raise UnknownItem(
                f"No waiting item has the id {visible(name, newlines=False)}.",
                way_out="List them with: curator-tui pending",
            )
        scope, item = self.split(name)
        self.here = self.store_of(whose)
        return self.here, item, scope[:SHORT]

    def store_of(self, whose: Whose) -> SqlStore:
        """Return the store of one scope; a few that were used last are kept open."""
        key = repr(whose)
        if key not in self._open:
            self._open[key] = SqlStore(self.database, whose, shared=True)
            if len(self._open) > _KEPT_OPEN:
                _, oldest = self._open.popitem(last=False)
                if oldest is not self.here:
                    oldest.close()
        self._open.move_to_end(key)
        return self._open[key]

    def snapshot_of(self, whose: Whose) -> Snapshot:
        """Read both documents of one scope and their limits, without opening its store."""
        reader = self.reader()
        found = scopes.find(reader, whose) or NOBODY
        return Snapshot(ScopePlace(ScopeReader(reader, found.name), whose).documents(), found.limits)

    def pins_of(self, scope: str, items: Mapping[str, str]) -> Mapping[str, Mapping[int, str]]:
        """Return recorded first-sight pins of items of one scope."""
        return ScopeReader(self.reader(), scope).pins(items)

    def asides(self) -> dict[str, Asides]:
        """Return what is recorded beside documents and queue, by scope, of those read that defer something."""
        found = list(for_each(self.reader(), _DEFERRING, self.queue.scopes()))
        return {str(scope): ScopeReader(self.reader(), str(scope)).asides() for (scope,) in found}

    def undone_among(self, scope: str, changes: Sequence[str]) -> frozenset[str]:
        """Return those of some changes of a scope that are not in force."""
        return ScopeReader(self.reader(), scope).undone_among(changes)

    def scopes_of(self, beginning: str) -> list[str] | None:
        """Return the scopes of people whose names begin so, however they are written; None where there are many."""
        return self.tenant().scopes_of(beginning)

    def bound(self) -> Facts:
        """Return where it is, without reading anything."""
        where = self.database.address.label
        label = f"{where}, tenant {visible(self.name, newlines=False)}" if self.name else where
        return Facts(label, EVERYBODY, None, kind="memory of")

    def facts(self) -> Facts:
        """Return what the title line and ``status`` show: in a database every proposal waits."""
        bound = self.bound()
        return Facts(bound.label, bound.scope, gate=True, notes=self.database.notes(), kind=bound.kind)

    def cancel(self) -> None:
        """Give up every change that is not stored yet, from any thread and for good."""
        self.database.cancellation.cancel()

    def close(self) -> None:
        """Release what is open."""
        for store in (*self._open.values(), self.here):
            store.close()
        if self._db is not None:
            self._db.close()
            self._db = None
        self.database.close()

    # -- whoever was opened last -----------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Look again whether the file that is read still is the one at its place."""
        if self._db is not None and not self._db.stands():
            self._db.close()
            self._db = None
        self.here.refresh()

    def snapshot(self) -> Snapshot:
        """Read both documents and their limits."""
        return self.here.snapshot()

    @property
    def book(self) -> ScopeReader:
        """The book."""
        return self.here.book

    @property
    def skills(self) -> None:
        """A database keeps no skills."""

    def backups(self) -> tuple[Sequence[Backup], Sequence[Problem]]:
        """Return the images."""
        return self.here.backups()

    def backup_names(self) -> Sequence[str]:
        """Return the ids of all images."""
        return self.here.backup_names()

    def unknown_backups(self) -> Sequence[str]:
        """Return the ids of the images of changes that the book does not know."""
        return self.here.unknown_backups()

    def backup(self, name: str) -> Backup | None:
        """Return one image, or None."""
        return self.here.backup(name)

    def peek(self, request: Request) -> View:
        """Return the view a request would get."""
        return self.here.peek(request)

    def transact(self, request: Request, plan: Planner) -> Receipt:
        """Carry out a request about that one memory."""
        return self.here.transact(request, plan)

    def traces(self) -> Sequence[Trace]:
        """Return every ledger row about documents with what is still kept of them."""
        return self.here.traces()

    def held(self, row: Row) -> Held:
        """Return what is still kept of the texts that a ledger row names."""
        return self.here.held(row)

    def account_problems(self) -> Sequence[Problem]:
        """Return where the ledger and what is recorded of its changes beside texts do not agree."""
        return self.here.account_problems()

    def check(self) -> Sequence[Problem]:
        """Compare documents, book, queue, images and ledger with each other."""
        return self.here.check()

    def parcel(self) -> tuple[Parcel, tuple[str, ...]]:
        """Return everything that one memory is made of."""
        return self.here.parcel()

    def keeps(self, parcel: Parcel) -> Parcel:
        """Return the parcel: a database keeps all of it."""
        return parcel

    def probe(self) -> Sequence[str]:
        """Return nothing: what is worth knowing of a database is told by ``db check`` and in the facts."""
        return ()

    def recover(self, stamp: Stamp) -> Mended:
        """Return that there was nothing to mend."""
        return self.here.recover(stamp)
