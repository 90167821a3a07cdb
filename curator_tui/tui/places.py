"""The places: the screens that fill the window and have a key of their own, in the order of the title's tabs.

Here: which there are, and what loads each when it is first opened, so that a start pays for none but the queue. Not
here: the keys (``actions``), going from one to another (``screens.base``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from curator_tui.tui.actions import DOCUMENTS, HISTORY, LEARNED, LEDGER, REVIEW, key_for
from curator_tui.tui.shown import Line, Shown, own

if TYPE_CHECKING:
    from textual.geometry import Size

    from curator_tui.tui.screens.base import DeskScreen

_NAMED, _ALL_NAMED = 72, 110  # columns from which the title names the place that is open, and all of them


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


PLACES: tuple[Place, ...] = (
    Place(REVIEW, "1", Shown("Review"), None),
    Place(DOCUMENTS, "2", Shown("Documents"), _documents),
    Place(HISTORY, "3", Shown("History"), _history),
    Place(LEDGER, "4", Shown("Ledger"), _ledger),
    Place(LEARNED, "5", Shown("Learned"), _learned),
)


def find_place(name: str) -> Place:
    """Return a place by its screen's name."""
    return next(place for place in PLACES if place.name == name)


def tabs(current: str, width: int) -> Line:
    """Return the title's tabs: the open place stands in brackets and, where there is room, by name like the others."""
    line: Line = ()
    for place in PLACES:
        named = width >= (_NAMED if place.name == current else _ALL_NAMED)
        key = key_for(f"go.{place.name}")
        words = Shown(f"{key} {place.tab}") if named else key
        if place.name == current:
            line = (*line, own("[{}]", words, role="tab"), own(" "))
        else:
            line = (*line, own(" {}  " if named else "{} ", words, role="dim"))
    return line
