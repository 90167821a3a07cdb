"""``skills``: the skill writes that wait and the skills that are installed. Applying them stays with Hermes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import click

from curator_tui.cli.ages import age
from curator_tui.cli.session import Session, json_option
from curator_tui.cli.shapes import Shape, finding_shape
from curator_tui.cli.tables import block, table
from curator_tui.core.counting import counted
from curator_tui.core.line_diffs import Line, LineDiff
from curator_tui.core.skills import InstalledSkill, SkillEffect, SkillListing, SkillWrite
from curator_tui.core.text import one_line, visible
from curator_tui.core.times import utc_words
from curator_tui.curator import skills as door
from curator_tui.curator.desk import Desk

_SIGNS: Mapping[str, str] = {"same": "  ", "gone": "- ", "new": "+ "}


@click.group(invoke_without_command=True)
@click.option("--installed", is_flag=True, help="List what is installed in the home and all its profiles instead.")
@json_option
@click.pass_context
def skills(ctx: click.Context, installed: bool) -> int:
    """List the skill writes that wait in this profile. Hermes applies or drops them; this program only shows them."""
    if ctx.invoked_subcommand is not None:
        return 0
    session = ctx.find_object(Session)
    assert session is not None
    desk = session.desk()
    if installed:
        listing = door.installed(desk)
        document: Shape = {"writes": None, "left_out": 0, "installed": list(map(_installed_shape, listing.skills))}
        session.output.answer({**document, "notes": list(listing.notes)}, _installed_lines(listing))
        return 0
    found = door.waiting(desk)
    document = {"writes": list(map(_write_shape, found.writes)), "left_out": found.left_out, "installed": None}
    session.output.answer({**document, "notes": []}, _waiting_lines(desk, found))
    return 0


@skills.command()
@click.argument("item", metavar="ID")
@json_option
@click.pass_obj
def show(session: Session, item: str) -> int:
    """Show what one waiting skill write would change, against the skill as it is installed now."""
    desk = session.desk()
    found = door.shown(desk, door.find(desk, item))
    document = {
        "write": _write_shape(found.write),
        "installed": found.now.skill,
        "effect": _effect_shape(found.effect),
        "findings": list(map(finding_shape, found.findings)),
        "commands": _commands_shape(found.commands),
    }
    session.output.answer(document, _shown_lines(found))
    return 0


def _write_shape(write: SkillWrite) -> Shape:
    return {
        "id": write.id,
        "profile": write.profile,
        "action": write.action or None,
        "name": write.name or None,
        "file": write.file,
        "created_at": write.at,
        "origin": write.origin,
        "unreadable": write.unreadable,
        "reason": write.problem.message if write.problem is not None else None,
        "code": write.problem.code if write.problem is not None else None,
    }


def _effect_shape(effect: SkillEffect) -> Shape:
    diff = effect.diff
    return {
        "lines": None if diff is None else list(map(_line_shape, diff.lines)),
        "new": None if diff is None else diff.new,
        "gone": None if diff is None else diff.gone,
        "cut": None if diff is None else diff.cut,
        "fragment": effect.fragment,
        "problems": [{"code": one.code, "message": one.message} for one in effect.problems],
    }


def _line_shape(line: Line) -> Shape:
    return {
        "kind": line.kind,
        "text": line.text if line.kind != "gap" else None,
        "before": line.before,
        "after": line.after,
        "left_out": line.left_out,
    }


def _commands_shape(commands: door.SkillCommands) -> Shape:
    return {
        "start": commands.start,
        "apply": commands.apply or None,
        "drop": commands.drop or None,
        "caution": commands.caution or None,
    }


def _installed_shape(skill: InstalledSkill) -> Shape:
    return {
        "name": skill.name,
        "description": skill.description,
        "digest": skill.digest or None,
        "size": skill.size,
        "files": skill.files,
        "archived": skill.archived,
        "created_at": skill.at,
        "sources": list(skill.sources),
        "unreadable": skill.unreadable,
        "trouble": skill.trouble or None,
        "holders": [
            {"profile": holder.profile, "folder": holder.folder, "archived": holder.archived, "created_at": holder.at}
            for holder in skill.holders
        ],
    }


def _waiting_lines(desk: Desk, found: door.WaitingSkills) -> Iterator[str]:
    if not found.writes:
        yield "No skill waits here."
        return
    yield from table([_write_row(desk, write) for write in found.writes], indent="")
    if found.left_out:
        yield f"… {found.left_out} more were not read"
    yield "See what one would change with: curator-tui skills show ID"
    yield f"Hermes applies or drops them: {door.commands(found.writes[0]).start}, then /skills approve ID"


def _write_row(desk: Desk, write: SkillWrite) -> tuple[str, ...]:
    staged = age(desk.now() - write.at) if write.at is not None else "?"
    if write.unreadable:
        return write.id, "?", "", "", staged, _reason(write)
    origin = one_line(write.origin, 20) or "?"
    return (
        write.id,
        one_line(write.action, 12),
        one_line(write.name, 40),
        one_line(write.file, 40),
        staged,
        (f"{origin}  {_reason(write)}".rstrip()),
    )


def _reason(write: SkillWrite) -> str:
    return write.problem.message if write.problem is not None else ""


def _shown_lines(found: door.ShownSkill) -> Iterator[str]:
    write, commands = found.write, found.commands
    head = f"{write.id}  {one_line(write.action, 20) or '?'}  {one_line(write.name, 60)}  {one_line(write.file, 60)}"
    yield head.rstrip()
    if write.at is not None:
        yield f"  staged {utc_words(write.at)}, {one_line(write.origin, 40) or 'no origin'}"
    if write.agent_says:
        yield from block(one_line(write.agent_says, 200), "  agent says: ")
    if found.now.skill is not None:
        yield f"  installed in skills/{visible(found.now.skill, newlines=False)}"
    yield from (f"  ! {problem.message}" for problem in found.effect.problems)
    yield from (f"  ! {finding.reason}" for finding in found.findings)
    if found.effect.fragment:
        yield "  only the words it exchanges:"
    if found.effect.diff is not None and (found.effect.diff.lines or not found.effect.problems):
        yield from diff_lines(found.effect.diff)
    yield from _command_lines(commands)


def diff_lines(diff: LineDiff) -> Iterator[str]:
    """Return a line diff as lines of shown text, with its totals."""
    for line in diff.lines:
        if line.kind == "gap":
            yield f"  … {line.left_out} lines stay as they are"
        else:
            yield f"  {_SIGNS[line.kind]}{visible(line.text)}"
    if diff.cut:
        yield f"  … {diff.cut} more lines are not shown"
    if diff.whole:
        yield "  the texts are too long to be compared line by line"
    yield f"  {counted(diff.new, 'new line')}, {diff.gone} gone"


def _command_lines(commands: door.SkillCommands) -> Iterator[str]:
    if commands.caution:
        yield f"  note: {commands.caution}"
    if commands.apply:
        yield f"Apply it in Hermes: {commands.start}, then {commands.apply}"
    if commands.drop:
        yield f"Drop it in Hermes:  {commands.start}, then {commands.drop}"


def _installed_lines(listing: SkillListing) -> Iterator[str]:
    if not listing.skills:
        yield "No skill is installed."
    for skill in listing.skills:
        yield f"{one_line(skill.name, 60)}  {_facts(skill)}"
        if skill.description:
            yield f"    {one_line(skill.description, 100)}"
        if skill.trouble:
            yield f"    ! {skill.trouble}"
        yield from (f"    {line}" for line in _holder_lines(skill))
    yield from (f"note: {note}" for note in listing.notes)


def _facts(skill: InstalledSkill) -> str:
    since = f"since {utc_words(skill.at)}" if skill.at is not None else "since when is not recorded"
    size = "cannot be read" if skill.unreadable else f"{skill.size} characters, {counted(skill.files, 'file')}"
    return ", ".join([*(["archived"] if skill.archived else []), size, since])


def _holder_lines(skill: InstalledSkill) -> Sequence[str]:
    return [
        f"{holder.profile}: {visible(holder.folder, newlines=False)}" + (" (archived)" if holder.archived else "")
        for holder in skill.holders
    ]
