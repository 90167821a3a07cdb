"""Profiles: how every profile of a home stands, without binding any of them.

Here: which profiles there are, and a glance at each. Not here: reading a folder (``stores.hermes.glances``), switching
(``opening``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from curator_tui.core.errors import CuratorError
from curator_tui.curator.desk import Desk
from curator_tui.curator.opening import login
from curator_tui.stores.hermes.glances import Glance, glance
from curator_tui.stores.hermes.home import DEFAULT_PROFILE, bind, profiles, root_of
from curator_tui.stores.hermes.store import HermesStore

__all__ = ["Glance", "beside", "bound_profile", "every_profile", "glance_at"]


def every_profile(home: Path | None, environ: Mapping[str, str]) -> tuple[Glance, ...]:
    """Return a glance at each profile of a home, ``default`` first; works also where the bound one cannot be opened.

    Raises:
        NoStore: there is no such home.
    """
    root = root_of(home, environ, uid_home=login()[1])
    return tuple(glance(root, name, environ) for name in (DEFAULT_PROFILE, *profiles(root)))


def bound_profile(home: Path | None, profile: str | None, environ: Mapping[str, str]) -> str:
    """Return the name of the profile that a command line binds; empty where that cannot be told."""
    try:
        return bind(home, profile, environ, uid_home=login()[1]).profile
    except CuratorError:
        return ""


def beside(desk: Desk) -> Sequence[str]:
    """Return the names of all profiles of the home a desk is open on, its own included, ``default`` first."""
    if not isinstance(desk.store, HermesStore):
        return ()
    return (DEFAULT_PROFILE, *profiles(desk.store.binding.root))


def glance_at(desk: Desk, profile: str, environ: Mapping[str, str]) -> Glance:
    """Return a glance at one profile of the home a desk is open on; one call each, so that a screen can fill in."""
    assert isinstance(desk.store, HermesStore)
    return glance(desk.store.binding.root, profile, environ)
