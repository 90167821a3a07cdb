"""What a person is in the middle of: marks, skipped items, drafts, the last change, the clock of the session.

Here: plain state of one run on one desk; nothing of it is stored and none of it decides anything. Not here: what was
painted (``gates``), what happened before this run (the ledger).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

from curator_tui.curator.queries import Group, Query, Sort
from curator_tui.tui.shown import Shown

if TYPE_CHECKING:
    from curator_tui.core.changes import Receipt
    from curator_tui.core.verification import Verification
    from curator_tui.curator.queue_model import Row

About = frozenset[tuple[str, str]]
"""What words are about: ids with the digests of their records, or documents with the texts of their entries."""


class LastChange(NamedTuple):
    """One change of this run.

    Attributes:
        change: id of the change.
        words: what it was.
        at: when, for saying how long ago; the clock may have been set, so it orders nothing.
        decided: how many items it decided.
        undoable: whether there is anything in it to take back: of what kept nothing ``u`` goes on to what was before.
    """

    change: str
    words: Shown
    at: float
    decided: int
    undoable: bool


class Session(Struct):
    """State of one run.

    Attributes:
        marked: items marked for a plan, in the order they were marked, each with the digest of the record that was
            seen: a mark belongs to that record, and to no other under the same id.
        standing_for: the records behind the row of a marked item, itself among them: item ids with their digests.
        skipped: items put to the end for this run.
        drafts: a person's own text by item and step, kept until the item is decided or the text is written.
        typed: what was typed last into a line, by what it asks, and what it was typed for, until a change is made or
            its question is answered no: where others were faster and nothing came of it, it stands there the next
            time, for the same records or some of them and for nothing else.
        put_by: drafts of items that were decided, for when one comes back.
        changed: items whose record or documents changed while they were looked at.
        past: changes of this run in the order they were made, which is that of the ledger.
        undone: ids of those that are not in force, by what this run and by what the book knows.
        undos: undos of this run that were not redone, in the order they were made, each with what it reverted.
        head: the end of the ledger when the book was asked last which changes are undone.
        range_from: where a range of marks began, or None.
        words: what the list is filtered by.
        words_before: what it was filtered by before only what is deferred was listed; empty where it is not.
        filters: what the lists of the other places were filtered by when they were left, by screen.
        group: what its rows stand under.
        sort: their order within a group.
        made: ids of the changes made in this run.
        verified: what verifying the ledger found last in this run, or None.
    """

    marked: dict[str, str] = field(default_factory=dict)
    standing_for: dict[str, dict[str, str]] = field(default_factory=dict)
    skipped: dict[str, None] = field(default_factory=dict)
    drafts: dict[tuple[str, int], str] = field(default_factory=dict)
    typed: dict[str, tuple[About, str]] = field(default_factory=dict)
    put_by: dict[tuple[str, int], str] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    past: list[LastChange] = field(default_factory=list)
    undone: set[str] = field(default_factory=set)
    undos: dict[str, str] = field(default_factory=dict)
    head: tuple[int, str] = (0, "")
    range_from: str | None = None
    words: str = ""
    words_before: str = ""
    filters: dict[str, str] = field(default_factory=dict)
    group: Group = Group.STATE
    sort: Sort = Sort.OLDEST
    made: set[str] = field(default_factory=set)
    verified: Verification | None = None

    @property
    def last(self) -> LastChange | None:
        """What ``u`` undoes first; None when there is nothing of this run."""
        return next((one for one in reversed(self.past) if one.undoable and one.change not in self.undone), None)

    @property
    def newest(self) -> LastChange | None:
        """The newest change of this run that is not undone, whether it can be or not."""
        return next((one for one in reversed(self.past) if one.change not in self.undone), None)

    @property
    def decided(self) -> int:
        """Number of items decided in this run and not taken back since."""
        return sum(one.decided for one in self.past if one.change not in self.undone)

    def named(self, *, redo: bool) -> str | None:
        """Return the change that was named last as what ``u``, or ``U``, takes back; None where none was named."""
        if redo:
            return next(reversed(self.undos), None)
        return self.last.change if self.last is not None else None

    def note_revert(self, change: str, reverted: str, *, redo: bool) -> None:
        """Remember an undo or a redo of this run: what is undone is not undone next, what is redone may be.

        Args:
            change: id of the undo or redo.
            reverted: id of the change it reverts; for a redo the undo.
            redo: whether it is a redo.
        """
        self.made.add(change)
        if redo:
            self.undone.discard(self.undos.pop(reverted, ""))
        else:
            self.undos[change] = reverted
            self.undone.add(reverted)

    def learn(self, head: tuple[int, str], names: Iterable[str], undone: frozenset[str]) -> None:
        """Take over what the book says of changes: others may have undone some of them, or redone them.

        Args:
            head: the end of the ledger when it was asked.
            names: the changes it was asked about.
            undone: those of them that are not in force.
        """
        self.head = head
        self.undone.difference_update(names)
        self.undone |= undone

    def words_for(self, question: str, about: About) -> str:
        """Return what was typed into a line for all of these before; empty where it was typed for anything else."""
        before, words = self.typed.get(question, (frozenset(), ""))
        return words if about and about <= before else ""

    def query(self) -> Query:
        """Return what is wanted of the queue now."""
        return Query(self.words, self.group, self.sort, frozenset(self.marked), frozenset(self.skipped))

    def wants_other_than(self, query: Query) -> bool:
        """Whether a list made for a query is not what is wanted now; items that are gone make no difference."""
        wanted = self.query()
        return (
            (query.words, query.group, query.sort) != (wanted.words, wanted.group, wanted.sort)
            or not wanted.skipped <= query.skipped
            or (wanted.names_marks and query.marked != wanted.marked)
        )

    def mark(self, rows: Iterable[Row]) -> None:
        """Mark rows as they are listed."""
        for row in rows:
            self.marked[row.id] = row.proposal.digest
            self.standing_for[row.id] = row.records

    @property
    def marked_items(self) -> int:
        """Number of items that the marked rows stand for."""
        return len(self.marked_records)

    @property
    def marked_records(self) -> dict[str, str]:
        """The records that the marked rows stand for: item ids with their digests."""
        return {
            item: record
            for name, digest in self.marked.items()
            for item, record in (self.standing_for.get(name) or {name: digest}).items()
        }

    def toggle(self, row: Row) -> None:
        """Mark a row as it is listed, or take its mark away."""
        if row.id in self.marked:
            del self.marked[row.id]
        else:
            self.mark([row])

    def drop_marks(self, marks: Mapping[str, str]) -> int:
        """Drop marks of records that are there no more, where they were not set anew; return how many records."""
        lost = [name for name, digest in marks.items() if self.marked.get(name) == digest]
        for name in lost:
            del self.marked[name]
        gone = set(lost)
        for head in self.marked.keys() & self.standing_for.keys():
            records = self.standing_for[head]
            for name in marks.keys() & records.keys():
                if records[name] == marks[name]:
                    del records[name]
                    gone.add(name)
        return len(gone)

    def put_away(self, names: Iterable[str]) -> None:
        """Drop the marks of items that left the list and will be back: what was written for them stays."""
        for name in names:
            self.marked.pop(name, None)
            self.skipped.pop(name, None)

    def forget(self, names: Iterable[str]) -> None:
        """Drop what belongs to items that left the queue, and put by what was written for them."""
        for name in names:
            self.marked.pop(name, None)
            self.skipped.pop(name, None)
            self.changed.discard(name)
            self.put_by.update(self.drop_drafts(name))

    def drop_drafts(self, name: str) -> dict[tuple[str, int], str]:
        """Drop the drafts of one name and return them."""
        return {key: self.drafts.pop(key) for key in list(self.drafts) if key[0] == name}

    def take_up(self, names: Iterable[str]) -> None:
        """Bring back what was written for items that came back into the queue."""
        back = set(names)
        for key in [key for key in self.put_by if key[0] in back]:
            self.drafts[key] = self.put_by.pop(key)

    def note(self, receipt: Receipt, words: Shown, at: float, ended: Sequence[str] = ()) -> None:
        """Remember a change of this run, so that it can be named as what ``u`` undoes, which then does not ask.

        Args:
            receipt: what became of it; it may be that nothing was stored.
            words: what it was.
            at: when.
            ended: items that left the queue with it.
        """
        change = receipt.change
        if change is not None:
            self.past.append(LastChange(change, words, at, len(ended), receipt.undoable))
            self.made.add(change)
        self.forget(ended)
