"""The numbered cases, worked through the command line: states, outcomes, exit codes, files, and a reload."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from curator_tui.core.text import cell_width
from tests.cli.conftest import Cli
from tests.homes import home_for_case, load_case, make_home, record, stage, write

Case = Callable[[str], Cli]
ROOT = Path(__file__).parents[2]
NOBODY = 65534


def reasons(document: dict[str, list[dict[str, str]]]) -> dict[str, str]:
    """Return the reason of each thing that was not applied."""
    return {one["id"]: one["reason"] for one in document["not_applied"]}


def test_t01_an_entry_with_the_separator_line_is_refused_before_any_write(case: Case) -> None:
    cli = case("T01")
    before = cli.raw()
    for item in ("a1000001", "a1000002"):
        refused = cli.json("approve", item, code=1)
        assert "separator line" in reasons(refused)[item]
        assert refused["change"] is None
    assert cli.raw() == before
    assert cli.states() == {"a1000001": "invalid", "a1000002": "invalid", "a1000003": "ready"}
    assert cli.json("approve", "a1000003")["applied"] == [{"id": "a1000003", "how": "approve"}]
    assert cli.raw().startswith(before)
    assert len(cli.entries()) == 3
    assert cli.waiting() == {"a1000001", "a1000002"}


def test_t02_windows_line_endings_hold_three_entries_and_stay(case: Case) -> None:
    cli = case("T02")
    texts = [entry["text"] for entry in cli.json("memory")["documents"]["memory"]["entries"]]
    assert texts == ["Uses pnpm, not npm", "Lives in UTC+2", "Prefers short answers"]
    outcome = cli.json("show", "a2000001")["outcome"]["documents"]["memory"]
    assert set(outcome["before"]) - set(outcome["after"]) == {"Lives in UTC+2"}
    assert len(outcome["after"]) == 2
    cli.json("approve", "a2000001")
    assert cli.raw() == "Uses pnpm, not npm\r\n§\r\nPrefers short answers".encode()
    shown = cli("diff", "last", "now").out
    assert shown.count("  - ") == 1
    assert "  + " not in shown


def test_t03_a_byte_order_mark_is_no_part_of_the_first_entry(case: Case) -> None:
    cli = case("T03")
    memory = cli.json("memory")["documents"]["memory"]
    assert memory["size"] == 35
    assert [len(entry["text"]) for entry in memory["entries"]] == [20, 12]
    assert memory["entries"][0]["text"] == "Likes the dark theme"
    assert memory["entries"][0]["findings"] == []
    shown = cli.json("show", "a3000001")
    assert "\ufeff" not in str(shown["outcome"])
    cli.json("approve", "a3000001")
    assert cli.entries() == ("Likes the light theme", "Works nights")
    flagged = cli.json("show", "a3000002")
    assert flagged["item"]["state"] == "flagged"
    text = cli("show", "a3000002").out
    assert "U+FEFF" in text
    assert "\ufeff" not in text


def test_t05_a_file_without_separators_is_one_entry_that_could_be_split(case: Case) -> None:
    cli = case("T05")
    memory = cli.json("memory")
    (entry,) = memory["documents"]["memory"]["entries"]
    assert entry["headings"] == 2
    assert "2 headings and could be split" in memory["notes"][0]
    assert "could be split" in cli("memory").out
    shown = cli.json("show", "a5000001")
    assert shown["item"]["state"] == "lossy"
    lost = " ".join(shown["outcome"]["lost"])
    assert "Atlas is the NAS" in lost
    assert "Borealis is retired" in lost
    assert "4 of 5 text lines would be gone, 1 changed" in cli("show", "a5000001").out
    before = cli.raw()
    refused = cli.json("approve", "a5000001", code=1)
    assert refused["not_applied"][0]["state"] == "lossy"
    assert cli.raw() == before
    cli.json("approve", "a5000001", "--inside")
    (entry_after,) = cli.entries()
    assert entry_after == entry["text"].replace("Bins: Tuesday", "Bins: Monday")


def test_t05_the_loss_can_be_accepted_knowingly(case: Case) -> None:
    cli = case("T05")
    cli.json("approve", "a5000001", "--override", "it is all one line now")
    assert cli.entries() == ("Bins: Monday evening",)
    row = cli.json("ledger")["rows"][-1]
    assert row["decisions"][0]["override"] == ["lossy"]
    assert row["decisions"][0]["reason"] == "other"
    assert "one line" not in str(row)
    assert "it is all one line now" in cli("ledger").out


def test_t06_replace_means_the_whole_entry_and_inside_only_the_words(case: Case) -> None:
    cli = case("T06")
    text = cli("show", "a6000001").out
    assert "[-[net] router is 10.0.0.1" in text
    shown = cli.json("show", "a6000001")
    assert shown["item"]["state"] == "lossy"
    lost = " ".join(shown["outcome"]["lost"])
    assert "router is 10.0.0.1" in lost
    assert "tray 2 holds A5" in lost
    wanted = "[net] router is 10.0.0.1 [nas] web port 9090 [print] tray 2 holds A5"
    assert list(shown["inside"].values()) == [wanted]
    cli.json("approve", "a6000001", code=1)
    preview = cli.json("approve", "a6000001", "--inside", "--dry-run")
    cli.json("approve", "a6000001", "--inside", "--expect", preview["digest"])
    assert cli.entries() == (wanted, "Prefers metric units")


def test_t07_a_vanished_anchor_is_stale_before_anything_is_pressed(case: Case) -> None:
    cli = case("T07")
    assert cli.states() == {"a7000001": "stale", "a7000002": "ready"}
    shown = cli.json("show", "a7000001")
    assert shown["nearest"] == "Uses Krita 5.2 for drawings"
    assert "5.[-2-]{+1+}" in cli("show", "a7000001").out or "[-5.2-]{+5.1+}" in cli("show", "a7000001").out
    answer = cli("approve", "--all-ready")
    assert answer.code == 1
    assert "1 ready, 1 stale (skipped)" in answer.out
    assert cli.entries() == ("Uses Krita 5.2 for drawings", "Prefers metric units", "Backups run on Sunday")
    again = cli.json("approve", "--all-ready", code=1)
    assert again["applied"] == []
    assert reasons(again) == {"a7000001": "no entry matches: Krita 5.0"}
    cli.json("approve", "a7000001", "--entry", "Krita 5.2")
    assert cli.entries()[0] == "Uses Krita 5.1 for drawings"


def test_t09_alternatives_for_one_entry_are_one_group(case: Case) -> None:
    cli = case("T09")
    groups = {item["id"]: item["group"] for item in cli.json("pending")["items"]}
    assert len(set(groups.values())) == 1
    assert None not in groups.values()
    assert set(groups) == {"a9000001", "a9000002", "a9000003"}
    asked = cli.json("approve", "--all-ready", code=1)
    assert asked["applied"] == []
    assert {one["code"] for one in asked["not_applied"]} == {"alternatives"}
    words = "alternatives: several wordings wait for the same entry; choose one by itself"
    assert set(reasons(asked).values()) == {words}
    assert cli("approve", "--all-ready").out.count(words) == 3
    cli.json("approve", "a9000001")
    left = {item["id"]: item for item in cli.json("pending")["items"]}
    assert left["a9000003"]["state"] == "no-change"
    assert left["a9000002"]["state"] == "stale"
    assert left["a9000002"]["reason"] == "superseded by a9000001"
    assert cli.json("show", "a9000002")["superseded_by"] == "a9000001"
    again = cli.json("approve", "--all-ready", code=1)
    assert [(one["id"], one["how"]) for one in again["applied"]] == [("a9000003", "already in effect")]
    assert reasons(again) == {"a9000002": "superseded by a9000001"}
    assert cli.entries() == ("Prefers tabs of width 4", "Timezone is UTC+2")


def test_a_stale_item_names_the_one_of_a_plan_that_took_its_entry(
    tmp_path: Path, cli_at: Callable[[Path], Cli]
) -> None:
    """Of several items decided in one change only the one that meant the entry superseded it."""
    removes = [record(f"d000000{n}", "remove", None, text) for n, text in enumerate(("Uses zsh", "Has a cat"), 1)]
    late = [record("d0000003", "replace", "Has two cats", "Has a cat"), record("d0000004", "remove", None, "Uses zsh")]
    cli = cli_at(make_home(tmp_path / "home", memory="Uses zsh\n§\nHas a cat", pending=[*removes, *late]))
    cli.json("status")
    cli.json("approve", "d0000001", "d0000002")
    reasons_now = {item["id"]: item["reason"] for item in cli.json("pending")["items"]}
    assert reasons_now["d0000003"] == "superseded by d0000002"
    assert reasons_now["d0000004"] == "superseded by d0000001"
    assert cli.json("show", "d0000003")["superseded_by"] == "d0000002"


def test_t09_a_group_named_whole_is_settled_in_one_change(case: Case) -> None:
    cli = case("T09")
    answer = cli.json("approve", "a9000001", "a9000002", "a9000003", code=1)
    assert [one["id"] for one in answer["applied"]] == ["a9000001", "a9000003"]
    assert answer["applied"][1]["how"] == "already in effect"
    assert reasons(answer) == {"a9000002": "superseded by a9000001"}
    assert cli.entries() == ("Prefers tabs of width 4", "Timezone is UTC+2")


def test_t10_each_failure_keeps_its_own_reason(case: Case) -> None:
    cli = case("T10")
    document = cli.json("approve", "--all-ready", code=1)
    assert reasons(document) == {
        "aa000001": "no entry matches: gone-1",
        "aa000002": "no entry matches: gone-2",
        "aa000003": "no entry matches: gone-3",
        "aa000004": "memory would be 213/200 (13 over)",
        "aa000005": "no entry matches: gone-5",
    }
    assert document["applied"] == []
    answer = cli("approve", "--all-ready")
    assert answer.code == 1
    assert "0 applied, 5 not applied." in answer.out
    assert cli("approve", "aa000001", "aa000004").out.count("not applied  ") == 2


def test_t12_an_effect_that_is_there_already_closes_without_a_write(case: Case) -> None:
    cli = case("T12")
    before = cli.raw()
    assert set(cli.states().values()) == {"no-change"}
    for item in ("ac000001", "ac000002"):
        answer = cli.json("approve", item)
        assert answer["applied"] == [{"id": item, "how": "already in effect"}]
        assert answer["backup"] is None
    assert cli.raw() == before
    assert cli.waiting() == set()
    decisions = [part for row in cli.json("ledger")["rows"] for part in row.get("decisions", ())]
    assert [part["proposal"] for part in decisions if part["recovered"]] == ["ac000001", "ac000002"]


def test_t12_applied_by_the_ledger_and_absent_is_told_and_can_be_retried(case: Case) -> None:
    cli = case("T12")
    stage(cli.home, record("ac000003", "add", "Keyboard is ISO"))
    before = cli.raw()
    cli.json("approve", "ac000003")
    write(cli.home / "memories" / "MEMORY.md", before)
    report = cli.json("doctor", code=1)
    assert report["ok"] is False
    (problem,) = report["problems"]
    assert problem["code"] == "effect-absent"
    assert "curator-tui reopen ac000003" in problem["message"]
    cli.json("reopen", "ac000003")
    cli.json("approve", "ac000003")
    assert "Keyboard is ISO" in cli.entries()
    assert cli.json("doctor")["ok"] is True


def test_t13_broken_records_are_listed_and_can_only_be_rejected(case: Case) -> None:
    cli = case("T13")
    items = {item["id"]: item for item in cli.json("pending")["items"]}
    assert {name: item["state"] for name, item in items.items()} == {
        "ad000001": "invalid",
        "ad000002": "no-change",
        "ad000003": "invalid",
        "ad000004": "unreadable",
    }
    assert items["ad000001"]["reason"] == "content is missing (found field text)"
    assert items["ad000003"]["reason"] == "unknown target project"
    assert items["ad000004"]["reason"].startswith("unreadable JSON")
    raw = cli("show", "ad000004", "--raw").out
    assert load_case("T13")["input"]["pending_raw_files"]["ad000004.json"] in raw
    before = cli.raw()
    answer = cli.json("approve", "--all-ready", code=1)
    assert [one["id"] for one in answer["applied"]] == ["ad000002"]
    assert answer["backup"] is None
    assert cli.raw() == before
    assert cli.waiting() == {"ad000001", "ad000003", "ad000004"}
    for item in sorted(cli.waiting()):
        assert cli.json("approve", item, code=1)["applied"] == []
        assert cli.json("reject", item)["applied"] == [{"id": item, "how": "reject"}]
    assert cli.waiting() == set()


def test_t21_undo_is_a_stack_and_survives_a_restart(case: Case) -> None:
    cli = case("T21")
    for number, text in enumerate(("Drives a van", "Sails on weekends"), 1):
        stage(cli.home, record(f"b400000{number}", "remove", None, text))
        cli.json("approve", f"b400000{number}")
    assert cli.json("undo")["returned"] == ["b4000002"]
    assert set(cli.entries()) == {"Sails on weekends", "Prefers metric units"}
    assert cli.waiting() == {"b4000002"}
    assert cli.json("undo")["returned"] == ["b4000001"]
    assert cli.entries() == ("Drives a van", "Sails on weekends", "Prefers metric units")
    assert cli("undo").code == 1


@pytest.mark.parametrize("decision", [("approve", "b4000009"), ("reject", "b4000009"), ("log-only", "b4000009")])
def test_t21_every_decision_can_be_undone_and_the_item_waits_again(case: Case, decision: tuple[str, str]) -> None:
    cli = case("T21")
    file = stage(cli.home, record("b4000009", "add", "Owns a canoe"))
    raw, before = file.read_bytes(), cli.raw()
    cli.json(*decision)
    assert not file.exists()
    cli.json("undo")
    assert file.read_bytes() == raw
    assert cli.raw() == before


def test_t21_a_rejected_secret_hides_nothing_from_undo_and_redo(case: Case) -> None:
    """Nothing of it was kept, so undo goes on to the change before it and redo to the one after it."""
    cli = case("T21")
    stage(cli.home, record("b4000009", "add", "CI token is ghp_" + "A1b2C3d4" * 4 + "E5f6"))
    for name, text in (("b4000007", "Owns a canoe"), ("b4000008", "Rows at dawn")):
        stage(cli.home, record(name, "add", text))
    before, names = cli.raw(), ("b4000007", "b4000008")
    cli.json("approve", names[0])
    rejected = cli("reject", "b4000009")
    assert "Undo it with" not in rejected.out
    cli.json("approve", names[1])
    after = cli.raw()
    assert [cli.json("undo")["returned"], cli.json("undo")["returned"]] == [[names[1]], [names[0]]]
    assert cli.raw() == before
    (secret,) = [row["change"] for row in cli.json("ledger")["rows"] if row["action"] == "reject"]
    assert cli.json("undo", secret, code=1)["not_applied"][0]["code"] == "not-kept"
    cli.json("redo")
    cli.json("redo")
    assert cli.raw() == after
    assert cli("ledger", "verify").code == cli("doctor").code == 0


def test_t21_an_edited_approval_is_undone_too(case: Case) -> None:
    cli = case("T21")
    file = stage(cli.home, record("b4000009", "add", "Owns a canoe"))
    raw, before = file.read_bytes(), cli.raw()
    cli.json("approve", "b4000009", "--content-file", "-", stdin=b"Owns a red canoe\n")
    assert "Owns a red canoe" in cli.entries()
    cli.json("undo")
    assert file.read_bytes() == raw
    assert cli.raw() == before


@pytest.mark.parametrize(
    ("take", "stands"),
    [
        ("before", "Office is in Lyon"),
        ("after", "Office is in Lille"),
        ("now", "Office is in Lille, 3rd floor"),
    ],
)
def test_t23_undo_after_an_edit_by_hand_asks_which_text_shall_stand(case: Case, take: str, stands: str) -> None:
    cli = case("T23")
    stage(cli.home, record("p1", "replace", "Office is in Lille", "Office is in Lyon"))
    change = cli.json("approve", "p1")["change"]
    by_hand = "Office is in Lille, 3rd floor\n§\nParking is level -2"
    write(cli.home / "memories" / "MEMORY.md", by_hand.encode())
    asked = cli.json("undo", change, code=1)
    assert asked["moved_on"] == [
        {
            "pair": 1,
            "target": "memory",
            "before": "Office is in Lyon",
            "after": "Office is in Lille",
            "now": "Office is in Lille, 3rd floor",
        }
    ]
    assert asked["not_applied"][0]["state"] == "moved-on"
    assert cli.raw() == by_hand.encode()
    text = cli("undo", change).out
    for shown in ("Office is in Lyon", "Office is in Lille\n", "Office is in Lille, 3rd floor"):
        assert shown in text
    done = cli.json("undo", change, "--take", take)
    assert done["undoes"] == [change]
    assert cli.entries() == (stands, "Parking is level -2")
    rows = cli.json("ledger")["rows"]
    assert rows[-1]["action"] == "undo"
    assert rows[-1]["reverts"] == change
    assert change in {row["change"] for row in rows[:-1]}
    assert cli.json("ledger", "verify")["ok"] is True


def test_t25_a_link_stays_a_link_and_the_mode_stays(case: Case) -> None:
    cli = case("T25")
    cli.json("approve", "b8000001")
    assert (cli.home / "memories" / "MEMORY.md").is_symlink()
    vault = cli.home / "vault" / "MEMORY.md"
    assert stat.S_IMODE(vault.stat().st_mode) == 0o660
    assert cli.entries() == ("Uses zsh", "Has two monitors")


# Root may write everywhere: the process becomes somebody else once all its modules are loaded.
_AS_SOMEBODY = f"""
import importlib, os, pkgutil, sys, traceback, yaml
import rapidfuzz.distance, rapidfuzz.fuzz
import curator_tui
for module in pkgutil.walk_packages(curator_tui.__path__, "curator_tui."):
    importlib.import_module(module.name)
