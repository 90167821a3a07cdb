"""A person's own keys: what a key map may say, and what is wrong with one that says something else.

Here: reading a map in TOML (``decide.approve = ["a", "f2"]``), its rules, and writing the registry as one. Not here:
the registry (``actions``), the file (``key_file``). Loaded only when there is a map, or when one is asked for.

A line that breaks a rule does not count: its action keeps the default keys, and every other line holds. The rules are
those of the registry itself: a key means one thing on a screen; what confirms is never enter, nor a key that asks; no
key that arrives as another one or belongs to the terminal.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from curator_tui.tui import actions
from curator_tui.tui.actions import ACTIONS, EDIT, EVERYWHERE, WRITE, Action, is_menu
from curator_tui.tui.key_rules import key_problem, named
from curator_tui.tui.shown import shown_line

CONFIRMING = frozenset(action.id for action in ACTIONS if action.id.endswith(".yes")) | {"plan.apply", "propose.do"}
"""Actions that answer a question which another key asked."""
_ASKING = frozenset({"plan.open", "quit", "profiles.open"})
_WAYS_BACK = frozenset({"palette", "quit", "back"})
_EDITS_TEXT = frozenset(f"ctrl+{letter}" for letter in "aefukwdxvyz")
_LONGEST = 6
_AT = re.compile(r" \(at line (\d+), column \d+\)| \(at end of document\)")
_HEADING = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?$")
_NAMED = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")

Chosen = dict[str, tuple[str, ...]]


class Trouble(NamedTuple):
    """One thing that is wrong with a map.

    Attributes:
        line: the line it stands in, from 1; 0 where that is not known.
        action: the action it is about, made visible; empty for the file as a whole.
        words: what is wrong.
        way_out: what to do.
    """

    line: int
    action: str
    words: str
    way_out: str


class KeyMap(NamedTuple):
    """What holds of a map: the keys that were chosen, and what is wrong with the rest."""

    chosen: Mapping[str, tuple[str, ...]]
    troubles: tuple[Trouble, ...]


def read_keymap(text: str) -> KeyMap:
    """Read a map; whatever it says, an answer comes back and the keys in it can be used."""
    try:
        found = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        at = _AT.search(str(error))
        line = int(at[1]) if at is not None and at[1] else 0
        words = f"not TOML: {shown_line(_AT.sub('', str(error)), 60)}"
        return KeyMap({}, (Trouble(line, "", words, "A line reads: decide.approve = ['a']"),))
    lines = _lines_of(text)
    chosen: Chosen = {}
    troubles: list[Trouble] = []
    for name, value in _flat(found):
        keys, problem = _keys_in(name, value)
        if problem is None:
            chosen[name] = keys
        else:
            troubles.append(Trouble(lines.get(name, 0), shown_line(name, 40), *problem))
    troubles += _settle(chosen, lines)
    return KeyMap(chosen, tuple(sorted(troubles, key=lambda trouble: trouble.line)))


def write_keymap(chosen: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a map that says what holds with the chosen keys, screen by screen; defaults are comments."""
    done: set[str] = set()
    for screen in dict.fromkeys(screen for action in ACTIONS for screen in action.screens):
        there = [action for action in actions.of_screen(screen) if action.id not in done and not is_menu(action)]
        if there:
            yield from ("", f"# {screen}")
        for action in there:
            done.add(action.id)
            keys = ", ".join(_quoted(actions.key_name(key)) for key in chosen.get(action.id, action.keys))
            sign = "" if action.id in chosen else "# "
            yield f"{sign}{action.id} = [{keys}]  # {action.help}"


def _quoted(key: str) -> str:
    return f'"{key}"' if key not in {'"', "\\"} else f"'{key}'"


# -- reading ---------------------------------------------------------------------------------------------------------


