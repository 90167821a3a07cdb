"""Who wrote a proposal is known by authentication, and how far a person trusts them stands beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curator_tui.core.documents import Target
from curator_tui.core.plans import plan as core_plan
from curator_tui.core.requests import Actor, ActorKind
from curator_tui.curator.desk import Desk
from curator_tui.curator.origins import origins
from curator_tui.stores.sql.records import record_bytes
from tests.cli.conftest import Answer, Cli
from tests.postgres import CURATOR, Server
from tests.stores.ground import Scope
from tests.stores.homes import decide, make_home

ME = Actor(ActorKind.PERSON, "me", "cli")


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    return Cli(tmp_path, monkeypatch, capsys)


@pytest.fixture
def home(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> Scope:
    server: Server | None = request.getfixturevalue("server") if engine == "postgres" else None
    return make_home(Scope(engine, tmp_path / "home", server))


def test_a_word_of_trust_is_given_taken_back_and_shown(home: Scope, cli: Cli) -> None:
    def ask(*words: str) -> Answer:
        return cli.bare("--db", home.place.url, "--tenant", "acme", *words)

    assert ask("db", "agents", "--json").json["agents"] == [
        {"name": "an agent", "trust": None, "by": None, "waiting": 3}
    ]
    given = ask("db", "agents", "an agent", "--trust", "watched", "--json").json["agents"]
    assert given[0]["trust"] == "watched"
    assert given[0]["by"] == (CURATOR if home.server is not None else given[0]["by"])
    shown = json.loads(ask("--user", "ada", "show", "item0", "--json").out)["item"]
    assert (shown["written_by"], shown["trust"]) == ("an agent", "watched")
    assert "written by an agent (watched)" in ask("--user", "ada", "show", "item0").out
    listed = ask("--user", "ada", "pending", "--json").json["items"]
    assert [item["trust"] for item in listed] == ["watched"] * 3
    everybody = ask("pending", "--json").json["items"]
    assert {(item["written_by"], item["trust"]) for item in everybody} == {("an agent", "watched")}
    assert ask("db", "agents", "an agent", "--forget", "--json").json["agents"][0]["trust"] is None
    assert "written by an agent (not judged yet)" in ask("--user", "ada", "show", "item0").out
    other = cli.bare("--db", home.place.url, "--tenant", "other", "db", "agents", "--json")
    assert other.json["agents"] == []


def test_what_cannot_be_said_is_a_usage_error(home: Scope, cli: Cli) -> None:
    for words in (("x",), ("--trust", "trusted"), ("x", "--trust", "much"), ("x", "--trust", "trusted", "--forget"),
                  ("", "--trust", "trusted"), ("x" * 129, "--trust", "trusted")):  # fmt: skip
        assert cli.bare("--db", home.place.url, "db", "agents", *words).code == 2, words
    assert cli.bare("--read-only", "--db", home.place.url, "db", "agents", "x", "--trust", "trusted").code == 2


def test_an_entry_knows_the_agent_that_wrote_it_and_a_forged_name_in_a_record_changes_nothing(home: Scope) -> None:
    store = home.open()
    forged = json.dumps(
        {
            **json.loads(record_bytes([], origin="me", agent_says="says")),
            "operations": [{"action": "add", "target": "memory", "content": "forged"}],
            "written_by": "a person", "author": "a person", "trust": "trusted", "approved_by": "me",
            "user_id": "bob", "tenant": "other", "actor": {"kind": "person", "name": "me"},
        }
    ).encode()  # fmt: skip
    assert store.stage([("forged", forged)], "an agent") == ()
    waiting = store.queue.get("forged")
    assert waiting is not None
    assert (waiting.proposal.author, waiting.proposal.trust) == ("an agent", "")
    assert store.transact(decide("one", ["forged"]), core_plan).done
    desk = Desk(store, ME)
    desk.refresh()
    found = {origin.text: origin for origin in origins(desk)}
    assert (found["forged"].author, found["forged"].claimed) == ("an agent", "me")
    assert found["one"].author == ""
    # it is still known when it returns to the queue
    assert desk.undo(found["forged"].change).done
    again = store.queue.get("forged")
    assert again is not None
    assert again.proposal.author == "an agent"
    assert home.place.rows("SELECT DISTINCT tenant_id, user_id FROM memory_scopes") == [("acme", "ada")]
    assert store.snapshot().document(Target.MEMORY).entries == ("one",)
    desk.close()
