"""The skills of a home and all its profiles, and the skill writes that wait in the bound one.

Here: which folders are looked into. Not here: reading a skill (``skills``), reading a waiting write (``skill_queue``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from curator_tui.core.errors import StoreError
from curator_tui.core.skills import SkillListing, SkillWrite, Standing
from curator_tui.stores.hermes.home import Binding, profiles
from curator_tui.stores.hermes.names import DEFAULT_PROFILE, PROFILES
from curator_tui.stores.hermes.skill_queue import standing_of, waiting_skills
from curator_tui.stores.hermes.skills import installed_skills
from curator_tui.stores.safe_files import Folder


class SkillFolders:
    """What the port calls the skills kept beside the memory.

    Args:
        binding: which home.
        home: its folder, open.
    """

    def __init__(self, binding: Binding, home: Folder) -> None:
        self._binding = binding
        self._home = home

    def installed(self) -> SkillListing:
        """Return the installed skills of the home and all its profiles; a profile that cannot be opened is a note."""
        notes: list[str] = []
        with ExitStack() as opened:
            homes = []
            for name, path in _profile_homes(self._binding.root):
                try:
                    homes.append((name, opened.enter_context(Folder.open(path))))
                except StoreError as error:
                    notes.append(f"{name}: {error.message}")
            found = installed_skills(homes)
        return SkillListing(found.skills, (*notes, *found.notes))

    def waiting(self) -> tuple[Sequence[SkillWrite], int]:
        """Return the skill writes that wait in the bound profile, oldest first, and how many more were not read.

        Raises:
            Unreadable: the queue folder is there and cannot be listed.
        """
        return waiting_skills(self._home, self._binding.profile)

    def standing(self, write: SkillWrite) -> Standing:
        """Return how the file of a waiting write stands now."""
        return standing_of(self._home, write)


def _profile_homes(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield every profile of a root with its folder, ``default`` first."""
    yield DEFAULT_PROFILE, root
    for name in profiles(root):
        yield name, root / PROFILES / name
