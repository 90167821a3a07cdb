"""Locks: bounded, naming the holder, in one order, compatible with what Hermes does, never removed."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from curator_tui.core.documents import Target
from curator_tui.core.errors import Locked, WriteFailed
from curator_tui.core.requests import Actor, ActorKind
from curator_tui.curator.desk import Desk
from curator_tui.stores.hermes.home import bind
from curator_tui.stores.hermes.locks import Waits, document_locks, held, own_lock
from curator_tui.stores.hermes.store import HermesStore
from curator_tui.stores.safe_files import Folder
from tests.homes import make_home

QUICK = Waits(0.05)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    with Folder.open(tmp_path) as opened:
        yield opened


def test_the_second_is_told_who_holds_it(folder: Folder) -> None:
    with own_lock(folder, "approve", QUICK):
        with pytest.raises(Locked) as caught, own_lock(folder, "reject", QUICK):
            pass
        assert f"curator-tui (process {os.getpid()}, approve)" in caught.value.message
        assert caught.value.exit_code == 3
    with own_lock(folder, "reject", QUICK):
        pass


def test_whoever_waits_gets_the_lock_when_it_is_free_and_not_before(folder: Folder) -> None:
    taken = threading.Event()
    leave = threading.Event()

    def hold() -> None:
        with own_lock(folder, "first", QUICK):
            taken.set()
            leave.wait(5)

    holder = threading.Thread(target=hold)
    holder.start()
    assert taken.wait(5)
    threading.Timer(0.05, leave.set).start()
    with own_lock(folder, "second", Waits(5)):
        assert leave.is_set(), "both held it at once"
    holder.join()


def test_the_wait_is_as_long_as_was_said_and_no_longer(folder: Folder) -> None:
    slept: list[float] = []
    with own_lock(folder, "first", QUICK):
        told = pytest.raises(Locked, match="for longer than 5 seconds")
        with told, own_lock(folder, "second", Waits(5, lambda: sum(slept), slept.append)):
            pass
    assert sum(slept) == pytest.approx(5)


def test_a_stopped_process_is_named_and_a_dead_one_is_no_obstacle(folder: Folder, tmp_path: Path) -> None:
    code = (
        "import fcntl,os,sys,time\n"
        "fd=os.open(sys.argv[1],os.O_RDWR|os.O_CREAT)\n"
        "fcntl.flock(fd,fcntl.LOCK_EX)\n"
        "print('held',flush=True)\n"
        "time.sleep(60)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "MEMORY.md.lock")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        other.stdout.readline()
        told = pytest.raises(Locked, match="Hermes Agent or another program")
        with told, document_locks(folder, [Target.MEMORY], QUICK):
            pass
        other.kill()
        other.wait()
    with document_locks(folder, [Target.MEMORY], QUICK):
        pass


def test_the_locks_are_hermess_and_memory_comes_first(folder: Folder, tmp_path: Path) -> None:
    with document_locks(folder, [Target.USER, Target.MEMORY], QUICK):
        for name in ("MEMORY.md.lock", "USER.md.lock"):
            fd = os.open(tmp_path / name, os.O_RDWR)
            with pytest.raises(BlockingIOError):
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.close(fd)
    fd = os.open(tmp_path / "MEMORY.md.lock", os.O_RDWR)
    fcntl.flock(fd, fcntl.LOCK_EX)
    (tmp_path / "USER.md.lock").unlink()
    with pytest.raises(Locked, match=r"MEMORY\.md\.lock"), document_locks(folder, Target, QUICK):
        pass
    assert not (tmp_path / "USER.md.lock").exists(), "USER was touched before MEMORY was held"
    os.close(fd)


@pytest.mark.parametrize(("make", "kind"), [(os.mkdir, "a folder"), (os.mkfifo, "a named pipe")])
def test_what_hermes_could_not_lock_is_no_lock_of_ours_either(
    folder: Folder, tmp_path: Path, make: Callable[[Path], None], kind: str
) -> None:
    """A pipe could be locked by us alone, and Hermes would not be kept out by it."""
    make(tmp_path / "USER.md.lock")
    make(tmp_path / "lock")
    for take in (lambda: document_locks(folder, Target, QUICK), lambda: own_lock(folder, "approve", QUICK)):
        with pytest.raises(WriteFailed, match=f"is {kind}, not a regular file") as caught, take():
            pass
        assert "move it away" in caught.value.way_out


@pytest.mark.parametrize("size", [5, 128, 700])
def test_our_lock_never_writes_into_a_document_that_has_its_name_too(folder: Folder, tmp_path: Path, size: int) -> None:
    (tmp_path / "MEMORY.md").write_bytes(b"x" * size)
    os.link(tmp_path / "MEMORY.md", tmp_path / "lock")
    with (
        pytest.raises(WriteFailed, match="another name of a file that is no lock of ours"),
        own_lock(folder, "approve", QUICK),
    ):
        pass
    assert (tmp_path / "MEMORY.md").read_bytes() == b"x" * size


def test_a_copy_of_a_home_by_hard_links_can_still_be_locked(folder: Folder, tmp_path: Path) -> None:
    for _ in range(2):
        with own_lock(folder, "approve", QUICK), document_locks(folder, Target, QUICK):
            pass
        for name in ("lock", "MEMORY.md.lock", "USER.md.lock"):
            with contextlib.suppress(FileExistsError):
                os.link(tmp_path / name, tmp_path / f"{name}.copy")


def test_two_names_of_one_lock_are_told_and_not_waited_for(folder: Folder, tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md.lock").touch()
    os.link(tmp_path / "MEMORY.md.lock", tmp_path / "USER.md.lock")
    with pytest.raises(WriteFailed, match=r"is the same file as USER\.md\.lock"), document_locks(folder, Target, QUICK):
        pass


def test_a_lock_file_stays_is_private_and_is_not_followed(folder: Folder, tmp_path: Path) -> None:
    with own_lock(folder, "one", QUICK):
        inode = (tmp_path / "lock").stat().st_ino
    with own_lock(folder, "two", QUICK):
        pass
    assert (tmp_path / "lock").stat().st_ino == inode
    assert stat.S_IMODE((tmp_path / "lock").stat().st_mode) == 0o600
    (tmp_path / "MEMORY.md.lock").symlink_to("elsewhere")
    with pytest.raises(WriteFailed, match="symbolic link"), document_locks(folder, [Target.MEMORY], QUICK):
        pass
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS])
def test_a_file_system_without_locks_is_refused(folder: Folder, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def flock(fd: int, how: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(WriteFailed, match="no locks we could rely on"), own_lock(folder, "approve", QUICK):
        pass


def test_an_unreadable_signature_still_gives_an_answer(folder: Folder, tmp_path: Path) -> None:
    (tmp_path / "lock").write_bytes(b"\xff not ours")
    fd = os.open(tmp_path / "lock", os.O_RDWR)
    fcntl.flock(fd, fcntl.LOCK_EX)
    with pytest.raises(Locked, match="another curator-tui"), own_lock(folder, "approve", QUICK):
        pass
    os.close(fd)


def test_a_child_does_not_inherit_the_lock(folder: Folder) -> None:
    with own_lock(folder, "approve", QUICK):
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)"], close_fds=False)
    try:
        with own_lock(folder, "reject", QUICK):
            pass
    finally:
        child.kill()
        child.wait()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_lock_made_by_root_belongs_to_the_owner_of_the_folder(folder: Folder, tmp_path: Path) -> None:
    os.chown(tmp_path, 4321, 4322)
    with document_locks(folder, [Target.USER], QUICK):
        pass
    assert (tmp_path / "USER.md.lock").stat().st_uid == 4321


def test_who_only_looks_sees_a_lock_and_takes_none(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "MEMORY.md.lock"
    assert held(folder, name) is False, "there is no such file"
    with document_locks(folder, [Target.MEMORY, Target.USER], QUICK):
        monkeypatch.setattr(fcntl, "flock", None)
        assert held(folder, name) is True
        assert held(folder, "USER.md.lock") is True
    assert held(folder, name) is False


def test_where_the_system_lists_no_locks_nothing_is_said(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    (Path(folder.path) / "MEMORY.md.lock").touch()
    monkeypatch.setattr("curator_tui.stores.hermes.locks._LOCKS", "/nonexistent/locks")
    assert held(folder, "MEMORY.md.lock") is None


def test_a_line_that_is_about_another_file_or_kind_of_lock_does_not_count(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (Path(folder.path) / "MEMORY.md.lock").touch()
    status = os.stat(Path(folder.path) / "MEMORY.md.lock")
    place = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    listed = tmp_path / "locks"
    monkeypatch.setattr("curator_tui.stores.hermes.locks._LOCKS", str(listed))
    for line, found in (
        (f"1: FLOCK  ADVISORY  WRITE 42 {place} 0 EOF", True),
        (f"1: POSIX  ADVISORY  WRITE 42 {place} 0 EOF", False),
        (f"1: -> FLOCK  ADVISORY  WRITE 42 {place} 0 EOF", False),
        (f"1: FLOCK  ADVISORY  WRITE 42 {place}1 0 EOF", False),
        (f"1: FLOCK  ADVISORY  WRITE 42 fd:99:{status.st_ino} 0 EOF", False),
        ("1: FLOCK  ADVISORY  WRITE 42 <none>:0 0 EOF", False),
        ("", False),
    ):
        listed.write_text(line + "\n")
        assert held(folder, "MEMORY.md.lock") is found, line


def test_looking_does_not_wait_for_a_writer(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home", memory="Uses zsh")
    slept: list[float] = []
    store = HermesStore(bind(home, None, {}, uid_home=tmp_path), {}, Waits(5, lambda: sum(slept), slept.append))
    with closing(Desk(store, Actor(ActorKind.PERSON, "tester", "tui"))) as desk:
        desk.observe()
        with Folder.open(home / "curator-tui") as where, own_lock(where, "approve", QUICK):
            with pytest.raises(Locked):
                desk.observe()
            assert sum(slept) < 0.2
            with pytest.raises(Locked):
                desk.reopen(["c0000001"])
            assert sum(slept) > 5
