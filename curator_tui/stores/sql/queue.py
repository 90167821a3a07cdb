"""The queue of one scope in a database, as a read model, and what moves in and out of it.

Here: listing, one record afresh, and the statements by which records come, go and return. Not here: what a record says
(``records``), states and outcomes (``core.preflight``), who decides.

Nothing of the read model is thread-safe except what :meth:`SqlQueue.proposals` returned, which never changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from curator_tui.core.alike import alike
from curator_tui.core.changes import Closed, Returned, Waiting
from curator_tui.core.proposals import Proposal
from curator_tui.core.times import known
from curator_tui.stores.book import cells
from curator_tui.stores.book.db import Db, ReadDb, Record, with_list
from curator_tui.stores.sql.database import Again, Session
from curator_tui.stores.sql.records import read_proposal

_CHUNK = 500
_BODIES = "SELECT id, body, ordered_at, written_by, '' FROM memory_proposals WHERE scope = :scope AND id IN (:names)"
_TRUST = """
    COALESCE((SELECT a.trust FROM memory_agents a WHERE a.agent = p.written_by AND a.tenant_id =
        (SELECT s.tenant_id FROM memory_scopes s WHERE s.scope = :scope)), '')
"""
_JUDGED = (
    f"SELECT id, body, ordered_at, written_by, {_TRUST} FROM memory_proposals p WHERE scope = :scope AND id IN (:names)"
)
_AUTHOR = "SELECT written_by FROM memory_written WHERE scope = :scope AND proposal = :item AND digest = :digest"
_DIGESTS = "SELECT id, digest FROM memory_proposals WHERE scope = :scope"
_WAITING = "SELECT waiting FROM memory_waiting WHERE scope = :scope"
_OLDEST = f"""
    SELECT id, body, ordered_at, written_by, {_TRUST} FROM memory_proposals p WHERE scope = :scope
    ORDER BY ordered_at, id LIMIT :count
"""
_ADD = """
    INSERT INTO memory_proposals (scope, id, digest, body, ordered_at, alike, tenant_id, written_by)
    VALUES (:scope, :id, :digest, :body, :at, :alike, (SELECT s.tenant_id FROM memory_scopes s WHERE s.scope = :scope),
        :by)
    ON CONFLICT (scope, id) DO NOTHING
"""
_RETURN = """
    INSERT INTO memory_proposals (scope, id, digest, body, ordered_at, alike, tenant_id, written_by)
    VALUES (:scope, :id, :digest, :body, :at, :alike, (SELECT s.tenant_id FROM memory_scopes s WHERE s.scope = :scope),
        COALESCE((SELECT w.written_by FROM memory_written w
        WHERE w.scope = :scope AND w.proposal = :id AND w.digest = :digest), ''))
    ON CONFLICT (scope, id) DO NOTHING
"""
_REMEMBER = """
    INSERT INTO memory_written (scope, proposal, digest, written_by)
    SELECT scope, id, digest, written_by FROM memory_proposals WHERE scope = :scope AND id IN (:names)
    ON CONFLICT (scope, proposal, digest) DO NOTHING
