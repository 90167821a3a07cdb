"""What is written into the book: the spread of a finished change over the tables, the same in every store.

Here: the writing statements, inside a transaction that somebody has begun. Not here: reading (``reading``), connections
(``db``), transactions and what is under way (``intents``; on a database the store's own), the files of a store.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from curator_tui.core.changes import Row
from curator_tui.core.commitments import book_salt, with_commitment
from curator_tui.core.ledger import SealedRow, seal
from curator_tui.core.refused import REFUSED
from curator_tui.core.requests import Kind
from curator_tui.stores.book import cells
from curator_tui.stores.book.asides import add_asides
from curator_tui.stores.book.commitments import LOOSE, loose_changes, parts_of
from curator_tui.stores.book.db import Db
from curator_tui.stores.book.entries import BookEntry, Text
from curator_tui.stores.book.reading import BookReader

_ADD_TEXT = """
    INSERT INTO memory_texts (scope, id, change_id, kind, body, salt)
    VALUES (:scope, :id, :change, :kind, :body, :salt)
"""
# A text that only served as the last known state is dropped once nothing refers to it any more.
_DROP_UNUSED = """
    DELETE FROM memory_texts WHERE scope = :scope AND id = :id
    AND NOT EXISTS (SELECT 1 FROM memory_known k WHERE k.scope = :scope AND k.text_id = :id)
    AND NOT EXISTS (SELECT 1 FROM memory_change_documents d WHERE d.scope = :scope AND d.before_text = :id)
    AND NOT EXISTS (SELECT 1 FROM memory_change_documents d WHERE d.scope = :scope AND d.after_text = :id)
"""
# Only what belongs to no recorded change may be taken.
_TAKE_PINS = """
    UPDATE memory_texts SET change_id = :change WHERE scope = :scope AND change_id = :name AND kind = 'pin'
    AND NOT EXISTS (SELECT 1 FROM memory_changes c WHERE c.scope = :scope AND c.id = :name)
