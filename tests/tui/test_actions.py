"""The registry: every action has an id, help, a handler, and keys that mean one thing on a screen."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from textual.keys import _character_to_key

from curator_tui.tui import actions
from curator_tui.tui.actions import ACTIONS, Action
from curator_tui.tui.screens.choosing import ChooseScreen
from curator_tui.tui.screens.disputing import DisputeScreen
from curator_tui.tui.screens.documents import DocumentsScreen
from curator_tui.tui.screens.editing import EditScreen
from curator_tui.tui.screens.help import HelpScreen, help_page
from curator_tui.tui.screens.history import HistoryScreen
from curator_tui.tui.screens.learned import LearnedScreen
from curator_tui.tui.screens.ledger import LedgerScreen
from curator_tui.tui.screens.moved_on import MovedOnScreen
from curator_tui.tui.screens.planning import PlanScreen
from curator_tui.tui.screens.profiles import ProfilesScreen
from curator_tui.tui.screens.proposing import ProposeScreen
from curator_tui.tui.screens.reading import PlanRowScreen, ReadScreen
from curator_tui.tui.screens.reasons import ReasonScreen
from curator_tui.tui.screens.rebasing import RebaseScreen
from curator_tui.tui.screens.rejecting import RejectManyScreen
from curator_tui.tui.screens.review import ReviewScreen
from curator_tui.tui.screens.second import SecondScreen
from curator_tui.tui.screens.skills import SkillsScreen
from curator_tui.tui.screens.until import UntilScreen
from curator_tui.tui.screens.writing import WriteScreen
from curator_tui.tui.widgets.key_row import KeyRow

SCREENS = {
    screen.SCREEN: screen
    for screen in (
        ReviewScreen, DocumentsScreen, DisputeScreen, HistoryScreen,
        PlanScreen, ReadScreen, PlanRowScreen, HelpScreen, ReasonScreen, SecondScreen, EditScreen,
        ChooseScreen, MovedOnScreen, RejectManyScreen, WriteScreen, ProposeScreen, LedgerScreen, LearnedScreen,
        RebaseScreen, UntilScreen, SkillsScreen, ProfilesScreen,
    )
}  # fmt: skip
# keys that arrive as others on plain terminals, or belong to the terminal
NEVER = {"ctrl+h", "ctrl+i", "ctrl+m", "ctrl+c", "ctrl+z", "ctrl+b", "ctrl+w", "ctrl+t", "ctrl+n"}
AWAY = set("[]{}\\|~@")


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_an_action_is_complete(action: Action) -> None:
    assert re.fullmatch(r"[a-z_]+(\.[a-z_]+)?", action.id)
    assert action.keys or set(action.screens) <= set(actions.find("palette").screens), "only the palette needs no keys"
    assert action.help
    assert action.label
    assert len(action.help) <= 29, "the help overlay has columns"
    for screen in action.screens:
        handler = getattr(SCREENS[screen], action.method, None)
        assert callable(handler), f"{screen} has no {action.method}"
        assert handler.__doc__


@pytest.mark.parametrize("screen", SCREENS)
def test_a_key_means_one_thing_on_a_screen(screen: str) -> None:
    counted = Counter(key for action in actions.of_screen(screen) for key in action.keys)
    assert {key: count for key, count in counted.items() if count > 1} == {}


def test_keys_exist_everywhere() -> None:
    # of job control only its own key means what it means everywhere
    keys = {key for action in ACTIONS for key in action.keys if (action.id, key) != ("suspend", "ctrl+z")}
    assert not keys & NEVER
    assert not keys & AWAY


def test_ids_name_one_action() -> None:
    """A map of keys names an action once, and so does every text."""
    assert max(Counter(action.id for action in ACTIONS).values()) == 1


@pytest.mark.parametrize("screen", SCREENS)
def test_bindings_come_from_the_registry(screen: str) -> None:
    bound = {binding.key for binding in actions.bindings(screen)}
    wanted = {
        _character_to_key(key) if len(key) == 1 else key for action in actions.of_screen(screen) for key in action.keys
    }
    assert bound == wanted
    assert not any(binding.priority for binding in actions.bindings(screen)), "priority keys fire under a dialog"


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120, 200])
@pytest.mark.parametrize("screen", actions.LISTS)
def test_the_key_row_drops_from_the_right_and_ends_in_the_help_key(screen: str, width: int) -> None:
    row = KeyRow(screen)
    text = "".join(piece.text for piece in row.layout_row(width))
    assert text.endswith("? keys ")
    assert len(text) <= width
    shown = [action.id for _, _, action in row._places]
    assert shown == [action.id for action in actions.in_key_row(screen)][: len(shown)]


@pytest.mark.parametrize("screen", actions.LISTS)
def test_help_names_every_key_of_the_screen(screen: str) -> None:
    page = help_page(screen, [], 76)
    text = "\n".join("".join(piece.text for piece in line.body) for line in page.lines)
    for action in actions.of_screen(screen):
        assert actions.keys_shown(action).split(" ")[0] in text
        assert action.help in text
