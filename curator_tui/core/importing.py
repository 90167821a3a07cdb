"""Importing: whether a parcel may become the memory of a scope, and the one row that says it did.

Here: planning ``import``, and what a parcel must be so that nothing in it acts: names that become files, what stands
in the queue. Not here: the form of a parcel (``parcels``), whether its book holds together (the stores), erasing.

The chain a parcel brings is kept as it is. Behind its last row the receiving scope's own chain begins, with a row that
names the chain and commits to its head.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime

from msgspec.structs import replace

from curator_tui.core.changes import Change, NotApplied, Receipt, View
from curator_tui.core.counting import counted
from curator_tui.core.documents import FILE_NAMES, TARGETS, Target
from curator_tui.core.ledger import chained, new_row
from curator_tui.core.operations import Problem
from curator_tui.core.parcels import FORGOTTEN, Cells, Parcel, bytes_of
from curator_tui.core.proposals import ITEM_ID
from curator_tui.core.recording import Recorder, receipt_sizes
from curator_tui.core.requests import Request
from curator_tui.core.times import utc_text
from curator_tui.core.tombstones import recognised

# Names of images become names of folders on a home.
IMAGE_NAME = re.compile(r"\d{8}T\d{6}(?:\.\d+)?Z-[A-Za-z0-9_-]{1,64}")
_CHAIN = re.compile(r"[0-9a-f]{16}|")
_KNOWN_META = frozenset({"loose pins"})


def parcel_problems(parcel: Parcel) -> Iterator[Problem]:
    """Yield what must not be in a parcel whatever its digest says: each by what it is, never by its words."""
    targets = frozenset(map(str, Target))
    if not _CHAIN.fullmatch(parcel.chain) or (parcel.rows("ledger") and not parcel.chain):
        yield Problem("parcel-chain", "its chain has no name of ours")
    for _, found in chained(parcel.ledger):
        yield from found
    checks: tuple[tuple[str, int, Callable[[str], bool], str], ...] = (
        ("documents", 0, lambda cell: cell in targets, "a document that is none of ours"),
        ("proposals", 0, lambda cell: ITEM_ID.fullmatch(cell) is not None, "an item with a name that is none"),
        ("images", 0, lambda cell: IMAGE_NAME.fullmatch(cell) is not None, "a backup with a name that is none"),
        ("images", 2, lambda cell: moment_of(cell) is not None, "a backup of no moment"),
        ("image_files", 1, lambda cell: cell in targets, "a backup of a document that is none of ours"),
        ("known", 0, lambda cell: cell in targets, "a document that is none of ours"),
        ("meta", 0, lambda cell: cell in _KNOWN_META, "a note about a book that is none of ours"),
    )
    for part, place, holds, words in checks:
        if not all(holds(str(row[place])) for row in parcel.rows(part)):
            yield Problem("parcel-name", f"it holds {words}")
    images = {row[0] for row in parcel.rows("images")}
    if any(row[0] not in images for row in parcel.rows("image_files")):
        yield Problem("parcel-name", "it holds a file of a backup that it does not hold")


def moment_of(text: str) -> float | None:
    """Return the moment that an image names, in UTC seconds; None for what names none as this program does."""
    try:
        at = datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        return None
    return at if utc_text(at) == text else None


def plan_import(view: View, request: Request) -> Change:
    """Plan the import of a parcel into a scope that holds nothing; a forgotten fact does not come back with it."""
    parcel = request.parcel
    assert parcel is not None
    done = Receipt(None, request.kind, sizes=receipt_sizes(view, {}), digest=parcel.digest)
    change = Change(request.stamp.change, request.kind, done)
    if view.imported == parcel.digest:
        return replace(change, receipt=replace(done, notes=("it was imported before; nothing was changed",)))
    refused = next(_refusals(view, parcel), None)
    if refused is not None:
        return replace(change, receipt=replace(done, not_applied=(refused,)))
    seq, digest = parcel.head
    row = new_row(request.stamp, str(request.kind), chain=parcel.chain, head={"seq": seq, "hash": digest})
    before = {target: view.snapshot.document(target).raw for target in parcel.documents}
    # the answer names the parcel's digest in the book only: a row binds nothing that could be guessed from words
    answer = replace(done, change=request.stamp.change, sizes=receipt_sizes(view, parcel.documents))
    planned = replace(change, rows=(row,), parcel=parcel, before=before)
    finished = Recorder(request.stamp).finish(planned, view, request, answer)
    return replace(finished, known={})  # what is known of the documents comes with the parcel


def _refusals(view: View, parcel: Parcel) -> Iterator[NotApplied]:
    there = [FILE_NAMES[target] for target in TARGETS if not _empty(view, target)]
    there += [counted(number, what) for what, number in view.there.items() if number]
    if view.head[0]:
        there.append(counted(view.head[0], "row of a ledger", "rows of a ledger"))
    if there:
        message = f"there is a memory already ({', '.join(there)}), and an import never mixes two"
        yield NotApplied("", "occupied", "not-empty", message)
    found = recognised(view.tombstones, view.scope_keys, texts_of(parcel))
    if found:
        words = counted(found, "text that was", "texts that were")
        yield NotApplied("", "forgotten", "forgotten", f"it holds {words} forgotten here, which never returns")


def _empty(view: View, target: Target) -> bool:
    document = view.snapshot.document(target)
    return document.usable and not document.raw


def texts_of(parcel: Parcel) -> Iterator[bytes]:
    """Yield everything in a parcel that can hold words of a memory."""
    for part, place in (("documents", 1), ("proposals", 1), ("image_files", 2), ("texts", 3)):
        for row in parcel.rows(part):
            if row[place]:
                yield bytes_of(row[place])


def as_brought(found: Parcel, change: str, brought: Parcel) -> Parcel:
    """Return what a store holds without what its import added, and without what was forgotten there before.

    Args:
        found: everything that it holds.
        change: the change that imported it.
        brought: what was imported.
    """
    own: dict[str, Callable[[Cells], bool]] = {
        "texts": lambda row: row[1] == change,
        "changes": lambda row: row[0] == change,
        "operations": lambda row: str(row[1]).startswith(f"{change}:"),
    }
    parts = {
        name: tuple(row for row in rows if name not in own or not own[name](row)) for name, rows in found.parts.items()
    }
    ledger = [sealed for sealed in found.ledger if (row := sealed.row) is None or row["change"] != change]
    parts["ledger"] = tuple((sealed.seq, sealed.hash, sealed.body) for sealed in ledger)
    for name in FORGOTTEN:
        here = set(brought.rows(name))
        parts[name] = tuple(row for row in found.rows(name) if row in here)
    return Parcel(brought.chain, {name: rows for name, rows in parts.items() if rows})
