"""``add``, ``replace`` and ``remove``: a person's own corrections, under the rules of a proposal."""

from __future__ import annotations

import click

from curator_tui.cli.answers import override_and_note, tell, ways_to_write
from curator_tui.cli.session import Session, given_text, json_option, pass_session
from curator_tui.core.documents import Target
from curator_tui.core.operations import Action, Operation, normalise
from curator_tui.core.review import OVERRIDABLE
from curator_tui.curator.naming import find_entry

_TARGETS = click.Choice([str(target) for target in Target])
_OVERRIDE = click.option("--override", metavar="REASON", help="Write it although a finding speaks against it.")
_WHERE = click.option("--target", type=_TARGETS, help="Look for the entry in this document only.")


@click.command()
@click.option("--target", type=_TARGETS, required=True, help="The document.")
@click.argument("text")
@_OVERRIDE
@json_option
@pass_session
def add(session: Session, target: str, text: str, override: str | None) -> int:
    """Add an entry of your own; TEXT - reads it from stdin."""
    operation = Operation(Action.ADD, Target(target), content=normalise(given_text(text)))
    return _correct(session, operation, override)


@click.command("replace")
@click.argument("entry")
@click.argument("text")
@_WHERE
@_OVERRIDE
@json_option
@pass_session
def replace_entry(session: Session, entry: str, text: str, target: str | None, override: str | None) -> int:
    """Put TEXT (- is stdin) in the place of ENTRY: an id, a journey id, or words of one entry only."""
    content = normalise(given_text(text))
    found = find_entry(session.desk(looking=False).snapshot(), entry, Target(target) if target else None)
    return _correct(session, Operation(Action.REPLACE, found.target, content=content, pin=found.text), override)


@click.command()
@click.argument("entry")
@_WHERE
@_OVERRIDE
@json_option
@pass_session
def remove(session: Session, entry: str, target: str | None, override: str | None) -> int:
    """Remove ENTRY: an id, a journey id, or words of one entry only; undo brings it back."""
    found = find_entry(session.desk(looking=False).snapshot(), entry, Target(target) if target else None)
    return _correct(session, Operation(Action.REMOVE, found.target, pin=found.text), override)


def _correct(session: Session, operation: Operation, override: str | None) -> int:
    reason, note = override_and_note(override)
    passed = OVERRIDABLE if override is not None else frozenset()
    desk = session.desk(looking=False)
    receipt = desk.correct([operation], override=passed, reason=reason, note=note)
    return tell(session, desk, receipt, after=ways_to_write(receipt))
