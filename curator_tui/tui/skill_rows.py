"""The rows of the skills as the list shows them: writes that wait, and what is installed.

Here: columns and headings. Not here: what is said about one (``skill_pages``), where they come from
(``curator.skills``).
"""

from __future__ import annotations

from collections.abc import Sequence

from curator_tui.core.skills import InstalledSkill, SkillWrite
from curator_tui.tui.facts import age
from curator_tui.tui.shown import EMPTY, Line, Shown, message, own, padded, say, shown_line

_AGE, _ACTION, _SOURCE = 6, 12, 18
_SIZE, _SINCE, _KEPT = 8, 9, 9
_NARROW = 52
_MOST_NAMED = 3


class Noted:
    """Rows of skills with what could not be looked at below them, in lines on which no cursor stands."""

    def __init__(self, notes: Sequence[str]) -> None:
        self.notes = notes

    @property
    def count(self) -> int:
        """Number of rows on which the cursor may stand."""
        raise NotImplementedError

    def row_line(self, index: int, width: int) -> Line:
        """Return one row laid out in columns."""
        raise NotImplementedError

    def __len__(self) -> int:
        return self.count + len(self.notes)

    def selectable(self, index: int) -> bool:
        """Whether the cursor may stand on a row."""
        return 0 <= index < self.count

    def line(self, index: int, width: int) -> Line:
        """Return what a row says."""
        if index < self.count:
            return self.row_line(index, width)
        return (own(" ! ", role="warn"), own("{}", message(self.notes[index - self.count]), role="warn"))


class WriteRows(Noted):
    """Writes that wait, oldest first.

    Args:
        writes: the writes.
        left_out: how many more were not read.
        now: UTC seconds, for the ages.
    """

    def __init__(self, writes: Sequence[SkillWrite], left_out: int, now: float) -> None:
        super().__init__([f"{left_out} more records wait and were not read"] if left_out else [])
        self.writes = writes
        self._now = now

    @property
    def count(self) -> int:
        """Number of writes."""
        return len(self.writes)

    def row(self, index: int) -> SkillWrite | None:
        """Return a write."""
        return self.writes[index] if 0 <= index < len(self.writes) else None

    def place(self, key: str) -> int | None:
        """Return where a write stands."""
        return next((at for at, write in enumerate(self.writes) if write.id == key), None)

    def row_line(self, index: int, width: int) -> Line:
        """Return one write laid out in columns: one that is odd says why where others say what they are about."""
        write = self.writes[index]
        odd = write.problem is not None
        since = age(self._now - write.at) if write.at is not None else say("?")
        lead: Line = (
            own(" {} ", Shown("!" if odd else " "), role="bad" if odd else "text"),
            *padded((own("{}", since, role="dim"),), _AGE),
            *padded((own("{}", shown_line(write.action or "?", _ACTION - 1)),), _ACTION),
        )
        if write.problem is not None:
            about = own("{}: ", shown_line(write.name or write.id, 24))
            return (*lead, about, own("{}", message(write.problem.message), role="bad"))
        source = EMPTY if width < _NARROW else padded((own(" {}", _origin(write), role="dim"),), _SOURCE)
        room = max(width - 3 - _AGE - _ACTION - (0 if width < _NARROW else _SOURCE), 4)
        name = own("{}", shown_line(write.name), role="strong")
        return (*lead, *padded((name, own("  {}", shown_line(write.file), role="dim")), room), *source)


def _origin(write: SkillWrite) -> Shown:
    return shown_line(write.origin or "origin not said", _SOURCE - 1)


class InstalledRows(Noted):
    """Installed skills, one row for each distinct content.

    Args:
        skills: the skills.
        notes: what could not be looked at, in words safe to print.
        now: UTC seconds, for the ages.
    """

    def __init__(self, skills: Sequence[InstalledSkill], notes: Sequence[str], now: float) -> None:
        super().__init__(notes)
        self.skills = skills
        self._now = now

    @property
    def count(self) -> int:
        """Number of distinct contents."""
        return len(self.skills)

    def row(self, index: int) -> InstalledSkill | None:
        """Return a skill."""
        return self.skills[index] if 0 <= index < len(self.skills) else None

    def place(self, key: str) -> int | None:
        """Return where a skill stands."""
        return next((at for at, skill in enumerate(self.skills) if skill_key(skill) == key), None)

    def row_line(self, index: int, width: int) -> Line:
        """Return one skill laid out in columns."""
        skill = self.skills[index]
        mark = say("!") if skill.trouble else say(" ")
        since = age(self._now - skill.at) if skill.at is not None else say("unknown")
        size = say("?") if skill.unreadable else say("{}", skill.size)
        narrow = width < _NARROW
        tail: Line = (
            *padded((own(" archived" if skill.archived else "", role="note"),), _KEPT),
            *padded((own(" {}", since, role="dim"),), _SINCE, right=True),
            *(EMPTY if narrow else padded((own(" {}", size, role="dim"),), _SIZE, right=True)),
        )
        room = max(width - 3 - _KEPT - _SINCE - (0 if narrow else _SIZE), 4)
        held = own("  {}", profiles_of(skill), role="dim")
        name = own("{}", shown_line(skill.name), role="dim" if skill.archived else "strong")
        return (own(" {} ", mark, role="bad"), *padded((name, held), room), *tail)


def skill_key(skill: InstalledSkill) -> str:
    """Return what tells an installed skill from the others of a list."""
    first = skill.holders[0] if skill.holders else None
    return f"{skill.digest}/{first.profile}/{first.folder}" if first is not None else skill.digest


def profiles_of(skill: InstalledSkill) -> Shown:
    """Name the profiles that hold a skill, the first ones and how many more."""
    names = list(dict.fromkeys(holder.profile for holder in skill.holders))
    told = Shown(", ".join(shown_line(name, 20) for name in names[:_MOST_NAMED]))
    more = len(names) - _MOST_NAMED
    return say("{} and {} more", told, more) if more > 0 else told


def write_head(width: int) -> Line:
    """Return the column headings of the writes that wait."""
    source = EMPTY if width < _NARROW else padded((own(" FROM", role="label"),), _SOURCE)
    room = max(width - 3 - _AGE - _ACTION - (0 if width < _NARROW else _SOURCE), 4)
    return (
        own("   ", role="label"),
        *padded((own("AGE", role="label"),), _AGE),
        *padded((own("WRITE", role="label"),), _ACTION),
        *padded((own("SKILL AND FILE", role="label"),), room),
        *source,
    )


def installed_head(width: int) -> Line:
    """Return the column headings of the installed skills."""
    narrow = width < _NARROW
    room = max(width - 3 - _KEPT - _SINCE - (0 if narrow else _SIZE), 4)
    return (
        own("   ", role="label"),
        *padded((own("SKILL AND WHO HAS IT", role="label"),), room + _KEPT),
        *padded((own("SINCE", role="label"),), _SINCE, right=True),
        *(EMPTY if narrow else padded((own("SIZE", role="label"),), _SIZE, right=True)),
    )
