"""What a change by hand is called: by what became of the entries, the same wherever it is named."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from curator_tui.core.changes import PastChange
from curator_tui.core.documents import Target
from curator_tui.core.requests import Actor, ActorKind, Kind
from curator_tui.core.splitting import split_correction
from curator_tui.curator.deeds import by_hand, deed
from curator_tui.curator.opening import open_desk
from tests.cli.conftest import Cli, cli_at
from tests.homes import make_home

__all__ = ["cli_at"]
YOU = Actor(ActorKind.PERSON, "ana", "cli")
M, U = Target.MEMORY, Target.USER
Docs = dict[Target, bytes | None]


def text(*entries: str) -> bytes:
    return "\n§\n".join(entries).encode()


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ({M: text("a")}, {M: text("a", "b")}, "added by hand"),
        ({M: None}, {M: text("a")}, "added by hand"),
        ({M: text("a", "b")}, {M: text("a")}, "removed by hand"),
        ({M: text("a", "b")}, {M: text("a", "c")}, "corrected by hand"),
        ({M: text("a", "b"), U: text("c")}, {M: text("a"), U: text("c", "b")}, "moved by hand"),
        ({M: text("a", "b")}, {M: text("b", "a")}, "moved by hand"),
        ({M: text("a", "b: c, d")}, {M: text("a", "b: c", "b: d")}, "split by hand"),
        ({M: b"a\n"}, {M: b"a"}, "tidied by hand"),
        ({}, {}, "changed by hand"),
    ],
)
def test_a_change_by_hand_is_named_by_what_it_did(before: Docs, after: Docs, words: str) -> None:
    assert deed(PastChange("c1", 2, 1.0, YOU, Kind.CORRECT, before, after)) == words


def test_the_action_of_a_row_says_the_same() -> None:
    actions = ("add", "replace", "remove", "add+remove", "move", "replace+add+move", "remove+move")
    assert [by_hand(action) for action in actions] == [
        "added by hand",
        "corrected by hand",
        "removed by hand",
        "added and removed by hand",
        "moved by hand",
        "split by hand",
        "removed by hand",
    ]


def test_every_kind_of_change_has_words() -> None:
    assert all(deed(PastChange("c1", 2, 1.0, YOU, kind)) for kind in Kind)


def test_the_shell_names_what_is_undone(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    cli = cli_at(make_home(tmp_path / "home", memory="Uses zsh"))
    cli("add", "--target", "memory", "Has a cat")
    cli("remove", "Uses zsh")
    assert "before removed by hand" in cli("backups").out
    assert cli("undo").out.startswith("removed 'Uses zsh' by hand at ")
    assert cli("undo").out.startswith("added 'Has a cat' by hand at ")


def test_a_move_and_a_split_have_one_name_in_the_row_and_where_they_are_undone(
    tmp_path: Path, cli_at: Callable[[Path], Cli]
) -> None:
    cli = cli_at(make_home(tmp_path / "home", memory="Has a cat\n§\nUses zsh\n§\nKeys: a opens the door, b shuts it"))
    desk = open_desk(home=cli.home, profile=None, environ={}, through="tui")
    try:
        first, second, whole = desk.snapshot().document(M).entries
        desk.correct((), order={M: (second, first, whole)})
        wanted = split_correction((second, first, whole), M, whole, ("Keys: a opens the door", "b shuts it"))
        desk.correct(wanted.operations, order=wanted.order)
    finally:
        desk.close()
    assert "  split  you through tui  change" in cli("ledger", "--filter", "action:split").out
    moved = re.search("  moved  (Has a cat|Uses zsh)\n", cli("ledger", "--filter", "action:move").out)
    assert moved is not None
    assert cli("undo").out.startswith(f"split '{whole}' by hand at ")
    assert cli("undo").out.startswith(f"moved '{moved[1]}' by hand at ")
