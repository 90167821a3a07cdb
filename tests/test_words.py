"""One word for one thing: what the surfaces say is said in the words of the vocabulary, and in no second ones."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import curator_tui

ROOT = Path(curator_tui.__file__).parent
SURFACES = sorted(path for name in ("tui", "cli") for path in (ROOT / name).rglob("*.py"))
# the word that is said, and the pattern of others that would mean the same
SECOND_WORDS = {
    "undo": r"\btak(e|es|en|ing)\b (it |them |this |the \w+ )?back\b",
    "redo": r"\bdo(es|ne)?( it)? again\b",
    "rollback": r"\brestor(e|es|ed|ing)\b",
    "backup": r"\bcopies\b",
    "plan": r"\bbulk\b|\bmany at once\b",
    "reject": r"\brefuses? waiting\b|\bclos(e|es) the item\b",
}


@cache
def sentences(path: Path) -> tuple[tuple[int, str], ...]:
    """Return every string of a module that may be shown; of the docstrings those of verbs are, as their help."""
    tree = ast.parse(path.read_text("utf-8"))
    bodies = [node for node in ast.walk(tree) if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)]
    bodies += [node for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef)]
    quiet = {
        id(node.body[0].value)
        for node in bodies
        if isinstance(node.body[0], ast.Expr) and not ("cli" in path.parts and getattr(node, "decorator_list", ()))
    }
    return tuple(
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in quiet
    )


@pytest.mark.parametrize("word", SECOND_WORDS)
def test_a_thing_has_one_word(word: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text[:80]!r}"
        for path in SURFACES
        for line, text in sentences(path)
        if re.search(SECOND_WORDS[word], text, re.IGNORECASE)
    ]
    assert not found, f"say {word}:\n" + "\n".join(found)


# What a thing is called in code, the pattern of other names that would mean it, and the packages this holds for.
SECOND_NAMES = {
    "aside": (r"^_?beside(_\w+)?$|^Besides?$|^[Ss]hifted$|^Shift$", ("core", "stores")),
    "asides": (r"^_besides?(_\w+)?$", ("curator", "tui", "cli")),
    "moved on": (r"^Moved(Screen|Entry)$|^_?ask_moved$", ("core", "curator", "tui", "cli")),
}


@pytest.mark.parametrize("word", SECOND_NAMES)
def test_a_thing_has_one_name_in_code(word: str) -> None:
    """Asides are deferrals, challenges and answers; an entry moved on that was changed after what is reverted."""
    pattern, packages = SECOND_NAMES[word]
    found = [
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
        for package in packages
        for path in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        for name in _defined(node)
        if re.search(pattern, name)
    ]
    assert found == []


def _defined(node: ast.AST) -> Iterator[str]:
    """Yield the name of a class, function, argument or annotated field."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
