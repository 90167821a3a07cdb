"""Among: the people that somebody at a desk could turn to, page by page.

Here: reading a page of them, and the name under which one is opened. Not here: the statements (``stores.sql.tenants``),
opening a desk (``opening``). Who opened a desk over all people of a tenant has this, also at a desk opened from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from curator_tui.core.documents import Standing, Target
from curator_tui.stores.sql.addresses import address_of
from curator_tui.stores.sql.bounds import Bound
from curator_tui.stores.sql.opening import open_database
from curator_tui.stores.sql.scopes import Whose
from curator_tui.stores.sql.tenants import Tenant

PAGE = 100


class PeopleOrder(StrEnum):
    """How a list of people is ordered."""

    NAME = "name"
    WAITING = "waiting"


class PersonRow(Struct, frozen=True):
    """How the memory of one person stands.

    Attributes:
        key: what names it when its desk is opened.
        name: whose it is, in words safe to print.
        waiting: number of waiting proposals, what is deferred included.
        oldest_at: when the oldest of them was made, None for none.
        documents: how full both documents are.
    """

    key: str
    name: str
    waiting: int
    oldest_at: float | None
    documents: Mapping[Target, Standing]


class PeoplePage(Struct, frozen=True):
    """One page of people.

    Attributes:
        rows: the people.
        after: behind what the next page begins; None at the end.
    """

    rows: tuple[PersonRow, ...]
    after: object = None


class Among(Struct, frozen=True):
    """The people of one tenant of a database.

    Attributes:
        url: the database, as ``--db`` says it.
        tenant: the tenant.
        unheld: whether it may be opened by a login that no policy holds.
    """

    url: str
    tenant: str
    unheld: bool = False

    def page(self, words: str, order: PeopleOrder, after: object = None) -> PeoplePage:
        """Return people whose names hold some words, on a connection of its own.

        Raises:
            StoreError: they cannot be read.
        """
        database = open_database(address_of(self.url, unheld=self.unheld))
        try:
            reader = database.reader(Bound(self.tenant))
            try:
                return _page(Tenant(reader, database.dialect, self.tenant), words.casefold().strip(), order, after)
            finally:
                reader.close()
        finally:
            database.close()


def _page(tenant: Tenant, words: str, order: PeopleOrder, after: object) -> PeoplePage:
    behind: object = None
    if order is PeopleOrder.WAITING:
        found = tenant.longest(after if isinstance(after, tuple) else None, PAGE, words)
        whose, behind = [one for one, _ in found], found[-1][1] if found else None
    else:
        whose = tenant.people(after if isinstance(after, Whose) else None, PAGE, words)
        behind = whose[-1] if whose else None
    rows = tuple(
        PersonRow(key_of(one.whose), one.whose.within, one.waiting, one.oldest_at, one.documents)
        for one in tenant.standing(whose)
    )
    return PeoplePage(rows, behind if len(rows) == PAGE else None)


def key_of(whose: Whose) -> str:
    """Return what names a memory when its desk is opened."""
    return json.dumps([whose.user, whose.agent], ensure_ascii=False)


def person_of(key: str) -> tuple[str, str]:
    """Return person and agent that :func:`key_of` named."""
    user, agent = json.loads(key)
    return str(user), str(agent)
