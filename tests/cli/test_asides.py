"""Deferred writes and disputed entries on the command line, on a real home, up to the verifier and an older book."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import curator_tui.curator.calendar
from curator_tui.core.documents import entry_id
from tests.cli.conftest import Cli
from tests.homes import make_home, picture, record, stage

TODAY = "2026-12-24"
ENTRY = "Uses zsh and tmux"


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Set which day it is."""
    from curator_tui.curator import asides, desk, queue_model

    def set_day(day: str) -> None:
        for module in (asides, desk, queue_model, curator_tui.curator.calendar):
            monkeypatch.setattr(module, "local_day", lambda _: day)

    set_day(TODAY)
    return set_day


@pytest.fixture
def cli(tmp_path: Path, cli_at: Callable[[Path], Cli], days: Callable[[str], None]) -> Cli:
    """Bind the command line to a home with three writes, two of them for one entry."""
    pending = [
        record("c0000001", "add", "Has a cat", created_at=1.0),
        record("c0000002", "replace", "Uses fish and tmux", ENTRY, created_at=2.0),
        record("c0000003", "replace", "Uses bash and tmux", ENTRY, created_at=3.0),
    ]
    return cli_at(make_home(tmp_path / "home", memory=f"{ENTRY}\n§\nPrefers tabs", user="Ana", pending=pending))


def ids(cli: Cli) -> list[str]:
    return [one["id"] for one in cli.json("pending")["items"]]


def put_off(cli: Cli) -> dict[str, str | None]:
    return {one["id"]: one["until"] for one in cli.json("pending")["deferred"]}


def run(cli: Cli, statement: str) -> None:
    with closing(sqlite3.connect(cli.home / "curator-tui" / "book.sqlite")) as connection:
        connection.execute(statement)
        connection.commit()


# -- deferring -------------------------------------------------------------------------------------------------------


def test_a_deferred_write_is_in_no_list_and_no_count_and_stays_a_record(cli: Cli) -> None:
    records = cli.waiting()
    answer = cli.json("defer", "c0000001", "c0000003", "--until", "3d")
    assert answer["applied"] == [{"id": "c0000001", "how": "defer"}, {"id": "c0000003", "how": "defer"}]
    assert answer["until"] == cli.json("pending")["deferred"][0]["until"]
    assert (answer["change"] is not None, answer["backup"]) == (True, None)
    assert ids(cli) == ["c0000002"]
    assert put_off(cli) == {"c0000001": "2026-12-27", "c0000003": "2026-12-27"}
    assert cli.waiting() == records
    status = cli.json("status")
    assert (status["pending"], status["deferred"]) == (1, 2)
    assert cli.json("pending")["items"][0]["group"] is None, "the other one for that entry is deferred"
    ready = cli.json("approve", "--all-ready", "--dry-run")
    assert ([one["id"] for one in ready["applied"]], ready["not_applied"]) == (["c0000002"], [])
    assert cli("ledger", "verify").code == cli("doctor").code == 0


def test_nothing_waits_for_who_asks_while_all_is_deferred(cli: Cli) -> None:
    assert "Back when you reopen it.\n" in cli("defer", *ids(cli)).out
    assert cli("status", "--fail-if-pending").code == 0
    assert "0 waiting" in cli("status", "--line").out
    listed = cli("pending", "--deferred").out
    assert listed.count("until you reopen it") == 3
    assert "Nothing waits for a decision." in cli("pending").out


def test_on_its_day_it_is_back_and_nothing_was_written(cli: Cli, days: Callable[[str], None]) -> None:
    cli("defer", "c0000001", "--until", "tomorrow")
    before = picture(cli.home)
    days("2026-12-25")
    assert ids(cli) == ["c0000001", "c0000002", "c0000003"]
    assert put_off(cli) == {}
    assert picture(cli.home) == before
    assert [one["code"] for one in cli.json("reopen", "c0000001", code=1)["not_applied"]] == ["still-waiting"]


def test_undo_brings_it_back_to_its_place_and_redo_puts_it_off_again(cli: Cli) -> None:
    """Case T21: undo works for defer as well, and puts the item back at its place in the queue."""
    before = ids(cli)
    cli("defer", "c0000002")
    assert cli.json("undo")["returned"] == ["c0000002"]
    assert ids(cli) == before
    assert cli.json("redo")["closed"] == [{"id": "c0000002", "how": "defer", "by": None}]
    assert put_off(cli) == {"c0000002": None}
    assert cli.json("reopen", "c0000002")["returned"] == ["c0000002"]
    assert ids(cli) == before
    cli("undo")
    assert put_off(cli) == {"c0000002": None}
    assert cli("ledger", "verify").code == 0


