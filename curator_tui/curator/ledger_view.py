"""The ledger at the desk: rows, verification, checkpoint and export.

Here: reading the chain and holding it against kept texts, images and checkpoints. Not here: the chain's rules
(``core.ledger``), where rows are stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from curator_tui.core.documents import FILE_NAMES, Target
from curator_tui.core.ledger import SealedRow, checkpoint, verify_chain, verify_checkpoint, verify_commitment
from curator_tui.core.operations import Problem
from curator_tui.curator.desk import Desk


class Verification(Struct, frozen=True):
    """What verifying the ledger found.

    Attributes:
        rows: number of rows.
        head: sequence number and hash of the newest row.
        problems: what does not agree; empty when all is well.
        checked: commitments that were held against a kept text.
        open: commitments whose text or salt is gone (pruned or erased); they prove nothing any more.
        against: the sequence number of the checkpoint compared with, None when none was given.
    """

    rows: int
    head: tuple[int, str]
    problems: tuple[Problem, ...]
    checked: int
    open: int
    against: int | None


class _Tally(Struct):
    problems: list[Problem] = field(default_factory=list)
    checked: int = 0
    open: int = 0

    def add(self, row: SealedRow, what: str, agrees: bool | None) -> None:
        if agrees is None:
            self.open += 1
            return
        self.checked += 1
        if not agrees:
            message = f"row {row.seq}: the kept {what} is not what the row was made of"
            self.problems.append(Problem("text-altered", message))


def verify(desk: Desk, kept: Mapping[str, Any] | None = None) -> Verification:
    """Verify the chain, every commitment whose text is still kept, and a checkpoint where one is given."""
    rows = desk.store.book.rows()
    problems, head = verify_chain(rows)
    tally = _Tally(list(problems))
    if not problems:
        _verify_texts(desk, rows, tally)
    against = None
    if kept is not None:
        found = verify_checkpoint({row.seq: row.hash for row in rows}, kept)
        against = kept.get("seq") if isinstance(kept.get("seq"), int) else None
        if found is not None:
            tally.problems.append(found)
    return Verification(len(rows), head, tuple(tally.problems), tally.checked, tally.open, against)


def _verify_texts(desk: Desk, rows: Iterable[SealedRow], tally: _Tally) -> None:
    images = {image.id: image for image in desk.store.backups()[0]}
    for sealed in rows:
        row = sealed.row
        change = str(row.get("change", ""))
        _verify_documents(desk, sealed, row, change, tally)
        image = images.get(str(row.get("backup", "")))
        for name, part in row.get("image", {}).items():
            target = next(target for target, file in FILE_NAMES.items() if file == name)
            salt = desk.store.book.salt(f"{change}:image:{row.get('backup')}:{target}")
            data = image.files.get(target) if image is not None else None
            if "commit" in part:
                tally.add(sealed, f"backup of {name}", verify_commitment(part, salt, data))


def _verify_documents(desk: Desk, sealed: SealedRow, row: Mapping[str, Any], change: str, tally: _Tally) -> None:
    past = desk.store.book.change(change) if row.get("documents") and row.get("action") not in _OBSERVED else None
    for target_name, moments in row.get("documents", {}).items():
        target = Target(target_name)
        for moment, part in moments.items():
            if "commit" not in part or past is None:
                continue
            salt = desk.store.book.salt(f"{change}:{target}:{moment}")
            data = (past.before if moment == "before" else past.after).get(target)
            tally.add(sealed, f"text of {FILE_NAMES[target]} {moment}", verify_commitment(part, salt, data))


_OBSERVED = frozenset({"first seen", "outside"})


def rows(desk: Desk, after: int = 0, count: int | None = None) -> Sequence[SealedRow]:
    """Return ledger rows behind ``after``, oldest first."""
    return desk.store.book.rows(after, count)


def take_checkpoint(desk: Desk) -> dict[str, Any]:
    """Return a checkpoint of the ledger as it stands, to be kept elsewhere."""
    return checkpoint(desk.store.book.head(), desk.store.book.chain(), desk.now())
