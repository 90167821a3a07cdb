"""Deferrals: which of the waiting items are deferred, and which questions are open, as last read.

Here: one look at the asides of the book, and what it means for the records as they are now. Not here: when a deferral
holds (``core.asides``), the queue itself (``queue_model``). Nothing is written when a day comes: the next look sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from curator_tui.core.asides import Asides, Challenge, Deferral
from curator_tui.core.errors import StoreError, Unreadable
from curator_tui.core.proposals import Proposal
from curator_tui.stores.port import Store

_UNKNOWN = "what is deferred and disputed cannot be told"


class Deferrals:
    """The deferrals of one store.

    Args:
        store: whose.
        today: returns the person's day, as ``2026-12-24``.

    Attributes:
        deferred: the deferral of each item that is deferred.
        rewritten: the deferral of each item that is back before its day, because its record was written again since.
        over: the deferral of each waiting item whose day has come.
        questions: the open questions, oldest first.
        trouble: why nobody can tell what is deferred and disputed; everything is then shown as waiting, and nothing may
            be decided without being named (:meth:`must_be_known`). None when it can be told.
    """

    def __init__(self, store: Store, today: Callable[[], str]) -> None:
        self._store = store
        self._today = today
        self._seen: tuple[object, str] | None = None
        self._due: dict[str, Deferral] = {}
        self._past: dict[str, Deferral] = {}
        self.deferred: dict[str, Deferral] = {}
        self.rewritten: dict[str, Deferral] = {}
        self.over: dict[str, Deferral] = {}
        self.questions: tuple[Challenge, ...] = ()
        self.trouble: StoreError | None = None

    def look(self) -> bool:
        """Look at the book again; True when something is deferred, back, asked or answered that was not so before."""
        try:
            seen = self._mark(), self._today()
            if seen == self._seen and seen[0] is not None:
                return False
            asides = self._read()
            self._seen, self.trouble = seen, None
        except StoreError as error:
            # a book that cannot be read hides nothing; whatever decides in bulk is refused with its reason
            asides, self._seen, self.trouble = Asides(), None, error
        before, today = (self._due, self._past, self.questions), self._today()
        latest = {name: one for name, one in asides.latest().items() if not one.back}
        self._due = {name: one for name, one in latest.items() if one.due_after(today)}
        self._past = {name: one for name, one in latest.items() if name not in self._due}
        self.questions = asides.questions()
        return (self._due, self._past, self.questions) != before

    def _mark(self) -> object:
        """Return what differs as soon as there is something new to read; None to read each time."""
        return self._store.book.head()

    def _read(self) -> Asides:
        return self._store.book.asides()

    def forget(self, name: str) -> None:
        """Take out an item that left the queue with a change of ours; the next look would find it gone."""
        for named in (self.deferred, self.rewritten, self.over):
            named.pop(name, None)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to say beside the queue where nobody can tell what is deferred; nothing otherwise."""
        if self.trouble is None:
            return ()
        return (f"{_UNKNOWN}, so deferred writes are listed as waiting: {self.trouble}",)

    def must_be_known(self) -> None:
        """Refuse to go on where what is deferred would be taken for waiting.

        Raises:
            Unreadable: nobody can tell what is deferred.
        """
        if self.trouble is not None:
            raise Unreadable(f"{_UNKNOWN}: {self.trouble.message}", way_out=self.trouble.way_out)

    def waiting(self, proposals: Sequence[Proposal]) -> Sequence[Proposal]:
        """Return those that are not deferred, and remember which are."""
        self.deferred, self.rewritten, self.over = {}, {}, {}
        if not self._due and not self._past:
            return proposals
        for proposal in proposals:
            one = self._due.get(proposal.id)
            past = self._past.get(proposal.id)
            if past is not None and past.digest == proposal.digest:
                self.over[proposal.id] = past
            if one is not None:
                (self.deferred if one.digest == proposal.digest else self.rewritten)[proposal.id] = one
        return [proposal for proposal in proposals if proposal.id not in self.deferred]
