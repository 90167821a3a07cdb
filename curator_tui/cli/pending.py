"""``pending``: the waiting writes with their states, grouped by state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

import click

from curator_tui.cli.ages import age
from curator_tui.cli.aside_words import deferred_lines, question_rows, rewritten_line
from curator_tui.cli.item_words import actions_of, preview
from curator_tui.cli.session import Session, json_option, pass_session
from curator_tui.cli.shapes import Shape, deferral_shape, item_shape, question_shape
from curator_tui.cli.tables import padded
from curator_tui.core.counting import counted
from curator_tui.core.operations import Problem
from curator_tui.core.preflight import Preflight, State
from curator_tui.core.text import cell_width, one_line
from curator_tui.curator.desk import Desk
from curator_tui.curator.queue_model import DISPLAY_ORDER


@click.command()
@click.option("--deferred", is_flag=True, help="List the deferred writes instead, with the day each is back.")
@click.option("--count", type=click.IntRange(min=1, max=1000), default=50, help="Of all people: writes of a page.")
@click.option("--after", metavar="PLACE", help="Of all people: the page behind this one; next names it.")
@json_option
@pass_session
def pending(session: Session, deferred: bool, count: int, after: str | None) -> int:
    """List the writes that wait for a decision, with the state each would have if it were approved now.

    Questions about disputed entries follow. Deferred writes are not among the others. With --db and no --user the
    oldest writes of all people are listed, a page at a time, each with whose it is.
    """
    desk = session.desk(many=not deferred)
    more: Shape = {}
    if not desk.over_one:
        from curator_tui.cli.people import turned_to

        more = {"waiting": len(desk.queue), "next": turned_to(desk, after, count)}
    found: list[Preflight] = []
    digests: dict[str, str] = {}
    for proposal in desk.queue.proposals():
        found.append(desk.queue.found(proposal.id))
        if session.output.as_json:
            # at once: of a queue longer than what is remembered of texts each would be scanned twice
            digests[proposal.id] = desk.digest(proposal.id)
    superseders = desk.superseders()
    document: Shape = {"items": [], **_asides(desk), **more}
    if session.output.as_json:
        document["items"] = [_shape(desk, one, digests[one.proposal.id], _reason(one, superseders)) for one in found]
    width = session.output.width
    lines = _deferred(desk, width) if deferred else _lines(desk, found, superseders, width)
    notes = (f"note: {note}" for note in desk.queue.deferrals.notes)
    behind = [f"{more['waiting']} wait in all. The next page: --after '{more['next']}'"] if more.get("next") else []
    session.output.answer(document, chain(lines, notes, behind))
    return 0


def _shape(desk: Desk, one: Preflight, digest: str, reason: Problem | None) -> Shape:
    return {**item_shape(one, digest=digest, group=_group(desk, one), reason=reason), **_of_whom(desk, one.proposal.id)}


def _asides(desk: Desk) -> Shape:
    return {
        "questions": [question_shape(question) for question in desk.asked()],
        "deferred": [deferral_shape(one.deferral) for one in desk.deferred()],
        "notes": list(desk.queue.deferrals.notes),
    }


def _of_whom(desk: Desk, name: str) -> Shape:
    """Return whose an item is and how often the same fact waits, where many people's are listed."""
    return {} if desk.over_one else {"whose": desk.whose(name), "alike": desk.people(name)}


def _deferred(desk: Desk, width: int) -> Iterator[str]:
    if desk.queue.deferrals.trouble is not None:
        return
    waiting = {proposal.id: proposal for proposal in desk.queue.deferred()}
    yield from deferred_lines([(waiting[one.id], one.deferral) for one in desk.deferred()], width)


def _group(desk: Desk, found: Preflight) -> str | None:
    """Return what the members of a group share; None for an item that stands alone."""
    return found.proposal.group if len(desk.queue.group(found.proposal.id)) > 1 else None


def _reason(found: Preflight, superseders: Mapping[str, str]) -> Problem | None:
    by = superseders.get(found.proposal.id)
    return Problem("superseded", f"superseded by {by}") if by else found.reason


def _lines(desk: Desk, found: list[Preflight], superseders: Mapping[str, str], width: int) -> Iterator[str]:
    questions, away = desk.asked(), len(desk.deferred())
    if not (found or questions):
        yield "Nothing waits for a decision."
    if found:
        yield from _items(desk, found, superseders, width)
    yield from question_rows(questions, desk.now(), width)
    if away:
        yield f"{away} deferred. See them with: curator-tui pending --deferred"
    if found or questions:
        asked = f" and {counted(len(questions), 'question')}" if questions else ""
        yield f"{len(found)} waiting{asked}. See one with: curator-tui show ID"


def _items(desk: Desk, found: list[Preflight], superseders: Mapping[str, str], width: int) -> Iterator[str]:
    now = desk.now()
    rows = {one.proposal.id: _cells(desk, one, now) for one in found}
    widths = [max(map(cell_width, column)) for column in zip(*rows.values(), strict=True)]
    for state in DISPLAY_ORDER:
        members = [one for one in found if one.state is state]
        if members:
            yield f"{state} ({len(members)})"
        for one in members:
            head = "  " + "  ".join(map(padded, rows[one.proposal.id], widths)) + "  "
            yield (head + preview(one.proposal, max(16, width - cell_width(head)))).rstrip()
            yield from _remarks(desk, one, superseders)


def _cells(desk: Desk, found: Preflight, now: float) -> tuple[str, ...]:
    proposal = found.proposal
    waited = "?" if proposal.created_at is None else age(now - proposal.created_at)
    whose = () if desk.over_one else (one_line(desk.whose(proposal.id), 24),)
    return proposal.id, *whose, one_line(proposal.target_name, 8) or "?", actions_of(proposal), waited


def _remarks(desk: Desk, found: Preflight, superseders: Mapping[str, str]) -> Iterator[str]:
    reason = _reason(found, superseders)
    if reason is not None:
        yield f"      {reason.message}"
    if (deferral := desk.rewritten(found.proposal.id)) is not None:
        yield f"      {rewritten_line(deferral)}"
    if found.state is State.STALE and found.nearest is not None:
        yield f"      nearest entry: {one_line(found.nearest, 60)}"
    if desk.has_alternatives(found.proposal.id):
        # once for all of them: a long list under every member of a group would drown the rest
        first, *others = desk.queue.group(found.proposal.id)
        if found.proposal.id == first:
            yield f"      other proposals for the same entry: {' '.join(others)}"
        else:
            yield f"      wants the same entry as {first}"
