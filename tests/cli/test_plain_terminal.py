"""``review --plain`` in a real pseudo terminal: every byte that comes out, what a paste does, and how it is left."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator_tui.cli.plain.answers import code_of
from curator_tui.cli.plain.leaving import Leave, Signals
from curator_tui.core.text import cell_width
from tests.cli.conversation import Terminal, talk
from tests.homes import make_home, record

CORPUS = Path(__file__).parents[1] / "data" / "scan-dev.jsonl.gz"
ACTING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    records = [
        record("d0000001", "add", "Has a cat", created_at=1.0),
        record("d0000002", "replace", "[nas] port 9090", "[nas] port 8080", created_at=2.0),
        record("d0000003", "add", "Evil \x1b[2J\x07 text \u202e here", created_at=3.0),
    ]
    return make_home(tmp_path / "home", memory="[net] router is 10.0.0.1 [nas] port 8080", pending=records)


@pytest.fixture
def terminal(home: Path) -> Iterator[Terminal]:
    opened = Terminal(home)
    try:
        opened.wait_for("Command:")
        yield opened
    finally:
        opened.close()


def waiting(home: Path) -> set[str]:
    """Ids of the records in the queue folder."""
    return {file.stem for file in (home / "pending" / "memory").glob("*.json")}


def test_a_narrow_window_is_worked_to_empty_without_a_control_byte(home: Path) -> None:
    terminal = Terminal(home, columns=40, environ={"TERM": "dumb", "NO_COLOR": "1"})
    try:
        terminal.wait_for("Command:")
        terminal.answer("next")
        assert "Approved d0000001." in terminal.answer("approve")
        terminal.answer("next")
        assert "Lost 1: [net] router" in terminal.answer("approve", "for no:")
        assert "Approved d0000002." in terminal.answer("yes")
        assert "⟨ESC⟩[2J⟨BEL⟩" in terminal.answer("next")
        assert "6. other: something else" in terminal.answer("reject", "up:")
        assert "Nothing waits any more." in terminal.answer("2")
        terminal.type("quit\n")
        assert terminal.end() == 0
    finally:
        terminal.close()
    assert waiting(home) == set()
    text = terminal.received.decode()
    assert ACTING.search(text.replace("\r\n", "\n")) is None
    told = [
        line for line in text.split("\r\n") if ": " not in line or not line.startswith(("Profile", "Replace", "Type"))
    ]
    assert max(map(cell_width, told)) <= 40


@pytest.mark.slow
def test_the_rest_of_the_job_is_done_at_a_terminal_without_a_control_byte(home: Path) -> None:
    terminal = Terminal(home, columns=60)
    try:
        terminal.wait_for("Command:")
        terminal.answer("open d0000003")
        assert "Until when?" in terminal.answer("defer", "up:")
        assert "Deferred d0000003." in terminal.answer("2w")
        assert "Evil ⟨ESC⟩[2J" in terminal.answer("deferred")
        terminal.answer("documents")
        assert "5. other: something else" in terminal.answer("challenge 1", "up:")
        terminal.answer("other it \u202e moved", "for no:")
        assert "Disputed an entry: question q-" in terminal.answer("yes")
        terminal.answer("questions")
        assert "it ⟨U+202E⟩ moved" in terminal.answer("1")
        terminal.answer("1", "for no:")
        assert "The entry stays: question q-" in terminal.answer("yes")
        assert "Row 2, defer by you through cli, just now: Evil ⟨ESC⟩[2J" in " ".join(terminal.answer("ledger").split())
        assert "1. Answered about" in terminal.answer("changes")
        terminal.answer("2", "for no:")
        assert "Undone: change" in terminal.answer("yes")
        terminal.type("quit\n")
        assert terminal.end() == 0
    finally:
        terminal.close()
    assert ACTING.search(terminal.received.decode().replace("\r\n", "\n").replace("other it \u202e moved", "")) is None


def test_a_pasted_block_decides_nothing(terminal: Terminal, home: Path) -> None:
    terminal.answer("open d0000001")
    time.sleep(0.35)
    terminal.type("approve\nyes\nnext\napprove\nplan\ngo\ngo\nyes\n")
    assert "A block of lines decides nothing" in terminal.wait_for("Command:")
    assert waiting(home) == {"d0000001", "d0000002", "d0000003"}
    assert "Approved d0000001." in terminal.answer("approve")


@pytest.mark.slow
def test_what_is_typed_ahead_of_a_question_does_not_answer_it(terminal: Terminal, home: Path) -> None:
    terminal.answer("open d0000002")
    time.sleep(0.35)
    terminal.type("approve\n")
    time.sleep(0.01)
    terminal.type("yes\n")
    terminal.read(0.8)
    assert "d0000002" in waiting(home)


@pytest.mark.slow
def test_an_answer_that_came_too_fast_to_be_read_for_decides_nothing(terminal: Terminal, home: Path) -> None:
    terminal.answer("open d0000001")
    terminal.type("approve\n")
    assert "too fast" in terminal.wait_for("Command:")
    assert "d0000001" in waiting(home)


@pytest.mark.slow
def test_a_text_may_be_pasted_and_still_has_to_be_approved(terminal: Terminal, home: Path) -> None:
    terminal.answer("open d0000001")
    terminal.answer("edit", "stop more.")
    terminal.read(0.1)
    terminal.type("Has two\ncats\n.\napprove\nyes\n")
    assert "line 2: cats" in terminal.wait_for("Command:")
    assert "d0000001" in waiting(home)
    assert "Approved your version of d0000001." in terminal.answer("approve")
    assert "Has two\ncats" in (home / "memories" / "MEMORY.md").read_text()


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGINT, 130),
        pytest.param(signal.SIGTERM, 143, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, 129, marks=pytest.mark.slow),
    ],
)
def test_a_signal_leaves_with_nothing_half_decided(terminal: Terminal, home: Path, number: int, code: int) -> None:
    terminal.type("open d0000001\n")
    terminal.wait_for("item d0000001. Command:")
    assert terminal.end(number) == code
    assert "what was not answered is not decided" in terminal.received.decode()
    assert "Traceback" not in terminal.received.decode()
    assert len(waiting(home)) == 3


def test_the_end_of_the_input_leaves(terminal: Terminal, home: Path) -> None:
    terminal.answer("open d0000001")
    terminal.answer("edit", "stop more.")
    terminal.type("Half a text\n\x04")
    assert terminal.end() == 0
    assert len(waiting(home)) == 3
    assert (home / "memories" / "MEMORY.md").read_text() == "[net] router is 10.0.0.1 [nas] port 8080"


@pytest.mark.slow
def test_a_terminal_that_goes_away_ends_it(terminal: Terminal) -> None:
    master, terminal.master = terminal.master, os.open(os.devnull, os.O_RDONLY)
    os.close(master)
    assert terminal.process.wait(10) == 129


def test_a_signal_waits_until_what_is_written_is_told() -> None:
    signals = Signals()
    told: list[str] = []
    before = signal.getsignal(signal.SIGINT)  # a runner in the background ignores it
    with signals.watched():
        try:
            with signals.held_back():
                os.kill(os.getpid(), signal.SIGINT)
                told.append("the change")
        except Leave as leave:
            told.append(str(leave.code))
        with pytest.raises(Leave):
            os.kill(os.getpid(), signal.SIGTERM)
    assert told == ["the change", "130"]
    assert signal.getsignal(signal.SIGINT) is before


def test_a_code_stands_for_exactly_the_lines() -> None:
    assert code_of(["a", "b"]) == code_of(["a", "b"])
    assert code_of(["a", "b"]) != code_of(["a", "c"])
    assert re.fullmatch("[0-9a-f]{8}", code_of(["\udcff"]))


def test_the_labelled_corpus_is_read_out_without_a_control_byte(tmp_path: Path) -> None:
    with gzip.open(CORPUS, "rt", encoding="ascii") as lines:
        texts = list(dict.fromkeys(json.loads(line)["text"] for line in lines))
    records = [
        record(f"d{number:07x}", "add", text, summary=text, origin=text[:60], created_at=1.77e9 + number)
        for number, text in enumerate(texts)
    ]
    stands = "\n§\n".join(text for text in texts[:60] if "§" not in text)
    home = make_home(tmp_path / "home", memory=stands, pending=records, config={"memory_char_limit": 400_000})
    opened = [f"open d{number:07x}" for number in range(len(texts))]
    beside = (
        "defer 2w",
        "deferred",
        "documents",
        "challenge 2",
        "wrong",
        "yes",
        "questions",
        "1",
        "3",
        "no",
        "documents",
        "challenge 3",
        "other " + texts[0],
        "yes",
        "questions",
        "ledger",
        "1",
        "row 1",
        "changes",
        "1",
        "no",
    )
    said = talk(home, "list", *["more"] * (len(texts) // 20), "documents", "plan", "no", *opened, "record", *beside)
    assert said.count("Disputed an entry: question q-") == 2
    assert "Answer remove?" in said
    assert ACTING.search(said) is None
    assert said.count("\nItem d") == len(texts)
