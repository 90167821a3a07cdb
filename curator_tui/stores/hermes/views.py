"""Views: what a plan may look at, read from a home and its book for exactly what one request names.

Here: gathering. Not here: locks and writing (``writer``), what is made of it (``core.plans``, ``core.reverts``).

A view holds only the records that a request names; the queue is never part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from curator_tui.core.asides import Asides, line_of
from curator_tui.core.changes import Backup, Decided, PastChange, View, Waiting
from curator_tui.core.documents import Target
from curator_tui.core.force import standing_for
from curator_tui.core.preflight import Snapshot
from curator_tui.core.proposals import ITEM_ID
from curator_tui.core.requests import REVERTING, Kind, Request
from curator_tui.core.upheld import deciders, since_deciders
from curator_tui.stores.book.accounts import last_doing, reverts
from curator_tui.stores.book.reading import BookReader
from curator_tui.stores.hermes.kept import find_backup, require_recorded
from curator_tui.stores.hermes.names import MEMORY_QUEUE, PENDING, RECORD_SUFFIX
from curator_tui.stores.hermes.proving import order_problems, prove, prove_order, prove_records, unproven
from curator_tui.stores.hermes.queue import find_record
from curator_tui.stores.hermes.reading import open_inside, read_documents
from curator_tui.stores.safe_files import Folder

Takebacks = Sequence[tuple[str, Sequence[str]]]
Limits = Mapping[Target, int | None]
_WITH_ASIDES = REVERTING | {Kind.DEFER, Kind.REOPEN, Kind.CHALLENGE, Kind.ANSWER}


def read_snapshot(home: Folder, limits: Limits) -> Snapshot:
    """Read both documents; one that cannot be read says so and is never taken for empty."""
    return Snapshot(read_documents(home), limits)


def read_view(home: Folder, book: BookReader, request: Request, limits: Limits) -> View:
    """Read everything a request names.

    Raises:
        Unreadable: queue, book or named backup cannot be read, or what would be written is not what was recorded.
    """
    reverting = _reverting(book, request)
    backup = _backup(home, book, request.backup) if request.backup is not None else None
    later = tuple(book.changes_since(backup.change)) if backup is not None else ()
    moving = (*([reverting] if reverting is not None else ()), *later)
    again = [item.proposal for change in moving for item in change.returned]
    takebacks = book.takebacks() if request.kind in REVERTING else ()
    asides = book.asides() if request.kind in _WITH_ASIDES else Asides()
    waiting = _waiting(home, (*request.proposals, *again, *_deferred(asides, takebacks, reverting)))
    occupied, live = _coming_back(home, book, request, moving)
    decided = book.decided([name for name in (*request.proposals, *request.reopen, *again) if name not in waiting])
    prove_records(book, [decided[name] for name in request.reopen if name in decided])
    prove_records(book, live.values() if backup is None else ())
    return View(
        snapshot=read_snapshot(home, limits),
        waiting=waiting,
        decided=decided,
        known=book.known(),
        head=book.head(),
        reverting=reverting,
        backup=backup,
        later=later,
        takebacks=takebacks,
        standing_for=standing_for(later, book.change, takebacks),
        reverts=reverts(book) if request.kind in REVERTING else {},
        occupied=occupied,
        live=live,
        unproven=unproven(book, live.values()) if backup is not None else {},
        doubts=tuple(order_problems(book, later[0])) if later else (),
        **_deciders(book, moving, takebacks),
        pins=book.pins({name: found.proposal.digest for name, found in waiting.items()}),
        refused=book.refused(),
        asides=asides,
    )


def _reverting(book: BookReader, request: Request) -> PastChange | None:
    """Return the change to revert, proven; where none is named, that there is nothing to revert is proven."""
    found = book.change(request.reverts) if request.reverts is not None else None
    if found is not None:
        prove(book, found)
    if found is not None:
        prove_order(book, found)
    elif request.reverts is None and request.kind is Kind.UNDO:
        prove_order(book, None)
    elif request.reverts is None and request.kind is Kind.REDO:
        last = last_doing(book, request.stamp.actor)
        prove_order(book, book.change(last) if last is not None else None)
    return found


def _backup(home: Folder, book: BookReader, name: str) -> Backup | None:
    found = find_backup(home, name)
    if found is not None:
        require_recorded(book, found)
    return found


def _waiting(home: Folder, names: Iterable[str]) -> dict[str, Waiting]:
    found = ((name, find_record(home, name)) for name in dict.fromkeys(names))
    return {name: waiting for name, waiting in found if waiting is not None}


def _occupied(home: Folder, names: Iterable[str]) -> dict[str, str]:
    """Return the items under whose name something stands in the queue, each with the digest of what it is."""
    wanted = tuple(name for name in dict.fromkeys(names) if ITEM_ID.fullmatch(name))  # nothing else names a record
    queue = open_inside(home, PENDING, MEMORY_QUEUE) if wanted else None
    if queue is None:
        return {}
    with queue:
        taken = [name for name in wanted if name.startswith("x-") or queue.stat(name + RECORD_SUFFIX) is not None]
    return {name: found.proposal.digest for name, found in _waiting(home, taken).items()}


def _deferred(asides: Asides, takebacks: Takebacks, reverting: PastChange | None) -> Iterator[str]:
    """Return the items that the change to revert deferred, itself or by what it took back."""
    line = line_of(takebacks, reverting.id) if reverting is not None else ()
    return (one.proposal for one in asides.deferrals if one.change in line)


def _deciders(book: BookReader, moving: Sequence[PastChange], takebacks: Takebacks) -> dict[str, Any]:
    """Return which changes decided what these had returned, each read once, and what was changed since."""
    known: dict[str, PastChange | None] = {change.id: change for change in moving}

    def find(name: str) -> PastChange | None:
        if name not in known:
            known[name] = book.change(name)
        return known[name]

    found = deciders((item for change in moving for item in change.returned), find, takebacks, book.decided_before)
    return {"deciders": found, "since": since_deciders(found.values(), book.changes_since, moving)}


def _coming_back(
    home: Folder, book: BookReader, request: Request, moving: Iterable[PastChange]
) -> tuple[dict[str, str], dict[tuple[str, str], Decided]]:
    """Return what stands where records are to come back, and the last words on those that do not wait."""
    closed = [item for change in moving for item in change.closed]
    occupied = _occupied(home, (*request.reopen, *(item.proposal for item in closed)))
    absent = {(item.proposal, item.digest) for item in closed if item.proposal not in occupied}
    found = book.live(sorted({name for name, _ in absent}))
    return occupied, {key: found[key] for key in sorted(absent) if key in found}
