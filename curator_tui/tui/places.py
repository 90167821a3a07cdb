"""The places: the screens that fill the window and have a key of their own, in the order of the title's tabs.

Here: which there are, and what loads each when it is first opened, so that a start pays for none but the queue. Not
here: the keys (``actions``), going from one to another (``screens.base``).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from enum import IntEnum
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from curator_tui.tui.actions import DOCUMENTS, HISTORY, LEARNED, LEDGER, PROFILES, REVIEW, SKILLS, key_for
from curator_tui.tui.shown import Line, Piece, Shown, own, say

if TYPE_CHECKING:
    from textual.geometry import Size

    from curator_tui.tui.screens.base import DeskScreen

_SCREENS = "curator_tui.tui.screens"


class Place(NamedTuple):
    """One screen of its own.

    Attributes:
        name: the screen's name in the registry of actions.
        key: the digit that opens it.
        tab: its name in the title.
        load: makes it for a window of a size; None for the queue, which is always open beneath the others.
    """

    name: str
    key: str
    tab: Shown
    load: Callable[[Size], DeskScreen] | None


def _history(size: Size) -> DeskScreen:
    from curator_tui.tui.screens.history import HistoryScreen

    return HistoryScreen(size)


def _ledger(size: Size) -> DeskScreen:
    from curator_tui.tui.screens.ledger import LedgerScreen

    return LedgerScreen(size)


def _learned(size: Size) -> DeskScreen:
    from curator_tui.tui.screens.learned import LearnedScreen

    return LearnedScreen(size)


def _documents(size: Size) -> DeskScreen:
    from curator_tui.tui.screens.documents import DocumentsScreen

    return DocumentsScreen(size)


def _skills(size: Size) -> DeskScreen:
    from curator_tui.tui.screens.skills import SkillsScreen

    return SkillsScreen(size)


def _profiles(size: Size) -> DeskScreen:
    from curator_tui.tui.screens.profiles import ProfilesScreen

    return ProfilesScreen(size)


def _people(size: Size) -> DeskScreen:
    from curator_tui.tui.screens.people import PeopleScreen

    return PeopleScreen(size)


PLACES: tuple[Place, ...] = (
    Place(REVIEW, "1", Shown("Review"), None),
    Place(DOCUMENTS, "2", Shown("Documents"), _documents),
    Place(HISTORY, "3", Shown("History"), _history),
    Place(LEDGER, "4", Shown("Ledger"), _ledger),
    Place(LEARNED, "5", Shown("Learned"), _learned),
    Place(SKILLS, "6", Shown("Skills"), _skills),
    Place(PROFILES, "7", Shown("Profiles"), _profiles),
)


PEOPLE = Place("people", "7", Shown("People"), _people)
"""What stands where a home has its profiles, at a desk over the people of a tenant."""


def find_place(name: str) -> Place:
    """Return a place by its screen's name."""
    return next(place for place in PLACES if place.name == name)


def is_loaded(place: Place) -> bool:
    """Whether the code of a place was imported before; it stands in the module of the screen's name."""
    return place.load is None or f"{_SCREENS}.{place.name}" in sys.modules


def load_code(place: Place) -> None:
    """Import the code of a place, in whatever thread: it takes longer than the event loop may be held."""
    import_module(f"{_SCREENS}.{place.name}")


class Tabs(IntEnum):
    """How much of the title the places take."""

    NAMES = 0
    """Each by its key and name."""
    OPEN = 1
    """The one that is open by its name, the others by their keys."""
    KEYS = 2
    """Only the one that is open and those where something waits, by their keys; with nothing waiting the others, too,
    as first and last key."""


def tabs(current: str, form: Tabs, waiting: Mapping[str, int], *, people: bool = False) -> Line:
    """Return the title's tabs; the open place stands in brackets.

    Args:
        current: the place that is open.
        form: how much room there is.
        waiting: number of what waits at a place and is counted nowhere else in the title.
        people: whether there are people where a home has profiles.
    """
    made: list[Piece] = []
    for place in PLACES:
        count = waiting.get(place.name, 0)
        named = form is Tabs.NAMES or (form is Tabs.OPEN and place.name == current)
        key = key_for(f"go.{place.name}")
        tab = PEOPLE.tab if people and place.name == PROFILES else place.tab
        words = Shown(f"{key} {tab}") if named else key
        words = say("{}({})", words, count) if count else words
        if place.name == current:
            made += [own("[{}]", words, role="tab"), own(" ")]
        elif count or form is not Tabs.KEYS:
            made += [own(" {} " if named else "{} ", words, role="warn" if count else "dim")]
    if form is Tabs.KEYS and not any(waiting.values()):
        made.append(own("{}..{} ", key_for("go.review"), key_for("go.profiles"), role="dim"))
    return tuple(made)
