"""Facts about a bound home: its settings, read again only when their files changed, and what a title line shows.

Here: the cache and the summary. Not here: parsing the configuration (``config``), which home it is (``home``).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping

from curator_tui.core.errors import StoreError
from curator_tui.stores.hermes.config import CONFIG_FILE, GATE_COMMAND, Settings, managed_folder, read_settings
from curator_tui.stores.hermes.home import Binding, profiles
from curator_tui.stores.hermes.names import DEFAULT_PROFILE
from curator_tui.stores.port import Facts
from curator_tui.stores.safe_files import Folder

# A file changed this recently may change again under the same time stamp.
_SETTLED_NS = 100_000_000

_Mark = tuple[tuple[int, int, int] | None, ...]


class SettingsReader:
    """Reads the settings of a home; parsing YAML takes longer than a commit, so an unchanged file is not parsed again.

    Args:
        home: the open home.
        environ: the environment that the configuration may refer to.
    """

    def __init__(self, home: Folder, environ: Mapping[str, str]) -> None:
        self._home = home
        self._environ = environ
        self._mark: _Mark | None = None
        self._settings = Settings()

    def read(self) -> Settings:
        """Return the settings as they are now."""
        mark = self._look()
        if mark is None or mark != self._mark:
            self._settings = read_settings(self._home, self._environ)
            self._mark = mark
        return self._settings

    def _look(self) -> _Mark | None:
        """Return what tells the files apart from an older or newer state, or None when nothing can be told."""
        managed = managed_folder(self._environ)
        now = time.time_ns()
        marks: list[tuple[int, int, int] | None] = []
        for path, at in ((CONFIG_FILE, self._home.fd), (os.path.join(managed, CONFIG_FILE), None)):
            try:
                # the configuration may be a link, and what counts is the file behind it
                status = os.stat(path, dir_fd=at)
            except OSError:
                marks.append(None)
                continue
            if abs(now - status.st_mtime_ns) < _SETTLED_NS:
                return None
            marks.append((status.st_ino, status.st_size, status.st_mtime_ns))
        return tuple(marks)


def facts_of(binding: Binding, settings: Settings, count_skills: Callable[[], int]) -> Facts:
    """Return what is known about a bound home besides its documents and queue; what cannot be read is a note."""
    notes = (*binding.notes, *settings.notes)
    skills: int | None = None
    try:
        skills = count_skills()
    except StoreError as error:
        notes = (*notes, f"waiting skill writes cannot be counted: {error.message}")
    others = [name for name in (DEFAULT_PROFILE, *profiles(binding.root)) if name != binding.profile]
    return Facts(
        label=binding.label,
        scope=binding.profile,
        gate=settings.gate,
        gate_command=GATE_COMMAND,
        enabled=settings.stores,
        provider=settings.provider,
        profiles=tuple(others),
        skills_waiting=skills,
        notes=notes,
    )
