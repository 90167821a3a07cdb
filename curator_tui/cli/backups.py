"""``backups``, ``diff`` and ``rollback``: the backups of both documents, and rolling back to one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import click

from curator_tui.cli.answers import tell
from curator_tui.cli.item_words import short_words
from curator_tui.cli.row_words import deed_in_words
from curator_tui.cli.session import Session, json_option, pass_session
from curator_tui.cli.shapes import Shape, diff_shapes, problem_shapes
from curator_tui.cli.tables import table
from curator_tui.cli.words import diff_lines, document_lines, standing_words
from curator_tui.core.changes import Change
from curator_tui.core.counting import counted
from curator_tui.core.diffs import EntryDiff, entry_diff
from curator_tui.core.documents import FILE_NAMES, TARGETS, Document, Target, parse
from curator_tui.core.errors import Unreadable
from curator_tui.core.operations import Problem
from curator_tui.core.requests import Kind
from curator_tui.core.text import visible
from curator_tui.core.times import utc_words
from curator_tui.curator import history
from curator_tui.curator.deeds import deed_alone, deed_of, deed_with_items
from curator_tui.curator.desk import Desk
from curator_tui.curator.history import BackupRow
from curator_tui.curator.row_subjects import first_of

_NOW = "now"
_LISTED = 20
"""Changes that a preview names one by one."""
# Images of states that no change of ours made, by the end of their id.
_SPECIAL = {"-first": "as first seen", "-known": "as last known, before another program wrote"}


@click.command()
@json_option
@pass_session
def backups(session: Session) -> int:
    """List the backups of both documents, oldest first; `last` names the newest wherever a backup is named."""
    desk = session.desk()
    rows, problems = history.backups(desk)
    document = {
        "backups": [_backup_shape(row) for row in rows],
        "problems": problem_shapes(problems),
    }
    session.output.answer(document, _backup_lines(desk, rows, problems))
    return 0


def _backup_shape(row: BackupRow) -> Shape:
    return {
        "id": row.backup.id,
        "created_at": row.backup.at,
        "sizes": {str(target): size_in(document) for target, document in row.documents().items()},
        "change": row.backup.change or None,
        "kind": str(row.change.kind) if row.change is not None else None,
    }


def size_in(document: Document) -> int | None:
    """Return the size of a document in a backup; None for one that was absent or cannot be decoded."""
    return None if document.presence == "missing" or not document.usable else document.size


def _backup_lines(desk: Desk, rows: Sequence[BackupRow], problems: Sequence[Problem]) -> Iterator[str]:
    if not rows:
        yield "There is no backup yet; one is taken before every change."
    yield from table([(row.backup.id, utc_words(row.backup.at), _sizes(row), before_what(desk, row)) for row in rows])
    yield from (f"problem: {problem.message}" for problem in problems)


def _sizes(row: BackupRow) -> str:
    parts = []
    for target, document in row.documents().items():
        size = size_in(document)
        parts.append(f"{FILE_NAMES[target]} {document.presence if size is None else size}")
    return ", ".join(parts)


def before_what(desk: Desk, row: BackupRow) -> str:
    """Say which change a backup was taken before."""
    special = _SPECIAL.get(row.backup.id.rpartition(row.backup.change)[2])
    if special is not None:
        return special
    if row.change is None:
        return f"change {row.backup.change}"
    undone = ", undone" if row.change.undone_by else ""
    what = deed_of(desk, row.change) if row.change.kind is Kind.CORRECT else str(row.change.kind)
    first = first_of(desk, row.change)
    behind = f" ({deed_alone(first)})" if first.id != row.change.id else ""
    return f"before {what}{behind} {row.change.id}{undone}"


@click.command()
@click.argument("old", metavar="A")
@click.argument("new", metavar="B", default=_NOW)
@json_option
@pass_session
def diff(session: Session, old: str, new: str) -> int:
    """Show what differs between backup A and B; `now`, the default for B, is what stands there."""
    desk = session.desk()
    before, after = side(desk, old), side(desk, new)
    parts = {
        target: difference(before[target], after[target]) for target in TARGETS if target in before and target in after
    }
    document = {
        "differences": {
            str(target): {
                "size_before": before[target].size,
                "size_after": after[target].size,
                "presence_before": str(before[target].presence),
                "presence_after": str(after[target].presence),
                "changes": diff_shapes(found),
            }
            for target, found in parts.items()
        }
    }
    session.output.answer(document, _diff_lines(before, after, parts))
    return 0


def side(desk: Desk, name: str) -> dict[Target, Document]:
    """Return the documents of one side; unreadable ones are never compared as if they were empty."""
    if name == _NOW:
        documents = {target: desk.snapshot().document(target) for target in TARGETS}
    else:
        backup = history.find_backup(desk, name)
        documents = {target: parse(target, raw) for target, raw in backup.files.items()}
    for target, document in documents.items():
        if not document.usable:
            raise Unreadable(f"{FILE_NAMES[target]} cannot be read: {document.trouble}")
    return documents


def difference(before: Document, after: Document) -> tuple[EntryDiff, ...]:
    """Return what happened to the entries between two documents."""
    return entry_diff(before.entries, after.entries)


def _diff_lines(
    before: Mapping[Target, Document],
    after: Mapping[Target, Document],
    parts: Mapping[Target, Sequence[EntryDiff]],
) -> Iterator[str]:
    for target, found in parts.items():
        old, new = before[target], after[target]
        if old.raw == new.raw:
            yield f"{FILE_NAMES[target]} is the same byte for byte ({standing_words(old)})"
            continue
        yield f"{FILE_NAMES[target]} {standing_words(old)} -> {standing_words(new)}"
        yield from diff_lines(found)


@click.command()
@click.argument("name", metavar="BACKUP")
@click.option("--target", type=click.Choice([str(target) for target in Target]), help="Only this document.")
@click.option("--dry-run", is_flag=True, help="Show what would happen, write nothing.")
@click.option("--expect", metavar="DIGEST", help="Only if the outcome is still the one shown under that digest.")
@json_option
@pass_session
def rollback(session: Session, name: str, target: str | None, dry_run: bool, expect: str | None) -> int:
    """Roll the documents back to BACKUP, byte for byte, as a new change; decisions made since return to the queue."""
    desk = session.desk(looking=dry_run)
    backup = history.find_backup(desk, name)
    targets = (Target(target),) if target is not None else ()
    request = history.rollback_request(desk, backup.id, targets, shown=expect)
    if not dry_run:
        receipt = desk.carry_out(request)
        return tell(session, desk, receipt, named=_words_of(desk, receipt.undoes))
    planned = desk.dry_run(request)
    return tell(
        session,
        desk,
        planned.receipt,
        before=_preview_lines(desk, planned),
        would=True,
        named=_words_of(desk, planned.receipt.undoes),
        extra={"dry_run": True},
    )


def _preview_lines(desk: Desk, planned: Change) -> Iterator[str]:
    now = {target: desk.snapshot().document(target).raw for target in planned.documents}
    yield from document_lines(now, planned.documents)
    undone = [found for name in planned.receipt.undoes if (found := history.recorded(desk, name)) is not None]
    words = _words_of(desk, planned.receipt.undoes)
    if undone:
        yield f"undoes {counted(len(undone), 'change')}:"
    for change in undone[:_LISTED]:
        decided = change.kind is Kind.DECIDE and change.closed
        named = deed_with_items(change, lambda name: words.get(name) or visible(name)) if decided else ""
        yield f"  {named or deed_in_words(desk, change)}, change {change.id}"
    if len(undone) > _LISTED:
        yield f"  and {len(undone) - _LISTED} more"


def _words_of(desk: Desk, changes: Sequence[str]) -> dict[str, str]:
    """Return the words of the items that changes decided, by id, as far as their records are kept."""
    found = [change for name in changes if (change := history.recorded(desk, name)) is not None]
    kept = history.kept_proposals(desk, (item for change in found for item in change.closed))
    return {name: short_words(proposal) for name, proposal in kept.items()}
