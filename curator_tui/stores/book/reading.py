"""What is read from the book: the ledger, past changes, decisions, pins, known states and open intents.

Here: the reading statements. Not here: writing (``writing``), where a file lies and whether it is ours (``book``).

Order always comes from sequence numbers, never from the clock.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from curator_tui.core.asides import Asides
from curator_tui.core.changes import Decided, PastChange, Receipt
from curator_tui.core.documents import Target
from curator_tui.core.endings import Ending
from curator_tui.core.ledger import GENESIS, SealedRow
from curator_tui.core.refused import REFUSED, Refused
from curator_tui.core.requests import Actor, ActorKind, Kind
from curator_tui.stores.book import cells
from curator_tui.stores.book.asides import AsidesReader
from curator_tui.stores.book.db import R, ReadDb, Record, for_each
from curator_tui.stores.book.index import IndexReader
from curator_tui.stores.book.receipts import receipt_from

_ALL = 2**62
_ROWS = "SELECT seq, {}, {} FROM memory_ledger WHERE scope = :scope AND seq > :after ORDER BY seq LIMIT :count"
_DECIDED = """
    SELECT d.proposal, d.digest, d.verb, d.change_id, c.actor_kind, c.actor_name, c.actor_through, c.at, t.body,
           d.targets, d.ended_by
    FROM memory_decisions d
    JOIN memory_changes c ON c.scope = d.scope AND c.id = d.change_id
    LEFT JOIN memory_texts t ON t.scope = d.scope AND t.id = d.raw_text
    WHERE d.scope = :scope
"""
_Endings = Mapping[str, tuple[Decided, ...]]
# Stands for a query that chooses changes by their ids.
_CHOSEN = ":chosen"
_HEADS = """
    SELECT c.id, c.seq, c.at, c.actor_kind, c.actor_name, c.actor_through, c.kind, c.reverts, c.undone_by, c.backup
    FROM memory_changes c WHERE c.scope = :scope AND c.id IN (:chosen) ORDER BY c.seq
"""
# A text that is gone must not look like a missing document, so its part of the change is left out.
_DOCUMENTS = """
    SELECT d.change_id, d.target, b.body, a.body FROM memory_change_documents d
    LEFT JOIN memory_texts b ON b.scope = d.scope AND b.id = d.before_text
    LEFT JOIN memory_texts a ON a.scope = d.scope AND a.id = d.after_text
    WHERE d.scope = :scope AND d.change_id IN (:chosen)
    AND (d.before_text IS NULL OR b.id IS NOT NULL) AND (d.after_text IS NULL OR a.id IS NOT NULL)
