"""Errors about files: what an error of the operating system becomes, and what a file is in words.

Here: names that are none, kinds, modes, owners and ways out, for messages; what a library must not be given to open.
Not here: opening anything (``safe_files``).
"""

from __future__ import annotations

import errno
import os
import pwd
import stat

from curator_tui.core.errors import StoreError, Unreadable
from curator_tui.core.text import visible

DISK_FULL = "Free some space on that disk (10 MB are plenty) and try again."
_WAYS_OUT = {
    errno.ENOSPC: DISK_FULL,
    errno.EDQUOT: "The disk quota is used up; free some space and try again.",
    errno.EROFS: "The file system is mounted read-only.",
    errno.EACCES: "Check the permissions of the file and its folder.",
    errno.EPERM: "Check the permissions of the file and its folder.",
    errno.EMFILE: "Too many files are open in this process; close some or raise the limit (ulimit -n).",
    errno.ENFILE: "Too many files are open on this machine.",
}
SIDE_FILES = ("-journal", "-wal", "-shm")
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISLNK, "a symbolic link"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def kind_of(mode: int) -> str:
    """Say in words what kind of thing a ``st_mode`` describes."""
    return next((words for test, words in _KINDS if test(mode)), "a regular file")


def owner_name(uid: int) -> str:
    """Return the login of an owner, or its number where it has none."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid {uid}"


def describe(status: os.stat_result) -> str:
    """Return mode and owner of a file as error messages give them."""
    return f"mode {stat.S_IMODE(status.st_mode):04o}, owner {owner_name(status.st_uid)}"


def way_out(error: OSError | ValueError) -> str:
    """Return what helps against an error of the operating system; empty where we know nothing."""
    return _WAYS_OUT.get((error.errno if isinstance(error, OSError) else None) or 0, "")


def check_name(name: str) -> None:
    """Refuse what is no plain name of a member of a folder.

    Raises:
        Unreadable: it is empty, ``.`` or ``..``, or holds a slash or NUL.
    """
    if not name or "/" in name or "\0" in name or name in {".", ".."}:
        raise Unreadable(f"{visible(name)!r} is not a file name.")


def check_database(path: str) -> None:
    """Refuse a database of which SQLite would open something else than files: on a named pipe it waits for ever.

    Args:
        path: the database; the files SQLite keeps beside it (``-journal``, ``-wal``, ``-shm``) are looked at too.

    Raises:
        Unreadable: one of them is no regular file, or cannot be looked at. A missing one is none of our business.
    """
    for ending in ("", *SIDE_FILES):
        one = path + ending
        try:
            mode = os.lstat(one).st_mode
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:
            raise failed(Unreadable, "look at", one, error) from error
        if not stat.S_ISREG(mode):
            raise Unreadable(
                f"{visible(one)} is {kind_of(mode)}, not a regular file.", way_out="Move it away and look again."
            )


def failed(kind: type[StoreError], verb: str, path: str, error: OSError | ValueError, details: str = "") -> StoreError:
    """Build the error of the tree that says what could not be done to which path, why, and what helps."""
    number = error.errno if isinstance(error, OSError) else None
    cause = os.strerror(number) if number is not None else "not a usable path"
    more = f" ({details})" if details else ""
    return kind(f"cannot {verb} {visible(path)}: {cause}{more}.", way_out=way_out(error))
