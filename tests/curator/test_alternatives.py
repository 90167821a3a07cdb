"""Alternatives: of different outcomes for one entry none goes along with many, and a group is counted once."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_tui.core.proposals import Proposal
from curator_tui.curator.many import Many
from curator_tui.curator.opening import open_desk
from curator_tui.curator.planning import Wish, make_plan
from tests.homes import make_home, record


def many_on(folder: Path, contents: list[str | None], olds: list[str]) -> tuple[Many, list[str]]:
    """Return what waits in a home whose items all take the same entry, and their ids."""
    names = [f"{n:08x}" for n in range(len(contents))]
    pending = [
        record(name, "remove" if content is None else "replace", content, old, created_at=float(at))
        for at, (name, content, old) in enumerate(zip(names, contents, olds, strict=True))
    ]
    home = make_home(folder / "home", memory="Prefers tabs", pending=pending)
    desk = open_desk(home=home, profile=None, environ={}, through="cli")
    desk.refresh()
    return Many(desk.queue), names


def test_other_words_for_the_same_outcome_are_no_alternative(tmp_path: Path) -> None:
    """One match is the whole entry, the other a part of it; both replace it by the same text."""
    many, names = many_on(tmp_path, ["Prefers spaces"] * 2, ["Prefers tabs", "tabs"])
    assert [many.alternatives(name) for name in names] == [1, 1]


def test_of_different_outcomes_none_is_ready_and_each_says_why(tmp_path: Path) -> None:
    """Two texts and a remove are three outcomes."""
    many, names = many_on(tmp_path, ["Prefers spaces", "Prefers tabs of 4", None], ["Prefers tabs"] * 3)
    assert [many.alternatives(name) for name in names] == [3, 3, 3]
    assert many.ready() == ()
    assert {part.id: part.code for part in many.left_out(())} == dict.fromkeys(names, "alternatives")
    assert all("choose one by itself" in part.message for part in many.left_out(()))


def test_a_plan_of_marked_items_leaves_them_out_in_the_same_words(tmp_path: Path) -> None:
    """The reason is the same whether a person named the items or asked for everything that is ready."""
    many, names = many_on(tmp_path, ["Prefers spaces", None], ["Prefers tabs"] * 2)
    desk = open_desk(home=tmp_path / "home", profile=None, environ={}, through="tui")
    assert make_plan(desk, Wish(names=tuple(names))).left == many.left_out(())


def test_a_group_is_counted_once_however_often_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The work for a queue does not grow with the square of a group."""
    many, names = many_on(tmp_path, [f"Prefers {n}" for n in range(60)], ["Prefers tabs"] * 60)
    asked: list[str] = []
    queue = many._queue
    look = queue.proposal

    def counted(name: str) -> Proposal | None:
        asked.append(name)
        return look(name)

    monkeypatch.setattr(queue, "proposal", counted)
    assert all(many.alternatives(name) == 60 for name in names)
    many.ready()
    assert len(asked) == 60


def test_a_group_that_changed_is_counted_again(tmp_path: Path) -> None:
    """When one of two is gone the other has no alternative any more; when another comes it has one again."""
    many, names = many_on(tmp_path, ["Prefers spaces", "Prefers 4", "Prefers spaces"], ["Prefers tabs"] * 3)
    assert many.alternatives(names[0]) == 2
    many._queue.closed([names[1]])
    assert many.alternatives(names[0]) == 1
    many._queue.closed([names[2]])
    assert many.alternatives(names[0]) == 1
