"""Opening: from the command line's options and the environment to a desk at one bound store.

Here: which store is meant, who the person is. Not here: the rule that finds a home (``stores.hermes.home``),
what the desk does.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping
from pathlib import Path

from curator_tui.core.requests import Actor, ActorKind
from curator_tui.curator.desk import Desk
from curator_tui.evidence.hermes_sessions import HermesSessions
from curator_tui.stores.hermes.home import bind
from curator_tui.stores.hermes.names import DEFAULT_PROFILE, PROFILES
from curator_tui.stores.hermes.store import HermesStore


def open_desk(
    *,
    home: Path | None,
    profile: str | None,
    environ: Mapping[str, str],
    through: str,
    first: int | None = None,
    read_only: bool = False,
) -> Desk:
    """Open the desk of a Hermes home; nothing is created.

    Args:
        home: ``--home``, or None.
        profile: ``--profile``, or None.
        environ: the environment the home and its configuration are found by.
        through: the surface that asks: ``tui``, ``web`` (the application in a browser) or ``cli``.
        first: only glance at about so many waiting proposals for now; the desk's first refresh reads everything.
        read_only: refuse everything that would change the store.

    Raises:
        UsageError: the options contradict each other.
        StoreError: there is no such home, or it cannot be opened.
    """
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


def open_beside(desk: Desk, profile: str, environ: Mapping[str, str]) -> Desk:
    """Open the desk of another profile of the same root, for the same surface, read only where this one is.

    Raises:
        StoreError: there is no such profile, or it cannot be opened.
    """
    assert isinstance(desk.store, HermesStore)
    return open_desk(
        home=desk.store.binding.root,
        profile=profile,
        environ=environ,
        through=desk.actor.through,
        read_only=desk.read_only,
    )


def pinned(desk: Desk) -> tuple[Path, str | None]:
    """Return the home and profile with which another process opens this very store, whatever is active by then."""
    assert isinstance(desk.store, HermesStore)
    binding = desk.store.binding
    if binding.profile == DEFAULT_PROFILE:
        return binding.root, DEFAULT_PROFILE
    return binding.root / PROFILES / binding.profile, None


def login() -> tuple[str, Path | None]:
    """Return name and folder of the person by the password database, None where it has none; nothing else counts."""
    number = os.getuid()
    try:
        found = pwd.getpwuid(number)
    except KeyError:
        # a container may run under a number that nobody gave a name
        return f"uid {number}", None
    return found.pw_name, Path(found.pw_dir)
