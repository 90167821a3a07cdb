"""A book whose kept texts are not what its rows were made of takes nothing back; a lost book is never an empty one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from curator_tui.core.changes import PastChange
from curator_tui.core.documents import Target
from curator_tui.core.requests import Actor, ActorKind, Kind
from curator_tui.core.verification import Held, disagreement
from tests.cli.conftest import Cli
from tests.cli.test_damaged import codes, run
from tests.homes import make_home, record

DOCUMENT = "UPDATE memory_texts SET body = CAST('Uses sh' AS BLOB) WHERE kind = 'document' AND id LIKE '%:memory:new'"
NO_SALT = "UPDATE memory_texts SET salt = NULL WHERE kind = 'salt'"
NO_RECORD = "UPDATE memory_decisions SET raw_text = NULL"
RECORD = "UPDATE memory_texts SET body = CAST(replace(body, 'tea', 'rye') AS BLOB) WHERE kind = 'record'"


@pytest.fixture
def cli(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> Cli:
    """Return a home with one approved and one rejected item."""
    pending = [record("c0000001", "add", "Likes tea"), record("c0000002", "add", "Has tea")]
    found = cli_at(make_home(tmp_path / "home", memory="Uses zsh", user="Ana", pending=pending))
    found.json("approve", "c0000001")
    found.json("reject", "c0000002")
    return found


def stands(cli: Cli) -> tuple[bytes, set[str], int]:
    """Return what a verb that writes nothing leaves alone."""
    return cli.raw(), cli.waiting(), run(cli.home, "SELECT count(*) FROM memory_ledger")[0][0]


def refused(cli: Cli, *verb: str) -> str:
    """Run a verb that must refuse, writing nothing, and return its words."""
    before = stands(cli)
    answer = cli(*verb)
    assert answer.code == 3, (answer.out, answer.err)
    assert stands(cli) == before
    assert "curator-tui ledger verify" in answer.err
    return answer.err


def change_of(cli: Cli, item: str) -> str:
    """Return the change that decided an item."""
    return str(run(cli.home, "SELECT change_id FROM memory_decisions WHERE proposal = ?", item)[0][0])


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE memory_change_documents SET before_text = NULL WHERE target = 'memory'", "MEMORY.md before"),
        ("UPDATE memory_change_documents SET after_text = NULL WHERE target = 'memory'", "MEMORY.md after"),
        (DOCUMENT, "MEMORY.md after"),
        (NO_SALT, "MEMORY.md "),
        (NO_RECORD, "record of c0000001"),
        (RECORD, "record of c0000001"),
        ("UPDATE memory_ledger SET body = body || ' '", "is damaged"),
        ("DELETE FROM memory_ledger", "no row"),
        ("DELETE FROM memory_change_documents", "text of MEMORY.md is not kept any more"),
        ("DELETE FROM memory_texts WHERE kind = 'document'", "text of MEMORY.md is not kept any more"),
    ],
)
def test_undo_refuses_what_its_row_was_not_made_of(cli: Cli, statement: str, what: str) -> None:
    change = change_of(cli, "c0000001")
    run(cli.home, statement)
    said = refused(cli, "undo", change)
    assert what in said
    assert change in said


FORGED = (
    "INSERT INTO memory_texts VALUES ('home', 'forged', :change, 'record', CAST('{}' AS BLOB), NULL)",
    "UPDATE memory_decisions SET raw_text = 'forged' WHERE change_id = :change",
)


def forge_record(cli: Cli, change: str) -> None:
    """Put words into the place of a record of which its row says that nothing was kept."""
    for statement in FORGED:
        run(cli.home, statement.replace(":change", "?"), change)


def test_a_record_that_no_row_binds_is_refused_and_named(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    secret = record("c0000003", "add", "token ghp_" + "A1b2C3d4" * 4 + "E5f6")
    cli = cli_at(make_home(tmp_path / "home", memory="Uses zsh", user="Ana", pending=[secret]))
    cli.json("reject", "c0000003")
    change = change_of(cli, "c0000003")
    forge_record(cli, change)
    for verb in (("undo", change), ("reopen", "c0000003")):
        assert "no row binds its record of c0000003" in refused(cli, *verb)
    for verb in (("ledger", "verify"), ("doctor",)):
        assert codes(cli, *verb) == ["text-unbound"], verb


def test_a_redo_binds_what_it_keeps(cli: Cli) -> None:
    change = change_of(cli, "c0000001")
    cli.json("undo", change)
    redo = cli.json("redo")["change"]
    assert cli.json("ledger", "verify")["open"] == 0
    run(cli.home, f"{RECORD} AND change_id = ?", redo)
    assert "record of c0000001" in refused(cli, "undo", change)
    assert codes(cli, "ledger", "verify") == ["text-altered"]


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("DELETE FROM memory_change_documents", "change-altered"),
        ("DELETE FROM memory_change_documents WHERE change_id = :change", "change-altered"),
        ("INSERT INTO memory_change_documents VALUES ('home', :change, 'user', NULL, NULL)", "change-altered"),
        ("DELETE FROM memory_decisions WHERE change_id = :change", "change-altered"),
        ("UPDATE memory_decisions SET verb = 'reject' WHERE change_id = :change", "change-altered"),
        ("UPDATE memory_decisions SET ended_by = 'x' WHERE change_id = :change", "change-missing"),
        ("UPDATE memory_decisions SET ended_by = '' WHERE change_id = :change", "change-altered"),
        ("UPDATE memory_changes SET undone_by = 'x' WHERE id = :change", "force-altered"),
        ("UPDATE memory_changes SET undone_by = id WHERE id = :change", "force-altered"),
        ("UPDATE memory_changes SET effect = 0 WHERE id = :change", "change-altered"),
        ("UPDATE memory_changes SET kind = 'redo' WHERE id = :change", "change-altered"),
        ("UPDATE memory_changes SET actor_name = 'x' WHERE id = :change", "change-altered"),
        ("UPDATE memory_changes SET reverts = 'x' WHERE id = :change", "change-altered"),
        ("UPDATE memory_changes SET backup = NULL WHERE id = :change", "change-altered"),
        ("INSERT INTO memory_takebacks SELECT 'home', id, :change FROM memory_changes WHERE seq = 3", "change-altered"),
        ("INSERT INTO memory_takebacks VALUES ('home', 'x', :change)", "change-missing"),
        ("DELETE FROM memory_changes WHERE id = :change", "change-missing"),
    ],
)
def test_what_is_recorded_of_a_change_is_held_against_its_row_by_both_verbs(
    cli: Cli, statement: str, code: str
) -> None:
    change = change_of(cli, "c0000001")
    run(cli.home, statement.replace(":change", f"'{change}'"))
    for verb in (("ledger", "verify"), ("doctor",)):
        assert code in codes(cli, *verb), verb
        assert cli(*verb).code == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memory_changes SET undone_by = NULL",
        "DELETE FROM memory_takebacks",
        "UPDATE memory_takebacks SET undone = change_id",
    ],
)
@pytest.mark.parametrize("way", ["undo", "rollback"])
def test_what_was_taken_back_is_held_against_the_rows(cli: Cli, statement: str, way: str) -> None:
    cli.json("undo") if way == "undo" else cli.json("rollback", "last")
    for verb in (("ledger", "verify"), ("doctor",)):
        assert codes(cli, *verb) == []
    run(cli.home, statement)
    for verb in (("ledger", "verify"), ("doctor",)):
        assert set(codes(cli, *verb)) <= {"force-altered", "change-altered"}
        assert cli(*verb).code == 1


def test_undo_redo_undo_leave_nothing_for_a_rollback_to_return(cli: Cli) -> None:
    backup = cli.json("backups")["backups"][-1]["id"]
    change = change_of(cli, "c0000001")
    cli.json("add", "--target", "memory", "Likes rye")
    cli.json("undo", change)
    cli.json("redo")
    cli.json("undo", change)
    rolled = cli.json("rollback", backup)
    assert rolled["not_applied"] == []
    assert cli.entries() == ("Uses zsh",)
    assert cli.waiting() == {"c0000001"}
    for verb in (("ledger", "verify"), ("doctor",)):
        assert codes(cli, *verb) == []


def test_a_rollback_over_an_undo_closes_its_items_and_is_told_as_a_rollback(cli: Cli) -> None:
    """What it closes by the way is no decision of its own, however the item ended."""
    cli.json("undo", change_of(cli, "c0000001"))
    rolled = cli.json("rollback", "last")
    assert [one["id"] for one in rolled["closed"]] == ["c0000001"]
    assert (cli.entries(), cli.waiting()) == (("Uses zsh", "Likes tea"), set())
    assert codes(cli, "doctor") == []
    assert cli("undo").out.startswith("rolled back at ")
    assert cli.waiting() == {"c0000001"}


@pytest.mark.parametrize("statement", [NO_RECORD, RECORD])
def test_a_rollback_returns_no_record_its_row_was_not_made_of(cli: Cli, statement: str) -> None:
    run(cli.home, statement)
    rolled = cli.json("rollback", "last", code=1)
    assert cli.entries() == ("Uses zsh",)
    assert (rolled["returned"], cli.waiting()) == ([], set())
    (failed,) = rolled["not_applied"]
    assert (failed["id"], "record of c0000001" in failed["reason"]) == ("c0000001", True)


@pytest.mark.parametrize("column", ["before_text", "after_text"])
def test_redo_refuses_what_its_row_was_not_made_of(cli: Cli, column: str) -> None:
    cli.json("undo", change_of(cli, "c0000001"))
    undone = run(cli.home, "SELECT id FROM memory_changes WHERE kind = 'undo'")[0][0]
    run(cli.home, f"UPDATE memory_change_documents SET {column} = NULL WHERE change_id = ?", undone)
    assert "MEMORY.md" in refused(cli, "redo")


@pytest.mark.parametrize("statement", [NO_RECORD, RECORD, NO_SALT])
def test_reopen_refuses_a_record_its_row_was_not_made_of(cli: Cli, statement: str) -> None:
    run(cli.home, statement)
    assert "record of c0000002" in refused(cli, "reopen", "c0000002")


def test_a_damaged_record_keeps_no_other_from_coming_back(cli: Cli) -> None:
    run(cli.home, f"{NO_RECORD} WHERE proposal = 'c0000001'")
    cli.json("reopen", "c0000002")
    assert cli.waiting() == {"c0000002"}


def test_in_order_everything_comes_back(cli: Cli) -> None:
    change = change_of(cli, "c0000001")
    cli.json("undo", change)
    assert cli.entries() == ("Uses zsh",)
    cli.json("redo")
    assert cli.entries() == ("Uses zsh", "Likes tea")
    cli.json("reopen", "c0000002")
    assert cli.waiting() == {"c0000002"}


def test_a_change_that_only_observed_has_no_row_of_its_own_and_is_no_damage() -> None:
    observed = PastChange("c1", 1, 0.0, Actor(ActorKind.OUTSIDE, "", ""), Kind.CORRECT)
    assert disagreement([], observed, Held()) is None
    documents = {Target.MEMORY: b"Uses zsh"}
    assert disagreement([], replace(observed, after=documents), Held(after=documents)) == "it has no row in the ledger"


@pytest.mark.parametrize("statement", [NO_RECORD, "UPDATE memory_change_documents SET before_text = NULL"])
def test_a_text_that_is_said_never_to_have_been_is_named_by_both_verbs(cli: Cli, statement: str) -> None:
    run(cli.home, statement)
    assert "text-altered" in codes(cli, "ledger", "verify")
    assert "text-altered" in codes(cli, "doctor")
    assert cli("ledger", "verify").code == cli("doctor").code == 1


def lose(cli: Cli, how: str) -> None:
    """Take the book of a home away."""
    file = cli.home / "curator-tui" / "book.sqlite"
    if how == "truncated":
        file.write_bytes(b"")
    else:
        file.unlink()
        if how == "folder":
            for other in file.parent.iterdir():
                other.unlink()
            file.parent.rmdir()


@pytest.mark.parametrize("how", ["truncated", "deleted", "folder"])
def test_a_lost_book_is_named_by_both_verbs_as_long_as_backups_tell_of_it(cli: Cli, how: str) -> None:
    lose(cli, how)
    for verb in (("ledger", "verify"), ("doctor",)):
        problems = cli.json(*verb, code=1)["problems"]
        assert [problem["code"] for problem in problems] == ["book-lost"], verb
        assert "book.sqlite" in problems[0]["message"]
        assert problems[0]["message"] in cli(*verb).out


def test_a_lost_book_stays_named_after_the_next_decision(cli: Cli) -> None:
    lose(cli, "deleted")
    assert any("backup" in note for note in cli.json("undo", code=1)["notes"])
    added = cli.json("add", "--target", "user", "Likes rye")
    assert any("of changes the book does not know" in note for note in added["notes"])
    assert "of changes the book does not know" in cli("undo").out
    for verb in (("ledger", "verify"), ("doctor",), ("backups",)):
        problems = cli.json(*verb, code=None)["problems"]
        assert [problem["code"] for problem in problems] == ["book-lost"], verb
    for words in (cli("status").out, *cli.json("status")["notes"]):
        assert "2 backups are of changes the book does not know" in words


def test_rows_taken_out_of_a_book_are_missed(cli: Cli) -> None:
    run(cli.home, "DELETE FROM memory_ledger")
    for verb in (("ledger", "verify"), ("doctor",)):
        assert set(codes(cli, *verb)) == {"book-lost", "row-missing"}


def test_a_home_that_never_had_a_book_is_in_order(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    fresh = cli_at(make_home(tmp_path / "home", memory="Uses zsh"))
    assert fresh.json("ledger", "verify")["ok"] is True
    assert fresh.json("doctor")["ok"] is True


def test_a_book_without_its_version_is_damaged_and_not_empty(cli: Cli) -> None:
    run(cli.home, "PRAGMA user_version = 0")
    for verb in (("ledger", "verify"), ("ledger",), ("undo",), ("reopen", "c0000002")):
        answer = cli(*verb)
        assert answer.code == 3, verb
        assert "is damaged: it has tables but no version" in answer.err
    doctor = cli("doctor")
    assert doctor.code == 1, doctor.err
    assert "is damaged: it has tables but no version" in doctor.out
