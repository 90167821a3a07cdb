"""Narrowing: what a filter lets through of the queue of all people, which nobody ever reads whole.

Here: the field ``user:``, what a database may look for by itself, the order of the list. Not here: what the words of a
filter mean (``curator.queries``), going through the queue (``stores.sql.tenant_queue``).

All of it stands in one order, the oldest first: to put a million items under headings they would all have to be read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from curator_tui.core.proposals import Proposal
from curator_tui.core.text import visible
from curator_tui.curator.listing import Listing, Listings
from curator_tui.curator.people.model import PeopleQueue
from curator_tui.curator.queries import Candidate, Group, Query, Sort, Term, fits, parse, searched
from curator_tui.curator.queue_model import Row
from curator_tui.stores.sql.tenants import Listed

_USER = "user"
_FIRST_SECONDS = 0.06
_NEAR_END = 60
_SHORTEST = 3


class PeopleListings(Listings):
    """Lists what was read of the queue of all people, for one filter after the other.

    Args:
        queue: their queue.
        now: UTC seconds, for ages.
    """

    def __init__(self, queue: PeopleQueue, now: Callable[[], float]) -> None:
        super().__init__(queue, now)
        self._people = queue
        self._words = ""
        self._clock = now

    def page(self, query: Query, around: str | int = 0, size: int | None = None) -> Listing:
        """Return the lines around an item or a position; another filter begins at the oldest item again."""
        if query.words != self._words:
            self._words = query.words
            self._narrow(query)
            self._people.refresh()
            self._people.advance(_FIRST_SECONDS)
        plain = replace(query, group=Group.NOTHING, sort=Sort.OLDEST)
        found = super().page(plain, around, size)
        place = around if isinstance(around, int) else found.place or 0
        if place > found.lines - _NEAR_END:
            self._people.store.queue.extend()
        return replace(found, query=query)

    def _wanted(self, rows: Sequence[Row], query: Query) -> Sequence[Row]:  # noqa: ARG002 - it was filtered when read
        return rows

    def _narrow(self, query: Query) -> None:
        terms = _terms(query.words)
        if not terms:
            self._people.store.queue.narrow(None)
            return
        about = [term for term in terms if term.field == _USER]
        rest = tuple(term for term in terms if term.field != _USER)
        wanted = [term.value for term in about if term.wanted]
        scopes = self._people.store.scopes_of(wanted[0]) if wanted else None
        plain = tuple(term for term in rest if term.field != "state")
        states = tuple(term for term in rest if term.field == "state")
        queue, now = self._people, self._clock

        def lets_through(listed: Listed, proposal: Proposal) -> bool:
            user = visible(listed.whose.user).casefold()
            if any(user.startswith(term.value) != term.wanted for term in about):
                return False
            candidate = Candidate(proposal.id, 1, proposal, searched(proposal), None)
            if not fits(plain, candidate, query, now()):
                return False
            if not states:
                return True
            state = queue.conditions_there(proposal)[0]
            return fits(states, replace(candidate, state=state), query, now())

        self._people.store.queue.narrow(lets_through, scopes, _words(rest))


def _terms(words: str) -> tuple[Term, ...]:
    """Read a filter as every queue does, and the field that only many people have."""
    return tuple(_about_user(term) for term in parse(words))


def _about_user(term: Term) -> Term:
    name, colon, value = term.value.partition(":")
    return replace(term, field=_USER, value=value) if not term.field and name == _USER and colon and value else term


def _words(terms: Sequence[Term]) -> tuple[str, ...]:
    """Return what a database may look for by itself: what stands in each record as it was typed."""
    return tuple(
        term.value
        for term in terms
        if not term.field and term.wanted and not term.like and len(term.value) >= _SHORTEST
        and term.value.isascii() and term.value.isalnum()
    )  # fmt: skip
