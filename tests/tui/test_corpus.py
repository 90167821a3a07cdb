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
from itertools import pairwise
from pathlib import Path

import pytest

from curator_tui.core.preflight import State
from curator_tui.core.requests import Decision, OverrideCode, ReasonCode, Verb
from curator_tui.curator.opening import open_desk
from tests.homes import make_home, record, stage_skill, write
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
            terminal.wait_until(lambda: cursor_row(terminal) != shown[-1])
            terminal.read(0.04)  # the item itself follows its row
            shown.append(cursor_row(terminal))
        assert all(before != after for before, after in pairwise(shown)), "each key brought another item"
        terminal.wait_until(lambda: "reading" not in terminal.text)
        assert "reading" not in terminal.text
        assert foreign(terminal.received) == []
    finally:
        terminal.close()


EVIL = "\x1b]52;c;aGk=\x07clip \x1b[2J\x9b31mred \x1b]8;;https://x\x07link\x1b]0;owned\x07 \u202eright \u200bnone"


def home_of_places(path: Path) -> Path:
    """Build a home that has something hostile to show in every place: entries, a past, skills, profiles."""
    wanted = [EVIL, *(text for text in texts()[::25] if "§" not in text)]
    pending = [record(f"d{number:07x}", "add", text, summary=text, origin=text) for number, text in enumerate(wanted)]
    config = {"memory_char_limit": 400_000}
    home = make_home(path, memory="\n§\n".join([EVIL, *texts()[:40]]), user=EVIL, pending=pending, config=config)
    for number, text in enumerate(wanted):
        stage_skill(home, f"5c{number:06x}", "create", name=text[:60], content=f"{text}\n{EVIL}", file_path=text)
    stage_skill(home, "5d000001", "patch", name="look", old_string="Step", new_string=f"{EVIL} Step")
    for folder in ("look", "odd\x1b]0;owned\x07\x9b"):
        where = home / "skills" / folder
        where.mkdir(parents=True)
        write(where / "SKILL.md", f"---\nname: {folder}\ndescription: {EVIL}\n---\nStep\n{EVIL}\n".encode())
    for name in ("work", "odd\x1b[2J\x07"):
        profile = make_home(home, memory=EVIL, pending=pending[:2], profile=name)
        write(profile / "config.yaml", f"memory: [{EVIL}".encode())
    desk = open_desk(home=home, profile=None, environ={}, through="tui")
    for number, text in enumerate(wanted):
        name = f"d{number:07x}"
        if number % 2:
            made = desk.decide([Decision(name, Verb.REJECT, reason=ReasonCode.OTHER, note=f"{text} {EVIL}")])
        else:
            passed = frozenset({State.FLAGGED})
            made = desk.decide([Decision(name, Verb.APPROVE, override=passed, reason=OverrideCode.REQUEST, note=EVIL)])
        assert made.done or number > 1, made.not_applied
    desk.close()
    return home


@pytest.mark.slow
def test_every_place_bears_hostile_text_in_every_row_and_on_every_page(tmp_path: Path) -> None:
    terminal = Terminal(home_of_places(tmp_path / "home"))
    try:
        terminal.wait_for("? keys")
        terminal.read(1.0)
        for keys, name, pages in PLACES_AND_VIEWS:
            for key in keys:
                terminal.type(key)
                terminal.read(0.4)
            terminal.wait_for(name)
            shown = {terminal.text}
            for key in "j" * 24 + "g":
                terminal.type(key)
                terminal.read(0.05)
                shown.add(terminal.text)
            assert len(shown) > 1, f"{keys}: the cursor moves"
            for key in pages:
                terminal.type(key)
                terminal.read(0.3)
                shown.add(terminal.text)
            if pages is _PAGES:  # of profiles only names are listed, and only such as Hermes gives
                assert any("⟨" in text for text in shown), f"{keys}: what is hostile is there, and made visible"
            assert foreign(terminal.received) == [], keys
    finally:
        terminal.close()


# the last row and the first one, each read on its page
_PAGES = ("G", "\r", "\x1b[6~", "\x1b[6~", "q", "g", "\r", "\x1b[6~", "q")
PLACES_AND_VIEWS = (
    ("2", "[2", _PAGES),
    ("3", "[3", _PAGES),
    ("4", "[4", _PAGES),
    ("v", "[live entries]", _PAGES),
    ("5", "[5", _PAGES),
    ("6", "[6", _PAGES),
    ("v", "[6", _PAGES),
    ("7", "[7", ("G", "g")),
)
"""What is typed in turn, what then stands on the screen, and what is typed there."""


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
