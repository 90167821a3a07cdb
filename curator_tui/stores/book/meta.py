"""What a book notes of itself, and the cells beside texts that nothing reads: whether they are as this program writes.

Here: their form, and what of them the ledger bears out. Not here: what a change recorded (``commitments``), the form of
the tables (``shape``).

No row binds these: they change without a change of memory. The numbers of folders tell a copied home from its original
and are told as such; by how much an attempt was repeated, and how often a commit failed, leads to nothing but a number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from curator_tui.core.ledger import SealedRow
from curator_tui.core.operations import Problem
from curator_tui.core.refused import REFUSED
from curator_tui.core.text import visible
from curator_tui.stores.book.carrying import IMPORTED
from curator_tui.stores.book.commitments import LOOSE
from curator_tui.stores.book.reading import BookReader

FOLDERS = ("home inode", "folder inode")
_NUMBER = re.compile(r"\d{1,20}")
_CHAIN = {"chain": re.compile(r"[0-9a-f]{16}")}
# What a book that is a file of its own notes besides: where it lies.
_PLACE = {"device": _NUMBER, **dict.fromkeys(FOLDERS, _NUMBER)}
_COUNTS = {"abandoned": _NUMBER, "settled": _NUMBER, IMPORTED: re.compile(r"[0-9a-f]{64}")}
_LISTS = frozenset({REFUSED, LOOSE})
_META = "SELECT name, value FROM memory_meta WHERE scope = :scope ORDER BY name"
_RECORDED = "SELECT id FROM memory_changes WHERE scope = :scope"
_PINNED = "SELECT DISTINCT change_id FROM memory_texts WHERE scope = :scope AND kind = 'pin'"
# The id of a document's text begins with the change that stored it; what is kept of it is bound without a salt of its
# own, which stands under an id of its own.
_DOCUMENTS = """
    SELECT id FROM memory_texts WHERE scope = :scope AND kind = 'document'
    AND (salt IS NOT NULL OR change_id || ':' <> substr(id, 1, length(change_id) + 1)) ORDER BY id
"""


def meta_problems(book: BookReader) -> Iterator[Problem]:
    """Yield what a book notes of itself in another form than this program, or without anything that bears it out."""
    values: dict[Any, Any] = dict(map(tuple, book.db.all(_META, scope=book.scope)))
    needed = {**_CHAIN, **(_PLACE if book.is_file else {})}
    for name in sorted(needed.keys() - values.keys()) if book.chain() or book.rows(count=1) else ():
        yield _altered(f"it does not say its {name}")
    for name, value in values.items():
        form = {**needed, **_COUNTS}.get(name)
        if form is None and name not in _LISTS:
            yield _altered(f"it holds {visible(str(name), newlines=False)}, which this program never notes")
        elif not isinstance(value, str) or (form is not None and not form.fullmatch(value)):
            yield _altered(f"what it says as its {name} is none")
    yield from _refused(values.get(REFUSED, "[]"), book)
    yield from _loose(values.get(LOOSE, "[]"), book)
    for (name,) in book.db.all(_DOCUMENTS, scope=book.scope):
        shown = visible(str(name), newlines=False)
        yield Problem("text-altered", f"the kept text {shown} is of another change, or has a salt, as none of its kind")


def _altered(words: str) -> Problem:
    return Problem("book-notes-altered", f"what the book notes of itself was altered: {words}")


def _refused(value: Any, book: BookReader) -> Iterator[Problem]:
    """Yield the refused attempts that are counted and have no row."""
    told = _listed(value)
    if told is None or any(not isinstance(one, dict) for one in told):
        yield _altered("the refused attempts that are counted cannot be read")
        return
    if told and len(book.refused()) != len(told):
        yield _altered("the refused attempts that are counted cannot be read")
    rows = list(_refused_rows(book.rows())) if told else []
    for one in told:
        part, since = one.get("part"), one.get("since")
        if not any(row.get("at") == since and _bears(row, part) for row in rows):
            yield _altered("a refused attempt is counted that no row of the ledger bears out")


def _bears(row: dict[str, Any], part: Any) -> bool:
    return isinstance(part, dict) and all(row.get(name) == value for name, value in part.items())


def _refused_rows(rows: Iterable[SealedRow]) -> Iterator[dict[str, Any]]:
    for sealed in rows:
        row = sealed.row
        if row is not None and row.get("action") == REFUSED:
            yield dict(row)


def _loose(value: Any, book: BookReader) -> Iterator[Problem]:
    """Yield the changes without a row that shall have recorded pins and did not."""
    names = _listed(value)
    if names is None:
        yield _altered("which pins no row binds yet cannot be read")
    elif names:
        recorded = {name for (name,) in book.db.all(_RECORDED, scope=book.scope)}
        pinned = {name for (name,) in book.db.all(_PINNED, scope=book.scope)}
        if any(not isinstance(name, str) or name in recorded or name not in pinned for name in names):
            yield _altered("pins are named as bound by no row yet that are not there")


def _listed(value: Any) -> list[Any] | None:
    try:
        found = json.loads(value)
    except (TypeError, ValueError, RecursionError):
        return None
    return found if isinstance(found, list) else None
