"""``learned``: everything the profile has learned, entries and skills, since when and from whom if that is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from curator_tui.cli.ages import age
from curator_tui.cli.session import Session, json_option, pass_session
from curator_tui.cli.shapes import Shape
from curator_tui.cli.tables import padded
from curator_tui.core.counting import counted
from curator_tui.core.learned import Learned
from curator_tui.core.text import cell_width, one_line
from curator_tui.curator import learned as door

_LEAST = 16  # cells for a title, however narrow the terminal


@click.command()
@click.option("--filter", "wanted", metavar="TEXT", default="", help="Only what this means.")
@click.option("--oldest-first", is_flag=True, help="The oldest at the front; what has no time stands last anyway.")
@click.option("--everywhere", is_flag=True, help="Also skills that only other profiles of the home have.")
@json_option
@pass_session
def learned(session: Session, wanted: str, oldest_first: bool, everywhere: bool) -> int:
    """List what was learned, newest first: every entry of both documents, and every installed skill.

    A filter is words that all must hold: kind:skill since:30d source:agent is:unseen, a dash in front turns one around,
    any other word is looked for in entries, names and descriptions.
    """
    desk = session.desk()
    found = door.timeline(desk, everywhere=everywhere, newest_first=not oldest_first)
    rows = door.filtered(desk, found.rows, wanted)
    document = {"learned": list(map(_shape, rows)), "count": len(rows), "notes": list(found.notes)}
    session.output.answer(document, _lines(rows, found.notes, desk.now(), session.output.width))
    return 0


def _shape(row: Learned) -> Shape:
    return {
        "kind": str(row.kind),
        "id": row.id or None,
        "title": row.title,
        "at": row.at,
        "noticed": row.noticed,
        "source": str(row.source),
        "size": row.size,
        "unseen": row.unseen,
        "flagged": row.flagged,
        "archived": row.skill is not None and row.skill.archived,
    }


def _lines(rows: Sequence[Learned], notes: Sequence[str], now: float, width: int) -> Iterator[str]:
    cells = [(str(row.kind), row.id or "-", _when(row, now), str(row.source)) for row in rows]
    widths = [max(map(cell_width, column)) for column in zip(*cells, strict=True)]
    for row, parts in zip(rows, cells, strict=True):
        head = "  " + "  ".join(map(padded, parts, widths)) + "  " + "".join(f"{mark} " for mark in _marks(row))
        yield (head + one_line(row.title, max(_LEAST, width - cell_width(head)))).rstrip()
    yield f"{counted(len(rows), 'thing')} learned."
    yield from (f"note: {note}" for note in notes)


def _when(row: Learned, now: float) -> str:
    """Say how long ago it came; ``>`` is at least so long, since it was only noticed there."""
    return "?" if row.at is None else f"{'>' if row.noticed else ''}{age(now - row.at)}"


def _marks(row: Learned) -> Iterator[str]:
    """Say in front of a title what is to be known of it first."""
    if row.flagged:
        yield "flagged"
    if row.unseen:
        yield "unseen"
    if row.skill is not None and row.skill.unreadable:
        yield "unreadable"
    if row.skill is not None and row.skill.archived:
        yield "archived"
