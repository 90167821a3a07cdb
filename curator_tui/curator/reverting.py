"""Reverting: the part of a desk that undoes changes and redoes what was undone.

Here: which change is meant where none is named, building these requests, what was undone elsewhere. Not here: what
comes of it (``core.reverts``), looking at that first (``history``), carrying a request out (``desk``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from curator_tui.core.changes import Receipt
from curator_tui.core.requests import Actor, Kind, Request
from curator_tui.curator.asides import AsideDesk


class RevertDesk(AsideDesk):
    """What a desk can do besides deciding and deferring; :class:`~curator_tui.curator.desk.Desk` is made of it."""

    actor: Actor

    def undo(
        self,
        change: str | None = None,
        *,
        takes: Mapping[int, str | None] | None = None,
        shown: str | None = None,
    ) -> Receipt:
        """Revert one change, the newest of this person that is not undone when none is named."""
        return self.carry_out(self.undoing(change, takes=takes, shown=shown))

    def undoing(
        self,
        change: str | None = None,
        *,
        takes: Mapping[int, str | None] | None = None,
        shown: str | None = None,
    ) -> Request:
        """Return the request that :meth:`undo` carries out."""
        self.store.refresh()
        name = change or self.store.book.newest_undoable(self.actor)
        return Request(self.stamp(), Kind.UNDO, reverts=name, takes=takes or {}, shown=shown, today=self.today())

    def undone_since(
        self, changes: Sequence[str], before: tuple[int, str]
    ) -> tuple[tuple[int, str], frozenset[str]] | None:
        """Return the end of the ledger, and which of some changes are not in force; None where it ends as before.

        Raises:
            StoreError: the book cannot be read.
        """
        head = self.store.book.head()
        return None if head == before else (head, self.store.book.undone_among(changes))

    def redo(
        self,
        change: str | None = None,
        *,
        takes: Mapping[int, str | None] | None = None,
        shown: str | None = None,
    ) -> Receipt:
        """Undo an undo: the one that is named, else this person's newest, if nothing came after it."""
        return self.carry_out(self.redoing(change, takes=takes, shown=shown))

    def redoing(
        self,
        change: str | None = None,
        *,
        takes: Mapping[int, str | None] | None = None,
        shown: str | None = None,
    ) -> Request:
        """Return the request that :meth:`redo` carries out."""
        self.store.refresh()
        name = change or self.store.book.newest_redoable(self.actor)
        return Request(self.stamp(), Kind.REDO, reverts=name, takes=takes or {}, shown=shown, today=self.today())
