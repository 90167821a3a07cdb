"""Reading a Hermes home: its two documents and single records, through descriptors and never outside the home.

Here: finding the real place of a file behind a link, the five states a document can be in, and one record as bytes with
its proposal. Not here: what the bytes mean (``records``, ``core.documents``), the whole queue (``queue``), writing.

Nothing is created, locked or changed, and nothing blocks on a pipe (``design``: invariant 9).
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from curator_tui.core.changes import Waiting
from curator_tui.core.documents import FILE_NAMES, TARGETS, Document, Target, missing, parse, unreadable
from curator_tui.core.errors import NoStore, StoreError, Unreadable
from curator_tui.core.operations import Problem
from curator_tui.core.proposals import Proposal, Unread
from curator_tui.core.text import visible
from curator_tui.stores.file_errors import kind_of
from curator_tui.stores.hermes.names import DOCUMENT_LIMIT, RECORD_LIMIT
from curator_tui.stores.hermes.records import parse_record, too_large, unreadable_record
from curator_tui.stores.safe_files import Folder

MEMORIES = "memories"

_RECORD_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Place:
    """Where a file really is: an open folder and a name in it; a context manager that closes the folder.

    Attributes:
        folder: the folder that holds the file; behind a link the folder of its target.
        name: the file's name there.
        steps: the folders that lead there from the home, links resolved; none for a file in the home itself.
    """

    def __init__(self, folder: Folder, name: str, steps: Sequence[str]) -> None:
        self.folder = folder
        self.name = name
        self.steps = tuple(steps)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.folder.close()


def open_inside(home: Folder, *steps: str) -> Folder | None:
    """Open a folder inside the home, step by step and without following links; None when a step is missing.

    Raises:
        Unreadable: a step is something other than a folder, or may not be opened.
    """
    folder = home.again()
    for step in steps:
        with folder:
            inner = _entered(folder, step)
        if inner is None:
            return None
        folder = inner
    return folder


def _entered(folder: Folder, step: str) -> Folder | None:
    """Open a folder of another one; None when it is missing."""
    try:
        return folder.open_folder(step)
    except NoStore as error:
        status = folder.stat(step)
        if status is None:
            return None
        if stat.S_ISDIR(status.st_mode):
            return folder.open_folder(step)  # it was made in this very moment
        raise Unreadable(error.message, way_out="Move it away and look again.") from error


def locate(home: Folder, *steps: str) -> Place | None:
    """Find the place of a file of the home, behind its link where it is one; None when its folder is missing.

    Only the last step may be a link, because Hermes keeps a linked MEMORY.md a link (``hermes`` section 2.6), and it
    must stay inside the home. The file itself may be missing.

    Raises:
        Unreadable: the link leads out of the home or to a missing folder, or a step on the way is no folder.
    """
    *folders, name = steps
    folder = open_inside(home, *folders)
    if folder is None:
        return None
    try:
        status = folder.stat(name)
        if status is None or not stat.S_ISLNK(status.st_mode):
            return Place(folder, name, folders)
        steps_behind = _behind_link(home, folder, name)
        label = folder.label(name)
    except BaseException:
        folder.close()
        raise
    folder.close()
    target = open_inside(home, *steps_behind[:-1])  # none of them: the link leads into the home itself
    if target is None:
        raise Unreadable(f"{label} is a symbolic link to a folder that does not exist.", way_out="Mend the link.")
    return Place(target, steps_behind[-1], steps_behind[:-1])


def _behind_link(home: Folder, folder: Folder, name: str) -> list[str]:
    """Return the steps from the home to the target of a link; what changes meanwhile fails when it is opened."""
    root = os.path.realpath(home.path)
    target = os.path.realpath(os.path.join(folder.path, name))
    inside = os.path.relpath(target, root)
    if inside in {os.curdir, os.pardir} or inside.startswith(os.pardir + os.sep):
        raise Unreadable(
            f"{folder.label(name)} is a symbolic link that leads out of the home, to {visible(target)}.",
            way_out="Put the file into the home, or bind the home it belongs to.",
        )
    return inside.split(os.sep)


def resolve_document(home: Folder, target: Target) -> Place | None:
    """Find where a document is stored, for reading or replacing it; None when there is no ``memories`` folder.

    Raises:
        Unreadable: see :func:`locate`.
    """
    return locate(home, MEMORIES, FILE_NAMES[target])


def read_document(home: Folder, target: Target) -> Document:
    """Read one document; every failure is a state of the document, so that unreadable is never taken for empty."""
    try:
        place = resolve_document(home, target)
        if place is None:
            return missing(target)
        with place:
            return parse(target, place.folder.read_file(place.name, DOCUMENT_LIMIT))
    except StoreError as error:
        return unreadable(target, error.message)


def read_documents(home: Folder) -> dict[Target, Document]:
    """Read both documents, in the order in which they are listed.

    Links may lead both names to one file. Then neither is read: what is written for one would stand in the other.
    """
    places = [_place_of(home, target) for target in TARGETS]
    if None not in places and len({*places}) < len(places):
        names = " and ".join(FILE_NAMES[target] for target in TARGETS)
        return {target: unreadable(target, f"{names} lead to one and the same file.") for target in TARGETS}
    return {target: read_document(home, target) for target in TARGETS}


def _place_of(home: Folder, target: Target) -> tuple[int, int, str] | None:
    """Return what tells the real place of a document from others, None where that cannot be found."""
    try:
        place = resolve_document(home, target)
        if place is None:
            return None
        with place:
            status = place.folder.status()
            return status.st_dev, status.st_ino, place.name
    except StoreError:
        return None


def read_record(folder_fd: int, name: str) -> Waiting | None:
    """Read one record by its name in the open queue folder; None when it is not there any more.

    A file that may not be read as a record (a link, a pipe, a second name of another file, too large) is an unreadable
    proposal with no bytes, whose digest stands for the file as it is and changes when another takes its place.
    """
    found = read_bytes(folder_fd, name)
    if found is None:
        return None
    read = found[0]
    return Waiting(read, None) if isinstance(read, Proposal) else Waiting(parse_record(name, read), read)


def read_bytes(
    folder_fd: int, name: str, *, again: bool = True
) -> tuple[bytes | Proposal, os.stat_result | None] | None:
    """Read the bytes of one record, or its unreadable proposal, with what told so; None when it is not there any more.

    The status is None where a file could not be read: whether it can be now is nothing that its status tells.

    This is the loop of ten thousand records: plain calls, no wrappers. A file that was replaced between opening and
    looking at it has no name any more; its successor is read instead, once.
    """
    try:
        fd = os.open(name, _RECORD_FLAGS, dir_fd=folder_fd)
    except FileNotFoundError:
        return None
    except OSError as error:
        return _not_opened(folder_fd, name, error)
    try:
        status = os.fstat(fd)
        size = status.st_size
        if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1 or size > RECORD_LIMIT:
            replaced = again and status.st_nlink == 0
            return read_bytes(folder_fd, name, again=False) if replaced else _refused(name, status)
        raw = os.read(fd, size + 1)
        while len(raw) != size and len(raw) <= RECORD_LIMIT and (more := os.read(fd, RECORD_LIMIT)):
            raw += more
        if len(raw) > RECORD_LIMIT:  # it grew while it was read
            return _refused(name, os.fstat(fd))
    except OSError as error:
        return _failed(name, error), None
    finally:
        os.close(fd)
    return raw, status


def refused_record(name: str, status: os.stat_result) -> Proposal | None:
    """Return the unreadable proposal of a file that must not be read as a record; None if it was just removed."""
    if stat.S_ISREG(status.st_mode) and status.st_nlink == 0:
        return None
    if not stat.S_ISREG(status.st_mode):
        problem = Problem("not-regular", f"it is {kind_of(status.st_mode)}, not a regular file")
    elif status.st_nlink > 1:
        problem = Problem("hard-link", "the file has another name (hard link)")
    else:
        problem = too_large()
    mark = f"{problem.code}:{status.st_dev}:{status.st_ino}:{status.st_size}:{status.st_mtime_ns}"
    return unreadable_record(name, _mark(mark), problem, Unread.REFUSED, status.st_size)


def _refused(name: str, status: os.stat_result) -> tuple[Proposal, os.stat_result] | None:
    proposal = refused_record(name, status)
    return None if proposal is None else (proposal, status)


def _not_opened(folder_fd: int, name: str, error: OSError) -> tuple[Proposal, os.stat_result | None] | None:
    try:
        status = os.stat(name, dir_fd=folder_fd, follow_symlinks=False)
    except FileNotFoundError:
        return None
    except OSError:
        return _failed(name, error), None
    return (_failed(name, error), None) if stat.S_ISREG(status.st_mode) else _refused(name, status)


def _failed(name: str, error: OSError) -> Proposal:
    cause = os.strerror(error.errno) if error.errno is not None else "unknown error"
    problem = Problem("cannot-read", f"it cannot be opened or read: {cause}")
    return unreadable_record(name, _mark(f"cannot-read:{error.errno}"), problem, Unread.FAILED)


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()
