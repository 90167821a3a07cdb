"""The commit of one change to a home, step by step (``design``: Commit on a home).

Here: the files that are prepared, the renames, and everything behind them. Not here: locks, reading and planning
(``writer``), what is done after a failure or a kill (``recovery``).

The order, and why it holds against a kill or a power cut at any point:

1. New bytes, images (under a working name) and returning records are written beside their places and synced. Nothing
   refers to them, so they are only leftovers to be removed.
2. The intent is committed to the book. For a change that replaces no document this is the commit point: it is finished
   by whoever comes next, because nothing else tells whether it happened.
3. Images get their names and their folder is synced, so that every state is safe before it is replaced.
4. Each document is renamed into place. Where there are documents the first rename is the commit point: a temporary
   file that is gone proves the rename, and as long as all of them stand the intent is undone.
5. Only when the folders of the documents are synced do records leave the queue, because an intent that is undone must
   find them there. Records come back; the folder is synced.
6. One transaction spreads the entry over the tables and closes the intent. Only now is success reported.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from curator_tui.core.changes import Change, Receipt
from curator_tui.core.documents import TARGETS, Target, raw_digest
from curator_tui.core.errors import Unreadable, WriteFailed
from curator_tui.core.ledger import GENESIS, seal
from curator_tui.core.parcels import Parcel
from curator_tui.core.proposals import Unread
from curator_tui.core.requests import Request
from curator_tui.stores.book.entries import BookEntry, ClosedPart, Text, entry_of, without_returned
from curator_tui.stores.failpoints import hit
from curator_tui.stores.file_errors import describe
from curator_tui.stores.hermes import images
from curator_tui.stores.hermes.carrying import brought_records, build_images, contents_of, write_parcel
from curator_tui.stores.hermes.hands import Hands
from curator_tui.stores.hermes.intents import DocumentMove, Intent, ParcelPart, RecordReturn, temp_name
from curator_tui.stores.hermes.names import DOCUMENT_LIMIT, MEMORY_QUEUE, OWN_FOLDER, PENDING, RECORD_SUFFIX
from curator_tui.stores.hermes.queue import Queue
from curator_tui.stores.hermes.reading import MEMORIES, read_record, resolve_document
from curator_tui.stores.new_files import NewFiles, rename_new
from curator_tui.stores.safe_files import FILE_MODE, Folder


class DocumentMoved(Exception):
    """A program that takes no locks wrote a document between reading and replacing it."""


class Prepared(Struct):
    """What step 1 has written so far; enough to remove it again."""

    change: str
    documents: list[DocumentMove] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    returns: list[RecordReturn] = field(default_factory=list)
    parcel: ParcelPart | None = None


def prepare(
    hands: Hands, change: Change, request: Request, known: dict[Target, tuple[str | None, str]], prepared: Prepared
) -> tuple[Intent, tuple[Text, ...]]:
    """Write everything a change needs beside its place, durably, and return its intent with the texts to store.

    Args:
        hands: the open folders.
        change: what was planned.
        request: what it answers.
        known: text id and digest of the last known bytes per document.
        prepared: filled as files are written, so that a failure can be cleaned up.

    Raises:
        WriteFailed: something cannot be written; nothing refers to what was.
    """
    if not change.rows and (change.documents or change.closed or change.returned or change.images):
        raise ValueError("no ledger row, no change")
    entry, texts = entry_of(change, request, known)
    seal(entry.rows, (0, GENESIS))  # a row that cannot be sealed must fail now, not behind the commit point
    _check_closable(hands, entry.closed)
    contents = contents_of(change)
    with NewFiles() as files:
        for target in TARGETS:
            if target in contents:
                prepared.documents.append(_write_document(hands, change, target, contents[target], files))
                hit("document_written")
        for image in change.images:
            prepared.images.append(image.id)
            images.build(hands.make(MEMORIES, images.BACKUPS), image, change.id, request.stamp.at, files)
        _write_returns(hands, change.id, [(one.proposal, one.raw) for one in change.returned], prepared, files)
        files.sync()
    for image in change.images:
        images.sync(hands.make(MEMORIES, images.BACKUPS), image.id)
    if change.parcel is not None:
        _write_brought(hands, change.id, change.parcel, prepared)
    for folder in _folders(hands, prepared):
        folder.fsync()
    hit("prepared")
    intent = Intent(entry, tuple(prepared.documents), tuple(prepared.images), tuple(prepared.returns), prepared.parcel)
    return intent, texts


def _write_document(hands: Hands, change: Change, target: Target, raw: bytes | None, files: NewFiles) -> DocumentMove:
    place = resolve_document(hands.home, target)
    if place is None:
        raise WriteFailed(f"there is no folder for the {target} document.")
    with place:
        status = place.folder.stat(place.name)
        temp = temp_name(change.id, str(target))
        mode = FILE_MODE if status is None else stat.S_IMODE(status.st_mode)
        try:
            files.write(place.folder, temp, raw or b"", mode=mode, owner=status)
        except WriteFailed as error:
            if status is None:
                raise
            label = place.folder.label(place.name)
            message = f"cannot replace {label} ({describe(status)}): {error.message}"
            raise WriteFailed(message, way_out=error.way_out) from error
    return DocumentMove(
        str(target),
        place.steps,
        place.name,
        temp,
        raw_digest(change.before.get(target)),
        raw_digest(raw or b""),
        raw is None,
    )


def _write_brought(hands: Hands, change: str, parcel: Parcel, prepared: Prepared) -> None:
    """Write what a parcel brings besides the documents: its own copy first, from which the rest can be finished."""
    prepared.parcel = write_parcel(hands, change, parcel)
    for name in build_images(hands, parcel):
        prepared.images.append(name)
    for some in brought_records(parcel):
        with NewFiles() as files:
            _write_returns(hands, change, some, prepared, files)
            files.sync()


def _write_returns(
    hands: Hands, change: str, records: Sequence[tuple[str, bytes]], prepared: Prepared, files: NewFiles
) -> None:
    for item, raw in records:
        queue = hands.make(PENDING, MEMORY_QUEUE)
        temp = temp_name(change, f"record-{len(prepared.returns)}")
        files.write(queue, temp, raw)
        prepared.returns.append(RecordReturn(item, item + RECORD_SUFFIX, temp, raw_digest(raw)))
        hit("record_written")


def _check_closable(hands: Hands, closed: Sequence[ClosedPart]) -> None:
    """Refuse, while nothing has happened yet, what could not be taken out of the queue later."""
    queue = hands.queue()
    if not closed or queue is None:
        return
    with_folder = [part for part in closed if _is_folder(queue, part.proposal + RECORD_SUFFIX)]
    if with_folder:
        label = queue.label(with_folder[0].proposal + RECORD_SUFFIX)
        raise WriteFailed(f"{label} is a folder, not a record.", way_out="Move it away and look again.")
    effective = os.access in os.supports_effective_ids
    if not os.access(".", os.W_OK | os.X_OK, dir_fd=queue.fd, effective_ids=effective):
        raise WriteFailed(f"records cannot be removed from {queue.path} ({describe(queue.status())}).")


def _is_folder(queue: Folder, name: str) -> bool:
    status = queue.stat(name)
    return status is not None and stat.S_ISDIR(status.st_mode)


def _folders(hands: Hands, prepared: Prepared) -> list[Folder]:
    """Return the folders whose entries must be safe before an intent names them (images: see :func:`place_images`)."""
    steps = dict.fromkeys(move.steps for move in prepared.documents)
    if prepared.returns:
        steps.update(dict.fromkeys([(PENDING, MEMORY_QUEUE)]))
    return [folder for step in steps if (folder := hands.find(*step)) is not None]


def discard(hands: Hands, prepared: Prepared | Intent) -> None:
    """Remove what step 1 wrote. Only allowed when no intent can refer to it any more: a missing file means renamed.

    Raises:
        StoreError: something could not be removed; the next writing start removes it.
    """
    for move in prepared.documents:
        if (folder := hands.find(*move.steps)) is not None:
            folder.unlink(move.temp, missing_ok=True)
    if (backups := hands.backups()) is not None:
        for name in prepared.images:
            images.discard(backups, name)
    if (queue := hands.queue()) is not None:
        for returned in prepared.returns:
            queue.unlink(returned.temp, missing_ok=True)
    if prepared.parcel is not None and (own := hands.find(OWN_FOLDER)) is not None:
        own.unlink(prepared.parcel.temp, missing_ok=True)


def place_images(hands: Hands, intent: Intent) -> tuple[str, ...]:
    """Give the images their names and make that durable: step 3. Doing it again is harmless.

    Returns:
        Notes for the receipt, in words safe to print.

    Raises:
        WriteFailed: an image cannot be renamed or synced.
    """
    if not intent.images:
        return ()
    backups = hands.backups()
    missing = [name for name in intent.images if backups is None or not images.place(backups, name)]
    if backups is not None:
        backups.fsync()
        hit("images_placed")
    return tuple(f"the backup {name} was removed by another program" for name in missing)


def withdraw_images(hands: Hands, intent: Intent) -> None:
    """Take the names of the images away again, durably: an intent that is closed without effect leaves none behind.

    Raises:
        WriteFailed: an image cannot be renamed or synced; the intent must stay open.
    """
    backups = hands.backups()
    if backups is not None and [name for name in intent.images if images.withdraw(backups, name)]:
        backups.fsync()
        hit("images_withdrawn")


def swap(hands: Hands, intent: Intent) -> None:
    """Rename every document into place and make that durable: step 4.

    Raises:
        DocumentMoved: a document is not what was read any more; nothing was renamed by this call yet, or the others
            were (then recovery tells).
        WriteFailed: a rename or sync failed.
    """
    for move in intent.documents:
        _check_base(hands, move)
    for number, move in enumerate(intent.documents):
        folder = _folder_of(hands, move)
        if number:
            _check_base(hands, move)
        folder.rename(move.temp, move.name)
        hit("document_renamed")
    for steps in dict.fromkeys(move.steps for move in intent.documents):
        hands.make(*steps).fsync()
    hit("documents_synced")
    for move in intent.documents:
        if move.delete:
            finish_delete(_folder_of(hands, move), move)


def _check_base(hands: Hands, move: DocumentMove) -> None:
    """See once more that the bytes are those that were planned on: Hermes 0.19 edits journeys without its lock."""
    raw = _folder_of(hands, move).read_file(move.name, DOCUMENT_LIMIT)
    if raw_digest(raw) != move.old:
        raise DocumentMoved


def _folder_of(hands: Hands, move: DocumentMove) -> Folder:
    folder = hands.find(*move.steps)
    if folder is None:
        raise WriteFailed(f"the folder of the {move.target} document is gone.")
    return folder


def finish_delete(folder: Folder, move: DocumentMove) -> None:
    """Remove the empty file that stands for a deleted document, unless somebody has written into it since."""
    status = folder.stat(move.name)
    if status is not None and status.st_size == 0:
        folder.unlink(move.name, missing_ok=True)
        folder.fsync()
        hit("document_deleted")


class Aftermath(Struct, frozen=True):
    """What became of the queue.

    Attributes:
        notes: what is worth saying, in words safe to print.
        stuck: items that could not come back: another record took their name at the last moment, or the queue is gone.
    """

    notes: tuple[str, ...] = ()
    stuck: frozenset[str] = frozenset()

    def entry(self, entry: BookEntry) -> BookEntry:
        """Return what the book is to record."""
        return without_returned(entry, self.stuck)

    def receipt(self, receipt: Receipt) -> Receipt:
        """Return the answer that is true now."""
        returned = tuple(name for name in receipt.returned if name not in self.stuck)
        return replace(receipt, notes=receipt.notes + self.notes, returned=returned)


def aftermath_begun(hands: Hands, intent: Intent) -> bool:
    """Whether step 5 may have begun, as a record that left the queue or came back tells: step 4 was done then.

    Raises:
        Unreadable: the queue cannot be looked at.
    """
    if not (intent.entry.closed or intent.returns):
        return False
    queue = hands.queue()
    if queue is None:
        return True
    names = (_record_name(hands, queue, part.proposal) for part in intent.entry.closed)
    left = any(name is None or queue.stat(name) is None for name in names)
    return left or any(_is_back(queue, returned) for returned in intent.returns)


def aftermath(hands: Hands, intent: Intent) -> Aftermath:
    """Do to the queue what follows the renames: step 5. Doing it again is harmless.

    Raises:
        WriteFailed: something failed; it has to be tried again.
        Unreadable: a record cannot be read; as before.
    """
    if not (intent.entry.closed or intent.returns):
        return Aftermath()
    queue = hands.queue()
    if queue is None:  # what was to leave it is gone; what was to come back has no place, and its kept text stays
        lost = [returned.proposal for returned in intent.returns]
        return Aftermath(tuple(f"{name} cannot come back: the queue is missing" for name in lost), frozenset(lost))
    notes = _close_records(hands, queue, intent.entry.closed)
    stuck = [returned.proposal for returned in intent.returns if not _return_record(queue, returned)]
    notes += [f"{name} cannot come back: another record waits under that id" for name in stuck]
    queue.fsync()
    hit("queue_synced")
    return Aftermath(tuple(notes), frozenset(stuck))


def _close_records(hands: Hands, queue: Folder, closed: Sequence[ClosedPart]) -> list[str]:
    notes: list[str] = []
    for part in closed:
        name = _record_name(hands, queue, part.proposal)
        waiting = read_record(queue.fd, name) if name is not None else None
        if name is None or waiting is None:
            continue
        problem = waiting.proposal.problem
        if problem is not None and waiting.proposal.unread is Unread.FAILED:
            raise Unreadable(f"{queue.label(name)}: {problem.message}.")
        if waiting.proposal.digest != part.digest:
            notes.append(f"the record of {part.proposal} was changed meanwhile, so it stays in the queue")
            continue
        queue.unlink(name, missing_ok=True)
        hit("record_closed")
    return notes


def _record_name(hands: Hands, queue: Folder, proposal: str) -> str | None:
    """Return the file of an item; only ids made from other names need a look at the whole folder."""
    plain = proposal + RECORD_SUFFIX
    if not proposal.startswith("x-") or queue.stat(plain) is not None:
        return plain
    listed = Queue(hands.home)
    listed.refresh()
    return listed.file_name(proposal)


def _return_record(queue: Folder, returned: RecordReturn) -> bool:
    """Put one record back without overwriting another (:func:`rename_new`); return False if its name is taken.

    A temporary file that is gone is a record that came back, whatever became of it since; one that cannot come back
    therefore stays until the book is closed.
    """
    if _is_back(queue, returned):
        queue.unlink(returned.temp, missing_ok=True)
        return True
    if not rename_new(queue, returned.temp, returned.name):
        return raw_digest(queue.read_file(returned.name)) == returned.digest
    hit("record_returned")
    return True


def _is_back(queue: Folder, returned: RecordReturn) -> bool:
    """Whether a record came back already: its temporary file is gone, or has the name of the record beside its own."""
    temp, record = queue.stat(returned.temp), queue.stat(returned.name)
    return temp is None or (record is not None and (temp.st_dev, temp.st_ino) == (record.st_dev, record.st_ino))
