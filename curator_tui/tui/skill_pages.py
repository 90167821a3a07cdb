"""What is said about a skill: what a waiting write would change, how Hermes is told, what an installed one says.

Here: pages and the words below them. Not here: the comparison (``core.line_diffs``), commands (``curator.skills``),
where the pages stand (``screens.skills``). The effect always comes from the file as it stands now; the record's own
summary is the agent's claim.
"""

from __future__ import annotations

from collections.abc import Iterator

from curator_tui.core.line_diffs import Line as DiffLine
from curator_tui.core.line_diffs import LineDiff
from curator_tui.core.scanning import Finding, Severity
from curator_tui.core.skills import InstalledSkill, SkillAction
from curator_tui.core.times import utc_words
from curator_tui.curator.skills import ShownSkill, installed_commands
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import Fact, age, counted
from curator_tui.tui.page_lines import BLANK_LINE, Page, PageLine, rule
from curator_tui.tui.pages import fact_lines, text_lines
from curator_tui.tui.shown import EMPTY, Line, Shown, data, highlighted, message, own, say, shown_line

_SIGNS = {"same": " ", "gone": "-", "new": "+"}
_MOST_FINDINGS = 8


def write_page(found: ShownSkill, now: float, *, plain: bool = False, key: bool = True) -> Page:
    """Return the page of a waiting write: what stands in its way, what it would change, what is known of it.

    Args:
        found: the write as looked at.
        now: UTC seconds.
        plain: the texts it brings, without comparing them.
        key: whether the key that shows more lines can be pressed where the page stands.
    """
    lines = list(fact_lines(_cautions(found)))
    if lines:
        lines.append(BLANK_LINE)
    changed = list(_texts(found) if plain else _changes(found, key=key))
    changes = 1 + max((line.change for line in changed if line.change is not None), default=-1)
    lines += [*changed, BLANK_LINE, rule(say("details")), *fact_lines(_details(found, now))]
    return Page(found.write.id, found.write.digest, tuple(lines), changes)


def _cautions(found: ShownSkill) -> Iterator[Fact]:
    """Say first why Hermes would refuse it and what looks wrong."""
    for problem in found.effect.problems:
        yield Fact(say("state"), (own("{}", message(problem.message), role="bad"),))
    yield from _findings(found.findings)


def _findings(findings: tuple[Finding, ...]) -> Iterator[Fact]:
    for finding in sorted(findings, key=lambda one: one.severity is not Severity.HARD)[:_MOST_FINDINGS]:
        role = "bad" if finding.severity is Severity.HARD else "warn"
        where = own("{}, character {}: ", Shown(str(finding.severity)), finding.start + 1, role=role)
        yield Fact(say("flags"), (where, own("{}", message(finding.reason), role=role)))
    more = len(findings) - _MOST_FINDINGS
    if more > 0:
        yield Fact(say("flags"), (own("and {}", counted(more, "more finding"), role="warn"),))


def _changes(found: ShownSkill, *, key: bool) -> Iterator[PageLine]:
    diff = found.effect.diff
    if diff is None:
        yield PageLine((own("What it would change cannot be shown.", role="dim"),), (own("  "),))
        return
    if found.effect.fragment:
        yield rule(say("only the words it exchanges"))
    yield from diff_lines(diff, key=key)
    if not diff.lines and not found.effect.problems:
        yield PageLine((own("an empty file", role="dim"),), (own("  "),))


def diff_lines(diff: LineDiff, *, key: bool = True) -> Iterator[PageLine]:
    """Return a line diff, its changes numbered through; lines next to each other are one change."""
    number, inside = -1, False
    for line in diff.lines:
        changes = line.kind in {"gone", "new"}
        number += changes and not inside
        inside = changes
        yield _diff_line(line, number if changes else None, key=key)
    if diff.cut:
        yield PageLine((own("... {} not shown", counted(diff.cut, "more line"), role="warn"),), more=True)
    if diff.whole:
        yield PageLine((own("too long to be compared line by line: one text goes, one comes", role="warn"),))


def _diff_line(line: DiffLine, change: int | None, *, key: bool) -> PageLine:
    if line.kind == "gap":
        way = say(" ({} shows more)", key_for("view.context")) if key else Shown("")
        left_out = counted(line.left_out, "unchanged line")
        return PageLine((own("... {}{}", left_out, way, role="dim"),), (own("       "),))
    number = line.after if line.after is not None else line.before
    lead = own("{}{:>5} ", Shown(_SIGNS[line.kind]), number or 0, role=line.kind)
    return PageLine(highlighted(shown_line(line.text), line.kind), (lead,), change)


