"""Commitments of changes: everything a store has recorded of one is bound by one commitment in its last row.

Here: the commitment, and holding what is recorded against it; the last known documents against the newest rows that
name them. Not here: the texts that rows bind one by one (``verification``), in which words a row says of a change what
is recorded of it too (``accounts``), where all of it is kept (the stores).

The parts of a row say what a person may ask of a change; a store keeps more: which texts belong to it, what a record
was like when it was first seen, what was answered. A cell of these that another program alters shows here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from curator_tui.core.changes import Row
from curator_tui.core.documents import FILE_NAMES, Target, raw_digest
from curator_tui.core.ledger import SealedRow, canonical, chained, commitment, verify_commitment
from curator_tui.core.operations import Problem
from curator_tui.core.recording import BOOK, OBSERVED, SALTED
from curator_tui.core.text import visible

Parts = Mapping[str, Any]
_UNBOUND, _KNOWN = "change-unbound", "known-altered"


class LastKnown(Struct, frozen=True):
    """What a store keeps of a document as it last stood.

    Attributes:
        text: id of its text, None for a document that was missing.
        digest: digest of its bytes.
        raw: these bytes, None where there are none.
    """

    text: str | None
    digest: str
    raw: bytes | None


def book_salt(change: str) -> str:
    """Return under what the salt of this commitment is kept."""
    return f"{change}:{BOOK}"


def with_commitment(row: Row, salt: bytes, parts: Parts) -> Row:
    """Return the last row of a change with the commitment to what is recorded of it."""
    return {**row, BOOK: {"commit": commitment(salt, _bytes(parts))}}


def _bytes(parts: Parts) -> bytes:
    return canonical(parts).encode("utf-8", "surrogatepass")


def unbound_changes(
    rows: Iterable[SealedRow], recorded: Mapping[str, Parts], salt: Callable[[str], bytes | None], pending: str = ""
) -> Iterator[Problem]:
    """Yield the changes of which something else is recorded than their rows were made of.

    A row may bear no such commitment, as those of a book of version 1, and says nothing here. Nothing takes the salt
    of one away by itself, so one that is gone was taken.

    Args:
        rows: the ledger, oldest row first.
        recorded: what is recorded, by the change it says to be of.
        salt: returns the salt that is kept under an id.
        pending: id of the change that is under way, of which parts are there already; empty for none.
    """
    named, damaged = {pending}, False
    for sealed, problems in chained(rows):
        row = sealed.row
        if problems or row is None:
            damaged = True
            continue
        change = row["change"]
        named.add(change)
        if BOOK not in row:
            continue
        kept, shown = salt(book_salt(change)), visible(change, newlines=False)
        if kept is None:
            said = f"what is recorded of change {shown} cannot be held against row {sealed.seq}"
            yield Problem(_UNBOUND, said, (change, sealed.seq))
        elif not verify_commitment(row[BOOK], kept, _bytes(recorded.get(change, {}))):
            said = f"what is recorded of change {shown} is not what row {sealed.seq} was made of"
            yield Problem(_UNBOUND, said, (change, sealed.seq))
    for change, parts in () if damaged else recorded.items():
        if change not in named and "head" not in parts and not _only_pins(parts):
            shown = visible(change, newlines=False)
            yield Problem("change-missing", f"there are parts of change {shown}, which is not recorded", (change,))


def _only_pins(parts: Parts) -> bool:
    """Whether parts are nothing but pins recorded while there was nothing else to tell; the next row binds them."""
    return set(parts) <= {"pins", "texts"} and all(text[2] == "pin" for text in parts.get("texts", ()))


def told_once(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems without repeats, and without those of this module where another one says what is wrong.

    One commitment binds everything recorded of a change, so what breaks it is often named more exactly as well.
    """
    told: dict[tuple[str, str], Problem] = {}
    exact: set[int | str] = set()
    for one in problems:
        told.setdefault((one.code, one.message), one)
        if one.code not in {_UNBOUND, _KNOWN}:
            exact.update(one.about)
    return [one for one in told.values() if one.code not in {_UNBOUND, _KNOWN} or exact.isdisjoint(one.about)]


def known_problems(
    rows: Iterable[SealedRow], known: Mapping[Target, LastKnown], salt: Callable[[str], bytes | None]
) -> Iterator[Problem]:
    """Yield the documents whose last known state is not what the newest row that names them says.

    Args:
        rows: the ledger, oldest row first.
        known: what is kept of each document.
        salt: returns the salt that is kept under an id.
    """
    newest: dict[Target, SealedRow] = {}
    given_up: set[tuple[str, str]] = set()
    for sealed, problems in chained(rows):
        row = sealed.row
        if problems or row is None:
            return  # the damaged one may be the newest
        newest.update({Target(name): sealed for name in row.get("documents", ())})
        given_up.update((row["change"], name) for name in row.get("partly", ()))
    for target in Target:
        here = newest.get(target)
        row = here.row if here is not None else None
        if here is None or row is None or (row["change"], str(target)) in given_up:
            continue
        if not _is_known(row, target, known.get(target), salt):
            what = f"what is kept as the last known {FILE_NAMES[target]}"
            yield Problem(_KNOWN, f"{what} is not what row {here.seq} was made of", (here.seq,))


def _is_known(row: Row, target: Target, found: LastKnown | None, salt: Callable[[str], bytes | None]) -> bool:
    """Whether what is kept of a document is what a row says came of it; without its salt that cannot be told."""
    part = row["documents"][str(target)].get("after", {})
    if found is None or found.digest != raw_digest(found.raw) or (found.text is None) != (found.raw is None):
        return False
    if part.get("absent") or found.raw is None:
        return bool(part.get("absent")) == (found.raw is None)
    moment = SALTED["after"] if row["action"] in OBSERVED else "after"
    return verify_commitment(part, salt(f"{row['change']}:{target}:{moment}"), found.raw) is not False
