"""Opening: from the command line's options and the environment to a desk at one bound store.

Here: which store is meant, who the person is. Not here: the rule that finds a home (``stores.hermes.home``), how a
database is reached (``stores.sql``), what the desk does. Nothing of a database is loaded for a home.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from curator_tui.core.errors import UsageError
from curator_tui.core.requests import Actor, ActorKind
from curator_tui.curator.desk import Desk
from curator_tui.evidence.hermes_sessions import HermesSessions
from curator_tui.stores.hermes.home import bind
from curator_tui.stores.hermes.names import DEFAULT_PROFILE, PROFILES
from curator_tui.stores.hermes.store import HermesStore


class DatabaseScope(NamedTuple):
    """One person's memory in a database, as a command line names it.

    Attributes:
        url: ``--db``.
        tenant: ``--tenant``, empty for none.
        user: ``--user``, or None for all people of the tenant.
        agent: ``--agent``, empty for what all agents share.
        unheld: ``--allow-superuser``: a login may open it that no policy holds.
    """

    url: str
    tenant: str = ""
    user: str | None = None
    agent: str = ""
    unheld: bool = False


def open_desk(
    *,
    home: Path | None = None,
    profile: str | None = None,
    database: DatabaseScope | None = None,
    environ: Mapping[str, str],
    through: str,
    first: int | None = None,
    read_only: bool = False,
    many: bool = False,
) -> Desk:
    """Open the desk of a Hermes home, of one person's memory in a database, or of all people; nothing is created.

    Args:
        home: ``--home``, or None.
        profile: ``--profile``, or None.
        database: what ``--db`` and its companions name, or None for a home.
        environ: the environment the home and its configuration are found by.
        through: the surface that asks: ``tui``, ``web`` (the application in a browser) or ``cli``.
        first: only glance at about so many waiting proposals for now; the desk's first refresh reads everything.
        read_only: refuse everything that would change the store.
        many: where a database is named and nobody in it, open the desk over all people of the tenant.

    Raises:
        UsageError: the options contradict each other.
        StoreError: there is no such home or database, or it cannot be opened.
    """
    if database is not None:
        opening = _open_people if many and database.user is None else _open_scope
        return opening(database, through, first=first, read_only=read_only)
    name, uid_home = login()
    binding = bind(home, profile, environ, uid_home=uid_home)
    store = HermesStore(binding, environ)
    sessions = HermesSessions(binding.home / "state.db")
    try:
        actor = Actor(ActorKind.PERSON, name, through)
        return Desk(store, actor, evidence=sessions, first=first, read_only=read_only)
    except BaseException:
        store.close()
        raise


def _open_scope(named: DatabaseScope, through: str, *, first: int | None, read_only: bool) -> Desk:
    """Open the desk of one scope of a database; who acts there is whom its server let in."""
    from curator_tui.stores.sql.addresses import address_of
    from curator_tui.stores.sql.opening import open_database
    from curator_tui.stores.sql.scopes import whose
    from curator_tui.stores.sql.store import SqlStore

    address, mine = address_of(named.url, unheld=named.unheld), whose(named.tenant, named.user, named.agent)
    opened = open_database(address)
    try:
        store, let_in = SqlStore(opened, mine), opened.login()
        if let_in is None:
            return Desk(store, Actor(ActorKind.PERSON, login()[0], through), first=first, read_only=read_only)
        from curator_tui.curator.authority import desk_for

        return desk_for(
            store, let_in, through, partial(store.note_refusal, through=through), first=first, read_only=read_only
        )
    except BaseException:
        opened.close()
        raise


def _open_people(named: DatabaseScope, through: str, *, first: int | None, read_only: bool) -> Desk:
    """Open the desk over all people of a tenant.

    Raises:
        UsageError: an agent is named, and nobody whose it is.
        NotAllowed: whom the server let in may see no more than one person's memory.
    """
    from curator_tui.curator.authority import over_many
    from curator_tui.curator.people.among import Among
    from curator_tui.curator.people.desk import PeopleDesk
    from curator_tui.stores.sql.addresses import address_of
    from curator_tui.stores.sql.opening import open_database
    from curator_tui.stores.sql.tenant_store import TenantStore

    if named.agent:
        raise UsageError("--agent says whose agent is meant, and --user is missing.", way_out="Name the person.")
    opened = open_database(address_of(named.url, unheld=named.unheld))
    try:
        let_in = opened.login()
        read_only = over_many(let_in, through) or read_only
        actor = Actor(ActorKind.PERSON, login()[0] if let_in is None else let_in.name, through)
        among = Among(named.url, named.tenant, named.unheld)
        return PeopleDesk(TenantStore(opened, named.tenant), actor, first=first, read_only=read_only).with_people(among)
    except BaseException:
        opened.close()
        raise


def open_beside(desk: Desk, profile: str, environ: Mapping[str, str]) -> Desk:
    """Open the desk of another profile of the same root, for the same surface, read only where this one is.

    At a desk over all people of a tenant, or one that was opened from it, it is that of one of them.

    Raises:
        StoreError: there is no such profile or person, or it cannot be opened.
    """
    if desk.among is not None:
        return _open_among(desk, profile)
    assert isinstance(desk.store, HermesStore)
    return open_desk(
        home=desk.store.binding.root,
        profile=profile,
        environ=environ,
        through=desk.actor.through,
        read_only=desk.read_only,
    )


def _open_among(desk: Desk, key: str) -> Desk:
    """Open the desk of one of the people somebody may turn to, or with no key that of all of them."""
    from curator_tui.curator.people.among import Among, person_of

    assert isinstance(desk.among, Among)
    user, agent = person_of(key) if key else (None, "")
    named = DatabaseScope(desk.among.url, desk.among.tenant, user, agent, desk.among.unheld)
    opened = open_desk(database=named, environ={}, through=desk.actor.through, read_only=desk.read_only, many=True)
    return opened.with_people(desk.among, key or None)


def pinned(desk: Desk) -> tuple[str, ...]:
    """Return the options with which another process opens this very store, whatever is active by then.

    Raises:
        UsageError: they would hold a password, which every process of the machine could read there.
    """
    if isinstance(desk.store, HermesStore):
        binding = desk.store.binding
        if binding.profile == DEFAULT_PROFILE:
            return f"--home={binding.root}", f"--profile={DEFAULT_PROFILE}"
        return (f"--home={binding.root / PROFILES / binding.profile}",)
    from curator_tui.stores.sql.store import SqlStore

    assert isinstance(desk.store, SqlStore)
    return desk.store.options()


def login() -> tuple[str, Path | None]:
    """Return name and folder of the person by the password database, None where it has none; nothing else counts."""
    number = os.getuid()
    try:
        found = pwd.getpwuid(number)
    except KeyError:
        # a container may run under a number that nobody gave a name
        return f"uid {number}", None
    return found.pw_name, Path(found.pw_dir)