def _texts(found: ShownSkill) -> Iterator[PageLine]:
    """Return what the record brings, as it is written there."""
    write = found.write
    if write.action == SkillAction.PATCH:
        yield rule(say("the words it looks for"))
        yield from text_lines(write.old_string, "gone")
        yield rule(say("the words it puts there"))
        yield from text_lines(write.new_string, "new")
    elif write.content is not None:
        yield rule(say("the text it brings"))
        yield from text_lines(write.content, "new")
    else:
        yield rule(say("the file as it stands now"))
        yield from text_lines(found.now.text or "")


def _details(found: ShownSkill, now: float) -> Iterator[Fact]:
    write = found.write
    if found.now.skill is not None:
        yield Fact(say("installed"), (own("skills/"), data(found.now.skill)))
    if write.agent_says:
        claim = highlighted(shown_line(write.agent_says), "dim")
        yield Fact(say("agent says"), (own("(its own claim) ", role="dim"), *claim))
    if write.category:
        yield Fact(say("category"), (data(write.category),))
    staged = say("{}, {} ago", Shown(utc_words(write.at)), age(now - write.at)) if write.at is not None else say("?")
    origin = shown_line(write.origin or "origin not said", 40)
    yield Fact(say("staged"), (own("{}, {}", staged, origin, role="dim"),))
    record = own("  {} bytes, profile {}", write.size, shown_line(write.profile, 40), role="dim")
    yield Fact(say("record"), (data(write.id, "dim"), record))
    if write.digest:
        yield Fact(say("digest"), (own("{}", Shown(write.digest), role="dim"),))


def command_lines(found: ShownSkill) -> tuple[PageLine, ...]:
    """Say how Hermes is told to apply a write or to drop it, and what is to be known first."""
    told = found.commands
    start = own("{}", shown_line(told.start), role="strong")
    ways = ((say("apply"), told.apply), (say("drop"), told.drop))
    facts = [Fact(label, (start, own(", then "), data(way, "strong"))) for label, way in ways if way]
    if told.caution:
        facts.append(Fact(say("note"), (own("{}", message(told.caution), role="warn"),)))
    return tuple(fact_lines(facts))


def totals(diff: LineDiff | None) -> Line:
    """Return how many lines come and go."""
    if diff is None:
        return EMPTY
    return (own("+{}", diff.new, role="new"), own(" "), own("-{}", diff.gone, role="gone"), own(" lines", role="dim"))


def installed_page(skill: InstalledSkill, findings: tuple[Finding, ...], now: float) -> Page:
    """Return the page of an installed skill: what it is for, where it is, its text."""
    lines = [*fact_lines(_about(skill, findings, now)), BLANK_LINE, rule(say("SKILL.md"))]
    lines += text_lines(skill.text) if skill.text else [PageLine((own("nothing of it can be shown", role="dim"),))]
    if len(skill.text) < skill.size:
        left = own("... {} not shown", counted(skill.size - len(skill.text), "more character"), role="warn")
        lines.append(PageLine((left,)))
    return Page(skill.name, skill.digest, tuple(lines))


def _about(skill: InstalledSkill, findings: tuple[Finding, ...], now: float) -> Iterator[Fact]:
    if skill.trouble:
        yield Fact(say("trouble"), (own("{}", message(skill.trouble), role="bad"),))
    yield from _findings(findings)
    if skill.description:
        yield Fact(say("for"), highlighted(shown_line(skill.description), "text"))
    for holder in skill.holders:
        where: Line = (data(holder.profile, "strong"), own(": skills/"), data(holder.folder))
        kept: Line = (own("  archived: no agent reads it", role="note"),) if holder.archived else EMPTY
        since = say("{} ago", age(now - holder.at)) if holder.at is not None else say("since when is not recorded")
        source = shown_line(holder.source or "source not recorded", 20)
        yield Fact(say("held by"), (*where, *kept, own("  {}, {}", source, since, role="dim")))
    if not skill.unreadable:
        files = counted(skill.files, "file")
        yield Fact(say("size"), (own("{}, {}", counted(skill.size, "character"), files, role="dim"),))


def keeping_lines(skill: InstalledSkill) -> tuple[PageLine, ...]:
    """Say how Hermes is told to put a skill away or to bring it back, for each profile that has it."""
    profiles = dict.fromkeys(holder.profile for holder in skill.holders)
    first = (installed_commands(skill, profile)[0] for profile in profiles)
    told = (Fact(say("Hermes"), (data(way, "strong"), own("  {}", message(does), role="dim"))) for does, way in first)
    return tuple(fact_lines(told))
