"""Safe files: every file of a home is opened relative to a folder descriptor, never by a path that can be swapped.

Here: reading regular files without following links and without ever blocking, writing new files durably, renaming,
syncing folders, and errors that name the file, the cause and, where it helps, mode and owner.
Not here: what the files mean, locks (``hermes.locks``), the order of a commit (``hermes.commit``), what a failure
is in words (``file_errors``).

No name with a slash, no ``.`` and no ``..`` passes, so no id can lead out of a folder (``design``: invariant 9).
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from curator_tui.core.errors import NoStore, StoreError, Unreadable, WriteFailed
from curator_tui.core.text import visible
from curator_tui.stores.file_errors import check_name, describe, failed, kind_of

READ_LIMIT = 1 << 20
FILE_MODE = 0o600
FOLDER_MODE = 0o700

_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Folder:
    """An open folder; everything is done relative to its descriptor.

    A context manager; closing twice is harmless, and no error from closing is ever raised.

    Attributes:
        path: the path it was opened by, for messages and for libraries that need a path.
        fd: the descriptor.
    """

    def __init__(self, fd: int, path: str) -> None:
        self.fd = fd
        self.path = path

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, follow: bool = True) -> Folder:
        """Open a folder by path; ``follow`` tells whether the last step may be a symbolic link.

        Raises:
            NoStore: there is no folder at that place.
            Unreadable: it is something else or may not be opened.
        """
        text = os.fspath(path)
        flags = _FOLDER_FLAGS if follow else _FOLDER_FLAGS | os.O_NOFOLLOW
        try:
            return cls(os.open(text, flags), text)
        except FileNotFoundError as error:
            raise NoStore(f"{visible(text)} does not exist.") from error
        except NotADirectoryError as error:
            raise NoStore(f"{visible(text)} is not a folder.") from error
        except (OSError, ValueError) as error:
            raise failed(Unreadable, "open", text, error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the descriptor."""
        fd, self.fd = self.fd, -1
        if fd >= 0:
            close_quietly(fd)

    def again(self) -> Folder:
        """Open the folder once more, to be closed by itself."""
        with _reading(self, ""):
            return Folder(os.dup(self.fd), self.path)

    def label(self, name: str) -> str:
        """Return the path of a member as messages show it."""
        return visible(os.path.join(self.path, name))

    def status(self) -> os.stat_result:
        """Return the status of the folder itself."""
        with _reading(self, ""):
            return os.fstat(self.fd)

    def open_folder(self, name: str, *, create: bool = False, mode: int = FOLDER_MODE) -> Folder:
        """Open a folder inside this one without following a link.

        With ``create`` a missing one is made, with exactly this ``mode``, and its entry is synced.

        Raises:
            NoStore: it is missing and not to be created, or it is not a folder.
            Unreadable: it may not be opened.
        """
        check_name(name)
        path = os.path.join(self.path, name)
        try:
            return Folder(os.open(name, _FOLDER_FLAGS | os.O_NOFOLLOW, dir_fd=self.fd), path)
        except FileNotFoundError as error:
            if not create:
                raise NoStore(f"{visible(path)} does not exist.") from error
        except NotADirectoryError as error:
            # O_DIRECTORY with O_NOFOLLOW answers "not a directory" for a link as well
            kind = kind_of(self._lstat_mode(name))
            raise NoStore(f"{visible(path)} is {kind}, not a folder.") from error
        except OSError as error:
            raise failed(Unreadable, "open", path, error) from error
        # somebody else may make it at the same moment, which is as good
        with writing(self, name, "make"), contextlib.suppress(FileExistsError):
            self._make_folder(name, mode)
        self.fsync()
        return self.open_folder(name)

    def make_folder(self, name: str, *, mode: int = FOLDER_MODE) -> None:
        """Make a folder with exactly this mode; made as root it gets the owner of this folder.

        Raises:
            WriteFailed: it exists already or cannot be made.
        """
        check_name(name)
        with writing(self, name, "make"):
            self._make_folder(name, mode)

    def _make_folder(self, name: str, mode: int) -> None:
        os.mkdir(name, mode, dir_fd=self.fd)
        fd = os.open(name, _FOLDER_FLAGS | os.O_NOFOLLOW, dir_fd=self.fd)
        try:
            os.fchmod(fd, mode)
            self._give_to_owner(fd, None)
        finally:
            close_quietly(fd)

    def names(self) -> list[str]:
        """Return the names in the folder, sorted.

        Raises:
            Unreadable: the folder cannot be listed.
        """
        with _reading(self, ""):
            return sorted(os.listdir(self.fd))

    def stat(self, name: str) -> os.stat_result | None:
        """Return the status of a member without following a link, or None when it is missing.

        Raises:
            Unreadable: it cannot be looked at.
        """
        check_name(name)
        with _reading(self, name):
            try:
                return os.stat(name, dir_fd=self.fd, follow_symlinks=False)
            except FileNotFoundError:
                return None

    def read_file(self, name: str, limit: int | None = READ_LIMIT) -> bytes | None:
        """Return the bytes of a regular file, or None when it is missing. Never blocks, never follows a link.

        Args:
            name: the file.
            limit: most bytes a file may have; None for no limit.

        Raises:
            Unreadable: it is no regular file, larger than ``limit``, or cannot be read.
        """
        check_name(name)
        with _reading(self, name):
            try:
                fd = os.open(name, _READ_FLAGS, dir_fd=self.fd)
            except FileNotFoundError:
                return None
            except OSError as error:
                if error.errno in {errno.ELOOP, errno.ENXIO}:
                    raise self._not_regular(name, self._lstat_mode(name)) from error
                raise
            try:
                return self._read_all(fd, name, limit)
            finally:
                close_quietly(fd)

    def _read_all(self, fd: int, name: str, limit: int | None) -> bytes:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            raise self._not_regular(name, status.st_mode)
        # one byte more than wanted tells a file that is too large, or grew, from one that just fits
        room = max(status.st_size, 4096) + 1 if limit is None else limit + 1
        parts: list[bytes] = []
        while part := os.read(fd, min(room, 1 << 20)):
            parts.append(part)
            room = max(room - len(part), 1)
            if limit is not None and sum(map(len, parts)) > limit:
                raise Unreadable(
                    f"{self.label(name)} is larger than {limit:,} bytes.", way_out="Move it away or make it smaller."
                )
        return b"".join(parts)

    def write_new(self, name: str, data: bytes, *, mode: int = FILE_MODE, owner: os.stat_result | None = None) -> None:
        """Write a new file and sync it; its folder entry is not durable before :meth:`fsync`.

        Args and errors are those of :meth:`create`; after a failed sync the file is removed again.
        """
        fd = self.create(name, data, mode=mode, owner=owner)
        try:
            sync_file(fd, os.path.join(self.path, name))
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name, dir_fd=self.fd)
            raise
        finally:
            close_quietly(fd)

    def create(self, name: str, data: bytes, *, mode: int = FILE_MODE, owner: os.stat_result | None = None) -> int:
        """Write a new file without syncing it; return its descriptor, which the caller syncs and closes.

        Args:
            name: a name that must not exist yet.
            data: all of its bytes.
            mode: exact mode, whatever the umask.
            owner: whose owner and group the file gets; None for the rule of this layer (made as root: the owner of
                the folder).

        Raises:
            WriteFailed: it exists or cannot be written; what was begun is removed again.
        """
        check_name(name)
        with writing(self, name, "write"):
            fd = os.open(name, _NEW_FLAGS, FILE_MODE, dir_fd=self.fd)
            try:
                self._fill(fd, data, mode, owner)
            except BaseException:
                close_quietly(fd)
                with contextlib.suppress(OSError):
                    os.unlink(name, dir_fd=self.fd)
                raise
        return fd

    def _fill(self, fd: int, data: bytes, mode: int, owner: os.stat_result | None) -> None:
        # ownership first: chown clears set-id bits, and the mode is what must stand at the end
        self._give_to_owner(fd, owner)
        os.fchmod(fd, mode)
        view = memoryview(data)
        while view:
            written = os.write(fd, view)
            if written == 0:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            view = view[written:]

    def _give_to_owner(self, fd: int, owner: os.stat_result | None) -> None:
        if owner is None:
            if os.geteuid() != 0:
                return
            owner = os.fstat(self.fd)
        mine = os.fstat(fd)
        if (mine.st_uid, mine.st_gid) != (owner.st_uid, owner.st_gid):
            os.fchown(fd, owner.st_uid, owner.st_gid)

    def rename(self, old: str, new: str, to: Folder | None = None) -> None:
        """Rename a member over ``new``, here or in another open folder of the same file system.

        Raises:
            WriteFailed: it cannot be renamed.
        """
        check_name(old)
        check_name(new)
        target = to or self
        with writing(target, new, "replace"):
            os.rename(old, new, src_dir_fd=self.fd, dst_dir_fd=target.fd)

    def unlink(self, name: str, *, missing_ok: bool = False) -> bool:
        """Remove a file; return whether it was there.

        Raises:
            WriteFailed: it cannot be removed, or is missing and ``missing_ok`` is False.
        """
        check_name(name)
        with writing(self, name, "remove"):
            try:
                os.unlink(name, dir_fd=self.fd)
            except FileNotFoundError:
                if not missing_ok:
                    raise
                return False
            return True

    def remove_folder(self, name: str) -> None:
        """Remove a folder made by us and the plain files in it; anything else inside makes it fail.

        Raises:
            WriteFailed: it cannot be removed.
        """
        with self.open_folder(name) as inner:
            for member in inner.names():
                inner.unlink(member, missing_ok=True)
        with writing(self, name, "remove"):
            os.rmdir(name, dir_fd=self.fd)

    def fsync(self) -> None:
        """Make the entries of the folder durable.

        Some network file systems answer EINVAL because they need no such call; every other error counts.

        Raises:
            WriteFailed: the folder cannot be synced.
        """
        with writing(self, "", "sync"):
            try:
                os.fsync(self.fd)
            except OSError as error:
                if error.errno != errno.EINVAL:
                    raise

    def _lstat_mode(self, name: str) -> int:
        try:
            return os.stat(name, dir_fd=self.fd, follow_symlinks=False).st_mode
        except OSError:
            return 0

    def _not_regular(self, name: str, mode: int) -> Unreadable:
        return Unreadable(
            f"{self.label(name)} is {kind_of(mode)}, not a regular file.", way_out="Move it away and look again."
        )