def test_a_decision_about_it_by_its_name_ends_it_and_undo_of_that_leaves_it_deferred(cli: Cli) -> None:
    assert "Back on 2027-01-07.\n" in cli("defer", "c0000001", "--until", "2w").out
    assert "Back" not in cli("defer", "nothing1", "--until", "2w").out
    assert cli.json("show", "c0000001")["deferred"]["until"] == "2027-01-07"
    assert cli.json("approve", "c0000001")["applied"] == [{"id": "c0000001", "how": "approve"}]
    assert put_off(cli) == {}
    undone = cli.json("undo")
    assert undone["returned"] == ["c0000001"]
    assert undone["notes"] == ["c0000001 was deferred before and is so again, until 2027-01-07"]
    assert put_off(cli) == {"c0000001": "2027-01-07"}
    assert cli("reject", "c0000001").code == 0
    assert cli.json("reopen", "c0000001")["returned"] == ["c0000001"]
    assert "c0000001" in ids(cli), "who reopens it wants it in the queue"


def test_a_record_written_again_is_back_at_once_and_says_why(cli: Cli) -> None:
    cli("defer", "c0000001", "--until", "2w")
    stage(cli.home, record("c0000001", "add", "Has two cats", created_at=1.0))
    assert "c0000001" in ids(cli)
    assert put_off(cli) == {}
    words = "was deferred until 2027-01-07; its record was written again since, so it is back"
    assert words in cli("pending").out
    assert words in cli("show", "c0000001").out


def test_the_first_sight_of_a_deferred_write_still_counts(cli: Cli) -> None:
    """What it meant when it was first seen is what it means when it is back."""
    cli("defer", "c0000002")
    cli("replace", ENTRY, "Uses nothing of the kind")
    cli("reopen", "c0000002")
    assert cli.states()["c0000002"] == "stale"


@pytest.mark.parametrize("words", ["yesterday", "2026-12-24", "2020-01-01", "0d", "2026-02-30"])
def test_a_day_that_is_none_or_past_is_a_usage_error_and_nothing_is_written(cli: Cli, words: str) -> None:
    answer = cli("defer", "c0000001", "--until", words)
    assert answer.code == 2
    assert "2026-12-24, tomorrow, 3d or 2w" in answer.err
    assert not (cli.home / "curator-tui").exists()


# -- disputing -------------------------------------------------------------------------------------------------------


def dispute(cli: Cli, *more: str) -> str:
    answer = cli.json("challenge", entry_id(ENTRY), "--reason", "wrong", *more)
    assert (answer["applied"][0]["how"], answer["backup"]) == ("challenge", None)
    return str(answer["applied"][0]["id"])


def disputed(cli: Cli) -> dict[str, bool]:
    return {one["text"]: one["disputed"] for one in cli.json("memory")["documents"]["memory"]["entries"]}


def test_a_challenge_marks_the_entry_and_waits_as_a_question(cli: Cli) -> None:
    raw, items = cli.raw(), cli.json("pending")["items"]
    name = dispute(cli, "--note", "it is fish\x1b[2J")
    assert disputed(cli) == {ENTRY: True, "Prefers tabs": False}
    answer = cli.json("pending")
    (question,) = answer["questions"]
    assert (answer["items"], cli.raw()) == (items, raw)
    assert {key: question[key] for key in ("id", "target", "entry", "text", "reason", "note", "entry_present")} == {
        "id": name,
        "target": "memory",
        "entry": entry_id(ENTRY),
        "text": ENTRY,
        "reason": "wrong",
        "note": "it is fish\x1b[2J",
        "entry_present": True,
    }
    assert cli.json("status")["questions"] == 1
    assert cli.json("show", name)["question"] == question
    for verb in (("memory",), ("pending",), ("show", name), ("status",), ("ledger",)):
        shown = cli(*verb).out
        assert "\x1b" not in shown
        assert name in shown or verb == ("status",)
    again = cli.json("challenge", ENTRY, "--reason", "wrong")
    assert (again["applied"], again["change"]) == ([{"id": name, "how": "already in effect"}], None)


def test_a_question_is_in_no_bulk(cli: Cli) -> None:
    name = dispute(cli)
    answer = cli.json("approve", "--all-ready", "--dry-run", code=None)
    assert name not in str(answer)
    assert cli("approve", name).code == cli("reject", name).code == 1
    assert [one["id"] for one in cli.json("pending")["questions"]] == [name]


