"""The queue of a Hermes home as a read model: all waiting records of one folder, kept between looks.

Here: listing, what may be reused from the last look, order, and reading one record afresh. Not here: what a
record says (``records``), opening it (``reading``), states and outcomes (``core.preflight``), anything that writes.

Nothing here is thread-safe except what :meth:`Queue.proposals` returned, which never changes.
"""

from __future__ import annotations

import os
import stat
import struct
import time
from collections.abc import Iterable, Sequence
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from curator_tui.core.changes import Waiting
from curator_tui.core.errors import Unreadable
from curator_tui.core.proposals import ITEM_ID, Proposal
from curator_tui.core.text import visible
from curator_tui.stores.hermes.names import MEMORY_QUEUE, PENDING, RECORD_SUFFIX, SKILL_QUEUE
from curator_tui.stores.hermes.reading import open_inside, read_bytes, read_record, refused_record
from curator_tui.stores.hermes.records import hashed_id, item_id, parse_record
from curator_tui.stores.safe_files import Folder

# A file system stamps times with a coarse clock: a folder changed this recently may change again under the same time.
_COARSE_NS = 100_000_000
_BATCH = 128


class _Row(Struct, gc=False):
    """One record as it was last read, with what tells that its file is still the same; None when nothing does."""

    proposal: Proposal
    mark: bytes | None


_SECOND_NS = 1_000_000_000
_packed = struct.Struct("=QqqIqI").pack


def _mark(status: os.stat_result) -> bytes:
    """Return what changes with a file: the change time also with its mode and with its other names."""
    # nanoseconds alone do not fit: a file may be dated centuries ahead
    times = (*divmod(status.st_mtime_ns, _SECOND_NS), *divmod(status.st_ctime_ns, _SECOND_NS))
    return _packed(status.st_ino, status.st_size, *times)


def _listed(proposal: Proposal) -> Proposal:
    """Return a proposal as it is kept for each of many thousands: without what is read again for the one looked at."""
    return replace(proposal, agent_says="") if proposal.operations and proposal.agent_says else proposal


