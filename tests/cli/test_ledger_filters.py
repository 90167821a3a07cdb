"""``ledger --filter``, its export for tables, its statistics."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.cli.conversation import talk
from tests.homes import make_home, record


@pytest.fixture
def cli(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> Cli:
    pending = [record(f"c000000{n}", "add", f"fact {n}") for n in (1, 2)]
    bound = cli_at(make_home(tmp_path / "home", memory="Uses zsh", user="Ana", pending=pending))
    bound("approve", "c0000001")
    bound("reject", "c0000002", "--reason", "wrong")
    return bound


def test_only_the_rows_that_are_meant_are_listed(cli: Cli) -> None:
    found = cli.json("ledger", "--filter", "who:you action:reject")
    assert [row["action"] for row in found["rows"]] == ["reject"]
    assert (found["count"], found["seq"]) == (1, 3)
    assert "No row matches that filter." in cli("ledger", "--filter", "action:undo").out
    assert "matches that filter" not in cli("ledger", "--filter", "is:unreviewed").out


def test_what_was_decided_unseen_is_found_and_said(cli: Cli) -> None:
    found = cli("ledger", "--filter", "who:you action:approve seen:<100").out
    assert "approve  fact 1  c0000001  without every change seen (none)" in found
    assert cli("ledger", "--filter", "seen:100").out == "No row matches that filter.\n"
    assert "… 2 older rows;" in cli("ledger", "--count", "1").out
    assert "… 1 older row;" in cli("ledger", "--count", "2").out
    said = talk(cli.home, "row 2")
    assert "Without every change seen (none)." in said


def test_a_filter_that_means_nothing_is_a_usage_error_that_says_what_would(cli: Cli) -> None:
    answer = cli("ledger", "--filter", "colour:red\x1b[2J")
    assert answer.code == 2
    assert "who, action, target" in answer.err
    assert "\x1b" not in answer.err
    assert cli("ledger", "--filter", "who:you", "export").code == 2


def test_the_rows_of_a_filter_are_exported_as_lines_and_as_a_table(cli: Cli, tmp_path: Path) -> None:
    lines = cli("ledger", "export", "--filter", "action:approve").out.splitlines()
    assert [json.loads(line)["seq"] for line in lines] == [2]
    target = tmp_path / "rows.csv"
    assert cli("ledger", "export", str(target), "--format", "csv", "--filter", "-is:unreviewed").code == 0
    with target.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["seq"], row["action"], row["items"]) for row in rows] == [
        ("2", "approve", "c0000001"),
        ("3", "reject", "c0000002"),
    ]
    assert cli("ledger", "export", str(target), "--format", "csv").code == 2, "nothing is overwritten"


def test_statistics_say_what_was_approved_unseen(cli: Cli) -> None:
    found = cli.json("ledger", "statistics")
    assert (found["rows"], found["approved"], found["approved_painted"], found["unreviewed"]) == (3, 1, 0, 1)
    assert found["approved_unseen"] == 0, "no screen was asked"
    assert found["by_action"] == {"first seen": 1, "approve": 1, "reject": 1}
    out = cli("ledger", "statistics", "--filter", "who:you").out
    assert "approved 1, 0 of them on a screen, without every change seen 0" in out
