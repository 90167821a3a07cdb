"""``status``: the bound store at a glance, for people, prompts and cron."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from curator_tui.cli.ages import age
from curator_tui.cli.line import NOT_READABLE, fitted, line_of
from curator_tui.cli.session import Session, json_option, pass_session, usage
from curator_tui.cli.shapes import Shape, documents_shape
from curator_tui.cli.words import gauges
from curator_tui.core.counting import counted
from curator_tui.core.documents import FILE_NAMES, TARGETS, pressure
from curator_tui.core.errors import StoreError
from curator_tui.curator.desk import Desk
from curator_tui.curator.ledger_view import lost_words
from curator_tui.curator.values import Facts

_FULL = {
    "high": "nearly full: shorten or merge entries before writes are refused",
    "over": "over its limit: shorten or merge entries, until then writes that do not shrink it are refused",
}


@click.command()
@click.option("--line", is_flag=True, help="One short line, for shell prompts, tmux and cron.")
@click.option("--states", is_flag=True, help="In the line also states, nearly full documents and a gate that is off.")
@click.option("--quiet", is_flag=True, help="No line when nothing waits.")
@click.option("--width", type=click.IntRange(min=1), metavar="N", help="At most so many characters in the line.")
@click.option("--fail-if-pending", is_flag=True, help="Exit with 1 when a write waits; deferred ones do not count.")
@json_option
@pass_session
def status(session: Session, /, line: bool, fail_if_pending: bool, **asked: Any) -> int:
    """Say how many writes wait, of which state, how old, whether the gate is on, and how full memory is.

    With --line it is one line of words and numbers, whatever happens; exit code 3 says that it cannot be known.
    """
    if not line and (asked["states"] or asked["quiet"] or asked["width"] is not None):
        raise usage("--states, --quiet and --width belong to --line.")
    try:
        desk = session.desk(telling=not line, many=not line)
        if not desk.over_one:
            from curator_tui.cli.people import people_status

            document = people_status(session, desk)
            return 1 if fail_if_pending and document["pending"] else 0
        facts = desk.facts()
        if line:
            desk.queue.deferrals.must_be_known()
        document = _document(desk, facts)
    except StoreError as error:
        if not line or session.output.as_json:
            raise
        session.output.lines([fitted([NOT_READABLE, "see: curator-tui status"], asked["width"])])
        return error.exit_code
    if not line:
        session.output.answer(document, _lines(desk, facts, document))
    elif session.output.as_json or _waits(document) or not asked["quiet"]:
        parts = _line_parts(desk, document, states=asked["states"])
        session.output.answer(document, [fitted(parts, asked["width"])])
    return 1 if fail_if_pending and document["pending"] else 0


def _waits(document: Shape) -> bool:
    """Whether anything at all waits for a person."""
    return any(document[what] for what in ("pending", "questions", "skills_waiting"))


def _document(desk: Desk, facts: Facts) -> Shape:
    desk.queue.advance(float("inf"))
    counts = desk.queue.counts() or {}
    times = [p.created_at for p in desk.queue.proposals() if p.created_at is not None]
    return {
        "store": facts.label,
        "scope": facts.scope,
        "gate": facts.gate,
        "pending": len(desk.queue),
        "by_state": {str(state): count for state, count in counts.items()},
        "deferred": len(desk.deferred()),
        "questions": len(desk.asked()),
        "oldest_age_s": max(0, int(desk.now() - min(times))) if times else None,
        "documents": documents_shape(desk.snapshot()),
        "enabled": {str(target): facts.enabled.get(target) for target in TARGETS},
        "provider": facts.provider,
        "skills_waiting": facts.skills_waiting,
        "profiles": list(facts.profiles),
        "recovery_pending": desk.recovery_pending(),
        "notes": [*facts.notes, *desk.queue.deferrals.notes, *lost_words(desk)],
    }


def _line_parts(desk: Desk, document: Shape, *, states: bool) -> list[str]:
    age_s = document["oldest_age_s"]
    oldest = None if age_s is None else desk.now() - age_s
    asked = document["questions"]
    first, *parts = line_of(document["pending"], oldest, document["skills_waiting"], desk.now(), asked)
    if not states:
        return [first, *parts]
    by_state = ", ".join(f"{count} {state}" for state, count in document["by_state"].items())
    full = [name for name, part in document["documents"].items() if part["pressure"] in {"high", "over"}]
    unread = [name for name, part in document["documents"].items() if part["size"] is None]
    return [
        f"{first} ({by_state})" if by_state else first,
        *(f"{name} not readable" for name in unread),
        *(["gate off"] if document["gate"] is False else []),
        *parts,
        *(f"{name} {document['documents'][name]['percent']} %" for name in full),
    ]


def _lines(desk: Desk, facts: Facts, document: Shape) -> Iterator[str]:
    yield f"Store     {facts.label} ({facts.kind} {facts.scope})"
    yield f"Gate      {gate_words(facts)}"
    states = ", ".join(f"{count} {state}" for state, count in document["by_state"].items())
    oldest = "" if document["oldest_age_s"] is None else f"; the oldest for {age(document['oldest_age_s'])}"
    yield f"Waiting   {document['pending']}" + (f": {states}{oldest}" if document["pending"] else "")
    if document["deferred"]:
        yield f"Deferred  {document['deferred']}; see them with: curator-tui pending --deferred"
    if document["questions"]:
        yield f"Disputed  {counted(document['questions'], 'question')}; see them with: curator-tui pending"
    if facts.skills_waiting:
        yield f"          waiting skill writes: {facts.skills_waiting}; see them with: curator-tui skills"
    yield from gauges(desk.snapshot())
    for target in TARGETS:
        if facts.enabled.get(target) is False:
            yield f"note: {FILE_NAMES[target]} is switched off in the agent's configuration"
    if facts.provider:
        yield f"note: the external memory provider {facts.provider} is configured beside the documents"
    yield from (f"note: {note}" for note in document["notes"])
    yield from _advice(desk)


def gate_words(facts: Facts) -> str:
    """Say what the gate means, and the command that turns it on."""
    if facts.gate:
        return "on: writes wait here for a decision"
    if facts.gate is None:
        return "not known: the configuration cannot be read"
    command = f" Turn it on with: {facts.gate_command}" if facts.gate_command else ""
    return f"OFF: writes go straight into the documents.{command}"


def _advice(desk: Desk) -> Iterator[str]:
    snapshot = desk.snapshot()
    for target in TARGETS:
        document = snapshot.document(target)
        advice = _FULL.get(pressure(document.size, snapshot.limits.get(target))) if document.usable else None
        if advice is not None:
            yield f"{FILE_NAMES[target]} is {advice}"