from curator_tui.__main__ import main
if os.geteuid() == 0:
    os.setgroups([])
    os.setuid({NOBODY})
sys.exit(main(sys.argv[1:]))
"""


def test_t25_a_target_that_cannot_be_written_is_named() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = home_for_case(Path(folder) / "home", "T25")
        (home / "vault").chmod(0o500)
        if os.geteuid() == 0:
            os.chmod(folder, 0o755)
            for path in (home, *home.rglob("*")):
                os.chown(path, NOBODY, -1, follow_symlinks=False)
        done = subprocess.run(
            [sys.executable, "-c", _AS_SOMEBODY, "--home", str(home), "approve", "b8000001"],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        (home / "vault").chmod(0o700)
        assert done.returncode == 3
        assert "vault/MEMORY.md (mode 0660, owner " in done.stderr
        assert (home / "vault" / "MEMORY.md").read_bytes() == b"Uses zsh"
        assert (home / "pending" / "memory" / "b8000001.json").exists()


def test_t27_a_character_is_a_code_point(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    cli = case("T27")
    monkeypatch.setenv("COLUMNS", "40")
    assert "25/28" in cli("memory").out
    user = cli.json("memory")["documents"]["user"]
    assert (user["size"], user["limit"]) == (25, 28)
    refused = cli.json("approve", "ba000001", code=1)
    assert reasons(refused)["ba000001"] == "user would be 29/28 (1 over)"
    assert cli.raw("user").decode() == load_case("T27")["input"]["user"]


def test_t27_columns_stay_aligned_and_cuts_say_how_much_is_hidden(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    cli = case("T27")
    monkeypatch.setenv("COLUMNS", "60")
    family = "👨\u200d👩\u200d👧"
    stage(cli.home, record("wide0001", "add", "日本語の設定" * 9, target="user", created_at=2.0))
    stage(cli.home, record("wide0002", "add", family * 30, target="user", created_at=3.0))
    stage(cli.home, record("wide0003", "add", "plain text, " * 9, target="user", created_at=4.0))
    lines = [line for line in cli("pending").out.splitlines() if line.startswith("  wide")]
    assert len(lines) == 3
    assert len({line.index("+ ") for line in lines}) == 1
    for line in lines:
        assert cell_width(line) <= 60
        assert "… +" in line
        cut = line.partition("… +")[0]
        assert not cut.endswith("\u200d")
        assert unicodedata.category(cut[-1]) != "Mn"


def test_t28_real_writing_passes_and_hidden_text_is_spelled_out(case: Case) -> None:
    cli = case("T28")
    states = cli.states()
    assert [states[f"bb00000{number}"] for number in range(1, 7)] == ["ready"] * 3 + ["flagged"] * 3
    hard = [one for one in cli.json("show", "bb000004")["findings"] if one["severity"] == "hard"]
    assert (hard[0]["start"], hard[0]["end"]) == (7, 8)
    assert "U+200B" in hard[0]["reason"]
    assert "Approve⟨U+200B⟩d vendor" in cli("show", "bb000004").out
    refused = cli.json("approve", "bb000004", code=1)
    assert refused["not_applied"][0]["state"] == "flagged"
    cli.json("approve", "bb000004", "--override", "wrong")
    (entry,) = cli.json("memory")["documents"]["user"]["entries"]
    assert "U+200B" in str(entry["findings"])
    cli.json("remove", entry["id"])
    assert cli.entries("user") == ()


def test_t31_no_text_acts_on_the_terminal(case: Case) -> None:
    cli = case("T31")
    before = cli.raw()
    for verb in (("memory",), ("prompt",), ("status",), ("doctor",), ("pending",)):
        answer = cli(*verb)
        assert answer.code == 0
        assert acting(answer.out + answer.err) == set()
    text = cli("memory").out
    assert "⟨ESC⟩]52;c;ZWNobyBoaQ==⟨BEL⟩clip" in text
    assert "[@click=app.quit]go[/]" in text
    assert "⟨U+009B⟩31mred" in text
    assert cli.raw() == before


def acting(text: str) -> set[str]:
    """Return the control characters in a text, but for the newline."""
    return {char for char in text if unicodedata.category(char) == "Cc" and char != "\n"}
