"""``learned``: the screen of all that was learned, in the shell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.homes import install_skill, make_home, record


@pytest.fixture
def cli(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> Cli:
    home = make_home(
        tmp_path / "home", memory="Uses zsh", user="Ana", pending=[record("c0000001", "add", "Has a cat\nand a dog")]
    )
    install_skill(home, "see", "---\nname: see\ndescription: How to see\n---\n1. See.\n")
    bound = cli_at(home)
    bound("approve", "c0000001")
    return bound


def test_everything_learned_is_listed_with_its_source(cli: Cli) -> None:
    found = cli.json("learned")
    rows = {row["title"]: row for row in found["learned"]}
    assert set(rows) == {"Uses zsh", "Ana", "Has a cat\nand a dog", "see"}
    assert found["count"] == 4
    assert {title: row["kind"] for title, row in rows.items()} == {
        "Uses zsh": "memory",
        "Ana": "user",
        "Has a cat\nand a dog": "memory",
        "see": "skill",
    }
    assert (rows["Has a cat\nand a dog"]["unseen"], rows["Ana"]["unseen"]) == (False, True)
    out = cli("learned").out
    assert "unseen Uses zsh\n" in out
    assert "Has a cat ⏎ and a dog\n" in out
    assert out.endswith("4 things learned.\n")


def test_what_a_filter_means_is_listed_and_one_that_means_nothing_is_said(cli: Cli) -> None:
    assert [row["title"] for row in cli.json("learned", "--filter", "kind:skill")["learned"]] == ["see"]
    assert [row["title"] for row in cli.json("learned", "--filter", "is:unseen zsh")["learned"]] == ["Uses zsh"]
    assert cli("learned", "--filter", "nothing-like-it").out == "0 things learned.\n"
    answer = cli("learned", "--filter", "kind:plant")
    assert (answer.code, "kind takes user, memory or skill" in answer.err) == (2, True)


def test_either_order_leaves_what_has_no_time_at_the_end(cli: Cli) -> None:
    cli("add", "--target", "user", "Likes rye")
    newest = [row["at"] for row in cli.json("learned")["learned"]]
    oldest = [row["at"] for row in cli.json("learned", "--oldest-first")["learned"]]
    timed = [at for at in newest if at is not None]
    assert timed == sorted(timed, reverse=True)
    assert len(timed) > 1
    assert oldest[: len(timed)] == timed[::-1]
