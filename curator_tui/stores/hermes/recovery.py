"""Recovery: finishing or undoing a change that was interrupted, whoever began it.

Here: judging an open intent by its temporary files, carrying it to an end, and removing what dead processes left. Not
here: the steps of an undisturbed commit (``commit``), when recovery runs (``writer``).

A temporary file that still stands means that our rename did not happen; one that is gone means that it did. A document
is never judged by its content alone: one that another program changed looks the same in both cases. In a folder that is
not there nothing stands and nothing is gone: then nobody can tell, and the change stays open. Everything here may be
killed and run again.

A document that another program wrote before our rename, or put back as it was after it, is given up. Where that leaves
none that was changed, nothing was changed: the whole change is undone. Else what is given up is told as not applied,
and never as done.
"""

from __future__ import annotations

import contextlib
import stat
from collections.abc import Iterable, Mapping, Set

from msgspec import Struct
from msgspec.structs import replace

from curator_tui.core.changes import NotApplied, Receipt, Row
from curator_tui.core.documents import Target, parse, raw_digest, standing
from curator_tui.core.errors import StoreError, Unreadable
from curator_tui.core.ledger import mark_partly, mark_recovered
from curator_tui.core.requests import ActorKind, Kind
from curator_tui.core.text import visible
from curator_tui.stores.book.book import Book
from curator_tui.stores.book.entries import BookEntry, without_targets
from curator_tui.stores.book.receipts import receipt_bytes, receipt_from
from curator_tui.stores.failpoints import hit
from curator_tui.stores.hermes import images
from curator_tui.stores.hermes.carrying import read_copy
from curator_tui.stores.hermes.commit import (
    aftermath,
    aftermath_begun,
    discard,
    finish_delete,
    place_images,
    withdraw_images,
)
from curator_tui.stores.hermes.hands import Hands
from curator_tui.stores.hermes.intents import DocumentMove, Intent, is_temp, temp_name
from curator_tui.stores.hermes.locks import Waits, document_locks
from curator_tui.stores.hermes.names import DOCUMENT_LIMIT
from curator_tui.stores.hermes.reading import MEMORIES
from curator_tui.stores.safe_files import Folder


class Recovered(Struct, frozen=True):
    """What became of an interrupted change: its answer when it was finished, None when it was undone."""

    change: str
    receipt: Receipt | None

    @property
    def finished(self) -> bool:
        """Whether it was finished and not undone."""
        return self.receipt is not None


def recover(home: Folder, book: Book, waits: Waits) -> Recovered | None:
    """Carry an open intent to its end; call it under the lock of the home. None when there is none.

    Raises:
        Locked: another program holds the lock of a document.
        Unreadable: a folder by which it would be judged is missing.
        StoreError: it could not be finished; calling again tries once more.
    """
    found = book.intent()
    if found is None:
        return None
    intent = Intent.from_json(found[1])
    with Hands(home) as hands:
        if not intent.documents:
            return _forward(hands, book, intent, {})
        # found and never made: in a new folder every temporary file would be gone
        memories = _folder(hands, (MEMORIES,))
        with document_locks(memories, [Target(move.target) for move in intent.documents], waits):
            given_up = _carry_documents(hands, intent)
        hit("recovery_documents_done")
        if given_up is None:
            return _undo(hands, book, intent)
        return _forward(hands, book, intent, given_up)


def _undo(hands: Hands, book: Book, intent: Intent) -> Recovered:
    withdraw_images(hands, intent)
    # The intent goes before the files: while it is open, a missing temporary file means a rename that happened.
    book.abandon(intent.change)
    hit("recovery_abandoned")
    _tidy(hands, intent)
    return Recovered(intent.change, None)


def _tidy(hands: Hands, intent: Intent) -> None:
    """Remove what is left; the book is closed already, so a failure only leaves work for :func:`sweep`."""
    with contextlib.suppress(StoreError):
        discard(hands, intent)


_GivenUp = Mapping[str, bytes | None]
"""What stands in the documents that had to be given up, by target: the work of another program."""


