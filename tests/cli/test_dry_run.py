"""Dry runs: what they say is what the real run says, in every verdict, state, reason, size and exit code."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.conftest import Cli
from tests.homes import make_home, record, write

_ENTRIES = ("Uses zsh", "Editor is Helix", "Prefers tabs", "[net] router is 10.0.0.1 [nas] web port 8080")
_TEXTS = (*_ENTRIES, "Uses fish", "Approve\u200bd vendor", "y" * 90, "web port 9090", "Editor", "never")
TOKEN = "ghp_" + "A1b2C3d4" * 4 + "E5f6"
_NAMES = tuple(f"c000000{n}" for n in range(5))
_texts = st.sampled_from(_TEXTS)
_records = st.one_of(
    st.builds(lambda text, to: ("add", text, None, to), _texts, st.sampled_from(("memory", "user"))),
    st.builds(lambda text, old, to: ("replace", text, old, to), _texts, _texts, st.sampled_from(("memory", "user"))),
    st.builds(lambda old, to: ("remove", None, old, to), _texts, st.sampled_from(("memory", "user", "elsewhere"))),
)
_SAME = ("applied", "closed", "not_applied", "documents", "digest", "returned", "undoes", "moved", "moved_on", "notes")


def build(folder: Path, entries: list[str], waiting: list[tuple[Any, ...]], limit: int) -> Path:
    pending = [
        record(name, action, content, old, target=target, created_at=float(at))
        for at, (name, (action, content, old, target)) in enumerate(zip(_NAMES, waiting, strict=False))
    ]
    config = {"memory_char_limit": limit, "user_char_limit": 60}
    return make_home(folder, memory="\n§\n".join(entries), user="", pending=pending, config=config)


def same_answer(cli: Cli, *verb: str) -> dict[str, Any]:
    """Run a verb dry and then for real; return the answer both gave."""
    before = (cli.raw(), cli.waiting())
    dry, text = cli(*verb, "--dry-run", "--json"), cli(*verb, "--dry-run")
    assert (cli.raw(), cli.waiting()) == before
    real = cli(*verb, "--json")
    assert (dry.code, text.code) == (real.code, real.code)
    assert {key: dry.json[key] for key in _SAME} == {key: real.json[key] for key in _SAME}
    assert (dry.json["change"], dry.json["backup"]) == (None, None)
    return real.json


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    entries=st.lists(st.sampled_from(_ENTRIES), max_size=4, unique=True),
    waiting=st.lists(_records, min_size=1, max_size=5),
    limit=st.sampled_from((40, 100, 400)),
    asked=st.lists(st.sampled_from((*_NAMES, "nosuchid")), min_size=1, max_size=4),
    everything=st.booleans(),
    decided=st.booleans(),
    expect=st.sampled_from(("", "that", "another")),
)
def test_a_dry_approval_is_the_approval(
    cli_at: Callable[[Path], Cli],
    entries: list[str],
    waiting: list[tuple[Any, ...]],
    limit: int,
    asked: list[str],
    everything: bool,
    decided: bool,
    expect: str,
) -> None:
    """Whatever waits, whatever is asked for; also of items that are decided, unknown, or named twice."""
    folder = Path(tempfile.mkdtemp())
    try:
        cli = cli_at(build(folder / "home", entries, waiting, limit))
        if decided:
            cli("reject", _NAMES[0])
        verb = ("approve", "--all-ready") if everything else ("approve", *asked)
        if expect:
            shown = cli(*verb, "--dry-run", "--json").json["digest"]
            verb = (*verb, "--expect", shown if expect == "that" else "0" * 64)
        answer = same_answer(cli, *verb)
        ends = [one["id"] for one in (*answer["applied"], *answer["not_applied"])]
        wanted = set(_NAMES[: len(waiting)]) - ({_NAMES[0]} if decided else set()) if everything else set(asked)
        assert sorted(ends) == sorted(wanted), "everything that was asked for is in the answer, once"
        assert (answer["moved"], bool(answer["applied"])) != (True, True)
        assert expect != "that" or not answer["moved"]
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("meanwhile", ["nothing", "unreadable", "same", "waits", "over"])
@pytest.mark.parametrize("target", [(), ("--target", "memory"), ("--target", "user")])
@pytest.mark.parametrize("expect", [(), ("--expect", "0" * 64)])
def test_a_dry_rollback_is_the_rollback(
    tmp_path: Path, cli_at: Callable[[Path], Cli], meanwhile: str, target: tuple[str, ...], expect: tuple[str, ...]
) -> None:
    """Also where the real one is refused: an unreadable document is never previewed as if it could be restored."""
    cli = cli_at(build(tmp_path / "home", ["Uses zsh"], [("add", "Uses fish", None, "memory")], 100))
    done = cli.json("approve", "c0000000")
    memory = cli.home / "memories" / "MEMORY.md"
    if meanwhile == "unreadable":
        memory.unlink()
        memory.mkdir()
        cli.raw = lambda target="memory": b""  # type: ignore[method-assign]
    elif meanwhile == "same":
        write(memory, b"Uses zsh")
    elif meanwhile == "waits":
        pending = cli.home / "pending" / "memory" / "c0000000.json"
        write(pending, b"{}")
    elif meanwhile == "over":
        write(cli.home / "config.yaml", b"memory:\n  memory_char_limit: 3\n")
    answer = same_answer(cli, "rollback", done["backup"], *target, *expect)
    if meanwhile == "unreadable" and target != ("--target", "user"):
        assert answer["not_applied"][0]["code"] == "document-unreadable"
    if meanwhile == "waits" and target != ("--target", "user") and not expect:
        assert [one["code"] for one in answer["not_applied"]] == ["still-waiting"]
        assert cli.raw() == b"Uses zsh"


def test_a_dry_run_names_who_was_first_as_the_real_one_does(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    """A decided item is decided, not unknown."""
    cli = cli_at(build(tmp_path / "home", ["Uses zsh"], [("add", "Uses fish", None, "memory")], 100))
    cli.json("approve", "c0000000")
    answer = same_answer(cli, "approve", "c0000000")
    assert answer["not_applied"][0]["state"] == "decided"
    assert "already decided: approve by" in answer["not_applied"][0]["reason"]


@pytest.mark.parametrize("expect", [(), ("--expect", "0" * 64)])
@pytest.mark.parametrize("meanwhile", ["nothing", "moved on", "waits", "undone"])
def test_a_dry_undo_is_the_undo(
    tmp_path: Path, cli_at: Callable[[Path], Cli], meanwhile: str, expect: tuple[str, ...]
) -> None:
    cli = cli_at(build(tmp_path / "home", ["Uses zsh"], [("replace", "Uses fish", "Uses zsh", "memory")], 100))
    change = cli.json("approve", "c0000000")["change"]
    if meanwhile == "moved on":
        write(cli.home / "memories" / "MEMORY.md", b"Uses fish and more")
    elif meanwhile == "waits":
        write(cli.home / "pending" / "memory" / "c0000000.json", b"{}")
    elif meanwhile == "undone":
        cli.json("undo")
    same_answer(cli, "undo", change, *expect)
    same_answer(cli, "redo", *expect)


def test_a_dry_undo_prints_which_change_is_meant_and_what_comes_back(
    tmp_path: Path, cli_at: Callable[[Path], Cli]
) -> None:
    cli = cli_at(build(tmp_path / "home", ["Uses zsh"], [("replace", "Uses fish", "Uses zsh", "memory")], 100))
    change = cli.json("approve", "c0000000")["change"]
    seen = cli("undo", "--dry-run")
    assert (seen.code, cli.entries()) == (0, ("Uses fish",))
    first, *rest = seen.out.splitlines()
    assert first.startswith("approve at 20")
    assert first.endswith(f"change {change}:")
    assert {"MEMORY.md 9 -> 8", "  - Uses fish", "  + Uses zsh"} <= set(rest)
    assert any("would return" in line and "c0000000" in line and "~ Uses fish" in line for line in rest)
    digest = next(line.split()[1] for line in rest if line.startswith("digest "))
    write(cli.home / "memories" / "USER.md", b"elsewhere")
    done = cli("undo", "--expect", digest)
    assert (done.code, cli.entries()) == (0, ("Uses zsh",))
    assert {"  - Uses fish", "  + Uses zsh"} <= set(done.out.splitlines()), "the real one shows it too"
    assert any("returned" in line and "~ Uses fish" in line for line in done.out.splitlines())


def test_an_answer_names_items_by_id_and_by_their_words(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    waiting = [
        ("add", "Has a cat", None, "memory"),
        ("add", f"The token is {TOKEN}", None, "memory"),
        ("add", "Likes\u202e rye", None, "memory"),
        ("add", "Owns a canoe", None, "user"),
    ]
    cli = cli_at(build(tmp_path / "home", ["Uses zsh"], waiting, 400))
    assert any("c0000000" in line and "+ Has a cat" in line for line in cli("approve", "c0000000").out.splitlines())
    secret = cli("reject", "c0000001")
    assert TOKEN not in secret.out
    assert "(holds a secret)" in secret.out
    hostile = cli("reject", "c0000002").out
    assert "Likes" in hostile
    assert "\u202e" not in hostile
    assert "+ Owns a canoe" in cli("reject", "c0000003").out
    assert "+ Owns a canoe" in cli("reopen", "c0000003").out


def test_what_is_approved_is_told_by_what_is_written_and_not_by_what_was_proposed(
    tmp_path: Path, cli_at: Callable[[Path], Cli]
) -> None:
    waiting = [
        record("c0000001", "replace", "web port 9090", "web port 8080"),
        record("c0000002", "add", None),
        record("c0000003", "add", "Keeps bees"),
        record("c0000004", "add", "Has a hive", target="elsewhere"),
    ]
    cli = cli_at(make_home(tmp_path / "home", memory=_ENTRIES[3], user="", pending=waiting))
    whole = "[net] router is 10.0.0.1 [nas] web port 9090"
    for flags in (("--dry-run",), ()):
        out = cli("approve", "c0000001", "--inside", *flags).out
        assert "[net] router is 10.0.0.1 [nas] web port [-8080-]{+9090+}" in out
        assert f"edit  ~ {whole}\n" in out
    own = tmp_path / "own.txt"
    own.write_text("Sings in a choir")
    for flags in (("--dry-run",), ()):
        out = cli("approve", "c0000002", "--content-file", str(own), *flags).out
        assert "edit  + Sings in a choir\n" in out
        assert "\n  + Sings in a choir\n" in out
    assert "\n  + Keeps bees\n" in cli("approve", "c0000003", "--dry-run").out
    refused = cli("approve", "c0000004").out
    assert "--content-file" not in refused
    assert "to reject: curator-tui reject c0000004" in refused


def test_a_dry_run_repeats_no_secret(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    cli = cli_at(make_home(tmp_path / "home", memory="", user="", pending=[record("c0000001", "add", f"key {TOKEN}")]))
    out = cli("approve", "c0000001", "--override", "request", "--dry-run").out
    assert "1 would be applied" in out
    assert TOKEN not in out
