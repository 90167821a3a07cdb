"""Documents: both documents of a scope as rows of ``agent_memory``, the table that services read too.

Here: reading them, whatever stands there, and writing one by compare and set. Not here: what its entries are
(``core.documents``), who may write.

A document without entries has no row. As a row that is not there says nothing of what its document was, it reads as it
was last known: empty where the last change left it empty, missing otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from curator_tui.core.documents import TARGETS, Document, Target, missing, parse, raw_digest, unreadable
from curator_tui.stores.book import cells
from curator_tui.stores.book.db import ReadDb
from curator_tui.stores.sql.database import Session
from curator_tui.stores.sql.scopes import Whose
from curator_tui.stores.sql.versions import CONTENT_VERSION

_WHERE = "tenant_id = :tenant AND user_id = :user AND agent_id = :agent"
_READ = "SELECT memory_type, {}, schema_version, revision FROM agent_memory WHERE " + _WHERE
_ONE = _WHERE + " AND memory_type = :target AND revision = :seen AND {} = :before"
_UPDATE = """
    UPDATE agent_memory SET content = :content, schema_version = :version, revision = :revision,
        updated_at = CURRENT_TIMESTAMP WHERE
"""
_INSERT = """
    INSERT INTO agent_memory (tenant_id, user_id, agent_id, memory_type, content, schema_version, revision)
    VALUES (:tenant, :user, :agent, :target, :content, :version, :revision)
    ON CONFLICT (tenant_id, user_id, agent_id, memory_type) DO NOTHING
"""
_EMPTY = raw_digest(b"")

# How content of each older version becomes content of the next one; pure, and never loses an entry.
Steps = Mapping[int, Callable[[str], str]]
STEPS: Steps = {}


class Stored(Struct, frozen=True):
    """One row as it stands there."""

    raw: bytes
    version: int
    revision: int


def read_rows(db: ReadDb, mine: Whose) -> dict[Target, Stored]:
    """Return the rows of both documents."""
    found = db.all(_READ.format(db.as_bytes("content")), **mine.values)
    return {Target(row[0]): Stored(cells.raw(row[1]), int(row[2]), int(row[3])) for row in found}


def document_of(target: Target, row: Stored | None, last_known: str | None) -> Document:
    """Return the document that a row holds.

    Args:
        target: which document.
        row: its row, or None.
        last_known: digest of the document as it was last known, None for never.
    """
    if row is None:
        return parse(target, b"") if last_known == _EMPTY else missing(target)
    if row.version > CONTENT_VERSION:
        trouble = f"it has content of version {row.version}, and this program understands {CONTENT_VERSION}"
        return unreadable(target, trouble)
    return parse(target, migrated(row.raw, row.version))


def migrated(raw: bytes, version: int, steps: Steps = STEPS, newest: int = CONTENT_VERSION) -> bytes:
    """Return the content of an older version in the form of the newest one; it is stored so by the next change."""
    if version >= newest or not any(step in steps for step in range(version, newest)):
        return raw
    try:
        content = raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw  # it is shown as what cannot be decoded
    for step in range(version, newest):
        content = steps.get(step, str)(content)
    return content.encode("utf-8")


def documents_of(
    rows: Mapping[Target, Stored], known: Mapping[Target, tuple[str | None, str]]
) -> dict[Target, Document]:
    """Return both documents from their rows and from how they were last known (text id and digest)."""
    return {
        target: document_of(target, rows.get(target), known[target][1] if target in known else None)
        for target in TARGETS
    }


def write_document(
    session: Session, mine: Whose, target: Target, row: Stored | None, *, raw: bytes | None, revision: int
) -> None:
    """Put new content in the place of a row, if that still is the one that was read.

    Args:
        session: the transaction.
        mine: whose.
        target: which document.
        row: what was read, None for no row.
        raw: the new content; without any, the row is deleted.
        revision: the new one.

    Raises:
        Again: somebody else wrote it since; here, or when what was kept is sent.
    """
    values = {**mine.values, "target": str(target)}
    new = {"content": (raw or b"").decode("utf-8"), "version": CONTENT_VERSION, "revision": revision}
    if row is None:
        if raw:
            session.expect(1, _INSERT, **values, **new)
        return
    seen = {"seen": row.revision, "before": row.raw}
    where = _ONE.format(session.as_bytes("content"))
    if raw:
        session.expect(1, _UPDATE + where, **values, **new, **seen)
    else:
        session.expect(1, f"DELETE FROM agent_memory WHERE {where}", **values, **seen)
