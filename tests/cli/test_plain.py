"""``review --plain``: the whole job line by line, told as conversations; the numbered cases pass through it too."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from curator_tui.cli.plain.commands import COMMANDS
from curator_tui.cli.plain.printer import wrapped
from curator_tui.core.text import cell_width
from tests.cli.conftest import Cli
from tests.cli.conversation import behind, talk
from tests.homes import load_case, make_home, picture, record, stage, write

Case = Callable[[str], Cli]
SIGNS = re.compile(r"\[-|\{\+|^[#~+*>-] |[#.]{4}|->", re.MULTILINE)


@pytest.fixture
def mixed(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> Cli:
    """A home in which every state waits."""
    over = "A long line about the greenhouse that does not fit any more, however often it is read to the end. " * 3
    records = [
        record("e0000001", "add", "Has a cat", created_at=1.0),
        record("e0000002", "add", "Uses zsh", created_at=2.0),
        record("e0000003", "replace", "[nas] port 9090", "[nas] port 8080", created_at=3.0),
        record("e0000004", "add", "Approve\u200bd vendor", created_at=4.0),
        record("e0000005", "add", over, created_at=5.0),
        record("e0000006", "replace", "Buys bread at six", "bread", created_at=6.0),
        record("e0000007", "replace", "Draws with Krita 5.1", "Krita 4", created_at=7.0),
        record("e0000008", "patch", "x", created_at=8.0),
    ]
    memory = (
        "Uses zsh\n§\n[net] router is 10.0.0.1 [nas] port 8080\n§\nbread at six\n§\nrye bread\n§\nDraws with Krita 5.0"
    )
    raw = {"e0000009.json": b"{not json"}
    config = {"memory_char_limit": 300, "write_approval": True}
    return cli_at(make_home(tmp_path / "home", memory=memory, pending=records, raw_files=raw, config=config))


def test_a_queue_with_every_state_is_worked_to_empty(mixed: Cli) -> None:
    said = talk(
        mixed.home,
        "list", "plan", "go", "go", "go", "yes",
        "open e0000003", "approve", "inside", "approve",
        "open e0000004", "approve", "2", "yes",
        "open e0000005", "approve", "edit", "Has a greenhouse", ".", "approve",
        "open e0000006", "approve", "pick", "1", "approve",
        "open e0000007", "rebase", "nothing", "rebase 1", "approve",
        "open e0000008", "approve", "reject", "open e0000009", "reject", "2",
        "open e0000009", "record", "reject not-useful",
        "next", "quit",
    )  # fmt: skip
    assert mixed.waiting() == set(), said
    assert "Nothing waits any more." in said
    assert mixed.entries() == (
        "Uses zsh",
        "[net] router is 10.0.0.1 [nas] port 9090",
        "Buys bread at six",
        "rye bread",
        "Draws with Krita 5.1",
        "Has a cat",
        "Approve\u200bd vendor",
        "Has a greenhouse",
    )
    for state in (
        "ready",
        "no-change",
        "lossy",
        "flagged",
        "over-limit",
        "ambiguous",
        "stale",
        "invalid",
        "unreadable",
    ):
        assert f", {state}, " in behind(said, "list")
    assert "\u200b" not in said
    assert SIGNS.search(re.sub(r"<<.*", "", said)) is None
    rows = mixed.json("ledger")["rows"]
    seen = {part["proposal"]: part for row in rows for part in row.get("decisions", ())}
    assert {part["seen"] for part in seen.values()} == {"100%"}
    assert seen["e0000004"]["reason"] == "false-alarm"
    assert (seen["e0000008"]["reason"], seen["e0000009"]["reason"]) == ("wrong", "not-useful")
    assert mixed.json("ledger", "verify")["ok"] is True


def test_what_holds_an_approval_up_is_said_with_the_way_out(mixed: Cli) -> None:
    before = picture(mixed.home / "memories")
    said = talk(mixed.home, *(word for n in (5, 6, 7, 8, 9) for word in (f"open e000000{n}", "approve")))
    for way in (
        "Type edit to shorten it",
        "Type pick and the number",
        "Type rebase",
        "Type reject.",
        "see its bytes",
    ):
        assert way in said, way
    assert "Type edit to mend" not in said, "there is no text in what waits that could be edited"
    assert {name for name in picture(mixed.home / "memories") if name.endswith(".md")} >= {"MEMORY.md"}
    assert before["MEMORY.md"][1] == picture(mixed.home / "memories")["MEMORY.md"][1]
    assert len(mixed.waiting()) == 9


@pytest.mark.parametrize("answer", ["no", "y", "", "YES please", "approve"])
def test_the_second_question_takes_the_whole_word_only(mixed: Cli, answer: str) -> None:
    before = mixed.raw()
    said = talk(mixed.home, "open e0000003", "approve", answer)
    asked = behind(said, "approve")
    assert "Lost 1: [net] router is 10.0.0.1" in asked
    assert "Replace the whole entry all the same?" in asked
    assert mixed.raw() == before
    assert "e0000003" in mixed.waiting()


def test_a_finding_is_passed_with_a_reason_only(mixed: Cli) -> None:
    said = talk(mixed.home, "open e0000004", "approve", "", "approve", "other it is a name", "yes")
    assert "U+200B" in behind(said, "open e0000004")
    assert "Nothing was decided" in behind(said, "")
    part = mixed.json("ledger")["rows"][-1]["decisions"][0]
    assert (part["reason"], part["override"]) == ("other", ["flagged"])
    assert "it is a name" in mixed("ledger").out


def test_nothing_is_decided_about_what_was_not_printed(mixed: Cli) -> None:
    said = talk(mixed.home, "approve", "reject", "again", "skip", "edit")
    assert said.count("No item is open.") == 5
    assert len(mixed.waiting()) == 9


def test_a_record_that_changed_since_it_was_printed_answers_moved_with_what_differs(mixed: Cli) -> None:
    def edited() -> None:
        stage(mixed.home, record("e0000001", "add", "Has two cats", created_at=1.0))

    said = talk(mixed.home, "open e0000001", edited, "approve")
    moved = behind(said, "approve")
    assert "Moved: it changed since it was printed; nothing was written." in moved
    assert "No longer: Entry added: Has a cat" in moved
    assert "Now: Entry added: Has two cats" in moved
    assert "Has two cats" not in mixed.entries()
    assert "e0000001" in mixed.waiting()
    again = talk(mixed.home, "open e0000001", edited, "approve", "approve")
    assert "Approved e0000001" in again


def test_a_document_that_changed_since_answers_moved_too(mixed: Cli) -> None:
    def by_hand() -> None:
        write(mixed.home / "memories" / "MEMORY.md", b"Uses zsh")

    said = talk(mixed.home, "open e0000001", by_hand, "approve", "approve")
    assert "Now: MEMORY.md now: 8 of 300 characters" in said
    assert mixed.entries() == ("Uses zsh", "Has a cat")


def test_an_item_that_another_decided_is_told_by_whom(mixed: Cli) -> None:
    said = talk(mixed.home, "open e0000001", lambda: mixed("reject", "e0000001"), "approve", "reject")
    assert "already decided: reject by" in said
    assert "No item is open." in said


def test_a_plan_is_left_when_anything_but_go_is_answered(mixed: Cli) -> None:
    before = mixed.raw()
    said = talk(mixed.home, "plan", "no", "plan", "go", "go", "go", "no")
    assert "Spot check 1 of 2" in said
    assert "Left out: e0000003, lossy" in behind(said, "plan")
    assert "MEMORY.md afterwards" in said
    assert mixed.raw() == before
    assert len(mixed.waiting()) == 9


def test_a_plan_tells_of_a_finding_in_its_row_and_prints_that_row_whole(tmp_path: Path) -> None:
    records = [record("e0000001", "remove", None, "Works at Acme"), *(
        record(f"e000001{n}", "add", f"Fact {n}") for n in range(5)
    )]  # fmt: skip
    home = make_home(tmp_path / "home", memory="Works at Acme. Has a daughter named Lia.", pending=records)
    said = talk(home, "plan", "go", "go", "go", "go", "no")
    row, _, rest = said.partition("Spot check 1 of 3 is item e0000001")
    for said in (row, rest):
        assert "1 more fact would go with it" in said
        assert "It looks for: Works at Acme" in said
        assert "Would go with it: Has a daughter named Lia." in said


def test_a_removal_is_taken_down_to_what_it_names(tmp_path: Path) -> None:
    home = make_home(
        tmp_path / "home",
        memory="Works at Acme. Has a daughter named Lia.",
        pending=[record("e0000001", "remove", None, "Works at Acme.")],
    )
    said = talk(home, "open e0000001", "inside", "approve")
    assert "Would go with it: Has a daughter named Lia." in said
    assert (home / "memories" / "MEMORY.md").read_text() == "Has a daughter named Lia."


def test_a_spot_check_of_what_only_closes_shows_its_text(tmp_path: Path) -> None:
    records = [record("e0000001", "add", "Drinks tea"), record("e0000002", "add", "Has a cat", target="user")]
    said = talk(make_home(tmp_path / "home", memory="Drinks tea", pending=records), "plan", "go", "go", "go", "no")
    check = said[said.index("item e0000001. Type go") :].partition("Type go")[2].partition("Type go")[0]
    assert "MEMORY.md stays as it is" in check
    assert "It proposes: Drinks tea" in check


def test_an_item_is_dropped_from_a_plan(mixed: Cli) -> None:
    said = talk(mixed.home, "plan", "drop 1", "go", "go", "yes")
    assert "Plan of 1 item" in said
    assert not {"e0000001", "e0000002"} <= mixed.waiting()
    assert len(mixed.waiting()) == 8


def test_neither_help_nor_leaving_an_item_out_loses_a_spot_check(tmp_path: Path) -> None:
    records = [record(f"e{n:07x}", "add", f"Fact {n}", created_at=float(n)) for n in range(1, 21)]
    home = make_home(tmp_path / "many", memory="One", pending=records)
    said = talk(home, "plan", "go", "help", "?", "drop 99", "drop 1", "go", "go", "go")
    checks = re.findall(r"Spot check (\d) of \d is item (\w+)", said)
    assert checks[1:5] == [("2", checks[1][1])] * 4, "the same question, after each answer that was none"
    assert checks[0][1] not in [name for _, name in checks[1:]], "what was opened is not opened again"
    assert "Drop which one? The plan has the numbers 1 to 20." in said
    assert "given up" not in said
    assert "Plan of 19 items" in said
    assert "Apply 19 items as one change?" in said


@pytest.mark.parametrize(
    ("before", "behind_help", "offers"),
    [
        (("open e0000001", "reject"), "1", "6. other: something else"),
        (("open e0000001", "defer"), "open", "Until when?"),
        (("open e0000003", "approve"), "yes", "Type yes to do it, inside to see it changed"),
        (("open e0000004", "approve"), "1", "Why may it pass?"),
        (("add user", "Plays chess", "."), "yes", "Type yes to do it"),
    ],
)
def test_help_at_a_question_says_what_can_be_answered_and_asks_again(
    mixed: Cli, before: tuple[str, ...], behind_help: str, offers: str
) -> None:
    said = talk(mixed.home, *before, "help", "?", behind_help)
    assert said.count("A question is open: only what it names can be answered") == 2
    assert offers in said
    assert "No." not in said
    question = said[: said.index("<<help")].splitlines()[-1]
    assert said.count(question) >= 3
    assert "Nothing was decided" not in said


@pytest.mark.parametrize("typed", ["2", "2 3", "e0000004", "e0000004 wrong"])
def test_who_names_another_item_does_not_reject_the_one_in_hand(mixed: Cli, typed: str) -> None:
    said = talk(mixed.home, "open e0000001", f"reject {typed}")
    assert f"{typed.split(maxsplit=1)[0]} is no reason, and this rejects the item in hand" in said
    assert len(mixed.waiting()) == 9
    talk(mixed.home, "open e0000001", "reject 2 of these are right")
    assert len(mixed.waiting()) == 8


def test_all_of_the_list_is_rejected_as_one_change(mixed: Cli) -> None:
    said = talk(
        mixed.home, "help", "filter bread", "reject list wrong it was rye", "help", "no", "rej LIST wrong", "no"
    )
    assert "reject list [REASON]: reject all of the list as one change" in behind(said, "help")
    printed = behind(said, "reject list wrong it was rye")
    assert "To reject as other, filtered by bread: 1 item." in printed
    assert re.search("^1. e0000006, ambiguous, replaces an entry", printed, re.MULTILINE)
    assert "In your words: wrong it was rye" in printed
    assert said.count("Reject 1 item as one change? Type yes to do it") == 3
    assert mixed.waiting() == {f"e000000{n}" for n in range(1, 10)}
    said = talk(mixed.home, "filter op:replace", "reject list", "2", "yes", "undo", "yes")
    assert "Why are 3 items rejected?" in said
    assert "Reject 3 items as one change?" in said
    assert "Rejected e0000003." in said
    assert "Rejected e0000007." in said
    assert "6 items left" in said
    assert len(mixed.waiting()) == 9
    row = next(row for row in mixed.json("ledger")["rows"] if row["action"] == "reject")
    assert [(part["reason"], part["seen"]) for part in row["decisions"]] == [("wrong", "row")] * 3


def test_on_a_pipe_many_are_rejected_with_a_reason_and_the_code_only(mixed: Cli) -> None:
    said = talk(mixed.home, "reject list", "reject list wrong", "yes", typed=False, code=1)
    assert "There is no reason to reject 9 items. Type reject list and the reason." in said
    assert len(mixed.waiting()) == 9
    talk(mixed.home, "reject list wrong", "yes CODE", typed=False)
    assert mixed.waiting() == set()


def test_rejecting_many_is_bound_to_the_rows_that_were_read_out(mixed: Cli) -> None:
    def again() -> None:
        stage(mixed.home, record("e0000001", "add", "Has two cats", created_at=1.0))

    said = talk(mixed.home, "reject list wrong", again, "yes")
    assert "Moved: something in the list changed" in said
    assert len(mixed.waiting()) == 9


def test_a_plan_that_moved_writes_nothing(mixed: Cli) -> None:
    def by_hand() -> None:
        write(mixed.home / "memories" / "MEMORY.md", b"Uses zsh")

    said = talk(mixed.home, "plan", "go", "go", "go", by_hand, "yes")
    assert "Moved: something in the plan changed" in said
    assert mixed.raw() == b"Uses zsh"
    assert len(mixed.waiting()) == 9


# -- pipes -----------------------------------------------------------------------------------------------------------


def test_on_a_pipe_only_the_printed_code_decides(mixed: Cli) -> None:
    lines = (
        "open e0000001",
        "approve",
        "yes",
        "approve e0000001",
        "approve 00000000",
        "reject wrong",
    )
    said = talk(mixed.home, *lines, typed=False, code=1)
    assert said.count("This is no conversation at a terminal: end what decides with the code") == 4
    assert len(mixed.waiting()) == 9
    talk(mixed.home, "open e0000001", "approve CODE", "open e0000008", "reject wrong CODE", typed=False)
    assert mixed.waiting() == {f"e000000{n}" for n in (2, 3, 4, 5, 6, 7, 9)}
    parts = [part for row in mixed.json("ledger")["rows"] for part in row.get("decisions", ())]
    assert [(part["decision"], part["seen"]) for part in parts] == [("approve", "none"), ("reject", "none")]


def test_on_a_pipe_a_plan_and_an_undo_take_their_code(mixed: Cli) -> None:
    said = talk(mixed.home, "plan", "yes", "plan", "yes CODE", "undo", "yes", "undo", "yes CODE", typed=False, code=1)
    assert said.count("end what decides with the code") == 2
    assert "Approved e0000001." in said
    assert "Undone: change" in said
    assert len(mixed.waiting()) == 9


def test_a_block_written_before_anything_was_printed_decides_nothing(mixed: Cli) -> None:
    before = mixed.raw()
    block = (
        b"list\n1\napprove\nyes\n1\ny\nplan\ngo\ngo\ngo\nyes\nundo\nyes\nadd memory\nHas a dog\n.\nyes\nremove 1\nyes\n"
    )
    answer = mixed("review", "--plain", stdin=block)
    assert answer.code == 1
    assert answer.err == ""
    assert "The input ended." in answer.out
    assert mixed.raw() == before
    assert len(mixed.waiting()) == 9


# -- the rest of the job ---------------------------------------------------------------------------------------------


def test_documents_are_read_added_to_corrected_and_undone(mixed: Cli) -> None:
    said = talk(
        mixed.home,
        "documents", "correct 1", "Uses fish", ".", "yes",
        "add user", "Speaks Danish", "and Faroese", ".", "yes",
        "remove rye bread", "yes", "undo", "yes", "redo", "yes", "undo", "yes",
    )  # fmt: skip
    assert "1. Entry" in behind(said, "documents")
    assert mixed.entries()[0] == "Uses fish"
    assert "rye bread" in mixed.entries()
    assert mixed.entries("user") == ("Speaks Danish\nand Faroese",)
    assert "Entry added, 2 lines:" in said
    assert "  line 2: and Faroese" in said


def test_what_is_promised_to_take_a_change_back_takes_back_that_one(mixed: Cli) -> None:
    talk(mixed.home, "add user", "One", ".", "yes", "add user", "Two", ".", "yes")
    both = mixed.entries("user")
    undone = talk(mixed.home, "undo", "yes")
    assert "Type redo to redo it." in undone
    assert "Type undo" not in undone
    assert mixed.entries("user") == both[:-1]
    redone = talk(mixed.home, "redo", "yes")
    assert mixed.entries("user") == both
    promised = re.search(r"Type (undo [0-9a-f]+) to undo it\.", redone)
    assert promised is not None
    talk(mixed.home, promised[1], "yes")
    assert mixed.entries("user") == both[:-1]
    talk(mixed.home, "history", "rollback 1", "yes")
    back = talk(mixed.home, "undo", "yes")
    assert "Type redo to redo it." in back


def test_the_beginning_of_yes_is_no_and_says_why(mixed: Cli) -> None:
    before = mixed.entries()
    said = talk(mixed.home, "add memory", "One", ".", "y", "add memory", "Two", ".", "x")
    assert "No: it takes the whole word yes." in behind(said, "y")
    assert behind(said, "x").startswith("No.\n")
    assert mixed.entries() == before


def test_the_prompt_counts_what_waits_when_it_is_printed(mixed: Cli) -> None:
    waiting = len(mixed.waiting())
    said = talk(mixed.home, "status", lambda: mixed("reject", min(mixed.waiting())), "status", "status")
    counts = re.findall(r"(\d+) waiting", "".join(line for line in said.splitlines() if "Command:" in line))
    assert int(counts[0]) == waiting
    assert int(counts[-1]) == waiting - 1


def test_what_cannot_be_read_is_one_short_row(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    home = make_home(tmp_path / "home", memory="", user="")
    write(home / "pending" / "memory" / "5f3a9c01.json", b"{")
    assert "1. 5f3a9c01, unreadable, holds nothing that could be read\n" in talk(cli_at(home).home, "list")


def test_a_line_of_full_stops_can_be_part_of_a_text(mixed: Cli) -> None:
    talk(mixed.home, "add user", "One", "..", "Two", ".", "yes", "add user", ".", "quit")
    assert mixed.entries("user") == ("One\n.\nTwo",)


def test_a_text_that_would_act_is_refused_and_one_with_a_finding_needs_its_reason(mixed: Cli) -> None:
    said = talk(
        mixed.home, "add user", "red \x1b[31m", ".", "add user", "bad \udcff byte", ".", "add user", "a\u200bb", ".", ""
    )
    assert said.count("Nothing was written.") == 2, said
    assert "Why may it pass?" in said
    assert "\x1b" not in re.sub(r"<<.*", "", said)
    assert not (mixed.home / "memories" / "USER.md").exists()


def test_history_diff_and_rollback(mixed: Cli) -> None:
    before = mixed.raw()
    said = talk(mixed.home, "open e0000001", "approve", "history", "diff 1", "rollback 1", "no", "1", "yes")
    listed = behind(said, "history")
    assert "1. " in listed
    assert "before decide" in listed
    assert "Entry added: Has a cat" in behind(said, "diff 1")
    asked = behind(said, "rollback 1")
    assert "It undoes 1 change: approved Has a cat (e0000001)." in asked
    assert "Comes back to the queue: Has a cat (e0000001)." in asked
    assert mixed.raw() == before
    assert "e0000001" in mixed.waiting()


def test_a_beginning_of_a_word_means_the_word(mixed: Cli) -> None:
    said = talk(mixed.home, "status", "stat", "re", "xyzzy")
    assert behind(said, "status") == behind(said, "stat")
    assert "re may be re" in said
    assert "I do not know xyzzy" in said


def test_a_number_means_what_the_last_list_says_and_stays_with_its_item(mixed: Cli) -> None:
    said = talk(mixed.home, "list", lambda: mixed("reject", "e0000001"), "1", "2", "99")
    assert "No waiting item has the id e0000001" in behind(said, "1")
    assert "Item e0000002" in behind(said, "2")
    assert "There is no number 99 in the list." in behind(said, "99")


def test_help_lists_what_can_be_typed_at_this_moment_and_all_of_it_works(mixed: Cli) -> None:
    outside, inside_ = (behind(talk(mixed.home, *lines, "help"), "help") for lines in ((), ("open e0000003",)))
    assert "approve" not in outside
    assert "\napprove: " in inside_
    assert "\ninside: " in inside_
    assert "more" not in outside
    assert re.search(r"^\d", inside_, re.MULTILINE) is None
    words = set(re.findall(r"^([a-z-]+)(?: [A-Z\[][^:]*| user or memory)?: ", inside_, re.MULTILINE))
    assert {"approve", "reject", "log-only", "undo", "add"} <= words <= {command.word for command in COMMANDS}
    read_only = behind(talk(mixed.home, "open e0000003", "help", read_only=True), "help")
    assert re.search("^(approve|reject|undo|add)", read_only, re.MULTILINE) is None
    assert "again: " in read_only


def test_no_number_is_a_command(mixed: Cli) -> None:
    every = [str(number) for number in range(1, len(COMMANDS) + 5)]
    said = talk(mixed.home, *(line for number in every for line in ("open e0000001", number)))
    assert said.count("No list was printed that ") == len(every)
    talk(mixed.home, *(line for number in every for line in ("list", "1", number)))
    assert len(mixed.waiting()) == 9
    assert [row["action"] for row in mixed.json("ledger")["rows"] if row.get("decisions")] == []


def test_a_number_of_any_length_is_answered_in_words(mixed: Cli) -> None:
    """Python reads no number of so many digits."""
    typed = "1" * 5_000
    lines = [f"{word} {typed}" for word in ("plan", "open", "correct", "remove", "row", "keep", "undo", "diff")]
    about = ["open e0000005", f"edit {typed}", "open e0000006", f"pick {typed}"]
    said = talk(mixed.home, *lines, *about, typed, "plan", f"drop {typed}", "plan", "e0000001")
    assert said.count("names no waiting item.") == 1
    assert "Which row?" in said
    assert "Which step of it?" in said
    assert "to choose." in said
    assert "The plan was given up" in said
    assert len(mixed.waiting()) == 9


def test_an_item_is_planned_by_an_id_that_is_all_digits(tmp_path: Path) -> None:
    pending = [record("10000001", "add", "Has a cat"), record("e0000002", "add", "Has a dog")]
    said = talk(make_home(tmp_path / "home", pending=pending), "list", "plan 10000001", "no")
    assert "Plan of 1 item" in said


def test_a_number_of_the_queue_goes_on_meaning_its_row(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    records = [record(f"e{n:07x}", "add", f"Fact number {n}", created_at=float(n)) for n in range(1, 39)]
    cli = cli_at(make_home(tmp_path / "many", memory="One", pending=records))
    said = talk(cli.home, "list", "more", "2", "30", "approve", "29")
    assert f"Item {records[29]['id']}" in behind(said, "30")
    assert f"Item {records[28]['id']}" in behind(said, "29")
    assert "Fact number 30" in cli.entries()
    assert len(cli.waiting()) == 37


def test_a_number_of_a_list_about_one_item_means_nothing_for_the_next(mixed: Cli) -> None:
    said = talk(mixed.home, "open e0000006", "pick", "open e0000007", "1")
    assert "No list was printed that 1 could be" in behind(said, "1")


@pytest.mark.parametrize(
    "empty", ["deferred", "questions", "ledger", "changes", "skills", "history", "filter there is no such item"]
)
def test_after_a_list_of_nothing_no_number_means_a_row_of_the_one_before(mixed: Cli, empty: str) -> None:
    said = talk(mixed.home, "documents", empty, "1", read_only=True)  # first sights would be recorded otherwise
    assert "No list was printed that 1 could be" in behind(said, "1")


@pytest.mark.parametrize(
    "lines",
    [
        ("open e0000001", "approve 00000000"),
        ("open e0000005", "approve CODE"),
        ("plan", "yes"),
        ("undo", "yes CODE"),
        ("add user", "Plays chess", ".", "yes"),
        ("add user", "Plays chess", "."),
        ("open e0000001", "approve CODE", "aprove"),
        ("open e7777777",),
    ],
)
def test_on_a_pipe_the_exit_code_tells_that_something_asked_for_did_not_happen(
    mixed: Cli, lines: tuple[str, ...]
) -> None:
    talk(mixed.home, *lines, typed=False, code=1)


def test_on_a_pipe_the_exit_code_is_0_where_all_was_done_or_taken_back(mixed: Cli) -> None:
    talk(mixed.home, "status", "list", "1", "add user", "Plays chess", ".", "no", typed=False)
    talk(mixed.home, "open e0000001", "approve CODE", "undo", "yes CODE", typed=False)
    talk(mixed.home, "open e0000005", "approve", "open e0000001", "approve")


def test_skipped_items_wait_at_the_end_and_filters_narrow(mixed: Cli) -> None:
    said = talk(mixed.home, "next", "skip", "list", "filter lossy", "filter krita", "filter nothing at all", "filter")
    assert "Item e0000002" in behind(said, "skip")
    listed = [line for line in behind(said, "list").splitlines() if re.match(r"\d+\. ", line)]
    assert listed[-1].startswith("9. e0000001")
    assert "1 row, filtered by lossy" in said
    assert "1 row, filtered by krita" in said
    assert "Nothing waits, filtered by nothing at all" in said


def test_looking_only_decides_nothing(mixed: Cli) -> None:
    before = picture(mixed.home)
    said = talk(
        mixed.home, "open e0000001", "approve", "reject", "plan", "undo", "add user", "remove 1", read_only=True
    )
    assert said.count("open for looking only (--read-only)") == 6
    assert picture(mixed.home) == before


def test_the_bound_profile_is_always_said(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home", memory="One", pending=[record("f0000001", "add", "Of the root")])
    make_home(tmp_path / "home", profile="work", memory="Two", pending=[record("f0000001", "add", "Of the work")])
    said = talk(home, "open f0000001", "profile", "1", "next", "profile nowhere", "approve")
    assert "Profile default, item f0000001. Command:" in said
    assert "Bound: " in behind(said, "1")
    assert "profile work" in behind(said, "1")
    assert "Entry added: Of the work" in behind(said, "next")
    assert "no profile nowhere" in said
    assert "Profile work, item f0000001. Command:" in said
    assert (home / "profiles" / "work" / "memories" / "MEMORY.md").read_text() == "Two\n§\nOf the work"
    assert (home / "memories" / "MEMORY.md").read_text() == "One"


@pytest.mark.parametrize("width", [20, 40, 80])
def test_lines_are_wrapped_at_words_and_nothing_is_left_out(mixed: Cli, width: int) -> None:
    said = talk(mixed.home, "open e0000003", "help", "plan", "go", "go", width=width)
    assert "Spot check 1 of 2" in said.replace("\n    ", " ")
    wide = [line for line in said.replace("<<", "\n<<").splitlines() if cell_width(line.rstrip()) > width]
    assert wide == []


def test_wrapping_keeps_every_character() -> None:
    for text in ("a b  c", "x" * 50, "日本語の設定 " * 9, "  Before: one two three four five six seven", ""):
        rows = list(wrapped(text, 20))
        assert all(cell_width(row) <= 20 for row in rows)
        joined = rows[0] + "".join(row.removeprefix("    ") for row in rows[1:])
        assert joined.replace(" ", "") == text.replace(" ", "")


# -- numbered cases ----------------------------------------------------------------------------------------------------


def test_t01_the_separator_is_refused(case: Case) -> None:
    cli = case("T01")
    before = cli.raw()
    said = talk(cli.home, "open a1000001", "approve", "open a1000003", "approve")
    assert "separator line" in behind(said, "approve")
    assert cli.raw().startswith(before)
    assert cli.waiting() == {"a1000001", "a1000002"}


def test_t02_only_what_leaves_is_said_to_leave(case: Case) -> None:
    cli = case("T02")
    said = behind(talk(cli.home, "open a2000001", "approve"), "open a2000001")
    assert "Entry removed: Lives in UTC+2" in said
    assert "2 other entries stay as they are." in said
    assert cli.raw() == "Uses pnpm, not npm\r\n§\r\nPrefers short answers".encode()


def test_t03_a_byte_order_mark_is_no_part_of_a_text(case: Case) -> None:
    cli = case("T03")
    said = talk(cli.home, "documents", "open a3000001", "approve", "open a3000002")
    assert "20 characters: Likes the dark theme" in said
    assert "U+FEFF" in behind(said, "open a3000002")
    assert "\ufeff" not in said
    assert cli.entries() == ("Likes the light theme", "Works nights")


def test_t05_the_loss_is_named_and_inside_keeps_the_rest(case: Case) -> None:
    cli = case("T05")
    said = talk(cli.home, "documents", "open a5000001", "approve", "no", "inside", "approve")
    assert "could be split" in behind(said, "documents")
    shown = behind(said, "open a5000001")
    assert "Atlas is the NAS" in shown.split("facts would be lost")[1]
    assert "4 of 5 text lines would be gone, 1 changed." in shown
    assert "Bins: Monday" in cli.entries()[0]
    assert "Borealis is retired" in cli.entries()[0]


def test_t06_inside_only(case: Case) -> None:
    cli = case("T06")
    said = talk(cli.home, "open a6000001", "inside", "approve")
    assert "Lost 2: [print] tray 2 holds A5" in said
    assert cli.entries()[0] == "[net] router is 10.0.0.1 [nas] web port 9090 [print] tray 2 holds A5"


def test_t07_a_stale_item_is_rebased_by_hand(case: Case) -> None:
    cli = case("T07")
    said = talk(cli.home, "plan", "go", "go", "yes", "open a7000001", "approve", "rebase", "1", "approve")
    assert "Left out: a7000001, stale: no entry matches: Krita 5.0." in said
    assert "Nearest entry: Uses Krita 5.2 for drawings" in said
    assert cli.entries() == ("Uses Krita 5.1 for drawings", "Prefers metric units", "Backups run on Sunday")


def test_t09_alternatives_are_read_out_and_one_decision_closes_them(case: Case) -> None:
    cli = case("T09")
    said = talk(cli.home, "plan", "list", "1", "approve")
    assert "Nothing can be done together now." in said
    shown = behind(said, "1")
    assert "one of 3 items for the same entry, with 2 outcomes" in shown
    assert "Another wording, item a9000002" in shown
    assert "After: Uses tabs, width four" in shown
    assert "Closed a9000002, superseded by a9000001." in said
    assert "Closed a9000003, already in effect." in said
    assert cli.entries() == ("Prefers tabs of width 4", "Timezone is UTC+2")


def test_t10_each_failure_keeps_its_own_reason(case: Case) -> None:
    said = behind(talk(case("T10").home, "plan"), "plan")
    for reason in ("no entry matches: gone-1", "no entry matches: gone-5", "memory would be 213/200 (13 over)"):
        assert reason in said


def test_t12_what_is_there_already_closes(case: Case) -> None:
    cli = case("T12")
    before = cli.raw()
    said = talk(cli.home, "next", "approve", "next", "approve")
    assert said.count("already in effect.") == 2
    assert cli.raw() == before
    assert cli.waiting() == set()


def test_t13_broken_records_are_read_out_and_rejected(case: Case) -> None:
    cli = case("T13")
    said = talk(cli.home, "open ad000004", "record", "approve", "reject wrong", "open ad000001", "reject wrong")
    assert json.loads(json.dumps(load_case("T13")["input"]["pending_raw_files"]["ad000004.json"])) in said
    assert "content is missing (found field text)" in said
    assert cli.waiting() == {"ad000002", "ad000003"}


def test_t21_undo_is_a_stack_across_runs(case: Case) -> None:
    cli = case("T21")
    for number, text in enumerate(("Drives a van", "Sails on weekends"), 1):
        stage(cli.home, record(f"b400000{number}", "remove", None, text))
    talk(cli.home, "open b4000001", "approve", "open b4000002", "approve")
    assert "Comes back to the queue: removal of Sails on weekends (b4000002)." in talk(cli.home, "undo", "yes")
    talk(cli.home, "undo", "yes")
    assert cli.entries() == ("Drives a van", "Sails on weekends", "Prefers metric units")
    assert "Nothing to undo." in talk(cli.home, "undo")


@pytest.mark.parametrize(
    ("take", "stands"),
    [("1", "Office is in Lyon"), ("after", "Office is in Lille"), ("3", "Office is in Lille, 3rd floor")],
)
def test_t23_three_texts_and_one_choice(case: Case, take: str, stands: str) -> None:
    cli = case("T23")
    stage(cli.home, record("p1", "replace", "Office is in Lille", "Office is in Lyon"))
    talk(cli.home, "next", "approve")
    write(cli.home / "memories" / "MEMORY.md", "Office is in Lille, 3rd floor\n§\nParking is level -2".encode())
    said = talk(cli.home, "undo", "never mind", "undo", take, "yes")
    assert "1. before: Office is in Lyon" in said
    assert "3. now: Office is in Lille, 3rd floor" in said
    assert "Nothing was decided." in behind(said, "never mind")
    assert cli.entries() == (stands, "Parking is level -2")


def test_t25_a_link_stays_a_link(case: Case) -> None:
    cli = case("T25")
    talk(cli.home, "next", "approve")
    assert (cli.home / "memories" / "MEMORY.md").is_symlink()
    assert cli.entries() == ("Uses zsh", "Has two monitors")


def test_t27_a_character_is_a_code_point(case: Case) -> None:
    cli = case("T27")
    said = talk(cli.home, "status", "open ba000001", "approve", width=40)
    assert "USER.md: 25 of 28 characters" in said
    assert "29/28 (1 over)" in said.replace("\n    ", " ")
    assert cli.raw("user").decode() == load_case("T27")["input"]["user"]


def test_t28_real_writing_passes_and_hidden_text_is_spelled_out(case: Case) -> None:
    cli = case("T28")
    said = talk(cli.home, "list", "open bb000004", "approve", "1", "yes")
    assert [re.search(rf"bb00000{n}, (\S+),", said)[1] for n in range(1, 7)] == ["ready"] * 3 + ["flagged"] * 3  # type: ignore[index]
    assert "Approve⟨U+200B⟩d vendor" in said
    assert "U+200B" in behind(said, "approve") + behind(said, "1")
    assert cli.json("ledger")["rows"][-1]["decisions"][0]["reason"] == "request"


def test_t31_no_text_acts_on_the_terminal(case: Case) -> None:
    said = talk(case("T31").home, "documents", "list", "status", "history")
    assert re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", said) is None
    assert "⟨ESC⟩]52;c;ZWNobyBoaQ==⟨BEL⟩clip" in said
    assert "[@click=app.quit]go[/]" in said


def test_ones_own_editor_takes_the_text_over(mixed: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "sed -i s/cat/dog/")
    said = talk(mixed.home, "open e0000001", "editor", "approve")
    assert "Entry added: Has a dog" in behind(said, "editor")
    assert "Has a dog" in mixed.entries()
    monkeypatch.setenv("EDITOR", "false")
    assert "The editor ended with code 1" in talk(mixed.home, "open e0000005", "editor")


def test_an_item_is_closed_without_writing_and_the_ledger_says_so(mixed: Cli) -> None:
    before = mixed.raw()
    assert "Closed e0000001 without writing." in talk(mixed.home, "open e0000001", "log-only")
    assert mixed.raw() == before
    assert mixed.json("ledger")["rows"][-1]["decisions"][0]["decision"] == "log-only"
