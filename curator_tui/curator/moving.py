"""Moving: everything one scope holds into a file, and out of a file or a home into a scope that holds nothing.

Here: reading a store while others work in it, exporting, importing, and comparing what arrived with what was sent. Not
here: the form of a file (``core.parcels``), whether a parcel may be let in (``core.importing``), the stores' own ways
to keep it.

An import is one change like any other: all of it is there or nothing is, whatever interrupts it, and asking for it
again after an interruption does what is missing or says that it was done.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from curator_tui.core.changes import NotApplied, Receipt
from curator_tui.core.errors import Locked, Unreadable
from curator_tui.core.importing import as_brought
from curator_tui.core.parcel_reading import LINE_LIMIT, read_parcel
from curator_tui.core.parcels import Parcel, lines_of
from curator_tui.core.requests import Kind, Request
from curator_tui.curator.desk import Desk
from curator_tui.curator.opening import open_desk
from curator_tui.stores.book.trial import trial_problems
from curator_tui.stores.port import Store
from curator_tui.stores.whole_files import lines_in, write_whole

_LOOKS = 5


class Carried(Struct, frozen=True):
    """What was moved, or would be.

    Attributes:
        digest: SHA-256 over everything.
        chain: id of the chain, empty for none.
        head: sequence number and hash of its newest row.
        counts: how many rows there are of each part.
        left_out: what could not be carried, in words safe to print.
        change: id of the change that imported it, or None.
        not_applied: why it was not imported.
        verified: whether the receiving store was read again and holds the same; None where nothing was stored.
        notes: what is worth saying about how it was done.
    """

    digest: str
    chain: str
    head: tuple[int, str]
    counts: Mapping[str, int] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    change: str | None = None
    not_applied: tuple[NotApplied, ...] = ()
    verified: bool | None = None
    notes: tuple[str, ...] = ()


def read_store(store: Store) -> tuple[Parcel, tuple[str, ...]]:
    """Return everything a scope holds, of one moment, and what of it cannot be carried.

    Nothing is locked for it: it is read until it is the same twice.

    Raises:
        Unreadable: something cannot be read.
        Locked: others change it all the time.
    """
    last, _ = store.parcel()
    for _ in range(_LOOKS):
        store.refresh()
        found, left_out = store.parcel()
        if found.digest == last.digest:
            return found, left_out
        last = found
    raise Locked("others change this memory all the time, so it cannot be read whole.", way_out="Try again.")


def export_to(desk: Desk, path: str, *, dry_run: bool = False) -> Carried:
    """Write everything the scope of a desk holds into a new file.

    Raises:
        UsageError: the file exists or cannot be written.
        StoreError: the scope cannot be read.
    """
    parcel, left_out = read_store(desk.store)
    if not dry_run:
        write_whole(path, lines_of(parcel))
    return _moved(parcel, left_out)


def parcel_in_file(path: str) -> Parcel:
    """Read a file that was exported.

    Raises:
        UsageError: there is no such file.
        Unreadable: it is not as it was written.
    """
    return read_parcel(lines_in(path, LINE_LIMIT))


def parcel_in_home(folder: Path, profile: str | None, environ: Mapping[str, str]) -> tuple[Parcel, tuple[str, ...]]:
    """Read everything that a Hermes home holds of memory, and what of it cannot be carried.

    Raises:
        StoreError: there is no such home, or it cannot be read.
    """
    source = open_desk(home=folder, profile=profile, environ=environ, through="cli", read_only=True)
    try:
        return read_store(source.store)
    finally:
        source.close()


def import_parcel(desk: Desk, parcel: Parcel, left_out: tuple[str, ...] = (), *, dry_run: bool = False) -> Carried:
    """Make a parcel the memory of the scope of a desk, which must hold nothing.

    Args:
        desk: where it is imported.
        parcel: what.
        left_out: what could not be carried from where it came.
        dry_run: store nothing.

    Raises:
        ReadOnly: the desk was opened for looking only.
        Unreadable: what the parcel says of memory does not hold together.
        StoreError: it cannot be stored; nothing was changed, or the next start finishes it.
    """
    kept = desk.store.keeps(parcel)
    problems = trial_problems(kept)
    if problems:
        more = f" There are {len(problems) - 1} further faults." if len(problems) > 1 else ""
        raise Unreadable(
            f"what is to be imported does not hold together: {problems[0].message}.{more}",
            code="parcel-damaged",
            way_out="Nothing was imported. See what is wrong where it came from with: curator-tui doctor",
        )
    request = Request(desk.stamp(), Kind.IMPORT, parcel=kept)
    receipt = desk.dry_run(request).receipt if dry_run else desk.carry_out(request)
    return _imported(desk, kept, receipt, left_out)


def _imported(desk: Desk, parcel: Parcel, receipt: Receipt, left_out: tuple[str, ...]) -> Carried:
    verified = None
    if receipt.change is not None:
        desk.store.refresh()
        verified = as_brought(desk.store.parcel()[0], receipt.change, parcel).digest == parcel.digest
    return _moved(parcel, left_out, receipt, verified=verified)


def _moved(
    parcel: Parcel, left_out: tuple[str, ...], receipt: Receipt | None = None, *, verified: bool | None = None
) -> Carried:
    found = Carried(parcel.digest, parcel.chain, parcel.head, parcel.counts, left_out)
    if receipt is None:
        return found
    return Carried(
        found.digest, found.chain, found.head, found.counts, left_out, receipt.change, receipt.not_applied, verified,
        receipt.notes,
    )  # fmt: skip
