"""``db grants`` and ``db bind``, and how a database is opened by a login that no policy holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from curator_tui.stores.sql.addresses import address_of
from curator_tui.stores.sql.upgrading import upgrade
from tests import postgres
from tests.cli.conftest import Cli
from tests.cli.test_json import KEYS
from tests.databases import Place, made
from tests.postgres import Server


@pytest.fixture
def cli(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> Cli:
    return cli_at(tmp_path)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with postgres.given() as running:
        yield running


def test_what_is_printed_makes_what_is_made(cli: Cli, server: Server) -> None:
    place = Place(server.database(), server)
    assert cli.bare("--db", place.url, "db", "grants").code == 3, "it has no tables yet"
    upgrade(address_of(place.url))
    assert "no policy keeps memories apart" in cli.bare("--db", place.url, "db", "check").out
    printed = cli.bare("--db", place.url, "db", "grants", "--dry-run")
    assert (printed.code, printed.err) == (0, "")
    assert printed.out.startswith("BEGIN;\n")
    assert "no policy keeps memories apart" in cli.bare("--db", place.url, "db", "check").out
    with psycopg.connect(place.url, autocommit=True) as connection:
        connection.execute(printed.out.encode())
    assert "no policy" not in cli.bare("--db", place.url, "db", "check").out
    again = cli.bare("--db", place.url, "db", "grants", "--json")
    assert tuple(again.json) == KEYS["db grants"]
    assert (again.json["made"], again.json["dry_run"]) == ([], False)
    assert "memory_auditor" in cli.bare("--db", place.url, "db", "grants").out
    place.execute("ALTER TABLE memory_texts DISABLE ROW LEVEL SECURITY")
    found = cli.bare("--db", place.url, "db", "check", "--json").json
    assert "policies-missing" in {problem["code"] for problem in found["problems"]}


def test_a_login_that_both_proposes_and_decides_is_named(cli: Cli, server: Server, tmp_path: Path) -> None:
    place = made("postgres", tmp_path, server)
    server.let_in("curator_tui_test_both", "memory_service", "memory_curator")
    try:
        found = cli.bare("--db", place.url, "db", "check", "--json").json["problems"]
        words = next(problem["message"] for problem in found if problem["code"] == "agent-decides")
        assert "curator_tui_test_both" in words
    finally:
        place.execute("DROP ROLE curator_tui_test_both")


def test_a_login_is_bound_and_let_go_of(cli: Cli, server: Server, tmp_path: Path) -> None:
    place = made("postgres", tmp_path, server)
    server.let_in("curator_tui_test_bound", "memory_subject")

    def bind(*words: str) -> list[str]:
        answer = cli.bare("--db", place.keeper, *words, "--json")
        assert tuple(answer.json) == KEYS["db bind"]
        return list(answer.json["to"])

    login = "curator_tui_test_bound"
    assert bind("--tenant", "acme", "--user", "ada", "db", "bind", login) == [
        "the memory of ada in tenant acme, what all agents share"
    ]
    assert len(bind("--tenant", "acme", "db", "bind", login)) == 2
    assert "everybody in tenant acme" in cli.bare("--db", place.keeper, "--tenant", "acme", "db", "bind", login).out
    assert bind("db", "bind", login, "--remove") == []
    assert "is bound to nothing" in cli.bare("--db", place.keeper, "db", "bind", login, "--remove").out
    assert cli.bare("--db", place.keeper, "db", "bind", "nobody at all").code == 2
    assert cli.bare("--db", place.url, "db", "bind", login).code == 3, "a curator says nothing of that"
    assert cli.bare("--read-only", "--db", place.keeper, "db", "bind", login).code == 2


def test_a_file_knows_no_roles(cli: Cli, tmp_path: Path) -> None:
    url = made("sqlite", tmp_path, None).url
    assert cli.bare("--db", url, "db", "grants").code == 2
    assert cli.bare("--db", url, "--user", "ada", "db", "bind", "x").code == 2
    assert cli.bare("--allow-superuser", "--db", url, "--user", "ada", "status").code == 0


def test_a_superuser_is_let_in_only_where_a_person_says_so(cli: Cli, server: Server, tmp_path: Path) -> None:
    place = made("postgres", tmp_path, server)
    refused = cli.bare("--db", place.keeper, "--user", "ada", "status")
    assert refused.code == 3
    assert "--allow-superuser" in refused.err
    assert cli.bare("--allow-superuser", "--db", place.keeper, "--user", "ada", "status").code == 0


def test_an_agent_and_an_auditor_are_told_what_they_are(cli: Cli, server: Server, tmp_path: Path) -> None:
    place = made("postgres", tmp_path, server)
    assert (
        cli.bare("--db", place.url, "--tenant", "acme", "--user", "ada", "add", "--target", "memory", "a fact").code
        == 0
    )
    for group, words in (("memory_agent", "a person decides"), ("memory_auditor", "memory_auditor")):
        login = f"curator_tui_test_{group.removeprefix('memory_')}"
        server.let_in(login, group)
        url = server.as_login(place.url, login)
        answer = cli.bare("--db", url, "--tenant", "acme", "--user", "ada", "add", "--target", "memory", "another")
        assert (answer.code, answer.out) == (2, "")
        assert words in answer.err
        looked = cli.bare("--db", url, "--tenant", "acme", "--user", "ada", "memory")
        assert looked.code == (2 if group == "memory_agent" else 0)
    rows = cli.bare("--db", place.url, "--tenant", "acme", "--user", "ada", "ledger", "--json").json["rows"]
    assert [row.get("reason") for row in rows if row["action"] == "refused"] == ["may-not-decide", "may-not-write"]
