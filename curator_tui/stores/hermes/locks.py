"""Locks: one writer of ours at a time, and Hermes Agent kept out of a document while we replace it.

Here: ``flock`` on sidecar files with a bounded wait, and who holds them. Not here: which locks a change needs
(``writer``).

The sidecars are never removed (that would let two holders in), never followed through a link, and closed on ``exec``.
Hermes locks ``MEMORY.md.lock`` and ``USER.md.lock`` in ``memories`` with the same call and without a time limit
(``hermes`` section 3); we always take MEMORY before USER, so waits cannot cross.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from curator_tui.core.documents import FILE_NAMES, TARGETS, Target
from curator_tui.core.errors import Locked, WriteFailed
from curator_tui.core.text import visible
from curator_tui.stores.file_errors import kind_of, way_out
from curator_tui.stores.safe_files import FILE_MODE, Folder, close_quietly

OWN_LOCK = "lock"
LOCK_SUFFIX = ".lock"
WAIT_SECONDS = 5.0
_FIRST_SLEEP = 0.001
_LONGEST_SLEEP = 0.05
_SIGNATURE_LENGTH = 128
_SIGNED = b'{"pid": '
_LOCKS = "/proc/locks"
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Waits(Struct, frozen=True):
    """How long to wait for a lock, and the clock it is measured by (seconds)."""

    limit: float = WAIT_SECONDS
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


@contextlib.contextmanager
def own_lock(folder: Folder, verb: str, waits: Waits) -> Iterator[None]:
    """Hold the lock of the home against other programs of ours; ``verb`` is what a waiting one is told.

    Raises:
        Locked: another holds it for longer than we wait.
        WriteFailed: the file system has no locks, or the lock is no file or cannot be opened.
    """
    with _held(folder, OWN_LOCK, waits, _holder) as fd:
        _sign(fd, verb)
        yield


@contextlib.contextmanager
def document_locks(memories: Folder, targets: Iterable[Target], waits: Waits) -> Iterator[None]:
    """Hold Hermes's locks of these documents, MEMORY before USER.

    Raises:
        Locked: another program holds one for longer than we wait.
        WriteFailed: the file system has no locks, or a lock is no file or cannot be opened.
    """
    wanted = set(targets)
    with contextlib.ExitStack() as stack:
        for target in TARGETS:
            if target in wanted:
                name = FILE_NAMES[target] + LOCK_SUFFIX
                stack.enter_context(_held(memories, name, waits, lambda _: "Hermes Agent or another program"))
        yield


@contextlib.contextmanager
def _held(folder: Folder, name: str, waits: Waits, holder: Callable[[int], str]) -> Iterator[int]:
    fd = _open(folder, name)
    try:
        _wait(fd, folder.label(name), waits, holder)
        yield fd
    finally:
        # closing releases the lock; an error here never turns success into an error
        close_quietly(fd)


def _open(folder: Folder, name: str) -> int:
    if (trouble := lock_trouble(folder, name)) is not None:
        raise trouble
    label = folder.label(name)
    try:
        fd = os.open(name, _FLAGS, FILE_MODE, dir_fd=folder.fd)
    except OSError as error:
        raise WriteFailed(f"cannot open the lock {label}: {_cause(error)}.", way_out=way_out(error)) from error
    try:
        _own(fd, folder)
    except OSError as error:
        close_quietly(fd)
        raise WriteFailed(f"cannot open the lock {label}: {_cause(error)}.", way_out=way_out(error)) from error
    return fd


def lock_trouble(folder: Folder, name: str) -> WriteFailed | None:
    """Return why no lock can be had under a name, whoever wants it; None where one is or can be made.

    Hermes locks nothing but a regular file, so that what we could lock besides would keep nobody out.

    Raises:
        Unreadable: it cannot be looked at.
    """
    status = folder.stat(name)
    if status is None:
        return None
    if not stat.S_ISREG(status.st_mode):
        trouble = f"is {kind_of(status.st_mode)}, not a regular file"
    elif name == OWN_LOCK and status.st_nlink > 1 and not _is_signed(folder, status):
        trouble = "is another name of a file that is no lock of ours"
    elif (same := _twin(folder, name, status)) is not None:
        trouble = f"is the same file as {same}, so that whoever holds one holds both"
    else:
        return None
    return WriteFailed(
        f"the lock {folder.label(name)} {trouble}: nothing can be written.",
        way_out="Look at it, move it away and try again; a new lock is made by itself.",
    )


def _is_signed(folder: Folder, status: os.stat_result) -> bool:
    """Whether a lock of ours is empty or signed: we write into it, whatever other names it has."""
    if status.st_size == 0:
        return True
    if status.st_size > _SIGNATURE_LENGTH:
        return False
    raw = folder.read_file(OWN_LOCK, _SIGNATURE_LENGTH)
    return raw is not None and raw.startswith(_SIGNED)


def _twin(folder: Folder, name: str, status: os.stat_result) -> str | None:
    """Return the name of another document's lock that is the very same file; None where there is none."""
    others = [file + LOCK_SUFFIX for file in FILE_NAMES.values() if file + LOCK_SUFFIX != name]
    for other in others if len(others) < len(FILE_NAMES) else ():
        found = folder.stat(other)
        if found is not None and (found.st_dev, found.st_ino) == (status.st_dev, status.st_ino):
            return other
    return None


