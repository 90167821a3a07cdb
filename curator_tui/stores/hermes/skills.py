"""Installed skills of a root and all its profiles: one row for each distinct content.

Here: digests over all files of a skill, reading its front matter, putting equal ones together. Not here: walking and
opening (``skill_files``), writing any of it: skills are Hermes's own.

A front matter is untrusted text: it is bounded, read by the one loader that neither overflows nor multiplies, and only
two of its values count, and these only where they are plain text.
"""

from __future__ import annotations

import hashlib
import re
import stat
from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from curator_tui.core.documents import BYTE_ORDER_MARK
from curator_tui.core.errors import StoreError
from curator_tui.core.skills import SKILL_FILE, InstalledSkill, SkillHolder, SkillListing
from curator_tui.stores.hermes.reading import open_inside
from curator_tui.stores.hermes.skill_files import (
    FILE_LIMIT,
    SKILLS,
    SkillPlace,
    SkillTimes,
    files_below,
    skill_places,
    what_it_is,
)
from curator_tui.stores.safe_files import Folder

TEXT_LIMIT = 100_000
"""Code points of a SKILL.md that are kept for looking: what Hermes lets an agent write."""

FILES_LIMIT = 200
_BYTES_LIMIT = 4 << 20
_FRONT_LIMIT = 8 << 10
_NAME_WIDTH, _DESCRIPTION_WIDTH = 64, 1_024
_FRONT = re.compile(r"---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)


class _Content(Struct):
    digest: str
    size: int = 0
    files: int = 0
    text: str = ""
    trouble: str = ""


class _Group(Struct):
    content: _Content
    holders: list[SkillHolder] = field(default_factory=list)


def installed_skills(homes: Iterable[tuple[str, Folder]]) -> SkillListing:
    """Return the skills of some open homes, one row for each distinct content, sorted by name.

    Args:
        homes: name and open home of each profile.
    """
    groups: dict[tuple[str, str], _Group] = {}
    broken: list[InstalledSkill] = []
    notes: list[str] = []
    for profile, home in homes:
        places = skill_places(home)
        notes += [f"{profile}: {note}" for note in places.notes]
        times = SkillTimes(home)
        for place in places.found:
            at, source = times.of(place.name)
            holder = SkillHolder(profile, place.folder, place.archived, at, source)
            content = _read(home, place)
            if not content.digest:
                broken.append(_broken(place, holder, content.trouble))
            else:
                groups.setdefault((place.name, content.digest), _Group(content)).holders.append(holder)
    rows = [_row(name, group) for (name, _), group in groups.items()] + broken
    return SkillListing(tuple(sorted(rows, key=lambda row: (row.name.casefold(), row.digest))), tuple(notes))


def _broken(place: SkillPlace, holder: SkillHolder, trouble: str) -> InstalledSkill:
    return InstalledSkill(place.name, "", "", 0, 0, "", (holder,), trouble, unreadable=True)


def _row(folder: str, group: _Group) -> InstalledSkill:
    content = group.content
    name, description, trouble = front_matter(content.text)
    return InstalledSkill(
        name or folder,
        description,
        content.digest,
        content.size,
        content.files,
        content.text[:TEXT_LIMIT],
        tuple(sorted(group.holders, key=lambda holder: (holder.archived, holder.profile, holder.folder))),
        content.trouble or trouble,
    )


def _read(home: Folder, place: SkillPlace) -> _Content:
    """Read one skill; a digest that is empty says that it cannot be read, and ``trouble`` why."""
    if place.trouble:
        return _Content("", trouble=place.trouble)
    try:
        folder = open_inside(home, SKILLS, *place.steps)
        if folder is None:
            return _Content("", trouble="it is gone")
        with folder:
            raw = folder.read_file(SKILL_FILE, FILE_LIMIT)
            if raw is None:
                return _Content("", trouble="it is gone")
            text = raw.decode("utf-8").removeprefix(BYTE_ORDER_MARK)
            content = _digested(folder)
    except UnicodeDecodeError as error:
        return _Content("", trouble=f"{SKILL_FILE} is not UTF-8: byte {error.start} cannot be read")
    except StoreError as error:
        return _Content("", trouble=error.message)
    content.size, content.text = len(text), text
    return content


def _digested(folder: Folder) -> _Content:
    """Return the digest over all files of a skill; what lies behind the bounds counts with its size only."""
    whole = hashlib.sha256()
    room = _BYTES_LIMIT
    count, odd = 0, 0
    for path, holder, status in files_below(folder, FILES_LIMIT):
        count += 1
        whole.update(f"{path}\0".encode("utf-8", "surrogateescape"))
        raw = None
        if stat.S_ISREG(status.st_mode) and status.st_size <= room:
            raw = _quietly(holder, path.rpartition("/")[2])
        if raw is None:
            odd += 1
            whole.update(f"{what_it_is(status)} {status.st_size}\0".encode())
        else:
            room -= len(raw)
            whole.update(hashlib.sha256(raw).digest())
    few = "1 of its files was" if odd == 1 else f"{odd} of its files were"
    return _Content(whole.hexdigest(), files=count, trouble=f"{few} not read" if odd else "")


def _quietly(folder: Folder, name: str) -> bytes | None:
    try:
        return folder.read_file(name, _BYTES_LIMIT)
    except StoreError:
        return None


def front_matter(text: str) -> tuple[str, str, str]:
    """Return name and description of a SKILL.md, raw, and in words what is wrong with its front matter."""
    found = _FRONT.match(text[:_FRONT_LIMIT].replace("\r\n", "\n"))
    if found is None:
        return "", "", "it has no front matter"
    import yaml

    try:
        # this loader takes every scalar for text and merges nothing, and as it is written in Python, endless nesting
        # is an error to it and not the end of the process
        values = yaml.load(found[1], yaml.BaseLoader)  # noqa: S506 - it builds nothing but text, lists and mappings
    except (yaml.YAMLError, ValueError, ArithmeticError, LookupError, AttributeError, TypeError, RecursionError):
        return "", "", "its front matter is not valid YAML"
    if not isinstance(values, dict):
        return "", "", "its front matter names nothing"
    name, description = (values.get(key) for key in ("name", "description"))
    return (
        name[:_NAME_WIDTH] if isinstance(name, str) else "",
        description[:_DESCRIPTION_WIDTH] if isinstance(description, str) else "",
        "" if isinstance(name, str) else "its front matter has no name",
    )


def holder_places(places: Sequence[SkillPlace], name: str) -> list[SkillPlace]:
    """Return the places where Hermes would find a skill of that name: by its folder, archived ones left out."""
    return [place for place in places if place.name == name and not place.archived and not place.trouble]
