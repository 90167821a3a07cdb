"""Profiles: how every profile of a home stands, without binding any of them.

Here: which profiles there are, and a glance at each. Not here: reading a folder (``stores.hermes.glances``), switching
(``opening``).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from curator_tui.core.errors import CuratorError
from curator_tui.curator.calendar import local_day
from curator_tui.curator.desk import Desk
from curator_tui.curator.opening import login
from curator_tui.stores.hermes.glances import Glance, glance
from curator_tui.stores.hermes.home import bind, profiles, root_of
from curator_tui.stores.hermes.names import DEFAULT_PROFILE
from curator_tui.stores.hermes.store import HermesStore

__all__ = ["Glance", "ProfileOrder", "beside", "bound_profile", "every_profile", "glance_at", "in_order"]


class ProfileOrder(StrEnum):
    """How a list of profiles is ordered."""

    NAME = "name"
    WAITING = "waiting"
    AGE = "age"


def every_profile(home: Path | None, environ: Mapping[str, str]) -> tuple[Glance, ...]:
    """Return a glance at each profile of a home, ``default`` first; works also where the bound one cannot be opened.

    Raises:
        NoStore: there is no such home.
    """
    root = root_of(home, environ, uid_home=login()[1])
    today = local_day(time.time())
    return tuple(glance(root, name, environ, today) for name in (DEFAULT_PROFILE, *profiles(root)))


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
    return glance(desk.store.binding.root, profile, environ, desk.today())


def in_order(
    names: Iterable[str], known: Mapping[str, Glance], order: ProfileOrder = ProfileOrder.NAME
) -> tuple[str, ...]:
    """Put profiles in order: by name with ``default`` first, most waiting first, or longest waiting first.

    What is not known of one puts it behind the others; equal ones stand by name.
    """

    def by_name(name: str) -> tuple[bool, str]:
        return name != DEFAULT_PROFILE, name

    def place(name: str) -> tuple[float, bool, str]:
        one = known.get(name, Glance(name))
        if order is ProfileOrder.WAITING:
            return (float("inf") if one.waiting is None else -one.waiting, *by_name(name))
        if order is ProfileOrder.AGE:
            return (float("inf") if one.oldest_at is None else one.oldest_at, *by_name(name))
        return (0.0, *by_name(name))

    return tuple(sorted(names, key=place))
