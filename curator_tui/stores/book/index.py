"""The index of a book: every change in a few columns, and which change took back which.

Here: what a long history is walked by. Not here: a change with its documents and decisions (``reading``).
"""

from __future__ import annotations

from collections.abc import Iterable

from curator_tui.core.changes import Decided
from curator_tui.core.requests import REVERTING, Kind
from curator_tui.stores.book import cells
from curator_tui.stores.book.db import ReadDb, for_each, with_list

_DECIDED_BEFORE = """
    SELECT c.id FROM memory_decisions d JOIN memory_changes c ON c.scope = d.scope AND c.id = d.change_id
    WHERE d.scope = :scope AND d.proposal = :proposal AND d.digest = :digest AND c.kind NOT IN (:reverting)
    AND c.seq < (SELECT seq FROM memory_changes WHERE scope = :scope AND id = :change) ORDER BY c.seq DESC
"""


class IndexReader:
    """The part of a book reader that knows the order of changes.

    Attributes:
        db: where the tables are.
        scope: whose book it is.
    """

    db: ReadDb
    scope: str

    @cells.as_written
    def index(self) -> list[tuple[str, int, Kind, str]]:
        """Return id, sequence number, kind and backup (empty for none) of every change, newest first."""
        statement = "SELECT id, seq, kind, backup FROM memory_changes WHERE scope = :scope ORDER BY seq DESC"
        return [
            (cells.text(name), cells.whole(seq), Kind(kind), cells.text_or_none(backup) or "")
            for name, seq, kind, backup in self.db.all(statement, scope=self.scope)
        ]

    @cells.as_written
    def takebacks(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return every change that took others back, oldest first, each with the ids of those."""
        found = self.db.all(
            """
            SELECT t.change_id, t.undone FROM memory_takebacks t
            JOIN memory_changes c ON c.scope = t.scope AND c.id = t.change_id
            WHERE t.scope = :scope ORDER BY c.seq, t.undone
            """,
            scope=self.scope,
        )
        undone: dict[str, list[str]] = {}
        for change, name in found:
            undone.setdefault(cells.text(change), []).append(cells.text(name))
        return tuple((change, tuple(names)) for change, names in undone.items())

    @cells.as_written
    def undone_among(self, names: Iterable[str]) -> frozenset[str]:
        """Return those of some changes, by id, that are not in force: they were undone, by whatever was done since."""
        statement = "SELECT id FROM memory_changes WHERE scope = :scope AND undone_by IS NOT NULL AND id IN (:names)"
        return frozenset(cells.text(name) for (name,) in for_each(self.db, statement, names, scope=self.scope))

    @cells.as_written
    def decided_before(self, item: Decided, change: str) -> list[str]:
        """Return the ids of the changes that decided the record of an item before a change did, newest first.

        What only took another change back is none of them.
        """
        filled, kinds = with_list(_DECIDED_BEFORE, "reverting", [str(kind) for kind in REVERTING])
        record = {"proposal": item.proposal, "digest": item.digest}
        return [cells.text(name) for (name,) in self.db.all(filled, scope=self.scope, change=change, **record, **kinds)]

    @cells.as_written
    def seq_before(self, seq: int) -> int:
        """Return the sequence number of the change before one; 0 for none."""
        found = self.db.one(
            "SELECT MAX(seq) FROM memory_changes WHERE scope = :scope AND seq < :seq", scope=self.scope, seq=seq
        )
        return 0 if found is None or found[0] is None else cells.whole(found[0])

    @cells.as_written
    def decided_at(self) -> float | None:
        """Return when somebody last decided or changed something, UTC seconds; None for never."""
        statement = "SELECT at FROM memory_changes WHERE scope = :scope AND kind <> :observed ORDER BY seq DESC LIMIT 1"
        found = self.db.one(statement, scope=self.scope, observed=str(Kind.OBSERVE))
        return None if found is None else cells.number(found[0])
