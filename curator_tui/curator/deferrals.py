"""Deferrals: which of the waiting items are deferred, as last read.

Here: one look at what the book says of deferrals, and what it means for the records as they are now. Not here: when a
deferral holds (``core.beside``), the queue itself (``queue_model``). Nothing is written when a day comes: the next look
sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from curator_tui.core.beside import Deferral
from curator_tui.core.errors import StoreError
from curator_tui.core.proposals import Proposal
from curator_tui.stores.port import Store


class Deferrals:
    """The deferrals of one store.

    Args:
        store: whose.
        today: returns the person's day, as ``2026-12-24``.

    Attributes:
        deferred: the deferral of each item that is deferred.
        rewritten: the deferral of each item that is back before its day, because its record was written again since.
        trouble: why nobody can tell what is deferred; everything then waits. Empty when it can be told.
    """

    def __init__(self, store: Store, today: Callable[[], str]) -> None:
        self._store = store
        self._today = today
        self._seen: tuple[tuple[int, str], str] | None = None
        self._due: dict[str, Deferral] = {}
        self.deferred: dict[str, Deferral] = {}
        self.rewritten: dict[str, Deferral] = {}
        self.trouble = ""

    def look(self) -> bool:
        """Look at the book again; True when something is deferred or back that was not so before."""
        try:
            seen = self._store.book.head(), self._today()
            if seen == self._seen:
                return False
            latest = self._store.book.beside().latest()
            self._seen, self.trouble = seen, ""
        except StoreError as error:
            # a book that cannot be read hides nothing; whatever writes is refused with its reason
            latest, self._seen, self.trouble = {}, None, error.message
        before, today = self._due, self._today()
        self._due = {name: one for name, one in latest.items() if one.due_after(today)}
        return self._due != before

    def waiting(self, proposals: Sequence[Proposal]) -> Sequence[Proposal]:
        """Return those that are not deferred, and remember which are."""
        self.deferred, self.rewritten = {}, {}
        if not self._due:
            return proposals
        for proposal in proposals:
            one = self._due.get(proposal.id)
            if one is not None:
                (self.deferred if one.digest == proposal.digest else self.rewritten)[proposal.id] = one
        return [proposal for proposal in proposals if proposal.id not in self.deferred]
