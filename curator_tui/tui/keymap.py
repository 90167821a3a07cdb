"""A person's own keys: what a key map may say, and what is wrong with one that says something else.

Here: reading a map in TOML (``decide.approve = ["a", "f2"]``), its rules, and writing the registry as one. Not here:
the registry (``actions``), the file (``key_file``). Loaded only when there is a map, or when one is asked for.

A line that breaks a rule does not count: its action keeps the default keys, and every other line holds. The rules are
those of the registry itself: a key means one thing on a screen; what answers is never enter, nor a key that asks; no
key that arrives as another one or belongs to the terminal.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from curator_tui.tui import actions
from curator_tui.tui.actions import ACTIONS, EDIT, EVERYWHERE, WRITE, Action, is_menu
from curator_tui.tui.key_rules import key_problem, named
from curator_tui.tui.shown import shown_line

CONFIRMING = frozenset(action.id for action in ACTIONS if action.id.endswith(".yes")) | {"plan.apply", "propose.do"}
"""Actions that answer a question which another key asked."""
ASKING_NOTHING = frozenset({
    "decide.skip", "history.target", "edit.clean", "edit.reset", "edit.entry", "edit.next", "dispute.note",
    "second.inside", "propose.other", "moved.edit",
    "reason.cancel", "dispute.cancel", "rejects.cancel", "rebase.cancel", "until.cancel", "propose.cancel",
    "moved.cancel",
})  # fmt: skip
"""Actions about deciding behind which no question can open; behind every other one it may, now or one day."""
_ASKING = frozenset({"plan.open", "quit", "profiles.open"})
_WAYS_BACK = frozenset({"palette", "quit", "back"})
_EDITS_TEXT = frozenset(f"ctrl+{letter}" for letter in "aefukwdxvyz")
_LONGEST = 6
_DEEPEST = 4  # parts of a name
_DOTS = 200  # in a line: the library takes a time that grows with the square of the parts of a name
_A_LINE = "A line reads: decide.approve = ['a']"
_TWICE = "it is named twice, in two ways of writing its name", "Leave one of the two out."
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
    found = _parsed(text)
    if isinstance(found, Trouble):
        return KeyMap({}, (found,))
    lines = _lines_of(text)
    chosen: Chosen = {}
    troubles: list[Trouble] = []
    values = list(_flat(found))
    times = Counter(name for name, _ in values)
    for name, value in dict(values).items():
        keys, problem = _keys_in(name, value) if times[name] == 1 else ((), _TWICE)
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


def _parsed(text: str) -> dict[str, Any] | Trouble:
    """Return what stands in a map, or why nothing of it can be read."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.count(".") > _DOTS and not line.lstrip().startswith("#"):
            return Trouble(number, "", "a line with too many dots to be one of keys", _A_LINE)
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        at = _AT.search(str(error))
        words = f"not TOML: {shown_line(_AT.sub('', str(error)), 60)}"
        return Trouble(int(at[1]) if at is not None and at[1] else 0, "", words, _A_LINE)


def _flat(found: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the names of a map with their values: ``[decide]`` and ``decide.approve`` say the same.

    A name can have any number of parts; below :data:`_DEEPEST` of them no action is looked for.
    """
    left: list[tuple[str, Any, int]] = [("", found, 0)]
    while left:
        name, value, depth = left.pop()
        if isinstance(value, dict) and depth < _DEEPEST:
            lead = f"{name}." if depth else ""
            left += [(f"{lead}{part}", inner, depth + 1) for part, inner in reversed(value.items())]
        elif depth:
            yield name, value


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
            other_way = "" if is_menu(against) else f", or give {against.id} another one"
            return name, words, f"Take another key{other_way}."
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
    asking = [action for action in ACTIONS if asks(action)]
    for action in filter(answers, ACTIONS):
        for other in asking:
            for key in sorted(set(keys(action)) & set(keys(other))):
                if not (is_menu(action) and is_menu(other)):  # nobody chooses the numbers of a menu
                    yield action, other, key, "would confirm what it asked for itself as {}"


def answers(action: Action) -> bool:
    """Whether its key carries out what another key asked about: it confirms, or takes one of a menu."""
    return action.id in CONFIRMING or (action.decides and is_menu(action))


def asks(action: Action) -> bool:
    """Whether a question may open behind its key, so that the same key must not answer it."""
    is_about = action.decides or action.group == actions.DECIDING
    return action.id in _ASKING or (is_about and action.id not in CONFIRMING | ASKING_NOTHING)
