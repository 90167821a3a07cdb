"""All people of a tenant on the command line: pages, showing and deciding one item, and what needs one person."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli
from tests.databases import made
from tests.people import add, remember, stage

World = Callable[..., Any]


@pytest.fixture
def ask(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> World:
    """Ask about five people with two items each."""
    place = made("sqlite", tmp_path, None)
    for at in range(5):
        user = f"user{at}"
        remember(place, user, "Uses zsh")
        stage(place, user, [("a", add(f"Knows {user}"), 10.0 + at), ("b", add("Closed on Friday"), 20.0 + at)])
    cli = cli_at(tmp_path)

    def json(*args: str, code: int = 0) -> Any:
        answer = cli.bare("--db", place.url, "--tenant", "acme", *args, "--json")
        assert answer.code == code, answer
        return answer.json

    json.text = lambda *args: cli.bare("--db", place.url, "--tenant", "acme", *args)  # type: ignore[attr-defined]
    return json


def test_pages_name_whose_each_item_is_and_go_on_where_they_ended(ask: World) -> None:
    first = ask("pending", "--count", "4")
    assert [item["whose"] for item in first["items"]] == [f"user{at}" for at in range(4)]
    assert first["waiting"] == 10
    rest = ask("pending", "--count", "4", "--after", first["next"])
    assert [(item["whose"], item["alike"], item["state"]) for item in rest["items"]] == [
        ("user4", 1, "ready"),
        ("user0", 5, "ready"),
    ]
    assert rest["next"] is None
    assert "--after" in ask("pending", "--after", "nowhere", code=2)["error"]["message"]
    text = ask.text("pending", "--count", "2").out  # type: ignore[attr-defined]
    assert "user1" in text
    assert "10 wait in all. The next page: --after '11.0~" in text


def test_one_item_is_shown_and_decided_where_it_belongs(ask: World) -> None:
    one, two = (item["id"] for item in ask("pending", "--count", "2")["items"])
    shown = ask("show", one)
    assert shown["outcome"]["documents"]["memory"]["after"] == ["Uses zsh", "Knows user0"]
    assert ask("approve", one, "--expect", shown["item"]["digest"])["applied"] == [{"id": one, "how": "approve"}]
    assert [part["id"] for part in ask("reject", two)["applied"]] == [two]
    assert ask("approve", one, code=1)["not_applied"][0]["reason"].startswith("already decided: approve by ")
    assert ask("show", one, code=2)["error"]["message"].startswith(f"{one} is already decided: approve by ")
    assert ask("--user", "user0", "memory")["documents"]["memory"]["size"] == len("Uses zsh\n§\nKnows user0")
    assert ask("status")["pending"] == 8


def test_the_same_fact_is_decided_for_everybody(ask: World) -> None:
    name = ask("pending")["items"][-1]["id"]
    would = ask("approve", name, "--alike", "--dry-run")
    assert (len(would["applied"]), would["change"]) == (5, None)
    done = ask("approve", name, "--alike")
    assert len(done["applied"]) == 5
    assert ask("status")["pending"] == 5
    for at in range(5):
        assert ask("--user", f"user{at}", "ledger")["rows"][-1]["change"] == done["change"]
    assert "--alike" in ask("--user", "user0", "reject", "a", "--alike", code=2)["error"]["message"]
    assert "exactly one" in ask("reject", "x", "y", "--alike", code=2)["error"]["message"]


def test_what_is_about_one_person_says_so(ask: World) -> None:
    for verb in (("memory",), ("undo",), ("ledger",), ("approve", "--all-ready"), ("pending", "--deferred")):
        assert "--user" in ask(*verb, code=2)["error"]["message"], verb
    assert "--agent" in ask("--agent", "x", "status", code=2)["error"]["message"]


def test_an_edit_reaches_an_item_that_no_page_holds(
    ask: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = ask("pending", "--count", "1000")["items"][-1]["id"]
    (tmp_path / "text").write_text("Closed on Monday")
    monkeypatch.setattr("curator_tui.stores.sql.tenant_queue.WINDOW", 2)
    assert ask("approve", name, "--content-file", str(tmp_path / "text"))["applied"][0]["how"] == "edit"
