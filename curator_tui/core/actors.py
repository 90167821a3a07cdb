"""Actors in words: how whoever acted is named to whoever looks, the same on every surface.

Here: naming one, and counts of several. Not here: what an actor is (``requests``), columns (the surfaces). JSON and the
ledger keep the name itself: who reads them later is somebody else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from curator_tui.core.requests import Actor
from curator_tui.core.text import visible

YOU = "you"


class Acted(Protocol):
    """An actor, or what a ledger row says of one."""

    @property
    def kind(self) -> str:
        """What kind of actor, as a word."""
        ...

    @property
    def name(self) -> str:
        """Its name, empty for none."""
        ...


class _Counted(NamedTuple):
    """An actor as rows are counted by."""

    kind: str
    name: str


def actor_words(actor: Acted, you: Actor) -> str:
    """Return ``you`` for whoever looks, else the name of the actor as shown text, or its kind where it has none."""
    if (str(actor.kind), actor.name) == (str(you.kind), you.name):
        return YOU
    return visible(actor.name, newlines=False) or visible(str(actor.kind), newlines=False) or "?"


def counted_actors(rows: Mapping[tuple[str, str], int], you: Actor) -> dict[str, int]:
    """Return numbers of rows by who made them, as :func:`actor_words` names them.

    Args:
        rows: the same by kind and name (see ``ledger_facts.Statistics``).
        you: who looks.
    """
    found: Counter[str] = Counter()
    for (kind, name), number in rows.items():
        found[actor_words(_Counted(kind, name), you)] += number
    return dict(found.most_common())