def _own(fd: int, folder: Folder) -> None:
    """Give a lock file made as root to the owner of its folder, so that Hermes can open it too."""
    if os.geteuid() != 0:
        return
    mine, owner = os.fstat(fd), os.fstat(folder.fd)
    if mine.st_size == 0 and mine.st_uid == 0 and owner.st_uid != 0:
        os.fchown(fd, owner.st_uid, owner.st_gid)


def _wait(fd: int, label: str, waits: Waits, holder: Callable[[int], str]) -> None:
    end = waits.clock() + waits.limit
    pause = _FIRST_SLEEP
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            left = end - waits.clock()
            if left <= 0:
                raise Locked(
                    f"{label} is held by {holder(fd)} for longer than {waits.limit:g} seconds.",
                    way_out="Wait until it is done, or end it, and try again.",
                ) from error
            waits.sleep(min(pause, left))
            pause = min(pause * 2, _LONGEST_SLEEP)
        except InterruptedError:
            continue
        except OSError as error:
            raise WriteFailed(
                f"cannot lock {label}: {_cause(error)}; this file system has no locks we could rely on.",
                way_out="Move the home to a local disk.",
            ) from error
        else:
            return


def held(folder: Folder, name: str) -> bool | None:
    """Whether somebody holds a lock, as far as the system tells without taking it; None where it tells nothing.

    Linux lists all locks that processes of this container hold. Asking with a lock of our own, however short, would
    keep Hermes waiting or make its own attempt fail.

    Raises:
        Unreadable: the lock file cannot be looked at.
    """
    status = folder.stat(name)
    if status is None:
        return False
    try:
        with open(_LOCKS, encoding="ascii", errors="replace") as listed:
            return any(_is_flock_on(line.split(), status) for line in listed)
    except OSError:
        return None


def _is_flock_on(words: list[str], status: os.stat_result) -> bool:
    """Whether a line such as ``1: FLOCK  ADVISORY  WRITE 42 08:01:1234 0 EOF`` is about this file."""
    if len(words) != 8 or words[1] != "FLOCK" or words[5].count(":") != 2:
        return False  # one that waits has an arrow in front; it waits for a lock that has a line of its own
    major, minor, inode = words[5].split(":")
    if inode != str(status.st_ino):
        return False
    device = (int(major, 16), int(minor, 16))
    # layered file systems give a file another device number than their own; none of these has a major number
    return device == (os.major(status.st_dev), os.minor(status.st_dev)) or device[0] == os.major(status.st_dev) == 0


def _sign(fd: int, verb: str) -> None:
    """Leave word of who holds the lock; of no use to anybody but a person, so a failure is none."""
    # always the same length: truncating a file takes longer than all the rest of locking
    word = json.dumps({"pid": os.getpid(), "verb": verb}).encode().ljust(_SIGNATURE_LENGTH)
    with contextlib.suppress(OSError):
        os.pwrite(fd, word, 0)


def _holder(fd: int) -> str:
    """Say who holds our lock as far as the lock file tells."""
    try:
        signed = json.loads(os.pread(fd, _SIGNATURE_LENGTH, 0))
        pid, verb = int(signed["pid"]), visible(str(signed["verb"]))
    except (OSError, ValueError, KeyError, TypeError):
        return "another curator-tui"
    return f"curator-tui (process {pid}, {verb})"


def _cause(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno is not None else "unknown error"