def _carry_documents(hands: Hands, intent: Intent) -> _GivenUp | None:
    """Complete the renames.

    Returns:
        What had to be given up, or None when no document is changed by us, so that all is to be undone.

    Raises:
        Unreadable: the folder of a document is missing, or the queue cannot be looked at; nothing was done.
    """
    moves = [(move, _folder(hands, move.steps)) for move in intent.documents]
    unmoved = {move.target for move, folder in moves if folder.stat(move.temp) is not None}
    if len(unmoved) == len(moves):
        return None
    raws = {move.target: folder.read_file(move.name, DOCUMENT_LIMIT) for move, folder in moves}
    as_before = {move.target for move, _ in moves if raw_digest(raws[move.target]) == move.old}
    # once records have moved, all documents had been replaced for good: what was put back then is a change of its own
    may_be_put_back = not aftermath_begun(hands, intent)
    put_back = {move.target for move, _ in moves if may_be_put_back and move.old != move.new} & as_before - unmoved
    if unmoved | put_back == raws.keys():
        return None
    hit("recovery_judged")
    given_up = put_back | unmoved - as_before
    for move, folder in moves:
        if move.target in given_up:
            continue
        if move.target in unmoved:
            folder.rename(move.temp, move.name)
            hit("recovery_renamed")
        else:
            _confirm(folder, intent, move)
    for steps in dict.fromkeys(move.steps for move, _ in moves):
        _folder(hands, steps).fsync()
    for move, folder in moves:
        if move.delete and move.target not in given_up:
            finish_delete(folder, move)
    return {target: raws[target] for target in given_up}


def _folder(hands: Hands, steps: tuple[str, ...]) -> Folder:
    """Open a folder by whose files a change is judged."""
    folder = hands.find(*steps)
    if folder is None:
        raise Unreadable(
            f"the folder {visible('/'.join(steps), newlines=False)} is missing, and only what stands in it tells "
            "whether its document was replaced.",
            way_out="Put it back as it was; if it is lost, an empty folder in its place lets the change count as done.",
        )
    return folder


def _confirm(folder: Folder, intent: Intent, move: DocumentMove) -> None:
    """Write a renamed document durably once more, if it still is what we wrote.

    The process may have ended, or a sync may have failed, before the rename was on disk; after a failed sync nothing
    can be told by syncing the same file again. The name of the temporary file differs from that in the intent, because
    that one has to stay gone.
    """
    if move.delete:
        return
    status = folder.stat(move.name)
    if status is None or not stat.S_ISREG(status.st_mode):
        return
    raw = folder.read_file(move.name, DOCUMENT_LIMIT)
    if raw is None or raw_digest(raw) != move.new:
        return
    again = temp_name(intent.change, f"{move.target}-again")
    folder.unlink(again, missing_ok=True)
    folder.write_new(again, raw, mode=stat.S_IMODE(status.st_mode), owner=status)
    hit("recovery_rewritten")
    folder.rename(again, move.name)


def _forward(hands: Hands, book: Book, intent: Intent, given_up: _GivenUp) -> Recovered:
    """Finish a change that is past its commit point, without the parts that had to be given up."""
    entry, receipt = intent.entry, _stored_receipt(book, intent)
    if given_up:
        lost = _lost_items(entry, given_up.keys())
        entry = replace(without_targets(entry, given_up.keys()), rows=_marked(entry.rows, given_up, lost))
        receipt = _partly(receipt, entry, given_up, lost)
    else:
        entry = replace(entry, rows=_marked(entry.rows, given_up, ()))
    kept = {part.proposal for part in entry.returned}
    brought = None if intent.parcel is None else read_copy(hands, intent.parcel)
    returns = tuple(part for part in intent.returns if brought is not None or part.proposal in kept)
    notes = place_images(hands, intent)
    after = aftermath(hands, replace(intent, entry=entry, returns=returns))
    receipt = after.receipt(replace(receipt, recovered=True, notes=receipt.notes + notes))
    hit("recovery_aftermath_done")
    book.finish(after.entry(entry), receipt=receipt_bytes(receipt), parcel=brought)
    hit("recovery_finished")
    _tidy(hands, intent)
    return Recovered(intent.change, receipt)


