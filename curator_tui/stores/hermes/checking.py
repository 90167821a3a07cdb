"""Checking: whether documents, book, queue, images and ledger of a home agree with each other.

Here: looking and naming what does not fit. Not here: repairing anything; what another program wrote beside us is no
disagreement and is told elsewhere (``core.recording``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from curator_tui.core.changes import Backup, PastChange
from curator_tui.core.documents import FILE_NAMES, Target
from curator_tui.core.ledger import SealedRow, verify_chain, verify_commitment
from curator_tui.core.operations import Problem
from curator_tui.core.text import visible
from curator_tui.stores.book.reading import BookReader
from curator_tui.stores.hermes import images
from curator_tui.stores.hermes.hands import Hands
from curator_tui.stores.hermes.intents import is_temp
from curator_tui.stores.hermes.queue import MEMORY_QUEUE, PENDING, find_record
from curator_tui.stores.hermes.reading import MEMORIES
from curator_tui.stores.safe_files import Folder


def check_home(home: Folder, book: BookReader) -> list[Problem]:
    """Return everything that does not agree; empty when all does.

    Raises:
        Unreadable: a folder or the book cannot be looked at.
    """
    rows = book.rows()
    changes = book.changes(count=None)
    problems, _ = verify_chain(rows)
    if book.recovery_pending():
        problems.append(Problem("recovery-pending", "an interrupted change waits to be finished"))
        return problems
    with Hands(home) as hands:
        problems.extend(_leftovers(hands))
        problems.extend(_images(hands, book, rows, changes))
    problems.extend(_rows_and_changes(rows, changes))
    problems.extend(_commitments(book, rows, changes))
    problems.extend(_queue(home, book, changes))
    return problems


def _leftovers(hands: Hands) -> Iterator[Problem]:
    for steps in ((MEMORIES,), (PENDING, MEMORY_QUEUE)):
        folder = hands.find(*steps)
        for name in folder.names() if folder is not None else ():
            if is_temp(name):
                yield Problem("leftover", f"{visible(name)} was left behind by a process that ended")
    backups = hands.backups()
    for name in backups.names() if backups is not None else ():
        if images.is_part(name):
            yield Problem("leftover", f"the unfinished backup {visible(name)} was left behind")


def _rows_and_changes(rows: list[SealedRow], changes: list[PastChange]) -> Iterator[Problem]:
    by_change: dict[str, int] = {}
    for row in rows:
        parsed = row.row
        if parsed.get("action") != "copied":
            by_change[str(parsed.get("change"))] = row.seq
    recorded = {change.id: change.seq for change in changes}
    for name, seq in by_change.items():
        if recorded.get(name) != seq:
            yield Problem("change-missing", f"row {seq} names a change that is not recorded under it")
    for name in recorded.keys() - by_change.keys():
        yield Problem("row-missing", f"the recorded change {name} has no row in the ledger")


def _commitments(book: BookReader, rows: list[SealedRow], changes: list[PastChange]) -> Iterator[Problem]:
    """Check the texts that are still kept against the rows that name them."""
    by_id = {change.id: change for change in changes}
    for sealed in rows:
        row = sealed.row
        change = by_id.get(str(row.get("change")))
        if change is None or row.get("actor", {}).get("kind") == "outside":
            continue
        salts = {name: salt for name, (_, _, salt) in book.texts_of(change.id).items()}
        for name, parts in row.get("documents", {}).items():
            target = Target(name)
            for moment, kept in (("before", change.before), ("after", change.after)):
                salt = salts.get(f"{change.id}:{name}:{moment}")
                if target in kept and _false(parts.get(moment, {}), salt, kept[target]):
                    yield Problem("text-altered", f"the kept {name} document does not match row {sealed.seq}")


def _false(part: Mapping[str, Any], salt: bytes | None, data: bytes | None) -> bool:
    return verify_commitment(part, salt, data) is False


def _images(
    hands: Hands, book: BookReader, rows: list[SealedRow], changes: list[PastChange]
) -> Iterator[Problem]:
    backups = hands.backups()
    found, problems = images.list_images(backups) if backups is not None else ([], [])
    yield from problems
    by_name = {image.id: image for image in found}
    for change in changes:
        if change.backup is not None and change.backup not in by_name:
            yield Problem("backup-missing", f"the backup {change.backup} of change {change.id} is missing")
    for sealed in rows:
        row = sealed.row
        image = by_name.get(str(row.get("backup")))
        if image is not None and "image" in row:
            yield from _image(book, image, sealed.seq, str(row.get("change")), row["image"])


def _image(
    book: BookReader, image: Backup, seq: int, change: str, parts: Mapping[str, Mapping[str, Any]]
) -> Iterator[Problem]:
    for target, raw in image.files.items():
        salt = book.salt(f"{change}:image:{image.id}:{target}")
        if _false(parts.get(FILE_NAMES[target], {}), salt, raw):
            yield Problem("backup-altered", f"{FILE_NAMES[target]} in backup {image.id} does not match row {seq}")


def _queue(home: Folder, book: BookReader, changes: list[PastChange]) -> Iterator[Problem]:
    names = {item.proposal for change in changes for item in change.closed}
    for name, decided in book.decided(names).items():
        waiting = find_record(home, name)
        if waiting is not None and waiting.proposal.digest == decided.digest:
            yield Problem("decided-waits", f"{name} is decided and waits all the same")
