"""Settings: what Hermes would use, or an honest "unknown"; the values were taken from Hermes 0.19.0 itself."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from curator_tui.core.documents import Target
from curator_tui.stores.hermes.config import CONFIG_LIMIT, GATE_COMMAND, Settings, read_settings
from curator_tui.stores.safe_files import Folder
from tests.homes import fixture_home, home_for_case, make_home, picture

DEFAULTS = {Target.MEMORY: 2200, Target.USER: 1375}
UNKNOWN = {Target.MEMORY: None, Target.USER: None}


@pytest.fixture
def read(tmp_path: Path):
    def reading(text: str | bytes | None, managed: str | None = None, **environ: str) -> Settings:
        home = make_home(tmp_path / "h")
        if text is not None:
            (home / "config.yaml").write_bytes(text.encode() if isinstance(text, str) else text)
        layer = tmp_path / "managed"
        layer.mkdir(exist_ok=True)
        if managed is not None:
            (layer / "config.yaml").write_text(managed)
        with Folder.open(home) as folder:
            return read_settings(folder, {"HERMES_MANAGED_DIR": str(layer), **environ})

    return reading


@pytest.mark.parametrize("text", [None, "", "# nothing\n", "model: x\n", "memory:\n", "memory: {}\n"])
def test_what_is_not_set_has_the_documented_default(read: Any, text: str | None):
    found = read(text)
    assert (found.limits, found.gate, found.provider, found.notes) == (DEFAULTS, False, "", ())
    assert found.stores == {Target.MEMORY: True, Target.USER: True}


@pytest.mark.parametrize(
    ("written", "limit"),
    [("2600", 2600), ("2_000", 2000), ('"777"', 777), ('" 900 "', 900), ("1500.5", 1500), ("1", 1)],
)
def test_limits_hermes_can_use_are_used(read: Any, written: str, limit: int):
    found = read(f"memory: {{user_char_limit: {written}}}")
    assert (found.limits, found.notes) == ({Target.MEMORY: 2200, Target.USER: limit}, ())


@pytest.mark.parametrize(
    "written", ["0", "-5", "abc", "true", "null", "[1]", ".inf", ".nan", '"1e3"', '"${NOPE}"', '"${NOPE:-55}"']
)
def test_a_limit_that_is_no_positive_number_is_unknown_and_never_the_default(read: Any, written: str):
    found = read(f"memory: {{memory_char_limit: {written}}}")
    assert found.limits == {Target.MEMORY: None, Target.USER: 1375}
    assert len(found.notes) == 1
    assert "memory_char_limit" in found.notes[0]


def test_variables_are_expanded_from_the_environment(read: Any):
    text = 'memory: {memory_char_limit: "${LIMIT}", write_approval: "${GATE}", provider: "${P}x"}'
    found = read(text, LIMIT="777", GATE="yes", P="hon")
    assert (found.limits[Target.MEMORY], found.gate, found.provider, found.notes) == (777, True, "honx", ())


@pytest.mark.parametrize(
    ("written", "gate"),
    [
        ("true", True),
        ("on", True),
        ('"Yes"', True),
        ('" TRUE "', True),
        ('"1"', True),
        ("enabled", True),
        ("approve", True),
        ("false", False),
        ("1", False),
        ('"y"', False),
        ("null", False),
        ("[true]", False),
        ("maybe", False),
        ('"${NOPE}"', None),
    ],
)
def test_the_gate_is_on_for_what_hermes_takes_for_on(read: Any, written: str, gate: bool | None):
    assert read(f"memory: {{write_approval: {written}}}").gate is gate


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("memory: {write_mode: approve}\n_config_version: 28", True),
        ("memory: {write_mode: Approve}", True),
        ('memory: {write_mode: approve}\n_config_version: "28"', True),
        ("memory: {write_mode: approve, write_approval: false}\n_config_version: 28", True),
        ("memory: {write_mode: off, write_approval: true}\n_config_version: 28", False),
        ('memory: {write_mode: "on"}\n_config_version: 28', False),
        ("memory: {write_mode: approve}\n_config_version: 29", False),
    ],
)
def test_the_old_key_counts_until_hermes_migrates_it(read: Any, text: str, gate: bool):
    assert read(text).gate is gate


def test_stores_and_provider(read: Any):
    found = read("memory: {memory_enabled: false, user_profile_enabled: true, provider: honcho}")
    assert found.stores == {Target.MEMORY: False, Target.USER: True}
    assert found.provider == "honcho"
    odd = read('memory: {memory_enabled: "false", provider: [x]}')
    assert (odd.stores[Target.MEMORY], odd.provider, len(odd.notes)) == (None, "", 1)


@pytest.mark.parametrize(
    "text",
    [
        ": : bad\n  x",
        "memory:\n\tmemory_char_limit: 3",
        "- 1",
        "just text",
        "memory: [a]",
        b"memory: {memory_char_limit: 7} # \xff",
        "memory: {memory_char_limit: 7}".encode("utf-16"),
        "a: 2023-99-99",
        "a: !!timestamp x",
        "a: !!bool x",
        "a: " + "9" * 5000,
        "a: !!python/object:os.system x",
        "[" * 100_000,
        b"#" * (CONFIG_LIMIT + 1),
    ],
    ids=range(14),
)
def test_a_configuration_that_cannot_be_read_leaves_limits_and_gate_unknown(read: Any, text: str | bytes):
    found = read(text)
    assert (found.limits, found.gate) == (UNKNOWN, None)
    assert found.stores == {Target.MEMORY: None, Target.USER: None}
    assert len(found.notes) == 1


def test_a_note_names_the_line_and_no_text_of_the_file(read: Any):
    (note,) = read("a: 1\nb: [secret\n").notes
    assert "line" in note
    assert "secret" not in note


def test_a_configuration_that_is_no_regular_file_never_blocks(tmp_path: Path):
    home = make_home(tmp_path / "h")
    os.mkfifo(home / "config.yaml")
    with Folder.open(home) as folder:
        found = read_settings(folder, {"HERMES_MANAGED_DIR": str(tmp_path / "none")})
    assert (found.limits, found.gate) == (UNKNOWN, None)


def test_a_linked_configuration_is_read_inside_the_home_only(tmp_path: Path):
    home = make_home(tmp_path / "h")
    (home / "real.yaml").write_text("memory: {memory_char_limit: 9}")
    (home / "config.yaml").symlink_to("real.yaml")
    (tmp_path / "out.yaml").write_text("memory: {memory_char_limit: 9}")
    with Folder.open(home) as folder:
        environ = {"HERMES_MANAGED_DIR": str(tmp_path / "none")}
        assert read_settings(folder, environ).limits[Target.MEMORY] == 9
        (home / "config.yaml").unlink()
        (home / "config.yaml").symlink_to(tmp_path / "out.yaml")
        found = read_settings(folder, environ)
    assert found.limits == UNKNOWN
    assert "out of the home" in found.notes[0]


def test_the_managed_layer_lies_on_top_key_by_key(read: Any):
    found = read(
        "memory: {memory_char_limit: 5, write_approval: false}",
        managed='memory: {user_char_limit: "${L}", write_approval: true}',
        L="9",
    )
    assert (found.limits, found.gate, found.notes) == ({Target.MEMORY: 5, Target.USER: 9}, True, ())


def test_a_broken_managed_layer_is_named_and_ignored_as_hermes_does(read: Any):
    found = read("memory: {memory_char_limit: 5}", managed="memory: [1")
    assert found.limits[Target.MEMORY] == 5
    assert "managed" in found.notes[0]


def test_a_managed_memory_section_that_is_none_makes_everything_unknown(read: Any):
    assert read("memory: {memory_char_limit: 5}", managed="memory: [1]").limits == UNKNOWN


def test_a_managed_file_that_cannot_be_read_is_named(tmp_path: Path):
    (tmp_path / "managed").mkdir()
    os.mkfifo(tmp_path / "managed" / "config.yaml")
    with Folder.open(make_home(tmp_path / "h", config={"memory_char_limit": 5})) as folder:
        found = read_settings(folder, {"HERMES_MANAGED_DIR": str(tmp_path / "managed")})
    assert found.limits[Target.MEMORY] == 5
    assert "managed configuration is not honoured" in found.notes[0]


def test_cases_bring_their_own_limits(tmp_path: Path):
    with Folder.open(home_for_case(tmp_path / "h", "T27")) as folder:
        found = read_settings(folder, {"HERMES_MANAGED_DIR": str(tmp_path / "none")})
    assert found.limits == {Target.MEMORY: 2200, Target.USER: 28}


def test_the_home_hermes_wrote_has_the_gate_on_and_is_left_as_it_was(tmp_path: Path):
    path = fixture_home(tmp_path / "h")
    before = picture(path)
    with Folder.open(path) as folder:
        found = read_settings(folder, {"HERMES_MANAGED_DIR": str(tmp_path / "none")})
    assert (found.limits, found.gate, found.notes) == (DEFAULTS, True, ())
    assert picture(path) == before


def test_the_command_that_turns_the_gate_on():
    assert GATE_COMMAND == "hermes config set memory.write_approval true"


def _laughs(key: str, inner: str) -> str:
    layers = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    layers += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    return "\n".join([*layers, inner.format(f"{key}: *a11"), ""])


@pytest.mark.parametrize(
    "key",
    ["memory_char_limit", "user_char_limit", "write_approval", "memory_enabled", "user_profile_enabled", "provider",
     "write_mode"],
)  # fmt: skip
def test_aliases_that_would_be_endless_as_text_are_named_by_their_type(read: Any, key: str):
    found = read(_laughs(key, "memory: {{{}}}"))
    assert all(len(note) < 200 for note in found.notes)
    if key.endswith(("_limit", "_enabled")):
        assert len(found.notes) == 1
        assert found.notes[0].startswith(f"memory.{key} (a list) ")


def test_an_endless_version_is_no_version(read: Any):
    assert read(_laughs("_config_version", "memory: {{write_mode: approve}}\n{}")).gate is True


def test_a_huge_number_is_named_and_not_written(read: Any):
    assert (
        read(f"memory: {{memory_char_limit: -0x{'f' * 9999}}}")
        .notes[0]
        .startswith("memory.memory_char_limit (a very large number) ")
    )
