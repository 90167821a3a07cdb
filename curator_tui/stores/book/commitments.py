"""What the tables hold of each change, in the form that its last row commits to.

Here: reading that, of one change while it is stored and of all for checking. Not here: the commitment and whether it
agrees (``core.commitments``).

What moves on later is not part of it: by whom a change was taken back and a decision ended follows from later changes,
and a text that was only the last known state of a document goes with it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from curator_tui.core.commitments import LastKnown
from curator_tui.core.documents import Target
from curator_tui.stores.book import cells
from curator_tui.stores.book.db import ReadDb, Record
from curator_tui.stores.book.entries import BookEntry
from curator_tui.stores.book.reading import BookReader

# The name under which the book notes the changes without a row that recorded pins: the next row binds these.
LOOSE = "loose pins"
_HEADS = """
    SELECT id, seq, at, actor_kind, actor_name, actor_through, kind, effect, reverts, backup
    FROM memory_changes WHERE scope = :scope {}
"""
_DOCUMENTS = """
    SELECT d.change_id, d.target, d.before_text, b.change_id, b.kind, b.body, d.after_text, a.change_id, a.kind, a.body
    FROM memory_change_documents d
    LEFT JOIN memory_texts b ON b.scope = d.scope AND b.id = d.before_text
    LEFT JOIN memory_texts a ON a.scope = d.scope AND a.id = d.after_text
    WHERE d.scope = :scope {} ORDER BY d.target
"""
_TAKEBACKS = "SELECT change_id, undone FROM memory_takebacks WHERE scope = :scope {} ORDER BY undone"
_DECISIONS = """
    SELECT change_id, place, proposal, digest, verb, targets, raw_text FROM memory_decisions
    WHERE scope = :scope {} ORDER BY place
"""
_DEFERRALS = "SELECT change_id, place FROM memory_deferrals WHERE scope = :scope {} ORDER BY place"
_PINS = """
    SELECT COALESCE(t.change_id, p.text_id), p.text_id, p.proposal, p.digest, p.operation FROM memory_pins p
    LEFT JOIN memory_texts t ON t.scope = p.scope AND t.id = p.text_id WHERE p.scope = :scope {}
    ORDER BY p.proposal, p.digest, p.operation
"""
_OPERATIONS = """
    SELECT COALESCE(t.change_id, o.receipt_text), o.receipt_text, o.operation FROM memory_operations o
    LEFT JOIN memory_texts t ON t.scope = o.scope AND t.id = o.receipt_text WHERE o.scope = :scope {}
    ORDER BY o.operation
"""
_TEXTS = """
    SELECT change_id, id, kind, salt, body FROM memory_texts
    WHERE scope = :scope AND kind <> 'document' {} ORDER BY id
"""
_KNOWN = """
    SELECT k.target, k.text_id, k.digest, CASE WHEN t.kind = 'document' THEN t.body END FROM memory_known k
    LEFT JOIN memory_texts t ON t.scope = k.scope AND t.id = k.text_id WHERE k.scope = :scope
"""
# What is asked, and what keeps it to one change.
_PARTS: Mapping[str, tuple[str, str]] = {
    "head": (_HEADS, "AND id = :change"),
    "documents": (_DOCUMENTS, "AND d.change_id = :change"),
    "takebacks": (_TAKEBACKS, "AND change_id = :change"),
    "decisions": (_DECISIONS, "AND change_id = :change"),
    "deferrals": (_DEFERRALS, "AND change_id = :change"),
    "pins": (_PINS, "AND t.change_id = :change"),
    "operations": (_OPERATIONS, "AND o.operation = :operation"),
    "texts": (_TEXTS, "AND change_id = :change"),
}


@cells.as_written
def all_parts(book: BookReader) -> dict[str, dict[str, Any]]:
    """Return what is recorded of every change, by its id; also of what is no change."""
    found: dict[str, dict[str, Any]] = {}
    for name, (statement, _) in _PARTS.items():
        if name != "deferrals" or book.has_asides():
            for change, values in _read(book.db, statement.format(""), scope=book.scope):
                found.setdefault(change, {}).setdefault(name, []).append(values)
    return found


def parts_of(book: BookReader, entry: BookEntry, *, pins: bool) -> dict[str, Any]:
    """Return what is recorded of a change that is being stored; whatever there is none of is left out.

    Args:
        book: where it is stored.
        entry: the change.
        pins: whether there are pins among it, which no index leads to.
    """
    asked = {"scope": book.scope, "change": entry.change, "operation": entry.operation}
    names = [name for name in _PARTS if name != "pins" or pins]
    questions = []
    for name in names:
        statement, one = _PARTS[name]
        values = {key: value for key, value in asked.items() if f":{key}" in statement + one}
        questions.append((statement.format(one), values))
    answers = zip(names, book.db.ask(questions), strict=True)
    return {name: [_named(row)[1] for row in rows] for name, rows in answers if rows}


def loose_changes(book: BookReader) -> list[str]:
    """Return the ids under which pins were recorded that no row binds yet; what cannot be read names none."""
    try:
        return [name for name in json.loads(book.meta(LOOSE) or "[]") if isinstance(name, str)]
    except (TypeError, ValueError, RecursionError):
        return []


@cells.as_written
def last_known(book: BookReader) -> dict[Target, LastKnown]:
    """Return what is kept of each document as it last stood."""
    return {
        Target(target): LastKnown(None if text is None else str(text), str(digest), cells.raw_or_none(body))
        for target, text, digest, body in book.db.all(_KNOWN, scope=book.scope)
    }


def _read(db: ReadDb, statement: str, **values: Any) -> Iterator[tuple[str, list[Any]]]:
    """Yield the rows of a query, each with the change that its first cell names; what is no name is that of none."""
    for row in db.all(statement, **values):
        yield _named(row)


def _named(row: Record) -> tuple[str, list[Any]]:
    return str(row[0]), [_plain(value) for value in row]


def _plain(value: Any) -> Any:
    """Return a cell as a value that has one form in JSON; bytes by their digest."""
    if isinstance(value, bytes):
        return {"bytes": hashlib.sha256(value).hexdigest()}
    return {"number": value.hex()} if isinstance(value, float) else value
