"""``show``: one waiting write, with everything a person should know before deciding."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from itertools import chain

import click

from curator_tui.cli.aside_words import question_lines, rewritten_line, until_words
from curator_tui.cli.item_words import item_lines
from curator_tui.cli.session import Session, json_option, pass_session
from curator_tui.cli.shapes import (
    Shape,
    deferral_shape,
    evidence_shape,
    item_shape,
    located_shape,
    operation_shape,
    outcome_shape,
    question_shape,
)
from curator_tui.cli.tables import block
from curator_tui.core.asides import Deferral
from curator_tui.core.operations import Problem
from curator_tui.core.questions import Question
from curator_tui.curator.items import Item


@click.command()
@click.argument("name", metavar="ID")
@click.option("--raw", is_flag=True, help="Show the bytes of its record too.")
@json_option
@pass_session
def show(session: Session, name: str, raw: bool) -> int:
    """Show one waiting write: its real outcome, what it would lose, findings, where it came from; or one question."""
    desk = session.desk(many=True)
    question = next((one for one in desk.questions() if one.id == name), None)
    if question is not None:
        session.output.answer(_question_document(question), question_lines(question, desk.actor, desk.now()))
        return 0
    item = desk.item(name, with_evidence=True)
    deferral, rewritten = desk.deferral(name), desk.rewritten(name)
    document = _document(item, deferral)
    if raw:
        document["raw_base64"] = None if item.raw is None else base64.b64encode(item.raw).decode("ascii")
    lines = _lines(item, desk.now(), raw=raw)
    said = [f"{name} is deferred {until_words(deferral)}"] if deferral is not None else []
    said += [f"{name} {rewritten_line(rewritten)}"] if rewritten is not None else []
    session.output.answer(document, chain(said, lines))
    return 0


def _question_document(question: Question) -> Shape:
    """Return a question under the keys of a waiting write: it has none of what those say."""
    return {
        "item": None,
        "outcome": None,
        "findings": [],
        "evidence": None,
        "verdict": None,
        "reasons": {},
        "superseded_by": None,
        "nearest": question.nearest,
        "candidates": [],
        "room": [],
        "inside": {},
        "question": question_shape(question),
        "deferred": None,
    }


def _document(item: Item, deferral: Deferral | None) -> Shape:
    found = item.found
    reason = Problem("superseded", f"superseded by {item.superseded_by}") if item.superseded_by else found.reason
    group = found.proposal.group if item.others else None
    return {
        "item": {
            **item_shape(found, digest=item.plain_digest, group=group, reason=reason),
            "operations": [operation_shape(operation) for operation in found.proposal.operations],
            "agent_says": found.proposal.agent_says,
            "pinned_by": found.proposal.pinned_by or None,
            "members": list(item.members),
        },
        "outcome": outcome_shape(found),
        "findings": [located_shape(located) for located in found.findings],
        "evidence": evidence_shape(item.evidence),
        "verdict": None,
        "reasons": {str(state): problem.message for state, problem in found.reasons.items()},
        "superseded_by": item.superseded_by or None,
        "nearest": found.nearest,
        "candidates": list(found.candidates),
        "room": list(item.room),
        "inside": {str(index + 1): content for index, content in found.inside.items()},
        "question": None,
        "deferred": deferral_shape(deferral) if deferral is not None else None,
    }


def _lines(item: Item, now: float, *, raw: bool) -> Iterator[str]:
    yield from item_lines(item, now)
    if raw and item.raw is None:
        yield "The bytes of the record were not read."
    elif raw and item.raw is not None:
        yield f"Record, {len(item.raw)} bytes:"
        # a byte that is not UTF-8 becomes half a surrogate pair, which is shown as a token
        yield from block(item.raw.decode("utf-8", "surrogateescape"), "  ", "  ")