@pytest.mark.parametrize(
    ("words", "entries"),
    [
        (("keep",), (ENTRY, "Prefers tabs")),
        (("correct", "Uses fish"), ("Uses fish", "Prefers tabs")),
        (("remove",), ("Prefers tabs",)),
    ],
)
def test_an_answer_closes_the_question_and_undo_opens_it_again(cli: Cli, words: tuple[str, ...], entries: Any) -> None:
    name, raw = dispute(cli), cli.raw()
    digest = cli.json("answer", name, *words, "--dry-run")["digest"]
    assert cli.raw() == raw
    answer = cli.json("answer", name, *words, "--expect", digest)
    assert answer["applied"] == [{"id": name, "how": words[0]}]
    assert cli.entries() == entries
    assert (cli.json("pending")["questions"], any(disputed(cli).values())) == ([], False)
    assert cli.json("answer", name, "keep", code=1)["not_applied"][0]["code"] == "already-decided"
    assert cli.json("undo")["returned"] == [name]
    assert (cli.raw(), disputed(cli)[ENTRY]) == (raw, True)
    assert cli.json("redo")["closed"] == [{"id": name, "how": words[0], "by": None}]
    assert cli.entries() == entries
    cli("undo")
    assert cli.json("undo")["closed"] == [{"id": name, "how": "withdrawn", "by": None}]
    assert cli.json("pending")["questions"] == []
    assert cli("ledger", "verify").code == cli("doctor").code == 0


def test_a_rollback_opens_the_question_whose_answer_it_takes_back(cli: Cli) -> None:
    name, raw = dispute(cli), cli.raw()
    backup = cli.json("answer", name, "remove")["backup"]
    assert cli.json("rollback", backup)["returned"] == [name]
    assert (cli.raw(), [one["id"] for one in cli.json("pending")["questions"]]) == (raw, [name])
    assert cli("ledger", "verify").code == 0


def test_a_question_whose_entry_went_says_so_and_can_be_closed(cli: Cli) -> None:
    name = dispute(cli)
    cli("replace", ENTRY, "Uses zsh and screen")
    (question,) = cli.json("pending")["questions"]
    assert (question["entry_present"], question["nearest"]) == (False, "Uses zsh and screen")
    assert "gone or changed" in cli("show", name).out
    assert cli.json("answer", name, "correct", "Uses fish", code=1)["not_applied"][0]["state"] == "stale"
    closed = cli.json("answer", name, "keep")
    assert "nothing was written" in closed["notes"][0]
    assert cli.json("pending")["questions"] == []


