"""Images: byte for byte, complete under their final name, damaged ones never restored."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator_tui.core.changes import Image
from curator_tui.core.documents import Target
from curator_tui.core.errors import Unreadable
from curator_tui.core.requests import Request
from curator_tui.stores.hermes import images
from curator_tui.stores.new_files import NewFiles
from curator_tui.stores.safe_files import Folder
from tests.stores.homes import AT, MEMORY, USER, added, correct, make_home, open_store, planned

NAME = "20261130T000000.250Z-0123456789abcdef"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    with Folder.open(tmp_path) as opened:
        yield opened


def made(folder: Folder, files: dict[Target, bytes | None], name: str = NAME) -> Path:
    with NewFiles() as new:
        images.build(folder, Image(name, files, "before a test"), "0123456789abcdef", AT, new)
        new.sync()
    images.sync(folder, name)
    assert images.place(folder, name)
    return Path(folder.path) / name


@pytest.mark.parametrize("raw", [None, b"", b"\xff\x00\r\n\xc2\xa7", b"x" * 100_000])
def test_an_image_returns_the_exact_bytes(folder: Folder, raw: bytes | None) -> None:
    path = made(folder, {MEMORY: raw, USER: b"who"})
    found = images.read_image(folder, NAME)
    assert found is not None
    assert found.files == {MEMORY: raw, USER: b"who"}
    assert (found.id, found.at, found.change) == (NAME, AT, "0123456789abcdef")
    assert (path / "MEMORY.md").exists() == (raw is not None)


def test_an_image_is_private_and_says_what_it_is(folder: Folder) -> None:
    path = made(folder, {MEMORY: None, USER: b""})
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in path.iterdir())
    about = json.loads((path / "about.json").read_text())
    assert about == {
        "id": NAME,
        "at": "2026-11-30T00:53:20.250Z",
        "change": "0123456789abcdef",
        "reason": "before a test",
        "documents": {"memory": {"state": "missing", "bytes": 0}, "user": {"state": "empty", "bytes": 0}},
    }
    assert about["at"].endswith(".250Z")


def test_an_image_of_one_document_speaks_of_that_one_only(folder: Folder) -> None:
    made(folder, {MEMORY: b"one"})
    found = images.read_image(folder, NAME)
    assert found is not None
    assert found.files == {MEMORY: b"one"}


def test_only_a_placed_image_is_listed_and_placing_twice_is_harmless(folder: Folder) -> None:
    with NewFiles() as new:
        images.build(folder, Image(NAME, {MEMORY: b"one"}, "x"), "c", AT, new)
    assert images.list_images(folder) == ([], [])
    assert images.place(folder, NAME)
    assert images.place(folder, NAME)
    assert [found.id for found in images.list_images(folder)[0]] == [NAME]
    shutil.rmtree(Path(folder.path) / NAME)
    assert not images.place(folder, NAME)


def test_discarding_takes_away_only_what_was_not_placed(folder: Folder) -> None:
    with NewFiles() as new:
        images.build(folder, Image(NAME, {MEMORY: b"one"}, "x"), "c", AT, new)
    images.discard(folder, NAME)
    images.discard(folder, NAME)
    assert folder.names() == []
    path = made(folder, {MEMORY: b"one"})
    images.discard(folder, NAME)
    assert path.is_dir()


def test_folders_that_are_not_ours_are_ignored(folder: Folder, tmp_path: Path) -> None:
    for name in ("mine", "2026", ".hidden", NAME + ".part", "20261130T000000Z-", "20261130T000000Z-a b"):
        (tmp_path / name).mkdir()
    (tmp_path / "notes.txt").write_text("x")
    assert images.list_images(folder) == ([], [])
    assert images.read_image(folder, "mine") is None
    assert images.read_image(folder, "../" + tmp_path.name) is None


def damage_missing_about(path: Path) -> None:
    (path / "about.json").unlink()


def damage_about_json(path: Path) -> None:
    (path / "about.json").write_text("{")


def damage_about_list(path: Path) -> None:
    (path / "about.json").write_text("[]")


def damage_about_fields(path: Path) -> None:
    (path / "about.json").write_text(json.dumps({"id": path.name, "at": 3, "documents": []}))


def damage_about_target(path: Path) -> None:
    about = json.loads((path / "about.json").read_text())
    about["documents"]["soul"] = {"state": "missing", "bytes": 0}
    (path / "about.json").write_text(json.dumps(about))


def damage_about_change(path: Path) -> None:
    about = json.loads((path / "about.json").read_text())
    (path / "about.json").write_text(json.dumps({**about, "change": "\ud800"}))


def damage_other_id(path: Path) -> None:
    text = (path / "about.json").read_text()
    (path / "about.json").write_text(text.replace("0123456789abcdef", "other", 1))


def damage_file_gone(path: Path) -> None:
    (path / "MEMORY.md").unlink()


def damage_file_cut(path: Path) -> None:
    (path / "MEMORY.md").write_bytes(b"on")


def damage_file_linked(path: Path) -> None:
    (path / "MEMORY.md").unlink()
    (path / "MEMORY.md").symlink_to("/etc/passwd")


def damage_file_piped(path: Path) -> None:
    (path / "MEMORY.md").unlink()
    os.mkfifo(path / "MEMORY.md")


def damage_linked(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


DAMAGES = [
    damage_missing_about, damage_about_json, damage_about_list, damage_about_fields, damage_about_target,
    damage_about_change, damage_other_id, damage_file_gone, damage_file_cut, damage_file_linked, damage_file_piped,
    damage_linked,
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_image_is_reported_and_never_read(folder: Folder, damage: object) -> None:
    path = made(folder, {MEMORY: b"one", USER: b"who"})
    other = NAME.replace("0123", "9999")
    made(folder, {MEMORY: b"one"}, other)
    assert callable(damage)
    damage(path)
    found, problems = images.list_images(folder)
    assert [image.id for image in found] == [other]
    assert [problem.code for problem in problems] == ["backup-damaged"]
    assert NAME in problems[0].message
    with pytest.raises(Unreadable):
        images.read_image(folder, NAME)


def test_a_store_lists_backups_in_the_order_of_their_changes(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    store = open_store(home)
    for name in ("z", "a", "m"):
        store.transact(correct(name), planned({MEMORY: added(name)}))
    changes = [change.backup for change in store.book.changes()][::-1]
    found, problems = store.backups()
    assert [image.id for image in found] == changes
    assert problems == []
    assert store.backup(found[1].id) == found[1]
    assert store.backup("20261130T000000Z-none") is None
    request = correct("look")
    view = store.peek(Request(request.stamp, request.kind, backup=found[1].id))
    assert view.backup == found[1]
    assert [change.backup for change in view.later] == changes[1:]
    store.close()


def test_a_home_without_backups_has_none(tmp_path: Path) -> None:
    store = open_store(make_home(tmp_path / "home"))
    assert store.backups() == ((), ())
    assert store.backup(NAME) is None
    store.close()
    shutil.rmtree(tmp_path / "home" / "memories")
    store = open_store(tmp_path / "home")
    assert store.backups() == ((), ())
    assert store.backup(NAME) is None
    store.close()
