"""``undo`` and ``redo``: one change, entry by entry."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import click
from msgspec.structs import replace

from curator_tui.cli.answers import tell
from curator_tui.cli.session import Session, json_option, pass_session, usage
from curator_tui.core.changes import MovedOn
from curator_tui.core.reverts import UndoPreview
from curator_tui.curator.desk import Desk
from curator_tui.curator.history import find_change, undo_preview

_TAKE = re.compile(r"(?:(\d{1,6})=)?(before|after|now)")
_TAKES = click.option(
    "--take",
    "takes",
    multiple=True,
    metavar="[N=]before|after|now",
    help="For an entry that changed since: which text shall stand (N: only for that one).",
)


@click.command()
@click.argument("change", required=False)
@_TAKES
@json_option
@pass_session
def undo(session: Session, change: str | None, takes: tuple[str, ...]) -> int:
    """Undo CHANGE, or your newest change that is not undone. Everything done since stays.

    An entry that changed since then is not guessed: its three texts are printed and --take decides.
    """
    return _revert(session, change, takes, redo=False)


@click.command()
@_TAKES
@json_option
@pass_session
def redo(session: Session, takes: tuple[str, ...]) -> int:
    """Redo what you undid last, if you changed nothing after it."""
    return _revert(session, None, takes, redo=True)


def _revert(session: Session, change: str | None, takes: Sequence[str], *, redo: bool) -> int:
    choices = _choices(takes)
    desk = session.desk(looking=False)
    name = find_change(desk, change).id if change is not None else None
    chosen, shown = _chosen(desk, name, choices, redo=redo) if choices else ({}, None)
    receipt = desk.redo(takes=chosen, shown=shown) if redo else desk.undo(name, takes=chosen, shown=shown)
    failed = receipt.not_applied
    if receipt.moved_on:
        verb = "redo" if redo else f"undo {change or ''}".rstrip()
        message = f"changed since; choose with: curator-tui {verb} --take before|after|now"
        failed = tuple(replace(one, message=message) for one in failed)
    return tell(session, desk, receipt, failed=failed)


def _choices(takes: Sequence[str]) -> dict[int | None, str]:
    """Parse ``--take``: a choice for one numbered entry, or for all that have none of their own."""
    choices: dict[int | None, str] = {}
    for take in takes:
        found = _TAKE.fullmatch(take)
        if found is None:
            raise usage("--take is before, after or now, with a number in front for one entry: 2=before.")
        choices[int(found[1]) - 1 if found[1] else None] = found[2]
    return choices


def _chosen(
    desk: Desk, change: str | None, choices: Mapping[int | None, str], *, redo: bool
) -> tuple[dict[int, str | None], str | None]:
    """Turn choices into texts, and bind the revert to the outcome they have now."""
    preview = undo_preview(desk, change, redo=redo)
    if preview is None:
        return {}, None
    _check_numbers(preview, choices)
    chosen: dict[int, str | None] = {}
    for part in preview.reverted.moved_on:
        choice = choices.get(part.pair, choices.get(None))
        if choice is not None:
            chosen[part.pair] = _text(part, choice)
    again = undo_preview(desk, change, takes=chosen, redo=redo)
    return chosen, again.digest if again is not None else None


def _check_numbers(preview: UndoPreview, choices: Mapping[int | None, str]) -> None:
    """Refuse a choice for an entry that asks for none; what cannot be reverted at all is told with its own reason."""
    asked = {part.pair for part in preview.reverted.moved_on}
    for number in choices:
        if preview.refused is None and number is not None and number not in asked:
            raise usage(
                f"--take {number + 1}={choices[number]}: no entry with that number changed since.",
                "See the numbers without --take.",
            )


def _text(part: MovedOn, choice: str) -> str | None:
    return {"before": part.before, "after": part.after, "now": part.now}[choice]