"""
# A stored number as large as this is damage: no ledger grows so long, and SQLite could not count on from it for ever.
_ENDLESS = 2**53


class BookWriter(BookReader):
    """The writing half of a book."""

    def __init__(self, db: Db, scope: str) -> None:
        super().__init__(db, scope)
        self._db = db

    @cells.as_written
    def head(self) -> tuple[int, str]:
        """Return sequence number and hash of the newest ledger row, behind which the next change gets its place.

        Raises:
            Unreadable: that place is none, or taken: a number there cannot be counted on from.
        """
        seq, digest = super().head()
        if not max(self.highest(), 0) <= seq < _ENDLESS:
            raise ValueError
        return seq, digest

    def record(self, entry: BookEntry, texts: Sequence[Text] = (), receipt: bytes | None = None) -> None:
        """Spread a finished change over all tables, inside a transaction that the caller has begun.

        Args:
            entry: what to record.
            texts: its texts, where they are not stored already.
            receipt: the final answer where it differs from the planned one.
        """
        self.add_texts(entry.change, texts)
        self._add_change(entry)
        self._add_documents(entry)
        self._add_decisions(entry)
        add_asides(self._db, self.scope, entry)
        self._add_known(entry)
        self._add_pins(entry)
        self._add_receipt(entry, receipt)
        self._link(entry)
        self._insert_rows(self._bound_rows(entry, pins=self._take_loose(entry)))
        if entry.refused is not None:
            self.set_meta({REFUSED: entry.refused})

    def append(self, rows: Sequence[Row]) -> None:
        """Append ledger rows inside a transaction that the caller has begun."""
        self._insert_rows(rows)

    def set_meta(self, values: Mapping[str, str]) -> None:
        """Note facts about the book itself."""
        self._db.run_many(
            """
            INSERT INTO memory_meta (scope, name, value) VALUES (:scope, :name, :value)
            ON CONFLICT (scope, name) DO UPDATE SET value = excluded.value
            """,
            [{"scope": self.scope, "name": name, "value": value} for name, value in values.items()],
        )

    def add_texts(self, change: str, texts: Iterable[Text]) -> None:
        """Store the texts of a change."""
        self._db.run_many(
            _ADD_TEXT,
            [
                {
                    "scope": self.scope,
                    "id": text.id,
                    "change": change,
                    "kind": text.kind,
                    "body": text.body,
                    "salt": text.salt,
                }
                for text in texts
            ],
        )

    def _put(self, statement: str, **values: Any) -> None:
        """Run one statement of which nothing is asked, so that a server need not be waited for."""
        self._db.run_many(statement, [values])

    def _end(self) -> tuple[int, str]:
        """Return where the ledger ends, whatever number a change has that is being recorded."""
        return super().head()

    def _insert_rows(self, rows: Sequence[Row]) -> Sequence[SealedRow]:
        """Seal rows behind the newest one and return them."""
        sealed = seal(rows, self._end())
        self._db.run_many(
            "INSERT INTO memory_ledger (scope, seq, hash, body) VALUES (:scope, :seq, :hash, :body)",
            [{"scope": self.scope, "seq": row.seq, "hash": row.hash, "body": row.body} for row in sealed],
        )
        return sealed

    def _take_loose(self, entry: BookEntry) -> bool:
        """Let a change with rows take the pins that were recorded without any; return whether it has pins now."""
        if entry.kind == Kind.IMPORT:
            return False  # what was recorded where it came from stays as it was; the next row binds it
        loose = loose_changes(self)
        if not entry.rows:
            if entry.pins:
                self.set_meta({LOOSE: json.dumps([*loose, entry.change])})
            return False
        for name in loose:
            self._put(_TAKE_PINS, scope=self.scope, change=entry.change, name=name)
        if loose:
            self.set_meta({LOOSE: "[]"})
        return bool(entry.pins or loose)

    def _bound_rows(self, entry: BookEntry, *, pins: bool) -> Sequence[Row]:
        """Return the rows of a change, the last one with the commitment to everything that is recorded of it by now."""
        salt = self.salt(book_salt(entry.change))
        if not entry.rows or salt is None:  # one begun on a book of version 1 may have none
            return entry.rows
        return (*entry.rows[:-1], with_commitment(entry.rows[-1], salt, parts_of(self, entry, pins=pins)))

    def _add_change(self, entry: BookEntry) -> None:
        """Record a change under the number that its last row gets."""
        if not entry.rows:
            return
        kind, name, through = entry.actor
        self._put(
            """
            INSERT INTO memory_changes
                (scope, id, seq, at, actor_kind, actor_name, actor_through, kind, effect, reverts, undone_by, backup)
            VALUES
                (:scope, :id, :seq, :at, :actor_kind, :actor_name, :actor_through, :kind, :effect, :reverts, NULL,
                 :backup)
            """,
            scope=self.scope,
            id=entry.change,
            seq=self._end()[0] + len(entry.rows),
            at=entry.at,
            actor_kind=kind,
            actor_name=name,
            actor_through=through,
            kind=entry.kind,
            effect=int(entry.effective),
            reverts=entry.reverts,
            backup=entry.backup,
        )

    def _add_documents(self, entry: BookEntry) -> None:
        self._db.run_many(
            """
            INSERT INTO memory_change_documents (scope, change_id, target, before_text, after_text)
            VALUES (:scope, :change, :target, :before, :after)
            """,
            [
                {
                    "scope": self.scope,
                    "change": entry.change,
                    "target": part.target,
                    "before": part.before,
                    "after": part.after,
                }
                for part in entry.documents
            ],
        )

    def _add_decisions(self, entry: BookEntry) -> None:
        for returned in entry.returned:
            self._end_decisions(returned.proposal, entry.change, digest=returned.digest)
        for place, closed in enumerate(entry.closed):
            # The same bytes may have come back by another hand; the older decision then no longer is the live one.
            self._end_decisions(closed.proposal, "", digest=closed.digest)
            self._put(
                """
                INSERT INTO memory_decisions
                    (scope, change_id, place, proposal, digest, verb, targets, raw_text, ended_by)
                VALUES (:scope, :change, :place, :proposal, :digest, :verb, :targets, :text, NULL)
                """,
                scope=self.scope,
                change=entry.change,
                place=place,
                proposal=closed.proposal,
                digest=closed.digest,
                verb=closed.verb,
                targets=",".join(closed.targets),
                text=closed.text,
            )

    def _end_decisions(self, proposal: str, by: str, *, digest: str) -> None:
        self._put(
            """
            UPDATE memory_decisions SET ended_by = :by
            WHERE scope = :scope AND proposal = :proposal AND digest = :digest AND ended_by IS NULL
            """,
            scope=self.scope,
            proposal=proposal,
            digest=digest,
            by=by,
        )

    def _add_known(self, entry: BookEntry) -> None:
        before = self.known_texts()
        self._db.run_many(
            """
            INSERT INTO memory_known (scope, target, text_id, digest) VALUES (:scope, :target, :text, :digest)
            ON CONFLICT (scope, target) DO UPDATE SET text_id = excluded.text_id, digest = excluded.digest
            """,
            [
                {"scope": self.scope, "target": part.target, "text": part.text, "digest": part.digest}
                for part in entry.known
            ],
        )
        # only when all have moved on: one document may hold now what the other one held before
        for name in {name for name, _ in before.values() if name is not None}:
            self._put(_DROP_UNUSED, scope=self.scope, id=name)

    def _add_pins(self, entry: BookEntry) -> None:
        self._db.run_many(
            """
            INSERT INTO memory_pins (scope, proposal, digest, operation, text_id)
            VALUES (:scope, :proposal, :digest, :operation, :text)
            ON CONFLICT (scope, proposal, digest, operation) DO NOTHING
            """,
            [
                {
                    "scope": self.scope,
                    "proposal": pin.proposal,
                    "digest": pin.digest,
                    "operation": pin.operation,
                    "text": pin.text,
                }
                for pin in entry.pins
            ],
        )

    def _add_receipt(self, entry: BookEntry, receipt: bytes | None) -> None:
        if entry.receipt is None:
            return
        if receipt is not None:
            self._put(
                "UPDATE memory_texts SET body = :body WHERE scope = :scope AND id = :id",
                scope=self.scope,
                id=entry.receipt,
                body=receipt,
            )
        self._put(
            """
            INSERT INTO memory_operations (scope, operation, receipt_text) VALUES (:scope, :operation, :text)
            """,
            scope=self.scope,
            operation=entry.operation,
            text=entry.receipt,
        )

    def _link(self, entry: BookEntry) -> None:
        """Record what the change takes back and what is in force again because of it."""
        self._db.run_many(
            "INSERT INTO memory_takebacks (scope, change_id, undone) VALUES (:scope, :change, :undone)",
            [{"scope": self.scope, "change": entry.change, "undone": name} for name in dict.fromkeys(entry.takebacks)],
        )
        marks: list[tuple[str, str | None]] = [(name, None) for name in entry.restores]
        marks += [(name, entry.change) for name in (*entry.takebacks, *entry.silences)]
        parameters: list[dict[str, Any]] = [{"scope": self.scope, "id": name, "by": mark} for name, mark in marks]
        self._db.run_many("UPDATE memory_changes SET undone_by = :by WHERE scope = :scope AND id = :id", parameters)
