"""Carrying: the tables of a book as parts of a parcel, and back into the tables of another one.

Here: reading all rows of one scope, storing them for another, and making sure that they arrived. Not here: documents,
queue and images (each store keeps them in its own way), the form of a parcel (``core.parcels``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from curator_tui.core.errors import Unreadable, WriteFailed
from curator_tui.core.parcels import FORGOTTEN, PARTS, Cells, Parcel, parcel_of
from curator_tui.core.text import visible
from curator_tui.core.tombstones import Tombstone
from curator_tui.stores.book.commitments import LOOSE
from curator_tui.stores.book.db import Db, ReadDb
from curator_tui.stores.book.reading import BookReader
from curator_tui.stores.failpoints import hit

# The name under which a book notes the digest of the parcel it began with.
IMPORTED = "imported"
_META = """
    INSERT INTO memory_meta (scope, name, value) VALUES (:scope, :name, :value)
    ON CONFLICT (scope, name) DO UPDATE SET value = excluded.value
"""
_STONES = "SELECT id, key_id, fingerprint FROM memory_tombstones WHERE {}"
_KEYS = "SELECT key_id, secret FROM memory_scope_keys WHERE {}"
_OURS = "scope = :scope"


def tables() -> tuple[str, ...]:
    """Return the names of the parts that are tables of a book."""
    return tuple(name for name, part in PARTS.items() if part.table)


def book_parts(book: BookReader) -> dict[str, list[Sequence[Any]]]:
    """Return all rows of a book that travel, by their parts; a table that an older book lacks holds none."""
    found: dict[str, list[Sequence[Any]]] = {}
    for name in tables():
        if book.db.has_table(f"memory_{name}"):
            columns = ", ".join(PARTS[name].columns)
            statement = f"SELECT {columns} FROM memory_{name} WHERE scope = :scope"  # noqa: S608 - names of ours
            found[name] = list(book.db.all(statement, scope=book.scope))
    loose = book.meta(LOOSE)
    found["meta"] = [(LOOSE, loose)] if loose not in {None, "[]"} else []
    return found


def whole_parcel(book: BookReader, parts: Mapping[str, Iterable[Sequence[Any]]]) -> Parcel:
    """Return a parcel of what a store holds besides its book, and of its book.

    Raises:
        Unreadable: a row holds what this program never writes, so that no store could take it.
    """
    try:
        return parcel_of(book.chain() if book.head()[0] else "", {**book_parts(book), **parts})
    except (ValueError, TypeError) as error:
        raise Unreadable(
            f"{visible(book.db.path)} cannot be exported: it holds what this program never writes.",
            way_out="See what is wrong with: curator-tui doctor",
        ) from error


def load_book(db: Db, scope: str, parcel: Parcel, change: str = "") -> None:
    """Store the book's part of a parcel, inside a transaction that the caller has begun, and read it back.

    Args:
        db: where.
        scope: whose.
        parcel: what.
        change: the change that imports it, of which texts may be there already.

    Raises:
        WriteFailed: what is read is not what was to be stored.
    """
    for name in tables():
        columns = tuple(PARTS[name].columns)
        values = ", ".join(f":{column}" for column in columns)
        statement = f"INSERT INTO memory_{name} (scope, {', '.join(columns)}) VALUES (:scope, {values})"  # noqa: S608 - names of ours
        if name in FORGOTTEN:  # it may have come here before
            statement += " ON CONFLICT DO NOTHING"
        db.run_many(statement, [{"scope": scope, **dict(zip(columns, row, strict=True))} for row in parcel.rows(name)])
        hit("part_loaded")
    notes: list[Cells] = [*parcel.rows("meta"), (IMPORTED, parcel.digest)]
    db.run_many(_META, [{"scope": scope, "name": name, "value": value} for name, value in notes])
    book = BookReader(db, scope)
    theirs = [row for row in book_parts(book)["texts"] if row[1] != change]
    require_same(parcel, book, tables(), {"texts": theirs})
    hit("book_loaded")


def require_same(parcel: Parcel, book: BookReader, names: Iterable[str], more: Mapping[str, Any] | None = None) -> None:
    """Make sure that parts of a parcel are what a store holds now.

    Raises:
        WriteFailed: they are not.
    """
    try:
        found = parcel_of(parcel.chain, {**book_parts(book), **(more or {})})
    except (ValueError, TypeError):
        found = Parcel(parcel.chain, {})
    wrong = [name for name in names if not _same(found.rows(name), parcel.rows(name), name)]
    if wrong:
        raise WriteFailed(f"the store does not give back what it was given ({wrong[0]}).")


def _same(found: Sequence[Cells], wanted: Sequence[Cells], name: str) -> bool:
    """Whether rows arrived; what was forgotten where they are imported is there as well."""
    return set(wanted) <= set(found) if name in FORGOTTEN else found == wanted


def forgotten_in(db: ReadDb, where: str = _OURS, **values: Any) -> tuple[tuple[Tombstone, ...], dict[str, bytes]]:
    """Return tombstones and the keys that recognise them; an older book has none."""
    if not db.has_table("memory_tombstones"):
        return (), {}
    stones = db.all(_STONES.format(where), **values)
    keys = db.all(_KEYS.format(where), **values)
    return (
        tuple(Tombstone(str(name), key, None if found is None else bytes(found)) for name, key, found in stones),
        {str(name): bytes(secret) for name, secret in keys},
    )