def _stored_receipt(book: Book, intent: Intent) -> Receipt:
    """Return the planned answer; without it the change is finished all the same, with an answer that says little."""
    body = book.text(intent.entry.receipt) if intent.entry.receipt is not None else None
    if body is not None:
        with contextlib.suppress(ValueError, TypeError, LookupError, AttributeError):  # it is damaged
            return receipt_from(body)
    return Receipt(intent.change, Kind(intent.entry.kind))


def _lost_items(entry: BookEntry, given_up: Set[str]) -> tuple[str, ...]:
    """Return the items whose document was given up: they stay where they are."""
    closed = [part.proposal for part in entry.closed if given_up & set(part.targets)]
    returned = [part.proposal for part in entry.returned if given_up & set(part.targets)]
    return (*closed, *returned)


def _marked(rows: Iterable[Row], given_up: Iterable[str], lost: Iterable[str]) -> tuple[Row, ...]:
    """Mark the rows of the change itself; those about what others wrote stay true as they are."""
    lost = tuple(lost)
    marked: list[Row] = []
    for row in rows:
        if row.get("actor", {}).get("kind") == str(ActorKind.OUTSIDE):
            marked.append(row)
            continue
        marked.append(mark_recovered(mark_partly(row, given_up, lost) if given_up else row))
    return tuple(marked)


def _partly(receipt: Receipt, entry: BookEntry, given_up: _GivenUp, lost: tuple[str, ...]) -> Receipt:
    """Return the answer that is true of a change of which documents were given up: what stands, and what does not.

    Args:
        receipt: what was planned.
        entry: what is recorded in the end; a revert of a part takes nothing back, so what would have moved with that
            is not in it.
        given_up: the documents.
        lost: items whose document it was.
    """
    closed = {part.proposal for part in entry.closed}
    returned = {part.proposal for part in entry.returned}
    names = " and ".join(sorted(given_up))
    message = f"another program wrote the {names} document while the change was interrupted; that part was given up"
    # by its documents and not by its id: an entry may have been added to both
    undone = [part for part in receipt.applied if part.id in lost or given_up.keys() & set(part.targets)]
    gone = dict.fromkeys((*(part.id for part in undone), *lost))
    missed = tuple(NotApplied(name, "moved", "partly-applied", message) for name in gone or ("",))
    stands = {Target(name): parse(Target(name), raw) for name, raw in given_up.items()}
    return replace(
        receipt,
        applied=tuple(part for part in receipt.applied if part not in undone),
        closed=tuple(part for part in receipt.closed if part.id in closed),
        returned=tuple(name for name in receipt.returned if name in returned),
        unkept=tuple(name for name in receipt.unkept if name not in gone),
        undoes=(),
        sizes={
            target: standing(stands[target], size.limit) if target in stands else size
            for target, size in receipt.sizes.items()
        },
        not_applied=(*receipt.not_applied, *missed),
    )


def sweep(home: Folder, book: Book) -> int:
    """Remove the leftovers of dead processes; call it under the lock of the home and without an open intent.

    Returns:
        How many files and folders were removed; one that cannot be is left and keeps none of the others.

    Raises:
        StoreError: a folder cannot be looked at, or the book cannot be settled.
    """
    with Hands(home) as hands:
        files = [(folder, name) for folder in hands.places() for name in folder.names() if is_temp(name)]
        backups = hands.backups()
        parts = [] if backups is None else [name for name in backups.names() if images.is_part(name)]
        if not files and not parts:
            return 0
        # A failed commit may have left an intent in the log that only a later reader would see; without its temporary
        # files it would be taken for done.
        book.settle()
        hit("sweeping")
        removed = 0
        for folder, name in files:
            with contextlib.suppress(StoreError):
                folder.unlink(name, missing_ok=True)
                removed += 1
        for name in parts:
            assert backups is not None
            with contextlib.suppress(StoreError):
                backups.remove_folder(name)
                removed += 1
        return removed
