"""The index of a book: every change in a few columns, which took back which, and which is next to be taken back.

Here: what a long history is walked by. Not here: a change with its documents and decisions (``reading``).
"""

from __future__ import annotations

from collections.abc import Iterable

from curator_tui.core.changes import Decided
from curator_tui.core.requests import REVERTING, Actor, Kind
from curator_tui.stores.book import cells
from curator_tui.stores.book.db import ReadDb, for_each, with_list

DOING_KINDS = (
    Kind.DECIDE, Kind.CORRECT, Kind.ROLLBACK, Kind.REOPEN, Kind.DEFER, Kind.CHALLENGE, Kind.ANSWER,
)  # fmt: skip
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

    @cells.as_written
    def highest(self) -> int:
        """Return the highest number that a recorded change has, 0 for none."""
        found = self.db.one("SELECT MAX(seq) FROM memory_changes WHERE scope = :scope", scope=self.scope)
        return 0 if found is None or found[0] is None else cells.whole(found[0])

    @cells.as_written
    def places(self, names: Iterable[str]) -> dict[str, int]:
        """Return the sequence number of each named change that is recorded."""
        statement = "SELECT id, seq FROM memory_changes WHERE scope = :scope AND id IN (:names)"
        found = for_each(self.db, statement, names, scope=self.scope)
        return {cells.text(name): cells.whole(seq) for name, seq in found}

    def newest_undoable(self, actor: Actor) -> str | None:
        """Return the id of the newest not yet undone change of this actor that undo can take back, or None."""
        return self._newest(
            """
            SELECT id FROM memory_changes WHERE scope = :scope AND undone_by IS NULL AND effect = 1
            AND kind IN (:doing) AND actor_kind = :actor AND actor_name = :name ORDER BY seq DESC LIMIT 1
            """,
            actor,
        )

    def newest_redoable(self, actor: Actor) -> str | None:
        """Return the id of the newest undo of this actor that stands and that no new doing of theirs followed.

        One without effect is passed over: there is nothing to redo in it, and it would hide those before it for good.
        """
        return self._newest(
            """
            SELECT u.id FROM memory_changes u WHERE u.scope = :scope AND u.undone_by IS NULL AND u.kind = 'undo'
            AND u.effect = 1 AND u.actor_kind = :actor AND u.actor_name = :name AND NOT EXISTS (
                SELECT 1 FROM memory_changes n WHERE n.scope = :scope AND n.seq > u.seq AND n.kind IN (:doing)
                AND n.effect = 1 AND n.actor_kind = :actor AND n.actor_name = :name)
            ORDER BY u.seq DESC LIMIT 1
            """,
            actor,
        )

    @cells.as_written
    def _newest(self, statement: str, actor: Actor) -> str | None:
        filled, values = with_list(statement, "doing", [str(kind) for kind in DOING_KINDS])
        found = self.db.one(filled, scope=self.scope, actor=str(actor.kind), name=actor.name, **values)
        return None if found is None else cells.text(found[0])
