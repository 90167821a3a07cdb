"""One home that holds every text of the labelled corpus, in a real terminal: each item shown, each verb run.

What is looked at are the bytes that come out of the pty: the sequences that paint are ours, every other control byte
would be the content's.
"""

from __future__ import annotations

import gzip
import json
import os
import pty
import re
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from tests.homes import make_home, record
from tests.tui.terminal import ROOT, Terminal

CORPUS = Path(__file__).parents[1] / "data" / "scan-dev.jsonl.gz"
# what a painted frame is made of: moving, colours, modes of the terminal, questions to it, charsets
_OURS = re.compile(
    rb"\x1b(?:\[[0-9;:?<>=$!\"' ]*[a-zA-Z@`~{|]|[()][0-9A-Za-z]|[=>78cMDEHNOZ]"
    rb"|P[^\x1b\x07]*\x1b\\|\][0-9]+;[^\x07\x1b]*(?:\x07|\x1b\\))"
)
_NOT_OURS = (b"\x1b]52", b"\x1b]0;", b"\x1b]8;", b"\x1b[2J", b"\x1b[3J")
_ACTING = re.compile("[\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]")


def texts() -> list[str]:
    """Return the texts of the corpus, each once."""
    with gzip.open(CORPUS, "rt", encoding="ascii") as lines:
        return list(dict.fromkeys(json.loads(line)["text"] for line in lines))


def home_of(path: Path, found: list[str]) -> Path:
    """Build a home in which these texts wait."""
    # a day apart, so that neighbours in the list differ at least in their age
    records = [
        record(f"d{number:07x}", "add", text, summary=text, origin=text[:60], created_at=1.77e9 + number * 86_400)
        for number, text in enumerate(found)
    ]
    stands = "\n§\n".join(text for text in texts()[:60] if "§" not in text)
    return make_home(path, memory=stands, pending=records, config={"memory_char_limit": 400_000})


def foreign(received: bytes) -> list[bytes]:
    """Return what came out that no painting of ours sends."""
    found = [start for start in _NOT_OURS if start in received]
    left = _OURS.sub(b"", re.sub(rb"\x1b[^a-zA-Z]*$", b"", received))  # the last sequence may be cut
    found += re.findall(rb"[\x00-\x07\x0b\x0c\x0e-\x1f\x7f].{0,12}|\xc2[\x80-\x9f].{0,12}", left)
    found += [char.encode() for char in _ACTING.findall(left.decode("utf-8", "replace"))]
    return found


def cursor_row(terminal: Terminal) -> str:
    """Return the row of the list that the cursor is on."""
    return next((line for line in terminal.text.splitlines() if line.startswith(">")), "")


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_every_item_is_shown_once(tmp_path: Path, every: int) -> None:
    found = texts()[::every]
    home = home_of(tmp_path / "home", found)
    terminal = Terminal(home)
    try:
        terminal.wait_for("waiting")
        while re.search(r"waiting +\d+ ready", terminal.text) is None:
            terminal.read(0.05)  # all states are known, and rows stay where they are
        terminal.type("g")
        terminal.read(0.5)
        shown = [cursor_row(terminal)]
        for _ in found[1:]:
            terminal.type("j")
            until = time.monotonic() + 2
            while cursor_row(terminal) == shown[-1] and time.monotonic() < until:
                terminal.read(0.02)
            terminal.read(0.04)  # the item itself follows its row
            shown.append(cursor_row(terminal))
        assert all(before != after for before, after in pairwise(shown)), "each key brought another item"
        assert "reading" not in terminal.text
        assert foreign(terminal.received) == []
    finally:
        terminal.close()


def test_every_entry_is_shown_once_in_what_was_learned_and_in_the_ledger(tmp_path: Path) -> None:
    home = home_of(tmp_path / "home", [])
    terminal = Terminal(home)
    try:
        terminal.wait_for("Nothing waits")
        for keys, ready in (("5", "of this profile"), ("4v", "RESTS ON")):
            for key in keys:
                terminal.type(key)
                terminal.read(0.3)
            terminal.wait_for(ready)
            before = terminal.text
            for _ in range(60):
                terminal.type("j")
                terminal.read(0.01)
            terminal.read(0.2)
            assert terminal.text != before
        assert foreign(terminal.received) == []
    finally:
        terminal.close()


VERBS = [
    ("status",),
    ("status", "--line"),
    ("memory",),
    ("pending",),
    ("show", "d0000003"),
    ("evidence", "d0000003"),
    ("approve", "d0000007", "--override", "checked"),
    ("approve", "--all-ready"),
    ("reject", "d0000003", "--reason", "wrong"),
    ("log-only", "d0000005"),
    ("undo",),
    ("redo",),
    ("reopen", "d0000003"),
    ("add", "--target", "memory", "Plain text"),
    ("replace", "Plain text", "Other text"),
    ("remove", "Other text"),
    ("backups",),
    ("diff", "oldest", "now"),
    ("rollback", "oldest", "--dry-run"),
    ("ledger",),
    ("ledger", "verify"),
    ("ledger", "checkpoint"),
    ("prompt",),
    ("doctor",),
]


def on_a_terminal(home: Path, *arguments: str) -> tuple[int, bytes]:
    """Run a verb with a terminal for all three streams and return its exit code and every byte it sent."""
    own, inner = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "curator_tui", "--home", str(home), *arguments],
        stdin=inner,
        stdout=inner,
        stderr=inner,
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm-256color"},
    )
    os.close(inner)
    received = b""
    while True:
        try:
            found = os.read(own, 1 << 16)
        except OSError:
            break
        if not found:
            break
        received += found
    os.close(own)
    return process.wait(10), received


@pytest.mark.slow
def test_every_verb_is_run_once(tmp_path: Path) -> None:
    home = home_of(tmp_path / "home", texts())
    oldest = ""
    for arguments in VERBS:
        words = [oldest if word == "oldest" else word for word in arguments]
        code, received = on_a_terminal(home, *words)
        assert code in {0, 1}, (words, code, received[-300:])
        assert foreign(received) == [], words
        if not oldest and (images := sorted(path.name for path in (home / "memories").glob("backups/*"))):
            oldest = images[0]
    assert oldest
