"""Skills: what is installed, what waits to be written to one, and what that would do to its file.

Here: plain values and the effect of one waiting write. Not here: reading either (the stores). Nothing here applies
anything: applying skills stays with Hermes, which has checks of its own.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from curator_tui.core.line_diffs import CONTEXT, LineDiff, line_diff
from curator_tui.core.operations import Problem

SKILL_FILE = "SKILL.md"
_FOLDERS = frozenset({"references", "templates", "scripts", "assets"})


class SkillHolder(Struct, frozen=True):
    """One place where a skill is installed.

    Attributes:
        profile: the profile that has it.
        folder: its folder below ``skills``.
        archived: whether it is put away and no agent reads it.
        at: when Hermes says it was made or installed there, UTC seconds; None where it says nothing.
        source: who made it, as Hermes records it: ``agent``, ``hub``, or empty for not recorded.
    """

    profile: str
    folder: str
    archived: bool = False
    at: float | None = None
    source: str = ""


class InstalledSkill(Struct, frozen=True):
    """One distinct content of an installed skill, with every place that has it.

    Attributes:
        name: its name by its front matter, else by its folder; raw.
        description: by its front matter, raw; empty for none.
        digest: of all of its files; empty for one that cannot be read.
        size: code points of its SKILL.md.
        files: number of files, SKILL.md included.
        text: its SKILL.md as far as it is kept for looking, raw.
        holders: where it is, sorted.
        trouble: why it cannot be read or what is odd about it, in words safe to print; empty for nothing.
        unreadable: whether nothing could be read of it.
    """

    name: str
    description: str
    digest: str
    size: int
    files: int
    text: str
    holders: tuple[SkillHolder, ...]
    trouble: str = ""
    unreadable: bool = False

    @property
    def archived(self) -> bool:
        """Whether it is put away wherever it is."""
        return all(holder.archived for holder in self.holders)

    @property
    def at(self) -> float | None:
        """The earliest time that is recorded for it anywhere; None for none."""
        return min((holder.at for holder in self.holders if holder.at is not None), default=None)

    @property
    def said(self) -> tuple[str, ...]:
        """What a filter looks at: names, description, places, and whether it is archived."""
        places = (text for holder in self.holders for text in (holder.profile, holder.folder, holder.source))
        return (self.name, self.description, self.trouble, "archived" if self.archived else "", *places)

    @property
    def sources(self) -> tuple[str, ...]:
        """Who made it, by what its holders record."""
        return tuple(sorted({holder.source for holder in self.holders if holder.source}))


class SkillListing(Struct, frozen=True):
    """What is installed, and in words safe to print what was left out or could not be listed."""

    skills: tuple[InstalledSkill, ...] = ()
    notes: tuple[str, ...] = ()


class SkillAction(StrEnum):
    """What a waiting write does to a skill."""

    CREATE = "create"
    EDIT = "edit"
    PATCH = "patch"
    DELETE = "delete"
    WRITE_FILE = "write_file"
    REMOVE_FILE = "remove_file"


class SkillWrite(Struct, frozen=True):
    """One write that waits in ``pending/skills``; everything in it is a claim of the record.

    Attributes:
        id: item id, by the file's name and never by what stands in it; unique within its profile.
        profile: the profile in whose queue it waits.
        action: as written; an unknown one is shown as it is.
        name: the skill, as written.
        file_path: the file of the skill, as written; empty for SKILL.md.
        at: when it was staged, UTC seconds; None when it does not say.
        origin: where it says it came from.
        agent_says: the agent's summary.
        problem: why it cannot be shown for what it is, or None.
        unreadable: True when not even the fields could be read.
        size: bytes of the record.
        digest: SHA-256 of its bytes.
        record_id: the id it gives itself.
        content: new text of the whole file, for what writes one; else None.
        old_string: the text to be replaced, for a patch.
        new_string: what takes its place.
        replace_all: whether every place counts.
        category: folder of the new skill, or empty.
    """

    id: str
    profile: str
    action: str = ""
    name: str = ""
    file_path: str = ""
    at: float | None = None
    origin: str = ""
    agent_says: str = ""
    problem: Problem | None = None
    unreadable: bool = False
    size: int = 0
    digest: str = ""
    record_id: str = ""
    content: str | None = None
    old_string: str = ""
    new_string: str = ""
    replace_all: bool = False
    category: str = ""

    @property
    def file(self) -> str:
        """The file of the skill it is about."""
        return self.file_path or SKILL_FILE

    @property
    def order(self) -> tuple[float, str]:
        """Place in the queue: oldest first, then by id."""
        return (self.at if self.at is not None else 0.0, self.id)

    @property
    def said(self) -> tuple[str, ...]:
        """What a filter looks at beside its id: every short text of it, and why it is odd."""
        reason = self.problem.message if self.problem is not None else ""
        return (self.action, self.name, self.file, self.origin, self.agent_says, self.category, reason)


class Standing(Struct, frozen=True):
    """How the file that a write is about stands now.

    Attributes:
        skill: folder of the installed skill below ``skills``; None when there is none of that name.
        text: the file as it stands; None when it is not there.
        trouble: why it could not be read, in words safe to print; empty for nothing.
        others: number of the skill's other files.
    """

    skill: str | None = None
    text: str | None = None
    trouble: str = ""
    others: int = 0


class SkillEffect(Struct, frozen=True):
    """What a waiting write would do.

    Attributes:
        diff: the file before and after; None where nobody can tell.
        problems: why Hermes would refuse it, or what else is to be known before it is applied.
        fragment: True when the diff shows only the words that are exchanged, because their place is not certain.
    """

    diff: LineDiff | None
    problems: tuple[Problem, ...] = ()
    fragment: bool = False


def usable_path(path: str) -> bool:
    """Whether a path stays inside the folder of its skill and is one that Hermes accepts."""
    steps = path.split("/")
    if any(step in {"", ".", ".."} or "\\" in step or "\0" in step for step in steps):
        return False
    if steps[-1] == SKILL_FILE and len(steps) <= 2:
        return True
    return len(steps) > 1 and steps[0] in _FOLDERS


def effect(write: SkillWrite, now: Standing, context: int = CONTEXT) -> SkillEffect:
    """Work out what a waiting write would do to its file as it stands now.

    Args:
        write: the write.
        now: how its file stands.
        context: unchanged lines that the diff shows around a change.
    """
    if write.problem is not None:
        return SkillEffect(None, (write.problem,))
    problems = list(_troubles(write, now))
    if any(problem.code in {"file-path", "file-unreadable"} for problem in problems):
        return SkillEffect(None, tuple(problems))
    before = now.text or ""
    if write.action == SkillAction.PATCH:
        return _patch(write, now, problems, context)
    if write.action in {SkillAction.DELETE, SkillAction.REMOVE_FILE}:
        return SkillEffect(line_diff(before, "", context), tuple(problems))
    if write.action == SkillAction.CREATE:
        before = ""
    diff = line_diff(before, write.content or "", context)
    if not diff.new and not diff.gone:
        problems.append(Problem("no-change", "the file stands like that already"))
    return SkillEffect(diff, tuple(problems))


def _troubles(write: SkillWrite, now: Standing) -> list[Problem]:
    found: list[Problem] = []
    if not usable_path(write.file):
        found.append(Problem("file-path", "Hermes takes no such file: it lies outside the folders of a skill"))
    if now.trouble:
        found.append(Problem("file-unreadable", now.trouble))
    if write.action == SkillAction.CREATE:
        if now.skill is not None:
            found.append(Problem("installed-already", "a skill of that name is installed: Hermes refuses another one"))
    elif now.skill is None:
        found.append(Problem("no-such-skill", "no skill of that name is installed: Hermes refuses it"))
    elif now.text is None and write.action not in {SkillAction.WRITE_FILE, SkillAction.DELETE} and not now.trouble:
        found.append(Problem("no-such-file", "the skill has no such file: Hermes refuses it"))
    if write.action == SkillAction.DELETE and now.others:
        found.append(Problem("other-files", f"{now.others} other files of the skill go with it"))
    return found


def _patch(write: SkillWrite, now: Standing, problems: list[Problem], context: int) -> SkillEffect:
    places = now.text.count(write.old_string) if now.text is not None and write.old_string else 0
    if now.text is not None and (places == 1 or (places and write.replace_all)):
        changed = now.text.replace(write.old_string, write.new_string)
        return SkillEffect(line_diff(now.text, changed, context), tuple(problems))
    if places:
        problems.append(Problem("several-places", f"the words stand there {places} times: Hermes refuses it"))
    elif now.text is not None:
        problems.append(
            Problem(
                "not-exactly", "the words do not stand there exactly; Hermes looks for like ones when it applies it"
            )
        )
    return SkillEffect(line_diff(write.old_string, write.new_string, context), tuple(problems), fragment=True)
