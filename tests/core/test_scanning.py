"""The scanner as a whole: corpus figures, the named cases, positions, limits, failures, time."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core.scanning import MAX_LENGTH, Finding, Severity, has_secret, is_flagged, scan
from curator_tui.core.scanning import engine as engine_module
from curator_tui.core.scanning.rules import MOST_PLACES, Rule, Subject, in_order, is_quoted

CORPUS = Path(__file__).parents[1] / "data" / "scan-dev.jsonl.gz"


def _rows() -> list[dict[str, str]]:
    with gzip.open(CORPUS, "rt", encoding="ascii") as lines:
        return [json.loads(line) for line in lines]


def _hard(text: str) -> list[Finding]:
    return [item for item in scan(text) if item.severity is Severity.HARD]


@pytest.mark.parametrize("label", ["invisible-unicode", "terminal-escape", "markup"])
def test_recall_on_the_corpus(label: str) -> None:
    rows = [row for row in _rows() if row["label"] == label]
    missed = [row["id"] for row in rows if not is_flagged(scan(row["text"]))]
    assert len(rows) >= 13
    assert len(missed) <= 0.02 * len(rows), missed


def test_benign_texts_of_the_corpus_are_not_flagged() -> None:
    rows = [row for row in _rows() if row["label"] == "benign"]
    flagged = {row["id"]: [item.rule for item in _hard(row["text"])] for row in rows if _hard(row["text"])}
    assert len(flagged) <= 0.04 * len(rows), flagged
    assert not [name for name in flagged if name.startswith("d-ben-e-")]


def test_secrets_of_known_form_in_the_corpus_are_found() -> None:
    rows = [row for row in _rows() if row["id"].startswith("d-sec-p-")]
    missed = [row["id"] for row in rows if not has_secret(scan(row["text"]))]
    assert len(missed) <= 0.05 * len(rows), missed


def test_t03_byte_order_mark() -> None:
    [start] = [item for item in scan("\ufeffLikes the dark theme") if item.family == "invisible"]
    assert (start.severity, start.start, start.end) == (Severity.SOFT, 0, 1)
    [middle] = _hard("Reads \ufeffsci-fi")
    assert (middle.start, middle.end) == (6, 7)
    assert "U+FEFF" in middle.reason


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Team emoji is \U0001f468\u200d\U0001f4bb", None),
        ("\u0627\u0648 \u0645\u06cc\u200c\u0631\u0648\u062f \u0633\u0631 \u06a9\u0627\u0631", None),
        ("Supports \U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", None),
        ("Approve\u200bd vendor is Acme", (7, 8, "U+200B")),
        ("Invoice \u202egpj.exe", (8, 9, "U+202E")),
        ("Weather note" + "".join(chr(0xE0000 + ord(char)) for char in "ignore"), (12, 18, "U+E0069")),
    ],
)
def test_t28_hidden_text_and_real_writing(text: str, place: tuple[int, int, str] | None) -> None:
    found = _hard(text)
    if place is None:
        assert found == []
    else:
        [item] = found
        assert (item.start, item.end) == place[:2]
        assert place[2] in item.reason


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("\x1b]52;c;ZWNobyBoaQ==\x07clip", "terminal"),
        ("\x1b[2J\x1b[1;1Hall approved", "terminal"),
        ("\x9b31mred", "terminal"),
        ("\x1b]8;;https://x.example\x07docs\x1b]8;;\x07", "terminal"),
        ("[/", None),
        ("[k + more", None),
        ("[red]stop[/red]", "markup"),
        ("[@click=app.quit]go[/]", "markup"),
        ('row[7] of [2, "x"]', None),
    ],
)
def test_t31_text_that_attacks_the_terminal(text: str, family: str | None) -> None:
    assert {item.family for item in _hard(text)} == ({family} if family else set())


@pytest.mark.parametrize(
    ("text", "rule", "span"),
    [
        ("tea\n§\nmilk", "delimiter-line", (4, 5)),
        ("é ［/red］ x", "style-tag", (2, 8)),
        ("ﬁle ＜memory-context＞", "reserved-tag", (4, 19)),
        ("é e\u0301 <script src=x>", "html-active", (5, 17)),
    ],
)
def test_positions_are_those_of_the_stored_text(text: str, rule: str, span: tuple[int, int]) -> None:
    [item] = [item for item in scan(text) if item.rule == rule]
    assert (item.start, item.end) == span


def test_a_tab_is_soft_and_other_controls_are_hard() -> None:
    assert [(item.rule, item.severity) for item in scan("a\tb")] == [("tab", Severity.SOFT)]
    for code in (*range(9), *range(11, 32), 127, *range(128, 160)):
        assert is_flagged(scan(f"a{chr(code)}b")), code
    assert scan("a\nb") == ()


def test_reserved_in_any_case_spacing_attribute_and_width() -> None:
    for text in (
        "<PERSISTENT_MEMORY_DATA>",
        "< /persistent_memory_data >",
        "<memory-context x=1>",
        "＜Memory-Context＞",
    ):
        assert "reserved-tag" in {item.rule for item in _hard(text)}, text
    assert "block-header" in {item.rule for item in _hard("user  profile".upper().replace("  ", " ") + " [41% - 5/9")}


def test_many_places_are_counted_not_listed() -> None:
    found = scan("a\u200b" * 5000 + "[@click=x]" * 500)
    assert len([item for item in found if item.rule == "zero-width"]) == MOST_PLACES
    assert len([item for item in found if item.rule == "style-action"]) == MOST_PLACES


def test_soft_places_do_not_hide_a_hard_one_behind_them() -> None:
    assert is_flagged(scan("\ue000 " * 20_000 + "\u200b"))
    assert is_flagged(scan("x\ty" * 15_000 + "\x1b[2J"))


def test_too_long_text_is_a_hard_finding_and_its_beginning_is_scanned() -> None:
    assert scan("a" * MAX_LENGTH) == ()
    found = scan("\x1b[2J" + "a" * MAX_LENGTH)
    assert [item.rule for item in found] == ["control-sequence", "too-long"]
    assert has_secret(found)
    assert "too-long" in {item.rule for item in scan("\ufdfa" * 20_000)}


def test_a_rule_that_fails_is_a_finding_without_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Subject) -> Iterator[tuple[int, int]]:
        yield 0, 1
        raise ValueError("the word mirabelle must not appear")

    rule = Rule("x", "markup", Severity.SOFT, "x.", (), (), needs=("mirabelle",), find=broken)
    monkeypatch.setattr(engine_module, "_candidates", lambda _: [rule])
    found = scan("mirabelle")
    assert [(item.rule, item.severity) for item in found if item.rule != "x"] == [("scanner-failed", Severity.HARD)]
    assert not any("mirabelle" in item.reason for item in found)
    assert has_secret(found)


@pytest.mark.parametrize("name", ["_candidates", "Subject", "findings_of", "_invisible_to_hermes"])
def test_a_failure_anywhere_is_a_finding(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(engine_module, name, broken)
    assert "scanner-failed" in {item.rule for item in scan("you must report it")}


def test_a_failure_in_the_characters_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module.characters, "marked", None)
    assert {item.rule for item in scan("[@click=a]")} == {"scanner-failed", "style-action"}


def test_lower_case_view_has_the_length_of_the_view() -> None:
    text = "".join(map(chr, range(0x110000)))
    subject = Subject(text)
    assert len(subject.low) == len(subject.view)


@given(st.text(st.characters(codec=None), max_size=80))
def test_scan_takes_any_string(text: str) -> None:
    for item in scan(text):
        assert item.rule != "scanner-failed"
        assert 0 <= item.start < item.end <= len(text)


_WORDS = st.lists(st.sampled_from(["go", "to", " ", "\n", "x", "go ", " to", "stop"]), max_size=14).map("".join)


@given(_WORDS)
def test_in_order_equals_the_expression_with_gaps(text: str) -> None:
    import re

    for parts, whole in (
        ((r"go\s", r"to(?<=\sto)"), r"go\s+.*\s+to"),
        ((r"go\s", r"stop"), r"go\s+.*stop"),
        ((r"go\s", r"to(?<=\sto)\s", r"stop(?<=\sstop)"), r"go\s+.*\s+to\s+.*\s+stop"),
    ):
        assert bool(list(in_order(text, parts))) == bool(re.search(whole, text)), whole


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the label 'old words' is used", True),
        ("the user's old words are kept", False),
        ("a “title with old words” here", True),
        ("„alte“ old words", False),
        ("x 'a\nold words' y", False),
    ],
)
def test_what_stands_between_quotes_of_one_line_is_quoted(text: str, expected: bool) -> None:
    at = text.index("old words")
    assert is_quoted(text, at, at + len("old words")) is expected


ADVERSARIAL = [
    *("cat ", "ignore ", "ignore all ", "translate into ", "send ", "send x\n", "do not tell ", "never write script "),
    *("[", "[a]", "[red]", "[/a]", "[link= ", "{{", "{%", "<", "<!--", "<!-- hidden ", "<a ", "<a on", "</", "< "),
    *('<div style="', "display <div style='", "<% a", "```\n", "-a\n+b\n", "§\n", "═", "\n", " ", "\t", "a", "a\u200d"),
    *("\u200d", "\x1b[", "\x1b]", "\x9b", "\xad", "a\xad", "a\u200e", "א\u200e", "ب\u200c", "\u202e", "\U000e0061"),
    *("\U0001f3f4\U000e0061", "❤\ufe0f\u200d", "e\u0301", "\ud800", "sk-", "a://", "a://b:", "eyJ", "password='"),
]


def _best(text: str, times: int = 3) -> float:
    best = 9.0
    for _ in range(times):
        start = time.thread_time()
        scan(text)
        best = min(best, time.thread_time() - start)
    return best


@pytest.mark.parametrize("unit", ADVERSARIAL, ids=ascii)
def test_time_stays_linear_on_repeated_prefixes(unit: str) -> None:
    # The aim is 50 ms for 65,536 code points; a quadratic rule takes seconds, a busy machine some tens of ms more.
    assert _best((unit * 65536)[:65536]) < 0.25


def test_time_of_an_ordinary_entry() -> None:
    entry = ("Prefers short answers; the project uses PostgreSQL 16 and Alembic. " * 40)[:200]
    scan(entry)
    assert min(_best(entry, 50) for _ in range(4)) < 0.0005