def _flat(found: Mapping[str, Any], lead: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the names of a map with their values: ``[decide]`` and ``decide.approve`` say the same."""
    for name, value in found.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{lead}{name}.")
        else:
            yield f"{lead}{name}", value


def _lines_of(text: str) -> dict[str, int]:
    """Return the line in which each name stands, as far as that can be told without reading TOML a second time."""
    found: dict[str, int] = {}
    lead = ""
    for number, line in enumerate(text.splitlines(), 1):
        if heading := _HEADING.match(line):
            lead = f"{_plain(heading[1])}."
        elif named_here := _NAMED.match(line):
            found.setdefault(lead + _plain(named_here[1]), number)
    return found


def _plain(name: str) -> str:
    return re.sub(r"[\s\"']", "", name)


def _keys_in(name: str, value: object) -> tuple[tuple[str, ...], tuple[str, str] | None]:
    """Return the keys that a line gives an action, or what is wrong with them and what to do."""
    action = next((action for action in ACTIONS if action.id == name), None)
    if action is None:
        near = get_close_matches(name, [action.id for action in ACTIONS], 1)
        way_out = f"Did you mean {near[0]}?" if near else "All of them: curator-tui keys"
        return (), ("there is no such action", way_out)
    if is_menu(action):
        return (), ("its keys are the numbers on screen", "Leave the line out.")
    texts = [value] if isinstance(value, str) else value
    if not (isinstance(texts, list) and all(isinstance(text, str) for text in texts)):
        return (), ("keys are texts in a list", f'Write: {name} = ["{action.keys[0] if action.keys else "f2"}"]')
    if len(texts) > _LONGEST:
        return (), (f"more than {_LONGEST} keys", "Leave some out.")
    keys = tuple(dict.fromkeys(named(text) for text in texts))
    problem = _problem_of(action, keys)
    return ((), problem) if problem is not None else (keys, None)


def _problem_of(action: Action, keys: Sequence[str]) -> tuple[str, str] | None:
    """Return what is wrong with keys for an action, whatever the others have."""
    for key in (key for key in keys if key not in action.keys):  # a key of its own is always good
        if (problem := key_problem(key, alone=len(keys) == 1)) is not None:
            return problem
        if action.decides and key == "enter":
            return "enter never decides anything: it is pressed too easily", "Take a letter."
        if action.id in CONFIRMING and key in {"enter", "space", "escape"}:
            return f"{actions.key_name(key)} never confirms anything: it means no", "Take a letter."
        if {EDIT, WRITE} & set(action.screens) and key in _EDITS_TEXT:
            return f"{key} edits the text on that screen", "Take another one."
    if not keys and (action.id in _WAYS_BACK or not set(action.screens) <= set(EVERYWHERE)):
        return "without a key it could not be done at all", "Give it at least one."
    return None


# -- keys against each other -----------------------------------------------------------------------------------------


def _settle(chosen: Chosen, lines: Mapping[str, int]) -> Iterator[Trouble]:
    """Take out lines until no key stands for two things, and yield what each was in the way of.

    Of two lines the later one goes. The defaults alone are free of conflicts, so this ends.
    """
    while (found := _first_conflict(chosen, lines)) is not None:
        name, words, way_out = found
        del chosen[name]
        yield Trouble(lines.get(name, 0), name, words, way_out)


def _first_conflict(chosen: Chosen, lines: Mapping[str, int]) -> tuple[str, str, str] | None:
    """Return the line that has to go, what is wrong with it and what to do."""
    for one, other, key, how in _conflicts(chosen):
        mine = sorted((name for name in (one.id, other.id) if name in chosen), key=lambda name: lines.get(name, 0))
        if mine:
            name = mine[-1]
            against = other if name == one.id else one
            words = f"{actions.key_name(key)} {how.format(f'{against.id} ({against.label})')}"
            return name, words, f"Take another key, or give {against.id} another one."
    return None


def _conflicts(chosen: Chosen) -> Iterator[tuple[Action, Action, str, str]]:
    """Yield pairs of actions that cannot both have a key, and why."""

    def keys(action: Action) -> tuple[str, ...]:
        return chosen.get(action.id, action.keys)

    for screen in dict.fromkeys(screen for action in ACTIONS for screen in action.screens):
        taken: dict[str, Action] = {}
        for action in actions.of_screen(screen):
            for key in keys(action):
                if key in taken:
                    yield action, taken[key], key, f"is {{}} on the screen {screen}"
                taken[key] = action
    asking = [action for action in ACTIONS if action.id not in CONFIRMING and _asks(action)]
    for action in ACTIONS:
        if action.id in CONFIRMING:
            for other in asking:
                for key in set(keys(action)) & set(keys(other)):
                    yield action, other, key, "would confirm what it asked for itself as {}"


def _asks(action: Action) -> bool:
    """Whether a key of a list may open a question."""
    return (action.decides or action.id in _ASKING) and any(screen in actions.LISTS for screen in action.screens)
