"""New files that are written together and become durable together, and names that must not be taken.

Here: the order that makes many small syncs cheap; giving a file a name that nobody else has. Not here: one file alone
(``safe_files``), syncing their folders.

Each file is synced by a call of its own, as always. But all bytes are written first and the kernel is asked to begin
with all of them: on a journaling file system the first sync then carries most of the others along (measured: four files
and two folders in 1.1 instead of 2.0 ms).
"""

from __future__ import annotations

import contextlib
import errno
import os
from types import TracebackType
from typing import Self

from curator_tui.stores.file_errors import check_name
from curator_tui.stores.safe_files import FILE_MODE, Folder, close_quietly, sync_file, writing

_NO_LINKS = frozenset({errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EMLINK})


class NewFiles:
    """A context manager that collects new files; on leaving they are closed, and durable only if :meth:`sync` returned.

    It removes nothing: whoever named the files removes them after a failure.
    """

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for fd, _ in self._open:
            close_quietly(fd)
        self._open.clear()

    def write(
        self, folder: Folder, name: str, data: bytes, *, mode: int = FILE_MODE, owner: os.stat_result | None = None
    ) -> None:
        """Write one new file (see :meth:`Folder.create`).

        Raises:
            WriteFailed: it exists or cannot be written.
        """
        fd = folder.create(name, data, mode=mode, owner=owner)
        self._open.append((fd, os.path.join(folder.path, name)))

    def sync(self) -> None:
        """Make the bytes of all files durable.

        Raises:
            WriteFailed: nobody knows what of them is on the disk.
        """
        if hasattr(os, "posix_fadvise"):
            for fd, _ in self._open:
                with contextlib.suppress(OSError):
                    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        for fd, path in self._open:
            sync_file(fd, path)


def rename_new(folder: Folder, old: str, new: str) -> bool:
    """Rename a file, unless something has the name ``new``.

    A link takes no name that is taken, whoever comes in between; a kill may leave both names to one file. A file system
    without links has nothing of the kind: there the name is looked at and the file renamed, and what another program
    puts there between the two is replaced. Writing the file there once more would take no name either, but a kill would
    leave half a file under it.

    Returns:
        False where the name is taken.

    Raises:
        WriteFailed: it cannot be done.
    """
    check_name(old)
    check_name(new)
    with writing(folder, new, "make"):
        try:
            os.link(old, new, src_dir_fd=folder.fd, dst_dir_fd=folder.fd, follow_symlinks=False)
        except FileExistsError:
            return False
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            if folder.stat(new) is not None:
                return False
            folder.rename(old, new)
            return True
    folder.unlink(old, missing_ok=True)
    return True
