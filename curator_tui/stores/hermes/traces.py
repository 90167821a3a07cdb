"""Traces: every ledger row about documents, with the bytes that a home still keeps of them.

Here: gathering bytes from the book and, where that has none, from the images; leaving out what is not what its row was
made of. Not here: what follows from them (``core.tracing``, ``core.trails``).

A missing or damaged image, or a text that was altered, is left out: then nobody can tell, and nothing is told wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from curator_tui.core.changes import Backup
from curator_tui.core.documents import FILE_NAMES, Target
from curator_tui.core.errors import StoreError
from curator_tui.core.recording import FIRST_SEEN, OBSERVED, SALTED, image_salt
from curator_tui.core.row_form import RowForm
from curator_tui.core.tracing import Trace, proven
from curator_tui.stores.book.reading import BookReader
from curator_tui.stores.book.tracing import Kept, salted
from curator_tui.stores.hermes.hands import Hands
from curator_tui.stores.hermes.images import read_image
from curator_tui.stores.safe_files import Folder


def read_traces(home: Folder, book: BookReader, rows: Iterable[RowForm]) -> list[Trace]:
    """Return the traces of the rows that touch a document, oldest first.

    Raises:
        Unreadable: the book cannot be read.
    """
    wanted = [row for row in rows if row.documents]
    kept = Kept(book)
    names = [name for row in wanted for name in _salt_names(row).values()]
    salts = kept.salts([*names, *(_image_salt_name(row, target) for row in wanted for target in Target if row.image)])
    with Hands(home) as hands:
        return [_trace(row, kept, salts, hands) for row in wanted]


def _salt_names(row: RowForm) -> dict[tuple[Target, str], str]:
    return salted(row, SALTED if row.action in OBSERVED else {})


def _image_salt_name(row: RowForm, target: Target) -> str:
    return f"{row.change}:{image_salt(row.backup, target)}"


def _trace(row: RowForm, kept: Kept, salts: Mapping[str, bytes], hands: Hands) -> Trace:
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
        for target, raw in _imaged(row, salts, hands).items():
            shown.setdefault(target, raw)
    return Trace(row, *sides)


def _imaged(row: RowForm, salts: Mapping[str, bytes], hands: Hands) -> dict[Target, bytes | None]:
    """Return what the image of a row holds of the documents it touches, as far as that is what the row says."""
    image = _image(row, hands)
    found: dict[Target, bytes | None] = {}
    for target in row.documents if image is not None else ():
        part = row.image.get(FILE_NAMES[target])
        if image is None or part is None or target not in image.files:
            continue
        if proven(part, image.files[target], salts.get(_image_salt_name(row, target))):
            found[target] = image.files[target]
    return found


def _image(row: RowForm, hands: Hands) -> Backup | None:
    try:
        folder = hands.backups()
        found = read_image(folder, row.backup) if folder is not None else None
    except StoreError:
        return None
    return found if found is not None and found.change == row.change else None
