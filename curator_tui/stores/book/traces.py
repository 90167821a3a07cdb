"""Traces: every ledger row about documents, with the bytes that are still kept of them.

Here: gathering bytes from the book and, where that has none, from the images; leaving out what is not what its row was
made of. Not here: what follows from them (``core.tracing``, ``core.trails``).

A missing or damaged image, or a text that was altered, is left out: then nobody can tell, and nothing is told wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager

from curator_tui.core.changes import Backup
from curator_tui.core.documents import FILE_NAMES, Target
from curator_tui.core.errors import StoreError
from curator_tui.core.recording import FIRST_SEEN, OBSERVED, SALTED, image_salt
from curator_tui.core.row_form import RowForm
from curator_tui.core.tracing import Trace, proven
from curator_tui.stores.book.kept import FindImage
from curator_tui.stores.book.reading import BookReader
from curator_tui.stores.book.tracing import KeptBytes, salted, typed_rows

# Opens what images are read from, once for all of them.
OpenImages = Callable[[], AbstractContextManager[FindImage]]


class TraceReader:
    """Reads the traces of a book; rows are only ever added, so those it has read before are not parsed again.

    Args:
        images: where images are read from.
    """

    def __init__(self, images: OpenImages) -> None:
        self._images = images
        self._rows: list[RowForm] = []
        self._read: tuple[str, int, str] | None = None

    def read(self, book: BookReader) -> list[Trace]:
        """Return the traces of all rows that touch a document, oldest first.

        Raises:
            Unreadable: the book cannot be read.
        """
        chain, (seq, head) = book.chain(), book.head()
        after = self._known(book, chain)
        if after == 0:
            self._rows = []
        self._rows += [row for row in typed_rows(book, after) if row.documents and row.seq <= seq]
        self._read = (chain, seq, head)
        return _traces(self._images, book, self._rows)

    def _known(self, book: BookReader, chain: str) -> int:
        """Return up to which row the book still is the one that was read; 0 when it is another one."""
        if self._read is None:
            return 0
        old, seq, head = self._read
        found = book.rows(seq - 1, 1) if seq else []
        return seq if old == chain and found and (found[0].seq, found[0].hash) == (seq, head) else 0


def _traces(images: OpenImages, book: BookReader, rows: Sequence[RowForm]) -> list[Trace]:
    kept = KeptBytes(book)
    names = [name for row in rows for name in _salt_names(row).values()]
    salts = kept.salts([*names, *(_image_salt_name(row, target) for row in rows for target in Target if row.image)])
    with images() as find_image:
        return [_trace(row, kept, salts, find_image) for row in rows]


def _salt_names(row: RowForm) -> dict[tuple[Target, str], str]:
    return salted(row, SALTED if row.action in OBSERVED else {})


def _image_salt_name(row: RowForm, target: Target) -> str:
    return f"{row.change}:{image_salt(row.backup, target)}"


def _trace(row: RowForm, kept: KeptBytes, salts: Mapping[str, bytes], find_image: FindImage) -> Trace:
    sides: list[dict[Target, bytes | None]] = [{}, {}]
    if row.action not in OBSERVED:  # a change that only observed keeps nothing under its own name
        ids = _salt_names(row)
        for side, moment in zip(sides, ("before", "after"), strict=True):
            for target, raw in kept.documents(row.change, moment).items():
                part = row.documents.get(target, {}).get(moment)
                if proven(part, raw, salts.get(ids.get((target, moment), ""))):
                    side[target] = raw
    if row.image and any(target not in sides[0] for target in row.documents):
        shown = sides[1] if row.action == FIRST_SEEN else sides[0]
        for target, raw in _imaged(row, salts, find_image).items():
            shown.setdefault(target, raw)
    return Trace(row, *sides)


def _imaged(row: RowForm, salts: Mapping[str, bytes], find_image: FindImage) -> dict[Target, bytes | None]:
    """Return what the image of a row holds of the documents it touches, as far as that is what the row says."""
    image = _image(row, find_image)
    found: dict[Target, bytes | None] = {}
    for target in row.documents if image is not None else ():
        part = row.image.get(FILE_NAMES[target])
        if image is None or part is None or target not in image.files:
            continue
        if proven(part, image.files[target], salts.get(_image_salt_name(row, target))):
            found[target] = image.files[target]
    return found


def _image(row: RowForm, find_image: FindImage) -> Backup | None:
    try:
        found = find_image(row.backup)
    except StoreError:
        return None
    return found if found is not None and found.change == row.change else None
