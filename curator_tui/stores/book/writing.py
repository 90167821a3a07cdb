"""What is written into the book: an intent, its end, and the spread of a finished change over the tables.

Here: the writing statements, each function one transaction. Not here: reading (``reading``), connections (``db``), the
files of a store.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from curator_tui.core.changes import Row
from curator_tui.core.commitments import book_salt, with_commitment
from curator_tui.core.errors import WriteFailed
from curator_tui.core.ledger import seal
from curator_tui.core.refused import REFUSED
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
    """The writing half of a book; every method is one transaction."""

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
        newest = self.db.one("SELECT MAX(seq) FROM memory_changes WHERE scope = :scope", scope=self.scope)
        taken = 0 if newest is None or newest[0] is None else cells.whole(newest[0])
        if not max(taken, 0) <= seq < _ENDLESS:
            raise ValueError
        return seq, digest

    def begin(self, change: str, intent: str, texts: Sequence[Text]) -> None:
        """Store an intent and its texts; from here on anybody can finish the change.

        Raises:
            WriteFailed: nothing is stored, as far as this connection can tell; :meth:`abandon` makes that certain.
        """
        with self._db.transaction():
            self._add_texts(change, texts)
            self._db.run(
                "INSERT INTO memory_intents (scope, change_id, body) VALUES (:scope, :change, :body)",
                scope=self.scope,
                change=change,
                body=intent,
            )

    def abandon(self, change: str) -> None:
        """Close an intent without a trace of its change; it writes even if there is nothing to remove.

        Raises:
            WriteFailed: the intent is still open, or nobody can tell.
        """
        with self._db.transaction():
            self._db.run("DELETE FROM memory_intents WHERE scope = :scope", scope=self.scope)
            self._db.run(
                "DELETE FROM memory_texts WHERE scope = :scope AND change_id = :change", scope=self.scope, change=change
            )
            self._count("abandoned")

    def settle(self) -> None:
        """Make certain that no transaction whose commit failed is seen later by another reader.

        Folding needs no new space, so it comes first; where a reader is in the way, a write of no meaning takes the
        place of what may stand in the log.

        Raises:
            WriteFailed: it cannot be made certain.
        """
        folded = False
        with contextlib.suppress(WriteFailed):
            folded = self._db.fold()
        if not folded:
            with self._db.transaction():
                self._count("settled")

    def finish(self, entry: BookEntry, texts: Sequence[Text] = (), receipt: bytes | None = None) -> None:
        """Record a finished change in all tables and close its intent.

        Args:
            entry: what to record.
            texts: its texts, where no intent has stored them already.
            receipt: the final answer where it differs from the planned one.

        Raises:
            WriteFailed: the intent is still open.
        """
        with self._db.transaction():
            self._add_texts(entry.change, texts)
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
                self._set_meta({REFUSED: entry.refused})
            self._db.run("DELETE FROM memory_intents WHERE scope = :scope", scope=self.scope)

    def fold(self) -> bool:
        """Make sure that what was committed is on disk, also after a failed sync; False when a reader is in the way.

        Raises:
            WriteFailed: it cannot be made sure.
        """
        return self._db.fold()

    def append(self, rows: Sequence[Row]) -> None:
        """Append ledger rows inside a transaction that the caller has begun."""
        self._insert_rows(rows)

    def _set_meta(self, values: Mapping[str, str]) -> None:
        self._db.run_many(
            """
            INSERT INTO memory_meta (scope, name, value) VALUES (:scope, :name, :value)
            ON CONFLICT (scope, name) DO UPDATE SET value = excluded.value
            """,
            [{"scope": self.scope, "name": name, "value": value} for name, value in values.items()],
        )

    def _count(self, name: str) -> None:
        self._db.run(
            """
            INSERT INTO memory_meta (scope, name, value) VALUES (:scope, :name, '1')
            ON CONFLICT (scope, name) DO UPDATE SET value = CAST(CAST(memory_meta.value AS INTEGER) + 1 AS TEXT)
            """,
            scope=self.scope,
            name=name,
        )

    def _add_texts(self, change: str, texts: Iterable[Text]) -> None:
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

    def _insert_rows(self, rows: Sequence[Row]) -> None:
        sealed = seal(rows, super().head())
        self._db.run_many(
            "INSERT INTO memory_ledger (scope, seq, hash, body) VALUES (:scope, :seq, :hash, :body)",
            [{"scope": self.scope, "seq": row.seq, "hash": row.hash, "body": row.body} for row in sealed],
        )

    def _take_loose(self, entry: BookEntry) -> bool:
        """Let a change with rows take the pins that were recorded without any; return whether it has pins now."""
        loose = loose_changes(self)
        if not entry.rows:
            if entry.pins:
                self._set_meta({LOOSE: json.dumps([*loose, entry.change])})
            return False
        for name in loose:
            self._db.run(_TAKE_PINS, scope=self.scope, change=entry.change, name=name)
        if loose:
            self._set_meta({LOOSE: "[]"})
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
        self._db.run(
            """
            INSERT INTO memory_changes
                (scope, id, seq, at, actor_kind, actor_name, actor_through, kind, effect, reverts, undone_by, backup)
            VALUES
                (:scope, :id, :seq, :at, :actor_kind, :actor_name, :actor_through, :kind, :effect, :reverts, NULL,
                 :backup)
            """,
            scope=self.scope,
            id=entry.change,
            seq=super().head()[0] + len(entry.rows),
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
            self._db.run(
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
        self._db.run(
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
            self._db.run(_DROP_UNUSED, scope=self.scope, id=name)

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
            self._db.run(
                "UPDATE memory_texts SET body = :body WHERE scope = :scope AND id = :id",
                scope=self.scope,
                id=entry.receipt,
                body=receipt,
            )
        self._db.run(
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
