"""Reading a parcel from a file: it comes from outside, so every line is held against what this program writes.

Here: the limits, and a name for every fault. Not here: the form (``parcels``), whether what it says of memory holds
together (``importing`` and the book's own checks).

A line is taken only in the one form that this program gives it, so nothing can stand in it twice or be read in two
ways. Nothing of the file is quoted in an error but numbers.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from msgspec import Struct, field

from curator_tui.core.errors import Unreadable
from curator_tui.core.parcels import END, KIND, PARTS, VERSION, Cell, Cells, Parcel, checked, end_of, row_line

LINE_LIMIT = 24 << 20
"""Bytes of one line: the largest document there may be, in base 64."""
FILE_LIMIT = 2 << 30
"""Bytes of all lines."""
# What stands in quotes; no line of ours holds an object or a list within another.
_QUOTED = re.compile(rb'"(?:[^"\\]|\\.)*+"')
_ORDER = {name: place for place, name in enumerate(PARTS)}
_WAY_OUT = "Nothing was imported. Export again from where it came from."


class _Read(Struct):
    """How far a file was read."""

    number: int = 0
    chain: str | None = None
    head: tuple[int, str] = (0, "")
    part: int = -1
    parts: dict[str, list[Cells]] = field(default_factory=dict)
    end: dict[str, Any] | None = None


def read_parcel(lines: Iterable[bytes]) -> Parcel:
    """Read a file line by line; lines keep their end.

    Raises:
        Unreadable: it is not, whole and in this order, what an export writes; the code names the fault.
    """
    read, size = _Read(), 0
    for raw in lines:
        read.number += 1
        size += len(raw)
        if size > FILE_LIMIT or len(raw) > LINE_LIMIT:
            _wrong(read, "too-large", "is larger than an export can be")
        if read.end is not None:
            _wrong(read, "behind-the-end", "stands behind the end")
        if not raw.endswith(b"\n"):
            _wrong(read, "cut-off", "is cut off")
        _take(read, raw[:-1])
    if read.end is None:
        read.number += 1
        _wrong(read, "cut-off", "is missing: the file is cut off")
    return _whole(read)


def _take(read: _Read, raw: bytes) -> None:
    value = _parsed(read, raw)
    if isinstance(value, dict):
        kind = value.get("kind")
        if kind == KIND:
            _begin(read, value)
        elif kind == END and read.chain is not None:
            read.end = value
        else:
            _wrong(read, "no-export", "is no line of an export")
    elif read.chain is None:
        _wrong(read, "no-export", "is not how an export begins")
    elif isinstance(value, list) and value and isinstance(value[0], str) and value[0] in PARTS:
        _add(read, value[0], value[1:], raw)
    else:
        _wrong(read, "no-export", "is no line of an export")


def _parsed(read: _Read, raw: bytes) -> Any:
    plain = _QUOTED.sub(b"", raw)
    if plain.count(b"[") + plain.count(b"{") > 1:
        _wrong(read, "too-deep", "is nested too deep")
    try:
        return json.loads(raw.decode("ascii"), object_pairs_hook=_object, parse_constant=_no_number)
    except _Twice:
        _wrong(read, "key-twice", "holds a key twice")
    except (ValueError, RecursionError):
        _wrong(read, "no-json", "is no JSON in plain ASCII")


class _Twice(Exception):
    """A key stands in an object twice."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Twice
    return found


def _no_number(_: str) -> NoReturn:
    raise ValueError


def _begin(read: _Read, value: dict[str, Any]) -> None:
    if read.chain is not None:
        _wrong(read, "two-exports", "begins a second export")
    version, chain, seq, head = (value.get(name) for name in ("version", "chain", "seq", "head"))
    if type(version) is int and version > VERSION:
        _wrong(read, "newer-export", f"says version {version}, and this program understands {VERSION}")
    if version != VERSION or not isinstance(chain, str) or type(seq) is not int or not isinstance(head, str):
        _wrong(read, "no-export", "is not how an export begins")
    read.chain, read.head = chain, (seq, head)


def _add(read: _Read, name: str, cells: list[Any], raw: bytes) -> None:
    part = PARTS[name]
    if _ORDER[name] < read.part:
        _wrong(read, "out-of-order", "stands behind a part it belongs in front of")
    read.part = _ORDER[name]
    if len(cells) != len(part.columns):
        _wrong(read, "no-row", "has another number of cells than its part")
    try:
        row: Cells = tuple(map(_cell, cells, part.columns.values()))
    except ValueError:
        _wrong(read, "no-row", "holds what this program never writes")
    rows = read.parts.setdefault(name, [])
    if rows and not rows[-1][: part.key] < row[: part.key]:
        same = rows[-1][: part.key] == row[: part.key]
        _wrong(read, "row-twice" if same else "out-of-order", "stands there twice" if same else "is not in its place")
    if row_line(name, row).encode("ascii") != raw:
        _wrong(read, "other-form", "is not in the form in which this program writes it")
    rows.append(row)


def _cell(value: Any, kind: str) -> Cell:
    if kind.startswith("bytes") and isinstance(value, str):
        try:
            return base64.b64decode(value, validate=True)
        except binascii.Error as error:
            raise ValueError from error
    return checked(value, kind)


def _whole(read: _Read) -> Parcel:
    assert read.chain is not None
    assert read.end is not None
    parcel = Parcel(read.chain, {name: tuple(rows) for name, rows in read.parts.items()})
    checks: tuple[tuple[Callable[[], bool], str, str], ...] = (
        (lambda: parcel.head == read.head, "wrong-head", "ends, and its ledger has not the head that its first names"),
        (lambda: read.end == end_of(parcel), "wrong-digest",
         "ends, and its digest is not that of the lines"),
    )  # fmt: skip
    for holds, code, words in checks:
        if not holds():
            _wrong(read, code, words)
    return parcel


def _wrong(read: _Read, code: str, words: str) -> NoReturn:
    raise Unreadable(f"the file cannot be imported: line {read.number} {words}.", code=code, way_out=_WAY_OUT)
