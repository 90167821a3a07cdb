"""The demo has something of everything: skills that wait, that are installed, put away, and shared by two profiles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

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
