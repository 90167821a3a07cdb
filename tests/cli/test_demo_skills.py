"""The demo has something of everything: skills that wait, that are installed, put away, and shared by two profiles.

And what the README shows of a filter is true of it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from curator_tui.core.requests import Decision, Verb
from curator_tui.curator.opening import open_desk
from tests.cli.conftest import Cli


def test_the_demo_shows_skills_profiles_and_origins(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    from curator_tui.demo.home import build

    cli = cli_at(build(tmp_path / "demo"))
    rows = {row["name"]: row for row in cli.json("skills", "--installed")["installed"]}
    assert {name: [holder["profile"] for holder in row["holders"]] for name, row in rows.items()} == {
        "deploy-shop": ["default"],
        "old-till-report": ["default"],
        "plain-minutes": ["default", "work"],
    }
    assert [name for name, row in rows.items() if row["archived"]] == ["old-till-report"]
    assert not [row["trouble"] for row in rows.values() if row["trouble"]]
    found = {one["action"]: one["id"] for one in cli.json("skills")["writes"]}
    assert set(found) == {"create", "patch", "write_file", "delete"}
    patch = cli.json("skills", "show", found["patch"])["effect"]
    assert (patch["new"], patch["gone"], patch["problems"]) == (2, 1, [])
    gone = cli.json("skills", "show", found["delete"])["effect"]
    assert [one["code"] for one in gone["problems"]] == ["no-such-skill"]
    assert [row["profile"] for row in cli.json("profiles")["profiles"]] == ["default", "work"]
    assert cli.json("ledger", "statistics")["approved_unseen"] == 0


def test_the_filter_that_the_readme_shows_finds_a_plan_of_which_only_rows_were_seen(
    tmp_path: Path, cli_at: Callable[[Path], Cli]
) -> None:
    from curator_tui.demo.home import build

    cli = cli_at(build(tmp_path / "demo"))
    shown = (Path(__file__).parents[2] / "README.md").read_text()
    wanted = shown.split('curator-tui ledger --filter "', 1)[1].split('"', 1)[0]
    desk = open_desk(home=cli.home, profile=None, environ={}, through="tui")
    try:
        ids = desk.ready()
        assert len(ids) > 2
        # as the plan screen does: the first was opened, of the others their rows were seen
        decisions = [Decision(name, Verb.APPROVE, seen="row" if at else "100%") for at, name in enumerate(ids)]
        change = desk.decide(decisions).change
    finally:
        desk.close()
    assert change is not None
    for one in (wanted, "seen:row", "action:plan seen:<100", "-seen:100% who:you"):
        assert [row["change"] for row in cli.json("ledger", "--filter", one)["rows"]] == [change], one
    assert cli.json("ledger", "--filter", "seen:none who:you")["rows"] == []
