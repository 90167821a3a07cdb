"""Binding: which folder is meant, for every combination of option, variable, profile and link."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from curator_tui.core.errors import NoStore, Unreadable, UsageError
from curator_tui.stores.hermes import quick
from curator_tui.stores.hermes.home import bind, profiles
from tests.homes import fixture_home, make_home, picture


@pytest.fixture
def root(tmp_path: Path) -> Path:
    path = make_home(tmp_path / "user" / ".hermes", memory="one")
    make_home(path, memory="two", profile="work")
    make_home(path, profile="spare")
    return path


def bound(root: Path, home: Path | None = None, profile: str | None = None, **environ: str):
    return bind(home, profile, environ, uid_home=root.parent)


def test_the_default_is_the_folder_of_the_user(root: Path):
    found = bound(root)
    assert (found.root, found.home, found.profile, found.label) == (root, root, "default", "~/.hermes")


def test_the_variable_counts_when_it_is_not_blank_and_the_option_wins(root: Path, tmp_path: Path):
    other = make_home(tmp_path / "other")
    assert bound(root, HERMES_HOME=f"  {other} ").home == other
    assert bound(root, HERMES_HOME="   ").home == root
    assert bound(root, root, HERMES_HOME=str(other)).home == root


def test_without_the_variable_the_folder_that_a_tilde_names_for_hermes_counts(root: Path, tmp_path: Path):
    other = make_home(tmp_path / "elsewhere" / ".hermes")
    found = bound(root, HOME=f"{other.parent}/")
    assert (found.home, found.label) == (other, str(other)), "~ would name the folder of somebody else"
    (note,) = found.notes
    assert f"HOME is {other.parent}/" in note
    assert str(root.parent) in note
    same = bound(root, HOME=str(root.parent))
    assert (same.home, same.label, same.notes) == (root, "~/.hermes", ())
    for more in ({"home": root}, {"HERMES_HOME": str(root)}):
        found = bound(root, HOME=str(other.parent), **more)  # type: ignore[arg-type]
        assert (found.home, found.notes) == (root, ()), "HOME was not asked"


def test_a_person_without_any_folder_is_told_that_nothing_says_where(root: Path):
    with pytest.raises(NoStore, match="HOME is not set") as caught:
        bind(None, None, {}, uid_home=None)
    assert "--home" in caught.value.way_out
    assert bind(None, None, {"HOME": str(root.parent)}, uid_home=None).home == root
    assert bind(root, None, {}, uid_home=None).label == str(root)
    assert quick.look(None, None, {}, "") is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a folder to another")
def test_root_is_told_whose_home_is_open(root: Path):
    assert bound(root).notes == ()
    os.chown(root, 12345, 12345)
    (note,) = bound(root).notes
    assert "belongs to uid 12345" in note


@pytest.mark.parametrize("name", ["work", "spare"])
def test_a_profile_is_a_folder_of_its_own(root: Path, name: str):
    found = bound(root, profile=name)
    assert (found.root, found.home, found.profile) == (root, root / "profiles" / name, name)
    assert found.label == "~/.hermes", "every surface names the profile beside it"
    with found.open() as folder:
        assert folder.stat("memories") is not None


@pytest.mark.parametrize("written", ["work", "work\n", " Work \r\n"])
def test_the_active_profile_counts_as_for_the_hermes_command(root: Path, written: str):
    (root / "active_profile").write_text(written)
    assert bound(root).profile == "work"
    assert bound(root, root).profile == "work"
    assert bound(root, profile="default").home == root
    assert bound(root, profile="spare").profile == "spare"


@pytest.mark.parametrize("written", ["", " \n", "default\n"])
def test_an_empty_active_profile_is_the_default(root: Path, written: str):
    (root / "active_profile").write_text(written)
    assert bound(root).home == root


def test_a_home_that_is_a_profile_ignores_the_active_profile(root: Path):
    (root / "active_profile").write_text("spare")
    (root / "profiles" / "work" / "active_profile").write_text("spare")
    found = bound(root, root / "profiles" / "work")
    assert (found.root, found.home, found.profile) == (root, root / "profiles" / "work", "work")
    assert bound(root, root / "profiles" / "work", "work").profile == "work"
    assert bound(root, HERMES_HOME=f"{root}/profiles/work/").profile == "work"
    for other in ("default", "spare"):
        with pytest.raises(UsageError, match="is the profile work"):
            bound(root, root / "profiles" / "work", other)


def test_a_link_to_a_profile_or_a_home_is_resolved_once(root: Path, tmp_path: Path):
    (tmp_path / "link").symlink_to(root / "profiles" / "work")
    assert bound(root, tmp_path / "link").profile == "work"
    assert bound(root, tmp_path / "link").home == root / "profiles" / "work"
    (tmp_path / "short").symlink_to(root)
    assert bound(root, tmp_path / "short").home == root


def test_a_profile_that_lies_elsewhere_behind_a_link_keeps_its_name(root: Path, tmp_path: Path):
    elsewhere = make_home(tmp_path / "disk")
    (root / "profiles" / "big").symlink_to(elsewhere)
    assert bound(root, profile="big").home == elsewhere
    assert bound(root, root / "profiles" / "big").profile == "big"
    assert bound(root, root / "profiles" / "big").root == root


@pytest.mark.parametrize("name", ["", "..", "../work", "Work", "-x", "a/b", "a" * 65, "wörk", "work\n"])
def test_a_name_that_is_no_profile_name_is_a_usage_error(root: Path, name: str):
    with pytest.raises(UsageError) as caught:
        bound(root, profile=name)
    assert caught.value.exit_code == 2


def test_a_profile_that_does_not_exist_is_not_made(root: Path):
    before = picture(root)
    with pytest.raises(NoStore, match="no profile nope") as caught:
        bound(root, profile="nope")
    assert caught.value.exit_code == 3
    assert "default, spare, work" in caught.value.way_out
    (root / "active_profile").write_text("nope")
    with pytest.raises(NoStore):
        bound(root)
    (root / "active_profile").unlink()
    assert {name for name in picture(root) if name not in before} == set()


@pytest.mark.parametrize("written", [b"../work", b"work\nspare", b"\xff", b"a b", b"\x1b[2J"])
def test_an_active_profile_that_is_no_name_is_refused_and_shown_safely(root: Path, written: bytes):
    (root / "active_profile").write_bytes(written)
    with pytest.raises(NoStore, match="names no profile") as caught:
        bound(root)
    assert "\x1b" not in str(caught.value)


def test_an_active_profile_that_is_no_file_is_not_taken_for_missing(root: Path):
    os.mkfifo(root / "active_profile")
    with pytest.raises(Unreadable, match="named pipe"):
        bound(root)


def test_a_home_must_exist_be_a_folder_and_look_like_one(root: Path, tmp_path: Path):
    with pytest.raises(NoStore, match="does not exist") as caught:
        bound(root, tmp_path / "missing")
    assert "--home" in caught.value.way_out
    (tmp_path / "file").touch()
    with pytest.raises(NoStore, match="is not a folder"):
        bound(root, tmp_path / "file")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NoStore, match="does not look like a Hermes home"):
        bound(root, tmp_path / "empty")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(NoStore):
        bound(root, tmp_path / "loop")


@pytest.mark.parametrize("sign", ["config.yaml", "memories", "pending", "state.db", "SOUL.md"])
def test_any_sign_of_hermes_is_enough(root: Path, tmp_path: Path, sign: str):
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / sign).touch()
    assert bound(root, tmp_path / "new").home == tmp_path / "new"


def test_profiles_are_folders_with_a_name_of_the_grammar(root: Path, tmp_path: Path):
    (root / "profiles" / "Not").mkdir()
    (root / "profiles" / ".git").mkdir()
    (root / "profiles" / "file").touch()
    assert profiles(root) == ("spare", "work")
    assert profiles(tmp_path / "nowhere") == ()


def test_binding_writes_nothing(tmp_path: Path):
    path = fixture_home(tmp_path / "h")
    before = picture(path)
    assert bind(path, "work", {}, uid_home=tmp_path).home == path / "profiles" / "work"
    assert picture(path) == before


def test_a_label_shows_control_characters_of_a_path(tmp_path: Path):
    path = make_home(tmp_path / "odd\x1b[2Jname")
    assert "\x1b" not in bind(path, None, {}, uid_home=tmp_path / "u").label
