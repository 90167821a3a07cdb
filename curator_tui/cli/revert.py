"""``undo`` and ``redo``: one change, entry by entry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from curator_tui.cli.answers import tell
from curator_tui.cli.item_words import short_words
from curator_tui.cli.row_words import deed_in_words
from curator_tui.cli.session import Session, json_option, pass_session, usage
from curator_tui.cli.words import document_lines
from curator_tui.core.changes import MovedOn, PastChange
from curator_tui.core.requests import Kind
from curator_tui.core.reverts import UndoPreview
from curator_tui.core.text import visible
from curator_tui.core.times import utc_words
from curator_tui.curator.desk import Desk
from curator_tui.curator.history import find_change, kept_proposals, recorded, undo_preview

_TAKE = re.compile(r"(?:(\d{1,6})=)?(before|after|now)")
_TAKES = click.option(
    "--take",
    "takes",
    multiple=True,
    metavar="[N=]before|after|now",
    help="For an entry that changed since: which text shall stand (N: only for that one).",
)


_DRY_RUN = click.option("--dry-run", is_flag=True, help="Show what would come back, write nothing.")
_EXPECT = click.option(
    "--expect", metavar="DIGEST", help="Only if the outcome is still the one shown under that digest."
)


class _Asked(Struct, frozen=True):
    """What a revert was asked for besides the change."""

    takes: tuple[str, ...]
    dry_run: bool
    expect: str | None


@click.command()
@click.argument("change", required=False)
@_TAKES
@_DRY_RUN
@_EXPECT
@json_option
@pass_session
def undo(session: Session, /, change: str | None, **asked: Any) -> int:
    """Undo CHANGE, or your newest change that is not undone. Everything done since stays.

    An entry that changed since then is not guessed: its three texts are printed and --take decides.
    """
    return _revert(session, change, _Asked(**asked), redo=False)


@click.command()
@_TAKES
@_DRY_RUN
@_EXPECT
@json_option
@pass_session
def redo(session: Session, /, **asked: Any) -> int:
    """Redo what you undid last, if you changed nothing after it."""
    return _revert(session, None, _Asked(**asked), redo=True)


def _revert(session: Session, change: str | None, asked: _Asked, *, redo: bool) -> int:
    choices = _choices(asked.takes)
    desk = session.desk(looking=asked.dry_run)
    name = find_change(desk, change).id if change is not None else None
    chosen, shown = _chosen(desk, name, choices, redo=redo) if choices else ({}, None)
    shown = asked.expect or shown
    request = desk.redoing(takes=chosen, shown=shown) if redo else desk.undoing(name, takes=chosen, shown=shown)
    meant = recorded(desk, request.reverts)
    if asked.dry_run:
        planned = desk.dry_run(request)
        receipt = planned.receipt
        now = {target: desk.snapshot().document(target).raw for target in planned.documents}
        before = [*_meant_lines(desk, meant), *document_lines(now, planned.documents)]
    else:
        receipt = desk.carry_out(request)
        done = recorded(desk, receipt.change)
        before = [*_meant_lines(desk, meant), *(document_lines(done.before, done.after) if done is not None else ())]
    words = {name: short_words(found) for name, found in kept_proposals(desk, meant.closed).items()} if meant else {}
    failed = receipt.not_applied
    if receipt.moved_on:
        verb = "redo" if redo else f"undo {change or ''}".rstrip()
        message = f"changed since; choose with: curator-tui {verb} --take before|after|now"
        failed = tuple(replace(one, message=message) for one in failed)
    return tell(
        session,
        desk,
        receipt,
        failed=failed,
        before=before,
        would=asked.dry_run,
        named=words,
    )


def _meant_lines(desk: Desk, change: PastChange | None) -> Iterator[str]:
    """Say which change is meant: an id alone tells nobody."""
    if change is not None:
        decided = change.closed if change.kind is Kind.DECIDE else ()  # others close items by the way
        what = ", ".join(dict.fromkeys(str(one.ending) for one in decided)) or deed_in_words(desk, change)
        yield f"{what} at {utc_words(change.at)}, change {visible(change.id)}:"


def _choices(takes: tuple[str, ...]) -> dict[int | None, str]:
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
