"""Hostile text through every verb that prints: nothing in it reaches the terminal as more than text."""

from __future__ import annotations

import gzip
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.homes import install_skill, make_home, picture, record, stage_skill

CORPUS = Path(__file__).parents[1] / "data" / "scan-dev.jsonl.gz"
# What reorders, hides or separates: must be a token wherever it is printed from a store.
_ACTING = re.compile("[\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff\ud800-\udfff]")


def corpus() -> Iterator[str]:
    """Return the texts of the labelled corpus, and further ones made to break a printer."""
    if CORPUS.exists():
        with gzip.open(CORPUS, "rt", encoding="ascii") as lines:
            yield from (json.loads(line)["text"] for line in lines)
    yield "".join(map(chr, range(1, 32))) + "\x7f" + "".join(map(chr, range(0x80, 0xA0)))
    yield "\x1b]52;c;ZWNobyBoaQ==\x07\x1b[2J\x1b[1;1Hall approved\x9b31m"
    yield "⟨ESC⟩ is typed, \u202egpj.exe is not, \u2066isolated\u2069"
    yield "[/red] [@click=app.quit]go[/] {x} %s $HOME `id`"
    yield "a\u2028b\u2029c\ufeffd\u00ade"


@pytest.fixture
def cli(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> Cli:
    """A home whose documents, records, summaries, origins, targets and file names are hostile."""
    texts = list(dict.fromkeys(corpus()))
    records = [
        record(f"d{number:07x}", "add", text, origin=text[:80], summary=text, created_at=float(number))
        for number, text in enumerate(texts)
    ]
    records += [
        record("e0000001", "replace", "new", "\x1b[31mnot there"),
        record("e0000002", "re\x1bmove", "x", "y", target="\x1b[2Jproject\u202e"),
    ]
    memory = "\n§\n".join(text for text in texts if "§" not in text)
    raw_files = {"bad\x1b[2J.json": b'{"id": "\x1b[2J\xff', "e0000003.json": b"\x1b]0;title\x07"}
    home = make_home(
        tmp_path / "home", memory=memory, user="\x1b[2J\n§\n\u202euser", pending=records, raw_files=raw_files
    )
    for number, text in enumerate(texts[:40]):
        write = {
            "name": text[:60] or "x",
            "content": text,
            "file_path": text[:40],
            "old_string": text,
            "new_string": "",
        }
        action = ("create", "edit", "patch", "\x1b[2Jrename")[number % 4]
        stage_skill(home, f"5c{number:06x}", action, **write)
        install_skill(
            home, f"s{number}\x1b[2J\u202e", f"---\nname: {json.dumps(text)}\ndescription: \u202e\n---\n{text}"
        )
    return cli_at(home)


def check(text: str) -> None:
    """Fail when a text holds a character that acts."""
    acting = {char for char in text if unicodedata.category(char) == "Cc" and char != "\n"}
    assert acting == set()
    assert _ACTING.search(text) is None


LOOKING = [
    ("status",),
    ("status", "--line"),
    ("memory",),
    ("pending",),
    ("prompt",),
    ("doctor",),
    ("backups",),
    ("ledger",),
    ("ledger", "verify"),
    ("ledger", "statistics"),
    ("skills",),
    ("skills", "--installed"),
    ("profiles",),
    ("approve", "--all-ready", "--dry-run"),
]


def test_every_verb_that_looks_prints_only_text_and_changes_nothing(cli: Cli) -> None:
    before = picture(cli.home)
    for verb in LOOKING:
        answer = cli(*verb)
        assert "internal error" not in answer.err
        check(answer.out + answer.err)
        document = cli(*verb, "--json")
        assert document.out.isascii()
        check(document.out + document.err)
        json.loads(document.out)
    assert picture(cli.home) == before


def test_every_item_can_be_shown(cli: Cli) -> None:
    items = cli.json("pending")["items"]
    assert len(items) > 8
    for item in items:
        answer = cli("show", item["id"], "--raw")
        assert answer.code == 0
        check(answer.out + answer.err)
    for name in ("show", "evidence"):
        check(cli(name, items[0]["id"], "--json").out)


def test_every_waiting_skill_can_be_shown(cli: Cli) -> None:
    writes = cli.json("skills")["writes"]
    assert len(writes) == min(40, len(set(corpus())))
    for write in writes:
        answer = cli("skills", "show", write["id"])
        assert answer.code == 0
        check(answer.out + answer.err)


def test_every_verb_that_changes_prints_only_text(cli: Cli) -> None:
    items = [item["id"] for item in cli.json("pending")["items"]]
    entries = cli.json("memory")["documents"]["memory"]["entries"]
    steps = [
        ("approve", "--all-ready"),
        ("approve", items[0], "--override", "\x1b[31mbecause\u202e"),
        ("reject", items[1], "--reason", "\x1b[31mno\x07"),
        ("reject", "\x1b[2Jno such id"),
        ("reopen", items[1]),
        ("add", "--target", "memory", "\x1b[31m"),
        ("remove", "\x1b[31mnothing"),
        ("replace", "\x1b[2J", "x"),
        ("undo",),
        ("undo", "\x1b[2J"),
        ("rollback", "\x1b[2J"),
        ("rollback", "last", "--dry-run"),
        ("rollback", "last"),
        ("ledger",),
        ("ledger", "--filter", "who:\x1b[2J"),
        ("ledger", "--filter", "\x1b[2J:x"),
        ("ledger", "export", "--format", "csv"),
        ("skills", "show", "\x1b[2J"),
        ("defer", items[2], "--until", "\x1b[2J"),
        ("defer", items[2], "\x1b[2J", "--note", "\x1b[2J\u202e"),
        ("pending", "--deferred"),
        ("show", items[2]),
        *(("challenge", entry["id"], "--reason", "wrong", "--note", "\x1b[2J\u202e") for entry in entries[:40]),
        ("challenge", "\x1b[2J", "--reason", "\x1b[2J"),
        ("pending",),
        ("memory",),
        ("answer", "\x1b[2J", "correct", "\x1b[2J"),
        ("ledger", "--count", "60"),
        ("doctor",),
        ("\x1b[2Jverb",),
        ("--\x1b[2J",),
        ("--profile", "\x1b[2J", "status"),
        ("ledger", "verify", "--checkpoint", "\x1b[2J"),
    ]
    for step in steps:
        answer = cli(*step)
        assert "internal error" not in answer.err, (step, answer.err)
        check(answer.out + answer.err)
    questions = cli.json("pending")["questions"]
    assert len(questions) > 10
    for question in questions:
        check(cli("show", question["id"]).out)
        check(cli("answer", question["id"], "remove", "--dry-run").out)
        check(cli("answer", question["id"], "correct", question["text"] + "\u202e", "--dry-run").out)


def test_tokens_in_messages_stay_reversible(cli: Cli) -> None:
    text = cli("show", "e0000001").out
    assert "looks for: ⟨ESC⟩[31mnot there" in text
    assert "⟨U+27E8⟩ESC⟨U+27E9⟩[31mnot" not in text


def test_scan_prints_ascii_lines(cli: Cli) -> None:
    lines = "\n".join(json.dumps({"id": text, "text": text}) for text in corpus())
    answer = cli.bare("scan", stdin=lines.encode())
    assert answer.code == 0
    assert answer.out.isascii()
    check(answer.out)
