"""The verb ``keys``: a map to start from, and what is wrong with one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.cli.test_json import SHAPES


@pytest.fixture
def cli(tmp_path: Path, cli_at: Callable[[Path], Cli], monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("CURATOR_TUI_KEYS", raising=False)
    return cli_at(tmp_path / "no-home-at-all")


def test_what_it_prints_is_a_map_without_a_fault(cli: Cli, tmp_path: Path) -> None:
    printed = cli("keys")
    assert printed.code == 0
    assert '# decide.approve = ["a"]  # approve what is on screen' in printed.out
    assert str(tmp_path / "config" / "curator-tui" / "keys.toml") in printed.out
    path = tmp_path / "keys.toml"
    path.write_text(printed.out, encoding="utf-8")
    assert cli("keys", "--check", str(path)).code == 0


def test_a_bad_line_is_told_with_its_place_and_a_way_out(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.write_text('undo = ["Z"]\n"ev\\u001b[2Jil" = ["q"]\nredo = ["ctrl+i"]\n', encoding="utf-8")
    found = cli("keys", "--check", str(path))
    assert found.code == 1
    assert f"{path}, line 3: redo: ctrl+i arrives as tab. Take tab itself, or another one." in found.out
    assert "no such action" in found.out
    assert "\x1b" not in found.out
    answer = cli.json("keys", "--check", str(path), code=1)
    assert [fault["line"] for fault in answer["faults"]] == [None, 3]
    assert next(action for action in answer["actions"] if action["id"] == "undo")["keys"] == ["Z"]


def test_without_a_name_the_map_in_force_is_checked(cli: Cli, tmp_path: Path) -> None:
    missing = cli("keys", "--check")
    assert missing.code == 2
    assert "no such file" in missing.err
    place = tmp_path / "config" / "curator-tui"
    place.mkdir(parents=True)
    (place / "keys.toml").write_text('undo = ["Z"]\n', encoding="utf-8")
    name = place / "keys.toml"
    assert cli("keys", "--check").out == f"{name}: nothing is wrong with it; lines with keys of yours: 1.\n"
    assert '\nundo = ["Z"]' in cli("keys").out


def test_its_json_is_what_the_reference_says(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "keys.toml").write_text("undo = 1", encoding="utf-8")
    answer = cli.json("keys", "--check", str(tmp_path / "keys.toml"), code=1)
    assert set(answer["faults"][0]) == set(SHAPES["faults[] of keys"])
    assert set(answer["actions"][0]) == set(SHAPES["actions[] of keys"])