"""
_TAKE = "DELETE FROM memory_proposals WHERE scope = :scope AND id IN (:names) AND id || ':' || digest IN (:keys)"


class SqlQueue:
    """The waiting records of one scope.

    Args:
        reader: returns what to read from, and the name of the scope; asked at every look.
    """

    def __init__(self, reader: Callable[[], tuple[ReadDb, str]]) -> None:
        self._reader = reader
        self._rows: dict[str, Proposal] = {}
        self._sorted: tuple[Proposal, ...] = ()
        self._got_otherwise = False

    def __len__(self) -> int:
        return len(self._sorted)

    def count(self) -> int:
        """Return how many wait, without reading any."""
        db, scope = self._reader()
        return _counted(db.all(_WAITING, scope=scope))

    def peek(self, count: int) -> tuple[Sequence[Proposal], int]:
        """Read the ``count`` oldest records and return them, oldest first, with the number that waits."""
        db, scope = self._reader()
        found, rows = db.ask([(_WAITING, {"scope": scope}), (_OLDEST, {"scope": scope, "count": count})])
        waiting = _counted(found)
        if waiting <= count:
            self.refresh()
            return self._sorted, len(self._sorted)
        return tuple(_read(row).proposal for row in rows), waiting

    def refresh(self, *, thorough: bool = False) -> bool:  # noqa: ARG002 - every look is thorough: digests are compared
        """Look again; return whether anything in the queue differs from the last look."""
        db, scope = self._reader()
        digests = {str(item): str(digest) for item, digest in db.all(_DIGESTS, scope=scope)}
        rows = {item: row for item, digest in digests.items() if (row := self._rows.get(item)) and row.digest == digest}
        fresh = [item for item in digests if item not in rows]
        rows.update({item: _listed(found.proposal) for item, found in read_records(db, scope, fresh, _JUDGED).items()})
        changed, self._got_otherwise = self._got_otherwise or bool(fresh) or len(rows) != len(self._rows), False
        if changed:
            self._rows = rows
            self._index()
        return changed

    def _index(self) -> None:
        self._sorted = tuple(sorted(self._rows.values(), key=lambda proposal: proposal.order))

    def proposals(self) -> tuple[Proposal, ...]:
        """Return all waiting proposals of the last look, oldest first, then by id."""
        return self._sorted

    def ids(self) -> tuple[str, ...]:
        """Return the item ids of the last look in the order of the queue."""
        return tuple(proposal.id for proposal in self._sorted)

    @staticmethod
    def parse(name: str, raw: bytes) -> Proposal:
        """Read the kept bytes of a record as they were read while it waited under that id."""
        return read_proposal(name, raw)

    def author(self, name: str, digest: str) -> str:
        """Return who wrote a record that was decided."""
        db, scope = self._reader()
        found = db.one(_AUTHOR, scope=scope, item=name, digest=digest)
        return "" if found is None else str(found[0])

    def get(self, name: str) -> Waiting | None:
        """Read one record afresh; None when it does not wait (any more)."""
        db, scope = self._reader()
        waiting = read_records(db, scope, [name], _JUDGED).get(name)
        known = self._rows.get(name)
        if waiting is None:
            if known is not None:
                del self._rows[name]
                self._got_otherwise = True
                self._index()
            return None
        if known is not None and waiting.proposal.digest != known.digest:
            self._rows[name] = _listed(waiting.proposal)
            self._got_otherwise = True
            self._index()
        return waiting


def _counted(found: Sequence[Record]) -> int:
    return int(found[0][0]) if found else 0


def _listed(proposal: Proposal) -> Proposal:
    """Return a proposal as it is kept for each of many thousands: without what is read again for the one looked at."""
    return replace(proposal, agent_says="") if proposal.operations and proposal.agent_says else proposal


def _chunks(names: Iterable[str]) -> Iterator[list[str]]:
    wanted = iter(dict.fromkeys(names))
    while chunk := list(islice(wanted, _CHUNK)):
        yield chunk


def read_records(db: ReadDb, scope: str, items: Iterable[str], bodies: str = _BODIES) -> dict[str, Waiting]:
    """Return the named records that wait."""
    found: dict[str, Waiting] = {}
    for chunk in _chunks(items):
        statement, values = with_list(bodies, "names", chunk)
        found.update({str(row[0]): _read(row) for row in db.all(statement, scope=scope, **values)})
    return found


def _read(row: Record) -> Waiting:
    item, body, at, author, trust = row
    raw = cells.raw(body)
    # when an agent proposed is what the server says; a record without a time has none there either
    said = {"created_at": known(float(at)) or None, "author": str(author), "trust": str(trust)}
    return Waiting(replace(read_proposal(str(item), raw), **said), raw)


def read_digests(db: ReadDb, scope: str, items: Iterable[str]) -> dict[str, str]:
    """Return the named records that wait, each with its digest."""
    found: dict[str, str] = {}
    for chunk in _chunks(items):
        statement, values = with_list(_DIGESTS + " AND id IN (:names)", "names", chunk)
        found.update({str(item): str(digest) for item, digest in db.all(statement, scope=scope, **values)})
    return found


def add_record(db: Db, scope: str, item: str, raw: bytes, by: str) -> bool:
    """Let a record wait; False when something waits under that id."""
    return db.run(_ADD, by=by, **_row(scope, item, raw)) == 1


def add_records(db: Db, scope: str, records: Iterable[tuple[str, bytes, str]]) -> None:
    """Let records wait where none does: item id, bytes, and who wrote each."""
    db.run_many(_ADD, [{"by": by, **_row(scope, item, raw)} for item, raw, by in records])


def take_records(session: Session, scope: str, closed: Sequence[Closed]) -> None:
    """Take decided records out of the queue; who wrote them stays known.

    Raises:
        Again: one is not there any more, or is another one; here, or when what was kept is sent.
    """
    wanted = {part.proposal: f"{part.proposal}:{part.digest}" for part in closed}
    for chunk in _chunks(wanted):
        statement, values = with_list(_REMEMBER, "names", chunk)
        session.run_many(statement, [{"scope": scope, **values}])
        statement, values = with_list(_TAKE, "names", chunk)
        statement, more = with_list(statement, "keys", [wanted[item] for item in chunk])
        session.expect(len(chunk), statement, scope=scope, **values, **more)


def return_records(db: Db, scope: str, returned: Sequence[Returned]) -> None:
    """Let records wait again, exactly as they were.

    Raises:
        Again: something waits under one of the ids by now.
    """
    for part in returned:
        if db.run(_RETURN, **_row(scope, part.proposal, part.raw)) != 1:
            raise Again


def _row(scope: str, item: str, raw: bytes) -> dict[str, object]:
    proposal = read_proposal(item, raw)
    return {
        "scope": scope,
        "id": item,
        "digest": proposal.digest,
        "body": raw,
        "at": proposal.order[0],
        "alike": alike(proposal),
    }
