"""The file layer: nothing is followed, nothing blocks, what is written is durable, and errors name the file."""

from __future__ import annotations

import errno
import os
import signal
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curator_tui.core.errors import NoStore, Unreadable, WriteFailed
from curator_tui.stores.file_errors import describe, kind_of
from curator_tui.stores.new_files import NewFiles, rename_new
from curator_tui.stores.safe_files import Folder


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    with Folder.open(tmp_path) as opened:
        yield opened


@pytest.fixture(autouse=True)
def never_hang() -> Iterator[None]:
    """Anything that blocks ends the test instead of the run."""
    signal.alarm(20)
    yield
    signal.alarm(0)


def failing(number: int, times: int = 1) -> Callable[..., None]:
    """Return a function that fails ``times`` times and then does nothing."""
    left = [times]

    def call(*_: object, **__: object) -> None:
        if left[0]:
            left[0] -= 1
            raise OSError(number, os.strerror(number))

    return call


def test_a_missing_folder_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(NoStore, match="does not exist"):
        Folder.open(tmp_path / "none")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(NoStore, match="not a folder"):
        Folder.open(tmp_path / "file")


def test_a_link_is_followed_only_where_that_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    Folder.open(tmp_path / "link").close()
    with pytest.raises(NoStore):
        Folder.open(tmp_path / "link", follow=False)
    with Folder.open(tmp_path) as folder, pytest.raises(NoStore, match="symbolic link"):
        folder.open_folder("link")


def test_reading_tells_missing_empty_and_content_apart(folder: Folder, tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "full").write_bytes(b"\x00\xff\r\n")
    assert folder.read_file("none") is None
    assert folder.read_file("empty") == b""
    assert folder.read_file("full") == b"\x00\xff\r\n"


