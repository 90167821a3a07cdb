"""The timeline of everything learned: entries and skills in one order, unknown times last, one filter over both."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator_tui.core.errors import UsageError
from curator_tui.core.learned import LearnedKind, Source, in_order
from curator_tui.core.requests import Actor, ActorKind, Decision, Verb
from curator_tui.curator.desk import Desk
from curator_tui.curator.learned import Timeline, filtered, timeline
from curator_tui.curator.opening import open_desk
from tests.homes import install_skill, make_home, record, write
from tests.worlds import USER, add

NOW = 1_790_000_000.0
DAY = 86_400.0
TEXT = "---\nname: look\ndescription: How to look\n---\n1. Look.\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    pending = [record("c0000001", "add", "Has a cat", origin="background_review")]
    path = make_home(tmp_path / "home", memory="Uses zsh", user="Ana", pending=pending)
    work = make_home(path, memory="x", profile="work")
    install_skill(path, "look", TEXT)
    install_skill(work, "look", TEXT)
    install_skill(path, ".archive/old", TEXT.replace("look", "old"))
    install_skill(work, "only-work", TEXT.replace("look", "only-work"))
    usage = {"look": {"created_by": "agent", "created_at": "2026-09-20T10:00:00+00:00"}}
    write(path / "skills" / ".usage.json", json.dumps(usage).encode())
    for file in path.rglob("*"):
        os.utime(file, (1.0, 1.0))
    return path


@pytest.fixture
def desk(home: Path) -> Iterator[Desk]:
    opened = open_desk(home=home, profile=None, environ={}, through="cli")
    clock = [NOW - 3 * DAY]
    desk = Desk(opened.store, Actor(ActorKind.PERSON, "ana", "cli"), clock=lambda: clock[0])
    assert desk.decide([Decision("c0000001", Verb.APPROVE)]).done
    clock[0] = NOW - DAY
    assert desk.correct([add("Likes rye", USER)]).change
    clock[0] = NOW
    yield desk
    opened.close()


def titles(found: Timeline) -> list[str]:
    return [row.title for row in found.rows]


def test_newest_first_and_what_has_no_time_stands_last_in_either_order(desk: Desk) -> None:
    newest = timeline(desk)
    assert titles(newest) == ["Likes rye", "look", "Has a cat", "Uses zsh", "Ana", "old"]
    assert titles(timeline(desk, newest_first=False)) == ["Has a cat", "look", "Likes rye", "Uses zsh", "Ana", "old"]
    assert [row.at is None for row in newest.rows] == [False] * 3 + [True] * 3
    assert all(row.at is None or row.at > 10**9 for row in newest.rows), "the time of a file is none"
    assert in_order([]) == ()


def test_rows_say_kind_source_and_size(desk: Desk) -> None:
    rows = {row.title: row for row in timeline(desk).rows}
    assert {title: (row.kind, row.source) for title, row in rows.items()} == {
        "Likes rye": (LearnedKind.USER, Source.PERSON),
        "Has a cat": (LearnedKind.MEMORY, Source.REVIEW),
        "Uses zsh": (LearnedKind.MEMORY, Source.UNKNOWN),
        "Ana": (LearnedKind.USER, Source.UNKNOWN),
        "look": (LearnedKind.SKILL, Source.AGENT),
        "old": (LearnedKind.SKILL, Source.UNKNOWN),
    }
    assert (rows["Has a cat"].size, rows["look"].size) == (9, len(TEXT))
    skill = rows["look"].skill
    assert skill is not None
    assert [holder.profile for holder in skill.holders] == ["default", "work"]


def test_skills_of_other_profiles_only_on_request(desk: Desk) -> None:
    assert "only-work" not in titles(timeline(desk))
    assert "only-work" in titles(timeline(desk, everywhere=True))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("kind:skill", ["look", "old"]),
        ("kind:user,memory is:unseen", ["Uses zsh", "Ana"]),
        ("since:2d", ["Likes rye", "look"]),
        ("until:2d", ["Has a cat"]),
        ("source:review", ["Has a cat"]),
        ("source:unknown -kind:skill", ["Uses zsh", "Ana"]),
        ("is:archived", ["old"]),
        ("profile:work", ["look"]),
        ("LOOK", ["look"]),
        ("rye", ["Likes rye"]),
        ("is:flagged", []),
    ],
)
def test_one_filter_over_all(desk: Desk, text: str, found: list[str]) -> None:
    assert [row.title for row in filtered(desk, timeline(desk).rows, text)] == found


@pytest.mark.parametrize("text", ["kind:file", "since:soon", "nothing:x", "is:new", "source:"])
def test_a_filter_that_means_nothing_says_what_would(desk: Desk, text: str) -> None:
    with pytest.raises(UsageError) as error:
        filtered(desk, (), text)
    assert error.value.way_out


def test_what_cannot_be_read_is_a_note_and_hides_no_other(desk: Desk, home: Path) -> None:
    write(home / "memories" / "MEMORY.md", b"\xff")
    (home / "profiles" / "bad").mkdir()
    (home / "profiles" / "bad" / "skills").symlink_to(home)
    found = timeline(desk)
    assert titles(found) == ["Likes rye", "look", "Ana", "old"]
    assert any("memory cannot be read" in note for note in found.notes)
    assert any(note.startswith("bad: ") for note in found.notes)
