"""Images: copies of both documents as rows, one for each moment a change was made at.

Here: writing and reading them. Not here: when one is made (``core.recording``), whether it is what its ledger row says
(``core.verification``).
"""

from __future__ import annotations

from collections.abc import Sequence

from curator_tui.core.changes import Backup, Image
from curator_tui.core.documents import Target
from curator_tui.stores.book import cells
from curator_tui.stores.book.db import Db, ReadDb, Record

_ALL = """
    SELECT i.id, i.at, i.change_id, f.target, f.body FROM memory_images i
    LEFT JOIN memory_image_files f ON f.scope = i.scope AND f.image = i.id WHERE i.scope = :scope
"""
_ADD = "INSERT INTO memory_images (scope, id, change_id, at, reason) VALUES (:scope, :id, :change, :at, :reason)"
_ADD_FILE = "INSERT INTO memory_image_files (scope, image, target, body) VALUES (:scope, :image, :target, :body)"


def add_images(db: Db, scope: str, change: str, at: float, images: Sequence[Image]) -> None:
    """Store the images of a change."""
    db.run_many(
        _ADD,
        [{"scope": scope, "id": one.id, "change": change, "at": at, "reason": one.reason} for one in images],
    )
    db.run_many(
        _ADD_FILE,
        [
            {"scope": scope, "image": one.id, "target": str(target), "body": raw}
            for one in images
            for target, raw in one.files.items()
        ],
    )


def read_images(db: ReadDb, scope: str) -> list[Backup]:
    """Return all images, in no order."""
    return _backups(db.all(_ALL, scope=scope))


def read_image(db: ReadDb, scope: str, name: str) -> Backup | None:
    """Return one image, or None."""
    found = _backups(db.all(_ALL + " AND i.id = :id", scope=scope, id=name))
    return found[0] if found else None


def image_changes(db: ReadDb, scope: str) -> dict[str, str]:
    """Return the change of every image."""
    found = db.all("SELECT id, change_id FROM memory_images WHERE scope = :scope", scope=scope)
    return {str(name): str(change) for name, change in found}


def _backups(rows: Sequence[Record]) -> list[Backup]:
    files: dict[str, dict[Target, bytes | None]] = {}
    heads: dict[str, tuple[float, str]] = {}
    for name, at, change, target, body in rows:
        heads[name] = (float(at), str(change))
        held = files.setdefault(name, {})
        if target is not None:
            held[Target(target)] = cells.raw_or_none(body)
    return [Backup(name, *heads[name], held) for name, held in files.items()]
