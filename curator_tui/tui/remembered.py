"""What the application remembers between runs of how a person set it up: theme, order of the queue, shares of panes.

Here: the value, its file outside every home, reading and writing it. Not here: what is done with it. It holds no word
of any memory, nothing depends on it, and one that is damaged or out of reach counts for nothing.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Mapping

import msgspec
from msgspec import Struct, field

from curator_tui.curator.queries import Group, Sort

_LARGEST = 1 << 16
_NARROWEST, _WIDEST = 150, 850


class Shares(Struct):
    """How much of the room the list of a screen has, in thousandths; 0 for what the layout says.

    Attributes:
        beside: of the width, where the text stands beside it.
        above: of the height, where the text stands below it.
    """

    beside: int = 0
    above: int = 0


class Remembered(Struct):
    """What is remembered.

    Attributes:
        theme: name of the palette, empty for the one that fits the terminal.
        group: what the rows of the queue stand under.
        sort: their order.
        panes: shares by the name of a screen.
        hinted: whether the hint for a first run was shown.
    """

    theme: str = ""
    group: Group = Group.STATE
    sort: Sort = Sort.OLDEST
    panes: dict[str, Shares] = field(default_factory=dict)
    hinted: bool = False

    def share(self, screen: str, *, beside: bool) -> int:
        """Return the list's share on a screen, within what can be read; 0 for what the layout says."""
        known = self.panes.get(screen, Shares())
        found = known.beside if beside else known.above
        return min(max(found, _NARROWEST), _WIDEST) if found else 0

    def set_share(self, screen: str, share: int, *, beside: bool) -> int:
        """Remember a share and return it as it is kept."""
        known = self.panes.setdefault(screen, Shares())
        kept = min(max(share, _NARROWEST), _WIDEST)
        if beside:
            known.beside = kept
        else:
            known.above = kept
        return kept


def state_path(environ: Mapping[str, str]) -> str:
    """Return where it is kept."""
    folder = environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(folder):
        folder = os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(folder, "curator-tui", "screens.json")


def recall(environ: Mapping[str, str]) -> Remembered:
    """Return what is remembered; nothing where there is nothing that can be read."""
    try:
        number = os.open(state_path(environ), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
        with open(number, "rb") as file:
            return msgspec.json.decode(file.read(_LARGEST), type=Remembered)
    except (OSError, ValueError):  # a damaged one is a ValueError, too
        return Remembered()


def remember(now: Remembered, before: Remembered, environ: Mapping[str, str]) -> None:
    """Keep what this run changed, beside what another one that ended meanwhile kept; for the person only.

    Root that runs with another person's ``HOME`` keeps nothing there: that person could not write it any more.

    Args:
        now: how it is at the end of the run.
        before: how it was at its beginning.
        environ: says where.
    """
    path = state_path(environ)
    if now == before or _of_another(path):
        return
    whole = recall(environ)
    for name in ("theme", "group", "sort", "hinted"):
        if getattr(now, name) != getattr(before, name):
            setattr(whole, name, getattr(now, name))
    for screen, shares in now.panes.items():
        if shares != before.panes.get(screen):
            whole.panes[screen] = shares
    beside = f"{path}.{secrets.token_hex(4)}.tmp"
    with contextlib.suppress(OSError):
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with open(number, "wb") as file:
                file.write(msgspec.json.encode(whole))
            os.replace(beside, path)
        except OSError:
            os.unlink(beside)


def _of_another(path: str) -> bool:
    """Whether we are root and the nearest folder that is there belongs to somebody else."""
    if os.geteuid() != 0:
        return False
    folder = os.path.dirname(path)
    while not os.path.exists(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    with contextlib.suppress(OSError):
        return os.stat(folder).st_uid != 0
    return False