class Queue:
    """The waiting memory records of one home.

    Args:
        home: the open home; it stays the caller's.
    """

    def __init__(self, home: Folder) -> None:
        self._home = home
        self._rows: dict[str, _Row] = {}
        self._odd_names: dict[str, str] = {}
        self._sorted: tuple[Proposal, ...] = ()
        self._seen: tuple[int, int, int] | None = None
        self._got_otherwise = False

    def __len__(self) -> int:
        return len(self._sorted)

    def peek(self, count: int) -> tuple[Sequence[Proposal], int]:
        """Read the records of the ``count`` oldest files and return them, oldest first, with the number that waits.

        Listing thousands of names is quick, reading them is not. A queue no longer than ``count`` is read whole, and
        then :meth:`proposals` knows it.

        Raises:
            Unreadable: the folder is there and cannot be listed.
        """
        folder = open_inside(self._home, PENDING, MEMORY_QUEUE)
        if folder is None:
            return (), 0
        with folder:
            names = _oldest_files(folder)
            if len(names) > count:
                rows = _read_rows(folder.fd, names[:count])
                return sorted((row.proposal for row in rows.values()), key=_order), len(names)
        self.refresh()
        return self._sorted, len(self._sorted)

    def refresh(self, *, thorough: bool = False) -> bool:
        """Look at the folder again; return whether anything in the queue differs from the last look.

        A folder whose time did not change is not listed, unless the look is to be thorough: a record written again in
        its place does not change the time of its folder. In a listing, a file with the same name, inode, size and times
        is not read again; a record edited in place under all of these is seen by :meth:`get` only, and what that has
        seen is told by the next look. A file that could not be read is tried again in every listing.

        Raises:
            Unreadable: the folder is there and cannot be listed; a missing folder is an empty queue.
        """
        if thorough:
            self._seen = None
        listed = self._look()
        got, self._got_otherwise = self._got_otherwise, False
        return listed or got

    def _look(self) -> bool:
        folder = open_inside(self._home, PENDING, MEMORY_QUEUE)
        if folder is None:
            self._seen = None
            return self._take({})
        with folder:
            status = folder.status()
            seen = (status.st_dev, status.st_ino, status.st_mtime_ns)
            if seen == self._seen:
                return False
            settled = time.time_ns() - status.st_mtime_ns > _COARSE_NS
            changed = self._take(self._list(folder))
            self._seen = seen if settled else None
        return changed

    def _list(self, folder: Folder) -> dict[str, _Row]:
        rows: dict[str, _Row] = {}
        fresh: list[str] = []
        try:
            with os.scandir(folder.fd) as entries:
                for entry in entries:
                    name = entry.name
                    if not name.endswith(RECORD_SUFFIX):
                        continue
                    # a new regular file gets its status when it is read; what is no regular file is not even opened,
                    # because opening a device can have effects
                    if name not in self._rows and entry.is_file(follow_symlinks=False):
                        fresh.append(name)
                    elif (row := self._looked_at(folder.fd, name)) is not None:
                        rows[name] = row
        except OSError as error:
            raise _cannot_list(folder, error) from error
        for start in range(0, len(fresh), _BATCH):
            rows.update(_read_rows(folder.fd, fresh[start : start + _BATCH]))
        return rows

    def _looked_at(self, folder_fd: int, name: str) -> _Row | None:
        try:
            status = os.stat(name, dir_fd=folder_fd, follow_symlinks=False)
        except FileNotFoundError:
            return None
        known = self._rows.get(name)
        if known is not None and known.mark == _mark(status):
            return known
        if stat.S_ISREG(status.st_mode):
            row = _read_rows(folder_fd, [name]).get(name)
        else:
            proposal = refused_record(name, status)
            row = _Row(proposal, _mark(status)) if proposal is not None else None
        if known is None or row is None or row.proposal.digest != known.proposal.digest:
            return row
        known.mark = row.mark  # only touched, or not readable for the same reason
        return known

    def _take(self, rows: dict[str, _Row]) -> bool:
        if len(rows) == len(self._rows) and all(self._rows.get(name) is row for name, row in rows.items()):
            return False
        self._rows = rows
        self._odd_names = _odd_names(rows)
        self._index()
        return True

    def _index(self) -> None:
        self._sorted = tuple(sorted((row.proposal for row in self._rows.values()), key=_order))

    def proposals(self) -> tuple[Proposal, ...]:
        """Return all waiting proposals of the last look, oldest first, then by id."""
        return self._sorted

    def ids(self) -> tuple[str, ...]:
        """Return the item ids of the last look in the order of the queue."""
        return tuple(proposal.id for proposal in self._sorted)

    def file_name(self, item: str) -> str | None:
        """Return the name of a record's file; it comes from the folder and never from the record."""
        name = self._odd_names.get(item, item + RECORD_SUFFIX)
        row = self._rows.get(name)
        return name if row is not None and row.proposal.id == item else None

    @staticmethod
    def parse(item: str, raw: bytes) -> Proposal:
        """Read the kept bytes of a record as they were read while it waited under that id."""
        return replace(parse_record(item + RECORD_SUFFIX, raw), id=item)

    @staticmethod
    def author(item: str, digest: str) -> str:  # noqa: ARG004 - the signature of the port
        """Return nothing: whoever may write files of a home may write them all, and a record only claims its origin."""
        return ""

    def get(self, item: str) -> Waiting | None:
        """Read one record afresh, bytes and proposal; None when it does not wait (any more).

        What differs from the last look is shown by :meth:`proposals` from then on.

        Raises:
            Unreadable: the folder is there and cannot be opened.
        """
        name = self.file_name(item)
        if name is None:
            return find_record(self._home, item)
        folder = open_inside(self._home, PENDING, MEMORY_QUEUE)
        waiting = None
        if folder is not None:
            with folder:
                waiting = read_record(folder.fd, name)
        row = self._rows[name]
        if waiting is None:
            del self._rows[name]
            self._odd_names.pop(item, None)
            self._got_otherwise = True
            self._index()
            return None
        if waiting.proposal.id != item:
            waiting = replace(waiting, proposal=replace(waiting.proposal, id=item))
        if waiting.proposal.digest != row.proposal.digest:
            row.proposal = _listed(waiting.proposal)
            self._got_otherwise = True
            self._index()
        return waiting

    def skills_waiting(self) -> int:
        """Return how many skill records wait; they are counted, never read.

        Raises:
            Unreadable: the folder is there and cannot be listed.
        """
        folder = open_inside(self._home, PENDING, SKILL_QUEUE)
        if folder is None:
            return 0
        with folder:
            return sum(name.endswith(RECORD_SUFFIX) for name in folder.names())


