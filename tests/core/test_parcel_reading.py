"""A file of an export comes from outside: it is taken whole and as written, or refused by the name of its fault."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core import parcel_reading
from curator_tui.core.errors import Unreadable
from curator_tui.core.importing import parcel_problems
from curator_tui.core.ledger import seal
from curator_tui.core.parcel_reading import read_parcel
from curator_tui.core.parcels import Parcel, lines_of, parcel_of
from curator_tui.core.tombstones import Tombstone, fingerprint, recognised

ROW = {"action": "decide", "actor": {"kind": "person"}, "at": "2026-11-30T00:00:00.000Z", "change": "c1"}
SEALED = seal([ROW, ROW, ROW], (0, ""))
PARCEL = parcel_of(
    "0123456789abcdef",
    {
        "documents": [("user", b"who"), ("memory", b"one\n\xc2\xa7\ntwo \xff")],
        "proposals": [("b", b"{}", ""), ("a", b"{}", "an agent")],
        "texts": [("t2", "c1", "note", b"\x00\x1b[2J", b"salt"), ("t1", "c1", "record", b"", None)],
        "ledger": [(row.seq, row.hash, row.body) for row in SEALED],
        "changes": [("c1", 3, 1.25, "person", "ad\x7fa ü", "cli", "decide", 1, None, None, None)],
    },
)


def lines(parcel: Parcel = PARCEL) -> list[bytes]:
    return [f"{line}\n".encode("ascii") for line in lines_of(parcel)]


def test_what_was_written_is_read_and_order_of_reading_makes_no_difference() -> None:
    found = read_parcel(lines())
    assert (found, found.digest) == (PARCEL, PARCEL.digest)
    assert [row[0] for row in found.rows("documents")] == ["memory", "user"]
    assert found.head == (3, SEALED[-1].hash)
    assert list(parcel_problems(found)) == []


def test_no_line_holds_what_a_terminal_acts_on() -> None:
    assert all(set(line) <= set(range(0x20, 0x7F)) | {0x0A} for line in lines())


def _swap(found: list[bytes]) -> list[bytes]:
    return [*found[:1], found[2], found[1], *found[3:]]


def _end(found: list[bytes], **changed: object) -> list[bytes]:
    return [*found[:-1], json.dumps({**json.loads(found[-1]), **changed}).encode() + b"\n"]


HOSTILE: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "empty": (lambda found: [], "cut-off"),
    "without an end": (lambda found: found[:-1], "cut-off"),
    "cut within a line": (lambda found: [*found[:3], found[3][:-2]], "cut-off"),
    "two headers": (lambda found: [found[0], *found], "two-exports"),
    "no header": (lambda found: found[1:], "no-export"),
    "another file": (lambda found: [b'{"seq":1}\n'], "no-export"),
    "twice the same row": (lambda found: [*found[:2], *found[1:]], "row-twice"),
    "rows in another order": (_swap, "out-of-order"),
    "parts in another order": (lambda found: [found[0], found[3], *found[1:3], *found[4:]], "out-of-order"),
    "a row less": (lambda found: [*found[:1], *found[2:]], "wrong-digest"),
    "another digest": (lambda found: _end(found, digest="0" * 64), "wrong-digest"),
    "another count": (lambda found: _end(found, rows=1), "wrong-digest"),
    "an end that says more": (lambda found: _end(found, more=1), "wrong-digest"),
    "something behind the end": (lambda found: [*found, found[1]], "behind-the-end"),
    "two exports": (lambda found: [*found, *found], "behind-the-end"),
    "a key twice": (lambda found: [found[0].replace(b'"seq":3', b'"seq":3,"seq":3'), *found[1:]], "key-twice"),
    "a newer version": (lambda found: [found[0].replace(b'"version":1', b'"version":2'), *found[1:]], "newer-export"),
    "another head": (lambda found: [found[0].replace(b'"seq":3', b'"seq":2'), *found[1:]], "wrong-head"),
    "spaces": (lambda found: [found[0], found[1].replace(b",", b", "), *found[2:]], "other-form"),
    "other words of the same text": (lambda found: [found[0], found[1].replace(b"memory", b"\\u006demory"), *found[2:]],
                                     "other-form"),
    "base 64 with a slip": (lambda found: [found[0], found[1].replace(b'"]', b'!"]'), *found[2:]], "no-row"),
    "no JSON": (lambda found: [found[0], b"[\n", *found[1:]], "no-json"),
    "no ASCII": (lambda found: [found[0], b'["documents","\xc3\xbc",""]\n', *found[1:]], "no-json"),
    "no number": (lambda found: [found[0], b'["ledger",NaN,"",""]\n', *found[1:]], "no-json"),
    "nested deep": (lambda found: [found[0], b"[" * 100_000 + b"\n", *found[1:]], "too-deep"),
    "an object in a row": (lambda found: [found[0], b'["documents",{},""]\n', *found[1:]], "too-deep"),
    "an unknown part": (lambda found: [found[0], b'["passwords","x"]\n', *found[1:]], "no-export"),
    "a cell less": (lambda found: [found[0], b'["documents","user"]\n', *found[1:]], "no-row"),
    "a number for a text": (lambda found: [found[0], b'["documents",1,""]\n', *found[1:]], "no-row"),
    "a truth for a number": (lambda found: [found[0], b'["ledger",true,"",""]\n', *found[1:]], "no-row"),
    "a number without end": (lambda found: [found[0], b'["ledger",' + b"9" * 40 + b',"",""]\n', *found[1:]], "no-row"),
    "a text no store holds": (lambda found: [found[0], b'["documents","\\u0000",""]\n', *found[1:]], "no-row"),
    "half a character": (lambda found: [found[0], b'["documents","\\ud800",""]\n', *found[1:]], "no-row"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_that_is_not_as_it_was_written_is_refused_by_its_fault(name: str) -> None:
    change, code = HOSTILE[name]
    with pytest.raises(Unreadable) as caught:
        read_parcel(change(lines()))
    assert caught.value.code == code
    assert caught.value.message.isprintable()
    assert "Nothing was imported" in caught.value.way_out


def test_sizes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcel_reading, "LINE_LIMIT", 200)
    with pytest.raises(Unreadable, match="larger than an export"):
        read_parcel(lines())
    monkeypatch.setattr(parcel_reading, "LINE_LIMIT", 10_000)
    monkeypatch.setattr(parcel_reading, "FILE_LIMIT", 300)
    with pytest.raises(Unreadable, match="larger than an export"):
        read_parcel(lines())


@given(st.data())
def test_one_byte_that_differs_is_never_taken(data: st.DataObject) -> None:
    whole = b"".join(lines())
    place = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != whole[place]))
    altered = whole[:place] + bytes([byte]) + whole[place + 1 :]
    with pytest.raises(Unreadable):
        read_parcel(altered.splitlines(keepends=True))


@pytest.mark.parametrize(
    ("part", "row"),
    [
        ("proposals", ("../../evil", b"{}", "")),
        ("proposals", ("", b"{}", "")),
        ("images", ("../20261130T000000Z-x", "c", "2026-11-30T00:00:00.000Z", "")),
        ("images", ("20261130T000000Z-x", "c", "2026-13-30T00:00:00.000Z", "")),
        ("documents", ("SOUL", b"x")),
        ("known", ("SOUL", None, "")),
        ("meta", ("chain", "0" * 16)),
        ("image_files", ("20261130T000000Z-x", "memory", b"")),
        ("ledger", (2, SEALED[1].hash, SEALED[1].body)),
    ],
)
def test_what_would_act_is_named_whatever_the_digest_says(part: str, row: tuple[object, ...]) -> None:
    parcel = parcel_of("0" * 16, {part: [row]})
    assert read_parcel(lines(parcel)) == parcel
    assert list(parcel_problems(parcel))


def test_a_forgotten_fact_is_recognised_wherever_it_stands_and_only_with_its_key() -> None:
    key = b"k" * 32
    stone = Tombstone("t", "key", fingerprint(key, "Has  a CAT"))
    bodies = [
        b"has a cat",
        b"x\n\xc2\xa7\nHas a cat\n\xc2\xa7\ny",
        b'{"operations":[{"content":"Has a cat"}]}',
        b"a cat",
    ]
    assert recognised([stone], {"key": key}, bodies) == 3
    assert recognised([stone], {"key": b"other"}, bodies) == 0
    assert recognised([stone], {}, bodies) == 0
    assert recognised([Tombstone("t")], {"key": key}, bodies) == 0
