"""The file in which a person keeps keys of their own: where it is, and reading it.

Here: the place and the bytes. Not here: what they mean (``keymap``), which is loaded only when there is a file.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curator_tui.tui.keymap import KeyMap

VARIABLE = "CURATOR_TUI_KEYS"
_LARGEST = 1 << 16


def keys_path(environ: Mapping[str, str]) -> str:
    """Return where the map is looked for."""
    if given := environ.get(VARIABLE):
        return given
    folder = environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(folder):
        folder = os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(folder, "curator-tui", "keys.toml")


def load_keys(environ: Mapping[str, str]) -> KeyMap | None:
    """Read the map of a person; None where there is none. It never fails: what is wrong stands in the answer."""
    path = keys_path(environ)
    try:
        raw = read_keys(path)
    except FileNotFoundError:
        if not environ.get(VARIABLE):
            return None
        return _unread(f"{VARIABLE} names no file")
    except (OSError, ValueError) as error:
        return _unread(cause_of(error))
    from curator_tui.tui.keymap import read_keymap

    return read_keymap(raw)


def read_keys(path: str) -> str:
    """Return the text of a map.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no text file of a sensible size.
    """
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # nothing is waited for at a pipe
    with open(number, "rb") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise ValueError("it is no ordinary file")
        raw = file.read(_LARGEST + 1)
    if len(raw) > _LARGEST:
        raise ValueError(f"it is longer than {_LARGEST // 1024} kB")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None


def cause_of(error: Exception) -> str:
    """Return why a file cannot be used, in words of ours or of the system."""
    if isinstance(error, OSError):
        return os.strerror(error.errno or 0).lower()
    return str(error)


def _unread(cause: str) -> KeyMap:
    from curator_tui.tui.keymap import KeyMap, Trouble

    return KeyMap({}, (Trouble(0, "", cause, "See: curator-tui keys --check"),))
