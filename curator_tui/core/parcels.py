"""Parcels: everything one scope holds, as plain rows in one order, so that it can be moved and compared anywhere.

Here: which parts there are, their rows, the lines of a file of them, and the digest of all of it. Not here: reading
such a file, which comes from outside (``parcel_reading``), whether one may be let in (``importing``), the stores.

Two stores that hold the same give the same lines, so one digest tells both sides whether everything arrived. Rows name
no scope: a parcel becomes whoever's it is imported for.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any

from msgspec import Struct

from curator_tui.core.documents import Target
from curator_tui.core.ledger import GENESIS, SealedRow

Cell = str | int | float | bytes | None
Cells = tuple[Cell, ...]
KIND = "curator-tui export"
END = "end"
VERSION = 1


class Part(Struct, frozen=True):
    """One part of a parcel: a list of rows of the same form.

    Attributes:
        columns: name and kind of each cell: ``word``, ``count``, ``real`` or ``bytes``; a ``?`` behind it lets a cell
            be empty.
        key: how many of the first cells tell a row from the others of its part; rows stand in their order.
        table: whether the rows are those of a table of the book, under the name of the part.
    """

    columns: Mapping[str, str]
    key: int = 1
    table: bool = True


def _words(*names: str, **more: str) -> dict[str, str]:
    return {**dict.fromkeys(names, "word"), **more}


_ACTOR = ("actor_kind", "actor_name", "actor_through")
# In the order in which they stand in a file.
PARTS: Mapping[str, Part] = {
    "documents": Part(_words("target", body="bytes"), table=False),
    "proposals": Part({"id": "word", "body": "bytes", "written_by": "word"}, table=False),
    "written": Part(_words("proposal", "digest", "written_by"), 2, table=False),
    "images": Part(_words("id", "change_id", "at", "reason"), table=False),
    "image_files": Part(_words("image", "target", body="bytes?"), 2, table=False),
    "meta": Part(_words("name", "value"), table=False),
    "texts": Part(_words("id", "change_id", "kind", body="bytes", salt="bytes?")),
    "ledger": Part({"seq": "count", "hash": "word", "body": "word"}),
    "changes": Part(
        {"id": "word", "seq": "count", "at": "real", **_words(*_ACTOR, "kind", effect="count", reverts="word?",
         undone_by="word?", backup="word?")}
    ),
    "change_documents": Part(_words("change_id", "target", before_text="word?", after_text="word?"), 2),
    "takebacks": Part(_words("change_id", "undone"), 2),
    "decisions": Part(
        {"change_id": "word", "place": "count", **_words("proposal", "digest", "verb", "targets", raw_text="word?",
         ended_by="word?")}, 2
    ),
    "known": Part({"target": "word", "text_id": "word?", "digest": "word"}),
    "pins": Part({"proposal": "word", "digest": "word", "operation": "count", "text_id": "word"}, 3),
    "operations": Part(_words("operation", "receipt_text")),
    "deferrals": Part(
        {"change_id": "word", "place": "count", **_words("proposal", "digest", "until", back="count")}, 2
    ),
    "challenges": Part(_words("question", "change_id", "target", "entry_text", "reason", "note_text")),
    "answers": Part(_words("change_id", "question", "verb")),
    "tombstones": Part(
        {"id": "word", "change_id": "word", "at": "real", **_words(*_ACTOR, "target", "reason", key_id="word?",
         fingerprint="bytes?")}
    ),
    "scope_keys": Part({"key_id": "word", "secret": "bytes"}),
}  # fmt: skip

FORGOTTEN = frozenset({"tombstones", "scope_keys"})
"""Parts that a scope may hold before anything is imported into it; what is imported joins them."""


class Parcel(Struct, frozen=True, dict=True):
    """Everything one scope holds.

    Attributes:
        chain: random id of its chain of ledger rows, empty where there is none.
        parts: the rows of each part, in order; a part without rows is not there.
    """

    chain: str
    parts: Mapping[str, tuple[Cells, ...]]

    def rows(self, part: str) -> tuple[Cells, ...]:
        """Return the rows of a part."""
        return self.parts.get(part, ())

    @property
    def head(self) -> tuple[int, str]:
        """Sequence number and hash of the newest ledger row; ``(0, "")`` for none."""
        rows = self.rows("ledger")
        return (int(rows[-1][0] or 0), str(rows[-1][1])) if rows else (0, GENESIS)

    @property
    def ledger(self) -> Iterator[SealedRow]:
        """The rows of the ledger, oldest first."""
        return (SealedRow(int(seq or 0), str(digest), str(body)) for seq, digest, body in self.rows("ledger"))

    @property
    def documents(self) -> dict[Target, bytes]:
        """The bytes of the documents that hold any."""
        return {Target(str(target)): bytes_of(body) for target, body in self.rows("documents")}

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the lines in front of the last one, in hex."""
        found = hashlib.sha256()
        for line in _body(self):
            found.update(line.encode("ascii") + b"\n")
        return found.hexdigest()

    @property
    def counts(self) -> dict[str, int]:
        """How many rows each part has that has any."""
        return {name: len(rows) for name in PARTS if (rows := self.rows(name))}


