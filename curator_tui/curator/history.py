"""History at the desk: backups, recorded changes, and previews of rollback and undo.

Here: looking at the past and asking for it back. Not here: what a revert does (``core.reverts``), who is bound to the
store (``desk``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from curator_tui.core.changes import Backup, Decided, PastChange, Receipt
from curator_tui.core.documents import Document, Target, parse
from curator_tui.core.errors import StoreError, UnknownItem, Unreadable
from curator_tui.core.operations import Problem
from curator_tui.core.proposals import Proposal
from curator_tui.core.requests import Kind, Request
from curator_tui.core.reverts import UndoPreview, preview_revert
from curator_tui.core.rollbacks import RollbackPreview, preview_rollback
from curator_tui.core.text import visible
from curator_tui.curator.desk import Desk
from curator_tui.curator.ledger_view import lost_book

_NAMING = 4


class BackupRow(Struct, frozen=True):
    """One backup as it is listed: the image and the change it was taken for, where the book knows it.

    The change comes without its documents and records: a list of backups shows none of their text.
    """

    backup: Backup
    change: PastChange | None

    def documents(self) -> dict[Target, Document]:
        """Return the documents the image holds."""
        return {target: parse(target, raw) for target, raw in self.backup.files.items()}


def answer_to(desk: Desk, operation: str) -> Receipt | None:
    """Return what the store answered to an operation, or None while it has no effect."""
    return desk.store.book.receipt(operation)


def backups(desk: Desk) -> tuple[Sequence[BackupRow], Sequence[Problem]]:
    """Return all backups, oldest first, and what is wrong with those that cannot be used or tell of a lost book."""
    images, problems = desk.store.backups()
    changes = {change.id: change for change in desk.store.book.heads()}
    rows = tuple(BackupRow(image, changes.get(image.change)) for image in images)
    return rows, (*problems, *lost_book(desk))


def find_backup(desk: Desk, name: str) -> Backup:
    """Return one backup by its id or an unambiguous beginning of four characters or more; ``last`` is the newest.

    Damaged backups have names as well: another one never stands in for the one that is meant.

    Raises:
        UnknownItem: there is none, or several begin so.
        Unreadable: the one that is meant is damaged.
    """
    names = desk.store.backup_names()
    exact = names[-1:] if name == "last" else [one for one in names if one == name]
    found = exact or [one for one in names if _begins(one, name)]
    if len(found) == 1 and (backup := _usable(desk, found[0])) is not None:
        return backup
    what = "No backup has" if not found else f"{len(found)} backups have"
    raise UnknownItem(f"{what} the id {visible(name, newlines=False)}.", way_out="List them with: curator-tui backups")


def _usable(desk: Desk, name: str) -> Backup | None:
    try:
        return desk.store.backup(name)
    except Unreadable as error:
        raise Unreadable(
            f"backup {visible(name)} cannot be used: {error.message}",
            way_out="Choose another one from: curator-tui backups. Its files can be read in memories/backups.",
        ) from error


def find_change(desk: Desk, name: str) -> PastChange:
    """Return one recorded change by its id or an unambiguous beginning of four characters or more.

    Raises:
        UnknownItem: there is none, or several begin so.
    """
    exact = desk.store.book.change(name)
    if exact is not None:
        return exact
    found = [change.id for change in desk.store.book.heads() if _begins(change.id, name)]
    if len(found) == 1 and (change := desk.store.book.change(found[0])) is not None:
        return change
    what = "No change has" if not found else f"{len(found)} changes have"
    raise UnknownItem(f"{what} the id {visible(name, newlines=False)}.", way_out="List them with: curator-tui ledger")


def recorded(desk: Desk, name: str | None) -> PastChange | None:
    """Return a change by its whole id; None where there is none, or where it cannot be read now."""
    try:
        return desk.store.book.change(name) if name is not None else None
    except StoreError:
        return None


def _begins(whole: str, name: str) -> bool:
    """Whether ``name`` is enough of an id to mean it: a slip of a key must not name the only change there is."""
    return len(name) >= _NAMING and whole.startswith(name)


def kept_proposals(desk: Desk, decided: Iterable[Decided]) -> dict[str, Proposal]:
    """Return by item id what past decisions were about, as far as their records are kept.

    An id under which different records were decided is left out: it does not say which one is meant. Where changes were
    listed without the bytes of their records, these are looked up: under the last decision, or what waits.
    """
    records: dict[str, set[str]] = {}
    raws: dict[tuple[str, str], bytes] = {}
    for one in decided:
        records.setdefault(one.proposal, set()).add(one.digest)
        if one.raw is not None:
            raws[one.proposal, one.digest] = one.raw
    named = {name: next(iter(digests)) for name, digests in records.items() if len(digests) == 1}
    missing = [name for name, digest in named.items() if (name, digest) not in raws]
    with suppress(StoreError):  # words are no reason for an answer to fail that is there
        for one in desk.store.book.decided(missing).values() if missing else ():
            if one.raw is not None:
                raws.setdefault((one.proposal, one.digest), one.raw)
    kept: dict[str, Proposal] = {}
    for name, digest in named.items():
        raw, waits = raws.get((name, digest)), desk.queue.proposal(name)
        if raw is not None:
            kept[name] = desk.store.queue.parse(name, raw)
        elif waits is not None and waits.digest == digest:
            kept[name] = waits
    return kept


def rollback_request(desk: Desk, backup: str, targets: Sequence[Target], *, shown: str | None = None) -> Request:
    """Return the request for a rollback."""
    asked = tuple(targets)
    return Request(desk.stamp(), Kind.ROLLBACK, backup=backup, targets=asked, shown=shown, today=desk.today())


def rollback_preview(desk: Desk, backup: str, targets: Sequence[Target] = ()) -> RollbackPreview:
    """Return what a rollback would do, also that it is refused; read without a lock."""
    request = rollback_request(desk, backup, targets)
    view = desk.store.peek(request)
    if view.backup is None:
        raise UnknownItem(
            f"The backup {visible(backup, newlines=False)} cannot be used.", way_out="Check it with: curator-tui doctor"
        )
    return preview_rollback(view, request)


def rollback(desk: Desk, backup: str, targets: Sequence[Target] = (), *, shown: str | None = None) -> Receipt:
    """Restore the documents of a backup as a new change."""
    return desk.carry_out(rollback_request(desk, backup, targets, shown=shown))


def undo_preview(
    desk: Desk, change: str | None = None, *, takes: Mapping[int, str | None] | None = None, redo: bool = False
) -> UndoPreview | None:
    """Return what undo (or redo) would do now, also that it is refused; None when there is nothing to revert."""
    request = desk.redoing(change, takes=takes) if redo else desk.undoing(change, takes=takes)
    return preview_revert(desk.store.peek(request), request)


def reverting_of(desk: Desk, change: str) -> tuple[str, bool]:
    """Return the change to revert so that one change alone is undone, or redone where it is undone; whether to redo.

    Raises:
        UnknownItem: there is no such change, or what undid it did more than that.
    """
    found = find_change(desk, change)
    if found.undone_by is None:
        return found.id, found.kind is Kind.UNDO
    by = find_change(desk, found.undone_by)
    if by.kind not in {Kind.UNDO, Kind.REDO}:
        raise UnknownItem(f"It was undone together with others, by {by.kind} {by.id}.", way_out="Undo that change.")
    return by.id, by.kind is Kind.UNDO


def undone_now(
    desk: Desk, changes: Sequence[str], before: tuple[int, str]
) -> tuple[tuple[int, str], frozenset[str]] | None:
    """Return the end of the ledger, and which of some changes are not in force; None where it still ends as before.

    Raises:
        StoreError: the book cannot be read.
    """
    return desk.undone_since(changes, before)


def later_than(desk: Desk, change: PastChange) -> int:
    """Return how many changes were made after one."""
    return sum(seq > change.seq for _, seq, _, _ in desk.store.book.index())


def written_since(desk: Desk) -> bool:
    """Whether another program wrote a document after the last recorded change; what cannot be read may be so too."""
    known, snapshot = desk.store.book.known(), desk.read_documents()
    documents = [snapshot.document(target) for target in known]
    return any(not document.seen or document.raw != known[document.target] for document in documents)


def changes(desk: Desk, count: int = 100) -> Sequence[PastChange]:
    """Return recorded changes, newest first."""
    return desk.store.book.changes(count)
