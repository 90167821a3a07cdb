"""What a change by hand is called: by what became of the entries, the same wherever it is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curator_tui.core.changes import PastChange
from curator_tui.core.documents import Target
from curator_tui.core.requests import Actor, ActorKind, Kind
from curator_tui.curator.deeds import by_hand, deed
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
        ({M: b"a\n"}, {M: b"a"}, "tidied by hand"),
        ({}, {}, "changed by hand"),
    ],
)
def test_a_change_by_hand_is_named_by_what_it_did(before: Docs, after: Docs, words: str) -> None:
    assert deed(PastChange("c1", 2, 1.0, YOU, Kind.CORRECT, before, after)) == words


def test_the_action_of_a_row_says_the_same() -> None:
    assert [by_hand(action) for action in ("add", "replace", "remove", "add+remove")] == [
        "added by hand",
        "corrected by hand",
        "removed by hand",
        "added and removed by hand",
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
