"""Carrying: a Hermes home as a parcel, and what a parcel puts beside its places in a home before its change is begun.

Here: documents, records and images as parts of a parcel; the copy of the parcel that an interrupted import is finished
from. Not here: the tables of the book (``book.carrying``), the order of a commit (``commit``), recovery, whether a
parcel may be let in (``core.importing``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from curator_tui.core.changes import Change, Image
from curator_tui.core.documents import Presence, Target, raw_digest
from curator_tui.core.errors import Unreadable, WriteFailed
from curator_tui.core.parcel_reading import FILE_LIMIT, read_parcel
from curator_tui.core.parcels import Cells, Parcel, bytes_of, lines_of
from curator_tui.core.text import visible
from curator_tui.core.times import utc_text
from curator_tui.stores.book.carrying import whole_parcel
from curator_tui.stores.book.reading import BookReader
from curator_tui.stores.book.trial import images_of
from curator_tui.stores.failpoints import hit
from curator_tui.stores.hermes import images
from curator_tui.stores.hermes.hands import Hands
from curator_tui.stores.hermes.intents import ParcelPart, temp_name
from curator_tui.stores.hermes.names import OWN_FOLDER
from curator_tui.stores.hermes.queue import Queue
from curator_tui.stores.hermes.reading import MEMORIES, read_documents
from curator_tui.stores.new_files import NewFiles
from curator_tui.stores.safe_files import Folder

_AT_ONCE = 100  # files held open together
_EMPTY = raw_digest(b"")
_PART = "parcel"
T = TypeVar("T")


def parcel_of_home(home: Folder, book: BookReader) -> tuple[Parcel, tuple[str, ...]]:
    """Return everything that a home holds of memory, and in words what cannot be carried.

    Raises:
        Unreadable: a document or the book cannot be read, or an interrupted change waits.
    """
    if book.recovery_pending():
        way = "Finish it first: curator-tui doctor --repair"
        raise Unreadable("an interrupted change waits to be finished, so nothing is exported.", way_out=way)
    notes: list[str] = []
    parts: dict[str, Iterable[Sequence[Any]]] = {
        "documents": list(_documents(home)),
        "proposals": list(_records(home, notes)),
    }
    parts["images"], parts["image_files"] = _images(home, notes)
    return whole_parcel(book, parts), tuple(notes)


def _documents(home: Folder) -> Iterator[tuple[str, bytes]]:
    for target, document in read_documents(home).items():
        if document.raw:
            yield str(target), document.raw
        elif document.presence not in {Presence.MISSING, Presence.EMPTY}:
            raise Unreadable(f"the {target} document cannot be read: {document.trouble}.")


def _records(home: Folder, notes: list[str]) -> Iterator[tuple[str, bytes, str]]:
    queue = Queue(home)
    queue.refresh()
    for name in queue.ids():
        waiting = queue.get(name)
        if waiting is not None and waiting.raw is not None:
            yield name, waiting.raw, ""
        elif waiting is not None:
            notes.append(f"the record of {visible(name, newlines=False)} cannot be read and stays where it is")


def _images(home: Folder, notes: list[str]) -> tuple[list[Cells], list[Cells]]:
    heads: list[Cells] = []
    files: list[Cells] = []
    with Hands(home) as hands:
        folder = hands.backups()
        if folder is None:
            return heads, files
        found, problems = images.list_images(folder)
        notes.extend(f"{problem.message}, and stays where it is" for problem in problems)
        for image in found:
            heads.append((image.id, image.change, utc_text(image.at), images.reason_of(folder, image.id)))
            files.extend((image.id, str(target), raw) for target, raw in image.files.items())
    return heads, files


def kept_in_a_home(parcel: Parcel) -> Parcel:
    """Return a parcel without what a home has no place for: who wrote a record stands in the record itself there.

    Raises:
        WriteFailed: records wait in a form that Hermes does not know.
    """
    from curator_tui.stores.sql.records import read_proposal

    rows = parcel.rows("proposals")
    foreign = [
        item
        for item, raw, _ in rows
        if Queue.parse(str(item), bytes_of(raw)).problem is not None
        and read_proposal(str(item), bytes_of(raw)).problem is None
    ]
    if foreign:
        raise WriteFailed(
            f"nothing was imported: {len(foreign)} waiting items have the form of a database, which Hermes does not "
            "know.",
            way_out="Decide them where they wait, and export again.",
        )
    parts = {name: rows for name, rows in parcel.parts.items() if name != "written"}
    if rows:
        parts["proposals"] = tuple((item, raw, "") for item, raw, _ in rows)
    return Parcel(parcel.chain, parts)


def contents_of(change: Change) -> dict[Target, bytes | None]:
    """Return the new bytes of every document that a change puts in place; None for one that goes away.

    A document that was last known as empty is a file without bytes on a home, and nothing in a parcel.
    """
    contents = dict(change.documents)
    if change.parcel is not None:
        known = {Target(str(target)): digest for target, _, digest in change.parcel.rows("known")}
        contents.update({target: b"" for target, digest in known.items() if digest == _EMPTY})
        contents.update(change.parcel.documents)
    return contents


def write_parcel(hands: Hands, change: str, parcel: Parcel) -> ParcelPart:
    """Write the copy from which an interrupted import is finished, durably.

    Raises:
        WriteFailed: it cannot be written.
    """
    folder = hands.make(OWN_FOLDER)
    temp = temp_name(change, _PART)
    with NewFiles() as files:
        files.write(folder, temp, "".join(f"{line}\n" for line in lines_of(parcel)).encode("ascii"))
        files.sync()
    folder.fsync()
    hit("parcel_written")
    return ParcelPart(temp, parcel.digest)


def read_copy(hands: Hands, part: ParcelPart) -> Parcel:
    """Read the copy of a parcel again.

    Raises:
        Unreadable: it is gone, or not what was written.
    """
    folder = hands.find(OWN_FOLDER)
    raw = folder.read_file(part.temp, FILE_LIMIT) if folder is not None else None
    parcel = None if raw is None else read_parcel(raw.splitlines(keepends=True))
    if parcel is None or parcel.digest != part.digest:
        raise Unreadable(
            "the copy of what was to be imported is gone from beside the book, so the import cannot be finished.",
            way_out="Empty the home, and import again.",
        )
    return parcel


def build_images(hands: Hands, parcel: Parcel) -> Iterator[str]:
    """Write the images of a parcel under their working names, durably; yield the name of each before it is begun.

    Raises:
        WriteFailed: one cannot be written.
    """
    reasons = {row[0]: str(row[3]) for row in parcel.rows("images")}
    for some in _batched(images_of(parcel).values(), _AT_ONCE // 4):
        folder = hands.make(MEMORIES, images.BACKUPS)
        with NewFiles() as files:
            for one in some:
                yield one.id
                images.build(folder, Image(one.id, one.files, reasons[one.id]), one.change, one.at, files)
            files.sync()
        for one in some:
            images.sync(folder, one.id)


def brought_records(parcel: Parcel) -> Iterator[tuple[tuple[str, bytes], ...]]:
    """Yield the records that are to wait, each with its id, so many together as files may be open."""
    yield from _batched(((str(item), bytes_of(raw)) for item, raw, _ in parcel.rows("proposals")), _AT_ONCE)


def _batched(values: Iterable[T], count: int) -> Iterator[tuple[T, ...]]:
    rest = iter(values)
    while some := tuple(islice(rest, count)):
        yield some