@contextlib.contextmanager
def _reading(folder: Folder, name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _failure(Unreadable, "read", folder, name, error) from error


@contextlib.contextmanager
def writing(folder: Folder, name: str, verb: str) -> Iterator[None]:
    """Let an error of the operating system become one of ours, about that member of the folder."""
    try:
        yield
    except OSError as error:
        raise _failure(WriteFailed, verb, folder, name, error) from error


def _failure(kind: type[StoreError], verb: str, folder: Folder, name: str, error: OSError) -> StoreError:
    """Build the error; the file itself, else its folder, shows mode and owner (``reliability``: D5)."""
    details = ""
    for member, words in ((name, ""), (".", "folder ")):
        with contextlib.suppress(OSError):
            if member:
                details = words + describe(os.stat(member, dir_fd=folder.fd, follow_symlinks=False))
                break
    return failed(kind, verb, os.path.join(folder.path, name) if name else folder.path, error, details)


def sync_file(fd: int, path: str) -> None:
    """Make the bytes of an open file durable. A failure is final: never sync the same file again.

    Raises:
        WriteFailed: nobody knows what of it is on the disk.
    """
    try:
        os.fsync(fd)
    except OSError as error:
        details = ""
        with contextlib.suppress(OSError):
            details = describe(os.fstat(fd))
        raise failed(WriteFailed, "sync", path, error, details) from error


def close_quietly(fd: int) -> None:
    """Close a descriptor; what was synced stays synced, so an error here never turns success into failure."""
    with contextlib.suppress(OSError):
        os.close(fd)