@pytest.mark.parametrize(
    "words",
    [
        ("challenge", ENTRY), ("challenge", ENTRY, "--reason", "boring"), ("challenge", "no such", "--reason", "wrong"),
        ("answer", "q-1", "burn"), ("answer", "q-1", "correct"), ("answer", "q-1", "keep", "it"), ("show", "q-1"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_a_usage_error(cli: Cli, words: tuple[str, ...]) -> None:
    assert cli(*words).code == 2
    assert not (cli.home / "curator-tui").exists()


# -- the book --------------------------------------------------------------------------------------------------------


def test_words_of_a_challenge_stand_in_the_table_of_texts_and_nowhere_else(cli: Cli) -> None:
    dispute(cli, "--note", "the tortoise told me")
    with closing(sqlite3.connect(cli.home / "curator-tui" / "book.sqlite")) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in set(tables) - {"memory_texts"}:
            rows = repr(connection.execute(f"SELECT * FROM {table}").fetchall())
            assert "tortoise" not in rows, table
            assert "zsh" not in rows, table
            assert entry_id(ENTRY) not in rows, table


TAMPERED = {
    "a deferral nobody made": (
        "INSERT INTO memory_deferrals SELECT scope, 'none', 0, proposal, digest, until, back FROM memory_deferrals",
        "deferral-unbound",
    ),
    "another day": ("UPDATE memory_deferrals SET until = '2030-01-01'", "deferral-altered"),
    "another record": ("UPDATE memory_deferrals SET digest = 'x'", "deferral-altered"),
    "a deferral taken away": ("DELETE FROM memory_deferrals", "deferral-missing"),
    "a challenge nobody made": (
        (
            "INSERT INTO memory_challenges "
            "SELECT scope, 'q-x', 'none', target, entry_text, reason, '' FROM memory_challenges"
        ),
        "challenge-unbound",
    ),
    "another reason": ("UPDATE memory_challenges SET reason = 'private'", "challenge-altered"),
    "a challenge taken away": ("DELETE FROM memory_challenges", "challenge-missing"),
    "another answer": ("UPDATE memory_answers SET verb = 'remove'", "answer-altered"),
    "an answer taken away": ("DELETE FROM memory_answers", "answer-missing"),
    "another text": ("UPDATE memory_texts SET body = 'x' WHERE kind = 'entry'", "text-altered"),
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a home whose book holds one of each; tests work on copies."""
    from curator_tui.__main__ import main

    path = make_home(
        tmp_path_factory.mktemp("asides") / "home", memory=ENTRY, pending=[record("c0000001", "add", "Has a cat")]
    )
    assert main(["--home", str(path), "defer", "c0000001", "--until", "9000-01-01"]) == 0
    assert main(["--home", str(path), "challenge", ENTRY, "--reason", "wrong"]) == 0
    from curator_tui.stores.hermes.home import Binding
    from curator_tui.stores.hermes.store import HermesStore

    store = HermesStore(Binding(path, path, "default", "home"), {})
    name = store.book.asides().questions()[0].question
    store.close()
    assert main(["--home", str(path), "answer", name, "keep"]) == 0
    return path


@pytest.mark.parametrize("what", list(TAMPERED))
def test_what_no_row_bears_out_is_named(told: Path, tmp_path: Path, cli_at: Callable[[Path], Cli], what: str) -> None:
    import shutil

    shutil.copytree(told, tmp_path / "home")
    cli = cli_at(tmp_path / "home")
    statement, code = TAMPERED[what]
    run(cli, statement)
    for verb in (("ledger", "verify"), ("doctor",)):
        assert code in {one["code"] for one in cli.json(*verb, code=1)["problems"]}, verb


def test_an_older_book_is_read_as_it_is_and_upgraded_by_the_next_verb_that_writes(cli: Cli) -> None:
    cli("approve", "c0000001")
    run(cli, "PRAGMA user_version = 1")
    later = ("memory_deferrals", "memory_challenges", "memory_answers", "memory_tombstones", "memory_scope_keys")
    for table in later:
        run(cli, f"DROP TABLE {table}")
    before = picture(cli.home)
    for verb in (("status",), ("pending",), ("memory",), ("ledger", "verify"), ("doctor",), ("backups",)):
        assert cli(*verb).code == 0, verb
    assert picture(cli.home) == before
    assert cli("undo").code == 0
    assert cli("defer", "c0000002").code == 0
    assert put_off(cli) == {"c0000002": None}
    assert cli("doctor").code == 0


# -- deferrals that cannot be read ------------------------------------------------------------------------------------


@pytest.fixture
def unknown(cli: Cli) -> Cli:
    """Return a home with a deferred write of which the book holds what nobody can read."""
    assert cli("defer", "c0000001").code == 0
    run(cli, "UPDATE memory_deferrals SET until = x'00ff'")
    return cli


@pytest.mark.parametrize("more", [(), ("--dry-run",)])
def test_what_decides_in_bulk_is_refused_where_nobody_can_tell_what_is_deferred(
    unknown: Cli, more: tuple[str, ...]
) -> None:
    before = picture(unknown.home)
    answer = unknown("approve", "--all-ready", *more)
    assert answer.code == 3
    assert "what is deferred and disputed cannot be told" in answer.err
    assert "curator-tui doctor" in answer.err
    assert picture(unknown.home) == before


def test_the_plain_plan_is_refused_where_nobody_can_tell_what_is_deferred(unknown: Cli) -> None:
    answer = unknown("review", "--plain", stdin=b"plan\nquit\n")
    assert "what is deferred and disputed cannot be told" in answer.out + answer.err
    assert "Has a cat" not in unknown.raw().decode()
    assert unknown.waiting() == {"c0000001", "c0000002", "c0000003"}


def test_what_only_looks_lists_everything_and_says_that_deferrals_are_not_known(unknown: Cli) -> None:
    document = unknown.json("pending")
    assert [one["id"] for one in document["items"]] == ["c0000001", "c0000002", "c0000003"]
    assert "so deferred writes are listed as waiting" in document["notes"][0]
    for verb in (("pending",), ("pending", "--deferred"), ("status",)):
        answer = unknown(*verb)
        assert answer.code == 0, answer.err
        assert "note: what is deferred and disputed cannot be told" in answer.out
    assert "Nothing is deferred" not in unknown("pending", "--deferred").out
    assert unknown("status", "--line").code == 3
