"""Carrying: a scope of a database as a parcel, and a parcel stored as a scope, inside the transaction of its change.

Here: documents, queue and images as parts of a parcel; what a database cannot take. Not here: the tables of the book
(``book.carrying``), the transaction (``transacting``), whether a parcel may be let in (``core.importing``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from curator_tui.core.documents import Target
from curator_tui.core.errors import Unreadable, WriteFailed
from curator_tui.core.importing import moment_of
from curator_tui.core.parcels import PARTS, Parcel, bytes_of
from curator_tui.core.times import utc_text
from curator_tui.stores.book.carrying import load_book, require_same, whole_parcel
from curator_tui.stores.book.db import Db, ReadDb
from curator_tui.stores.failpoints import hit
from curator_tui.stores.sql.book import ScopeReader, ScopeWriter
from curator_tui.stores.sql.database import Session
from curator_tui.stores.sql.documents import read_rows, write_document
from curator_tui.stores.sql.place import ScopePlace
from curator_tui.stores.sql.queue import add_records
from curator_tui.stores.sql.scopes import Whose
from curator_tui.stores.sql.versions import CONTENT_VERSION

_PROPOSALS = "SELECT id, body, written_by FROM memory_proposals WHERE scope = :scope"
_WRITTEN = "SELECT proposal, digest, written_by FROM memory_written WHERE scope = :scope"
_IMAGES = "SELECT id, change_id, at, reason FROM memory_images WHERE scope = :scope"
_FILES = "SELECT image, target, body FROM memory_image_files WHERE scope = :scope"
_ADD_WRITTEN = """
    INSERT INTO memory_written (scope, proposal, digest, written_by) VALUES (:scope, :proposal, :digest, :written_by)
"""
_ADD_IMAGE = "INSERT INTO memory_images (scope, id, change_id, at, reason) VALUES (:scope, :id, :change, :at, :reason)"
_ADD_FILE = "INSERT INTO memory_image_files (scope, image, target, body) VALUES (:scope, :image, :target, :body)"
_FURTHER = tuple(name for name, part in PARTS.items() if not part.table and name != "meta")


def parcel_of_scope(db: ReadDb, scope: str, mine: Whose) -> Parcel:
    """Return everything that a scope holds.

    Raises:
        Unreadable: it holds what no other store could take, or content of a newer version.
    """
    return whole_parcel(ScopeReader(db, scope), _further(db, scope, mine))


def _further(db: ReadDb, scope: str, mine: Whose) -> dict[str, Iterable[Sequence[Any]]]:
    rows = read_rows(db, mine)
    newer = next((row.version for row in rows.values() if row.version > CONTENT_VERSION), None)
    if newer is not None:
        raise Unreadable(f"a document has content of version {newer}, and this program understands {CONTENT_VERSION}.")
    if scope == "":
        return {"documents": [(str(target), row.raw) for target, row in rows.items() if row.raw]}
    written, proposals, images, files = db.ask(
        [(statement, {"scope": scope}) for statement in (_WRITTEN, _PROPOSALS, _IMAGES, _FILES)]
    )
    return {
        "documents": [(str(target), row.raw) for target, row in rows.items() if row.raw],
        "proposals": proposals,
        "written": written,
        "images": [(name, change, utc_text(at), reason) for name, change, at, reason in images],
        "image_files": files,
    }


def store_parcel(session: Session, place: ScopePlace[ScopeWriter], mine: Whose, parcel: Parcel, revision: int) -> None:
    """Store a parcel in a scope that holds nothing, and read it back before anything is committed.

    Raises:
        Again: somebody wrote there at the same moment.
        WriteFailed: it is not what the database gives back, or the database cannot take it.
    """
    scope = place.book.scope
    for target, raw in parcel.documents.items():
        _require_text(target, raw)
        write_document(session, mine, target, place.rows.get(target), raw=raw, revision=revision)
        hit("document_written")
    add_records(session, scope, [(str(item), bytes_of(raw), str(by)) for item, raw, by in parcel.rows("proposals")])
    _put(session, scope, parcel)
    hit("queue_written")
    load_book(session, scope, parcel)
    require_same(parcel, ScopeReader(session, scope), _FURTHER, _further(session, scope, mine))


def _put(db: Db, scope: str, parcel: Parcel) -> None:
    written = [dict(zip(PARTS["written"].columns, row, strict=True)) for row in parcel.rows("written")]
    db.run_many(_ADD_WRITTEN, [{"scope": scope, **values} for values in written])
    images = [
        {"id": name, "change": change, "at": moment_of(str(at)), "reason": reason}
        for name, change, at, reason in parcel.rows("images")
    ]
    db.run_many(_ADD_IMAGE, [{"scope": scope, **values} for values in images])
    files = [{"image": image, "target": target, "body": body} for image, target, body in parcel.rows("image_files")]
    db.run_many(_ADD_FILE, [{"scope": scope, **values} for values in files])


def _require_text(target: Target, raw: bytes) -> None:
    try:
        whole = "\0" not in raw.decode("utf-8")
    except UnicodeDecodeError:
        whole = False
    if not whole:
        raise WriteFailed(
            f"the {target} document is no text that a database can hold.",
            way_out="Mend it where it came from, and export again.",
        )
