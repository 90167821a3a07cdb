"""``review --plain`` beyond approving: deferring, disputing, answering, single changes, the ledger and skills."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.cli.conversation import behind, talk
from tests.homes import make_home, record, write


@pytest.fixture
def cli(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> Cli:
    """A home with two items and three entries."""
    records = [
        record("e0000001", "add", "Has a cat", created_at=1.0),
        record("e0000002", "add", "Uses zsh", created_at=2.0),
    ]
    return cli_at(make_home(tmp_path / "home", memory="Drinks tea\n§\nRents a flat\n§\nrye bread", pending=records))


def test_an_item_is_deferred_listed_and_brought_back(cli: Cli) -> None:
    said = talk(cli.home, "open e0000001", "defer", "2w", "deferred", "1", "no", "1", "yes", "deferred", "list")
    day = (date.today() + timedelta(days=14)).isoformat()  # noqa: DTZ011 - the person's own calendar is what is meant
    assert "Until when?" in behind(said, "defer")
    assert "Deferred e0000001." in behind(said, "2w")
    assert f"\nBack on {day}.\n" in behind(said, "2w")
    assert f"It adds an entry to MEMORY.md: Has a cat, until {day}, item e0000001." in behind(said, "deferred")
    assert "Reopened e0000001." in behind(said, "yes")
    assert "Nothing is deferred." in said
    assert "2 rows" in behind(said, "list")
    assert [row["action"] for row in cli.json("ledger")["rows"]][-2:] == ["defer", "reopen"]


def test_another_wording_that_changed_since_it_was_listed_is_not_deferred_unseen(
    tmp_path: Path, cli_at: Callable[[Path], Cli]
) -> None:
    wordings = [
        record("e0000001", "replace", "Drinks green tea", "Drinks tea", created_at=1.0),
        record("e0000002", "replace", "Drinks black tea", "Drinks tea", created_at=2.0),
    ]
    cli = cli_at(make_home(tmp_path / "home", memory="Drinks tea", pending=wordings))
    file = cli.home / "pending" / "memory" / "e0000002.json"
    changed = record("e0000002", "replace", "Drinks no tea", "Drinks tea", created_at=2.0)
    said = talk(cli.home, "next", lambda: write(file, json.dumps(changed).encode()), "defer 2w", "deferred")
    assert "Deferred e0000001." in behind(said, "defer 2w")
    assert "e0000002" not in behind(said, "deferred")
    assert [one["id"] for one in cli.json("pending")["items"]] == ["e0000002"], "it waits as it is now"


@pytest.mark.parametrize("answer", ["", "yesterday", "2020-01-01"])
def test_what_is_no_day_to_come_defers_nothing(cli: Cli, answer: str) -> None:
    talk(cli.home, "open e0000001", "defer", answer)
    assert cli.json("status")["deferred"] == 0


def test_an_entry_is_disputed_and_its_question_kept_corrected_or_removed(cli: Cli) -> None:
    said = talk(
        cli.home,
        "documents", "challenge 1", "2", "yes", "challenge Rents a flat", "other it was sold", "yes",
        "challenge rye bread", "wrong", "yes", "status",
        "questions", "1", "1", "yes", "questions", "1", "2", "Owns a house", ".", "yes",
        "questions", "1", "3", "yes", "questions",
    )  # fmt: skip
    assert "2. outdated: it was true and is not any more." in behind(said, "challenge 1").lower()
    assert "Disputed: 3 questions to answer" in behind(said, "status")
    listed = behind(said, "questions")
    assert "1. An entry of MEMORY.md, disputed as outdated by you, just now: Drinks tea; question q-" in listed
    assert "Said about it: it was sold" in said
    assert "The entry stays: question q-" in said
    assert "No question waits: nothing is disputed." in said
    assert cli.entries() == ("Drinks tea", "Owns a house")
    assert cli.json("ledger", "verify")["ok"] is True


def test_a_second_dispute_is_told_where_the_first_waits(cli: Cli) -> None:
    said = talk(cli.home, "challenge rye bread", "wrong", "yes", "challenge rye bread", "private")
    question = cli.json("pending")["questions"][0]["id"]
    told = behind(said, "private")
    assert f"question {question} waits among the pending ones" in told
    assert "Dispute it?" not in told
    assert len(cli.json("pending")["questions"]) == 1


@pytest.mark.parametrize("answer", ["no", "", "y", "keep"])
def test_nothing_is_disputed_or_answered_without_the_whole_word(cli: Cli, answer: str) -> None:
    talk(cli.home, "challenge rye bread", "wrong", answer)
    assert cli.json("pending")["questions"] == []
    cli("challenge", "rye bread", "--reason", "wrong")
    talk(cli.home, "questions", "1", "3", answer)
    assert "rye bread" in cli.entries()


def test_an_answer_that_acts_is_refused_and_one_with_a_finding_needs_its_reason(cli: Cli) -> None:
    cli("challenge", "rye bread", "--reason", "wrong")
    said = talk(
        cli.home,
        "questions", "1", "2", "red \x1b[31m", ".", "questions", "1", "2", "r\u200bye", ".", "",
        "questions", "1", "2", "r\u200bye", ".", "2", "yes",
    )  # fmt: skip
    assert "Nothing was written." in said
    assert cli.entries()[-1] == "r\u200bye"
    assert cli.json("ledger")["rows"][-1]["reason"] == "false-alarm"


def test_an_entry_that_moved_on_leaves_only_to_close_its_question(cli: Cli) -> None:
    cli("challenge", "rye bread", "--reason", "wrong")
    cli("replace", "rye bread", "wheat bread")
    said = talk(cli.home, "questions", "1", "1", "yes")
    assert "The entry is gone or changed since." in said
    assert "\n2. correct" not in said
    assert cli.json("pending")["questions"] == []
    assert cli.entries()[-1] == "wheat bread"


def test_one_earlier_change_is_undone_and_what_came_later_stays(cli: Cli) -> None:
    said = talk(cli.home, "open e0000001", "approve", "open e0000002", "approve", "changes", "2", "yes")
    assert "2. Approved Has a cat (e0000001), by you, just now" in behind(said, "changes")
    assert "3. First seen, by outside, just now" in behind(said, "changes"), "whoever looked did not make it"
    assert "Comes back to the queue: Has a cat (e0000001)." in behind(said, "2")
    assert cli.entries()[-1] == "Uses zsh"
    assert cli.waiting() == {"e0000001"}


def test_the_rollback_names_items_by_their_words(cli: Cli) -> None:
    said = talk(cli.home, "open e0000001", "approve", "history", "1", "yes")
    asked = behind(said, "1")
    assert "It undoes 1 change: approved Has a cat (e0000001)." in asked
    assert "Comes back to the queue: Has a cat (e0000001)." in asked


def test_the_ledger_is_read_with_the_words_that_are_kept_beside_it(cli: Cli) -> None:
    cli("reject", "e0000002", "--reason", "no news")
    cli("remove", "rye bread")
    cli("challenge", "Drinks tea", "--reason", "wrong")
    said = talk(cli.home, "ledger", "2", "row 2", "ledger action:reject", "ledger nonsense:1", "verify")
    listed = behind(said, "ledger")
    assert "challenge by you through cli, just now: disputed: Drinks tea, q-" in listed
    assert "remove by you through cli, just now: removed: rye bread." in listed
    assert "reject by you through cli, just now: Uses zsh, e0000002" in listed
    assert "removed: rye bread." in behind(said, "2").lower()
    assert "In words, about e0000002: no news" in behind(said, "row 2")
    assert "1. Row 2" in behind(said, "ledger action:reject")
    assert "nonsense is nothing a filter knows" in behind(said, "ledger nonsense:1")
    assert "in order" in behind(said, "verify")


def test_a_long_ledger_goes_on_with_older(cli: Cli) -> None:
    for _ in range(12):
        cli("add", "--target", "memory", "Owns a bike")
        cli("undo")
    said = talk(cli.home, "ledger", "older", "older")
    assert "20. Row " in behind(said, "ledger")
    assert "Row 1," in behind(said, "older")


def test_skill_writes_are_read_out_with_the_words_for_hermes(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home", memory="Drinks tea")
    content = "---\nname: brew\ndescription: tea\n---\nBoil \x1b[2J water"
    payload = {"action": "create", "name": "brew", "content": content}
    body = json.dumps({"id": "s1", "kind": "skills", "payload": payload, "created_at": 1.0}).encode()
    (home / "pending" / "skills").mkdir(parents=True)
    write(home / "pending" / "skills" / "s1.json", body)
    said = talk(home, "skills", "1", "skills", "skill 1", "skill zz")
    assert "New: Boil" in behind(said, "skill 1")
    assert "1. Skill write: create brew" in behind(said, "skills")
    assert "New: Boil ⟨ESC⟩[2J water" in behind(said, "1")
    assert "/skills approve s1" in behind(said, "1")
    assert "zz" in behind(said, "skill zz")


@pytest.mark.parametrize("verb", ["remove", "correct", "challenge"])
def test_a_number_means_no_entry_where_no_entries_were_listed(
    tmp_path: Path, cli_at: Callable[[Path], Cli], verb: str
) -> None:
    cli = cli_at(make_home(tmp_path / "home", memory="No calls before 11:00\n§\nrye bread", pending=[]))
    said = talk(cli.home, "changes", f"{verb} 11", "yes", "documents", f"{verb} 2", "no")
    assert "11 is no row of a list of entries that was printed last" in behind(said, f"{verb} 11")
    assert "rye bread" in behind(said, f"{verb} 2")
    assert cli.entries() == ("No calls before 11:00", "rye bread")


def test_for_looking_only_none_of_it_is_offered(cli: Cli) -> None:
    said = talk(cli.home, "open e0000001", "help", "defer 2w", "challenge rye bread", "answer q-1 keep", read_only=True)
    for word in ("defer", "challenge", "answer", "reopen"):
        assert f"\n{word} " not in behind(said, "help")
        assert f"\n{word}:" not in behind(said, "help")
    assert "\nquestions: " in behind(said, "help")
    assert cli.json("pending")["questions"] == []


def test_on_a_pipe_only_the_printed_code_defers_and_disputes(cli: Cli) -> None:
    lines = ("open e0000001", "defer 2w", "challenge rye bread", "wrong", "yes")
    talk(cli.home, *lines, typed=False, code=1)
    assert cli.json("status")["deferred"] == 0
    assert cli.json("pending")["questions"] == []
    talk(cli.home, "open e0000001", "defer 2w CODE", "challenge rye bread", "wrong", "yes CODE", typed=False)
    assert cli.json("status")["deferred"] == 1
    assert len(cli.json("pending")["questions"]) == 1


def test_a_number_is_repeated_as_it_was_typed(cli: Cli) -> None:
    number = "9" * 23
    assert f"No list was printed that {number} could be a row of." in talk(cli.home, number)


@pytest.mark.parametrize("name", ["nosuch", "../a", "e0000001"])
def test_what_cannot_be_brought_back_is_refused_before_anything_is_asked(cli: Cli, name: str) -> None:
    said = behind(talk(cli.home, f"reopen {name}"), f"reopen {name}")
    assert "Nothing was written." in said
    assert "yes" not in said


def test_a_long_number_is_not_read_from_its_beginning(cli: Cli) -> None:
    assert "Nothing was decided." in behind(talk(cli.home, "challenge rye bread", "0000000013"), "0000000013")


def test_a_question_is_answered_by_its_number_while_it_is_read_out(cli: Cli) -> None:
    for entry in ("Drinks tea", "Rents a flat", "rye bread"):
        cli("challenge", entry, "--reason", "wrong")
    said = talk(
        cli.home,
        "questions", "question 2", "answer 2 remove", "yes",
        "questions", "question 1", "answer keep", "yes",
        "questions", "1", "answer 3", "yes", "answer 1 keep",
    )  # fmt: skip
    assert "Entry removed: Rents a flat" in behind(said, "answer 2 remove")
    assert "Profile default, 2 waiting, 2 questions. Command:" in behind(said, "yes")
    assert cli.entries() == ("Drinks tea",)
    assert cli.json("pending")["questions"] == []
    assert "No one question is called 1." in behind(said, "answer 1 keep")


def test_a_number_of_another_list_means_no_question(cli: Cli) -> None:
    cli("challenge", "rye bread", "--reason", "wrong")
    said = talk(cli.home, "questions", "list", "answer 1 remove", "question 1", "answer remove")
    assert "No one question is called 1." in behind(said, "answer 1 remove")
    assert "No one question is called 1." in behind(said, "question 1")
    assert "Answer which question" in behind(said, "answer remove")


def test_undo_takes_the_number_of_a_listed_change(cli: Cli) -> None:
    talk(cli.home, "open e0000001", "approve", "open e0000002", "approve", "changes", "undo 2", "yes")
    assert cli.waiting() == {"e0000001"}


@pytest.mark.parametrize("reason", ["sensitive a house key", "3 a house key", "private a house key"])
def test_every_reason_of_a_dispute_takes_a_note(cli: Cli, reason: str) -> None:
    said = talk(cli.home, "challenge rye bread", reason, "yes")
    (question,) = cli.json("pending")["questions"]
    assert (question["reason"], question["note"]) == ("private", "a house key")
    assert "To dispute as sensitive" in behind(said, reason)
    assert "a house key" in behind(said, reason)


def test_a_row_of_the_ledger_offers_undo_only_where_undo_takes_it(cli: Cli) -> None:
    """Neither for what was found nor for what was undone; an undo can be undone."""
    cli("remove", "rye bread")
    cli("undo")
    cli("reject", "e0000002", "--reason", "wrong")
    said = talk(cli.home, "ledger", *(f"row {number}" for number in (1, 2, 3, 4)))
    rows = {row["seq"]: row["change"] for row in cli.json("ledger")["rows"]}
    offered = [number for number in rows if "Type undo" in behind(said, f"row {number}")]
    taken = [number for number, change in rows.items() if cli("undo", change, "--dry-run").code == 0]
    assert offered == taken == [3, 4]


def test_what_is_taken_back_with_a_change_is_said_in_whole_words(cli: Cli) -> None:
    cli("challenge", "rye bread", "--reason", "wrong")
    said = behind(talk(cli.home, "undo", "no"), "undo")
    assert "Withdrawn as a question: rye bread" in said


def test_words_that_go_are_read_out_without_commas_around_them(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    records = [record("e0000001", "replace", "Likes tea, cake", "Likes tea, cake, 24-hour clock", created_at=1.0)]
    cli = cli_at(make_home(tmp_path / "home", memory="Likes tea, cake, 24-hour clock", pending=records))
    assert "Words taken out: 24-hour clock\n" in talk(cli.home, "open e0000001")


def test_a_backup_before_an_undo_says_what_the_undo_took_back(cli: Cli) -> None:
    cli("remove", "rye bread")
    cli("undo")
    said = behind(talk(cli.home, "history"), "history")
    assert "before undo (removed) " in said
    assert "before removed by hand " in said


def test_open_and_profile_take_the_number_of_a_listed_row(cli: Cli) -> None:
    make_home(cli.home, profile="work", memory="Two", pending=[])
    said = talk(cli.home, "list", "open 2", "profile", "profile 1")
    assert "e0000002" in behind(said, "open 2")
    assert "profile work" in behind(said, "profile 1")
