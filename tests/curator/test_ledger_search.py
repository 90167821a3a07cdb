"""Looking through the ledger in portions, rows by their numbers, verifying in steps, rows as a file."""

from __future__ import annotations

import csv
import json
import os
import sqlite3
import stat
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from curator_tui.core.errors import UsageError
from curator_tui.core.ledger_facts import COLUMNS
from curator_tui.core.ledger_filters import LedgerFilter
from curator_tui.core.preflight import State
from curator_tui.core.requests import Actor, ActorKind, Decision, OverrideCode, ReasonCode, Verb
from curator_tui.curator import ledger_search, ledger_view
from curator_tui.curator.desk import Desk
from curator_tui.curator.ledger_files import saving, write_new
from curator_tui.curator.ledger_queries import statistics_of, understood
from curator_tui.curator.ledger_search import search, window
from curator_tui.curator.opening import open_desk
from tests.homes import make_home, record

NOW = 1_790_000_000.0
EVERYTHING = LedgerFilter()
Y, R = TypeVar("Y"), TypeVar("R")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with six rows, made once: it is only looked at."""
    pending = [record(f"c000000{n}", "add", f"fact {n}") for n in range(1, 5)]
    pending.append(record("c0000005", "add", "token ghp_" + "A1b2C3d4" * 4 + "E5f6"))
    path = make_home(tmp_path_factory.mktemp("search") / "home", memory="Uses zsh", user="Ana", pending=pending)
    opened = open_desk(home=path, profile=None, environ={}, through="cli")
    ana = Desk(opened.store, Actor(ActorKind.PERSON, "ana", "tui"), clock=lambda: NOW)
    ana.decide([Decision("c0000001", Verb.APPROVE, seen="100%"), Decision("c0000002", Verb.APPROVE)])  # rows 1, 2
    ana.decide([Decision("c0000003", Verb.REJECT, reason=ReasonCode.WRONG)])  # 3
    ana.decide([Decision("c0000004", Verb.APPROVE)])  # 4
    ana.undo()  # 5
    passed = Decision("c0000005", Verb.APPROVE, override=frozenset({State.FLAGGED}), reason=OverrideCode.REQUEST)
    ana.decide([passed])  # 6
    opened.close()
    return path


@pytest.fixture
def desk(home: Path) -> Iterator[Desk]:
    opened = open_desk(home=home, profile=None, environ={}, through="cli")
    yield Desk(opened.store, Actor(ActorKind.PERSON, "ana", "tui"), clock=lambda: NOW)
    opened.close()


def carried_out(steps: Generator[Y, None, R]) -> tuple[list[Y], R]:
    """Return everything a job yielded, and what it returned."""
    found: list[Y] = []
    while True:
        try:
            found.append(next(steps))
        except StopIteration as done:
            return found, done.value


@pytest.mark.parametrize("text", ["", "action:approve", "action:undo", "seen:100", "who:nobody"])
@pytest.mark.parametrize("at_once", [1, 2, 100])
def test_a_search_finds_in_portions_what_looking_at_all_finds(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, text: str, at_once: int
) -> None:
    monkeypatch.setattr(ledger_search, "_AT_ONCE", at_once)
    wanted = understood(desk, text)
    portions, statistics = carried_out(search(desk, wanted))
    every = [row.seq for row in ledger_search.page(desk, wanted, count=100).rows]
    assert [seq for portion in portions for seq in portion.seqs] == every
    assert sum(portion.looked for portion in portions) == 6
    assert statistics == statistics_of(desk, wanted)


def test_rows_come_by_their_numbers_with_what_they_are_about(desk: Desk) -> None:
    found = window(desk, [6, 2, 4, 3, 99])
    assert sorted(found.rows) == [2, 3, 4, 6]
    words = {(found.rows[2].form.change, f"c000000{n}") for n in (1, 2)}  # type: ignore[union-attr]
    assert words <= set(found.items)
    assert {name for _, name in found.items} == {"c0000001", "c0000002", "c0000003", "c0000004"}, "no secret is told"
    assert window(desk, []).rows == {}


def test_verifying_in_steps_says_what_verifying_at_once_says(desk: Desk) -> None:
    steps, found = carried_out(ledger_view.verifying(desk))
    assert steps == [1, 2, 3, 4, 5, 6]
    assert found == ledger_view.verify(desk)
    assert found.problems == ()


def test_verifying_in_steps_names_what_is_damaged(home: Path, tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(home, copy)
    with sqlite3.connect(copy / "curator-tui" / "book.sqlite") as db:
        db.execute("DELETE FROM memory_ledger WHERE seq = 3")
    db.close()
    opened = open_desk(home=copy, profile=None, environ={}, through="cli")
    _, found = carried_out(ledger_view.verifying(opened))
    assert found == ledger_view.verify(opened)
    assert found.problems[0].code == "row-missing"
    assert 3 not in window(opened, [2, 3, 4]).rows
    opened.close()


def test_rows_are_saved_as_they_are_chained(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    _, count = carried_out(saving(desk, EVERYTHING, str(path)))
    assert count == 6
    rows = [json.loads(line) for line in path.read_text("ascii").splitlines()]
    assert [(row["seq"], row["hash"], row["body"]) for row in rows] == [
        (row.seq, row.hash, row.body) for row in ledger_view.rows(desk)
    ]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_name_that_ends_in_csv_asks_for_a_table(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "rows.CSV"
    _, count = carried_out(saving(desk, understood(desk, "action:reject"), str(path)))
    assert count == 1
    found = list(csv.reader(path.read_text("ascii").splitlines()))
    assert found[0] == list(COLUMNS)
    assert [row[0] for row in found[1:]] == ["3"]


def test_nothing_is_overwritten_not_even_through_a_link(desk: Desk, tmp_path: Path) -> None:
    for name in ("file", "link"):
        path = tmp_path / name
        if name == "file":
            path.write_text("mine")
        else:
            path.symlink_to(tmp_path / "nowhere")
        with pytest.raises(UsageError, match="exists; it is left as it is"):
            carried_out(saving(desk, EVERYTHING, str(path)))
    assert (tmp_path / "file").read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("name", ["no/such/folder", "nul\0", ""])
def test_a_name_that_cannot_be_written_says_why(desk: Desk, tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be written: "):
        carried_out(saving(desk, EVERYTHING, str(tmp_path / name) if name else ""))


def test_a_file_that_is_not_written_whole_is_removed(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "rows"
    steps = write_new(str(path), (str(n) for n in range(10_000)))
    assert next(steps) > 0
    steps.close()
    assert not path.exists()

    def broken() -> Iterator[str]:
        yield "one"
        raise OSError(28, os.strerror(28))

    with pytest.raises(UsageError, match="No space left"):
        carried_out(write_new(str(path), broken()))
    assert not path.exists()
