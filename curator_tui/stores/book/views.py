"""Views: what a plan may look at, read from a book and its place for exactly what one request names.

Here: gathering. Not here: locks and writing (the stores), what is made of it (``core.plans``, ``core.reverts``).

A view holds only the records that a request names; the queue is never part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from curator_tui.core.asides import Asides, line_of
from curator_tui.core.changes import Backup, Decided, PastChange, View
from curator_tui.core.documents import Target
from curator_tui.core.force import standing_for
from curator_tui.core.preflight import Snapshot
from curator_tui.core.requests import REVERTING, Kind, Request
from curator_tui.core.upheld import deciders, since_deciders
from curator_tui.stores.book import carrying
from curator_tui.stores.book.accounts import last_doing, reverts
from curator_tui.stores.book.kept import require_recorded
from curator_tui.stores.book.place import Place
from curator_tui.stores.book.proving import order_problems, prove, prove_order, prove_records, unproven
from curator_tui.stores.book.reading import BookReader

Takebacks = Sequence[tuple[str, Sequence[str]]]
Limits = Mapping[Target, int | None]
_WITH_ASIDES = REVERTING | {Kind.DEFER, Kind.REOPEN, Kind.CHALLENGE, Kind.ANSWER}


def read_view(place: Place, book: BookReader, request: Request, limits: Limits) -> View:
    """Read everything a request names.

    Raises:
        Unreadable: something cannot be read, or what would be written is not what was recorded.
    """
    reverting = _reverting(book, request)
    backup = _backup(place, book, request.backup) if request.backup is not None else None
    later = tuple(book.changes_since(backup.change)) if backup is not None else ()
    moving = (*([reverting] if reverting is not None else ()), *later)
    again = [item.proposal for change in moving for item in change.returned]
    takebacks = book.takebacks() if request.kind in REVERTING else ()
    asides = book.asides() if request.kind in _WITH_ASIDES else Asides()
    waiting = place.records((*request.proposals, *again, *_deferred(asides, takebacks, reverting)))
    occupied, live = _coming_back(place, book, request, moving)
    decided = book.decided([name for name in (*request.proposals, *request.reopen, *again) if name not in waiting])
    prove_records(book, [decided[name] for name in request.reopen if name in decided])
    prove_records(book, live.values() if backup is None else ())
    return View(
        snapshot=Snapshot(place.documents(), limits),
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
        **_for_import(place, book, request),
    )


def _for_import(place: Place, book: BookReader, request: Request) -> dict[str, Any]:
    """Return the parts of a view that only an import looks at."""
    if request.kind is not Kind.IMPORT:
        return {}
    tombstones, keys = place.forgotten()
    imported = book.meta(carrying.IMPORTED) or ""
    return {"there": place.there(), "imported": imported, "tombstones": tombstones, "scope_keys": keys}


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


def _backup(place: Place, book: BookReader, name: str) -> Backup | None:
    found = place.backup(name)
    if found is not None:
        require_recorded(book, found)
    return found


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
    place: Place, book: BookReader, request: Request, moving: Iterable[PastChange]
) -> tuple[Mapping[str, str], dict[tuple[str, str], Decided]]:
    """Return what stands where records are to come back, and the last words on those that do not wait."""
    closed = [item for change in moving for item in change.closed]
    occupied = place.standing((*request.reopen, *(item.proposal for item in closed)))
    absent = {(item.proposal, item.digest) for item in closed if item.proposal not in occupied}
    found = book.live(sorted({name for name, _ in absent}))
    return occupied, {key: found[key] for key in sorted(absent) if key in found}