"""
_DECISIONS = _DECIDED + " AND (d.change_id IN (:chosen) OR d.ended_by IN (:chosen)) ORDER BY c.seq, d.place"


class BookReader(IndexReader, AsidesReader):
    """The reading half of a book.

    Attributes:
        db: where the tables are.
        scope: whose book it is; constant on a home.
        is_file: whether it is a file of its own, which notes where it lies.
    """

    is_file = True

    def __init__(self, db: ReadDb, scope: str) -> None:
        self.db = db
        self.scope = scope

    def close(self) -> None:
        """Let go of the database."""
        self.db.close()

    def over(self, db: ReadDb) -> BookReader:
        """Return the same book, read over another connection."""
        return BookReader(db, self.scope)

    def at_once(self, read: Callable[[BookReader], R]) -> R:
        """Answer several questions from one state of the book; ``read`` may be called again, and keeps nothing open."""
        return self.db.at_once(lambda db: read(self.over(db)))

    def meta(self, name: str) -> str | None:
        """Return a fact about the book itself."""
        found = self.db.one(
            "SELECT value FROM memory_meta WHERE scope = :scope AND name = :name", scope=self.scope, name=name
        )
        return None if found is None else str(found[0])

    def refused(self) -> tuple[Refused, ...]:
        """Return the refused attempts whose repeats are counted; what cannot be read of them decides nothing."""
        try:
            return tuple(
                Refused(
                    dict(one["part"]), cells.number(one["at"]), cells.text(one["since"]), cells.whole(one["repeats"])
                )
                for one in json.loads(self.meta(REFUSED) or "[]")
            )
        except (TypeError, ValueError, LookupError, RecursionError):
            return ()

    @cells.as_written
    def head(self) -> tuple[int, str]:
        """Return sequence number and hash of the newest ledger row; ``(0, "")`` for none."""
        found = self.db.one(
            "SELECT seq, hash FROM memory_ledger WHERE scope = :scope ORDER BY seq DESC LIMIT 1", scope=self.scope
        )
        return (0, GENESIS) if found is None else (cells.whole(found[0]), cells.text(found[1]))

    def chain(self) -> str:
        """Return the random id of this chain; empty when there is none yet."""
        return self.meta("chain") or ""

    def recovery_pending(self) -> bool:
        """Whether an interrupted change waits to be finished by the next writing start."""
        return self.intent() is not None

    def rows(self, after: int = 0, count: int | None = None) -> list[SealedRow]:
        """Return ledger rows behind sequence number ``after``, oldest first; at most ``count`` where given.

        Whatever stands in a row comes along as a text: it is for the chain to say what is wrong with it.
        """
        found = self.db.all(
            _ROWS.format(self.db.as_bytes("hash"), self.db.as_bytes("body")),
            scope=self.scope,
            after=after,
            count=_ALL if count is None else count,
        )
        return [
            SealedRow(seq if isinstance(seq, int) else 0, _decoded(digest), _decoded(body))
            for seq, digest, body in found
        ]

    def texts_of(self, change: str) -> dict[str, tuple[str, bytes, bytes | None]]:
        """Return the texts stored with a change: kind, body and salt by text id."""
        found = self.db.all(
            "SELECT id, kind, body, salt FROM memory_texts WHERE scope = :scope AND change_id = :change",
            scope=self.scope,
            change=change,
        )
        return {row[0]: (str(row[1]), cells.raw(row[2]), cells.raw_or_none(row[3])) for row in found}

    def text(self, name: str) -> bytes | None:
        """Return one text, or None when it was pruned, erased or never kept."""
        found = self.db.one(
            "SELECT body FROM memory_texts WHERE scope = :scope AND id = :id", scope=self.scope, id=name
        )
        return None if found is None else cells.raw(found[0])

    def salt(self, name: str) -> bytes | None:
        """Return the salt kept under a text id, or None when it is gone."""
        found = self.db.one(
            "SELECT salt FROM memory_texts WHERE scope = :scope AND id = :id", scope=self.scope, id=name
        )
        return None if found is None else cells.raw_or_none(found[0])

    @cells.as_written
    def known(self) -> dict[Target, bytes | None]:
        """Return the last known bytes per document (None: was missing); a text that is gone counts as never seen."""
        found = self.db.all(
            """
            SELECT k.target, k.text_id, t.body FROM memory_known k
            LEFT JOIN memory_texts t ON t.scope = k.scope AND t.id = k.text_id
            WHERE k.scope = :scope
            """,
            scope=self.scope,
        )
        return {Target(row[0]): cells.raw_or_none(row[2]) for row in found if row[1] is None or row[2] is not None}

    @cells.as_written
    def known_texts(self) -> dict[Target, tuple[str | None, str]]:
        """Return text id and digest of the last known bytes per document."""
        found = self.db.all("SELECT target, text_id, digest FROM memory_known WHERE scope = :scope", scope=self.scope)
        return {Target(row[0]): (cells.text_or_none(row[1]), cells.text(row[2])) for row in found}

    @cells.as_written
    def intent(self) -> tuple[str, str] | None:
        """Return change id and body of the open intent, or None."""
        found = self.db.one("SELECT change_id, body FROM memory_intents WHERE scope = :scope", scope=self.scope)
        return None if found is None else (cells.text(found[0]), cells.text(found[1]))

    @cells.as_written
    def receipt(self, operation: str) -> Receipt | None:
        """Return the answer an operation id got before, or None when it had no effect yet."""
        found = self.db.one(
            """
            SELECT t.body FROM memory_operations o
            JOIN memory_texts t ON t.scope = o.scope AND t.id = o.receipt_text
            WHERE o.scope = :scope AND o.operation = :operation
            """,
            scope=self.scope,
            operation=operation,
        )
        return None if found is None else receipt_from(cells.raw(found[0]))

    @cells.as_written
    def pins(self, digests: Mapping[str, str]) -> dict[str, dict[int, str]]:
        """Return recorded first-sight pins by item id.

        Args:
            digests: item id to digest of the record as it is now; pins of another record do not count.
        """
        pins: dict[str, dict[int, str]] = {}
        texts: dict[str, str] = {}  # thousands of items mean one of a few entries
        statement = """
            SELECT p.proposal, p.digest, p.operation, t.body FROM memory_pins p
            JOIN memory_texts t ON t.scope = p.scope AND t.id = p.text_id
            WHERE p.scope = :scope AND p.proposal IN (:names)
        """
        for proposal, digest, operation, body in for_each(self.db, statement, digests, scope=self.scope):
            if digests[proposal] == digest and isinstance(operation, int):  # nobody asks for what is no number
                # what is no UTF-8 is no entry, and it is for its commitment to give away
                text = cells.raw(body).decode("utf-8", "replace")
                pins.setdefault(proposal, {})[operation] = texts.setdefault(text, text)
        return pins

    @cells.as_written
    def decided(self, proposals: Iterable[str] | None = None) -> dict[str, Decided]:
        """Return how the named items ended, or all of them, where that is the last word on them."""
        return {found.proposal: found for found in self._live(proposals)}

    @cells.as_written
    def live(self, proposals: Iterable[str]) -> dict[tuple[str, str], Decided]:
        """Return the last word on every record of the named items, by item id and digest of the record."""
        return {(found.proposal, found.digest): found for found in self._live(proposals)}

    def _live(self, proposals: Iterable[str] | None) -> list[Decided]:
        live = _DECIDED + " AND d.ended_by IS NULL"
        if proposals is None:
            return [_decided(row) for row in self.db.all(live + " ORDER BY c.seq", scope=self.scope)]
        statement = live + " AND d.proposal IN (:names) ORDER BY c.seq"
        return [_decided(row) for row in for_each(self.db, statement, proposals, scope=self.scope)]

    @cells.as_written
    def never_kept(self, change: str) -> list[str]:
        """Return the items a change decided of whose records the book says that nothing was kept."""
        statement = """
            SELECT proposal FROM memory_decisions WHERE scope = :scope AND change_id = :change AND raw_text IS NULL
        """
        return [cells.text(row[0]) for row in self.db.all(statement, scope=self.scope, change=change)]

    def changes(self, count: int | None = 100, before: int | None = None) -> list[PastChange]:
        """Return past changes newest first, those in front of sequence number ``before``; all for a count of None."""
        return self._past(
            "SELECT id FROM memory_changes WHERE scope = :scope AND seq < :before ORDER BY seq DESC LIMIT :count",
            before=_ALL if before is None else before,
            count=_ALL if count is None else count,
        )[::-1]

    @cells.as_written
    def heads(self, first: int = 0, last: int = _ALL) -> list[PastChange]:
        """Return past changes newest first, without their documents and without the bytes of their records.

        Args:
            first: their lowest sequence number.
            last: their highest one.
        """
        chosen = "SELECT id FROM memory_changes WHERE scope = :scope AND seq BETWEEN :first AND :last"
        values: dict[str, Any] = {"scope": self.scope, "first": first, "last": last}
        heads = self.db.all(_HEADS.replace(_CHOSEN, chosen), **values)
        closed, returned = self._decisions(_DECISIONS.replace("t.body", "NULL"), chosen, **values)
        said = self.asides_by_change(chosen, **values)
        heads.reverse()
        return [
            _past_change(
                row, closed=closed.get(row[0], ()), returned=returned.get(row[0], ()), asides=said.get(row[0], Asides())
            )
            for row in heads
        ]

    def change(self, name: str) -> PastChange | None:
        """Return one past change, or None."""
        found = self._past("SELECT id FROM memory_changes WHERE scope = :scope AND id = :id", id=name)
        return found[0] if found else None

    def changes_since(self, change: str) -> list[PastChange]:
        """Return ``change`` and all later ones, oldest first, undone ones included; none for an unknown id."""
        return self._past(
            """
            SELECT id FROM memory_changes WHERE scope = :scope AND seq >=
                (SELECT seq FROM memory_changes WHERE scope = :scope AND id = :id)
            """,
            id=change,
        )

    @cells.as_written
    def _past(self, chosen: str, **values: Any) -> list[PastChange]:
        """Read the changes whose ids the query ``chosen`` gives, oldest first, with documents and decisions."""
        values["scope"] = self.scope
        heads = self.db.all(_HEADS.replace(_CHOSEN, chosen), **values)
        before: dict[str, dict[Target, bytes | None]] = {}
        after: dict[str, dict[Target, bytes | None]] = {}
        for change, target, old, new in self.db.all(_DOCUMENTS.replace(_CHOSEN, chosen), **values):
            before.setdefault(change, {})[Target(target)] = cells.raw_or_none(old)
            after.setdefault(change, {})[Target(target)] = cells.raw_or_none(new)
        closed, returned = self._decisions(_DECISIONS, chosen, **values)
        said = self.asides_by_change(chosen, **values) if heads else {}
        return [
            _past_change(
                row,
                before=before.get(row[0], {}),
                after=after.get(row[0], {}),
                closed=closed.get(row[0], ()),
                returned=returned.get(row[0], ()),
                asides=said.get(row[0], Asides()),
            )
            for row in heads
        ]

    def _decisions(self, statement: str, chosen: str, **values: Any) -> tuple[_Endings, _Endings]:
        """Return what each of the chosen changes decided, and what each returned to the queue."""
        closed: defaultdict[str, list[Decided]] = defaultdict(list)
        returned: defaultdict[str, list[Decided]] = defaultdict(list)
        for row in self.db.all(statement.replace(_CHOSEN, chosen), **values):
            closed[row[3]].append(_decided(row))
            if row[10]:
                returned[row[10]].append(_decided(row))
        return _tuples(closed), _tuples(returned)


def _tuples(endings: Mapping[str, Sequence[Decided]]) -> _Endings:
    return {change: tuple(found) for change, found in endings.items()}


def _past_change(row: Record, **parts: Any) -> PastChange:
    return PastChange(
        id=cells.text(row[0]),
        seq=cells.whole(row[1]),
        at=cells.number(row[2]),
        actor=Actor(ActorKind(row[3]), cells.text(row[4]), cells.text(row[5])),
        kind=Kind(row[6]),
        reverts=cells.text_or_none(row[7]),
        undone_by=cells.text_or_none(row[8]),
        backup=cells.text_or_none(row[9]),
        **parts,
    )


def _decided(row: Sequence[Any]) -> Decided:
    return Decided(
        proposal=cells.text(row[0]),
        digest=cells.text(row[1]),
        ending=Ending(row[2]),
        change=cells.text(row[3]),
        actor=Actor(ActorKind(row[4]), cells.text(row[5]), cells.text(row[6])),
        at=cells.number(row[7]),
        raw=cells.raw_or_none(row[8]),
        targets=tuple(Target(name) for name in row[9].split(",") if name),
    )


def _decoded(value: bytes | None) -> str:
    """Return a text as it stands; bytes that are no UTF-8 become half a surrogate pair each and nothing is lost."""
    return (value or b"").decode("utf-8", "surrogateescape")
