"""``profiles``: every profile of the home at a glance; none of them is bound, locked or written."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence

import click

from curator_tui.cli.ages import age
from curator_tui.cli.session import Session, json_option, pass_session
from curator_tui.cli.shapes import Shape, standings_shape
from curator_tui.cli.tables import table
from curator_tui.core.documents import TARGETS, Standing, percent
from curator_tui.curator import profiles as door

_GATE = {True: "on", False: "OFF", None: "?"}


@click.command()
@json_option
@pass_session
def profiles(session: Session) -> int:
    """Say for every profile of the home how many writes wait, how full memory is, and when somebody last decided."""
    session.needs_home("profiles")
    found = door.every_profile(session.home, os.environ)
    bound = door.bound_profile(session.home, session.profile, os.environ)
    now = time.time()
    document = {"profiles": [_shape(one, bound, now) for one in found]}
    session.output.answer(document, _lines(found, bound, now))
    return 0


def _oldest_age(one: door.Glance, now: float) -> int | None:
    return None if one.oldest_at is None else max(0, int(now - one.oldest_at))


def _shape(one: door.Glance, bound: str, now: float) -> Shape:
    return {
        "profile": one.profile,
        "bound": one.profile == bound,
        "pending": one.waiting,
        "deferred": one.deferred,
        "questions": one.disputed,
        "oldest_age_s": _oldest_age(one, now),
        "skills_waiting": one.skills_waiting,
        "unreadable": one.unreadable,
        "gate": one.gate,
        "documents": standings_shape(one.documents),
        "decided_at": one.decided_at,
        "trouble": one.trouble or None,
    }


def _lines(found: Sequence[door.Glance], bound: str, now: float) -> Iterator[str]:
    head = ("", "PROFILE", "WAITING", "DISPUTED", "OLDEST", "SKILLS", "MEMORY", "USER", "GATE", "LAST DECISION")
    yield from table([head, *(_row(one, bound, now) for one in found)], indent="")
    yield from (f"{one.profile}: {one.trouble}" for one in found if one.trouble)
    yield from (
        f"{one.profile}: of its documents and records {one.unreadable} cannot be read; "
        f"see: curator-tui --profile {one.profile} pending"
        for one in found
        if one.unreadable
    )
    yield from (f"{one.profile}: {one.deferred} deferred, in no count" for one in found if one.deferred)
    yield "Open one with: curator-tui --profile NAME"


def _row(one: door.Glance, bound: str, now: float) -> tuple[str, ...]:
    oldest = _oldest_age(one, now)
    return (
        "!" if one.trouble or one.unreadable else ">" if one.profile == bound else "",
        one.profile,
        _number(one.waiting),
        _number(one.disputed),
        "" if oldest is None else age(oldest),
        _number(one.skills_waiting),
        *(_full(one.documents.get(target)) for target in TARGETS),
        _GATE[one.gate],
        "never" if one.decided_at is None else age(now - one.decided_at),
    )


def _number(value: int | None) -> str:
    return "?" if value is None else str(value)


def _full(part: Standing | None) -> str:
    if part is None or part.size is None:
        return "?"
    return f"{percent(part.size, part.limit)} %" if part.limit is not None else str(part.size)
