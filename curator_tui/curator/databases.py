"""Databases: making, upgrading, trying out and sharing the tables that memories of many people are kept in.

Here: the door to that, for surfaces. Not here: opening the memory of one of these people (``opening``), the tables
(``stores.sql``). SQLAlchemy and Alembic are loaded by what is called here and not before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from curator_tui.core.operations import Problem
from curator_tui.core.requests import Actor
from curator_tui.core.trust import Judged, Trust


class Made(Struct, frozen=True):
    """What an upgrade did.

    Attributes:
        label: the database, in words safe to print.
        before: version of the tables found, empty for none.
        after: their version now.
        adopted: how many rows of a table that was there before were taken over; None where there was none.
    """

    label: str
    before: str
    after: str
    adopted: int | None


class Tried(Struct, frozen=True):
    """What a check found.

    Attributes:
        label: the database, in words safe to print.
        engine: ``sqlite`` or ``postgresql``.
        version: of the tables, empty for none.
        settings: those that decide whether a power cut takes what was acknowledged.
        problems: why the database should not be relied on.
        notes: what is worth knowing besides, in words safe to print.
    """

    label: str
    engine: str
    version: str
    settings: Mapping[str, str]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]


def upgrade_tables(url: str, partitions: int | None = None) -> Made:
    """Make the tables of a database, or bring them to this version, everything or nothing.

    Args:
        url: ``--db``.
        partitions: into how many parts the tables of a server are cut; None to leave them as they are.

    Raises:
        UsageError: ``url`` names no database.
        StoreError: it cannot be done; nothing was changed.
    """
    from curator_tui.stores.sql.addresses import address_of

    address = address_of(url)
    from curator_tui.stores.sql.upgrading import upgrade

    done = upgrade(address, partitions)
    return Made(address.label, done.before, done.after, done.adopted)


class Granted(Struct, frozen=True):
    """Who may do what in a database of a server, as it was installed or would be.

    Attributes:
        label: the database, in words safe to print.
        statements: every statement, in order.
        made: groups that were not there before.
        groups: what each group is for.
    """

    label: str
    statements: tuple[str, ...]
    made: tuple[str, ...]
    groups: Mapping[str, str]


class Held(Struct, frozen=True):
    """What a login is held to.

    Attributes:
        label: the database, in words safe to print.
        to: each memory, or part of a tenant, in words safe to print.
    """

    label: str
    to: tuple[str, ...]


def install_roles(url: str, *, dry_run: bool = False) -> Granted:
    """Install the groups of a server, what each may do, and the policies that keep memories apart.

    Raises:
        UsageError: ``url`` names no database of a server.
        StoreError: it cannot be done; nothing was changed.
    """
    from curator_tui.stores.sql.addresses import address_of

    address = address_of(url)
    from curator_tui.stores.sql.granting import grant
    from curator_tui.stores.sql.roles import ROLES

    done = grant(address, dry_run=dry_run)
    return Granted(address.label, done.statements, done.roles, ROLES)


def hold_login(url: str, role: str, whose: tuple[str, str | None, str] | None) -> Held:
    """Hold a login to the memory of one person, or to a tenant, besides what it is held to already.

    Args:
        url: the database.
        role: the login.
        whose: tenant, person (None for all of them) and agent; None to let go of all it is held to.

    Raises:
        UsageError: ``url`` names no database of a server, or there is no such login.
        StoreError: it cannot be done; nothing was changed.
    """
    from curator_tui.stores.sql.addresses import address_of

    address = address_of(url)
    from curator_tui.stores.sql.holding import hold

    return Held(address.label, hold(address, role, whose))


def agents(url: str, tenant: str, *, unheld: bool = False) -> tuple[Judged, ...]:
    """Return the agents of a tenant: those that somebody judged, and those of which proposals wait.

    Raises:
        UsageError: ``url`` names no database.
        StoreError: it cannot be opened or read.
    """
    from curator_tui.stores.sql.addresses import address_of
    from curator_tui.stores.sql.agents import agents_of
    from curator_tui.stores.sql.bounds import Bound
    from curator_tui.stores.sql.opening import open_database

    database = open_database(address_of(url, unheld=unheld))
    try:
        return tuple(agents_of(database.reader(Bound(tenant)), tenant))
    finally:
        database.close()


def judge(url: str, tenant: str, agent: str, trust: Trust | None, *, unheld: bool = False) -> None:
    """Say how far an agent is trusted in a tenant; None takes back what was said.

    Raises:
        UsageError: ``url`` names no database, or ``agent`` nobody.
        NotAllowed: who asks may not say so.
        StoreError: it was not stored.
    """
    from curator_tui.curator.authority import EVERYTHING, authority_of, not_allowed
    from curator_tui.curator.opening import login as account
    from curator_tui.stores.sql.addresses import address_of
    from curator_tui.stores.sql.agents import set_trust
    from curator_tui.stores.sql.opening import open_database

    database = open_database(address_of(url, unheld=unheld))
    try:
        login = database.login()
        authority = authority_of(login)
        if login is not None and authority is not EVERYTHING:
            raise not_allowed(authority, Actor(authority.kind, login.name, "cli"))
        set_trust(database, tenant, agent, trust, by=account()[0] if login is None else login.name)
    finally:
        database.close()


def try_out(url: str, tenant: str = "") -> Tried:
    """Check tables and settings of a database and try it out with a row that does not stay.

    Args:
        url: the database.
        tenant: whose people are looked at, for names that are read as one.

    Raises:
        UsageError: ``url`` names no database.
        StoreError: it cannot be opened.
    """
    from curator_tui.stores.sql.addresses import address_of
    from curator_tui.stores.sql.checking import check_database

    address = address_of(url)
    found = check_database(address, tenant)
    return Tried(address.label, address.dialect, found.version, found.settings, found.problems, found.notes)


def rules(url: str, tenant: str, *, unheld: bool = False) -> tuple[str, ...]:
    """Return what two persons have to approve in a tenant, by name.

    Raises:
        UsageError: ``url`` names no database.
        StoreError: it cannot be opened or read.
    """
    from curator_tui.stores.sql.addresses import address_of
    from curator_tui.stores.sql.bounds import Bound
    from curator_tui.stores.sql.opening import open_database
    from curator_tui.stores.sql.two_persons import rules_of

    database = open_database(address_of(url, unheld=unheld))
    try:
        return tuple(sorted(rules_of(database.reader(Bound(tenant)), tenant)))
    finally:
        database.close()


def set_rules(url: str, tenant: str, names: Sequence[str], *, unheld: bool = False) -> None:
    """Say what two persons have to approve in a tenant, in the place of what was said before.

    Raises:
        UsageError: ``url`` names no database.
        NotAllowed: who asks does not keep the database: a curator does not change what holds curators.
        StoreError: it was not stored.
    """
    from curator_tui.core.errors import NotAllowed
    from curator_tui.stores.sql.addresses import address_of
    from curator_tui.stores.sql.opening import open_database
    from curator_tui.stores.sql.two_persons import set_rules as store

    database = open_database(address_of(url, unheld=unheld))
    try:
        login = database.login()
        if login is not None and not (login.keeper or login.unheld):
            raise NotAllowed(
                "only whoever keeps the database says what two persons have to approve.",
                way_out="Ask whoever keeps it.",
            )
        store(database, tenant, names)
    finally:
        database.close()
