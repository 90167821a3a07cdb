"""Skill folders of one home: where the skills are, their files, and when Hermes says they came.

Here: walking ``skills`` the way Hermes does (``hermes`` sections 1 and 4.6), reading single files of a skill, the two
files in which Hermes records times. Not here: which skills are the same (``skills``), what waits (``skill_queue``).

Only regular files inside the home are read, no link is followed, nothing blocks, and all of it is bounded.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from curator_tui.core.errors import StoreError, Unreadable
from curator_tui.core.skills import SKILL_FILE
from curator_tui.core.text import visible
from curator_tui.core.times import known
from curator_tui.stores.file_errors import kind_of
from curator_tui.stores.hermes.reading import open_inside
from curator_tui.stores.safe_files import Folder

SKILLS = "skills"
ARCHIVE = ".archive"
FILE_LIMIT = 1 << 20
SKILLS_LIMIT = 2_000
FOLDERS_LIMIT = 10_000
_DEPTH = 4
_USAGE = ".usage.json"
_HUB, _HUB_LOCK = ".hub", "lock.json"
# Folders that Hermes never takes for skills, and those inside a skill that hold its further files.
_EXCLUDED = frozenset(
    {".git", ".github", ".hub", ARCHIVE, ".venv", "venv", "node_modules", "site-packages", "__pycache__", ".tox",
     ".nox", ".pytest_cache", ".mypy_cache", ".ruff_cache"}
)  # fmt: skip
_SUPPORT = frozenset({"references", "templates", "scripts", "assets"})


class SkillPlace(Struct, frozen=True):
    """A folder that holds a skill, or what stands where one could be.

    Attributes:
        steps: the folders that lead there from ``skills``.
        archived: whether it is put away.
        trouble: why it is not looked into, in words safe to print; empty for nothing.
    """

    steps: tuple[str, ...]
    archived: bool = False
    trouble: str = ""

    @property
    def name(self) -> str:
        """The name of its folder, by which Hermes finds it."""
        return self.steps[-1]

    @property
    def folder(self) -> str:
        """Its folder below ``skills``."""
        return "/".join(self.steps)


class SkillPlaces(Struct, frozen=True):
    """The skill folders of one home, and in words what was left out."""

    found: tuple[SkillPlace, ...] = ()
    notes: tuple[str, ...] = ()


class _Budget(Struct):
    left: int = FOLDERS_LIMIT


def skill_places(home: Folder) -> SkillPlaces:
    """Return the skill folders of a home, sorted by folder, archived ones last; a missing folder holds none."""
    found: list[SkillPlace] = []
    notes: list[str] = []
    budget = _Budget()
    for steps in ((), (ARCHIVE,)):
        try:
            folder = open_inside(home, SKILLS, *steps)
            if folder is not None:
                with folder:
                    found.extend(_walk(folder, steps, budget, archived=bool(steps)))
        except StoreError as error:
            notes.append(f"skills cannot be listed: {error.message}")
    if budget.left < 0 or len(found) > SKILLS_LIMIT:
        notes.append(f"more than {min(len(found), SKILLS_LIMIT)} skills: the others were not looked at")
    return SkillPlaces(tuple(found[:SKILLS_LIMIT]), tuple(notes))


def _walk(folder: Folder, steps: tuple[str, ...], budget: _Budget, *, archived: bool) -> Iterator[SkillPlace]:
    has_skill, inner, links = _listed(folder)
    depth = len(steps) - archived
    if has_skill and depth:
        yield SkillPlace(steps, archived)
    for name in links:
        trouble = "it is a symbolic link, and links are not followed"
        yield SkillPlace((*steps, name), archived, trouble)
    if depth >= _DEPTH:
        return
    for name in inner:
        if name in _EXCLUDED or (has_skill and name in _SUPPORT):
            continue
        budget.left -= 1
        if budget.left < 0:
            return
        try:
            with folder.open_folder(name) as below:
                yield from _walk(below, (*steps, name), budget, archived=archived)
        except StoreError as error:
            yield SkillPlace((*steps, name), archived, error.message)


def _listed(folder: Folder) -> tuple[bool, list[str], list[str]]:
    """Return whether a skill lies here, and the names of the folders and of the links to folders."""
    has_skill = False
    inner: list[str] = []
    links: list[str] = []
    try:
        with os.scandir(folder.fd) as entries:
            for entry in entries:
                if entry.name == SKILL_FILE:
                    has_skill = True
                elif entry.is_dir(follow_symlinks=False):
                    inner.append(entry.name)
                elif entry.is_symlink() and entry.name not in _EXCLUDED | _SUPPORT and entry.is_dir():
                    links.append(entry.name)
    except OSError as error:
        cause = os.strerror(error.errno) if error.errno is not None else "unknown error"
        raise Unreadable(f"cannot list {visible(folder.path)}: {cause}.") from error
    return has_skill, sorted(inner), sorted(links)


def skill_file(home: Folder, place: SkillPlace, path: str) -> bytes | None:
    """Return the bytes of one file of a skill; None when it is not there.

    Args:
        home: the open home.
        place: the skill.
        path: steps below its folder, joined by slashes; checked by ``core.skills.usable_path`` before.

    Raises:
        Unreadable: it is no regular file, too large, or cannot be read.
    """
    *steps, name = path.split("/")
    folder = open_inside(home, SKILLS, *place.steps, *steps)
    if folder is None:
        return None
    with folder:
        return folder.read_file(name, FILE_LIMIT)


def files_below(folder: Folder, most: int, depth: int = 3) -> Iterator[tuple[str, Folder, os.stat_result]]:
    """Yield the files below an open folder, sorted: path, the open folder it lies in, its status; at most ``most``."""
    left = most
    for name in folder.names():
        status = folder.stat(name)
        if status is None or left <= 0:
            continue
        if not stat.S_ISDIR(status.st_mode):
            left -= 1
            yield name, folder, status
        elif depth and name not in _EXCLUDED:
            with folder.open_folder(name) as below:
                for path, holder, found in files_below(below, left, depth - 1):
                    left -= 1
                    yield f"{name}/{path}", holder, found


def what_it_is(status: os.stat_result) -> str:
    """Say in words what kind of file it is."""
    return kind_of(status.st_mode)


class SkillTimes:
    """When Hermes says that skills came, by their names: made by the agent, or installed from the hub.

    A record that was made because a skill was first looked at says nothing about when it came, so it does not count.

    Args:
        home: the open home.
    """

    def __init__(self, home: Folder) -> None:
        self._usage = _object_in(home, _USAGE)
        installed = _object_in(home, _HUB, _HUB_LOCK).get("installed")
        self._hub = installed if isinstance(installed, dict) else {}

    def of(self, name: str) -> tuple[float | None, str]:
        """Return time (UTC seconds, None for none) and who made it (``agent``, ``hub`` or empty)."""
        hub = self._hub.get(name)
        if isinstance(hub, dict):
            return _moment(hub.get("installed_at")), "hub"
        usage = self._usage.get(name)
        if isinstance(usage, dict) and usage.get("created_by") == "agent":
            return _moment(usage.get("created_at")), "agent"
        return None, ""


def _object_in(home: Folder, *steps: str) -> Mapping[str, Any]:
    """Return the JSON object in a file below ``skills``; what is none records nothing."""
    *folders, name = steps
    try:
        folder = open_inside(home, SKILLS, *folders)
        if folder is None:
            return {}
        with folder:
            found = json.loads(folder.read_file(name, FILE_LIMIT) or b"{}")
    except (StoreError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _moment(value: object) -> float | None:
    """Return a recorded moment; one without a zone is none that two readers would agree on."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
        return known(moment.timestamp()) if moment is not None and moment.tzinfo is not None else None
    except (ValueError, OverflowError, OSError):
        return None
