"""``export`` and ``import``: everything one memory is made of, into a file and into an empty place."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from curator_tui.cli.session import Session, json_option, pass_session, shown_name, usage
from curator_tui.cli.shapes import not_applied_shape
from curator_tui.core.counting import counted
from curator_tui.curator.moving import Carried, export_to, import_parcel, parcel_in_file, parcel_in_home

_WORDS = {
    "documents": ("document", "documents"),
    "proposals": ("waiting item", "waiting items"),
    "images": ("backup", "backups"),
    "ledger": ("row of the ledger", "rows of the ledger"),
    "changes": ("change", "changes"),
    "tombstones": ("tombstone", "tombstones"),
}
_WAYS_OUT = {
    "not-empty": "Import into a scope, or a home, that holds nothing: another --user, or --home with a new folder.",
    "forgotten": "Forget it where it came from too, and export again.",
}


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--dry-run", is_flag=True, help="Read everything and write nothing.")
@json_option
@pass_session
def export(session: Session, /, file: str, dry_run: bool) -> int:
    """Write everything of this memory into a new file: documents, queue, backups, ledger and what belongs to it.

    The file holds the memory in plain words. It is made for you alone.
    """
    found = export_to(session.desk(), file, dry_run=dry_run)
    written = "would be written" if dry_run else "written"
    lines = [f"{_summary(found)} {written} to {shown_name(file)}.", *_common(found)]
    session.output.answer({**_shape(found), "file": file, **_dry(dry_run)}, lines)
    return 1 if found.left_out else 0


@click.command("import")
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--from-home", metavar="DIR", help="Read this Hermes home instead of a file.")
@click.option("--from-profile", metavar="NAME", help="Profile of that home (default: its active profile).")
@click.option("--dry-run", is_flag=True, help="Check everything and store nothing.")
@json_option
@pass_session
def import_(
    session: Session, /, file: str | None, from_home: str | None, from_profile: str | None, dry_run: bool
) -> int:
    """Make what was exported the memory of a scope, or of a home, that holds nothing: all of it, or nothing.

    Asked for again after an interruption, it does what is missing, or says that it was done.
    """
    if (file is None) == (from_home is None):
        raise usage("Give the FILE of an export, or --from-home DIR.")
    if from_profile is not None and from_home is None:
        raise usage("--from-profile belongs to --from-home.")
    desk = session.desk(looking=dry_run)
    if from_home is not None:
        parcel, left_out = parcel_in_home(Path(from_home), from_profile, os.environ)
    else:
        parcel, left_out = parcel_in_file(file or ""), ()
    found = import_parcel(desk, parcel, left_out, dry_run=dry_run)
    session.output.answer({**_shape(found), **_outcome(found), **_dry(dry_run)}, _told(found, would=dry_run))
    return 1 if found.not_applied or found.left_out or found.verified is False else 0


def _summary(found: Carried) -> str:
    parts = [counted(number, *_WORDS[name]) for name, number in found.counts.items() if name in _WORDS]
    return ", ".join(parts) if parts else "An empty memory"


def _common(found: Carried) -> Iterator[str]:
    yield from (f"left out: {words}" for words in found.left_out)
    yield f"digest {found.digest}"


def _told(found: Carried, *, would: bool) -> Iterator[str]:
    for one in found.not_applied:
        yield f"Not imported: {one.message}. {_WAYS_OUT.get(one.code, '')}".rstrip()
    if not found.not_applied and not (found.notes and found.change is None and not would):
        yield f"{_summary(found)} {'would be imported' if would else 'imported'}."
    yield from (f"note: {words}" for words in found.notes)
    if found.verified:
        yield "Read again: what is there now is what was sent."
    elif found.verified is False:
        yield "Read again: what is there now is NOT what was sent; somebody may have changed it at once."
    yield from _common(found)


def _shape(found: Carried) -> dict[str, Any]:
    return {
        "digest": found.digest,
        "chain": found.chain or None,
        "seq": found.head[0],
        "head": found.head[1] or None,
        "counts": dict(found.counts),
        "left_out": list(found.left_out),
    }


def _outcome(found: Carried) -> dict[str, Any]:
    return {
        "change": found.change,
        "verified": found.verified,
        "not_applied": list(map(not_applied_shape, found.not_applied)),
        "notes": list(found.notes),
    }


def _dry(dry_run: bool) -> dict[str, bool]:
    return {"dry_run": True} if dry_run else {}
