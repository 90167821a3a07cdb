"""The store of one scope of a database: everything that only looks, and the way to its writing half.

Here: what is read, and when. Not here: the one call that changes a scope (``transacting``), what a request gets to see
(``book.views``), the statements, rules (``core``): nothing is compared or decided here.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from curator_tui.core.changes import Backup, Planner, Receipt, Row, View, image_parts
from curator_tui.core.errors import UsageError
from curator_tui.core.operations import Problem
from curator_tui.core.preflight import Snapshot
from curator_tui.core.requests import Request, Stamp
from curator_tui.stores.book.db import ReadDb
from curator_tui.stores.port import Facts, Mended
from curator_tui.stores.sql import images, scopes
from curator_tui.stores.sql.book import ScopeReader
from curator_tui.stores.sql.bounds import Bound
from curator_tui.stores.sql.claims import DatabaseClaims, ScopeClaims
from curator_tui.stores.sql.database import Database
from curator_tui.stores.sql.documents import read_rows
from curator_tui.stores.sql.foresight import Answered
from curator_tui.stores.sql.namesakes import namesakes_of
from curator_tui.stores.sql.place import ScopePlace
from curator_tui.stores.sql.queue import SqlQueue
from curator_tui.stores.sql.roles import PROPOSERS
from curator_tui.stores.sql.scopes import NOBODY, Scope, Whose
from curator_tui.stores.sql.sqlite import NoDb

if TYPE_CHECKING:
    from curator_tui.core.parcels import Parcel
    from curator_tui.core.tracing import Trace
    from curator_tui.core.verification import Held
    from curator_tui.stores.book.traces import TraceReader
    from curator_tui.stores.sql.transacting import Patience, Transactor


_KIND = "memory of"


class SqlStore:
    """One scope. ``transact`` may be called from any thread; the queue belongs to one thread at a time.

    Args:
        database: where, opened; it is closed with the store.
        mine: whose.
        patience: how long is waited for others; None for as long as usual.
        shared: the database is somebody else's, and stays open with it.
    """

    def __init__(
        self, database: Database, mine: Whose, patience: Patience | None = None, *, shared: bool = False
    ) -> None:
        self._shared = shared
        self.database = database
        self.mine = mine
        self._patience = patience
        self._turn = threading.Lock()
        self._db: ReadDb | None = None
        self._found: Scope | None = None
        self._alike: tuple[str, ...] | None = None
        self._queue = SqlQueue(self._at)
        self.claims = ScopeClaims(DatabaseClaims(database, secrets.token_hex(8), mine.bound), self._at)
        self._transactor: Transactor | None = None
        self._tracing: TraceReader | None = None

    # -- looking: creates nothing, locks nothing --------------------------------------------------------------------

    def _reader(self) -> ReadDb:
        with self._turn:
            if self._db is None or isinstance(self._db, NoDb):
                self._db = self.database.reader(self.mine.bound)
            return self._db

    def refresh(self) -> None:
        """Look again whether the file that is read still is the one at its place; a server is what it is."""
        with self._turn:
            if self._db is not None and not self._db.stands():
                self._db.close()
                self._db = self._found = None

    def _scope_name(self) -> str:
        """Return the name of the scope, empty as long as it has none; a name never changes."""
        if self._found is None:
            self._found = scopes.find(self._reader(), self.mine)
        return "" if self._found is None else self._found.name

    def _at(self) -> tuple[ReadDb, str]:
        return self._reader(), self._scope_name()

    def bound(self) -> Facts:
        """Return where and whose it is, without reading anything; everything else is given as not known."""
        return Facts(self.database.address.label, self.mine.words, None, kind=_KIND)

    def options(self) -> tuple[str, ...]:
        """Return the options of a command line that opens this very scope.

        Raises:
            UsageError: the address holds a password, which every process of the machine could read there.
        """
        url = self.database.address.named
        if url is None:
            raise UsageError(
                "the address in --db holds a password, and would be handed to another process.",
                way_out="Leave it out and put it into ~/.pgpass, or into the environment as PGPASSWORD.",
            )
        whose = (("tenant", self.mine.tenant), ("user", self.mine.user), ("agent", self.mine.agent))
        said = ("--allow-superuser",) if self.database.address.unheld else ()
        return (f"--db={url}", *said, *(f"--{name}={value}" for name, value in whose if value))

    def facts(self) -> Facts:
        """Return what the title line and ``status`` show: in a database every proposal waits."""
        notes, alike = self.database.notes(), self._namesakes()
        return Facts(
            self.database.address.label, self.mine.words, gate=True, notes=(*notes, *alike), warnings=alike, kind=_KIND
        )

    def _namesakes(self) -> tuple[str, ...]:
        """Return in words who is easily taken for this person; looked up once."""
        if self._alike is None:
            # asked of the whole tenant: whoever may see one memory only is told of nobody
            reader = self.database.reader(Bound(self.mine.tenant))
            try:
                self._alike = namesakes_of(reader, self.mine)
            finally:
                reader.close()
        return self._alike

    @property
    def queue(self) -> SqlQueue:
        """The waiting proposals."""
        return self._queue

    @property
    def book(self) -> ScopeReader:
        """The book of the scope, opened for reading."""
        return ScopeReader(self._reader(), self._scope_name())

    def _place(self) -> ScopePlace[ScopeReader]:
        return ScopePlace(self.book, self.mine)

    def snapshot(self) -> Snapshot:
        """Read both documents and their limits."""
        db = Answered(self._reader(), lambda asked: (scopes.find(asked, self.mine), read_rows(asked, self.mine)))
        scope = scopes.find(db, self.mine) or NOBODY
        return Snapshot(ScopePlace(ScopeReader(db, scope.name), self.mine).documents(), scope.limits)

    def backups(self) -> tuple[Sequence[Backup], Sequence[Problem]]:
        """Return the images, oldest first by the order of their changes; a row is never half an image."""
        found = images.read_images(self._reader(), self._scope_name())
        order = {name: place for place, name in enumerate(self.backup_names())}
        return sorted(found, key=lambda image: order.get(image.id, len(order))), ()

    def backup_names(self) -> Sequence[str]:
        """Return the ids of all images, oldest first by the order of their changes."""
        names = list(images.image_changes(self._reader(), self._scope_name()))
        made_by = {name: image_parts(name)[0] for name in names}
        places = self.book.places(set(made_by.values()))
        # a change may make two images; the one with a suffix is of an earlier state
        return sorted(names, key=lambda name: (places.get(made_by[name], 0), name.endswith(made_by[name]), name))

    def unknown_backups(self) -> Sequence[str]:
        """Return the ids of the images of changes that the book does not know, oldest first by their names."""
        made_by = images.image_changes(self._reader(), self._scope_name())
        known = self.book.places(set(made_by.values()))
        return sorted(name for name, change in made_by.items() if change not in known)

    def backup(self, name: str) -> Backup | None:
        """Return one image, or None."""
        return images.read_image(self._reader(), self._scope_name(), name)

    def peek(self, request: Request) -> View:
        """Return the view a request would get, read without any lock: for previews, never for a change."""
        from curator_tui.stores.book.views import read_view

        book, limits = self.book, (scopes.find(self._reader(), self.mine) or NOBODY).limits
        return read_view(ScopePlace(book, self.mine), book, request, limits)

    def traces(self) -> Sequence[Trace]:
        """Return every ledger row about documents with what is still kept of them, oldest first."""
        from curator_tui.stores.book.traces import TraceReader

        if self._tracing is None:
            self._tracing = TraceReader(lambda: self._place().images())
        return self._tracing.read(self.book)

    def held(self, row: Row) -> Held:
        """Return what is still kept of the texts that a ledger row names."""
        from curator_tui.stores.book.kept import held_for

        return held_for(self.backup, self.book, row)

    def account_problems(self) -> Sequence[Problem]:
        """Return where the ledger and what is recorded of its changes beside texts do not agree."""
        from curator_tui.stores.book.checking import recorded_problems

        return self.book.at_once(recorded_problems)

    def check(self) -> Sequence[Problem]:
        """Compare documents, book, queue, images and ledger with each other; empty when they agree."""
        from curator_tui.stores.sql.agreeing import check_scope

        return self.book.at_once(lambda book: check_scope(book, self.mine))

    def probe(self) -> Sequence[str]:
        """Return where the attempts are found that a server refused by itself; the rest is told by ``db check``."""
        return self.database.refusals()

    @property
    def skills(self) -> None:
        """A database keeps no skills."""

    # -- changing ---------------------------------------------------------------------------------------------------

    @property
    def writer(self) -> Transactor:
        """The writing half, loaded when the first change is made; a file that is not there is made then.

        Raises:
            StoreError: it cannot be made.
        """
        from curator_tui.stores.sql.transacting import Patience, Transactor

        if isinstance(self._reader(), NoDb):
            from curator_tui.stores.sql.upgrading import upgrade

            upgrade(self.database.address)
        with self._turn:
            if self._transactor is None:
                self._transactor = Transactor(self.database, self.mine, self._patience or Patience())
            return self._transactor

    def transact(self, request: Request, plan: Planner) -> Receipt:
        """Carry out a request: the one call that changes memory; see :meth:`Transactor.transact` for what it raises."""
        return self.writer.transact(request, plan)

    def stage(self, records: Iterable[tuple[str, bytes]], by: str) -> tuple[str, ...]:
        """Let records wait for a decision; nothing else of the scope is touched.

        Args:
            records: item id and bytes of each (``records.record_bytes``).
            by: who wrote them, from authentication; on a server an agent is who logged in, whatever is given here.

        Returns:
            Ids under which something waits already; those records were not stored.
        """
        from curator_tui.stores.sql.queue import add_record

        wanted, login = tuple(records), self.database.login()
        author = login.name if login is not None and login.groups & PROPOSERS and not login.keeper else by
        return self.writer.unlocked(
            lambda session, scope: tuple(
                item for item, raw in wanted if not add_record(session, scope.name, item, raw, author)
            )
        )

    def note_refusal(self, code: str, through: str) -> None:
        """Note that whoever is in was refused for who they are; see :func:`attempts.note_refusal`."""
        from curator_tui.stores.sql.attempts import note_refusal

        note_refusal(self.database, self.mine.bound, code, through)

    def parcel(self) -> tuple[Parcel, tuple[str, ...]]:
        """Return everything the scope holds; see :meth:`Store.parcel`."""
        from curator_tui.stores.sql.carrying import parcel_of_scope

        return parcel_of_scope(self._reader(), self._scope_name(), self.mine), ()

    def keeps(self, parcel: Parcel) -> Parcel:
        """Return the parcel: a database keeps all of it."""
        return parcel

    def recover(self, stamp: Stamp) -> Mended:  # noqa: ARG002 - the signature of the port
        """Return that there was nothing to mend: a transaction is done or was never there."""
        return Mended()

    def cancel(self) -> None:
        """Give up every change that is not stored yet, from any thread and for good."""
        self.database.cancellation.cancel()

    def close(self) -> None:
        """Release what is open."""
        # readers first: only a last connection that may write folds a log away
        with self._turn:
            if self._db is not None:
                self._db.close()
                self._db = None
        if not self._shared:
            self.database.close()
