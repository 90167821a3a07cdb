"""Texts made from a regular expression, one for each branch of each of its alternations, however deep.

Here: walking the tree that Python's own parser makes of an expression. What stands around a match (word boundaries,
what looks ahead or behind) is not made here: who uses the texts puts them between different neighbours and looks.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from re import _compiler, _parser
from re import _constants as sre
from typing import Any

_MOST_REPEATS = 40
_OTHERS = "abcdefgh0123456789ABCDEFGH-_. \n"
_CATEGORIES = {
    sre.CATEGORY_DIGIT: str.isdigit,
    sre.CATEGORY_NOT_DIGIT: lambda char: not char.isdigit(),
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_NOT_SPACE: lambda char: not char.isspace(),
    sre.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
    sre.CATEGORY_NOT_WORD: lambda char: not (char.isalnum() or char == "_"),
}


def branches(pattern: str) -> Iterator[tuple[Any, tuple[int, int]]]:
    """Yield the tree of the expression once for every branch, with the address of the branch that is to be taken."""
    tree = _parser.parse(pattern)
    for number, items in enumerate(_alternations(tree)):
        for branch in range(len(items)):
            yield tree, (number, branch)


def _alternations(tree: Any) -> list[Any]:
    found: list[Any] = []
    for op, value in tree:
        if op is sre.BRANCH:
            found.append(value[1])
            for branch in value[1]:
                found += _alternations(branch)
        elif (inner := _inner(op, value)) is not None:
            found += _alternations(inner)
    return found


def _inner(op: Any, value: Any) -> Any | None:
    if op is sre.SUBPATTERN:
        return value[3]
    if op in {sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT}:
        return value[2]
    return value if op is sre.ATOMIC_GROUP else None


def text_through(tree: Any, address: tuple[int, int], chance: random.Random) -> str:
    """Return a text that the expression reads through this branch, as far as its neighbours allow."""
    wanted = _alternations(tree)[address[0]]
    return _Maker(wanted, address[1], chance).make(tree)


def text_of(pattern: str, chance: random.Random) -> str:
    """Return a text that the expression reads, as far as its neighbours allow."""
    return _Maker(None, 0, chance).make(_parser.parse(pattern))


def only_through(tree: Any, address: tuple[int, int]) -> re.Pattern[str]:
    """Return the expression without any branch but those that lead through this one."""
    wanted = _alternations(tree)[address[0]]
    kept = [(items, items[:]) for items in _alternations(tree)]
    for items, branches_of_it in kept:
        if items is wanted:
            items[:] = [branches_of_it[address[1]]]
        elif leading := [branch for branch in branches_of_it if any(it is wanted for it in _alternations(branch))]:
            items[:] = leading
    try:
        found: re.Pattern[str] = _compiler.compile(tree)
        return found
    finally:
        for items, branches_of_it in kept:
            items[:] = branches_of_it


class _Maker:
    """Writes one text; where the wanted alternation lies behind others, it takes the branches that lead there."""

    def __init__(self, wanted: Any, branch: int, chance: random.Random) -> None:
        self._wanted = wanted
        self._branch = branch
        self._chance = chance
        self._groups: dict[int, str] = {}

    def make(self, tree: Any) -> str:
        return "".join(self._one(op, value) for op, value in tree)

    def _one(self, op: Any, value: Any) -> str:
        if op is sre.LITERAL:
            return chr(value)
        if op is sre.NOT_LITERAL:
            return self._chance.choice([char for char in _OTHERS if char != chr(value)])
        if op is sre.ANY:
            return self._chance.choice("abc ")
        if op is sre.IN:
            return self._in(value)
        if op is sre.BRANCH:
            return self.make(self._choose(value[1]))
        if op is sre.SUBPATTERN:
            text = self.make(value[3])
            if value[0] is not None:
                self._groups[value[0]] = text
            return text
        if op is sre.GROUPREF:
            return self._groups.get(value, "")
        if op is sre.ATOMIC_GROUP:
            return self.make(value)
        if op in {sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT}:
            return self._repeat(*value)
        if op is sre.AT and value is sre.AT_BOUNDARY:
            return self._chance.choice(("", " "))
        return ""  # what looks around and where it stands

    def _choose(self, items: Any) -> Any:
        if items is self._wanted:
            return items[self._branch]
        leading = [item for item in items if self._leads(item)]
        return self._chance.choice(leading or items)

    def _leads(self, tree: Any) -> bool:
        return any(items is self._wanted for items in _alternations(tree))

    def _repeat(self, least: int, most: int, inner: Any) -> str:
        least = max(least, 1) if self._leads(inner) else least
        # lengths near the least that is allowed, and sometimes more
        times = self._chance.randint(least, max(least, min(int(most), least + 4, _MOST_REPEATS)))
        return "".join(self.make(inner) for _ in range(times))

    def _in(self, parts: Any) -> str:
        if parts[0][0] is sre.NEGATE:
            return self._chance.choice([char for char in _OTHERS if not any(_holds(*part, char) for part in parts[1:])])
        return self._chance.choice("".join(map(_members, parts)))


def _members(part: tuple[Any, Any]) -> str:
    op, value = part
    if op is sre.LITERAL:
        return chr(value)
    if op is sre.RANGE:
        return "".join(map(chr, range(value[0], min(value[1], value[0] + 200) + 1)))
    return "".join(filter(_CATEGORIES[value], _OTHERS))


def _holds(op: Any, value: Any, char: str) -> bool:
    if op is sre.LITERAL:
        return char == chr(value)
    if op is sre.RANGE:
        return bool(value[0] <= ord(char) <= value[1])
    return bool(_CATEGORIES[value](char))