def _oldest_files(folder: Folder) -> list[str]:
    """Return the names of all records, those of regular files first and these by the time of the file."""
    found: list[tuple[bool, int, str]] = []
    try:
        with os.scandir(folder.fd) as entries:
            for entry in entries:
                if entry.name.endswith(RECORD_SUFFIX):
                    regular = entry.is_file(follow_symlinks=False)
                    found.append((not regular, _modified(entry) if regular else 0, entry.name))
    except OSError as error:
        raise _cannot_list(folder, error) from error
    return [name for _, _, name in sorted(found)]


def _modified(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_mtime_ns
    except FileNotFoundError:
        return 0


def _cannot_list(folder: Folder, error: OSError) -> Unreadable:
    cause = os.strerror(error.errno) if error.errno is not None else "unknown error"
    return Unreadable(f"cannot list {visible(folder.path)}: {cause}.")


def _read_rows(folder_fd: int, names: Sequence[str]) -> dict[str, _Row]:
    """Read some records, first all bytes and then all contents: mixed, each system call slows the parsing after it."""
    rows: dict[str, _Row] = {}
    found = [(name, read_bytes(folder_fd, name)) for name in names]
    for name, one in found:
        if one is not None:
            read, status = one
            proposal = read if isinstance(read, Proposal) else parse_record(name, read)
            rows[name] = _Row(_listed(proposal), None if status is None else _mark(status))
    return rows


def find_record(home: Folder, item: str) -> Waiting | None:
    """Read the record of one item without listing the queue where its id is a file stem; None when it does not wait.

    Raises:
        Unreadable: the folder is there and cannot be opened or listed.
    """
    if not ITEM_ID.fullmatch(item):
        return None
    folder = open_inside(home, PENDING, MEMORY_QUEUE)
    if folder is None:
        return None
    with folder:
        waiting = read_record(folder.fd, item + RECORD_SUFFIX)
        if waiting is None and item.startswith("x-"):
            names = (name for name in folder.names() if name.endswith(RECORD_SUFFIX))
            name = _unique_ids(names).get(item)
            waiting = read_record(folder.fd, name) if name is not None else None
    if waiting is not None and waiting.proposal.id != item:
        waiting = replace(waiting, proposal=replace(waiting.proposal, id=item))
    return waiting


def _order(proposal: Proposal) -> tuple[float, str]:
    return proposal.order


def _odd_names(rows: dict[str, _Row]) -> dict[str, str]:
    """Map item ids to their files where the file is not called after the id; two files never get the same id."""
    odd = [name for name, row in rows.items() if not _is_usual(name, row.proposal.id)]
    names = {rows[name].proposal.id: name for name in odd}
    if len(names) == len(odd) and not any(item + RECORD_SUFFIX in rows for item in names):
        return names
    names = {item: name for item, name in _unique_ids(rows).items() if not _is_usual(name, item)}
    for item, name in names.items():
        if rows[name].proposal.id != item:
            rows[name].proposal = replace(rows[name].proposal, id=item)
    return names


def _is_usual(name: str, item: str) -> bool:
    return len(name) == len(item) + len(RECORD_SUFFIX) and name.startswith(item)


def _unique_ids(file_names: Iterable[str]) -> dict[str, str]:
    """Map item ids to file names. A stem that is an id keeps it; a hashed id that is taken is hashed anew."""
    names: dict[str, str] = {}
    hashed: list[str] = []
    for name in file_names:
        item = item_id(name)
        if item + RECORD_SUFFIX == name:
            names[item] = name
        else:
            hashed.append(name)
    for name in sorted(hashed):
        # a number and a slash in front make another digest, and no file has such a name
        tries = (hashed_id(f"{attempt}/{name}" if attempt else name) for attempt in count())
        names[next(item for item in tries if item not in names)] = name
    return names
