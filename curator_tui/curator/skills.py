"""Skills at the desk: what is installed, what waits, and how Hermes is told to apply or drop it.

Here: asking for both, finding one, the words of Hermes's own commands. Not here: reading files (``stores.hermes``),
what a write would do (``core.skills``). Nothing here applies a skill: Hermes has checks of its own for that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from curator_tui.core.errors import UnknownItem
from curator_tui.core.line_diffs import CONTEXT
from curator_tui.core.scanning import Finding, scan
from curator_tui.core.skills import InstalledSkill, SkillEffect, SkillListing, SkillWrite, Standing, effect
from curator_tui.core.text import visible
from curator_tui.curator.desk import Desk
from curator_tui.stores.hermes.names import DEFAULT_PROFILE

_NAMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
SCANNED = 100_000
"""Code points of a text that the scanner looks at here: what Hermes lets an agent write into one file."""


class SkillCommands(Struct, frozen=True):
    """How Hermes is told what to do with a waiting skill write; words safe to print.

    Attributes:
        start: what starts Hermes on the profile it waits in.
        apply: what is typed there to apply it; empty where Hermes cannot be told its name.
        drop: what is typed there to drop it, likewise.
        caution: what is to be known first; empty for nothing.
    """

    start: str
    apply: str = ""
    drop: str = ""
    caution: str = ""


class ShownSkill(Struct, frozen=True):
    """One waiting skill write with everything a person sees of it.

    Attributes:
        write: what the record says.
        now: how its file stands.
        effect: what it would do.
        findings: what the scanner sees in the text it brings.
        commands: how Hermes is told.
    """

    write: SkillWrite
    now: Standing
    effect: SkillEffect
    findings: tuple[Finding, ...]
    commands: SkillCommands


class WaitingSkills(Struct, frozen=True):
    """The skill writes that wait in the bound profile, oldest first, and how many more were not read."""

    writes: tuple[SkillWrite, ...] = ()
    left_out: int = 0


def installed(desk: Desk) -> SkillListing:
    """Return the installed skills of the home and all its profiles; a profile that cannot be opened is a note."""
    kept = desk.store.skills
    return kept.installed() if kept is not None else SkillListing()


def waiting(desk: Desk) -> WaitingSkills:
    """Return the skill writes that wait in the bound profile.

    Raises:
        Unreadable: the queue folder is there and cannot be listed.
    """
    kept = desk.store.skills
    if kept is None:
        return WaitingSkills()
    found, left_out = kept.waiting()
    return WaitingSkills(tuple(found), left_out)


def find(desk: Desk, name: str) -> SkillWrite:
    """Return one waiting skill write by its id.

    Raises:
        UnknownItem: nothing waits under that id in the bound profile.
    """
    found = next((write for write in waiting(desk).writes if write.id == name), None)
    if found is None:
        raise UnknownItem(
            f"No waiting skill has the id {visible(name, newlines=False)}.",
            way_out="List them with: curator-tui skills",
        )
    return found


def shown(desk: Desk, write: SkillWrite, context: int = CONTEXT) -> ShownSkill:
    """Work out everything a person sees of one waiting skill write; its file is read afresh.

    Args:
        desk: the desk.
        write: the write.
        context: unchanged lines that the diff shows around a change.
    """
    kept = desk.store.skills
    now = kept.standing(write) if kept is not None else Standing()
    brought = write.content if write.content is not None else write.new_string
    return ShownSkill(write, now, effect(write, now, context), tuple(scan(brought[:SCANNED])), commands(write))


def commands(write: SkillWrite) -> SkillCommands:
    """Return how Hermes is told to apply or drop a waiting skill write."""
    start = _hermes(write.profile)
    if write.id.startswith("x-"):
        return SkillCommands(start, caution="its file has a name that Hermes cannot be told; remove the file by hand")
    apply, drop = f"/skills approve {write.id}", f"/skills reject {write.id}"
    if write.unreadable:
        return SkillCommands(start, "", drop, "Hermes cannot read it either; it can only be dropped")
    if write.record_id != write.id:
        return SkillCommands(
            start,
            apply,
            drop,
            "the record gives itself another id than its file has: applied, it would stay and could be applied again",
        )
    return SkillCommands(start, apply, drop)


def _hermes(profile: str) -> str:
    """Return what starts Hermes on a profile."""
    return "hermes" if profile == DEFAULT_PROFILE else f"hermes -p {profile}"


def installed_commands(skill: InstalledSkill, profile: str) -> tuple[tuple[str, str], ...]:
    """Return what Hermes can be told about an installed skill, each with what it does; words safe to print.

    Args:
        skill: the skill.
        profile: whose holding of it is meant, where that profile has it.
    """
    holder = next((one for one in skill.holders if one.profile == profile), skill.holders[0])
    start = _hermes(holder.profile)
    listing = ("list them", f"{start} skills list")
    if skill.unreadable or not _NAMED.fullmatch(skill.name):
        return (listing,)  # nothing that a shell would take for one word
    if holder.archived:
        return (("bring it back", f"{start} curator restore {skill.name}"), listing)
    if holder.source == "hub":
        return (("remove it", f"{start} skills uninstall {skill.name}"), listing)
    return (("put it away", f"{start} curator archive {skill.name}"), listing)


def skill_findings(skill: InstalledSkill) -> Sequence[Finding]:
    """Return what the scanner sees in the SKILL.md of an installed skill."""
    return scan(skill.text[:SCANNED])
