"""Whole files: a file a person named is there when all of it is, and is read line by line without ever waiting.

Here: writing lines into a new file that gets its name last, and the lines of one. Not here: what the lines mean, files
of a store (``safe_files``). Nothing of a person's is ever overwritten; what an interrupted run began is begun anew.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator

from curator_tui.core.errors import Unreadable, UsageError
from curator_tui.core.text import visible
from curator_tui.stores.failpoints import hit
from curator_tui.stores.file_errors import kind_of
from curator_tui.stores.new_files import rename_new
from curator_tui.stores.safe_files import FILE_MODE, Folder

_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


def write_whole(path: str, lines: Iterable[str]) -> None:
    """Write lines of ASCII into a file that does not exist, for this person alone, durably and all of them.

    Raises:
        UsageError: it exists or cannot be written.
    """
    shown = visible(path, newlines=False)
    folder_path, name = os.path.split(path)
    part = f".{name}.part"
    try:
        if not name or os.path.lexists(path):
            raise UsageError(f"{shown} exists; it is left as it is.", way_out="Name a new file.")
        with Folder.open(folder_path or ".") as folder:
            with open(os.open(part, _NEW, FILE_MODE, dir_fd=folder.fd), "w", encoding="ascii", newline="\n") as stream:
                for line in lines:
                    stream.write(f"{line}\n")
                    hit("line_written")
                stream.flush()
                os.fsync(stream.fileno())
            hit("file_written")
            if not rename_new(folder, part, name):
                raise UsageError(f"{shown} exists; it is left as it is.", way_out="Name a new file.")
            folder.fsync()
    except (OSError, ValueError) as error:
        with contextlib.suppress(OSError, ValueError):
            os.unlink(os.path.join(folder_path, part))
        cause = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else "not a usable name"
        raise UsageError(f"{shown} cannot be written: {cause}.", way_out="Name another file.") from error


def lines_in(path: str, longest: int) -> Iterator[bytes]:
    """Yield the lines of a regular file with their ends; of a line that is longer, no more than one byte more.

    Raises:
        UsageError: there is no such file.
        Unreadable: it is no regular file, or reading fails.
    """
    shown = visible(path, newlines=False)
    try:
        fd = os.open(path, _READ)
    except (OSError, ValueError) as error:
        cause = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else "not a usable name"
        raise UsageError(f"{shown} cannot be read: {cause}.", way_out="Name the file of an export.") from error
    with open(fd, "rb") as stream:
        mode = os.fstat(fd).st_mode
        if not stat.S_ISREG(mode):
            raise Unreadable(f"{shown} is {kind_of(mode)}, not a regular file.")
        try:
            while line := stream.readline(longest + 1):
                yield line
        except OSError as error:
            raise Unreadable(f"{shown} cannot be read: {os.strerror(error.errno or 0)}.") from error
