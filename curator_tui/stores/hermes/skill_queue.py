"""Waiting skill writes of one home: the records of ``pending/skills`` and the files they are about.

Here: reading records into values, safe and bounded like those of memory, and how the file of one stands now. Not here:
what a write would do (``core.skills``). They are shown and never applied, moved or removed.
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Mapping, Sequence
from typing import Any

from curator_tui.core.errors import StoreError
from curator_tui.core.operations import Problem
from curator_tui.core.skills import SKILL_FILE, SkillAction, SkillWrite, Standing, usable_path
from curator_tui.core.text import one_line
from curator_tui.stores.file_errors import kind_of
from curator_tui.stores.hermes.names import PENDING, RECORD_LIMIT, RECORD_SUFFIX, SKILL_QUEUE
from curator_tui.stores.hermes.reading import open_inside
from curator_tui.stores.hermes.records import decode_record, item_id, kind_of_value, time_of
from curator_tui.stores.hermes.skill_files import SKILLS, files_below, skill_file, skill_places
from curator_tui.stores.hermes.skills import FILES_LIMIT, holder_places
from curator_tui.stores.safe_files import Folder

RECORDS_LIMIT = 2_000
_WIDTH = 40
_WORDS = {
    SkillAction.CREATE: ("content",),
    SkillAction.EDIT: ("content",),
    SkillAction.PATCH: ("old_string", "new_string"),
    SkillAction.WRITE_FILE: ("file_path", "file_content"),
    SkillAction.REMOVE_FILE: ("file_path",),
    SkillAction.DELETE: (),
}


def waiting_skills(home: Folder, profile: str) -> tuple[Sequence[SkillWrite], int]:
    """Return the waiting skill writes of a home, oldest first, and how many more were not read.

    Raises:
        Unreadable: the folder is there and cannot be listed.
    """
    folder = open_inside(home, PENDING, SKILL_QUEUE)
    if folder is None:
        return (), 0
    with folder:
        names = [name for name in folder.names() if name.endswith(RECORD_SUFFIX)]
        found = [_read(folder, name, profile) for name in names[:RECORDS_LIMIT]]
    known = [write for write in found if write is not None]
    return sorted(known, key=lambda write: write.order), len(names) - len(names[:RECORDS_LIMIT])


def _read(folder: Folder, name: str, profile: str) -> SkillWrite | None:
    """Read one record; None when it is gone by now."""
    try:
        status = folder.stat(name)
        if status is None:
            return None
        if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
            what = "has another name (hard link)" if stat.S_ISREG(status.st_mode) else f"is {kind_of(status.st_mode)}"
            return _unreadable(name, profile, Problem("not-regular", f"unreadable: the file {what}"))
        raw = folder.read_file(name, RECORD_LIMIT)
    except StoreError as error:
        return _unreadable(name, profile, Problem("cannot-read", f"unreadable: {error.message}"))
    return None if raw is None else parse_skill_record(name, raw, profile)


def _unreadable(name: str, profile: str, problem: Problem) -> SkillWrite:
    return SkillWrite(item_id(name), profile, problem=problem, unreadable=True)


def parse_skill_record(name: str, raw: bytes, profile: str) -> SkillWrite:
    """Read one record; whatever the bytes are, the answer is a write that can be shown."""
    digest = hashlib.sha256(raw).hexdigest()
    record = decode_record(raw)
    if isinstance(record, Problem):
        return SkillWrite(item_id(name), profile, problem=record, unreadable=True, size=len(raw), digest=digest)
    payload = record.get("payload")
    fields: Mapping[str, Any] = payload if isinstance(payload, dict) else {}
    action = _text(fields, "action")
    content = fields.get("file_content" if action == SkillAction.WRITE_FILE else "content")
    return SkillWrite(
        item_id(name),
        profile,
        action,
        _text(fields, "name"),
        _text(fields, "file_path"),
        time_of(record.get("created_at")),
        _text(record, "origin"),
        _text(record, "summary"),
        _problem(record, payload, action),
        size=len(raw),
        digest=digest,
        record_id=_text(record, "id"),
        content=content if isinstance(content, str) else None,
        old_string=_text(fields, "old_string"),
        new_string=_text(fields, "new_string"),
        replace_all=fields.get("replace_all") is True,
        category=_text(fields, "category"),
    )


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def _problem(record: Mapping[str, Any], payload: object, action: str) -> Problem | None:
    """Return why a record cannot be shown for what it is, or None."""
    if record.get("subsystem") not in {None, "skills"}:
        return Problem("belongs-elsewhere", f"belongs to {_named(record['subsystem'])}, not to skills")
    if not isinstance(payload, dict):
        return Problem("payload-wrong-type", f"payload is {kind_of_value(payload)}, not an object")
    known = next((one for one in SkillAction if one == action), None)
    if known is None:
        return Problem("unknown-action", f"unknown action {_named(payload.get('action'))}")
    for field in ("name", *_WORDS[known]):
        if not isinstance(payload.get(field), str):
            return Problem(f"{field}-missing", f"{field} is {kind_of_value(payload.get(field))}, not text")
    return None if payload["name"] else Problem("name-missing", "name is empty")


def _named(value: object) -> str:
    return one_line(value, _WIDTH) if isinstance(value, str) else kind_of_value(value)


def standing_of(home: Folder, write: SkillWrite) -> Standing:
    """Return how the file that a write is about stands now; whatever keeps it from being read is said."""
    if write.unreadable or not write.name:
        return Standing()
    try:
        places = holder_places(skill_places(home).found, write.name)
        if not places:
            return Standing()
        place = places[0]
        if not usable_path(write.file):
            return Standing(place.folder)
        raw = skill_file(home, place, write.file)
        others = _others(home, place.steps) if write.action == SkillAction.DELETE else 0
        text = None if raw is None else raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return Standing(place.folder, trouble=f"the file is not UTF-8: byte {error.start} cannot be read")
    except StoreError as error:
        return Standing(write.name, trouble=error.message)
    return Standing(place.folder, text, others=others)


def _others(home: Folder, steps: tuple[str, ...]) -> int:
    folder = open_inside(home, SKILLS, *steps)
    if folder is None:
        return 0
    with folder:
        return sum(path != SKILL_FILE for path, _, _ in files_below(folder, FILES_LIMIT))