def parcel_of(chain: str, parts: Mapping[str, Iterable[Iterable[Any]]]) -> Parcel:
    """Return a parcel of rows in any order.

    Raises:
        ValueError: a cell is not of its kind, a text is none, or a row stands there twice.
    """
    sorted_parts: dict[str, tuple[Cells, ...]] = {}
    for name, part in PARTS.items():
        kinds = tuple(part.columns.values())
        rows = [tuple(map(checked, row, kinds)) for row in parts.get(name, ())]
        rows.sort(key=_first(part.key))
        if any(one[: part.key] == other[: part.key] for one, other in pairwise(rows)):
            raise ValueError(f"two rows of {name} are the same")
        if rows:
            sorted_parts[name] = tuple(rows)
    return Parcel(chain, sorted_parts)


def _first(count: int) -> Callable[[Cells], Any]:
    return lambda row: row[:count]


def checked(cell: Any, kind: str) -> Cell:
    """Return a cell that must be of a kind.

    Raises:
        ValueError: it is not, or it is a text that no store can hold.
    """
    if cell is None and kind.endswith("?"):
        return None
    wanted = kind.rstrip("?")
    if wanted == "word" and isinstance(cell, str):
        if "\0" in cell or not (cell.isascii() or cell.isprintable() or _is_unicode(cell)):
            raise ValueError("a text that no store can hold")
        return cell
    if wanted == "count" and type(cell) is int and -(2**63) <= cell < 2**63:
        return cell
    if wanted == "real" and isinstance(cell, int | float) and math.isfinite(cell):
        return float(cell)
    if wanted == "bytes" and isinstance(cell, bytes | memoryview):
        return bytes(cell)
    raise ValueError("a cell of another kind")


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)


def bytes_of(cell: Cell) -> bytes:
    """Return a cell that is known to hold bytes."""
    assert isinstance(cell, bytes)
    return cell


def lines_of(parcel: Parcel) -> Iterator[str]:
    """Yield the lines of a file: what it is, every row, and how many there were with the digest of all of it."""
    yield from _body(parcel)
    yield _line(end_of(parcel))


def end_of(parcel: Parcel) -> dict[str, Any]:
    """Return what the last line says."""
    return {"kind": END, "rows": sum(parcel.counts.values()), "digest": parcel.digest}


def _body(parcel: Parcel) -> Iterator[str]:
    seq, head = parcel.head
    yield _line({"kind": KIND, "version": VERSION, "chain": parcel.chain, "seq": seq, "head": head})
    for name in PARTS:
        for row in parcel.rows(name):
            yield row_line(name, row)


def row_line(part: str, row: Cells) -> str:
    """Return the line of one row: the name of its part, and its cells; bytes in base 64."""
    return _line([part, *(base64.b64encode(cell).decode() if isinstance(cell, bytes) else cell for cell in row)])


def _line(value: Any) -> str:
    """Return a value as one line of plain ASCII: whatever it holds, a terminal shows it and does nothing."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False).replace("\x7f", "\\u007f")
