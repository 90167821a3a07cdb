"""Records whose bytes nobody read: they are never decided about as if they were empty, and the book stays in order."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from curator_tui.stores.hermes import reading
from curator_tui.stores.hermes.names import RECORD_LIMIT
from tests.cli.conftest import Cli
from tests.homes import make_home, record


def _large(path: Path) -> None:
    path.write_bytes(b"a" * (RECORD_LIMIT + 1))


def _sparse(path: Path) -> None:
    path.touch()
    os.truncate(path, 1 << 30)


def _hard_link(path: Path) -> None:
    (path.parent / "other.txt").write_text("{}")
    os.link(path.parent / "other.txt", path)


REFUSED: dict[str, Callable[[Path], None]] = {
    "large": _large,
    "sparse": _sparse,
    "pipe": os.mkfifo,
    "link": lambda path: path.symlink_to("/etc/passwd"),
    "dangling": lambda path: path.symlink_to("nowhere"),
    "hard-link": _hard_link,
}
READ: dict[str, bytes] = {"empty": b"", "torn": b'{"id": "odd", "payl', "bytes": b"\xff\xfe\x00", "list": b"[1]\n"}


def in_order(cli: Cli) -> None:
    """Both checks of the book find nothing."""
    assert cli.json("ledger", "verify")["problems"] == []
    assert cli.json("doctor")["problems"] == []


@pytest.mark.parametrize("kind", REFUSED)
@pytest.mark.parametrize("verb", ["reject", "log-only"])
def test_of_what_was_not_read_nothing_is_kept_and_no_undo_makes_it_up(
    tmp_path: Path, cli_at: Callable[[Path], Cli], kind: str, verb: str
) -> None:
    cli = cli_at(make_home(tmp_path / "home"))
    REFUSED[kind](cli.home / "pending" / "memory" / "odd.json")
    assert "no undo brings it back" in cli("show", "odd").out
    assert cli.json("show", "odd", "--raw")["raw_base64"] is None
    done = cli.json(verb, "odd")
    assert done["unkept"] == ["odd"]
    assert done["notes"] == ["odd could not be read: nothing of it was kept, so it cannot come back"]
    in_order(cli)
    for taking_back in (("undo", done["change"]), ("undo",), ("redo",), ("reopen", "odd")):
        assert cli.json(*taking_back, code=1)["returned"] == []
        assert cli.waiting() == set()
        in_order(cli)
    assert cli.json("undo", done["change"], code=1)["not_applied"][0]["code"] == "not-kept"


@pytest.mark.parametrize("kind", READ)
def test_what_was_read_comes_back_byte_for_byte_however_odd_it_is(
    tmp_path: Path, cli_at: Callable[[Path], Cli], kind: str
) -> None:
    cli = cli_at(make_home(tmp_path / "home"))
    path = cli.home / "pending" / "memory" / "odd.json"
    path.write_bytes(READ[kind])
    for verb in (("reject", "odd"), ("undo",), ("redo",), ("undo",)):
        answer = cli.json(*verb)
        assert answer["unkept"] == []
        in_order(cli)
        assert (path.read_bytes() == READ[kind]) if verb == ("undo",) else not path.exists()


def test_what_was_not_read_leaves_the_rest_of_a_plan_to_be_taken_back(
    tmp_path: Path, cli_at: Callable[[Path], Cli]
) -> None:
    cli = cli_at(make_home(tmp_path / "home", pending=[record("a1", "add", "x")]))
    _large(cli.home / "pending" / "memory" / "odd.json")
    assert cli.json("reject", "a1", "odd")["unkept"] == ["odd"]
    for verb, back in ((("undo",), {"a1"}), (("redo",), set()), (("undo",), {"a1"})):
        cli.json(*verb, code=None)
        assert cli.waiting() == back
        in_order(cli)


@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO, errno.EMFILE])
@pytest.mark.parametrize("verb", ["reject", "log-only"])
def test_nothing_is_decided_about_what_may_be_read_another_time(
    tmp_path: Path, cli_at: Callable[[Path], Cli], monkeypatch: pytest.MonkeyPatch, verb: str, number: int
) -> None:
    cli = cli_at(make_home(tmp_path / "home", pending=[record("a1", "add", "x"), record("b1", "add", "y")]))
    real = os.open

    def failing(first, *rest, **more):
        if first == "a1.json":
            raise OSError(number, "")
        return real(first, *rest, **more)

    with monkeypatch.context() as here:
        here.setattr(reading.os, "open", failing)
        assert "reject a1" not in cli("show", "a1").out
        answer = cli.json(verb, "a1", "b1", code=1)
    assert [one["id"] for one in answer["applied"]] == ["b1"]
    (left,) = answer["not_applied"]
    assert (left["id"], left["state"], left["code"]) == ("a1", "unreadable", "cannot-read")
    assert left["reason"] == (
        f"it cannot be opened or read: {os.strerror(number)}; nothing is decided about it until it can be read"
    )
    assert cli.waiting() == {"a1"}
    in_order(cli)
    cli.json("approve", "a1")
    assert cli.entries() == ("x",)


def test_a_reason_says_unreadable_once(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    cli = cli_at(make_home(tmp_path / "home"))
    folder = cli.home / "pending" / "memory"
    _large(folder / "large.json")
    (folder / "empty.json").write_bytes(b"")
    for item, cause in (("large", "unreadable: larger than"), ("empty", "unreadable JSON: the file is empty")):
        line = next(line for line in cli("show", item).out.splitlines() if cause in line)
        assert line.count("unreadable") == 1
