"""Files in words: what kind a file is, who owns it and what its mode is, for messages.

Here: words. Not here: opening anything (``safe_files``).
"""

from __future__ import annotations

import os
import pwd
import stat

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
