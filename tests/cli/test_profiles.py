"""``profiles``: every profile at a glance; a broken one hides no other, and looking makes nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curator_tui.core.documents import Target
from curator_tui.curator.profiles import every_profile
from tests.cli.conftest import Cli
from tests.homes import make_home, picture, record, stage, stage_skill, write

GATE = {"memory": {"write_approval": True}}


@pytest.fixture
def cli(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> Cli:
    root = tmp_path / "home"
    waits = [record("c0000001", "add", "Has a cat", created_at=time.time() - 7200.0)]
    home = make_home(root, memory="Uses zsh", user="Ana", pending=waits, config=GATE)
    more = [*waits, record("c0000002", "add", "x", created_at=time.time() - 86_400 * 3.5)]
    work = make_home(root, memory="m" * 1100, pending=more, raw_files={"half.json": b"{"}, profile="work")
    stage_skill(work, "5c000001", "delete", name="look")
    return cli_at(home)


def rows(cli: Cli) -> dict[str, dict[str, Any]]:
    return {row["profile"]: row for row in cli.json("profiles")["profiles"]}


def test_each_profile_has_its_own_counts_ages_and_fullness(cli: Cli) -> None:
    assert cli.json("approve", "c0000001")["change"]
    found = rows(cli)
    assert list(found) == ["default", "work"]
    default, work = found["default"], found["work"]
    assert (default["pending"], default["oldest_age_s"], default["bound"], default["gate"]) == (0, None, True, True)
    assert (work["pending"], work["bound"], work["gate"], work["skills_waiting"]) == (3, False, False, 1)
    assert work["oldest_age_s"] // 86_400 == 3
    assert work["unreadable"] == 1
    assert (work["documents"]["memory"]["percent"], work["documents"]["user"]["presence"]) == (50, "missing")
    assert work["decided_at"] is None
    assert time.time() - default["decided_at"] < 60
    out = cli("profiles").out
    assert "50 %" in out
    assert "3 d" in out


def test_what_is_deferred_waits_in_no_count(cli: Cli) -> None:
    late = [record(f"c100000{n}", "add", f"fact {n}", created_at=time.time() - 86_400 * n) for n in (5, 6)]
    for one in late:
        stage(cli.home, one)
    assert cli.json("defer", "c1000005", "c1000006")["change"]
    default = rows(cli)["default"]
    assert (default["pending"], default["deferred"]) == (1, 2)
    assert default["oldest_age_s"] // 3600 == 2
    assert "default: 2 deferred" in cli("profiles").out
    assert cli.json("status")["pending"] == default["pending"]
    stage(cli.home, record("c1000006", "add", "written again", created_at=time.time()))
    assert [rows(cli)["default"][key] for key in ("pending", "deferred")] == [2, 1]


def test_open_questions_are_counted_beside_what_waits(cli: Cli) -> None:
    entry = cli.json("memory")["documents"]["memory"]["entries"][0]["id"]
    before = {one["profile"]: one["questions"] for one in cli.json("profiles")["profiles"]}
    assert cli("challenge", entry, "--reason", "wrong").code == 0
    after = {one["profile"]: one["questions"] for one in cli.json("profiles")["profiles"]}
    assert {name: after[name] - count for name, count in before.items() if count != after[name]} == {"default": 1}
    assert "DISPUTED" in cli("profiles").out
    assert "Disputed  1 question" in cli("status").out


def test_what_is_deferred_far_behind_in_a_long_queue_is_found(cli: Cli) -> None:
    for number in range(80):
        stage(cli.home, record(f"c2{number:06}", "add", f"fact {number}", created_at=time.time() - 60))
    cli.json("defer", "c2000079")
    assert [rows(cli)["default"][key] for key in ("pending", "deferred")] == [80, 1]


def test_looking_at_profiles_writes_nothing(cli: Cli) -> None:
    before = picture(cli.home)
    cli.json("profiles")
    assert picture(cli.home) == before


def test_broken_profiles_say_why_and_hide_no_other(cli: Cli, tmp_path: Path) -> None:
    root = cli.home
    broken = make_home(root, memory="x", profile="broken")
    write(broken / "memories" / "MEMORY.md", b"\xff")
    (broken / "memories" / "USER.md").symlink_to(tmp_path)
    (root / "profiles" / "empty").mkdir()
    pipes = make_home(root, profile="pipes")
    os.mkfifo(pipes / "memories" / "MEMORY.md")
    os.mkfifo(pipes / "config.yaml")
    (pipes / "curator-tui").mkdir()
    write(pipes / "curator-tui" / "book.sqlite", b"no book" * 100)
    queue = make_home(root, profile="queue") / "pending" / "memory"
    queue.rmdir()
    queue.write_text("no folder")
    found = rows(cli)
    assert set(found) == {"default", "work", "broken", "empty", "pipes", "queue"}
    assert (found["default"]["trouble"], found["work"]["trouble"]) == (None, None)
    assert found["broken"]["unreadable"] == 2
    assert "does not look like a Hermes home" in found["empty"]["trouble"]
    assert (found["pipes"]["gate"], found["pipes"]["documents"]["memory"]["size"]) == (None, None)
    assert "book.sqlite" in found["pipes"]["trouble"]
    assert found["queue"]["pending"] is None
    told = cli("profiles")
    assert told.code == 0
    assert "broken: of its documents and records 2 cannot be read; see: curator-tui --profile broken" in told.out
    assert "default: of its documents" not in told.out


def test_the_list_is_there_although_the_active_profile_is_not(cli: Cli) -> None:
    write(cli.home / "active_profile", b"gone\n")
    assert cli("status").code == 3
    found = rows(cli)
    assert [row["bound"] for row in found.values()] == [False, False]


def test_a_hundred_profiles_take_less_than_a_second(tmp_path: Path) -> None:
    root = make_home(tmp_path / "home", memory="Uses zsh", user="Ana", config=GATE)
    for number in range(100):
        waits = [record(f"c{n:07}", "add", f"fact {n}") for n in range(5)]
        make_home(root, memory="Uses zsh", user="Ana", pending=waits, config=GATE, profile=f"p{number:03}")
    start = time.thread_time()
    found = every_profile(root, {})
    took = time.thread_time() - start
    assert len(found) == 101
    assert {one.waiting for one in found[1:]} == {5}
    assert found[1].documents[Target.MEMORY].size == 8
    assert took < 1, took
