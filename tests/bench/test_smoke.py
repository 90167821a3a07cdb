"""Whether the benchmark runs at all; what it says of a tiny home in a busy test run means nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.__main__ import GROUPS
from tests.bench.rows import Row, Samples, Skipped, table

_ROOT = Path(__file__).parents[2]
_ALWAYS = ("queue", "approve", "plan", "diffs")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(
        [sys.executable, "-m", "tests.bench", *words],
        cwd=_ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def figures_of(*groups: str) -> list[dict[str, object]]:
    ended = run("--quick", "--json", *groups)
    assert ended.returncode == 0, ended.stderr
    answer = json.loads(ended.stdout)
    assert answer["complete"] is True
    found: list[dict[str, object]] = answer["figures"]
    return found


def test_every_group_in_process_is_measured_whole():
    found = figures_of(*_ALWAYS)
    assert {line["group"] for line in found} == set(_ALWAYS)
    for line in found:
        assert line["ours"] > 0, line
        assert line["goal"] is None or isinstance(line["met"], bool), line


@pytest.mark.slow
def test_every_group_is_measured_whole():
    found = figures_of()
    assert {line["group"] for line in found} == set(GROUPS)


def test_a_group_nobody_knows_is_refused():
    assert run("--quick", "nothing").returncode == 2


def test_a_goal_may_be_a_ratio_or_a_figure():
    assert Row("a", 13.0, 10.0, 1.35).met is True
    assert Row("a", 14.0, 10.0, 1.35).met is False
    assert Row("a", 149.0, None, 150.0, of_floor=False).met is True
    assert Row("a", 1.0).met is None


def test_half_of_the_middle_half_is_the_spread():
    assert Samples([10.0, 10.0, 10.0, 10.0]).spread == 0
    assert Samples([1.0]).spread is None
    assert Samples([float(n) for n in range(1, 101)]).percentile(0.95, "s") == 95


def test_what_was_skipped_is_said_loudly():
    lines = table([Row("one", 2.0, 1.0, 1.5), Skipped("two", "it is not there")])
    assert "2.00 x" in lines[1]
    assert "NO" in lines[1]
    assert lines[-1] == "SKIPPED  two: it is not there"
