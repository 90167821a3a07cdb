"""``skills``: what waits is shown with its diff and Hermes's own command; nothing is applied here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.homes import install_skill, make_home, picture, stage_skill

TEXT = "---\nname: look\ndescription: How to look\n---\n1. Look.\n2. Write it down.\n"


@pytest.fixture
def cli(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> Cli:
    home = make_home(tmp_path / "home", memory="Uses zsh", user="Ana")
    work = make_home(tmp_path / "home", memory="Uses zsh", profile="work")
    install_skill(home, "look", TEXT)
    install_skill(work, ".archive/look", TEXT)
    stage_skill(home, "5c000001", "patch", name="look", old_string="1. Look.", new_string="1. Look twice.\x1b[2J")
    stage_skill(work, "5c000001", "delete", name="look")
    return cli_at(home)


def test_a_patch_is_shown_as_what_it_changes_and_how_hermes_applies_it(cli: Cli) -> None:
    before = picture(cli.home)
    out = cli("skills", "show", "5c000001").out
    assert "  - 1. Look." in out
    assert "  + 1. Look twice.⟨ESC⟩[2J" in out
    assert "Apply it in Hermes: hermes, then /skills approve 5c000001" in out
    assert "Drop it in Hermes:  hermes, then /skills reject 5c000001" in out
    found = cli.json("skills", "show", "5c000001")
    assert (found["effect"]["new"], found["effect"]["gone"], found["installed"]) == (1, 1, "look")
    assert found["findings"], "what the scanner sees in it is said"
    assert picture(cli.home) == before, "nothing is applied, dropped or made by looking"


def test_ids_belong_to_their_profile(cli: Cli) -> None:
    assert [(one["profile"], one["action"]) for one in cli.json("skills")["writes"]] == [("default", "patch")]
    work = cli.bare("--home", str(cli.home), "--profile", "work", "skills", "show", "5c000001", "--json").json
    assert (work["write"]["profile"], work["write"]["action"]) == ("work", "delete")
    assert work["commands"]["start"] == "hermes -p work"
    assert [one["code"] for one in work["effect"]["problems"]] == ["no-such-skill"], "an archived one is not found"


def test_installed_skills_of_all_profiles_stand_in_one_row(cli: Cli) -> None:
    (row,) = cli.json("skills", "--installed")["installed"]
    assert [(one["profile"], one["archived"]) for one in row["holders"]] == [("default", False), ("work", True)]
    assert (row["name"], row["archived"], row["created_at"]) == ("look", False, None)
    out = cli("skills", "--installed").out
    assert "since when is not recorded" in out
    assert "work: .archive/look (archived)" in out


def test_an_unknown_id_says_where_to_look(cli: Cli) -> None:
    answer = cli("skills", "show", "nothing1")
    assert answer.code == 2
    assert "curator-tui skills" in answer.err


def test_a_home_without_skills_says_so(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    bound = cli_at(make_home(tmp_path / "bare", memory="Uses zsh"))
    assert "No skill waits here." in bound("skills").out
    assert "No skill is installed." in bound("skills", "--installed").out