def test_only_regular_files_are_read_and_a_pipe_does_not_block(folder: Folder, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/etc/passwd")
    (tmp_path / "inner").mkdir()
    for name, kind in (("pipe", "named pipe"), ("link", "symbolic link"), ("inner", "folder")):
        with pytest.raises(Unreadable, match=kind):
            folder.read_file(name)


def test_a_socket_is_not_read(folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    with socket.socket(socket.AF_UNIX) as served:
        with monkeypatch.context() as here:
            here.chdir(tmp_path)  # an address holds about a hundred bytes
            served.bind("socket")
        with pytest.raises(Unreadable, match="socket"):
            folder.read_file("socket")


def test_a_file_over_the_limit_is_unreadable_and_one_at_the_limit_is_not(folder: Folder, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 5000)
    assert folder.read_file("file", limit=5000) == b"x" * 5000
    with pytest.raises(Unreadable, match="larger than 4,999 bytes"):
        folder.read_file("file", limit=4999)
    assert folder.read_file("file", limit=None) == b"x" * 5000


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../x", "/etc/passwd", "a\0b"])
def test_no_name_leads_out_of_the_folder(folder: Folder, name: str) -> None:
    for call in (folder.read_file, folder.stat, folder.unlink, folder.open_folder, folder.make_folder):
        with pytest.raises(Unreadable, match="not a file name"):
            call(name)
    with pytest.raises(Unreadable, match="not a file name"):
        folder.write_new(name, b"")
    with pytest.raises(Unreadable, match="not a file name"):
        folder.rename("a", name)


def test_a_new_file_has_exactly_its_mode_whatever_the_umask(folder: Folder, tmp_path: Path) -> None:
    for umask in (0, 0o077, 0o277):
        old = os.umask(umask)
        try:
            folder.write_new(f"private{umask}", b"a")
            folder.write_new(f"shared{umask}", b"a", mode=0o664)
            folder.make_folder(f"folder{umask}", mode=0o700)
        finally:
            os.umask(old)
        assert stat.S_IMODE((tmp_path / f"private{umask}").stat().st_mode) == 0o600
        assert stat.S_IMODE((tmp_path / f"shared{umask}").stat().st_mode) == 0o664
        assert stat.S_IMODE((tmp_path / f"folder{umask}").stat().st_mode) == 0o700


def test_an_existing_file_or_link_is_never_written(folder: Folder, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("file", "link"):
        with pytest.raises(WriteFailed, match="File exists"):
            folder.write_new(name, b"new")
    assert (tmp_path / "file").read_bytes() == b"old"
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_what_root_makes_belongs_to_the_owner_of_the_folder(folder: Folder, tmp_path: Path) -> None:
    os.chown(tmp_path, 4321, 4322)
    folder.write_new("file", b"")
    folder.make_folder("inner")
    for name in ("file", "inner"):
        status = (tmp_path / name).stat()
        assert (status.st_uid, status.st_gid) == (4321, 4322)
    (tmp_path / "other").write_bytes(b"")
    os.chown(tmp_path / "other", 17, 18)
    folder.write_new("replacing", b"", owner=(tmp_path / "other").stat())
    assert (tmp_path / "replacing").stat().st_uid == 17


def test_short_writes_are_completed(folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, bytes(data[:3])))
    folder.write_new("file", b"0123456789")
    assert (tmp_path / "file").read_bytes() == b"0123456789"


@pytest.mark.parametrize("call", ["write", "fsync", "fchmod"])
def test_a_failed_write_leaves_no_file(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    monkeypatch.setattr(os, call, failing(errno.ENOSPC))
    with pytest.raises(WriteFailed, match="No space left on device") as caught:
        folder.write_new("file", b"data")
    assert "Free some space" in caught.value.way_out
    assert not (tmp_path / "file").exists()


def test_an_error_from_closing_is_none(folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.close

    def close(fd: int) -> None:
        real(fd)
        raise OSError(errno.EIO, "late")

    monkeypatch.setattr(os, "close", close)
    folder.write_new("file", b"data")
    assert folder.read_file("file") == b"data"
    Folder.open(tmp_path).close()


def test_syncing_tolerates_only_that_it_is_not_needed(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", failing(errno.EINVAL))
    folder.fsync()
    monkeypatch.setattr(os, "fsync", failing(errno.EIO))
    with pytest.raises(WriteFailed, match="Input/output error"):
        folder.fsync()


def test_an_error_names_file_mode_and_owner(folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "MEMORY.md").write_bytes(b"")
    (tmp_path / "MEMORY.md").chmod(0o640)
    monkeypatch.setattr(os, "rename", failing(errno.EACCES))
    with pytest.raises(WriteFailed) as caught:
        folder.rename("temp", "MEMORY.md")
    owner = (tmp_path / "MEMORY.md").owner()
    assert f"{tmp_path}/MEMORY.md" in caught.value.message
    assert f"mode 0640, owner {owner}" in caught.value.message


def test_a_name_that_is_taken_is_not_taken_over_whoever_comes_in_between(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write_new("temp", b"ours")
    assert rename_new(folder, "temp", "free")
    assert (tmp_path / "free").read_bytes() == b"ours"
    assert not (tmp_path / "temp").exists()
    folder.write_new("temp", b"ours")
    folder.write_new("taken", b"theirs")
    with monkeypatch.context() as blind:
        blind.setattr(Folder, "stat", lambda *_: None)  # it was not there yet when somebody looked
        assert not rename_new(folder, "temp", "taken")
    assert (tmp_path / "taken").read_bytes() == b"theirs"
    assert (tmp_path / "temp").read_bytes() == b"ours"


@pytest.mark.parametrize("number", [errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS])
def test_a_file_system_without_links_is_looked_at_before_a_file_gets_its_name(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(os, "link", failing(number, times=2))
    folder.write_new("temp", b"ours")
    folder.write_new("taken", b"theirs")
    assert not rename_new(folder, "temp", "taken")
    assert (tmp_path / "taken").read_bytes() == b"theirs"
    assert rename_new(folder, "temp", "free")
    assert (tmp_path / "free").read_bytes() == b"ours"


def test_an_error_on_the_way_to_a_name_is_one_of_ours(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write_new("temp", b"ours")
    monkeypatch.setattr(os, "link", failing(errno.EIO))
    with pytest.raises(WriteFailed, match="Input/output error"):
        rename_new(folder, "temp", "free")


def test_renaming_between_folders_and_removing(folder: Folder, tmp_path: Path) -> None:
    folder.write_new("file", b"data")
    with folder.open_folder("inner", create=True) as inner:
        folder.rename("file", "moved", inner)
        assert inner.names() == ["moved"]
        assert inner.unlink("moved") is True
        assert inner.unlink("moved", missing_ok=True) is False
        with pytest.raises(WriteFailed, match="No such file"):
            inner.unlink("moved")
        inner.write_new("rest", b"")
    folder.remove_folder("inner")
    assert folder.names() == []


def test_a_folder_that_somebody_else_just_made_is_opened(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.mkdir

    def first(name: str, mode: int, *, dir_fd: int) -> None:
        real(name, mode, dir_fd=dir_fd)
        real(name, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "mkdir", first)
    folder.open_folder("inner", create=True).close()
    assert (tmp_path / "inner").is_dir()


def test_names_in_messages_are_visible(folder: Folder, tmp_path: Path) -> None:
    (tmp_path / "evil\x1b[2J").symlink_to("x")
    with pytest.raises(Unreadable) as caught:
        folder.read_file("evil\x1b[2J")
    assert "\x1b" not in caught.value.message


def test_a_file_is_described_by_its_kind_and_a_user_without_name_by_number() -> None:
    assert kind_of(stat.S_IFREG) == "a regular file"
    assert kind_of(stat.S_IFBLK) == "a device"
    assert "uid 4294967294" in describe(os.stat_result((0o100600, 0, 0, 1, 4294967294, 0, 0, 0, 0, 0)))


def test_files_written_together_are_each_synced_after_all_bytes_are_written(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    write, fsync = os.write, os.fsync
    monkeypatch.setattr(os, "write", lambda fd, data: (calls.append("write"), write(fd, data))[1])
    monkeypatch.setattr(os, "fsync", lambda fd: (calls.append("fsync"), fsync(fd))[1])
    with NewFiles() as files:
        for name in ("one", "two", "three"):
            files.write(folder, name, name.encode(), mode=0o640)
        files.sync()
    assert calls == ["write"] * 3 + ["fsync"] * 3
    assert [(tmp_path / name).read_text() for name in folder.names()] == ["one", "three", "two"]
    assert all(stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o640 for name in folder.names())


def test_a_failed_sync_of_one_of_many_names_it(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", failing(errno.EIO))
    with NewFiles() as files:
        files.write(folder, "one", b"1")
        files.write(folder, "two", b"2")
        with pytest.raises(WriteFailed, match=r"cannot sync .*/one: Input/output error \(mode 0600, owner"):
            files.sync()
    with pytest.raises(WriteFailed, match="File exists"):
        folder.write_new("one", b"")
