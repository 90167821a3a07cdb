"""``evidence``: the messages behind one waiting write."""

from __future__ import annotations

import click

from curator_tui.cli.item_words import evidence_lines
from curator_tui.cli.session import Session, json_option, pass_session
from curator_tui.cli.shapes import evidence_shape, hits_shape
from curator_tui.core.named_facts import texts_of


@click.command()
@click.argument("name", metavar="ID")
@json_option
@pass_session
def evidence(session: Session, name: str) -> int:
    """Print the messages behind a waiting write; what is only a guess says so."""
    item = session.desk().item(name, with_evidence=True)
    found, about = item.evidence, texts_of(item.found.proposal)
    document = {"hits": hits_shape(found), "evidence": evidence_shape(found)}
    lines = evidence_lines(found, about) if found is not None else iter(["No message behind it was found."])
    session.output.answer(document, lines)
    return 0
